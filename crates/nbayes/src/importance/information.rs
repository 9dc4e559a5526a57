//! How much each feature tells about the class: the mutual information under the model.
//!
//! `I(X; C) = Σ_c π_c E_c[log p_c(X) - log Σ_k π_k p_k(X)]` in nats, with the priors `π` and the fitted
//! distributions `p`. Shannon, *A Mathematical Theory of Communication* (1948); for terms of texts Manning,
//! Raghavan and Schütze, *Introduction to Information Retrieval* (2008), section 13.5.1. It is at most the
//! entropy of the classes. How often a feature occurs counts, so that a word which is rare, or as frequent in
//! every class, tells little.
//!
//! - Categories, bins, thresholds: the sum over the events.
//! - Terms and other parts of a total: whether one event of a row, such as a word, is this one; two events.
//! - Normal distributions: adaptive Simpson quadrature of the mixture, for each class within 9 of its
//!   standard deviations, with an error of about 1e-6.
//! - Kernel densities and normal distributions after a power: Simpson's rule between nodes close together.
//! - A value beside a normal distribution: whether it is this value, and what the other values tell where it
//!   is not.
//! - Counts: the sum over counts within 30 standard deviations of each class, over every n-th one where they
//!   are more than 4,000, or fewer with many classes.
//! - With more than 1000 classes, numbers are integrated for about 500 of them and counts for 100, evenly
//!   chosen, as the work grows with the square of the classes.
//! - Weights that are no distribution (complement): unknown.

use nb_core::{
    Classifier,
    description::{Formula, Inspect, Outline},
};
use nb_io::{FittedFamily, Schema};

use crate::model::for_each_block;

/// What is less is left over by rounding.
const ROUNDING: f64 = 1e-12;

/// A feature, and what it tells about the class.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) feature: usize,
    /// In nats.
    pub(crate) information: f64,
    /// The class in which it is largest or most frequent; none for categories.
    pub(crate) highest_in: Option<usize>,
}

/// `Σ_c -π_c log π_c` in nats.
pub(crate) fn entropy(priors: &[f64]) -> f64 {
    0.0 - priors.iter().filter(|prior| **prior > 0.0).map(|prior| prior * libm::log(*prior)).sum::<f64>()
}

/// All features that tell something of classes with these priors, the most informative first. Nothing if a
/// feature has no distribution.
pub(crate) fn ranked(
    classifier: &Classifier<String, FittedFamily>,
    schema: &Schema,
    priors: &[f64],
) -> Option<Vec<Told>> {
    let (mut all, mut has_all) = (Vec::new(), true);
    for_each_block(classifier.likelihood(), schema.n_features(), &mut |columns, fitted| {
        let Some(fitted) = fitted.inspect() else { return has_all = false };
        for (position, &feature) in columns.iter().enumerate() {
            let Some(outline) = fitted.outline(position) else { return has_all = false };
            let Some(information) = information(fitted, position, &outline, priors) else {
                return has_all = false;
            };
            if information > ROUNDING {
                all.push(Told { feature, information, highest_in: highest(&outline) });
            }
        }
    });
    all.sort_by(|a, b| b.information.total_cmp(&a.information).then(a.feature.cmp(&b.feature)));
    has_all.then_some(all)
}

