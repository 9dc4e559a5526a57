//! `nb_sample`: which rows are in a sample.

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{AsArray, BooleanArray},
        compute::cast,
        datatypes::{DataType, Float64Type},
    },
    common::hash_utils::{RandomState, create_hashes},
    error::Result,
    logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility},
};

use crate::failure::{failed, refused};

/// `nb_sample(share, cell, ...)`: whether a row is in the sample. What is drawn depends on what the rows of a
/// batch hold and on nothing else, so that a task that is done again draws the same rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sampled {
    signature: Signature,
}

impl Sampled {
    pub(crate) fn new() -> Self {
        // Volatile: the same arguments are not always in the sample, or never.
        Self { signature: Signature::user_defined(Volatility::Volatile) }
    }
}

impl ScalarUDFImpl for Sampled {
    fn name(&self) -> &'static str {
        "nb_sample"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Cells of any type; the share is a number.
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let mut types = types.to_vec();
        match &mut types[..] {
            [share, _, ..] if share.is_numeric() => *share = DataType::Float64,
            _ => {
                return Err(refused(
                    "nb_sample(share, cell, ...) takes a number and at least one column of the rows",
                ));
            }
        }
        Ok(types)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let n_rows = arguments.number_rows;
        let arrays = arguments.args.iter().map(|value| value.to_array(n_rows)).collect::<Result<Vec<_>>>()?;
        let [share, cells @ ..] = &arrays[..] else {
            return Err(failed("nb_sample takes a share and cells"));
        };
        let share = cast(share, &DataType::Float64).map_err(failed)?;
        let mut hashes = vec![0; n_rows];
        create_hashes(cells, &RandomState::with_seed(0), &mut hashes)?;
        let batch = hashes.iter().fold(0, |batch, hash| mixed(batch ^ hash));
        let is_drawn = |(row, share): (usize, Option<f64>)| {
            let unit = (mixed(batch.wrapping_add(row as u64)) >> 11) as f64 / (1_u64 << 53) as f64;
            share.is_some_and(|share| unit < share)
        };
        let share = share.as_primitive::<Float64Type>();
        let drawn: Vec<bool> = share.iter().enumerate().map(is_drawn).collect();
        Ok(ColumnarValue::Array(Arc::new(BooleanArray::from(drawn))))
    }
}

/// One step of `SplitMix64` (Steele, Lea and Flood 2014).
fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
