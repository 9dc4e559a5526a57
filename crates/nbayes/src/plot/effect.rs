//! What a feature adds to the scores of the classes, value by value.

use super::{
    feature::{Fitted, Law, PlottedColumn},
    interval::Uncertainty,
    limits,
};

/// The values of a feature that have their own terms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Values {
    /// Bins between cut points; a value that is equal to one lies below it.
    Bins(Vec<f64>),
    /// Categories by name.
    Categories(Vec<String>),
    /// Numbers, close together.
    Numbers(Vec<f64>),
}

/// What a feature adds to the scores of the classes: with two classes to the log-odds of the second one; with
/// more to the log-score of each, centred, since only differences between classes matter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Effect {
    pub(crate) values: Values,
    /// For every value one number per curve; infinite where a class cannot have the value.
    pub(crate) adds: Vec<Vec<f64>>,
    /// For every value half the width of the 95 % interval of each curve; `None` where that is not known.
    pub(crate) half_widths: Vec<Option<Vec<f64>>>,
    /// The share of the training rows that the model expects at every value; may be empty.
    pub(crate) shares: Vec<f64>,
    /// What a missing cell adds, if it adds something.
    pub(crate) missing: Option<Vec<f64>>,
    /// A single number with its own probability, and what it adds.
    pub(crate) single: Option<(f64, Vec<f64>)>,
}

/// What a value adds, as JSON has it: one number for two classes, else one per class.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub(crate) struct Added {
    #[serde(flatten)]
    value: Value,
    adds: Vec<f64>,
    /// Half the width of the 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    half_width_95: Option<Vec<f64>>,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
enum Value {
    Bin { above: Option<f64>, up_to: Option<f64> },
    Category { category: String },
    Number { number: f64 },
    Missing { missing: bool },
}

/// Numbers at which smooth curves are computed.
const NODES: usize = 600;

impl Effect {
    /// `class_shares` are those of the training rows; curves of numbers without bins go over `span`.
    pub(crate) fn new(
        classifier: &Fitted,
        feature: &PlottedColumn,
        class_shares: &[f64],
        span: (f64, f64),
    ) -> Self {
        let adds = |value: f64| {
            let scores = 0..classifier.classes().len();
            let scores = scores.map(|class| feature.log_likelihood(classifier, class, value));
            centred(&scores.collect::<Vec<f64>>(), class_shares)
        };
        let mixture = |probabilities: &[f64]| -> f64 {
            probabilities.iter().zip(class_shares).map(|(p, share)| p * share).sum()
        };
        let (values, at, shares) = match &feature.law {
            Law::Bins { cuts, probabilities } if classifier.likelihood().has_line(feature.column) => {
                let at = along(&jumps(classifier, feature), span);
                let mut n_nodes = vec![0.0; cuts.len() + 1];
                let bin = |value: &f64| cuts.partition_point(|cut| cut < value);
                for value in &at {
                    n_nodes[bin(value)] += 1.0;
                }
                // The rows of a bin are shared out among the numbers in it.
                let share = |value: &f64| mixture(&probabilities[bin(value)]) / n_nodes[bin(value)];
                let shares = at.iter().map(share).collect();
                (Values::Numbers(at.clone()), at, shares)
            }
            Law::Bins { cuts, probabilities } => {
                let all = jumps(classifier, feature);
                let at = inner(&all);
                // Where corrections have cut points of their own, no counts of the bins are known.
                let shares = if all == *cuts {
                    probabilities.iter().map(|bin| mixture(bin)).collect()
                } else {
                    Vec::new()
                };
                (Values::Bins(all), at, shares)
            }
            Law::Categories { levels, .. } => {
                let names = levels.iter().map(|level| level.name.clone()).collect();
                let at: Vec<f64> = levels.iter().map(|level| level.value).collect();
                (
                    Values::Categories(names),
                    at,
                    levels.iter().map(|level| mixture(&level.probabilities)).collect(),
                )
            }
            _ => {
                let at = numbers(feature, span);
                let shares = match feature.law {
                    Law::Density(_) | Law::Counts(_) => shares_of(classifier, feature, class_shares, &at),
                    _ => Vec::new(),
                };
                (Values::Numbers(at.clone()), at, shares)
            }
        };
        let missing = adds(f64::NAN);
        Self {
            values,
            half_widths: vec![None; at.len()],
            adds: at.into_iter().map(adds).collect(),
            shares,
            missing: Some(missing).filter(|adds| adds.iter().any(|add| !add.is_nan() && *add != 0.0)),
            single: feature.mass.map(|value| (value, adds(value))),
        }
    }