fn information(fitted: &dyn Inspect, column: usize, outline: &Outline, priors: &[f64]) -> Option<f64> {
    let told = match outline {
        Outline::Categories(categories) => {
            let known =
                of_events(categories.iter().map(|(_, probabilities)| probabilities.as_slice()), priors);
            // What is left is the category of all that were never seen, if there is one.
            let rest =
                |class: usize| -> f64 { 1.0 - categories.iter().map(|(_, all)| all[class]).sum::<f64>() };
            let rest: Vec<f64> = (0..priors.len()).map(|class| rest(class).max(0.0)).collect();
            known + of_events([rest.as_slice()], priors)
        }
        Outline::Bins(bins) => of_events(bins.iter().map(Vec::as_slice), priors),
        Outline::Threshold { up_to, above, .. } => of_events([up_to.as_slice(), above], priors),
        Outline::Share(shares) => of_event(shares, priors),
        Outline::Real(normals) => of_normals(normals, priors),
        Outline::Smooth { nodes, .. } => {
            of_densities(nodes, |class, value| fitted.log_likelihood(class, column, value), priors)
        }
        Outline::Beside { others, .. } => {
            let at_value: Vec<f64> = fitted.parameters(column).first()?.1.clone();
            let elsewhere: Vec<f64> =
                priors.iter().zip(&at_value).map(|(prior, p)| prior * (1.0 - p)).collect();
            let share: f64 = elsewhere.iter().sum();
            let rest = elsewhere.iter().map(|weight| weight / share).collect::<Vec<_>>();
            let rest = if share > 0.0 { share * of_normals(others, &rest) } else { 0.0 };
            of_event(&at_value, priors) + rest
        }
        Outline::Counts(moments) => {
            let formulas: Option<Vec<Formula>> =
                (0..priors.len()).map(|class| fitted.formula(class, column)).collect();
            of_counts(moments, &formulas?, priors)
        }
        _ => return None,
    };
    // Rounding may leave less than nothing, and no feature tells more than there is to know.
    Some(told.clamp(0.0, entropy(priors)))
}

/// The class with the largest value; none if all are alike.
fn highest(outline: &Outline) -> Option<usize> {
    let values: Vec<f64> = match outline {
        Outline::Share(values) | Outline::Threshold { above: values, .. } => values.clone(),
        Outline::Real(moments)
        | Outline::Smooth { moments, .. }
        | Outline::Counts(moments)
        | Outline::Beside { others: moments, .. } => moments.iter().map(|(mean, _)| *mean).collect(),
        _ => return None,
    };
    (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]).then(b.cmp(&a)))
}

/// `Σ_e Σ_c π_c p_c(e) log(p_c(e) / p(e))` over events, whose probabilities are those in each class.
fn of_events<'a>(events: impl IntoIterator<Item = &'a [f64]>, priors: &[f64]) -> f64 {
    let of_event = |of_classes: &[f64]| -> f64 {
        let all: f64 = of_classes.iter().zip(priors).map(|(p, prior)| p * prior).sum();
        let classes = of_classes.iter().zip(priors).filter(|(p, prior)| **p > 0.0 && **prior > 0.0);
        classes.map(|(p, prior)| prior * p * libm::log(p / all)).sum()
    };
    events.into_iter().map(of_event).sum()
}

/// The same of one event and of its not happening.
fn of_event(of_classes: &[f64], priors: &[f64]) -> f64 {
    let all: f64 = of_classes.iter().zip(priors).map(|(p, prior)| p * prior).sum();
    let absent: f64 = of_classes
        .iter()
        .zip(priors)
        .filter(|(p, _)| **p < 1.0)
        .map(|(p, prior)| prior * (1.0 - p) * (libm::log1p(-p) - libm::log1p(-all)))
        .sum();
    of_events([of_classes], priors) + absent
}

