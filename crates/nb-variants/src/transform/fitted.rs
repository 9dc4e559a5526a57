//! The fitted Gaussian on transformed columns.

use nb_core::{
    Density, FeatureModel, Likelihood, Missing,
    error::ValueError,
    family::{Block, BlockBuffer, ClassSums, SumForm, SumLayout},
    fitted::FittedGaussian,
};
use rand::Rng;

use super::{Transform, Transformed, Units, check_rows, transform_rows, units::Curve};

/// A fitted Gaussian family on transformed columns.
///
/// ```
/// use nb_core::{Missing, NaiveBayes};
/// use nb_variants::{Transform, Transformed, Units};
/// use ndarray::array;
///
/// let model = Transformed::new(vec![Transform::Log]);
/// let x = array![[1.0], [100.0], [100.0], [10000.0]];
/// let classifier = NaiveBayes::new(model).fit(&x, &["low", "low", "high", "high"])?;
/// let fitted = classifier.likelihood();
/// assert_eq!((fitted.transforms(), fitted.units()), (&[Transform::Log][..], &[Units::default()][..]));
/// assert_eq!(fitted.missing(), Missing::Error);
/// // "high" is before "low": the mean of ln 100 and ln 10000.
/// assert!((fitted.gaussian().means()[[0, 0]] - 1000.0_f64.ln()).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FittedTransformed {
    model: Transformed,
    gaussian: FittedGaussian,
}

impl FittedTransformed {
    pub(super) fn new(model: Transformed, gaussian: FittedGaussian) -> Self {
        Self { model, gaussian }
    }

    /// The transform of each column.
    pub fn transforms(&self) -> &[Transform] {
        &self.model.transforms
    }

    /// What the values of each column are shifted and divided by before.
    pub fn units(&self) -> &[Units] {
        &self.model.units
    }

    pub(super) fn curve(&self, column: usize) -> Curve {
        self.model.curve(column)
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.model.gaussian.missing
    }

    /// The distributions of the transformed values.
    pub fn gaussian(&self) -> &FittedGaussian {
        &self.gaussian
    }
}

impl Likelihood for FittedTransformed {
    fn shape(&self) -> Option<(usize, usize)> {
        self.gaussian.shape()
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_rows(&self.model, rows)?;
        let mut buffer = BlockBuffer::default();
        transform_rows(&self.model, rows, &mut buffer);
        let Err(error) = self.gaussian.check(&buffer.block()) else { return Ok(()) };
        // The error names the transformed value; the reader knows the one before.
        let mut value = error.value;
        rows.for_each_row(|row, cells| {
            if row == error.row {
                value = cells[error.column];
            }
        });
        Err(ValueError { value, ..error })
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        // A column without information is left out of the scores.
        if value.is_nan() || self.gaussian.variances()[[class, column]].is_infinite() {
            return 0.0;
        }
        let curve = self.model.curve(column);
        self.gaussian.log_likelihood(class, column, curve.apply(value)) + curve.log_derivative(value)
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedTransformed {
    fn sum_layout(&self) -> Option<SumLayout> {
        self.model.layout(self.model.transforms.len()).ok()
    }

    /// As [`FittedGaussian`] has it for the transformed values. `Σ w ln T'(x)` is left out: the sums do not
    /// tell it, and no hyper-parameter that the same sums can be fitted with changes it.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        self.gaussian.of_sums()?.log_likelihood_of_sums(class, sums)
    }
}

impl Density for FittedTransformed {
    /// Draws from the normal distribution within the range of the transform.
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        /// A mean of transformed values is within the range, so that more than this many draws beyond its end
        /// in a row have a probability of about `2^-64` at most, unless the mean is at the end itself.
        const DRAWS: usize = 64;
        let curve = self.model.curve(column);
        let mut drawn = (0..DRAWS).map(|_| curve.invert(self.gaussian.sample(class, column, rng)));
        let within = drawn.find(|&value| curve.problem(value, Missing::Error).is_none());
        within.unwrap_or_else(|| curve.invert(self.gaussian.means()[[class, column]]))
    }
}
