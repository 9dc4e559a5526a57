//! What a pseudo-count is added to.

use nb_core::{
    Smoothing,
    description::{Setting, Value},
    error::LayoutError,
};

const EACH: &str = "each";
const DIVIDED: &str = "divided";

/// What the pseudo-count `l` of a column is added to, in families with [`PairCounts`](crate::PairCounts).
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{PairCounts, PseudoCounts};
/// use ndarray::array;
///
/// let each = PairCounts::new(vec![4]);
/// let divided = PairCounts { pseudo_counts: PseudoCounts::Divided, ..each.clone() };
/// // 2 of 3 rows, and 1 pseudo-count for each of 4 categories, or for all of them.
/// for (counts, expected) in [(each, (2.0 + 1.0) / (3.0 + 4.0)), (divided, (2.0 + 0.25) / (3.0 + 1.0))] {
///     let classifier = NaiveBayes::new(counts).fit(&array![[0], [0], [1]], &["a", "a", "a"])?;
///     let found = classifier.likelihood().categorical().log_probability(0, 0, 0).unwrap().exp();
///     assert!((found - expected).abs() < 1e-15);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PseudoCounts {
    /// To the count of every value: additive smoothing, which for `l = 1` is Laplace's.
    #[default]
    Each,
    /// To the counts of all values together, in equal parts: the m-estimate with `m = l` and equal prior
    /// probabilities (Cestnik 1990, *Estimating probabilities: a crucial task in machine learning*,
    /// ECAI). Weka's `HNB`, `WAODE` and `AODEsr` have it with `l = 1`.
    Divided,
}

impl PseudoCounts {
    /// The pseudo-count of each of some counts that a distribution is estimated from.
    pub(super) fn of_one(self, l: f64, n_counts: usize) -> f64 {
        match self {
            Self::Each => l,
            Self::Divided => l / n_counts.max(1) as f64,
        }
    }

    /// The pseudo-counts of columns with these numbers of values.
    pub(super) fn of_columns(
        self,
        smoothing: &Smoothing,
        n_values: impl Iterator<Item = usize>,
    ) -> Smoothing {
        let of_columns = n_values.enumerate().map(|(column, n)| self.of_one(smoothing.get(column), n));
        match (self, smoothing.as_slice()) {
            (Self::Each, _) => smoothing.clone(),
            (Self::Divided, given) => {
                let of_columns: Vec<f64> = of_columns.collect();
                let fits = given.is_none_or(|given| given.len() == of_columns.len());
                let divided = fits.then(|| Smoothing::per_feature(of_columns).ok()).flatten();
                // One entry for each of other columns is refused where it is used.
                divided.unwrap_or_else(|| smoothing.clone())
            }
        }
    }
}

impl Setting for PseudoCounts {
    fn value(&self) -> Value {
        Value::Name(if *self == Self::Each { EACH } else { DIVIDED }.into())
    }

    fn names(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (EACH, "To the count of every value (Laplace, Lidstone)"),
            (
                DIVIDED,
                "To the counts of all values of a column together, in equal parts (m-estimate), as in Weka",
            ),
        ]
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        *self = match value {
            Value::Name(name) if name == EACH => Self::Each,
            Value::Name(name) if name == DIVIDED => Self::Divided,
            _ => return Ok(false),
        };
        Ok(true)
    }
}