    /// The same with 95 % intervals. Where a class cannot have a value there is none.
    #[must_use]
    pub(crate) fn with_intervals(
        mut self,
        uncertainty: &Uncertainty,
        classifier: &Fitted,
        feature: &PlottedColumn,
        class_shares: &[f64],
    ) -> Self {
        let at: Vec<f64> = match &self.values {
            Values::Bins(cuts) => inner(cuts),
            Values::Numbers(at) => at.clone(),
            Values::Categories(_) => match &feature.law {
                Law::Categories { levels, .. } => levels.iter().map(|level| level.value).collect(),
                _ => return self,
            },
        };
        let scores = |value: f64| -> Vec<f64> {
            (0..classifier.classes().len())
                .map(|class| feature.log_likelihood(classifier, class, value))
                .collect()
        };
        let half_width = |&value: &f64| {
            let scores = scores(value);
            if scores.iter().any(|score| !score.is_finite()) {
                return None;
            }
            uncertainty.half_width(feature, value, &derivatives(&scores, class_shares))
        };
        self.half_widths = at.iter().map(half_width).collect();
        self
    }

    /// Whether there are intervals.
    pub(crate) fn has_intervals(&self) -> bool {
        self.half_widths.iter().any(Option::is_some)
    }

    /// The interval of a curve at a value.
    pub(crate) fn interval(&self, place: usize, curve: usize) -> Option<(f64, f64)> {
        let (add, half_width) =
            (self.adds.get(place)?.get(curve)?, self.half_widths.get(place)?.as_ref()?.get(curve)?);
        Some((add - half_width, add + half_width))
    }

    /// How much the feature moves the scores of a row, in the mean over the training rows.
    pub(crate) fn strength(&self) -> f64 {
        let sizes = self.adds.iter().map(|adds| size(adds));
        sizes.zip(&self.shares).map(|(size, share)| size * share).fold(0.0, |sum, term| sum + term)
    }

    /// The curves of the classes whose scores move most, in order, if there are more than this.
    pub(crate) fn strongest_curves(&self, most: usize) -> Vec<usize> {
        let n = self.adds.first().map_or(0, Vec::len);
        let of = |curve: &usize| {
            let terms = self.adds.iter().enumerate().map(|(place, adds)| {
                let share = self.shares.get(place).copied().unwrap_or(1.0);
                if adds[*curve].is_finite() { share * adds[*curve].abs() } else { 0.0 }
            });
            terms.fold(0.0, |sum, term| sum + term)
        };
        let mut curves: Vec<usize> = (0..n).collect();
        curves.sort_by(|a, b| of(b).total_cmp(&of(a)));
        curves.truncate(most);
        curves.sort_unstable();
        curves
    }

    /// What every value adds, and a missing cell.
    pub(crate) fn lines(&self) -> Vec<Added> {
        let value = |place: usize| match &self.values {
            Values::Bins(cuts) => {
                let below = place.checked_sub(1).and_then(|below| cuts.get(below));
                Value::Bin { above: below.copied(), up_to: cuts.get(place).copied() }
            }
            Values::Categories(names) => {
                Value::Category { category: names.get(place).cloned().unwrap_or_default() }
            }
            Values::Numbers(at) => Value::Number { number: at.get(place).copied().unwrap_or_default() },
        };
        let half_width = |place: usize| self.half_widths.get(place).cloned().flatten();
        let lines = self.adds.iter().enumerate().map(|(place, adds)| (value(place), adds, half_width(place)));
        let single = self.single.iter().map(|(number, adds)| (Value::Number { number: *number }, adds, None));
        let missing = self.missing.iter().map(|adds| (Value::Missing { missing: true }, adds, None));
        let all = lines.chain(single).chain(missing);
        all.map(|(value, adds, half_width_95)| Added { value, adds: adds.clone(), half_width_95 }).collect()
    }