/// The information in the class of a normal distribution, by its mean and standard deviation in each class.
fn of_normals(normals: &[(f64, f64)], priors: &[f64]) -> f64 {
    const LIMIT: f64 = 9.0;
    const FAR: f64 = 12.0;
    const TOLERANCE: f64 = 1e-7;
    /// Of more classes the edges are not marked, as they lie close anyway.
    const MOST_MARKED: usize = 50;
    if normals.iter().any(|(mean, deviation)| !mean.is_finite() || !deviation.is_finite()) {
        return 0.0;
    }
    let normals: Vec<(f64, f64)> =
        normals.iter().map(|&(mean, deviation)| (mean, deviation.max(f64::MIN_POSITIVE))).collect();
    let of_class = |&(mean, deviation): &(f64, f64)| {
        // In standard deviations from its mean, so that nothing is lost at large offsets.
        let others: Vec<[f64; 3]> = normals
            .iter()
            .zip(priors)
            .filter(|(_, prior)| **prior > 0.0)
            .map(|(&(other, spread), prior)| {
                let ratio = deviation / spread;
                [(mean - other) / spread, ratio, libm::log(*prior) + libm::log(ratio)]
            })
            // Classes so far away that they change nothing within the limits.
            .filter(|[shift, ratio, _]| shift.abs() < FAR + LIMIT * ratio)
            .collect();
        let integrand = |z: f64| {
            let own = -0.5 * z * z;
            let log = |[shift, ratio, log]: &[f64; 3]| {
                let z = shift + ratio * z;
                log - 0.5 * z * z
            };
            let density = libm::exp(own) / libm::sqrt(std::f64::consts::TAU);
            density * (own - log_sum(others.iter().map(log)))
        };
        let mut edges: Vec<f64> = (-9..=9).map(f64::from).collect();
        if normals.len() <= MOST_MARKED {
            let marks = normals.iter().flat_map(|&(other, spread)| {
                [-4.0, 0.0, 4.0].map(|mark| (other - mean + mark * spread) / deviation)
            });
            edges.extend(marks.filter(|mark| mark.abs() < LIMIT));
            edges.sort_by(f64::total_cmp);
        }
        let parts = edges.windows(2).filter(|edge| edge[1] > edge[0]);
        parts.map(|edge| simpson(&integrand, edge[0], edge[1], TOLERANCE)).sum::<f64>()
    };
    mean_of_classes(priors, 500, |class| of_class(&normals[class]))
}

/// The information in the class of numbers with these densities, by Simpson's rule between neighbouring
/// nodes.
fn of_densities(nodes: &[f64], log_density: impl Fn(usize, f64) -> f64, priors: &[f64]) -> f64 {
    let at = |x: f64| -> f64 {
        let logs: Vec<f64> = (0..priors.len()).map(|class| log_density(class, x)).collect();
        let of_classes = || logs.iter().zip(priors).filter(|(_, prior)| **prior > 0.0);
        let all = log_sum(of_classes().map(|(log, prior)| log + libm::log(*prior)));
        let possible = of_classes().filter(|(log, _)| **log > f64::NEG_INFINITY);
        possible.map(|(log, prior)| prior * libm::exp(*log) * (log - all)).sum()
    };
    let mut sum = 0.0;
    let mut first = nodes.first().map_or(0.0, |&node| at(node));
    for pair in nodes.windows(2) {
        let (middle, last) = (at(f64::midpoint(pair[0], pair[1])), at(pair[1]));
        sum += (pair[1] - pair[0]) / 6.0 * (first + 4.0 * middle + last);
        first = last;
    }
    sum
}

/// The information in the class of a count, by its mean and standard deviation in each class, and the
/// logarithms of its probabilities without `log x!`.
fn of_counts(moments: &[(f64, f64)], formulas: &[Formula], priors: &[f64]) -> f64 {
    const SPREADS: f64 = 30.0;
    /// How many terms there are at most over all classes of the sums and of the mixture.
    const MOST_TERMS: f64 = 2e7;
    let n_classes = priors.len() as f64;
    let most = (MOST_TERMS / (n_classes * n_classes.min(1000.0))).clamp(200.0, 4_000.0);
    // All small counts, as most of a skewed distribution is there.
    let small = most / 4.0;
    let of_class = |class: usize| {
        let (mean, spread) = moments[class];
        let first = libm::floor(mean - SPREADS * spread).max(0.0);
        let last = libm::ceil(mean + SPREADS * spread) + 20.0;
        let step = if last - first < most { 1.0 } else { libm::ceil((last - first) / most) };
        let (mut sum, mut count) = (0.0, first);
        while count <= last {
            let width = if count < small { 1.0 } else { step };
            let log = formulas[class].evaluate(count);
            if log > f64::NEG_INFINITY {
                let logs = formulas.iter().zip(priors).filter(|(_, prior)| **prior > 0.0);
                let all = log_sum(logs.map(|(formula, prior)| libm::log(*prior) + formula.evaluate(count)));
                sum += width * libm::exp(log - libm::lgamma(count + 1.0)) * (log - all);
            }
            count += width;
        }
        sum
    };
    mean_of_classes(priors, 100, of_class)
}

