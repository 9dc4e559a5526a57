//! Complement: multinomial text classification by what the other classes are like.
//!
//! # Model
//! Class `c` scores `Σ_j x_j w_cj` with `w_cj = -log θ'_cj`, where `θ'_cj` is the multinomial estimate from the rows of
//! all *other* classes. It is meant for classes of very different sizes. The scores are not likelihoods: there is no
//! evidence and nothing to sample, so [`FittedComplement`] is no [`Density`](crate::Density). Rennie et al. leave the
//! prior out; use [`Prior::Uniform`](crate::Prior::Uniform) for that.
//!
//! # Sums kept
//! Per class and column `Σ w x`, as for the multinomial family.
//!
//! # Estimator
//! `θ'_cj = (N_j - N_cj + l_j) / Σ_j (N_j - N_cj + l_j)`; with weight normalisation `w_cj / Σ_j |w_cj|`.
//!
//! # References
//! Rennie, Shih, Teevan and Karger (2003), *Tackling the poor assumptions of naive Bayes text classifiers*, ICML,
//! sections 3.1 and 3.2.

use ndarray::{Array2, ArrayView2};

use crate::{
    Block, ClassSums, Exact, ExactSums, FamilyError, FamilyProblem, FeatureModel, LayoutError, Likelihood,
    Missing, ParameterError, Scores, Smoothing, SumLayout, ValueError, Weights,
    counts::{add_counts, checked_counts, times_log},
    observable::{self, check_block},
    parameters::check_values,
};

/// The complement family.
///
/// ```
/// use nb_core::{Complement, NaiveBayes, Prior};
/// use ndarray::array;
///
/// let x = array![[3.0, 0.0, 1.0], [2.0, 1.0, 0.0], [0.0, 4.0, 1.0]];
/// let naive_bayes = NaiveBayes { model: Complement::default(), prior: Prior::Uniform };
/// let classifier = naive_bayes.fit(&x, &["a", "a", "b"])?;
/// assert_eq!(classifier.predict(&array![[1.0, 0.0, 0.0]])?, ["a"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Complement {
    /// The pseudo-count `l`, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// Whether the weights of each class are divided by the sum of their sizes (Rennie et al., 3.2).
    pub normalize: bool,
    /// What to do with missing cells.
    pub missing: Missing,
}

impl FeatureModel for Complement {
    type Fitted = FittedComplement;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.smoothing.check_columns(n_columns)?;
        // The sums are those of the multinomial family, and either can be fitted from them.
        Ok(SumLayout::new("multinomial", [("sum", n_columns)]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_block(rows, |value| observable::count(value, self.missing))
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        add_counts(rows, weights, &mut sums[0]);
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedComplement, FamilyError> {
        if classes.len() < 2 {
            return Err(FamilyError { class: 0, column: 0, problem: FamilyProblem::OneClass });
        }
        let n_columns = classes[0].part(0).len();
        let counts = classes.iter().enumerate().map(|(class, sums)| checked_counts(class, sums.part(0)));
        let counts = counts.collect::<Result<Vec<_>, _>>()?;
        let totals: Vec<Exact> = (0..n_columns)
            .map(|column| Exact::sum(counts.iter().flat_map(|class| class[column].components()).copied()))
            .collect();
        let mut weights = Array2::zeros((classes.len(), n_columns));
        for (class, counts) in counts.iter().enumerate() {
            let smoothed = |column: usize| {
                &(&totals[column] - &counts[column]) + &Exact::from(self.smoothing.get(column))
            };
            let others: Vec<Exact> = (0..n_columns).map(smoothed).collect();
            if let Some(column) = others.iter().position(Exact::is_zero) {
                return Err(FamilyError { class, column, problem: FamilyProblem::InfiniteWeight });
            }
            let total = Exact::sum(others.iter().flat_map(Exact::components).copied());
            let mut row = weights.row_mut(class);
            row.iter_mut().zip(&others).for_each(|(weight, other)| *weight = -other.ln_ratio(&total));
            if self.normalize {
                let size = Exact::sum(row.iter().copied()).to_f64();
                // With a single column every weight is log 1 = 0, and so is their sum.
                row.mapv_inplace(|weight| if size == 0.0 { 0.0 } else { weight / size });
            }
        }
        Ok(FittedComplement { missing: self.missing, weights })
    }
}

/// A fitted complement family.
#[derive(Clone, Debug)]
pub struct FittedComplement {
    missing: Missing,
    /// `n_classes × n_columns`.
    weights: Array2<f64>,
}

impl FittedComplement {
    /// A fitted family from weights, `n_classes × n_columns`.
    ///
    /// # Errors
    /// [`ParameterError`] if a weight is not finite.
    pub fn new(weights: Array2<f64>, missing: Missing) -> Result<Self, ParameterError> {
        check_values("a weight", &weights.view(), "finite", f64::is_finite)?;
        Ok(Self { missing, weights })
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// The weights `w`, `n_classes × n_columns`; the class with the largest `Σ x w` wins.
    pub fn weights(&self) -> ArrayView2<'_, f64> {
        self.weights.view()
    }
}

impl Likelihood for FittedComplement {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.weights.dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_block(rows, |value| observable::count(value, self.missing))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        times_log(value, self.weights[[class, column]])
    }

    fn add_log_likelihood(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        rows.for_each_stored(|row, column, value| {
            if value > 0.0 {
                for (class, &weight) in self.weights.column(column).iter().enumerate() {
                    scores.add(row, class, value * weight);
                }
            }
        });
    }
}
