//! Columns in which the probability of a class never falls, or never rises.

use std::collections::BTreeMap;

use nb_discriminative::{ColumnKind, Learner};
use nb_io::{Schema, read::Inference};

use crate::features;

/// How the probability of the positive class changes as the number of a column grows and all other cells
/// stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// It never falls.
    Increasing,
    /// It never rises.
    Decreasing,
}

/// Columns of numbers with monotone effects, in models of two classes.
///
/// The bins of such a column are pooled where the positive class would become less probable, and learnt again
/// (nb-discriminative's `LabelledRows::with_rising`). It takes no part in pairs of columns. Training is
/// refused where that cannot be had.
///
/// ```
/// use nb_train::{Choices, Trainer, Trend, Trends};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((120, 1), |(row, _)| (row * 7 % 40) as f64 + 0.5);
/// let labels: Vec<&str> = (0..120).map(|row| ["well", "ill"][usize::from(row * 7 % 40 > 15 + row % 10)]).collect();
/// let trends = Trends::default().with("dose", Trend::Decreasing).with_positive("well");
/// let schema = nb_io::Schema::numeric(["dose"], "state");
/// let trained = Trainer::default().with_choices(Choices::default().with_trends(trends)).fit(&schema, &rows, &labels)?;
/// let doses = Array2::from_shape_fn((50, 1), |(row, _)| row as f64);
/// let well: Vec<f64> = trained.model.classifier()?.predict_proba(&doses)?.column(1).to_vec();
/// assert!(well.windows(2).all(|pair| pair[0] >= pair[1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trends {
    columns: BTreeMap<String, Trend>,
    positive: Option<String>,
}

/// Why a column has no trend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrendError {
    /// There is no such column.
    #[error("monotone column {column:?} not found")]
    NotFound {
        /// The column.
        column: String,
    },
    /// Its values have no order.
    #[error("the effect of column {column:?} cannot be monotone, as it is no column of numbers")]
    NotNumbers {
        /// The column.
        column: String,
    },
    /// The positive class is no class.
    #[error("the positive class {class:?} is not one of the classes {}", known.join(", "))]
    NoClass {
        /// The class.
        class: String,
        /// The classes.
        known: Vec<String>,
    },
    /// Of more than two classes none is positive.
    #[error("effects are monotone in models of two classes, and there are {n_classes}")]
    Classes {
        /// The number of classes.
        n_classes: usize,
    },
    /// Naive Bayes alone has no such effects.
    #[error("effects are monotone only in models with corrections, and here there are none: {why}")]
    Plain {
        /// Why.
        why: String,
    },
}

impl Trends {
    /// The same with the trend of a column, in place of one that it has.
    #[must_use]
    pub fn with(mut self, column: impl Into<String>, trend: Trend) -> Self {
        self.columns.insert(column.into(), trend);
        self
    }

    /// The same with the class whose probability has the trends; else it is the last of the two.
    #[must_use]
    pub fn with_positive(self, class: impl Into<String>) -> Self {
        Self { positive: Some(class.into()), ..self }
    }

    /// The columns that have trends.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.keys().map(String::as_str)
    }

    /// Whether no column has a trend.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The learners that can have trends.
    pub(crate) fn learners<'a>(&self, learners: &'a [Learner]) -> Result<&'a [Learner], TrendError> {
        let has_terms = |learner: &Learner| !learner.penalties.is_empty();
        if self.is_empty() || learners.iter().all(has_terms) {
            return Ok(learners);
        }
        Err(TrendError::Plain { why: "weights alone are learnt".into() })
    }

    /// The class to which larger numbers never add less, by feature; `None` without any trend. Columns that
    /// are left out have none.
    pub(crate) fn rising(
        &self,
        schema: &Schema,
        left_out: &[Inference],
        classes: &[String],
    ) -> Result<Option<Vec<Option<usize>>>, TrendError> {
        if self.is_empty() {
            return Ok(None);
        }
        if classes.len() != 2 {
            return Err(TrendError::Classes { n_classes: classes.len() });
        }
        let positive = match &self.positive {
            Some(class) => classes
                .iter()
                .position(|known| known == class)
                .ok_or_else(|| TrendError::NoClass { class: class.clone(), known: classes.to_vec() })?,
            None => 1,
        };
        let mut rising = vec![None; schema.n_features()];
        let kinds = features(schema, |_| false);
        for (column, trend) in &self.columns {
            let own = schema.columns.iter().zip(schema.feature_ranges()).find(|(own, _)| own.name == *column);
            let Some((_, range)) = own else {
                if left_out.iter().any(|own| own.column == *column) {
                    continue;
                }
                return Err(TrendError::NotFound { column: column.clone() });
            };
            for feature in range {
                if kinds[feature] != ColumnKind::Numbers {
                    return Err(TrendError::NotNumbers { column: column.clone() });
                }
                rising[feature] = Some(if *trend == Trend::Increasing { positive } else { 1 - positive });
            }
        }
        Ok(Some(rising))
    }
}
