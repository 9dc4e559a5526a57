//! All measures of a classifier on some rows, or why there are none.

use serde::Serialize;

use crate::{Fitted, MethodError, Table, Values, evaluate::evaluate, labels};

/// All measures of the answers to these rows, as [`run`](crate::run) has them for a fold.
pub(crate) fn score(fitted: &dyn Fitted, table: &Table, rows: &[usize]) -> Result<Values, MethodError> {
    let log_posteriors = fitted.log_posteriors(table, rows)?;
    let evaluation = evaluate(table, rows, Some(&log_posteriors), &labels(&log_posteriors))?;
    Ok(Values::of(&evaluation.measures(), None))
}

/// One classifier: trained on some rows, and tested on others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trial {
    /// Its measures.
    Done(Values),
    /// Why there is none.
    None(String),
}

impl Trial {
    pub(crate) fn new(result: Result<Values, MethodError>) -> Self {
        result.map_or_else(|error| Self::None(error.to_string()), Self::Done)
    }

    /// The measures, if there are any.
    pub fn values(&self) -> Option<&Values> {
        if let Self::Done(values) = self { Some(values) } else { None }
    }

    /// Why there are none.
    pub fn reason(&self) -> Option<&str> {
        if let Self::None(reason) = self { Some(reason) } else { None }
    }
}
