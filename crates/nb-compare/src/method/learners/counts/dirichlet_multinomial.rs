//! Naive Bayes with Dirichlet-multinomial distributions, for documents and tables of counts.

use nb_core::Rows;
use nb_variants::{DirichletMultinomial, DirichletMultinomialClassifier};
use ndarray::Array2;

use crate::{Fitted, Method, MethodError, Table};

use super::{AnswerCounts, LearnCounts};

/// [`DirichletMultinomial`], with the vocabulary of the training rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirichletMultinomialMethod {
    /// How many rows with a single occurrence are added for each column.
    pub l: f64,
}

impl Method for DirichletMultinomialMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        super::fit(self, table, train)
    }
}

impl LearnCounts for DirichletMultinomialMethod {
    type Classifier = DirichletMultinomialClassifier<usize>;

    fn learn(&self, rows: &dyn Rows, labels: &[usize]) -> Result<Self::Classifier, MethodError> {
        DirichletMultinomial { smoothing: self.l }.fit(rows, labels).map_err(MethodError::failed)
    }
}

impl AnswerCounts for DirichletMultinomialClassifier<usize> {
    fn log_posteriors(&self, rows: &dyn Rows) -> Result<Array2<f64>, MethodError> {
        self.predict_log_proba(rows).map_err(MethodError::failed)
    }

    fn classes(&self) -> &[usize] {
        self.classes()
    }

    fn n_parameters(&self) -> usize {
        self.classes().len() * (self.n_columns() + 1)
    }
}
