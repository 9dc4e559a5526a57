//! Gaussian naive Bayes computed wrongly, on purpose, to show what that does. Nothing here is how it should
//! be done.

mod density;
mod rule;

use ndarray::{Array2, ArrayView1};

pub use rule::WrongRule;

use crate::{
    Fitted, Kind, Method, MethodError, Table,
    method::rows::parts::{columns_of, labels_of},
};

/// Gaussian naive Bayes with one of the [`WrongRule`]s, for columns of numbers and counts. Missing cells are
/// left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongGaussian {
    /// How densities become posteriors.
    pub rule: WrongRule,
}

/// Priors, means and standard deviations.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    /// The share of each class.
    pub(crate) priors: Vec<f64>,
    /// By class, then column.
    pub(crate) means: Array2<f64>,
    /// By class, then column.
    pub(crate) deviations: Array2<f64>,
}

struct WrongFitted {
    rule: WrongRule,
    parameters: Parameters,
}

impl Method for WrongGaussian {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let x = numbers(table)?;
        let labels = labels_of(table, train)?;
        let parameters = Parameters::fit(x, train, &labels, table.classes.len());
        Ok(Box::new(WrongFitted { rule: self.rule, parameters }))
    }
}

impl Fitted for WrongFitted {
    /// A row whose posteriors are not numbers has negative infinity throughout: it has no answer.
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let x = numbers(table)?;
        let mut all = Array2::from_elem((rows.len(), table.classes.len()), f64::NEG_INFINITY);
        for (&row, mut out) in rows.iter().zip(all.rows_mut()) {
            let posteriors = self.rule.posteriors(&self.parameters, &x.row(row));
            if posteriors.iter().all(|posterior| !posterior.is_nan()) {
                out.iter_mut().zip(posteriors).for_each(|(out, posterior)| *out = libm::log(posterior));
            }
        }
        Ok(all)
    }

    fn n_parameters(&self) -> usize {
        self.parameters.priors.len() + 2 * self.parameters.means.len()
    }
}

impl Parameters {
    /// Means and R's `sd` (divided by `n - 1`) of each class, in ordinary two-pass arithmetic.
    fn fit(x: &Array2<f64>, train: &[usize], labels: &[usize], n_classes: usize) -> Self {
        let shape = (n_classes, x.ncols());
        let (mut means, mut deviations) = (Array2::zeros(shape), Array2::zeros(shape));
        let mut priors = Vec::with_capacity(n_classes);
        for class in 0..n_classes {
            let own = || train.iter().zip(labels).filter(|(_, label)| **label == class).map(|(&row, _)| row);
            priors.push(own().count() as f64 / train.len() as f64);
            for column in 0..x.ncols() {
                let values: Vec<f64> =
                    own().map(|row| x[[row, column]]).filter(|value| !value.is_nan()).collect();
                let n = values.len() as f64;
                // As ndarray sums, which decides the last digits.
                let mean = ArrayView1::from(&values).sum() / n;
                let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
                means[[class, column]] = mean;
                deviations[[class, column]] = (squares / (n - 1.0)).sqrt();
            }
        }
        Self { priors, means, deviations }
    }

    /// The values, means and standard deviations of the columns of a row that are not missing.
    fn cells<'a>(
        &'a self,
        row: &'a ArrayView1<'_, f64>,
        class: usize,
    ) -> impl Iterator<Item = [f64; 3]> + 'a {
        let parameters = self.means.row(class).into_iter().zip(self.deviations.row(class));
        row.iter()
            .zip(parameters)
            .filter(|(value, _)| !value.is_nan())
            .map(|(&value, (&mean, &deviation))| [value, mean, deviation])
    }
}

fn numbers(table: &Table) -> Result<&Array2<f64>, MethodError> {
    let (columns, x) = columns_of(table)?;
    match columns.iter().find(|column| matches!(column.kind, Kind::Categorical { .. })) {
        Some(column) => Err(MethodError::not_applicable(format!(
            "column `{}` is one of categories, and normal distributions are for numbers",
            column.name
        ))),
        None => Ok(x),
    }
}
