//! What each value of a feature adds to the scores of the classes, for pictures.

use nb_core::{Classifier, Likelihood, description::Outline};
use nb_io::{FittedFamily, Kind};
use numpy::{IntoPyArray, PyArray1, ndarray::Array2};
use pyo3::{exceptions::PyIndexError, prelude::*, types::PyDict};

/// The number of values at which a curve is computed.
const N_NODES: usize = 256;
/// How many standard deviations around the mean of a class are shown.
const REACH: f64 = 3.5;
/// The most values of a count that are shown one by one.
const MOST_COUNTS: f64 = 200.0;

/// Where a feature has values, and how they are drawn.
enum Values {
    /// Intervals between cut points; a value equal to a cut is in the interval below it.
    Bins(Vec<f64>),
    /// Codes, and their names.
    Categories(Vec<f64>, Vec<String>),
    /// Numbers of a smooth curve.
    Curve(Vec<f64>),
    /// Numbers of times that something occurs: what counts is one of them.
    Occurrences,
}

/// A feature as a dictionary: `kind` with `cuts`, `levels` or `values`, `contributions` (value × class),
/// `missing` (class) and `shares` (value × class: the probabilities of the values, which are empty where they
/// are not known). `None` if no column of the model has its own term.
pub(crate) fn shape<'py, L: Ord + Clone>(
    py: Python<'py>,
    classifier: &Classifier<L, FittedFamily>,
    feature: usize,
    kind: Option<&Kind>,
    span: Option<(f64, f64)>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    if feature >= classifier.n_columns() {
        return Err(PyIndexError::new_err(format!("there is no feature {feature}")));
    }
    let likelihood = classifier.likelihood();
    let Some((fitted, position)) = block(likelihood, feature).filter(|_| likelihood.is_additive()) else {
        return Ok(None);
    };
    let Some(outline) = fitted.inspect().and_then(|inspect| inspect.outline(position)) else {
        return Ok(None);
    };
    let cuts = fitted.inspect().and_then(|inspect| inspect.cuts(position));
    let (values, shares) = values(likelihood, outline, feature, cuts, kind, span);
    let n_classes = classifier.classes().len();
    let at = match &values {
        Values::Bins(cuts) => inner(cuts),
        Values::Categories(codes, _) => codes.clone(),
        Values::Curve(numbers) => numbers.clone(),
        Values::Occurrences => vec![0.0, 1.0],
    };
    let score = |class: usize, value: f64| likelihood.log_likelihood(class, feature, value);
    let contributions = Array2::from_shape_fn((at.len(), n_classes), |(row, class)| score(class, at[row]));
    let missing: Vec<f64> = (0..n_classes).map(|class| score(class, f64::NAN)).collect();
    let answer = PyDict::new(py);
    match values {
        Values::Bins(cuts) => {
            answer.set_item("kind", "bins")?;
            answer.set_item("cuts", PyArray1::from_vec(py, cuts))?;
        }
        Values::Categories(_, levels) => {
            answer.set_item("kind", "categories")?;
            answer.set_item("levels", levels)?;
        }
        Values::Curve(numbers) => {
            answer.set_item("kind", "curve")?;
            answer.set_item("values", PyArray1::from_vec(py, numbers))?;
        }
        Values::Occurrences => answer.set_item("kind", "occurrences")?,
    }
    // Corrections with cut points of their own have intervals that no counts are known of.
    let shares = if shares.len() == at.len() { shares } else { Vec::new() };
    let shares = Array2::from_shape_fn((shares.len(), n_classes), |(row, class)| shares[row][class]);
    answer.set_item("contributions", contributions.into_pyarray(py))?;
    answer.set_item("missing", PyArray1::from_vec(py, missing))?;
    answer.set_item("shares", shares.into_pyarray(py))?;
    Ok(Some(answer))
}

/// The family that has a feature, and the place of the feature in it.
pub(crate) fn block(fitted: &FittedFamily, feature: usize) -> Option<(&FittedFamily, usize)> {
    match fitted {
        FittedFamily::Blocks(blocks) => blocks.iter().find_map(|(columns, fitted)| {
            let position = columns.iter().position(|&column| column == feature)?;
            block(fitted, position)
        }),
        FittedFamily::Refined(refined) => block(refined.fitted(), feature),
        fitted => Some((fitted, feature)),
    }
}

