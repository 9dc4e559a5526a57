//! What methods for documents and tables of counts have in common.

use nb_core::{RowSubset, Rows};
use ndarray::Array2;

use crate::{
    Features, Fitted, Kind, MethodError, Table,
    method::parts::{chosen, labels_of, spread},
};

/// Learns from rows of counts with a class each.
pub(super) trait LearnCounts {
    type Classifier: AnswerCounts + 'static;

    fn learn<R: Rows>(&self, rows: &R, labels: &[usize]) -> Result<Self::Classifier, MethodError>;
}

/// A classifier of rows of counts.
pub(super) trait AnswerCounts: Send + Sync {
    fn log_posteriors<R: Rows>(&self, rows: &R) -> Result<Array2<f64>, MethodError>;

    fn classes(&self) -> &[usize];

    fn n_parameters(&self) -> usize;
}

/// Learns from some rows of a table; of documents with the vocabulary of these rows.
pub(super) fn fit<M: LearnCounts>(
    method: &M,
    table: &Table,
    train: &[usize],
) -> Result<Box<dyn Fitted>, MethodError> {
    let labels = labels_of(table, train)?;
    let (vocabulary, classifier) = match &table.features {
        Features::Documents(documents) => {
            let vocabulary = documents.vocabulary(train);
            let matrix = documents.of_vocabulary(train, &vocabulary);
            let rows = matrix.view().map_err(MethodError::failed)?;
            (vocabulary, method.learn(&rows, &labels)?)
        }
        Features::Columns { columns, x } => {
            if columns.iter().any(|column| column.kind != Kind::Count) {
                return Err(MethodError::not_applicable("the table has columns that are no counts"));
            }
            let rows: RowSubset<'_, Array2<f64>> = chosen(x, train)?;
            (Vec::new(), method.learn(&rows, &labels)?)
        }
    };
    Ok(Box::new(OfCounts { classifier, vocabulary, n_classes: table.classes.len() }))
}

struct OfCounts<C> {
    classifier: C,
    /// Of documents.
    vocabulary: Vec<Option<usize>>,
    n_classes: usize,
}

impl<C: AnswerCounts> Fitted for OfCounts<C> {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let found = match &table.features {
            Features::Documents(documents) => {
                let matrix = documents.of_vocabulary(rows, &self.vocabulary);
                self.classifier.log_posteriors(&matrix.view().map_err(MethodError::failed)?)?
            }
            Features::Columns { x, .. } => self.classifier.log_posteriors(&chosen(x, rows)?)?,
        };
        Ok(spread(&found, self.classifier.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.classifier.n_parameters()
    }
}
