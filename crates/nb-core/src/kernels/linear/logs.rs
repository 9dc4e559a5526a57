//! Logarithms of ratios of counts, by the million.
//!
//! A ratio of exact numbers takes half a microsecond; a text model needs one for every class and word. Where
//! both numbers are single doubles, as with whole counts, the same steps are plain arithmetic (20 ns), and
//! most words have one of a few small counts, so that a class can look the result up (2 ns). The bits are the
//! same.

use std::ops::Range;

use crate::kernels::linear::table::Table;
use nb_simd::{InstructionSet, Isa, Kernel, LANES, error_free::two_sum};

use exact_sums::Exact;

use crate::model::{
    Smoothing,
    log_ratio::{LogRatio, ln_ratio},
    threads,
};

/// Counts from zero to this are looked up, if there are few classes.
const MOST_KNOWN: usize = 1 << 12;

/// Number of logarithms looked up by all classes together.
const MOST_KNOWN_TOGETHER: usize = 1 << 18;

/// Fewer entries than this are not shared among threads.
const FEWEST_ENTRIES: usize = 1 << 17;

/// Columns filled in class after class: a line of the counts of each.
const STRIP: usize = LANES;

/// What counts of a class are divided by.
pub(crate) struct Divisor {
    exact: Exact,
    plain: Option<f64>,
}

impl Divisor {
    pub(crate) fn new(exact: Exact) -> Self {
        let plain = match exact.components() {
            &[value] => Some(value),
            _ => None,
        };
        Self { exact, plain }
    }

    /// `ln((count + l) / divisor)`.
    pub(crate) fn ln_ratio(&self, count: f64, l: f64) -> f64 {
        let (numerator, rest) = two_sum(count, l);
        let quick = if rest == 0.0 { self.plain.and_then(|plain| ln_ratio(numerator, plain)) } else { None };
        quick.unwrap_or_else(|| (&Exact::from(count) + &Exact::from(l)).ln_ratio(&self.exact))
    }
}

/// What is said of the small whole counts of a class: not a number first, where it was not asked for.
type Known<const N: usize> = Vec<[f64; N]>;

/// Tables of what `logs(class, count, l)` says, none of it not a number, where `count(class, column)` gives
/// the count.
pub(crate) fn tables_of_logs<const N: usize>(
    (n_classes, n_columns): (usize, usize),
    smoothing: &Smoothing,
    count: impl Fn(usize, usize) -> f64 + Sync,
    logs: impl Fn(usize, f64, f64) -> [f64; N] + Sync,
) -> [Table; N] {
    let mut tables = [(); N].map(|()| Table::zeros(n_classes, n_columns));
    let width = threads::share(n_columns, FEWEST_ENTRIES / n_classes.max(1));
    let mut shares = tables.each_mut().map(|table| table.pieces_mut(width));
    let pieces = (0..n_columns).step_by(width).map(|first| Piece {
        columns: first..n_columns.min(first + width),
        tables: shares.each_mut().map(|pieces| pieces.next().unwrap_or_default()),
    });
    threads::map(pieces.collect(), |piece| piece.fill(n_classes, smoothing, &count, &logs));
    tables
}

/// Some columns of tables.
struct Piece<'a, const N: usize> {
    columns: Range<usize>,
    /// The entries of these columns, column after column.
    tables: [&'a mut [f64]; N],
}

impl<const N: usize> Piece<'_, N> {
    fn fill(
        self,
        n_classes: usize,
        smoothing: &Smoothing,
        count: impl Fn(usize, usize) -> f64,
        logs: impl Fn(usize, f64, f64) -> [f64; N],
    ) {
        /// Adding this leaves a whole number in the last bits, quicker than a conversion does.
        const SHIFTER: f64 = (1_u64 << 52) as f64;
        let Self { columns, mut tables } = self;
        // Where columns are smoothed by pseudo-counts of their own, equal counts have different logarithms.
        let n_known = if smoothing.as_slice().is_some() { 0 } else { MOST_KNOWN_TOGETHER / n_classes.max(1) };
        // Few columns ask for few counts.
        let n_known = n_known.min(MOST_KNOWN).min(columns.len());
        let mut known: Vec<Known<N>> = vec![vec![[f64::NAN; N]; n_known]; n_classes];
        for first in columns.clone().step_by(STRIP) {
            for (class, known) in known.iter_mut().enumerate() {
                for column in first..columns.end.min(first + STRIP) {
                    let count = count(class, column);
                    let shifted = count + SHIFTER;
                    let place = shifted.to_bits().wrapping_sub(SHIFTER.to_bits()) as usize;
                    let found = match known.get(place) {
                        Some(&found) if shifted - SHIFTER == count && !found[0].is_nan() => found,
                        _ => learn(known, (place, count), || logs(class, count, smoothing.get(column))),
                    };
                    for (entries, log) in tables.iter_mut().zip(found) {
                        entries[(column - columns.start) * n_classes + class] = log;
                    }
                }
            }
        }
    }
}

