//! Rows with weights, added as rows without: those of each weight by themselves, and their sums times the
//! weight.
//!
//! ```text
//!  weights 2, 1, 2, 0.5:   Σ w x = 2 (x₁ + x₃) + 1 (x₂) + 0.5 (x₄)            one pass: few weights
//!  weights 173, 25, 98:    173 = 10·16 + 13, 25 = 1·16 + 9, ...               one pass per digit: many weights
//! ```
//!
//! Sums without weights are made by the [`Accumulator`](crate::family::Accumulator)s of families, which takes
//! far less time than forming each product with a weight. All is exact: the sums have the same bits.

use std::collections::{BTreeMap, BTreeSet};

use exact_sums::domain::is_weight;

/// Fewer rows are added one by one.
const FEWEST_ROWS: usize = 16;

/// How many different weights have sums of their own at the most.
const MOST_WEIGHTS: usize = 256;

/// The most bits of a weight in units of the last bit of all of them: those of a double, and as many for
/// different sizes.
const MOST_BITS: u32 = 100;

/// How many bits a digit has.
const BITS_OF_DIGIT: u32 = 4;

/// About what the ways cost, in nanoseconds, to choose between them: a cell whose product with a weight is
/// formed, one that is added without, a sum that is multiplied, and a pass with its memory.
const WEIGHTED_CELL: usize = 30;
const CELL: usize = 1;
const SUM: usize = 20;
const PASS: usize = 5_000;

/// One time through all rows: each has a number, of which the sums are multiplied by the factor.
pub(super) struct Pass {
    /// The number of the factor of each row.
    pub(super) numbers: Vec<u32>,
    /// Factors by number. One that is zero belongs to rows that add nothing.
    pub(super) factors: Vec<f64>,
}

/// How large a table is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// The number of cells that are looked at.
    pub(super) n_cells: usize,
    /// The number of sums of one class.
    pub(super) n_sums: usize,
}

/// The passes that add rows with these weights, if they take less time than products with each weight.
pub(super) fn passes<L: Ord>(weights: &[f64], labels: &[L], size: Size) -> Option<Vec<Pass>> {
    if weights.len() < FEWEST_ROWS || !weights.iter().all(|&weight| is_weight(weight)) {
        return None;
    }
    let pays = |n_passes: usize, n_groups: usize| {
        let of_sums = n_groups.saturating_mul(size.n_sums).saturating_mul(SUM);
        let of_passes = n_passes.saturating_mul(PASS + CELL * size.n_cells);
        of_sums.saturating_add(of_passes) < WEIGHTED_CELL.saturating_mul(size.n_cells)
    };
    if !pays(1, 1) {
        return None;
    }
    let n_classes = labels.iter().collect::<BTreeSet<_>>().len();
    if let Some(pass) = by_weight(weights) {
        return pays(1, n_classes * pass.factors.len()).then(|| vec![pass]);
    }
    let passes = by_digit(weights)?;
    let n_groups: usize = passes.iter().map(|pass| pass.factors.len()).sum();
    pays(passes.len(), n_classes * n_groups).then_some(passes)
}

/// A pass in which every weight has a number; `None` if there are too many.
fn by_weight(weights: &[f64]) -> Option<Pass> {
    let mut known = BTreeMap::new();
    let mut pass = Pass { numbers: Vec::with_capacity(weights.len()), factors: Vec::new() };
    for &weight in weights {
        // There is no negative weight, and a zero with a sign is one more number that adds nothing.
        let number = *known.entry(weight.to_bits()).or_insert_with(|| {
            pass.factors.push(weight);
            pass.factors.len() as u32 - 1
        });
        if pass.factors.len() > MOST_WEIGHTS {
            return None;
        }
        pass.numbers.push(number);
    }
    Some(pass)
}

