//! Bias and variance of the error, by what repeats predict for the same row.

use serde::Serialize;

use crate::Done;

/// How much of the error of a variant is the same in every repeat, and how much changes with the training
/// rows. Classes of rows are taken as certain, so that what no classifier could know is part of the bias.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Decomposition {
    /// The number of repeats, each with training rows of its own.
    pub repeats: usize,
    /// The mean error, which is the sum of `bias` and `variance`, and of the two of Webb.
    pub error: f64,
    /// The mean over rows of `½ Σ_c ([c is the class] - q_c)²`, where `q_c` is the part of the repeats that
    /// predict class `c`, less `½ Σ_c q_c (1 - q_c)/(R - 1)` for `R` repeats, by which it is too large
    /// on average.
    ///
    /// Kohavi and Wolpert 1996, *Bias plus variance decomposition for zero-one loss functions*, ICML,
    /// 275-283.
    pub bias: f64,
    /// The mean over rows of `½ (1 - Σ_c q_c²) R/(R - 1)`.
    pub variance: f64,
    /// The part of the answers that are wrong and the most frequent answer to their row.
    ///
    /// Webb 2000, *`MultiBoosting`: a technique for combining boosting and wagging*, Machine Learning 40,
    /// 159-196.
    pub webb_bias: f64,
    /// The part of the answers that are wrong and another one.
    pub webb_variance: f64,
}

impl Decomposition {
    /// That of the labels that repeats gave to rows of these classes; none for one repeat, or if repeats test
    /// other rows.
    pub(super) fn of(repeats: &[&Done], classes: &[usize]) -> Option<Self> {
        let first = repeats.first().filter(|_| repeats.len() > 1)?;
        if repeats.iter().any(|done| done.tested != first.tested) {
            return None;
        }
        let is_tested = |row: &usize| first.tested.get(*row).is_none_or(|tested| *tested);
        let rows: Vec<usize> = (0..classes.len()).filter(is_tested).collect();
        let n = repeats.len() as f64;
        let mut sums = [0.0; 5];
        for &row in &rows {
            let truth = Some(classes[row] as u32);
            let mut counts: Vec<(Option<u32>, f64)> = Vec::new();
            for label in repeats.iter().map(|done| done.labels.get(row).copied().flatten()) {
                match counts.iter_mut().find(|(known, _)| *known == label) {
                    Some((_, count)) => *count += 1.0,
                    None => counts.push((label, 1.0)),
                }
            }
            // Of several that are as frequent the first class; the order of repeats decides nothing.
            counts.sort_unstable_by_key(|(label, _)| *label);
            let most = counts.iter().fold((None, 0.0), |most, &one| if one.1 > most.1 { one } else { most });
            let right = counts.iter().find(|(label, _)| *label == truth).map_or(0.0, |(_, count)| *count);
            let error = 1.0 - right / n;
            let squares: f64 = counts.iter().map(|(_, count)| (count / n).powi(2)).sum();
            let variance = 0.5 * (1.0 - squares) * n / (n - 1.0);
            let central = if most.0 == truth { 0.0 } else { most.1 / n };
            let of_row = [error, error - variance, variance, central, error - central];
            sums.iter_mut().zip(of_row).for_each(|(sum, value)| *sum += value);
        }
        let [error, bias, variance, webb_bias, webb_variance] = sums.map(|sum| sum / rows.len() as f64);
        Some(Self { repeats: repeats.len(), error, bias, variance, webb_bias, webb_variance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(labels: &[Option<u32>]) -> Done {
        Done { labels: labels.to_vec(), ..Done::default() }
    }

    /// By hand: of three repeats, row 0 (class 0) gets 0, 0, 1 and row 1 (class 1) gets 0, 2 and no answer.
    #[test]
    fn two_rows_by_hand() {
        let all = [done(&[Some(0), Some(0)]), done(&[Some(0), Some(2)]), done(&[Some(1), None])];
        let found = Decomposition::of(&all.iter().collect::<Vec<_>>(), &[0, 1]).unwrap();
        // Row 0: ½ ((1/3)² + (1/3)²) - ½ (2/9 + 2/9)/2 = 0, and ½ (1 - 5/9) 3/2 = 1/3. Row 1: ½ (1 + 3/9) - ½
        // (3 · 2/9)/2 = 1/2, and ½ (1 - 3/9) 3/2 = 1/2. No answer is the first of three as frequent
        // ones.
        let expected = [f64::midpoint(1.0 / 3.0, 1.0), 0.25, f64::midpoint(1.0 / 3.0, 0.5), 1.0 / 6.0, 0.5];
        let found = [found.error, found.bias, found.variance, found.webb_bias, found.webb_variance];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
        assert_eq!(Decomposition::of(&[&all[0]], &[0, 1]), None);
    }
}
