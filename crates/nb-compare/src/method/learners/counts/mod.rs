//! Methods for documents and tables of counts.

mod count_ratio;
mod dirichlet_multinomial;

pub use count_ratio::CountRatioMethod;
pub use dirichlet_multinomial::DirichletMultinomialMethod;

use nb_core::Rows;
use ndarray::Array2;

use crate::{
    Features, Fitted, Kind, MethodError, Table,
    method::rows::{
        parts::{documents_of, labels_of, spread},
        terms::Terms,
    },
};

/// Learns from rows of counts with a class each.
trait LearnCounts {
    type Classifier: AnswerCounts + 'static;

    fn learn(&self, rows: &dyn Rows, labels: &[usize]) -> Result<Self::Classifier, MethodError>;
}

/// A classifier of rows of counts.
trait AnswerCounts: Send + Sync {
    fn log_posteriors(&self, rows: &dyn Rows) -> Result<Array2<f64>, MethodError>;

    fn classes(&self) -> &[usize];

    fn n_parameters(&self) -> usize;
}

/// Learns from some rows of a table; of documents and texts with the vocabulary of these rows.
fn fit<M: LearnCounts>(method: &M, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
    let labels = labels_of(table, train)?;
    let (known, classifier) = match &table.features {
        Features::Documents(documents) => {
            let vocabulary = documents.vocabulary(train);
            let matrix = documents.of_vocabulary(train, &vocabulary);
            let rows = matrix.view().map_err(MethodError::failed)?;
            let classifier = method.learn(&rows, &labels)?;
            (Known::Vocabulary(vocabulary), classifier)
        }
        Features::Columns { columns, .. } => {
            let is_counted = |kind: &Kind| *kind == Kind::Count || kind.is_text();
            if let Some(column) = columns.iter().find(|column| !is_counted(&column.kind)) {
                return Err(MethodError::not_applicable(format!(
                    "column `{}` is neither counts nor text",
                    column.name
                )));
            }
            let terms = Terms::learn(table, train)?;
            let classifier = terms.with_rows(table, train, |rows| method.learn(rows, &labels))?;
            (Known::Terms(terms), classifier)
        }
    };
    Ok(Box::new(OfCounts { classifier, known, n_classes: table.classes.len() }))
}

/// What is counted.
enum Known {
    /// Columns of counts, and the terms of texts.
    Terms(Terms),
    /// Terms of documents.
    Vocabulary(Vec<Option<usize>>),
}

struct OfCounts<C> {
    classifier: C,
    known: Known,
    n_classes: usize,
}

impl<C: AnswerCounts> Fitted for OfCounts<C> {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let found = match &self.known {
            Known::Terms(terms) => {
                terms.with_rows(table, rows, |rows| self.classifier.log_posteriors(rows))?
            }
            Known::Vocabulary(vocabulary) => {
                let matrix = documents_of(table)?.of_vocabulary(rows, vocabulary);
                self.classifier.log_posteriors(&matrix.view().map_err(MethodError::failed)?)?
            }
        };
        Ok(spread(&found, self.classifier.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.classifier.n_parameters()
    }
}
