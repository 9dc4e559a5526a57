//! How many values of a stream are different, in bounded memory.

use crate::hash::{fnv_1a, mix};

/// The number of registers is `2^PRECISION`.
const PRECISION: u32 = 12;
const N_REGISTERS: usize = 1 << PRECISION;

/// The standard error of the estimate, relative to it: `1.04 / sqrt(registers)`.
pub(super) const STANDARD_ERROR: f64 = 1.04 / 64.0;

/// `HyperLogLog` (Flajolet, Fusy, Gandouet and Meunier 2007), with the estimator of Ertl (2017, *New
/// cardinality estimation algorithms for `HyperLogLog` sketches*, algorithm 6), which needs no corrections
/// for small or large numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DistinctSketch {
    registers: Vec<u8>,
}

impl Default for DistinctSketch {
    fn default() -> Self {
        Self { registers: vec![0; N_REGISTERS] }
    }
}

impl DistinctSketch {
    /// Adds a value by its hash.
    pub(super) fn add(&mut self, hash: u64) {
        let register = (hash >> (u64::BITS - PRECISION)) as usize;
        let rank = ((hash << PRECISION) | (1 << (PRECISION - 1))).leading_zeros() + 1;
        let register = &mut self.registers[register];
        *register = (*register).max(rank as u8);
    }

    /// Adds all values of another sketch.
    pub(super) fn merge(&mut self, other: &Self) {
        for (register, &other) in self.registers.iter_mut().zip(&other.registers) {
            *register = (*register).max(other);
        }
    }

    /// About how many different values there were.
    pub(super) fn estimate(&self) -> u64 {
        const HIGHEST: usize = (u64::BITS - PRECISION) as usize + 1;
        let m = N_REGISTERS as f64;
        let mut counts = [0.0; HIGHEST + 1];
        self.registers.iter().for_each(|&rank| counts[usize::from(rank).min(HIGHEST)] += 1.0);
        let mut z = m * tau(1.0 - counts[HIGHEST] / m);
        for count in counts[1..HIGHEST].iter().rev() {
            z = 0.5 * (z + count);
        }
        z += m * sigma(counts[0] / m);
        (m * m / (2.0 * std::f64::consts::LN_2 * z)).round() as u64
    }
}

/// `x + sum over k of x^(2^k) 2^(k - 1)`.
fn sigma(mut x: f64) -> f64 {
    if x >= 1.0 {
        return f64::INFINITY;
    }
    let (mut y, mut z) = (1.0, x);
    loop {
        x *= x;
        let before = z;
        z += x * y;
        y += y;
        if z <= before {
            return z;
        }
    }
}

/// `(1 - x - sum over k of (1 - x^(2^-k))^2 2^-k) / 3`.
fn tau(mut x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return 0.0;
    }
    let (mut y, mut z) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = z;
        y *= 0.5;
        z -= (1.0 - x) * (1.0 - x) * y;
        if z >= before {
            return z / 3.0;
        }
    }
}

/// A hash of a text.
pub(super) fn hash_of_text(text: &str) -> u64 {
    mix(fnv_1a(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_within_a_few_standard_errors() {
        for n in [1_u64, 10, 100, 5_000, 10_000, 20_000, 300_000] {
            let (mut numbers, mut texts) = (DistinctSketch::default(), DistinctSketch::default());
            for i in 0..n {
                numbers.add(mix((i as f64 * 0.25).to_bits()));
                texts.add(hash_of_text(&format!("user-{i}")));
                texts.add(hash_of_text(&format!("user-{}", i / 2)));
            }
            for sketch in [numbers, texts] {
                let error = sketch.estimate().abs_diff(n) as f64;
                assert!(error <= 4.0 * STANDARD_ERROR * n as f64, "{n}: {}", sketch.estimate());
            }
        }
        assert_eq!(DistinctSketch::default().estimate(), 0);
    }

    #[test]
    fn merging_is_adding_all() {
        let (mut all, mut even, mut odd) =
            (DistinctSketch::default(), DistinctSketch::default(), DistinctSketch::default());
        for i in 0..50_000 {
            all.add(mix(i));
            if i % 2 == 0 { even.add(mix(i)) } else { odd.add(mix(i)) }
        }
        even.merge(&odd);
        assert_eq!(even, all);
    }
}
