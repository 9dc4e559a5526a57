//! The probabilities of categories in each class as groups of bars, over the shares that they have in the
//! data.

use nb_report::{Axis, Ink, Layer, Mark, Plane};

use super::{
    SEEN_THROUGH,
    densities::densities,
    feature::{Law, Level, PlottedColumn},
    limits,
    picture::{Picture, Shown, Subject, Words},
};

/// Maximum number of categories shown.
pub(super) const MOST: usize = 24;
/// This number of categories is always shown; with many classes, no more than give the maximum number of
/// bars.
const FEWEST: usize = 12;
const BARS: usize = 72;
/// The part of a category's place that its bars take.
const GROUP: f64 = 0.82;
/// The part of its place that the bar of a probability takes where there is one of data as well.
const INNER: f64 = 0.5;

/// The bars of a category, one for every class.
struct Group {
    name: String,
    model: Vec<f64>,
    /// Of the data, with rows without a label at the end.
    data: Vec<f64>,
}

/// What all groups are about.
struct Table {
    groups: Vec<Group>,
    /// What the bars are the height of.
    what: &'static str,
    /// What the axis of the categories is called.
    axis: String,
    note: String,
    outside: usize,
}

/// Draws a feature that has categories, or counts that are few enough to be some.
pub(crate) fn bars(subject: &Subject<'_>, feature: &PlottedColumn) -> Picture {
    let table = match &feature.law {
        Law::Counts(_) => match counts(subject, feature) {
            Some(table) => table,
            None => return densities(subject, feature),
        },
        Law::Share { shares, .. } => share(subject, feature, shares),
        Law::Weight(weights) => weight(feature, weights),
        _ => categories(subject, feature),
    };
    draw(subject, feature, &table)
}

/// The probabilities of counts, if there are few.
fn counts(subject: &Subject<'_>, feature: &PlottedColumn) -> Option<Table> {
    let groups = subject.sample.map(|sample| sample.by_class(0, subject.n_classes())).unwrap_or_default();
    let (low, high) = limits::of_groups(&groups).or(feature.expected())?;
    let (low, high) = (low.ceil().max(0.0), high.floor());
    if high - low + 1.0 > MOST as f64 {
        return None;
    }
    let values = (0..=(high - low).max(0.0) as usize).map(|i| low + i as f64);
    let group = |count: f64| Group {
        name: count.to_string(),
        model: (0..subject.n_classes())
            .map(|class| feature.log_likelihood(subject.classifier, class, count).exp())
            .collect(),
        data: groups
            .iter()
            .map(|group| ratio(group.iter().filter(|&&v| v == count).count(), group.len()))
            .collect(),
    };
    let outside = groups.iter().flatten().filter(|value| !(low..=high).contains(*value)).count();
    Some(Table {
        groups: values.map(group).collect(),
        what: "probability",
        axis: feature.name.clone(),
        note: String::new(),
        outside,
    })
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole > 0 { part as f64 / whole as f64 } else { 0.0 }
}

fn share(subject: &Subject<'_>, feature: &PlottedColumn, shares: &[f64]) -> Table {
    let events = subject.sample.map(|sample| sample.events.as_slice()).unwrap_or_default();
    let data = events.iter().map(|&(part, whole)| if whole > 0.0 { part / whole } else { 0.0 });
    Table {
        groups: vec![Group { name: feature.name.clone(), model: shares.to_vec(), data: data.collect() }],
        what: "share of all events",
        axis: "event".into(),
        note: String::new(),
        outside: 0,
    }
}

fn weight(feature: &PlottedColumn, weights: &[f64]) -> Table {
    Table {
        groups: vec![Group { name: feature.name.clone(), model: weights.to_vec(), data: Vec::new() }],
        what: "weight of one event",
        axis: "event".into(),
        note: "The weights of complement naive Bayes are not probabilities.".into(),
        outside: 0,
    }
}

fn categories(subject: &Subject<'_>, feature: &PlottedColumn) -> Table {
    let Law::Categories { levels, .. } = &feature.law else {
        return Table { groups: Vec::new(), what: "", axis: String::new(), note: String::new(), outside: 0 };
    };
    let n_groups = subject.n_classes() + 1;
    let mut counts = vec![vec![0; levels.len()]; n_groups];
    for (class, values) in subject
        .sample
        .map(|sample| sample.by_class(0, subject.n_classes()))
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        for level in values.iter().filter_map(|&value| feature.level(value)) {
            counts[class][level] += 1;
        }
    }
    let shown = most_telling(subject, levels);
    let totals: Vec<usize> = counts.iter().map(|counts| counts.iter().sum()).collect();
    let group = |&place: &usize| Group {
        name: levels[place].name.clone(),
        model: levels[place].probabilities.clone(),
        data: match subject.sample {
            Some(_) => {
                counts.iter().zip(&totals).map(|(counts, &total)| ratio(counts[place], total)).collect()
            }
            None => Vec::new(),
        },
    };
    let mut groups: Vec<Group> = shown.iter().map(group).collect();
    let mut note = String::new();
    if shown.len() < levels.len() {
        note = format!("The {} categories of {} that tell most of the classes.", shown.len(), levels.len());
        let name = format!("and {} more", levels.len() - shown.len());
        groups.push(Group { name, model: Vec::new(), data: Vec::new() });
    }
    Table { groups, what: "probability", axis: feature.name.clone(), note, outside: 0 }
}

