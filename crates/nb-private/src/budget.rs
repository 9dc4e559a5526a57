//! How much may be learnt of one row, and how much was spent.

use crate::{ReleaseError, noise::Noise};

/// How much one release may betray of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// Pure differential privacy: no result is more than `exp(ε)` times as probable with a row as without.
    /// Each of the `k` sums that a row changes has discrete Laplace noise of the scale `k Δ / ε`, where `Δ` is
    /// by how much it changes (Ghosh, Roughgarden and Sundararajan 2009).
    Pure {
        /// The `ε`, above 0 and at most 1,024.
        epsilon: f64,
    },
    /// Zero-concentrated differential privacy: each sum has discrete Gaussian noise of the variance
    /// `k Δ² / (2 ρ)`. With many columns that is far less noise than a pure budget asks for; `(ε, δ)` of it
    /// are those of [`Spent::epsilon_at`].
    Concentrated {
        /// The `ρ`, above 0 and at most 1,024.
        rho: f64,
    },
}

/// The largest budget: beyond it nothing is hidden.
const LARGEST: f64 = 1024.0;

impl Budget {
    /// The noise of each of `n_changed` sums that one row changes.
    pub(crate) fn noise(self, n_changed: usize) -> Result<Noise, ReleaseError> {
        let (Self::Pure { epsilon: budget } | Self::Concentrated { rho: budget }) = self;
        if !(budget > 0.0 && budget <= LARGEST) {
            return Err(ReleaseError::Budget { budget });
        }
        let share = budget / n_changed as f64;
        let noise = match self {
            Self::Pure { .. } => Noise::laplace(share),
            Self::Concentrated { .. } => Noise::gaussian(share),
        };
        noise.ok_or(ReleaseError::SmallBudget { budget, n_changed })
    }

    pub(crate) fn spent(self) -> Spent {
        match self {
            Self::Pure { epsilon } => Spent { epsilon, rho: 0.0 },
            Self::Concentrated { rho } => Spent { epsilon: 0.0, rho },
        }
    }
}

/// What was spent on one person, at most: a pure part, and a concentrated one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Spent {
    /// The sum of the `ε` of pure releases.
    pub epsilon: f64,
    /// The sum of the `ρ` of concentrated releases.
    pub rho: f64,
}

impl Spent {
    /// What is spent on somebody whose rows are in two releases: both, added (sequential composition).
    ///
    /// ```
    /// # use nb_private::Spent;
    /// let (first, second) = (Spent { epsilon: 1.0, rho: 0.0 }, Spent { epsilon: 0.5, rho: 0.1 });
    /// assert_eq!(first.and(second), Spent { epsilon: 1.5, rho: 0.1 });
    /// ```
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { epsilon: self.epsilon + other.epsilon, rho: self.rho + other.rho }
    }

    /// What is spent on somebody who is in one of two releases: the larger of each part (parallel composition;
    /// McSherry 2009).
    ///
    /// ```
    /// # use nb_private::Spent;
    /// let (north, south) = (Spent { epsilon: 1.0, rho: 0.0 }, Spent { epsilon: 0.5, rho: 0.1 });
    /// assert_eq!(north.or(south), Spent { epsilon: 1.0, rho: 0.1 });
    /// ```
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { epsilon: self.epsilon.max(other.epsilon), rho: self.rho.max(other.rho) }
    }

    /// The `ε` of `(ε, δ)`-differential privacy: `ε + ρ + 2 √(ρ ln(1/δ))`, or, if that is less, the same with
    /// the pure part as the `ε² / 2` of a concentrated one (Bun and Steinke 2016, propositions 1.3 and 1.4).
    /// `δ` should be far below one divided by the number of rows; with a `δ` of 0 and something concentrated
    /// the result is infinite.
    ///
    /// ```
    /// # use nb_private::Spent;
    /// assert_eq!(Spent { epsilon: 1.0, rho: 0.0 }.epsilon_at(0.0), 1.0);
    /// let spent = Spent { epsilon: 0.0, rho: 0.02 };
    /// assert!((spent.epsilon_at(1e-6) - 1.0713).abs() < 1e-4);
    /// // Thirty pure releases of 0.1 are 3 in all, and less if one in a million results may tell more.
    /// assert!(Spent { epsilon: 3.0, rho: 0.0 }.epsilon_at(1e-6) <= 3.0);
    /// ```
    pub fn epsilon_at(self, delta: f64) -> f64 {
        let of = |epsilon: f64, rho: f64| {
            if rho == 0.0 { epsilon } else { epsilon + rho + 2.0 * (rho * -delta.ln()).max(0.0).sqrt() }
        };
        of(self.epsilon, self.rho).min(of(0.0, self.rho + self.epsilon * self.epsilon / 2.0))
    }
}