/// `Σ_c π_c f(c)`; of very many classes over about `some`.
fn mean_of_classes(priors: &[f64], some: usize, of_class: impl Fn(usize) -> f64) -> f64 {
    const MOST: usize = 1000;
    let step = if priors.len() > MOST { priors.len().div_ceil(some) } else { 1 };
    let classes = || (0..priors.len()).step_by(step).filter(|&class| priors[class] > 0.0);
    let weight: f64 = if step == 1 { 1.0 } else { classes().map(|class| priors[class]).sum() };
    let sum: f64 = classes().map(|class| priors[class] * of_class(class)).sum();
    if weight > 0.0 { sum / weight } else { 0.0 }
}

/// `log Σ exp(log)`.
fn log_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if !largest.is_finite() {
        return largest;
    }
    largest + libm::log(logs.map(|log| libm::exp(log - largest)).sum())
}

/// The integral of a smooth function between two points, by Simpson's rule on halves until they agree.
fn simpson(f: &dyn Fn(f64) -> f64, from: f64, to: f64, tolerance: f64) -> f64 {
    let middle = 0.5 * (from + to);
    let ends = [f(from), f(middle), f(to)];
    let whole = (to - from) / 6.0 * (ends[0] + 4.0 * ends[1] + ends[2]);
    halves(f, [from, to], ends, whole, tolerance, 20)
}

