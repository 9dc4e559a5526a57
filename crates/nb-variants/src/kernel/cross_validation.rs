//! Least-squares cross-validation: Rudemo (*Empirical choice of histograms and kernel density estimators*,
//! Scand. J. Stat. 9, 1982) and Bowman (*An alternative method of cross-validation for the smoothing of
//! density estimates*, Biometrika 71, 1984).

use super::pairs::Pairs;

/// The largest bandwidth that is looked at, as a multiple of `s n^(-1/5)`: no density of this deviation is
/// smoother (Terrell 1990).
pub(super) const OVERSMOOTHED: f64 = 1.144;

/// The least one, as a share of the largest; both as in R's `bw.ucv`.
pub(super) const LEAST_SHARE: f64 = 0.1;

/// Into how many parts of equal ratios the range is divided, to find where there are minima.
const TRIED: u32 = 40;

/// How far apart the ends of the last golden section are, relative to the largest bandwidth.
const FINE: f64 = 1e-8;

/// The first minimum from above, in steps, of the estimate of the integrated squared error, between
/// [`LEAST_SHARE`] and one times [`OVERSMOOTHED`]` s n^(-1/5)`; the ends count. `deviation` is in steps.
///
/// Smaller minima are mostly chance, or come of equal values (Hall and Marron, *Local minima in
/// cross-validation functions*, J. R. Stat. Soc. B 53, 1991).
pub(super) fn bandwidth(pairs: &Pairs, deviation: f64) -> f64 {
    let largest = OVERSMOOTHED * deviation * libm::pow(pairs.total(), -0.2);
    let tried: Vec<f64> =
        (0..=TRIED).map(|at| largest * libm::pow(LEAST_SHARE, f64::from(at) / f64::from(TRIED))).collect();
    let errors: Vec<f64> = tried.iter().map(|&bandwidth| error(pairs, bandwidth)).collect();
    let last = tried.len() - 1;
    let minimum = (0..last).find(|&at| errors[at] <= errors[at + 1]).unwrap_or(last);
    let (mut low, mut high) = (tried[(minimum + 1).min(last)], tried[minimum.saturating_sub(1)]);
    let golden = (libm::sqrt(5.0) - 1.0) / 2.0;
    let inner = |low: f64, high: f64| (high - golden * (high - low), low + golden * (high - low));
    let (mut left, mut right) = inner(low, high);
    let (mut at_left, mut at_right) = (error(pairs, left), error(pairs, right));
    while high - low > FINE * largest {
        if at_left <= at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = inner(low, high).0;
            at_left = error(pairs, left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = inner(low, high).1;
            at_right = error(pairs, right);
        }
    }
    low + (high - low) / 2.0
}

/// `∫ p̂² - 2/n Σ_i p̂_(-i)(x_i)`, which is the integrated squared error up to a constant, with `n` for `n - 1`
/// (Silverman 1986, equation 3.39): `(1/2 + 1/n Σ_(i<j) exp(-d²/4) - √8 exp(-d²/2)) / (n h √π)` with `d =
/// (x_i - x_j) / h`.
fn error(pairs: &Pairs, bandwidth: f64) -> f64 {
    let sum = pairs.sum(bandwidth, |square| {
        let wide = libm::exp(-square / 4.0);
        wide - libm::sqrt(8.0) * wide * wide
    });
    (0.5 + sum / pairs.total()) / bandwidth
}
