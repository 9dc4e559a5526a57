//! `ln k!` in fixed point, for costs that are minus logarithms of probabilities.
//!
//! Sums of whole numbers do not depend on their order, so that equal groups of rows have equal costs in
//! whatever order they came about.

/// One nat, in the units of costs.
pub(crate) const NAT: f64 = (1_u128 << 64) as f64;

/// Changes that gain less than this many nats are none: more than rounding can change.
pub(crate) const LEAST_GAIN: f64 = 1e-6;

/// A number of nats in fixed point.
pub(crate) fn fixed(nats: f64) -> i128 {
    (nats * NAT) as i128
}

/// `ln k!` for all counts up to a largest one.
pub(crate) struct LnFactorials(Vec<i128>);

impl LnFactorials {
    pub(crate) fn up_to(largest: usize) -> Self {
        Self((0..=largest).map(|k| fixed(libm::lgamma(k as f64 + 1.0))).collect())
    }

    /// `ln k!`, `k` at most the largest count.
    pub(crate) fn of(&self, k: usize) -> i128 {
        self.0[k]
    }

    /// `ln Γ(x + 1)`, which for whole numbers is `ln x!`, for a number that is not negative and of any size.
    pub(crate) fn of_real(&self, x: f64) -> i128 {
        let known = self.0.get(x as usize).copied().filter(|_| x.fract() == 0.0);
        known.unwrap_or_else(|| fixed(libm::lgamma(x + 1.0)))
    }

    /// The logarithm of a binomial coefficient.
    pub(crate) fn ln_binomial(&self, n: usize, k: usize) -> i128 {
        self.of(n) - self.of(k) - self.of(n - k)
    }
}
