//! `nb_fit` and its forms: a model of the rows of a group.

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, AsArray},
        datatypes::{DataType, Field, FieldRef},
    },
    error::Result,
    logical_expr::{
        Accumulator, AggregateUDFImpl, Signature, Volatility,
        function::{AccumulatorArgs, StateFieldsArgs},
        utils::format_state_name,
    },
    physical_expr::expressions::Literal,
    scalar::ScalarValue,
};
use nb_io::Model;

use super::{
    Evidence,
    evidence::{Direction, finished},
};
use crate::{
    Design,
    failure::{failed, refused},
    rows::{self, Arguments, has_texts, is_number},
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
    fn label(self) -> usize {
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
    fn n_leading(self) -> usize {
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
        let (leading, features) = fields.split_at_checked(form.n_leading()).unwrap_or((fields, &[]));
        let types: Vec<DataType> = features.iter().map(|field| field.data_type().clone()).collect();
        let design = match (form, arguments.exprs.first()) {
            (Form::Designed, Some(design)) => {
                DesignArgument::of(design.downcast_ref::<Literal>().map(Literal::value))?
            }
            _ => DesignArgument::Design(Box::default()),
        };
        let is_one = |place: usize| {
            let literal = arguments.exprs.get(place).and_then(|weight| weight.downcast_ref::<Literal>());
            literal.is_some_and(|literal| {
                literal.value().is_null() || *literal.value() == ScalarValue::Int64(Some(1))
            })
        };
        Ok(Box::new(FitAccumulator {
            form,
            weight: form.weight().filter(|&place| !is_one(place)),
            design,
            label: leading.get(form.label()).map_or_else(String::new, |field| field.name().clone()),
            features: features.to_vec(),
            arguments: Arguments::of(&types)?,
            evidence: None,
            merged: None,
        }))
    }

    fn create_sliding_accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        self.accumulator(arguments)
    }

    fn state_fields(&self, arguments: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        Ok(vec![state_field(arguments.name)])
    }
}

/// The field of a state that is one model file.
pub(super) fn state_field(name: &str) -> FieldRef {
    Arc::new(Field::new(format_state_name(name, "model"), DataType::Binary, true))
}

/// What a query says of the model to be fitted.
#[derive(Clone, Debug)]
enum DesignArgument {
    Design(Box<Design>),
    /// A model without rows.
    Template(Box<Model>),
}

impl DesignArgument {
    fn of(value: Option<&ScalarValue>) -> Result<Self> {
        match value {
            Some(
                ScalarValue::Utf8(Some(text))
                | ScalarValue::Utf8View(Some(text))
                | ScalarValue::LargeUtf8(Some(text)),
            ) => Ok(Self::Design(Box::new(text.parse().map_err(failed)?))),
            Some(
                ScalarValue::Binary(Some(bytes))
                | ScalarValue::BinaryView(Some(bytes))
                | ScalarValue::LargeBinary(Some(bytes)),
            ) => {
                let model = Model::from_bytes(bytes)
                    .map_err(|error| failed(format!("the design is no model file: {error}")))?;
                if model.stats().classes().len() > 0 {
                    return Err(failed("the design is a model that has rows already; nb_merge adds models"));
                }
                Ok(Self::Template(Box::new(model)))
            }
            _ => {
                Err(refused("the design, the first argument of nb_fit_as, is a constant text or model file"))
            }
        }
    }
}

/// Fits the rows of one group.
#[derive(Debug)]
struct FitAccumulator {
    form: Form,
    /// Where the weight stands, if it is not that of every row: 1, or NULL.
    weight: Option<usize>,
    design: DesignArgument,
    label: String,
    features: Vec<FieldRef>,
    arguments: Arguments,
    /// From rows; nothing before the first batch, which says how long lists are.
    evidence: Option<Evidence>,
    /// From the states of others.
    merged: Option<Model>,
}

impl FitAccumulator {
    /// A model without rows, for features as they come in `arrays`; nothing if these have no row.
    fn template(&self, arrays: &[ArrayRef]) -> Result<Option<Model>> {
        let design = match &self.design {
            DesignArgument::Template(model) => return Ok(Some((**model).clone())),
            DesignArgument::Design(design) => design,
        };
        let template = match self.arguments {
            Arguments::Columns => {
                let columns: Vec<_> =
                    self.features.iter().map(|field| (field.name().as_str(), field.data_type())).collect();
                design.template(&self.label, &columns)
            }
            Arguments::List => {
                let Some(length) = rows::length(&arrays[0])? else { return Ok(None) };
                let names: Vec<String> =
                    (1..=length).map(|place| format!("{}[{place}]", self.features[0].name())).collect();
                let columns: Vec<_> = names.iter().map(|name| (name.as_str(), &DataType::Float64)).collect();
                design.template(&self.label, &columns)
            }
            Arguments::Sparse => {
                return Err(failed(
                    "lists of features and their numbers need a model without rows as their design, which knows all features",
                ));
            }
        };
        template.map(Some).map_err(failed)
    }

    fn update(&mut self, direction: Direction, values: &[ArrayRef]) -> Result<()> {
        let (leading, features) = values.split_at(self.form.n_leading());
        if leading[0].is_empty() {
            return Ok(());
        }
        if self.evidence.is_none() {
            let Some(template) = self.template(features)? else {
                return Err(failed("a list of features is NULL; leave such rows out"));
            };
            self.evidence = Some(Evidence::new(template, self.arguments.clone())?);
        }
        let Some(evidence) = &mut self.evidence else { return Ok(()) };
        let weights = self.weight.map(|weight| &leading[weight]);
        evidence.update(direction, &leading[self.form.label()], weights, features)
    }

    /// The model of all rows and states so far.
    fn model(&self) -> Result<Option<Model>> {
        let own = self.evidence.as_ref().map(Evidence::model).transpose()?.flatten();
        Ok(match (own, &self.merged) {
            (Some(mut own), Some(merged)) => {
                own.merge(merged).map_err(failed)?;
                Some(own)
            }
            (own, merged) => own.or_else(|| merged.clone()),
        })
    }
}

impl Accumulator for FitAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.update(Direction::In, values)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.update(Direction::Out, values)
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        bytes(self.model()?.map(finished).transpose()?.as_ref())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![bytes(self.model()?.as_ref())?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        merge_states(&mut self.merged, &states[0])
    }

    fn size(&self) -> usize {
        size_of_val(self)
            + self.evidence.as_ref().map_or(0, Evidence::size)
            + self.merged.as_ref().map_or(0, size)
    }
}

/// A model as a value: the bytes of its file, or NULL.
pub(super) fn bytes(model: Option<&Model>) -> Result<ScalarValue> {
    Ok(ScalarValue::Binary(model.map(Model::to_bytes).transpose().map_err(failed)?))
}

/// Adds the evidence of all models in a column of model files. NULL is none.
pub(super) fn merge_states(merged: &mut Option<Model>, states: &ArrayRef) -> Result<()> {
    for bytes in states.as_binary::<i32>().iter().flatten() {
        let model = Model::from_bytes(bytes)
            .map_err(|error| failed(format!("a stored model cannot be read: {error}")))?;
        match merged {
            Some(merged) => merged.merge(&model).map_err(failed)?,
            None => *merged = Some(model),
        }
    }
    Ok(())
}

/// About how many bytes a model takes.
pub(super) fn size(model: &Model) -> usize {
    let sums: usize = model.stats().layout().parts.iter().map(|part| part.len).sum();
    16 * (sums + 1) * model.stats().classes().len() + 64 * model.schema().columns.len()
}
