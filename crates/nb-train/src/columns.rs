//! Which columns are used, and as what.

use nb_io::read::{Inference, Inferred, KindChoice, Overrides, Reason};

use crate::{Source, TrainError};

/// What is known of the columns of a table.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) inferred: Inferred,
    /// The columns that are left out, and why.
    pub(crate) left_out: Vec<Inference>,
}

impl Found {
    /// Looks at all columns; leaves out those from which nothing can be learnt, unless the caller says what they hold.
    pub(crate) fn new<S: Source>(source: &S, overrides: &Overrides) -> Result<Self, S::Error> {
        let mut inferred = source.infer(overrides)?;
        let likely: Vec<String> =
            inferred.likely_categories().map(|inference| inference.column.clone()).collect();
        let likely: Vec<String> =
            likely.into_iter().filter(|column| !overrides.kinds.contains_key(column)).collect();
        if !likely.is_empty() {
            let numbers = inferred;
            let with = |all: Overrides, column: &String| all.with(column, KindChoice::Categorical);
            inferred = source.infer(&likely.iter().fold(overrides.clone(), with))?;
            for (column, before) in inferred.columns.iter_mut().zip(&numbers.columns) {
                if likely.contains(&column.column) {
                    column.reason = before.reason.clone();
                    column.few_values.clone_from(&before.few_values);
                }
            }
        }
        let useless = |column: &Inference| column.reason.is_useless();
        let left_out: Vec<Inference> =
            inferred.columns.iter().filter(|column| useless(column)).cloned().collect();
        let mut found = Self { inferred, left_out: Vec::new() };
        for inference in left_out {
            let reason = inference.reason.clone();
            found = found.without(&inference.column, reason)?;
        }
        Ok(found)
    }

    /// The same without a column.
    pub(crate) fn without(mut self, column: &str, reason: Reason) -> Result<Self, TrainError> {
        if let [only] = self.inferred.columns.as_slice() {
            return Err(TrainError::NoColumns { column: only.column.clone(), why: reason.to_string() });
        }
        self.inferred.schema.columns.retain(|kept| kept.name != column);
        if let Some(place) = self.inferred.columns.iter().position(|kept| kept.column == column) {
            let inference = self.inferred.columns.remove(place);
            self.left_out.push(Inference { reason, ..inference });
        }
        Ok(self)
    }
}
