//! The fitted family of bins: numbers become bins, and a fitted categorical family scores these.

use nb_core::{
    FeatureModel, Likelihood, Missing,
    error::ValueError,
    family::{Block, BlockBuffer, ClassSums, Estimates, Scores, SumForm, SumLayout},
    fitted::FittedCategorical,
};
use ndarray::ArrayView2;

use super::{Binned, Cuts, binned::check};

/// The fitted probabilities of the bins.
///
/// ```
/// use nb_core::{Missing, NaiveBayes};
/// use nb_variants::{Binned, Cuts};
/// use ndarray::array;
///
/// let cuts = Cuts::new(vec![vec![2.5]])?;
/// let x = array![[1.0], [2.0], [3.0]];
/// let classifier = NaiveBayes::new(Binned::new(cuts.clone())).fit(&x, &["a", "a", "b"])?;
/// let fitted = classifier.likelihood();
/// assert_eq!((fitted.cuts(), fitted.missing()), (&cuts, Missing::Error));
/// // Two of the two rows of "a" are up to 2.5: (2 + 1) / (2 + 2).
/// assert_eq!(fitted.log_probabilities(0).unwrap()[[0, 0]], 0.75_f64.ln());
/// assert_eq!(fitted.log_probabilities(7), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FittedBinned {
    pub(super) cuts: Cuts,
    /// The probabilities by the number of the bin.
    pub(super) bins: FittedCategorical,
}

impl FittedBinned {
    /// The cut points.
    pub fn cuts(&self) -> &Cuts {
        &self.cuts
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.bins.missing()
    }

    /// `log θ` of a column, `n_bins × n_classes`. `None` if there is no such column.
    pub fn log_probabilities(&self, column: usize) -> Option<ArrayView2<'_, f64>> {
        self.bins.log_probabilities(column)
    }

    /// The numbers of the bins of a block; NaN for what is not finite.
    fn fill(&self, rows: &Block<'_>, buffer: &mut BlockBuffer) {
        buffer.start_dense(rows.n_columns());
        rows.for_each_row(|_, cells| {
            let bin = |(column, &value): (usize, &f64)| {
                if value.is_finite() { self.cuts.bin(column, value) as f64 } else { f64::NAN }
            };
            buffer.push_dense_row(cells.iter().enumerate().map(bin));
        });
    }
}

impl Likelihood for FittedBinned {
    fn shape(&self) -> Option<(usize, usize)> {
        self.bins.shape()
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows, self.missing())
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        let bin = if value.is_nan() { value } else { self.cuts.bin(column, value) as f64 };
        self.bins.log_likelihood(class, column, bin)
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let mut buffer = BlockBuffer::default();
        self.fill(rows, &mut buffer);
        self.bins.score(&buffer.block(), scores)
    }

    /// Rows with cells that are not finite have no estimates, as NaN is no category.
    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        let mut buffer = BlockBuffer::default();
        self.fill(rows, &mut buffer);
        self.bins.estimate(&buffer.block(), estimates)
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedBinned {
    fn sum_layout(&self) -> Option<SumLayout> {
        Binned::new(self.cuts.clone()).layout(self.cuts.n_columns()).ok()
    }

    /// `Σ_j Σ_k n_jk log θ_jk`.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        self.bins.of_sums()?.log_likelihood_of_sums(class, sums)
    }
}
