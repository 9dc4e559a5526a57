//! Exact sums.

use std::fmt::Write;

use naive_bayes::{
    Gaussian, NaiveBayes, SufficientStats,
    nb_core::{VarianceSmoothing, exact::Exact},
    ndarray::{Array2, s},
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("order");
    // ANCHOR: order
    let values = [1e16, 1.0, -1e16, 1.0];
    let plain: f64 = values.iter().sum();
    let backwards: f64 = values.iter().rev().sum();
    writeln!(
        out,
        "in doubles {plain}, backwards {backwards}, exactly {}",
        Exact::sum(values).to_f64()
    )?;
    // ANCHOR_END: order

    out.part("offset");
    // ANCHOR: offset
    // A thousand values with a standard deviation of 1, far from zero.
    let normal = Normal::new(1e9, 1.0)?;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let x = Array2::from_shape_fn((1000, 1), |_| normal.sample(&mut rng));
    let n = x.nrows() as f64;
    let (sum, squares): (f64, f64) = (x.sum(), x.iter().map(|x| x * x).sum());
    writeln!(
        out,
        "mean of squares less square of mean: {}",
        squares / n - (sum / n).powi(2)
    )?;
    let gaussian =
        Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let fitted = NaiveBayes::new(gaussian).fit(&x, &["all"; 1000])?;
    writeln!(
        out,
        "from exact sums:                     {:.6}",
        fitted.likelihood().variances()[[0, 0]]
    )?;
    // ANCHOR_END: offset

    out.part("laws");
    // ANCHOR: laws
    let labels: Vec<u8> = (0..1000).map(|row| u8::from(row % 3 == 0)).collect();
    let mut whole = SufficientStats::new(&gaussian, 1)?;
    whole.update(&gaussian, &x, &labels)?;

    // In two parts, the second one first, row by row; then merged.
    let mut second = whole.empty();
    for row in (400..1000).rev() {
        second.update(
            &gaussian,
            &x.slice(s![row..=row, ..]),
            &labels[row..=row],
        )?;
    }
    let mut first = whole.empty();
    first.update(&gaussian, &x.slice(s![..400, ..]), &labels[..400])?;
    second.merge(&first)?;
    writeln!(out, "merged in another order, the same: {}", second == whole)?;

    // The last 600 rows are taken out again.
    second.retract(&gaussian, &x.slice(s![400.., ..]), &labels[400..])?;
    writeln!(
        out,
        "without rows that were there, the same as never seen: {}",
        second == first
    )?;
    // ANCHOR_END: laws
    Ok(())
}