/// A pass for each digit of the weights, which are integers in units of the last bit of all of them.
fn by_digit(weights: &[f64]) -> Option<Vec<Pass>> {
    let positive = || weights.iter().copied().filter(|&weight| weight > 0.0).map(integer);
    let unit =
        positive().map(|(mantissa, exponent)| exponent + mantissa.trailing_zeros().cast_signed()).min()?;
    let top = positive()
        .map(|(mantissa, exponent)| exponent + 64 - mantissa.leading_zeros().cast_signed())
        .max()?;
    let n_bits = (top - unit) as u32;
    if n_bits > MOST_BITS {
        return None;
    }
    let in_units: Vec<u128> = weights
        .iter()
        .map(|&weight| {
            let (mantissa, exponent) = integer(weight);
            match exponent - unit {
                _ if weight == 0.0 => 0,
                shift @ 0.. => u128::from(mantissa) << shift,
                shift => u128::from(mantissa) >> -shift,
            }
        })
        .collect();
    let of_digit = |first: u32| {
        let digit = |units: &u128| (units >> first) as u32 & ((1 << BITS_OF_DIGIT) - 1);
        let factor = |digit: u32| f64::from(digit) * power_of_two(unit + first.cast_signed());
        Pass {
            numbers: in_units.iter().map(digit).collect(),
            factors: (0..1 << BITS_OF_DIGIT).map(factor).collect(),
        }
    };
    Some((0..n_bits).step_by(BITS_OF_DIGIT as usize).map(of_digit).collect())
}

/// A weight as an integer times a power of two.
fn integer(weight: f64) -> (u64, i32) {
    const BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let (mantissa, exponent) = (weight.to_bits() & ((1 << BITS) - 1), (weight.to_bits() >> BITS) as i32);
    (mantissa | 1 << BITS, exponent - 1023 - BITS.cast_signed())
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LARGE: Size = Size { n_cells: 1 << 40, n_sums: 1 };

    /// The weights that passes stand for.
    fn total(passes: &[Pass], row: usize) -> f64 {
        passes.iter().map(|pass| pass.factors[pass.numbers[row] as usize]).sum()
    }

    proptest! {
        #[test]
        fn digits_add_up_to_the_weights(
            weights in prop::collection::vec(
                prop_oneof![Just(0.0), Just(1.0), 0.01..100.0, (1..1_000_000_u32).prop_map(f64::from)],
                1..40,
            ),
        ) {
            let digits = by_digit(&weights);
            prop_assume!(weights.iter().any(|weight| *weight > 0.0));
            let passes = digits.expect("few bits");
            for (row, &weight) in weights.iter().enumerate() {
                // The digits of one weight do not overlap, so that no addition rounds.
                prop_assert_eq!(total(&passes, row), weight);
            }
        }
    }

    #[test]
    fn few_weights_take_one_pass_and_many_some() {
        let labels = vec!['a'; 1000];
        let of = |weight: fn(usize) -> f64| {
            let weights: Vec<f64> = (0..1000).map(weight).collect();
            let passes = passes(&weights, &labels, LARGE)?;
            for (row, &weight) in weights.iter().enumerate() {
                assert_eq!(total(&passes, row), weight);
            }
            Some(passes.len())
        };
        assert_eq!(of(|_| 1.0), Some(1));
        assert_eq!(of(|row| [0.0, 0.1, 0.7, 1e-9][row % 4]), Some(1));
        assert_eq!(of(|row| (row % 300) as f64), Some(3)); // of nine bits
        assert_eq!(of(|row| (row % 300) as f64 / 4.0), Some(3));
        assert!(of(|row| 1.0 + 1.0 / (1 + row) as f64).is_some_and(|n| (13..16).contains(&n)));
        assert_eq!(of(|row| 0.01 * 10.0_f64.powf((row % 300) as f64)), None, "no weights of the domain");
    }

    #[test]
    fn small_tables_and_many_sums_are_added_with_weights() {
        let (weights, labels) = (vec![2.0; 15], vec!['a'; 15]);
        assert!(passes(&weights, &labels, LARGE).is_none());
        let (weights, labels) = (vec![2.0; 150], vec!['a'; 150]);
        assert!(passes(&weights, &labels, Size { n_cells: 600, n_sums: 12 }).is_some());
        assert!(passes(&weights, &labels, Size { n_cells: 150, n_sums: 12 }).is_none());
        assert!(passes(&weights, &labels, Size { n_cells: 600, n_sums: 100_000 }).is_none());
    }
}
