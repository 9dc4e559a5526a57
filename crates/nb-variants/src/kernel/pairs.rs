//! Differences between the values of a class, two at a time: what the rules that look at the shape of the
//! data are made of.

/// Differences of this many bandwidths, squared, and larger ones have kernels of next to zero: `exp(-250)` of
/// the peak or less.
const NEGLIGIBLE: f64 = 1000.0;

/// How many pairs of values are how many steps apart, by the masses at the points of a grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pairs {
    /// The weight of the values.
    total: f64,
    /// The number of pairs of different values by their difference in steps. A value is no pair with itself;
    /// with the mass of a value divided between two points the first number may be a little below zero.
    by_lag: Vec<f64>,
}

impl Pairs {
    /// Counts the pairs of these masses, whose sum is `total`; a weight counts as that number of equal rows.
    pub(super) fn of_masses(masses: &[f64], total: f64) -> Self {
        let occupied: Vec<(usize, f64)> =
            masses.iter().copied().enumerate().filter(|&(_, mass)| mass != 0.0).collect();
        let span = match (occupied.first(), occupied.last()) {
            (Some(first), Some(last)) => last.0 - first.0 + 1,
            _ => 1,
        };
        let mut by_lag = vec![0.0; span];
        for (index, &(point, mass)) in occupied.iter().enumerate() {
            by_lag[0] += mass * mass / 2.0;
            for &(other, other_mass) in &occupied[index + 1..] {
                by_lag[other - point] += mass * other_mass;
            }
        }
        by_lag[0] -= total / 2.0;
        Self { total, by_lag }
    }

    /// The weight of the values.
    pub(super) fn total(&self) -> f64 {
        self.total
    }

    /// The sum over all pairs of a function of `(difference / bandwidth)²`.
    pub(super) fn sum(&self, bandwidth: f64, kernel: impl Fn(f64) -> f64) -> f64 {
        let squares = (0..self.by_lag.len()).map(|lag| {
            let distance = lag as f64 / bandwidth;
            distance * distance
        });
        let terms = squares.zip(&self.by_lag).take_while(|&(square, _)| square < NEGLIGIBLE);
        terms.map(|(square, pairs)| pairs * kernel(square)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_of_the_values() {
        // The values 0, 0, 0, 2, 5, 5.
        let pairs = Pairs::of_masses(&[3.0, 0.0, 1.0, 0.0, 0.0, 2.0], 6.0);
        assert_eq!(pairs.by_lag, [4.0, 0.0, 3.0, 2.0, 0.0, 6.0]);
        assert_eq!(pairs.sum(1.0, |square| square), 12.0 + 18.0 + 150.0);
        // 31 bandwidths are enough, and 50 too many.
        assert_eq!(pairs.sum(0.1, |_| 1.0), 9.0);
        assert_eq!(Pairs::of_masses(&[0.0, 1.0], 1.0).by_lag, [0.0]);
    }
}