    /// The places of the values that move the scores most, in order, if there are more than this.
    pub(crate) fn strongest(&self, most: usize) -> Vec<usize> {
        let of = |place: &usize| size(&self.adds[*place]) * self.shares.get(*place).copied().unwrap_or(1.0);
        let mut places: Vec<usize> = (0..self.adds.len()).collect();
        places.sort_by(|a, b| of(b).total_cmp(&of(a)));
        places.truncate(most);
        places.sort_unstable();
        places
    }
}

/// Where the scores of a column of bins jump, or bend.
pub(crate) fn jumps(classifier: &Fitted, feature: &PlottedColumn) -> Vec<f64> {
    let Law::Bins { cuts, .. } = &feature.law else { return Vec::new() };
    classifier.likelihood().breaks(feature.column, cuts)
}

/// Numbers in a span, with one on either side of each jump.
fn along(jumps: &[f64], (low, high): (f64, f64)) -> Vec<f64> {
    let mut at: Vec<f64> = (0..=NODES).map(|i| low + (high - low) * i as f64 / NODES as f64).collect();
    at.extend(jumps.iter().flat_map(|jump| [*jump, jump.next_up()]));
    at.retain(|value| (low..=high).contains(value));
    at.sort_by(f64::total_cmp);
    at.dedup();
    at
}

/// A value in each of the bins between cut points: a cut lies in the bin below it.
fn inner(cuts: &[f64]) -> Vec<f64> {
    cuts.iter().copied().chain([cuts.last().map_or(0.0, |last| last.next_up())]).collect()
}

/// The derivatives of [`centred`] scores by the scores, for each curve.
fn derivatives(scores: &[f64], class_shares: &[f64]) -> Vec<Vec<f64>> {
    if scores.len() == 2 {
        return vec![vec![-1.0, 1.0]];
    }
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let terms: Vec<f64> =
        scores.iter().zip(class_shares).map(|(score, share)| share * libm::exp(score - best)).collect();
    let whole: f64 = terms.iter().sum();
    let of = |curve: usize| {
        let of_class = |(class, term): (usize, &f64)| f64::from(u8::from(class == curve)) - term / whole;
        terms.iter().enumerate().map(of_class).collect()
    };
    (0..scores.len()).map(of).collect()
}

/// The mean of the finite sizes.
fn size(adds: &[f64]) -> f64 {
    let finite = adds.iter().filter(|add| add.is_finite());
    finite.map(|add| add.abs()).fold(0.0, |sum, size| sum + size) / adds.len().max(1) as f64
}

/// Numbers in a span; whole ones if no others can be observed.
fn numbers(feature: &PlottedColumn, (low, high): (f64, f64)) -> Vec<f64> {
    if feature.is_whole() {
        let step = ((high - low) / NODES as f64).ceil().max(1.0);
        let n = ((high - low.ceil()) / step).floor().max(0.0) as usize;
        return (0..=n).map(|i| low.ceil().max(0.0) + i as f64 * step).collect();
    }
    let at = (0..=NODES).map(|i| low + (high - low) * i as f64 / NODES as f64);
    at.filter(|value| feature.mass != Some(*value)).collect()
}

/// The share of each of some numbers in the rows of all of them, as the densities of the classes have it.
fn shares_of(classifier: &Fitted, feature: &PlottedColumn, class_shares: &[f64], at: &[f64]) -> Vec<f64> {
    let score = |(class, share): (usize, &f64), value: f64| {
        libm::log(*share) + feature.log_likelihood(classifier, class, value)
    };
    let scores: Vec<Vec<f64>> = at
        .iter()
        .map(|&value| class_shares.iter().enumerate().map(|class| score(class, value)).collect())
        .collect();
    let best = scores.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let sizes: Vec<f64> =
        scores.iter().map(|scores| scores.iter().map(|score| libm::exp(score - best)).sum()).collect();
    let whole: f64 = sizes.iter().sum();
    if whole > 0.0 && whole.is_finite() {
        sizes.into_iter().map(|size| size / whole).collect()
    } else {
        Vec::new()
    }
}