fn halves(
    f: &dyn Fn(f64) -> f64,
    [from, to]: [f64; 2],
    [first, between, last]: [f64; 3],
    whole: f64,
    tolerance: f64,
    depth: u32,
) -> f64 {
    let (middle, quarter) = (0.5 * (from + to), 0.25 * (to - from));
    let [left, right] = [f(from + quarter), f(middle + quarter)];
    let sides = [[first, left, between], [between, right, last]];
    let areas = sides.map(|[a, b, c]| quarter / 3.0 * (a + 4.0 * b + c));
    let difference = areas[0] + areas[1] - whole;
    if depth == 0 || difference.abs() <= 15.0 * tolerance {
        return areas[0] + areas[1] + difference / 15.0;
    }
    let half = tolerance / 2.0;
    halves(f, [from, middle], sides[0], areas[0], half, depth - 1)
        + halves(f, [middle, to], sides[1], areas[1], half, depth - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: [f64; 2] = [0.5, 0.5];

    fn assert_near(found: f64, expected: f64, bound: f64) {
        assert!((found - expected).abs() <= bound, "{found} is not {expected}");
    }

    #[test]
    fn events_tell_what_they_distinguish() {
        let ln_2 = std::f64::consts::LN_2;
        assert_near(of_events([[1.0, 0.0].as_slice(), &[0.0, 1.0]], &EVEN), ln_2, 1e-15);
        assert_near(of_event(&[1.0, 0.0], &EVEN), ln_2, 1e-15);
        assert_near(of_event(&[0.3, 0.3], &[0.2, 0.8]), 0.0, 1e-16);
        // A term in one of a thousand words of one class: π p log(p / πp) and nearly nothing for its absence.
        let p = 1e-3_f64;
        let absence = 0.5 * (1.0 - p) * ((1.0 - p) / (1.0 - p / 2.0)).ln() - 0.5 * (1.0 - p / 2.0_f64).ln();
        assert_near(of_event(&[p, 0.0], &EVEN), 0.5 * p * ln_2 + absence, 1e-15);
    }

    /// The same integral by many even steps.
    fn by_steps(normals: &[(f64, f64)], priors: &[f64], from: f64, to: f64) -> f64 {
        const STEPS: u32 = 400_000;
        let width = (to - from) / f64::from(STEPS);
        let density = |x: f64, &(mean, sd): &(f64, f64)| {
            (-0.5 * ((x - mean) / sd).powi(2)).exp() / (sd * std::f64::consts::TAU.sqrt())
        };
        let at = |x: f64| -> f64 {
            let densities: Vec<f64> = normals.iter().map(|normal| density(x, normal)).collect();
            let all: f64 = densities.iter().zip(priors).map(|(p, prior)| p * prior).sum();
            let terms = densities.iter().zip(priors).filter(|(p, _)| **p > 0.0);
            terms.map(|(p, prior)| prior * p * (p / all).ln()).sum()
        };
        (0..STEPS).map(|step| at(from + (f64::from(step) + 0.5) * width) * width).sum()
    }

    #[test]
    fn normal_distributions_are_integrated() {
        for (normals, priors) in [
            (vec![(0.0, 1.0), (2.0, 1.0)], vec![0.5, 0.5]),
            (vec![(0.0, 1.0), (0.5, 0.01)], vec![0.9, 0.1]),
            (vec![(0.0, 3.0), (0.0, 1.0), (4.0, 0.2)], vec![0.2, 0.3, 0.5]),
        ] {
            assert_near(of_normals(&normals, &priors), by_steps(&normals, &priors, -30.0, 30.0), 1e-6);
            let far: Vec<_> = normals.iter().map(|&(mean, sd)| (1e6 + mean, sd)).collect();
            assert_near(of_normals(&far, &priors), of_normals(&normals, &priors), 1e-6);
        }
        assert_near(of_normals(&[(0.0, 1.0), (1e3, 1.0)], &EVEN), std::f64::consts::LN_2, 1e-6);
        assert_near(of_normals(&[(5.0, 2.0), (5.0, 2.0)], &EVEN), 0.0, 1e-12);
        assert_eq!(of_normals(&[(5.0, f64::INFINITY), (1.0, f64::INFINITY)], &EVEN), 0.0);
        // A spread that is nothing beside the other.
        assert_near(of_normals(&[(0.0, 1.0), (0.5, 1e-30)], &EVEN), std::f64::consts::LN_2, 1e-6);
    }

    #[test]
    fn densities_are_summed_between_nodes() {
        let normals = [(0.0, 1.0), (2.0, 0.5)];
        let log_density = |class: usize, x: f64| {
            let (mean, sd) = normals[class];
            -0.5 * ((x - mean) / sd).powi(2) - (sd * std::f64::consts::TAU.sqrt()).ln()
        };
        let nodes: Vec<f64> = (-40..=50).map(|fifth| f64::from(fifth) / 5.0).collect();
        assert_near(of_densities(&nodes, log_density, &EVEN), of_normals(&normals, &EVEN), 1e-6);
        assert_near(of_densities(&[], log_density, &EVEN), 0.0, 0.0);
    }

    #[test]
    fn counts_are_summed() {
        let poisson = |rate: f64| Formula::Sum(vec![Formula::times_cell(rate.ln()), Formula::Number(-rate)]);
        let found =
            |rates: [f64; 2]| of_counts(&rates.map(|rate| (rate, rate.sqrt())), &rates.map(poisson), &EVEN);
        // By hand: only 0 and 1 matter, and p(1) is 1e-6 and 3e-6.
        let expected = of_event(&[1e-6, 3e-6], &EVEN);
        assert_near(found([1e-6, 3e-6]), expected, 1e-11);
        assert_near(found([3.0, 3.0]), 0.0, 1e-12);
        assert_near(found([1.0, 500.0]), std::f64::consts::LN_2, 1e-9);
        // Large counts are nearly normal.
        let normals = [(1e8, 1e4), (1e8 + 1e4, (1e8_f64 + 1e4).sqrt())];
        assert_near(found([1e8, 1e8 + 1e4]), of_normals(&normals, &EVEN), 1e-4);
    }
}
