//! What the values of the most important columns add to the scores.

use nb_discriminative::PairCorrection;
use nb_io::FittedFamily;
use nb_report::{Axis, Dot, Dots, Figure, Lines, Panels, Point, Section, Series};

use super::Found;
use crate::output::counted;
use crate::plot::{Effect, PairMatrix, PlottedColumn, Uncertainty, Values, span_of_cuts};

/// The most pairs of columns that are shown.
const MOST_PAIRS: usize = 6;
/// The most categories of a picture.
const MOST_CATEGORIES: usize = 14;
/// What intervals are.
const INTERVALS: &str = "Bands and whiskers are 95 % intervals, by the number of training rows in which a class has the value (the posterior of \
                         probabilities, the delta method for normal distributions and rates). They hold weights and preparation of the columns \
                         fixed, and take the family for right.";
const OF_CORRECTIONS: &str = " Those of corrections are by Laplace's approximation with the diagonal of the curvature, from the rows of this report and \
                              without the penalty: too narrow where columns repeat one another, too wide where few rows are, and left out \
                              where very few are.";
/// Log-odds beyond this decide alone, and are drawn as if they were this.
const MOST: f64 = 30.0;

pub(super) fn section(found: &Found<'_>) -> Option<Section> {
    let mut section = Section::new("contributions", "What values add");
    let is_two = found.n_classes() == 2;
    let constant = if found.model.refinement().is_some() { "intercept" } else { "log-prior" };
    let all = match found.uncalibrated.likelihood() {
        FittedFamily::Refined(refined) if !refined.refinement().pairs.is_empty() => {
            "all columns, pairs of columns"
        }
        _ => "all columns",
    };
    let said = match found.classifier.classes() {
        [first, second] => format!(
            "What each value adds to the log-odds of {second}: above 0 it speaks for {second}, below for {first}. The contributions of {all} \
             and the {constant} add up to the prediction, so that their pictures are the whole model."
        ),
        _ => format!(
            "What each value adds to the log-score of a class: above 0 it is more probable in the class than in all rows. The \
             contributions of {all} and the {constant} add up to the prediction."
        ),
    };
    section.push(said);
    if found.model.calibration().is_some() {
        section.push("Contributions are those before the calibration map, which is applied to their sum.");
    }
    let mut is_clamped = false;
    let (mut has_intervals, mut has_corrections) = (false, false);
    let measure = if is_two { format!("log-odds of {}", found.name(1)) } else { "log-score".into() };
    let pictured = found.pictured();
    let mut panels = Panels { columns: 2, ..Panels::default() };
    let mut figures = Vec::new();
    let mut left_out = Vec::new();
    let schema = found.model.schema();
    for one in found.importance.iter().take(found.top) {
        let Ok(feature) = PlottedColumn::find(found.uncalibrated, schema, &one.column) else {
            left_out.push(one.column.as_str());
            continue;
        };
        let span = feature.expected().unwrap_or((0.0, 1.0));
        let effect = Effect::new(found.uncalibrated, &feature, &found.class_shares, span);
        let curvature = found.curvature.of(feature.column);
        let uncertainty = Uncertainty::of(found.model, found.uncalibrated, &feature, curvature);
        let effect = match &uncertainty {
            Some(uncertainty) => {
                effect.with_intervals(uncertainty, found.uncalibrated, &feature, &found.class_shares)
            }
            None => effect,
        };
        has_intervals |= effect.has_intervals();
        has_corrections |=
            effect.has_intervals() && uncertainty.is_some_and(|uncertainty| uncertainty.has_corrections());
        is_clamped |= effect.adds.iter().flatten().any(|add| add.abs() > MOST);
        match &effect.values {
            Values::Categories(names) => {
                let caption = format!("Contributions of {}{}", one.column, more(names.len()));
                let dots = categories(found, &effect, names, &pictured, (&one.column, &measure));
                figures.push(Figure::new(caption, dots));
            }
            Values::Bins(cuts) => {
                let points = steps(&effect, cuts, span_of_cuts(cuts));
                panels.push(&one.column, lines(found, &effect, &pictured, (&one.column, &measure), &points));
            }
            Values::Numbers(at) => {
                let points: Vec<(f64, usize)> =
                    at.iter().enumerate().step_by(12).map(|(place, &at)| (at, place)).collect();
                panels.push(&one.column, lines(found, &effect, &pictured, (&one.column, &measure), &points));
            }
        }
    }
    if panels.panels.is_empty() && figures.is_empty() && left_out.is_empty() {
        return None;
    }
    if !panels.panels.is_empty() {
        let caption = format!(
            "Contributions of columns of numbers, the most important first.{}",
            found.left_out(&pictured)
        );
        section.push(Figure::new(caption, panels));
    }
    for figure in figures {
        section.push(figure);
    }
    push_pairs(found, &mut section);
    if has_intervals {
        section.push(format!("{INTERVALS}{}", if has_corrections { OF_CORRECTIONS } else { "" }));
    }
    if is_clamped {
        section.push(format!("What is beyond {MOST} or -{MOST} is drawn there: it decides alone."));
    }
    if !left_out.is_empty() {
        section.push(format!("Columns with many features have no picture: {}.", left_out.join(", ")));
    }
    Some(section)
}

