//! How far measures of held-out rows may be from those of all rows that could have been held out.

use std::collections::HashMap;

/// The standard errors of two measures of held-out rows, which are means over rows, or over groups of rows.
/// That models were learnt from nearly the same rows is left out of account.
///
/// ```
/// use nb_train::Trainer;
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((90, 1), |(row, _)| (row % 2 * 3 + row % 5) as f64 + 0.5);
/// let labels: Vec<&str> = (0..90).map(|row| ["a", "b"][row % 2]).collect();
/// let trained = Trainer::default().fit(&nb_io::Schema::numeric(["x"], "class"), &rows, &labels)?;
/// let errors = trained.refined.unwrap().errors;
/// assert!(errors.log_loss > 0.01 && errors.accuracy < 0.1);
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StandardErrors {
    /// Of the log-loss.
    pub log_loss: f64,
    /// Of the accuracy.
    pub accuracy: f64,
}

/// The weight of rows, and the sums of their losses and of their right answers.
type Sums = [f64; 3];

/// Adds up what rows contribute, by groups if they have some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spread {
    total: Sums,
    /// The sums of the products of the sums of each row or group with themselves and with each other.
    products: [Sums; 3],
    groups: HashMap<u64, Sums>,
}

impl Spread {
    /// Adds a row with its loss, and whether the answer is right.
    pub(crate) fn add(&mut self, group: Option<u64>, weight: f64, loss: f64, is_right: bool) {
        let own = [weight, weight * loss, weight * f64::from(u8::from(is_right))];
        self.total.iter_mut().zip(own).for_each(|(total, own)| *total += own);
        match group {
            Some(group) => {
                let sums = self.groups.entry(group).or_default();
                sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            None => add_products(&mut self.products, own),
        }
    }

    /// With sums `w` of the weights and `s` of what is measured, of each row or group, and the mean `m = Σ s
    /// / Σ w`: `√Σ (s - m w)² / Σ w`, that of a ratio of means (Cochran 1977, *Sampling techniques*,
    /// chapter 6).
    pub(crate) fn errors(mut self) -> StandardErrors {
        let mut groups: Vec<(u64, Sums)> = self.groups.drain().collect();
        groups.sort_unstable_by_key(|(group, _)| *group);
        for (_, sums) in &groups {
            add_products(&mut self.products, *sums);
        }
        let error = |of: usize| {
            let mean = self.total[of] / self.total[0];
            let squares =
                self.products[of][of] - 2.0 * mean * self.products[of][0] + mean * mean * self.products[0][0];
            squares.max(0.0).sqrt() / self.total[0]
        };
        StandardErrors { log_loss: error(1), accuracy: error(2) }
    }
}

fn add_products(products: &mut [Sums; 3], own: Sums) {
    for (products, a) in products.iter_mut().zip(own) {
        products.iter_mut().zip(own).for_each(|(product, b)| *product += a * b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_of_means_and_of_means_of_groups() {
        let losses = [0.1, 0.4, 0.2, 1.3, 0.6, 0.2];
        let mean = losses.iter().sum::<f64>() / 6.0;
        let expected = losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>().sqrt() / 6.0;
        let (mut alone, mut pairs) = (Spread::default(), Spread::default());
        for (row, loss) in losses.into_iter().enumerate() {
            alone.add(None, 1.0, loss, row < 3);
            pairs.add(Some(row as u64 / 2), 1.0, loss, row < 3);
        }
        let errors = alone.errors();
        assert!((errors.log_loss - expected).abs() < 1e-15, "{errors:?} {expected}");
        assert!((errors.accuracy - (0.25_f64 / 6.0).sqrt()).abs() < 1e-15, "{errors:?}");
        let of_pair = |pair: usize| losses[2 * pair] + losses[2 * pair + 1] - 2.0 * mean;
        let expected = (0..3).map(|pair| of_pair(pair).powi(2)).sum::<f64>().sqrt() / 6.0;
        assert!((pairs.errors().log_loss - expected).abs() < 1e-15);
    }
}
