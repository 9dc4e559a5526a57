//! Sums of logarithms that keep their rounding errors.

/// A sum as two doubles: what it rounds to, and the rest.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compensated {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl Compensated {
    /// Adds a term (Ogita, Rump and Oishi 2005, *Accurate sum and dot product*, Sum2). Negative infinity stays.
    pub(crate) fn add(&mut self, term: f64) {
        let sum = self.high + term;
        let shadow = sum - self.high;
        let error = (self.high - (sum - shadow)) + (term - shadow);
        // Where the sum is infinite the error is not a number; the infinity says it all.
        self.low += if sum.is_finite() { error } else { 0.0 };
        self.high = sum;
    }

    /// The sum, rounded.
    pub(crate) fn value(self) -> f64 {
        self.high + self.low
    }

    /// This minus another, which must be finite.
    pub(crate) fn minus(self, other: Self) -> f64 {
        (self.high - other.high) + (self.low - other.low)
    }
}

/// The position of the largest sum, the first of several; `None` if all are negative infinity.
pub(crate) fn largest(sums: &[Compensated]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (position, sum) in sums.iter().enumerate().filter(|(_, sum)| sum.high > f64::NEG_INFINITY) {
        if best.is_none_or(|best| sum.minus(sums[best]) > 0.0) {
            best = Some(position);
        }
    }
    best
}

/// `Σ exp(sum - sums[best])` over all sums but the best: with `log1p` of it a log-sum-exp keeps the digits of
/// tiny terms (Blanchard, Higham and Higham 2021, *Accurately computing the log-sum-exp and softmax functions*).
pub(crate) fn others(sums: &[Compensated], best: usize) -> f64 {
    let but_best = sums.iter().enumerate().filter(|&(position, _)| position != best);
    but_best.map(|(_, sum)| libm::exp(sum.minus(sums[best]))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &[f64]) -> Compensated {
        let mut sum = Compensated::default();
        for &term in terms {
            sum.add(term);
        }
        sum
    }

    #[test]
    fn huge_common_terms_cancel() {
        let sums = [sum(&[-0.25, -1e20, -0.25]), sum(&[-0.75, -1e20, -0.75])];
        assert_eq!(sums[0].minus(sums[1]), 1.0);
        assert_eq!(largest(&sums), Some(0));
        assert_eq!(others(&sums, 0), libm::exp(-1.0));
    }

    #[test]
    fn impossible_sums_stay_impossible() {
        let never = sum(&[f64::NEG_INFINITY, 3.0, f64::NEG_INFINITY]);
        assert_eq!(never.value(), f64::NEG_INFINITY);
        assert_eq!(largest(&[never, never]), None);
        assert_eq!(largest(&[never, sum(&[-1.0]), sum(&[-1.0])]), Some(1));
        assert_eq!(others(&[never, sum(&[-1.0])], 1), 0.0);
    }
}
