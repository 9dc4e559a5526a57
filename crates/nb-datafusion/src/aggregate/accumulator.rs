//! Fitting the rows of one group.

use datafusion::{
    arrow::{
        array::{Array, ArrayRef},
        datatypes::DataType,
    },
    error::Result,
    logical_expr::Accumulator,
    scalar::ScalarValue,
};
use nb_io::Model;

use super::{
    Evidence, Form,
    evidence::{Direction, finished},
};
use crate::{
    Design,
    failure::{failed, refused},
    model_bytes::{bytes_of, merge_all, size, value_of},
    rows::{self, Arguments},
};

/// What a query says of the model to be fitted.
#[derive(Clone, Debug)]
pub(super) enum DesignArgument {
    Design(Box<Design>),
    /// A model without rows.
    Template(Box<Model>),
}

impl DesignArgument {
    pub(super) fn of(value: Option<&ScalarValue>) -> Result<Self> {
        if let Some(text) = value.and_then(ScalarValue::try_as_str).flatten() {
            return Ok(Self::Design(Box::new(text.parse().map_err(failed)?)));
        }
        let Some(bytes) = value.and_then(bytes_of) else {
            return Err(refused(
                "the design, the first argument of nb_fit_as, is a constant text or model file",
            ));
        };
        let model = Model::from_bytes(bytes)
            .map_err(|error| failed(format!("the design is no model file: {error}")))?;
        if model.stats().classes().len() > 0 {
            return Err(failed("the design is a model that has rows already; nb_merge adds models"));
        }
        Ok(Self::Template(Box::new(model)))
    }
}

/// Fits the rows of one group.
#[derive(Debug)]
pub(super) struct FitAccumulator {
    pub(super) form: Form,
    /// Where the weight stands, if it is not the constant 1.
    pub(super) weight: Option<usize>,
    pub(super) design: DesignArgument,
    pub(super) label: String,
    /// Names and types.
    pub(super) features: Vec<(String, DataType)>,
    pub(super) arguments: Arguments,
    /// From rows; nothing before the first batch, which says how long lists are.
    pub(super) evidence: Option<Evidence>,
    /// From the states of others.
    pub(super) merged: Option<Model>,
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
                    self.features.iter().map(|(name, data_type)| (name.as_str(), data_type)).collect();
                design.template(&self.label, &columns)
            }
            Arguments::List => {
                let Some(length) = rows::length(&arrays[0])? else { return Ok(None) };
                let names: Vec<String> =
                    (1..=length).map(|place| format!("{}[{place}]", self.features[0].0)).collect();
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
    fn model(&mut self) -> Result<Option<Model>> {
        let own = self.evidence.as_mut().map(Evidence::model).transpose()?.flatten();
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
        value_of(self.model()?.map(finished).transpose()?.as_ref())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![value_of(self.model()?.as_ref())?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        merge_all(&mut self.merged, &states[0])
    }

    fn size(&self) -> usize {
        size_of_val(self)
            + self.evidence.as_ref().map_or(0, Evidence::size)
            + self.merged.as_ref().map_or(0, size)
    }
}
