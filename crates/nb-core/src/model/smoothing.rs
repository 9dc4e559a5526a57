//! Additive smoothing of counts.

use exact_sums::Exact;

use crate::model::LayoutError;

/// The pseudo-count `l` that is added to every count: zero is maximum likelihood, one is Laplace's rule of
/// succession, `l` in general is the posterior mean under a symmetric Dirichlet prior with parameter `l` (and
/// the mode, MAP, under one with parameter `l + 1`).
///
/// Smoothing belongs to fitting and never enters the statistics: the same sums can be fitted with any `l`.
///
/// ```
/// use nb_core::Smoothing;
///
/// assert_eq!(Smoothing::default(), Smoothing::LAPLACE);
/// let lidstone = Smoothing::new(0.5)?;
/// let per_feature = Smoothing::per_feature(vec![1.0, 0.5, 0.0])?;
/// assert!(Smoothing::new(-1.0).is_err());
/// # Ok::<(), nb_core::error::LayoutError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(try_from = "Kind", into = "Kind")
)]
pub struct Smoothing(Kind);

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(untagged))]
enum Kind {
    Same(f64),
    PerFeature(Vec<f64>),
}

impl Smoothing {
    /// `l = 0`: exact maximum likelihood. What was never seen in a class is impossible in it.
    pub const MAXIMUM_LIKELIHOOD: Self = Self(Kind::Same(0.0));

    /// `l = 1`, Laplace's rule of succession.
    pub const LAPLACE: Self = Self(Kind::Same(1.0));

    /// The same `l` for every feature.
    ///
    /// ```
    /// use nb_core::Smoothing;
    ///
    /// assert_eq!(Smoothing::new(0.5)?.get(3), 0.5);
    /// assert!(Smoothing::new(-1.0).is_err());
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// If `l` is negative or not finite.
    pub fn new(l: f64) -> Result<Self, LayoutError> {
        check(l)?;
        Ok(Self(Kind::Same(l)))
    }

    /// One `l` per feature, in column order.
    ///
    /// ```
    /// use nb_core::Smoothing;
    ///
    /// let smoothing = Smoothing::per_feature(vec![1.0, 0.1])?;
    /// assert_eq!(smoothing.get(1), 0.1);
    /// assert_eq!(smoothing.as_slice(), Some(&[1.0, 0.1][..]));
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// If an entry is negative or not finite. That there is one per column is checked in fitting.
    pub fn per_feature(l: Vec<f64>) -> Result<Self, LayoutError> {
        l.iter().try_for_each(|&l| check(l))?;
        Ok(Self(Kind::PerFeature(l)))
    }

    /// The `l` of a column.
    pub fn get(&self, column: usize) -> f64 {
        match &self.0 {
            Kind::Same(l) => *l,
            Kind::PerFeature(l) => l.get(column).copied().unwrap_or(0.0),
        }
    }

    /// The entries, if there is one per feature.
    pub fn as_slice(&self) -> Option<&[f64]> {
        match &self.0 {
            Kind::Same(_) => None,
            Kind::PerFeature(l) => Some(l),
        }
    }

    /// The exact sum of `l` over `n_columns` columns.
    pub(crate) fn total(&self, n_columns: usize) -> Exact {
        match &self.0 {
            Kind::Same(l) => Exact::from(*l).times(n_columns as f64),
            Kind::PerFeature(l) => Exact::sum(l.iter().copied()),
        }
    }

    /// Refuses a vector that does not have one entry per column.
    pub(crate) fn check_columns(&self, n_columns: usize) -> Result<(), LayoutError> {
        match &self.0 {
            Kind::PerFeature(l) if l.len() != n_columns => {
                Err(LayoutError::Length { name: "smoothing", found: l.len(), n_columns })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(feature = "serde")]
impl From<Smoothing> for Kind {
    fn from(smoothing: Smoothing) -> Self {
        smoothing.0
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Kind> for Smoothing {
    type Error = LayoutError;

    fn try_from(kind: Kind) -> Result<Self, LayoutError> {
        match kind {
            Kind::Same(l) => Self::new(l),
            Kind::PerFeature(l) => Self::per_feature(l),
        }
    }
}

impl Default for Smoothing {
    fn default() -> Self {
        Self::LAPLACE
    }
}

/// The bound is `2^400`, [`MAX_ABS_VALUE`](exact_sums::domain::MAX_ABS_VALUE).
const MUST_BE: &str = "a finite number of at least 0, and below 2.6e120";

fn check(l: f64) -> Result<(), LayoutError> {
    if (0.0..exact_sums::domain::MAX_ABS_VALUE).contains(&l) {
        Ok(())
    } else {
        Err(LayoutError::Parameter { name: "smoothing", value: l, must_be: MUST_BE })
    }
}
