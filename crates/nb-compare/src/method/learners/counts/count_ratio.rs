//! Logistic regression on log-count ratios, for documents and tables of counts.

use nb_core::Rows;
use nb_linear::LogisticRegression;
use nb_variants::{CountRatio, CountRatioClassifier};
use ndarray::Array2;

use crate::{Fitted, Method, MethodError, Table, method::rows::parts::n_weights};

use super::{AnswerCounts, LearnCounts};

/// [`CountRatio`], with the vocabulary of the training rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountRatioMethod {
    /// The pseudo-count of the ratios.
    pub alpha: f64,
    /// Whether counts are taken as 0 or 1.
    pub binarize: bool,
    /// The penalty on squares of weights.
    pub l2: f64,
}

impl Method for CountRatioMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        super::fit(self, table, train)
    }
}

impl LearnCounts for CountRatioMethod {
    type Classifier = CountRatioClassifier<usize>;

    fn learn(&self, rows: &dyn Rows, labels: &[usize]) -> Result<Self::Classifier, MethodError> {
        let logistic = LogisticRegression::default().with_l2(self.l2);
        let ratio = CountRatio { alpha: self.alpha, binarize: self.binarize, logistic };
        ratio.fit(rows, labels).map_err(MethodError::failed)
    }
}

impl AnswerCounts for CountRatioClassifier<usize> {
    fn log_posteriors(&self, rows: &dyn Rows) -> Result<Array2<f64>, MethodError> {
        self.predict_log_proba(rows).map_err(MethodError::failed)
    }

    fn classes(&self) -> &[usize] {
        self.classes()
    }

    fn n_parameters(&self) -> usize {
        n_weights(self.classes().len(), self.n_columns())
    }
}
