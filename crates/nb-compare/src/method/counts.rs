//! What methods for documents and tables of counts have in common.

use nb_core::{RowSubset, Rows};
use ndarray::Array2;

use crate::{
    Features, Fitted, Kind, MethodError, Table,
    method::{
        parts::{chosen, columns_of, documents_of, labels_of, spread},
        terms::Terms,
    },
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

/// Learns from some rows of a table; of documents and texts with the vocabulary of these rows.
pub(super) fn fit<M: LearnCounts>(
    method: &M,
    table: &Table,
    train: &[usize],
) -> Result<Box<dyn Fitted>, MethodError> {
    let labels = labels_of(table, train)?;
    let (known, classifier) = match &table.features {
        Features::Documents(documents) => {
            let vocabulary = documents.vocabulary(train);
            let matrix = documents.of_vocabulary(train, &vocabulary);
            let rows = matrix.view().map_err(MethodError::failed)?;
            let classifier = method.learn(&rows, &labels)?;
            (Known::Vocabulary(vocabulary), classifier)
        }
        Features::Columns { columns, x } => {
            let is_counted = |kind: &Kind| *kind == Kind::Count || kind.is_text();
            if let Some(column) = columns.iter().find(|column| !is_counted(&column.kind)) {
                return Err(MethodError::not_applicable(format!(
                    "column `{}` is neither counts nor text",
                    column.name
                )));
            }
            let terms = Terms::learn(table, train)?;
            if terms.has_texts() {
                let matrix = terms.rows(table, train)?;
                let classifier = method.learn(&matrix.view().map_err(MethodError::failed)?, &labels)?;
                (Known::Terms(terms), classifier)
            } else {
                let rows: RowSubset<'_, Array2<f64>> = chosen(x, train)?;
                (Known::Columns, method.learn(&rows, &labels)?)
            }
        }
    };
    Ok(Box::new(OfCounts { classifier, known, n_classes: table.classes.len() }))
}

/// What is counted.
enum Known {
    /// Columns of counts.
    Columns,
    /// Texts, and columns of counts beside them.
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
        let matrix = match &self.known {
            Known::Columns => None,
            Known::Terms(terms) => Some(terms.rows(table, rows)?),
            Known::Vocabulary(vocabulary) => Some(documents_of(table)?.of_vocabulary(rows, vocabulary)),
        };
        let found = match matrix {
            Some(matrix) => self.classifier.log_posteriors(&matrix.view().map_err(MethodError::failed)?)?,
            None => self.classifier.log_posteriors(&chosen(columns_of(table)?.1, rows)?)?,
        };
        Ok(spread(&found, self.classifier.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.classifier.n_parameters()
    }
}
