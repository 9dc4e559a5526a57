//! Bandwidths: how wide the kernel of a class is.

use nb_core::{
    error::LayoutError,
    exact::domain::{MAX_ABS_VALUE, MIN_ABS_NONZERO},
};

use super::{cross_validation, pairs::Pairs, plug_in};

/// The standard deviation `h` of the normal kernel of a class and column.
///
/// All rules are functions of the sums, the masses at the points of the grid, so that a fit of merged or
/// retracted statistics has the bandwidths of a fit of all rows at once, to the last bit. In their formulas
/// `n` is the weight of the observed cells of the class (a weight counts as that number of equal rows), `s`
/// their maximum-likelihood standard deviation and `R` their interquartile range, all read off the grid; a
/// range of at most two steps, which may be that of equal values, is left out.
///
/// Where all values of the class may be equal, so that it shows no spread of its own,
/// [`Silverman`](Self::Silverman), [`Scott`](Self::Scott), [`SheatherJones`](Self::SheatherJones) and
/// [`CrossValidation`](Self::CrossValidation) take `s` and `R` of all classes together in the formula of
/// Silverman or Scott; the latter two take Silverman's. (R's `bw.nrd0` takes the first value instead, or 1,
/// which depends on unit and offset.) These four are free of units: values times a thousand have bandwidths
/// times a thousand. A bandwidth is never below the step of the grid, since the grid shows nothing finer.
///
/// | rule | R | statsmodels |
/// | --- | --- | --- |
/// | [`Silverman`](Self::Silverman) | `bw.nrd0` | `bw_silverman` |
/// | [`Scott`](Self::Scott) | `bw.nrd` | `bw_scott` |
/// | [`SheatherJones`](Self::SheatherJones) | `bw.SJ` | |
/// | [`CrossValidation`](Self::CrossValidation) | `bw.ucv` | `cv_ls` |
///
/// (These take the standard deviation with `n - 1`; it is larger by the factor `√(n / (n - 1))`.)
///
/// Nothing is added to a density where no kernel reaches: `d` bandwidths from the nearest value its logarithm
/// is about `-d²/2`. Where most values of a class are equal its deviation is small, and another value can be
/// hundreds of bandwidths away, so that the class is all but impossible for such a row. (Weka's `NaiveBayes
/// -K` takes `range / √n`, and every density for 10⁻⁷⁵ at least.)
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Bandwidth {
    /// `1 / √n` in the unit of the column: John and Langley (1995). It depends on the unit; columns should be
    /// on a scale of about one.
    JohnLangley,
    /// `0.9 min(s, R / 1.34) n^(-1/5)`: Silverman (1986), equation 3.31. The default.
    #[default]
    Silverman,
    /// `1.06 min(s, R / 1.34) n^(-1/5)`: the best bandwidth for a normal distribution (Silverman 1986,
    /// equation 3.28, with the robust spread; Scott, *Multivariate Density Estimation*, 1992). Smoother
    /// than [`Silverman`](Self::Silverman).
    Scott,
    /// The plug-in rule of Sheather and Jones (1991), which estimates the curvature of the density: narrow
    /// kernels for several peaks, wide ones for a single one. Silverman's where the values are too few
    /// for the estimate.
    SheatherJones,
    /// Least-squares ("unbiased") cross-validation: Rudemo (1982), Bowman (1984). From `1.144 s n^(-1/5)` on,
    /// the largest that any density of this deviation needs (Terrell 1990), the bandwidth falls for as
    /// long as the estimate of the integrated squared error, by values that are left out, falls (the
    /// largest local minimum: Hall and Marron 1991), but to `0.1144 s n^(-1/5)` at most. That end is met
    /// where many values are equal, as the estimate falls without bound there (Silverman 1986, 3.4.3).
    /// Silverman's for a weight of one or less.
    CrossValidation,
    /// This number, in the unit of the column, for all classes and columns.
    Fixed(f64),
}

/// A range of this many steps may be that of equal values, whose mass is at two points, each spread over a
/// step.
const UNRESOLVED: f64 = 2.0;

/// The largest standard deviation, in steps, of equal values: with half of their mass at either of two
/// points.
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

    /// The bandwidth for these masses of points that are `step` apart and their total, which is positive;
    /// `all` are the masses of all classes together.
    pub(super) fn of_masses(self, masses: &[f64], all: &[f64], total: f64, step: f64) -> f64 {
        let bandwidth = match self {
            Self::Fixed(bandwidth) => bandwidth,
            Self::JohnLangley => 1.0 / libm::sqrt(total),
            Self::Silverman => rule_of_thumb(SILVERMAN, masses, all, total, step),
            Self::Scott => rule_of_thumb(SCOTT, masses, all, total, step),
            Self::SheatherJones | Self::CrossValidation => {
                let own = self.by_pairs(masses, total).map(|steps| steps * step);
                own.unwrap_or_else(|| rule_of_thumb(SILVERMAN, masses, all, total, step))
            }
        };
        bandwidth.clamp(step, f64::MAX)
    }

    /// The bandwidth in steps by the rules that look at pairs of values; `None` for other rules, and where
    /// there is none.
    fn by_pairs(self, masses: &[f64], total: f64) -> Option<f64> {
        let deviation = standard_deviation(masses, total);
        if deviation <= EQUAL || total <= 1.0 {
            return None;
        }
        let pairs = Pairs::of_masses(masses, total);
        match self {
            Self::SheatherJones => {
                let range = interquartile_range(masses, total);
                plug_in::bandwidth(&pairs, deviation, Some(range).filter(|&range| range > UNRESOLVED))
            }
            Self::CrossValidation => Some(cross_validation::bandwidth(&pairs, deviation)),
            _ => None,
        }
    }
}

/// The factors of the rules of thumb.
const SILVERMAN: f64 = 0.9;
const SCOTT: f64 = 1.06;

/// A factor times spread times `n^(-1/5)`, in the unit of the step.
fn rule_of_thumb(factor: f64, masses: &[f64], all: &[f64], total: f64, step: f64) -> f64 {
    let own = spread(masses, total);
    let spread = if own > EQUAL { own } else { spread(all, all.iter().sum()) };
    factor * spread * step * libm::pow(total, -0.2)
}

/// The smaller one of standard deviation and interquartile range of a normal distribution like this, in
/// steps.
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

/// The interquartile range of masses at whole numbers, each spread evenly from half a step below to half a
/// step above.
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
    fn values_without_a_spread_have_that_of_all_classes() {
        let (mut constant, all) = ([0.0; 41], [32.0 / 41.0; 41]);
        constant[7] = 32.0;
        let of = |rule: Bandwidth, own: &[f64], total| rule.of_masses(own, &all, total, 10.0);
        let silverman = of(Bandwidth::Silverman, &constant, 32.0);
        assert!((silverman - 0.45 * spread(&all, 32.0) * 10.0).abs() < 1e-12, "{silverman}");
        assert!((of(Bandwidth::Scott, &constant, 32.0) / silverman - 1.06 / 0.9).abs() < 1e-12);
        for rule in [Bandwidth::SheatherJones, Bandwidth::CrossValidation] {
            assert_eq!(of(rule, &constant, 32.0), silverman);
            // A weight of one has no pairs, also where its rows differ.
            let lone = [1.0 / 41.0; 41];
            assert_eq!(of(rule, &lone, 1.0), of(Bandwidth::Silverman, &lone, 1.0));
        }
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
