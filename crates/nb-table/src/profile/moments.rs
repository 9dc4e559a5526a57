//! Mean, standard deviation and skewness of a stream.

/// The first three central moments, updated and merged by the formulas of Pébay (2008, *Formulas for robust,
/// one-pass parallel computation of covariances and arbitrary-order statistical moments*, equations 3.1 to
/// 3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moments {
    n: u64,
    mean: f64,
    /// Sums of squared and cubed deviations from the mean.
    squares: f64,
    cubes: f64,
}

impl Moments {
    /// Those of a value that occurs `n` times.
    pub(super) fn of(value: f64, n: u64) -> Self {
        Self { n, mean: value, ..Self::default() }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        if self.n == 0 {
            *self = *other;
            return;
        }
        let (a, b) = (self.n as f64, other.n as f64);
        let n = a + b;
        let delta = other.mean - self.mean;
        let step = delta / n;
        self.cubes += other.cubes
            + delta * step * step * a * b * (a - b)
            + 3.0 * step * (a * other.squares - b * self.squares);
        self.squares += other.squares + delta * step * a * b;
        self.mean += step * b;
        self.n += other.n;
    }

    pub(super) fn n(&self) -> u64 {
        self.n
    }

    pub(super) fn mean(&self) -> Option<f64> {
        finite(self.mean).filter(|_| self.n > 0)
    }

    /// The standard deviation, with the divisor `n - 1`.
    pub(super) fn standard_deviation(&self) -> Option<f64> {
        finite((self.squares.max(0.0) / (self.n as f64 - 1.0)).sqrt()).filter(|_| self.n > 1)
    }

    /// `g1 = m3 / m2^(3/2)` (Joanes and Gill 1998).
    pub(super) fn skewness(&self) -> Option<f64> {
        let n = self.n as f64;
        let scale = (self.squares / n).sqrt();
        finite(self.cubes / n / scale / scale / scale).filter(|_| self.squares > 0.0)
    }
}

/// What overflows is not known.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = f64>) -> Moments {
        let mut moments = Moments::default();
        values.into_iter().for_each(|value| moments.merge(&Moments::of(value, 1)));
        moments
    }

    #[test]
    fn known_moments() {
        let moments = of([1.0, 2.0, 3.0, 4.0, 10.0]);
        let near = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
        assert!(near(moments.mean(), 4.0) && near(moments.standard_deviation(), 12.5_f64.sqrt()));
        // m2 = 10, m3 = (-27 - 8 - 1 + 0 + 216) / 5 = 36.
        assert!(near(moments.skewness(), 36.0 / 10_f64.powf(1.5)));
        let mut parts = of([1.0, 2.0]);
        parts.merge(&of([3.0, 4.0, 10.0]));
        assert!(near(parts.skewness(), moments.skewness().unwrap()));
    }

    #[test]
    fn what_is_undefined_is_none() {
        assert_eq!((of([]).mean(), of([]).skewness()), (None, None));
        assert_eq!((of([5.0]).mean(), of([5.0]).standard_deviation()), (Some(5.0), None));
        assert_eq!((of([0.1; 9]).standard_deviation(), of([0.1; 9]).skewness()), (Some(0.0), None));
        assert_eq!(of([1e308, -1e308]).skewness(), None);
    }
}
