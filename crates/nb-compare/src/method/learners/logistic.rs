//! Logistic regression on tables of columns and on documents.

use nb_core::Rows;
use nb_linear::{LinearForm, LogisticRegression};
use ndarray::Array2;

use crate::{
    Features, Fitted, Kind, Method, MethodError, Table,
    method::rows::{
        parts::{all_columns_of, documents_of, labels_of, n_weights, spread},
        terms::Terms,
    },
};

/// Logistic regression with a penalty on squares of weights.
///
/// What it sees of a table is learnt from the training rows: numbers are divided by their standard deviation
/// after their mean is taken off, a category is one indicator per level but the first, a missing number is
/// the mean with an indicator beside it, if training rows have any. Counts of documents, and the values of
/// the terms of texts, are taken as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogisticMethod {
    /// The penalty `l2` of [`LogisticRegression`].
    pub l2: f64,
}

impl Method for LogisticMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let logistic = LogisticRegression::default().with_l2(self.l2);
        let labels = labels_of(table, train)?;
        let n_classes = table.classes.len();
        match &table.features {
            Features::Columns { .. } => {
                let encoding = Encoding::learn(table, train)?;
                let terms = Terms::learn(table, train)?;
                let form = encoding.with_rows(&terms, table, train, |rows| {
                    logistic.fit(rows, &labels).map_err(MethodError::failed)
                })?;
                let n_terms = terms.n_features() - terms.others().len();
                let n_parameters = n_weights(form.classes().len(), encoding.n_columns() + n_terms);
                Ok(Box::new(OfColumns { form, encoding, terms, n_classes, n_parameters }))
            }
            Features::Documents(documents) => {
                let vocabulary = documents.vocabulary(train);
                let matrix = documents.of_vocabulary(train, &vocabulary);
                let form = logistic
                    .fit(&matrix.view().map_err(MethodError::failed)?, &labels)
                    .map_err(MethodError::failed)?;
                let n_parameters = n_weights(form.classes().len(), matrix.n_columns);
                Ok(Box::new(OfDocuments { form, vocabulary, n_classes, n_parameters }))
            }
        }
    }
}

/// How columns of a table become columns of numbers.
struct Encoding(Vec<Source>);

/// What a column of numbers is made of.
enum Source {
    /// A number, centered and scaled; the center where it is missing.
    Number { column: usize, center: f64, scale: f64 },
    /// Whether a cell is missing.
    Missing { column: usize },
    /// Whether a cell is of a level.
    Level { column: usize, level: usize },
}

impl Encoding {
    fn learn(table: &Table, train: &[usize]) -> Result<Self, MethodError> {
        let (columns, x) = all_columns_of(table)?;
        let mut sources = Vec::new();
        for (column, kind) in columns.iter().map(|column| &column.kind).enumerate() {
            let cells = || train.iter().map(|&row| x[[row, column]]);
            // Terms are columns of their own, and a missing text has none.
            if kind.is_text() {
                continue;
            }
            if let Kind::Categorical { levels } = kind {
                let occurs = |&level: &usize| cells().any(|cell| cell == level as f64);
                // One level is implied by the others.
                sources.extend(
                    (0..levels.len()).filter(occurs).skip(1).map(|level| Source::Level { column, level }),
                );
            } else {
                let observed: Vec<f64> = cells().filter(|cell| !cell.is_nan()).collect();
                let (center, scale) = center_and_scale(&observed);
                sources.push(Source::Number { column, center, scale });
            }
            if cells().any(f64::is_nan) {
                sources.push(Source::Missing { column });
            }
        }
        Ok(Self(sources))
    }

    fn n_columns(&self) -> usize {
        self.0.len()
    }

    /// Hands over some rows as numbers, with the terms of texts behind them.
    fn with_rows<T>(
        &self,
        terms: &Terms,
        table: &Table,
        rows: &[usize],
        take: impl FnOnce(&dyn Rows) -> Result<T, MethodError>,
    ) -> Result<T, MethodError> {
        let (_, x) = all_columns_of(table)?;
        let n_columns = self.n_columns();
        if terms.has_texts() {
            let cells = |row: usize| self.0.iter().map(move |source| source.value(x, row));
            let matrix = terms.rows_behind(table, rows, n_columns, cells)?;
            return take(&matrix.view().map_err(MethodError::failed)?);
        }
        let shape = (rows.len(), n_columns);
        take(&Array2::from_shape_fn(shape, |(row, source)| self.0[source].value(x, rows[row])))
    }
}

impl Source {
    /// What a row has.
    fn value(&self, x: &Array2<f64>, row: usize) -> f64 {
        match *self {
            Self::Number { column, center, scale } => {
                let cell = x[[row, column]];
                if cell.is_nan() { 0.0 } else { (cell - center) / scale }
            }
            Self::Missing { column } => f64::from(u8::from(x[[row, column]].is_nan())),
            Self::Level { column, level } => f64::from(u8::from(x[[row, column]] == level as f64)),
        }
    }
}

/// Mean and standard deviation, computed in units of the largest value, so that squares neither overflow nor
/// vanish. A constant column has the scale 1.
fn center_and_scale(values: &[f64]) -> (f64, f64) {
    let unit = values.iter().fold(0.0_f64, |unit, value| unit.max(value.abs()));
    if unit == 0.0 {
        return (0.0, 1.0);
    }
    let n = values.len() as f64;
    let center = values.iter().map(|value| value / unit).sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value / unit - center).powi(2)).sum();
    let spread = (squares / n).sqrt();
    let scale = spread * unit;
    (center * unit, if scale > 0.0 { scale } else { 1.0 })
}

struct OfColumns {
    form: LinearForm<usize>,
    encoding: Encoding,
    terms: Terms,
    n_classes: usize,
    n_parameters: usize,
}

impl Fitted for OfColumns {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let found = self.encoding.with_rows(&self.terms, table, rows, |rows| {
            self.form.predict_log_proba(rows).map_err(MethodError::failed)
        })?;
        Ok(spread(&found, self.form.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.n_parameters
    }
}

struct OfDocuments {
    form: LinearForm<usize>,
    vocabulary: Vec<Option<usize>>,
    n_classes: usize,
    n_parameters: usize,
}

impl Fitted for OfDocuments {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let matrix = documents_of(table)?.of_vocabulary(rows, &self.vocabulary);
        let found = self
            .form
            .predict_log_proba(&matrix.view().map_err(MethodError::failed)?)
            .map_err(MethodError::failed)?;
        Ok(spread(&found, self.form.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.n_parameters
    }
}
