//! Naive Bayes with Dirichlet-multinomial distributions, for documents and tables of counts.

use nb_variants::{DirichletMultinomial, DirichletMultinomialClassifier};
use ndarray::Array2;

use crate::{
    Features, Fitted, Kind, Method, MethodError, Table,
    method::parts::{chosen, labels_of, spread},
};

/// [`DirichletMultinomial`], with the vocabulary of the training rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirichletMultinomialMethod {
    /// How many rows with a single occurrence are added for each column.
    pub l: f64,
}

impl Method for DirichletMultinomialMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let model = DirichletMultinomial { smoothing: self.l };
        let labels = labels_of(table, train)?;
        let (vocabulary, classifier) = match &table.features {
            Features::Documents(documents) => {
                let vocabulary = documents.vocabulary(train);
                let matrix = documents.of_vocabulary(train, &vocabulary);
                let rows = matrix.view().map_err(MethodError::failed)?;
                (vocabulary, model.fit(&rows, &labels))
            }
            Features::Columns { columns, x } => {
                if columns.iter().any(|column| column.kind != Kind::Count) {
                    return Err(MethodError::not_applicable("the table has columns that are no counts"));
                }
                (Vec::new(), model.fit(&chosen(x, train)?, &labels))
            }
        };
        let classifier = classifier.map_err(MethodError::failed)?;
        Ok(Box::new(OfCounts { classifier, vocabulary, n_classes: table.classes.len() }))
    }
}

struct OfCounts {
    classifier: DirichletMultinomialClassifier<usize>,
    /// Of documents.
    vocabulary: Vec<Option<usize>>,
    n_classes: usize,
}

impl Fitted for OfCounts {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let found = match &table.features {
            Features::Documents(documents) => {
                let matrix = documents.of_vocabulary(rows, &self.vocabulary);
                self.classifier.predict_log_proba(&matrix.view().map_err(MethodError::failed)?)
            }
            Features::Columns { x, .. } => self.classifier.predict_log_proba(&chosen(x, rows)?),
        };
        let found = found.map_err(MethodError::failed)?;
        Ok(spread(&found, self.classifier.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.classifier.classes().len() * (self.classifier.n_columns() + 1)
    }
}