/// With two classes the log-odds of the second one; else every score less the logarithm of their mean over
/// the training rows as probabilities: zero where a class is as it is in all rows. One for all classes of a
/// value, that changes no prediction, and it does not hang on classes which are next to impossible.
fn centred(scores: &[f64], class_shares: &[f64]) -> Vec<f64> {
    if let [first, second] = *scores {
        return vec![if first == second { 0.0 } else { second - first }];
    }
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !best.is_finite() {
        return vec![0.0; scores.len()];
    }
    let terms = scores.iter().zip(class_shares).map(|(score, share)| share * libm::exp(score - best));
    let mean = terms.fold(0.0, |sum, term| sum + term);
    let middle = if mean > 0.0 { best + libm::log(mean) } else { best };
    scores.iter().map(|score| score - middle).collect()
}

/// From where to where an axis with cut points goes: the bins at the ends are open, and get about as much
/// room as others.
pub(crate) fn span_of_cuts(cuts: &[f64]) -> (f64, f64) {
    let [first, .., last] = *cuts else {
        let only = cuts.first().copied().unwrap_or(0.0);
        let room = only.abs().max(1.0);
        return (only - room, only + room);
    };
    let mut gaps: Vec<f64> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_by(f64::total_cmp);
    // Cut points that are far from all others would squash these.
    let (low, high) = limits::of_groups(&[cuts.to_vec()]).unwrap_or((first, last));
    let (low, high) = (low.max(first), high.min(last));
    let room = gaps[gaps.len() / 2].max(0.06 * (high - low));
    (low - room, high + room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_differences_count() {
        let never = f64::NEG_INFINITY;
        let of_three = |scores: [f64; 3]| centred(&scores, &[0.5, 0.25, 0.25]);
        assert_eq!(centred(&[-3.0, -1.0], &[0.5, 0.5]), [2.0]);
        assert_eq!(centred(&[never, never], &[0.5, 0.5]), [0.0]);
        assert_eq!(centred(&[never, -1.0], &[0.5, 0.5]), [f64::INFINITY]);
        assert_eq!(of_three([-7.0; 3]), [0.0; 3]);
        let near = |adds: &[f64], wanted: f64| adds.iter().all(|add| (add - wanted).abs() < 1e-12);
        assert!(near(&of_three([0.0, 0.0, never])[..2], -libm::log(0.75)));
        assert_eq!(of_three([0.0, 0.0, never])[2], never);
        assert!(near(&of_three([-1.0, -1.0, -1e12])[..2], -libm::log(0.75)));
        assert_eq!(of_three([never; 3]), [0.0; 3]);
        let mean: f64 = of_three([1.0, 2.0, 6.0])
            .iter()
            .zip([0.5, 0.25, 0.25])
            .map(|(add, share)| share * libm::exp(*add))
            .sum();
        assert!((mean - 1.0).abs() < 1e-12);
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let (scores, shares, step) = ([0.3, -1.2, 2.0], [0.5, 0.25, 0.25], 1e-6);
        let of = derivatives(&scores, &shares);
        for class in 0..3 {
            let mut moved = scores;
            moved[class] += step;
            let (before, after) = (centred(&scores, &shares), centred(&moved, &shares));
            for curve in 0..3 {
                assert!(((after[curve] - before[curve]) / step - of[curve][class]).abs() < 1e-5);
            }
        }
        assert_eq!(derivatives(&[1.0, 5.0], &[0.5, 0.5]), [[-1.0, 1.0]]);
    }

    #[test]
    fn the_ends_of_an_axis_with_cuts() {
        assert_eq!(span_of_cuts(&[]), (-1.0, 1.0));
        assert_eq!(span_of_cuts(&[10.0]), (0.0, 20.0));
        assert_eq!(span_of_cuts(&[0.0, 1.0, 2.0]), (-1.0, 3.0));
        let mut cuts: Vec<f64> = (0..40).map(f64::from).collect();
        cuts.push(1e9);
        assert!(span_of_cuts(&cuts).1 < 200.0, "{:?}", span_of_cuts(&cuts));
    }

    #[test]
    fn the_strongest_values_stay_in_order() {
        let effect = Effect {
            values: Values::Categories(vec![String::new(); 4]),
            adds: vec![vec![0.1], vec![-3.0], vec![2.0], vec![9.0]],
            half_widths: vec![None; 4],
            shares: vec![0.4, 0.3, 0.3, 0.0],
            missing: None,
            single: None,
        };
        assert_eq!(effect.strongest(2), [1, 2]);
        assert!((effect.strength() - 1.54).abs() < 1e-12);
    }
}
