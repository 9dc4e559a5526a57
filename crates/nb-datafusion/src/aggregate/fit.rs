//! `nb_fit` and its forms: a model of the rows of a group.

use std::sync::Arc;

use datafusion::{
    arrow::datatypes::{DataType, Field, FieldRef},
    error::Result,
    logical_expr::{
        Accumulator, AggregateUDFImpl, Expr, Signature, Volatility,
        expr::AggregateFunctionParams,
        function::{AccumulatorArgs, AggregateFunctionSimplification, StateFieldsArgs},
        udaf_default_human_display, udaf_default_schema_name,
        utils::format_state_name,
    },
    physical_expr::expressions::{Column, Literal},
    scalar::ScalarValue,
};

use super::accumulator::{DesignArgument, FitAccumulator};
use crate::{
    failure::refused,
    model_bytes::{for_a_name, once},
    rows::{Arguments, has_texts, is_number},
};

/// Which arguments stand before the features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// `nb_fit(label, ...)`
    Plain,
    /// `nb_fit_weighted(label, weight, ...)`
    Weighted,
    /// `nb_fit_as(design, label, weight, ...)`
    Designed,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "nb_fit",
            Self::Weighted => "nb_fit_weighted",
            Self::Designed => "nb_fit_as",
        }
    }

    /// Where the label stands.
    pub(super) fn label(self) -> usize {
        usize::from(self == Self::Designed)
    }

    fn weight(self) -> Option<usize> {
        match self {
            Self::Plain => None,
            Self::Weighted => Some(1),
            Self::Designed => Some(2),
        }
    }

    /// How many arguments stand before the features.
    pub(super) fn n_leading(self) -> usize {
        self.weight().map_or(1, |weight| weight + 1)
    }
}

/// The aggregate function in one of its forms. Its value is a model file; its state is one as well.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fit {
    form: Form,
    signature: Signature,
}

impl Fit {
    pub(crate) fn new(form: Form) -> Self {
        Self { form, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for Fit {
    fn name(&self) -> &str {
        self.form.name()
    }

    fn schema_name(&self, params: &AggregateFunctionParams) -> Result<String> {
        let args = for_a_name(&params.args);
        udaf_default_schema_name(self, &AggregateFunctionParams { args, ..params.clone() })
    }

    fn human_display(&self, params: &AggregateFunctionParams) -> Result<String> {
        let args = for_a_name(&params.args);
        udaf_default_human_display(self, &AggregateFunctionParams { args, ..params.clone() })
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Binary)
    }

    /// The types as they are, if they can be learnt from.
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let form = self.form;
        if types.len() <= form.n_leading() {
            let usage = match form {
                Form::Plain => "nb_fit(label, feature, ...)",
                Form::Weighted => "nb_fit_weighted(label, weight, feature, ...)",
                Form::Designed => "nb_fit_as(design, label, weight, feature, ...)",
            };
            return Err(refused(format!("{usage} needs at least {} arguments", form.n_leading() + 1)));
        }
        let label = &types[form.label()];
        if !has_texts(label) {
            return Err(refused(format!(
                "the label has the type {label}; labels are texts, whole numbers or truth values, so cast it to one of them"
            )));
        }
        if let Some(weight) = form.weight().map(|weight| &types[weight])
            && !is_number(weight)
        {
            return Err(refused(format!("the weight has the type {weight}, which is no number")));
        }
        Arguments::of(&types[form.n_leading()..])?;
        Ok(types.to_vec())
    }

    fn accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let form = self.form;
        if arguments.is_distinct {
            return Err(refused("DISTINCT is not possible with nb_fit; select distinct rows in a subquery"));
        }
        let fields = arguments.expr_fields;
        let features = fields.get(form.n_leading()..).unwrap_or_default();
        let types: Vec<DataType> = features.iter().map(|field| field.data_type().clone()).collect();
        let design = match (form, arguments.exprs.first()) {
            (Form::Designed, Some(design)) => {
                DesignArgument::of(design.downcast_ref::<Literal>().map(Literal::value))?
            }
            _ => DesignArgument::Design(Box::default()),
        };
        let is_one = |place: usize| {
            let literal = arguments.exprs.get(place).and_then(|weight| weight.downcast_ref::<Literal>());
            literal.is_some_and(|literal| *literal.value() == ScalarValue::Int64(Some(1)))
        };
        Ok(Box::new(FitAccumulator {
            form,
            weight: form.weight().filter(|&place| !is_one(place)),
            design,
            label: column_name(&arguments, form.label()).unwrap_or_else(|| "label".into()),
            features: features
                .iter()
                .enumerate()
                .map(|(place, field)| {
                    let name = column_name(&arguments, form.n_leading() + place);
                    (name.unwrap_or_else(|| format!("x{}", place + 1)), field.data_type().clone())
                })
                .collect(),
            arguments: Arguments::of(&types)?,
            evidence: None,
            merged: None,
        }))
    }

    fn create_sliding_accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        self.accumulator(arguments)
    }

    fn simplify(&self) -> Option<AggregateFunctionSimplification> {
        if self.form != Form::Designed {
            return None;
        }
        Some(Box::new(|mut call, _| {
            if let Some(Expr::Literal(design, _)) = call.params.args.first_mut() {
                *design = once(std::mem::replace(design, ScalarValue::Null));
            }
            Ok(Expr::AggregateFunction(call))
        }))
    }

    fn state_fields(&self, arguments: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        Ok(vec![state_field(arguments.name)])
    }
}

/// The name of an argument that is a column; expressions have names only in one plan of a query.
fn column_name(arguments: &AccumulatorArgs<'_>, place: usize) -> Option<String> {
    let column = arguments.exprs.get(place)?.downcast_ref::<Column>()?;
    (!column.name().starts_with("__common_expr")).then(|| column.name().to_owned())
}

/// The field of a state that is one model file.
pub(super) fn state_field(name: &str) -> FieldRef {
    Arc::new(Field::new(format_state_name(name, "model"), DataType::Binary, true))
}
