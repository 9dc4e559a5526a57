//! Bandwidths: how wide the kernel of a class is.

use nb_core::{
    error::LayoutError,
    exact::domain::{MAX_ABS_VALUE, MIN_ABS_NONZERO},
};

/// The standard deviation `h` of the normal kernel of a class and column.
///
/// A bandwidth is never below the step of the grid, since the grid shows nothing finer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bandwidth {
    /// `1 / √n` in the unit of the column, with `n` the weight of the observed cells of the class: John and
    /// Langley (1995). It depends on the unit; columns should be on a scale of about one.
    JohnLangley,
    /// `0.9 min(s, R / 1.34) n^(-1/5)`, with `s` the maximum-likelihood standard deviation and `R` the
    /// interquartile range of the class: Silverman (1986), equation 3.31. Free of units, and therefore the
    /// default. Both are read off the grid; a range of at most two steps, which may be that of equal values, is
    /// left out. Where all values of the class may be equal, `s` and `R` are those of all classes together: a class that is
    /// constant in a column shows no spread of its own. (R's `bw.nrd0` takes the first value instead, or 1, which depends on
    /// unit and offset.)
    #[default]
    Silverman,
    /// This number, in the unit of the column, for all classes and columns.
    Fixed(f64),
}

/// A range of this many steps may be that of equal values, whose mass is at two points, each spread over a step.
const UNRESOLVED: f64 = 2.0;

/// The largest standard deviation, in steps, of equal values: with half of their mass at either of two points.
const EQUAL: f64 = 0.5;

impl Bandwidth {
    /// Refuses a bandwidth that no kernel can have.
    pub(super) fn check(self) -> Result<(), LayoutError> {
        match self {
            Self::Fixed(value) if !(MIN_ABS_NONZERO..=MAX_ABS_VALUE).contains(&value) => {
                Err(LayoutError::Parameter { name: "the bandwidth", value, must_be: "from 2^-360 to 2^400" })
            }
            _ => Ok(()),
        }
    }

    /// The bandwidth for these masses of points that are `step` apart and their total, which is positive; `all` are the masses
    /// of all classes together.
    pub(super) fn of_masses(self, masses: &[f64], all: &[f64], total: f64, step: f64) -> f64 {
        let bandwidth = match self {
            Self::Fixed(bandwidth) => bandwidth,
            Self::JohnLangley => 1.0 / libm::sqrt(total),
            Self::Silverman => {
                let own = spread(masses, total);
                let spread = if own > EQUAL { own } else { spread(all, all.iter().sum()) };
                0.9 * spread * step * libm::pow(total, -0.2)
            }
        };
        bandwidth.clamp(step, f64::MAX)
    }
}

/// The smaller one of standard deviation and interquartile range of a normal distribution like this, in steps.
fn spread(masses: &[f64], total: f64) -> f64 {
    let range = interquartile_range(masses, total);
    let deviation = standard_deviation(masses, total);
    if range > UNRESOLVED { deviation.min(range / 1.34) } else { deviation }
}

/// The standard deviation of masses at whole numbers.
fn standard_deviation(masses: &[f64], total: f64) -> f64 {
    let mean: f64 = masses.iter().enumerate().map(|(point, mass)| point as f64 * (mass / total)).sum();
    let squares = masses.iter().enumerate().map(|(point, mass)| {
        let deviation = point as f64 - mean;
        mass / total * deviation * deviation
    });
    libm::sqrt(squares.sum())
}

/// The interquartile range of masses at whole numbers, each spread evenly from half a step below to half a step
/// above.
fn interquartile_range(masses: &[f64], total: f64) -> f64 {
    let quantile = |share: f64| {
        let mut below = 0.0;
        for (point, mass) in masses.iter().enumerate() {
            let mass = mass / total;
            if below + mass >= share && mass > 0.0 {
                return point as f64 + (share - below) / mass;
            }
            below += mass;
        }
        masses.len() as f64
    };
    quantile(0.75) - quantile(0.25)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_of_masses() {
        // Four equal masses at 0 to 3: variance 5/4, and quartiles at the borders of the second and third.
        let masses = [2.0; 4];
        assert_eq!(standard_deviation(&masses, 8.0), libm::sqrt(1.25));
        assert_eq!(interquartile_range(&masses, 8.0), 2.0);
        assert_eq!((standard_deviation(&[0.0, 3.0], 3.0), interquartile_range(&[0.0, 3.0], 3.0)), (0.0, 0.5));
    }

    #[test]
    fn rules() {
        // Spread evenly: the deviation is √((41² - 1) / 12), below 20.5 / 1.34; and 32^(-1/5) is 1/2.
        let masses = [32.0 / 41.0; 41];
        let silverman = Bandwidth::Silverman.of_masses(&masses, &masses, 32.0, 10.0);
        assert!((silverman - 0.45 * libm::sqrt(140.0) * 10.0).abs() < 1e-12, "{silverman}");
        assert_eq!(Bandwidth::JohnLangley.of_masses(&masses, &masses, 16.0, 0.01), 0.25);
        assert_eq!(Bandwidth::JohnLangley.of_masses(&masses, &masses, 16.0, 0.5), 0.5);
        assert_eq!(Bandwidth::Fixed(3.0).of_masses(&masses, &masses, 16.0, 0.5), 3.0);
        // Most of the mass at one point, as in a column with many zeros: the range is left out.
        let mut many_zeros = [1.0; 101];
        many_zeros[0] = 900.0;
        let deviation = standard_deviation(&many_zeros, 1000.0);
        let bandwidth = Bandwidth::Silverman.of_masses(&many_zeros, &many_zeros, 1000.0, 0.001);
        assert!((bandwidth - 0.9e-3 * deviation * libm::pow(1000.0, -0.2)).abs() < 1e-15);
        // A class of equal values has the spread of all classes; a column of equal values has none.
        assert_eq!(Bandwidth::Silverman.of_masses(&[0.0, 5.0], &[0.0, 5.0], 5.0, 0.25), 0.25);
        let (mut constant, mut all) = ([0.0; 41], masses);
        (constant[7], all[7]) = (32.0, all[7] + 32.0);
        let bandwidth = Bandwidth::Silverman.of_masses(&constant, &all, 32.0, 10.0);
        assert!((bandwidth - 0.45 * spread(&all, 64.0) * 10.0).abs() < 1e-12, "{bandwidth}");
        // So it is where their value lies between two points.
        (many_zeros[0], many_zeros[1]) = (450.0, 451.0);
        let deviation = standard_deviation(&many_zeros, 1000.0);
        let bandwidth = Bandwidth::Silverman.of_masses(&many_zeros, &many_zeros, 1000.0, 0.001);
        assert!((bandwidth - 0.9e-3 * deviation * libm::pow(1000.0, -0.2)).abs() < 1e-15);
    }

    #[test]
    fn impossible_bandwidths_are_refused() {
        for value in [0.0, -1.0, f64::INFINITY, 1e200] {
            let refused = Bandwidth::Fixed(value).check().unwrap_err().to_string();
            assert!(refused.contains("from 2^-360 to 2^400"), "{refused}");
        }
        assert!(Bandwidth::Fixed(f64::NAN).check().is_err());
        assert_eq!(Bandwidth::Fixed(0.5).check(), Ok(()));
    }
}
