//! Log-sum-exp of compensated sums.

pub(crate) use exact_sums::Compensated;

/// The position of the largest sum, the first of several; `None` if all are negative infinity.
pub(crate) fn largest(sums: &[Compensated]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (position, sum) in sums.iter().enumerate().filter(|(_, sum)| !sum.is_impossible()) {
        if best.is_none_or(|best| sum.minus(sums[best]) > 0.0) {
            best = Some(position);
        }
    }
    best
}

/// `Σ exp(sum - sums[best])` over all sums but the best: with `log1p` of it a log-sum-exp keeps the digits of
/// tiny terms (Blanchard, Higham and Higham 2021, *Accurately computing the log-sum-exp and softmax
/// functions*).
pub(crate) fn others(sums: &[Compensated], best: usize) -> f64 {
    let but_best = sums.iter().enumerate().filter(|&(position, _)| position != best);
    but_best.map(|(_, sum)| libm::exp(sum.minus(sums[best]))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &[f64]) -> Compensated {
        terms.iter().copied().collect()
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