/// The values of a feature, and the probability of each in each class where that is known.
fn values(
    likelihood: &FittedFamily,
    outline: Outline,
    feature: usize,
    cuts: Option<&[f64]>,
    kind: Option<&Kind>,
    span: Option<(f64, f64)>,
) -> (Values, Vec<Vec<f64>>) {
    let curve = |low: f64, high: f64| {
        let step = (high - low) / (N_NODES - 1) as f64;
        Values::Curve((0..N_NODES).map(|node| low + node as f64 * step).collect())
    };
    match outline {
        Outline::Bins(_) if likelihood.has_line(feature) => {
            let breaks = likelihood.breaks(feature, cuts.unwrap_or_default());
            let (low, high) = span.unwrap_or_else(|| span_of_cuts(&breaks));
            let step = (high - low) / (N_NODES - 1) as f64;
            let nodes = (0..N_NODES).map(|node| low + node as f64 * step);
            // One on either side of each break, where the score may jump.
            let mut values: Vec<f64> =
                nodes.chain(breaks.iter().flat_map(|at| [*at, at.next_up()])).collect();
            values.retain(|value| (low..=high).contains(value));
            values.sort_by(f64::total_cmp);
            values.dedup();
            (Values::Curve(values), Vec::new())
        }
        Outline::Bins(shares) => (Values::Bins(likelihood.breaks(feature, cuts.unwrap_or_default())), shares),
        Outline::Categories(categories) => {
            let name = |code: usize| match kind {
                Some(Kind::Categorical { levels }) if code < levels.len() => levels[code].clone(),
                _ => code.to_string(),
            };
            let names = categories.iter().map(|(code, _)| name(*code)).collect();
            let codes = categories.iter().map(|(code, _)| *code as f64).collect();
            (Values::Categories(codes, names), categories.into_iter().map(|(_, shares)| shares).collect())
        }
        Outline::Threshold { threshold, up_to, above } => {
            let beyond = threshold + threshold.abs().max(1.0);
            let names = vec![format!("≤ {threshold}"), format!("> {threshold}")];
            (Values::Categories(vec![threshold, beyond], names), vec![up_to, above])
        }
        Outline::Counts(moments) => {
            let (_, high) = span.unwrap_or_else(|| of_moments(&moments));
            let high = high.ceil().max(1.0);
            if high > MOST_COUNTS {
                return (curve(0.0, high), Vec::new());
            }
            (Values::Curve((0..=high as usize).map(|count| count as f64).collect()), Vec::new())
        }
        Outline::Real(moments)
        | Outline::Smooth { moments, .. }
        | Outline::Beside { others: moments, .. } => {
            let (low, high) = span.unwrap_or_else(|| of_moments(&moments));
            (curve(low, high), Vec::new())
        }
        Outline::Share(shares) => (Values::Occurrences, vec![vec![1.0; shares.len()], shares]),
        // Weights are no probabilities.
        _ => (Values::Occurrences, Vec::new()),
    }
}

/// From below the first cut to above the last, by a twentieth of what is between them.
fn span_of_cuts(cuts: &[f64]) -> (f64, f64) {
    let (low, high) = (cuts.first().copied().unwrap_or(0.0), cuts.last().copied().unwrap_or(0.0));
    let room = if high > low { 0.05 * (high - low) } else { low.abs().max(1.0) };
    (low - room, high + room)
}

/// A value in each of the intervals between cut points.
fn inner(cuts: &[f64]) -> Vec<f64> {
    cuts.iter().copied().chain([cuts.last().map_or(0.0, |last| last.next_up())]).collect()
}

/// The range in which the values of all classes are expected.
fn of_moments(moments: &[(f64, f64)]) -> (f64, f64) {
    let ends = moments.iter().map(|(mean, sd)| (mean - REACH * sd, mean + REACH * sd));
    let finite = ends.filter(|(low, high)| low.is_finite() && high.is_finite());
    let hull =
        finite.reduce(|(low, high), (other_low, other_high)| (low.min(other_low), high.max(other_high)));
    let (low, high) = hull.unwrap_or((-1.0, 1.0));
    // A feature of which all values are equal.
    if low < high { (low, high) } else { (low - 1.0, high + 1.0) }
}
