//! A model that is ready to answer.

use std::collections::BTreeMap;

use datafusion::{arrow::array::ArrayRef, error::Result};
use nb_core::{Classifier, Rows, error::PredictError};
use nb_io::{FittedFamily, Model, Schema, read::Table};

use crate::{
    failure::failed,
    rows::{Arguments, Features, Unknown},
};

/// How many cells are made into rows at a time.
const CELLS_AT_A_TIME: usize = 1 << 17;

/// A classifier, and the bytes of the model that it was read from.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) bytes: Box<[u8]>,
    pub(super) schema: Schema,
    /// Of the features.
    pub(super) names: Vec<String>,
    pub(super) classifier: Classifier<String, FittedFamily>,
}

impl Loaded {
    pub(super) fn new(bytes: &[u8]) -> Result<Self> {
        let model =
            Model::from_bytes(bytes).map_err(|error| failed(format!("the model cannot be read: {error}")))?;
        if model.decision().is_some() {
            let reason = "the model has a decision rule, which queries do not apply; remove it with `nbayes decide --none`";
            return Err(failed(reason.to_owned()));
        }
        let classifier =
            model.classifier().map_err(|error| failed(format!("the model cannot be fitted: {error}")))?;
        let names = model.schema().features().map(|feature| feature.name()).collect();
        Ok(Self { bytes: bytes.into(), schema: model.schema().clone(), names, classifier })
    }

    /// Calls `answer` with all rows, some at a time.
    pub(super) fn for_each_chunk(
        &self,
        arguments: &Arguments,
        names: &[&str],
        arrays: &[ArrayRef],
        mut answer: impl FnMut(&Table, usize) -> std::result::Result<(), PredictError>,
    ) -> Result<()> {
        if *arguments == Arguments::Columns {
            self.check_order(names)?;
        }
        let mut features = Features::new(&self.schema, arguments.clone(), Unknown::Counted)?;
        let n_rows = arrays.first().map_or(0, |array| array.len());
        let step = (CELLS_AT_A_TIME / features.n_features()).clamp(64, 1 << 16);
        for first in (0..n_rows).step_by(step) {
            let rows = features.read(arrays, first..n_rows.min(first + step))?;
            debug_assert_eq!(rows.n_columns(), features.n_features());
            answer(&rows, first).map_err(|error| self.named(error))?;
        }
        Ok(())
    }

    /// Refuses columns that are clearly not in the order of the model's features.
    fn check_order(&self, names: &[&str]) -> Result<()> {
        let columns = &self.schema.columns;
        if columns.iter().map(|column| column.name.as_str()).eq(names.iter().copied()) {
            return Ok(());
        }
        let places: BTreeMap<&str, usize> =
            columns.iter().enumerate().map(|(place, column)| (column.name.as_str(), place)).collect();
        for (place, name) in names.iter().enumerate() {
            if let Some(&other) = places.get(name)
                && other != place
            {
                let order =
                    columns.iter().take(20).map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
                return Err(failed(format!(
                    "feature {} is the column {name:?}, which is feature {} of the model; give them in its order: {order}{}",
                    place + 1,
                    other + 1,
                    if columns.len() > 20 { ", ..." } else { "" }
                )));
            }
        }
        Ok(())
    }

    /// The place of a class.
    pub(super) fn class(&self, label: &str) -> Result<usize> {
        let classes = self.classifier.classes();
        classes
            .iter()
            .position(|class| class == label)
            .ok_or_else(|| failed(format!("the model has no class {label:?}; it has {}", classes.join(", "))))
    }

    /// The error with the name of the column.
    fn named(&self, error: PredictError) -> datafusion::error::DataFusionError {
        match error {
            PredictError::Value(error) => {
                let column = self.schema.feature_name(error.column).unwrap_or_default();
                failed(format!("column {column:?}: {} {}", error.value, error.reason))
            }
            error => failed(error),
        }
    }
}
