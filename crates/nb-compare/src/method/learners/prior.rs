//! The class prior alone: the baseline that every other method must beat.

use ndarray::Array2;

use crate::{Fitted, Method, MethodError, Table, method::rows::parts::labels_of};

/// The relative frequencies of the classes in the training rows, as the posteriors of every row: Weka's
/// `ZeroR`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PriorMethod;

struct FittedPrior {
    log_shares: Vec<f64>,
}

impl Method for PriorMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let labels = labels_of(table, train)?;
        let mut counts = vec![0_usize; table.classes.len()];
        for &label in &labels {
            counts[label] += 1;
        }
        let log_shares = counts.iter().map(|&n| libm::log(n as f64 / labels.len() as f64)).collect();
        Ok(Box::new(FittedPrior { log_shares }))
    }
}

impl Fitted for FittedPrior {
    fn log_posteriors(&self, _: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        Ok(Array2::from_shape_fn((rows.len(), self.log_shares.len()), |(_, class)| self.log_shares[class]))
    }

    fn n_parameters(&self) -> usize {
        self.log_shares.len()
    }
}
