//! Medians, and the order of turns.

/// The median; NaN of nothing.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

/// A generator with a fixed seed (`SplitMix64`), so that the order of turns is the same in every run.
#[derive(Debug)]
pub(crate) struct Shuffle(u64);

impl Shuffle {
    /// The generator in its first state.
    pub(crate) fn new() -> Self {
        Self(1)
    }

    /// The numbers below `n` in a random order (Fisher and Yates).
    pub(crate) fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for last in (1..n).rev() {
            order.swap(last, (self.bits() % (last as u64 + 1)) as usize);
        }
        order
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_even_and_none() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
        assert!(median(std::iter::empty()).is_nan());
    }

    #[test]
    fn every_order_has_all_and_is_the_same_again() {
        let (mut first, mut second) = (Shuffle::new(), Shuffle::new());
        for n in 0..20 {
            let mut order = first.order(n);
            assert_eq!(order, second.order(n));
            order.sort_unstable();
            assert_eq!(order, (0..n).collect::<Vec<_>>());
        }
    }
}
