//! The data set `spam` with unbiased variances, answered by the right model and the wrong ones.

use nb_core::{Gaussian, Missing, Prior, VarianceEstimator, VarianceSmoothing};
use serde::{Deserialize, Serialize};

use super::{RULES, Rule};
use crate::{
    CategoryModel, ColumnModel, Method, NaiveBayesMethod, Table, WrongGaussian,
    experiment::{ExperimentError, error::LearnerError},
    labels,
};

/// How rows of two classes were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confusion {
    /// The number of rows by true class, then by predicted class.
    pub counts: [[usize; 2]; 2],
    /// The rows without an answer, by true class.
    pub unanswered: [usize; 2],
}

impl Confusion {
    /// The number of right answers.
    pub fn right(&self) -> usize {
        self.counts[0][0] + self.counts[1][1]
    }
}

/// The answers of all rules to the rows that they were trained on, as the output of klaR was published.
pub(super) fn confusions() -> Result<Vec<Confusion>, ExperimentError> {
    let table = Table::embedded("spam")?;
    let confusions = RULES.iter().map(|&rule| confusion(&table, rule));
    confusions.collect::<Result<_, _>>().map_err(ExperimentError::learner("spam"))
}

fn confusion(table: &Table, rule: Rule) -> Result<Confusion, LearnerError> {
    let gaussian = Some(ColumnModel::listed(Gaussian {
        estimator: VarianceEstimator::Unbiased,
        smoothing: VarianceSmoothing::RelativeFloor(0.0),
        missing: Missing::Skip,
    }));
    let method: Box<dyn Method> = match rule {
        Rule::LogSpace => Box::new(NaiveBayesMethod {
            numeric: gaussian.clone(),
            count: gaussian,
            text: None,
            l: 1.0,
            categories: CategoryModel::Single,
            prior: Prior::Empirical,
        }),
        Rule::Wrong(rule) => Box::new(WrongGaussian { rule }),
    };
    let rows: Vec<usize> = (0..table.n_rows()).collect();
    let predicted = labels(&method.fit(table, &rows)?.log_posteriors(table, &rows)?);
    let mut confusion = Confusion::default();
    for (&truth, label) in table.labels.iter().zip(predicted) {
        match label {
            Some(label) => confusion.counts[truth][label] += 1,
            None => confusion.unanswered[truth] += 1,
        }
    }
    Ok(confusion)
}