/// Says it of a count for the first time, and keeps it if there is a place and the count is whole.
#[cold]
#[inline(never)]
fn learn<const N: usize>(
    known: &mut Known<N>,
    (place, count): (usize, f64),
    logs: impl FnOnce() -> [f64; N],
) -> [f64; N] {
    let logs = logs();
    if let Some(known) = known.get_mut(place)
        && place as f64 == count
    {
        *known = logs;
    }
    logs
}

/// The total, if all values are whole numbers of at least zero and no sum of some of them can round.
pub(crate) fn whole_total(values: &[f64]) -> Option<f64> {
    InstructionSet::current().run(WholeTotal(values))
}

struct WholeTotal<'a>(&'a [f64]);

impl Kernel for WholeTotal<'_> {
    type Output = Option<f64>;

    #[inline(always)]
    fn run<C: Isa>(self) -> Option<f64> {
        const MOST: f64 = (1_u64 << 51) as f64;
        const SHIFTER: f64 = (1_u64 << 52) as f64;
        let mut totals = [0.0; LANES];
        let mut wrong = [0.0; LANES];
        let mut add = |lane: usize, value: f64| {
            totals[lane] += value;
            // Adding 2^52 rounds to whole numbers. Not a number and what is negative or too large fail, too.
            let is_whole = (value + SHIFTER) - SHIFTER == value && (0.0..=MOST).contains(&value);
            wrong[lane] = if is_whole { wrong[lane] } else { 1.0 };
        };
        let (strips, rest) = self.0.as_chunks::<LANES>();
        for strip in strips {
            for (lane, &value) in strip.iter().enumerate() {
                add(lane, value);
            }
        }
        for (lane, &value) in rest.iter().enumerate() {
            add(lane, value);
        }
        let total: f64 = totals.iter().sum();
        // Sums only grow: if the last is small enough, so were all before it.
        (wrong == [0.0; LANES] && total <= MOST).then_some(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::log_ratio::ln_ratio_at_length;
    use proptest::prelude::*;

    fn numbers() -> impl Strategy<Value = f64> {
        prop_oneof![
            (0..50_u32).prop_map(f64::from),
            (0..1_u64 << 50).prop_map(|n| n as f64),
            (0..1000_u32).prop_map(|n| f64::from(n) + 0.1),
            (1.0..2.0_f64, -199..199_i32).prop_map(|(m, e)| m * 2.0_f64.powi(e)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn the_bits_are_those_of_exact_arithmetic(a in numbers(), b in numbers(), near in 0..4_u32, l in numbers()) {
            prop_assume!(b != 0.0);
            let exact = |a: f64, b: f64| ln_ratio_at_length(&Exact::from(a), &Exact::from(b));
            prop_assert_eq!(ln_ratio(a, b).map(f64::to_bits), Some(exact(a, b).to_bits()));
            // Near one, and near the ends of the branch that is for such ratios.
            for ratio in [1.0, 0.5, 2.0] {
                let a = f64::from_bits((b * ratio).to_bits() + u64::from(near) - 2);
                prop_assert_eq!(ln_ratio(a, b).map(f64::to_bits), Some(exact(a, b).to_bits()));
            }
            let divisor = &Exact::from(b) + &Exact::from(l);
            let expected = ln_ratio_at_length(&(&Exact::from(a) + &Exact::from(l)), &divisor);
            prop_assert_eq!(Divisor::new(divisor).ln_ratio(a, l).to_bits(), expected.to_bits());
        }
    }

    #[test]
    fn only_whole_numbers_have_a_whole_total() {
        assert_eq!(whole_total(&[]), Some(0.0));
        assert_eq!(whole_total(&[1.0; 19]), Some(19.0));
        assert_eq!(whole_total(&[-0.0, 3.0]), Some(3.0));
        let half = (1_u64 << 50) as f64;
        assert_eq!(whole_total(&[half, half]), Some(2.0 * half));
        for wrong in [0.5, -1.0, f64::NAN, f64::INFINITY, 1e300, 1e-300, half + 0.5] {
            for length in 0..10 {
                let mut values = vec![1.0; length];
                values.push(wrong);
                assert_eq!(whole_total(&values), None, "{wrong}");
            }
        }
        assert_eq!(whole_total(&[half, half, 1.0]), None);
    }
}
