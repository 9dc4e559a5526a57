//! `nb_merge(model)`: the evidence of many models as one.

use datafusion::{
    arrow::{
        array::ArrayRef,
        compute::cast,
        datatypes::{DataType, FieldRef},
    },
    error::Result,
    logical_expr::{
        Accumulator, AggregateUDFImpl, Signature, Volatility,
        function::{AccumulatorArgs, StateFieldsArgs},
    },
    scalar::ScalarValue,
};
use nb_io::Model;

use super::{
    evidence::{check_moving, finished},
    fit::state_field,
};
use crate::{
    failure::{failed, refused},
    model_bytes::{merge_all, size, value_of},
};

/// The aggregate function. A NULL adds nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Merge {
    signature: Signature,
}

impl Merge {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for Merge {
    fn name(&self) -> &'static str {
        "nb_merge"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Binary)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null] => {
                Ok(vec![DataType::Binary])
            }
            _ => Err(refused("nb_merge takes one column of models, which are binary")),
        }
    }

    fn accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        if arguments.is_distinct {
            return Err(refused(
                "DISTINCT is not possible with nb_merge; select distinct models in a subquery",
            ));
        }
        Ok(Box::new(MergeAccumulator { merged: None }))
    }

    fn create_sliding_accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        self.accumulator(arguments)
    }

    fn state_fields(&self, arguments: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        Ok(vec![state_field(arguments.name)])
    }
}

#[derive(Debug)]
struct MergeAccumulator {
    merged: Option<Model>,
}

impl Accumulator for MergeAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        merge_all(&mut self.merged, &cast(&values[0], &DataType::Binary).map_err(failed)?)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let mut gone = None;
        merge_all(&mut gone, &cast(&values[0], &DataType::Binary).map_err(failed)?)?;
        if let (Some(merged), Some(gone)) = (&mut self.merged, &gone) {
            check_moving(merged.schema())?;
            merged.subtract(gone).map_err(failed)?;
            if merged.stats().classes().len() == 0 {
                self.merged = None;
            }
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        value_of(self.merged.clone().map(finished).transpose()?.as_ref())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![value_of(self.merged.as_ref())?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        merge_all(&mut self.merged, &states[0])
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.merged.as_ref().map_or(0, size)
    }
}