/// The places of the categories that there is room for, in order: those that add most to the mutual
/// information with the class, if there is none for all.
fn most_telling(subject: &Subject<'_>, levels: &[Level]) -> Vec<usize> {
    let most = (BARS / subject.n_classes().max(1)).clamp(FEWEST, MOST);
    if levels.len() <= most + 1 {
        return (0..levels.len()).collect();
    }
    let priors: Vec<f64> = subject.classifier.log_prior().iter().map(|log| log.exp()).collect();
    let told = |place: &usize| {
        let probabilities = &levels[*place].probabilities;
        let mean: f64 = probabilities.iter().zip(&priors).map(|(p, prior)| p * prior).sum();
        let terms = probabilities.iter().zip(&priors);
        let terms = terms.map(|(p, prior)| if *p > 0.0 { prior * p * (p / mean).ln() } else { 0.0 });
        terms.fold(0.0, |sum, term| sum + term)
    };
    let mut places: Vec<usize> = (0..levels.len()).collect();
    places.sort_by(|a, b| told(b).total_cmp(&told(a)));
    places.truncate(most);
    places.sort_unstable();
    places
}

fn draw(subject: &Subject<'_>, feature: &PlottedColumn, table: &Table) -> Picture {
    let is_probability = !matches!(feature.law, Law::Weight(_));
    let factor = |class: usize| {
        if is_probability && class < subject.n_classes() { subject.weight(class) } else { 1.0 }
    };
    let has_data = subject.sample.is_some() && is_probability;
    let has_unlabelled = has_data && subject.has_unlabelled();
    let heights = table.groups.iter().flat_map(|group| {
        let scaled = |heights: &[f64]| -> Vec<f64> {
            heights.iter().enumerate().map(|(class, height)| factor(class) * height).collect()
        };
        [scaled(&group.model), scaled(&group.data)].concat()
    });
    let (low, high) = heights
        .filter(|height| height.is_finite())
        .fold((0.0_f64, 0.0_f64), |(low, high), height| (low.min(height), high.max(height)));
    let span = if high > low { high - low } else { 1.0 };

    let missing = subject.sample.map_or(0, |sample| {
        let unknown = |values: &&Vec<f64>| {
            !values[0].is_finite() || (!feature.is_numeric() && feature.level(values[0]).is_none())
        };
        sample.values.iter().filter(unknown).count()
    });
    let weighted = if subject.prior_weighted && is_probability { " × prior" } else { "" };
    let scaled = if weighted.is_empty() { "" } else { ", weighted by the priors" };
    let words = Words {
        title: format!("{} by {}", feature.name, subject.label),
        subtitle: format!("{} {} in each class{scaled}; model {}", feature.family, table.what, subject.model),
        caption: [subject.caption(table.outside, missing), table.note.clone()].join(" "),
    };
    let names: Vec<String> = table.groups.iter().map(|group| group.name.clone()).collect();
    let low = if low < 0.0 { low - 0.04 * span } else { 0.0 };
    let mut plane = Plane {
        x: Axis::categories(&table.axis, names),
        y: Axis::linear(format!("{}{weighted}", table.what))
            .between(low, high.max(low + span * 0.01) + 0.04 * span),
        series: subject.label.into(),
        layers: Vec::new(),
    };
    let n_bars = subject.n_classes() + usize::from(has_unlabelled);
    // Bars of a class take this part of its place.
    let bars = |class: usize, of: &dyn Fn(&Group) -> Option<f64>, part: f64| {
        let bar = |(place, group): (usize, &Group)| {
            let height = factor(class) * of(group)?;
            let at = |t: f64| place as f64 + (1.0 - GROUP) / 2.0 + GROUP * t / n_bars as f64;
            let (from, to) = (class as f64 + 0.5 - 0.5 * part, class as f64 + 0.5 + 0.5 * part);
            Some((at(from), at(to), height.min(0.0), height.max(0.0)))
        };
        table.groups.iter().enumerate().filter_map(bar).collect::<Vec<_>>()
    };
    for class in 0..n_bars {
        if has_data {
            let bars = bars(class, &|group| group.data.get(class).copied(), 0.96);
            plane.push(subject.layer(class, Mark::Bars { bars, share: SEEN_THROUGH }));
        }
        if class < subject.n_classes() {
            let part = if has_data { INNER } else { 0.9 };
            let bars = bars(class, &|group| group.model.get(class).copied(), part);
            plane.push(subject.layer(class, Mark::Bars { bars, share: 1.0 }));
        }
    }
    if has_data {
        for (name, share) in [("model", 1.0), ("data", SEEN_THROUGH)] {
            plane.push(Layer::new(name, Ink::Soft, Mark::Bars { bars: Vec::new(), share }));
        }
    }
    if low < 0.0 {
        plane.push(Layer::unnamed(Ink::Soft, Mark::Level(0.0)));
    }
    // What stands for further categories is none.
    let real = table.groups.iter().filter(|group| !group.model.is_empty());
    let shown = real.map(|group| group.name.clone()).collect();
    Picture {
        kind: "probabilities",
        drawn: words.around(plane),
        shown: vec![Shown::Categories { categories: shown }],
        outside: table.outside,
        missing,
        contributions: Vec::new(),
    }
}