/// Matrices of what columns add together, those that move the scores most.
fn push_pairs(found: &Found<'_>, section: &mut Section) {
    let FittedFamily::Refined(refined) = found.uncalibrated.likelihood() else { return };
    let (schema, classes) = (found.model.schema(), found.uncalibrated.classes());
    let size = |pair: &&PairCorrection| pair.cells.iter().map(|cell| cell.abs()).fold(0.0, f64::max);
    let mut pairs: Vec<&PairCorrection> = refined.refinement().pairs.iter().collect();
    pairs.sort_by(|a, b| size(b).total_cmp(&size(a)));
    if pairs.is_empty() {
        return;
    }
    section.push(format!(
        "{} of columns say more together than each by itself. What they add is 0 on average for every value of either column{}.",
        counted(pairs.len(), "pair", "pairs"),
        if pairs.len() > MOST_PAIRS { format!("; the {MOST_PAIRS} with the largest numbers are shown") } else { String::new() }
    ));
    for pair in pairs.into_iter().take(MOST_PAIRS) {
        let name = |feature: usize| schema.feature_name(feature).unwrap_or_default();
        let caption = format!("What {} say together", pair.columns.map(name).join(" and "));
        section.push(Figure::new(caption, PairMatrix::new(pair, classes, schema).heatmap));
    }
}

fn more(n: usize) -> String {
    match n {
        n if n > MOST_CATEGORIES => {
            format!(": the {MOST_CATEGORIES} categories that move the scores most, of {n}")
        }
        _ => String::new(),
    }
}

/// The places of the curve of a class: the only curve of two classes is that of the second one.
fn curve(found: &Found<'_>, class: usize) -> usize {
    if found.n_classes() == 2 { 0 } else { class }
}

/// Where the steps of bins begin and end, with their places.
fn steps(effect: &Effect, cuts: &[f64], (low, high): (f64, f64)) -> Vec<(f64, usize)> {
    let places = 0..effect.adds.len();
    let ends = places.map(|place| {
        let from = place.checked_sub(1).and_then(|below| cuts.get(below)).copied().unwrap_or(low);
        (from.max(low), cuts.get(place).copied().unwrap_or(high).min(high), place)
    });
    ends.filter(|(from, to, _)| from < to)
        .flat_map(|(from, to, place)| [(from, place), (to, place)])
        .collect()
}

fn lines(
    found: &Found<'_>,
    effect: &Effect,
    pictured: &[usize],
    (column, measure): (&str, &str),
    points: &[(f64, usize)],
) -> Lines {
    let mut lines = Lines::new(Axis::linear(column), Axis::linear(measure));
    for &class in pictured {
        let curve = curve(found, class);
        let add = |place: usize| effect.adds[place].get(curve).map(|add| add.clamp(-MOST, MOST));
        let points = points.iter().map(|&(at, place)| {
            let point = Point::new(at, add(place).unwrap_or(f64::NAN));
            match effect.interval(place, curve) {
                Some((low, high)) => point.between(low.clamp(-MOST, MOST), high.clamp(-MOST, MOST)),
                None => point,
            }
        });
        lines.series.push(Series::new(found.name(class), points).without_markers());
    }
    lines.horizontal(0.0, "");
    if let (Some(missing), [_]) = (&effect.missing, pictured) {
        lines.horizontal(missing[0].clamp(-MOST, MOST), "missing");
    }
    lines
}

fn categories(
    found: &Found<'_>,
    effect: &Effect,
    names: &[String],
    pictured: &[usize],
    (column, measure): (&str, &str),
) -> Dots {
    let shown = effect.strongest(MOST_CATEGORIES);
    let labels = shown.iter().map(|&place| names[place].clone());
    let labels = labels.chain(effect.missing.iter().map(|_| "(missing)".into()));
    let mut dots = Dots::new(Axis::linear(measure).between(0.0, 0.0), column, labels);
    for &class in pictured {
        let curve = curve(found, class);
        let dot = |adds: &Vec<f64>| adds.get(curve).map(|add| Dot::new(add.clamp(-MOST, MOST)));
        let values = shown.iter().map(|&place| {
            let dot = dot(&effect.adds[place])?;
            Some(match effect.interval(place, curve) {
                Some((low, high)) => Dot::between(dot.value, low.clamp(-MOST, MOST), high.clamp(-MOST, MOST)),
                None => dot,
            })
        });
        let missing = effect.missing.iter().map(dot);
        dots.push(found.name(class), values.chain(missing));
    }
    dots
}
