//! Cuts by recursive entropy minimisation, as many as the minimum description length principle accepts
//! (Fayyad and Irani 1993).
//!
//! With `n` rows, of which `n_c` are of class `c`, `n Ent = n log2 n - Σ n_c log2 n_c`. The terms are looked
//! up in a table of fixed point numbers, so that moving a row from one side of a cut to the other is exact,
//! and equal counts have equal entropies in whatever order they came about.

use std::ops::{Add, Sub};

use super::columns::{Run, between};

/// One bit, in the units of the table.
const BIT: f64 = (1_u128 << 64) as f64;

/// Entropies that differ by less than this many bits are equal. Rounding changes them by far less.
const TIE: f64 = 1.0 / (1_u64 << 40) as f64;

/// What the search shares between columns.
pub(super) struct Mdl {
    /// `n log2 n` for every count up to the number of rows.
    n_log_n: Vec<i128>,
    n_classes: usize,
}

/// The rows on one side of a cut.
#[derive(Clone)]
struct Side {
    counts: Vec<usize>,
    entropy: Entropy,
}

/// What the criterion asks of a set of rows.
#[derive(Clone, Copy, Default)]
struct Entropy {
    n_rows: usize,
    /// The number of classes present.
    n_present: usize,
    /// `Σ n_c log2 n_c`.
    sum: i128,
}

/// A boundary point: before the run with this number.
struct Candidate {
    run: usize,
    below: Entropy,
    above: Entropy,
}

impl Mdl {
    pub(super) fn new(n_rows: usize, n_classes: usize) -> Self {
        let term = |n: usize| if n < 2 { 0 } else { (n as f64 * libm::log2(n as f64) * BIT) as i128 };
        Self { n_log_n: (0..=n_rows).map(term).collect(), n_classes }
    }

    /// The cuts of a column, increasing.
    pub(super) fn cuts(&self, runs: &[Run]) -> Vec<f64> {
        // A separate stack, as the recursion can be as deep as there are cuts.
        let (mut cuts, mut open) = (Vec::new(), vec![(0, runs.len())]);
        while let Some((start, end)) = open.pop() {
            if let Some(cut) = self.divide(&runs[start..end]).map(|cut| start + cut) {
                cuts.push(between(runs[cut - 1].value, runs[cut].value));
                open.extend([(start, cut), (cut, end)]);
            }
        }
        cuts.sort_unstable_by(f64::total_cmp);
        cuts
    }

    /// The number of the first run above the best cut, if it is accepted.
    fn divide(&self, runs: &[Run]) -> Option<usize> {
        let mut above = Side { counts: vec![0; self.n_classes], entropy: Entropy::default() };
        let mut below = above.clone();
        for run in runs {
            self.change(&mut above, run, Add::add);
        }
        let all = above.entropy;
        if all.n_present < 2 {
            return None;
        }
        let mut candidates = Vec::new();
        for (number, run) in runs.iter().enumerate() {
            if is_boundary(runs, number) {
                candidates.push(Candidate { run: number, below: below.entropy, above: above.entropy });
            }
            self.change(&mut above, run, Sub::sub);
            self.change(&mut below, run, Add::add);
        }
        let left =
            |candidate: &Candidate| self.rows_times(candidate.below) + self.rows_times(candidate.above);
        let least = candidates.iter().map(left).min()?;
        let tie = (TIE * BIT * all.n_rows as f64) as i128;
        let best = candidates.iter().find(|candidate| left(candidate) <= least + tie)?;
        self.accepts(all, best).then_some(best.run)
    }

    /// Adds a run to a side, or takes it away.
    fn change(&self, side: &mut Side, run: &Run, change: impl Fn(usize, usize) -> usize) {
        let (count, entropy) = (&mut side.counts[run.class], &mut side.entropy);
        let changed = change(*count, run.count);
        entropy.sum += self.n_log_n[changed] - self.n_log_n[*count];
        entropy.n_rows = change(entropy.n_rows, run.count);
        entropy.n_present = entropy.n_present + usize::from(changed > 0) - usize::from(*count > 0);
        *count = changed;
    }

    /// `n Ent`, in the units of the table.
    fn rows_times(&self, entropy: Entropy) -> i128 {
        self.n_log_n[entropy.n_rows] - entropy.sum
    }

    /// The criterion, times the number of rows: `N Gain > log2(N - 1) + Δ`.
    fn accepts(&self, all: Entropy, cut: &Candidate) -> bool {
        let bits = |entropy| self.rows_times(entropy) as f64 / BIT;
        let gain = self.rows_times(all) - self.rows_times(cut.below) - self.rows_times(cut.above);
        let classes_times =
            |entropy: Entropy| entropy.n_present as f64 * bits(entropy) / entropy.n_rows as f64;
        let delta = log2_of_3_to(all.n_present)
            - (classes_times(all) - classes_times(cut.below) - classes_times(cut.above));
        gain as f64 / BIT > libm::log2((all.n_rows - 1) as f64) + delta
    }
}

/// `log2(3^k - 2)`, without the power, which would overflow for many classes.
fn log2_of_3_to(k: usize) -> f64 {
    let log_power = k as f64 * libm::log(3.0);
    (log_power + libm::log1p(-2.0 * libm::exp(-log_power))) / std::f64::consts::LN_2
}

/// Whether a cut before the run with this number is a boundary point: it divides different values, and
/// the rows of its two neighbouring values are not all of one class.
fn is_boundary(runs: &[Run], number: usize) -> bool {
    let divides =
        |number: usize| number == 0 || number == runs.len() || runs[number - 1].value < runs[number].value;
    let is_pure = |number: usize| divides(number) && divides(number + 1);
    number > 0
        && divides(number)
        && !(runs[number - 1].class == runs[number].class && is_pure(number - 1) && is_pure(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_term_of_the_classes_is_right() {
        // for k = 1000 mpmath 1.4.1 in 50 digits: log(mpf(3)**1000 - 2, 2)
        for (k, expected) in
            [(1, 0.0), (2, 7.0_f64.log2()), (3, 25.0_f64.log2()), (1000, 1_584.962_500_721_156_2)]
        {
            assert!((log2_of_3_to(k) - expected).abs() <= 1e-15 * (1.0 + expected), "{k}");
        }
    }

    #[test]
    fn boundary_points_have_two_classes_beside_them() {
        let run = |value: u8, class| Run { value: f64::from(value), class, count: 1 };
        // The values 1 (a), 2 (a), 3 (a and b), 4 (b), 5 (b), 6 (a).
        let runs = [run(1, 0), run(2, 0), run(3, 0), run(3, 1), run(4, 1), run(5, 1), run(6, 0)];
        let boundaries: Vec<usize> = (0..runs.len()).filter(|&number| is_boundary(&runs, number)).collect();
        assert_eq!(boundaries, [2, 4, 6]); // below 3, above 3, below 6
    }
}
