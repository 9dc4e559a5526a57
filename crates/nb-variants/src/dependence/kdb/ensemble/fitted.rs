//! Fitted ensembles of k-dependence Bayes.

use nb_core::{
    Likelihood,
    error::{FamilyError, ValueError},
    exact::Exact,
    family::{Block, ClassSums, Scores},
};

use super::super::{super::FittedPairCounts, super::pairs::columns_of_naive_bayes, FittedKdb};

/// Fitted [`KdbEnsemble`](super::KdbEnsemble).
///
/// A class and column alone have the probabilities of naive Bayes from the same rows; the score of a row is
/// not the sum of their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedKdbEnsemble {
    members: Vec<FittedKdb>,
    /// That of the first member, as of all others.
    naive_bayes: FittedPairCounts,
    /// The logarithms of the shares of the classes in training; of a class without rows it is negative
    /// infinity.
    log_shares: Vec<f64>,
}

impl FittedKdbEnsemble {
    pub(super) fn new(members: Vec<FittedKdb>, classes: &[ClassSums<'_>]) -> Result<Self, FamilyError> {
        let total = classes.iter().fold(Exact::ZERO, |total, class| &total + class.weight()).to_f64();
        let log_share = |class: &ClassSums<'_>| libm::log(class.weight().to_f64()) - libm::log(total);
        let log_shares = classes.iter().map(log_share).collect();
        // There is one member at least, as the layout was checked.
        let first = members.first().map(|member| member.naive_bayes().clone());
        let naive_bayes = first.ok_or_else(|| FamilyError {
            class: 0,
            column: 0,
            problem: nb_core::error::FamilyProblem::Other("the ensemble has no members".into()),
        })?;
        Ok(Self { members, naive_bayes, log_shares })
    }

    /// The members, the first of which has the order of [`Kdb`](super::super::Kdb).
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_variants::{KdbEnsemble, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let ensemble = KdbEnsemble::default().learn_from(PairCounts::new(vec![2, 2]), 1, &x, &y)?;
    /// assert_eq!(NaiveBayes::new(ensemble).fit(&x, &y)?.likelihood().members().len(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn members(&self) -> &[FittedKdb] {
        &self.members
    }

    /// Naive Bayes with pseudo-counts from the same rows.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{KdbEnsemble, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let ensemble = KdbEnsemble::default().learn_from(PairCounts::new(vec![2, 2]), 1, &x, &y)?;
    /// // A single column says nothing: (1 + 1) / (2 + 2).
    /// let classifier = NaiveBayes::new(ensemble).fit(&x, &y)?;
    /// assert_eq!(classifier.likelihood().naive_bayes().log_likelihood(0, 0, 1.0), 0.5_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.naive_bayes
    }

    /// `log P(x | y)` of a row of checked codes up to a constant: the logarithm of the mean posterior, less
    /// that of the share of the class.
    fn of_row(&self, cells: &[f64], found: &mut [f64], own: &mut Vec<f64>) {
        found.fill(f64::NEG_INFINITY);
        for member in &self.members {
            own.clone_from(&self.log_shares);
            member.add_row(cells, |class, term| own[class] += term);
            let log_sum = log_sum(own);
            // Where every class is impossible, the member says nothing.
            if log_sum > f64::NEG_INFINITY {
                for (found, own) in found.iter_mut().zip(own.iter()) {
                    *found = log_add(*found, own - log_sum);
                }
            }
        }
        for (found, share) in found.iter_mut().zip(&self.log_shares) {
            // A class without rows has no posterior that could be divided.
            if *share > f64::NEG_INFINITY {
                *found -= share;
            }
        }
    }
}

/// `log(exp(a) + exp(b))`.
fn log_add(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY { large } else { large + libm::log1p(libm::exp(small - large)) }
}

/// The logarithm of the sum of exponentials, whatever their order.
fn log_sum(values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    largest + libm::log(Exact::sum(values.iter().map(|value| libm::exp(value - largest))).to_f64())
}

impl Likelihood for FittedKdbEnsemble {
    columns_of_naive_bayes!(naive_bayes);

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let (mut found, mut own) = (vec![0.0; self.log_shares.len()], Vec::new());
        self.naive_bayes.codings().with_codes(rows, |codes| {
            codes.for_each_row(|row, cells| {
                self.of_row(cells, &mut found, &mut own);
                found.iter().enumerate().for_each(|(class, &term)| scores.add(row, class, term));
            });
        });
        Ok(())
    }
}
