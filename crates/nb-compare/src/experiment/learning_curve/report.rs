//! Learning curves as documents and as CSV.

use nb_report::{
    Axis, Cell, Column, Document, Figure, Lines, List, Panels, Point as Dot, Section, Series, Table, Text,
};

use super::{Curve, Estimate, LearningCurves, Loss, Pair, SetCurves};
use crate::{Comparison, Measure, experiment::Place, report as parts};

/// How many decimals a loss is written with.
const DECIMALS: usize = 4;

/// The curves as a document: what was done, figures and means by size, the laws and what they extrapolate to,
/// where curves cross, the data and where they come from, the design, and the raw results. `comparison` is
/// that which the curves are of.
pub fn report(curves: &LearningCurves, comparison: &Comparison) -> Document {
    let mut document = Document::new("Learning curves");
    document.subtitle = "Error and log-loss by the number of training rows".into();
    document.series.clone_from(&curves.variants);
    document.fact("random splits of each data set", curves.splits.to_string());
    document.fact("seed", comparison.design.seed.to_string());
    comparison.made.add_to(&mut document);
    document.sections =
        vec![means(curves), laws(curves), crossings(curves), method(curves, &parts::own_splits(comparison))];
    document.push(parts::data_section(comparison));
    document.push(parts::raw_section(
        comparison,
        || [results_csv(curves), results_json(curves, comparison)],
        "a line for each classifier",
    ));
    document
}

fn figure(curves: &LearningCurves, loss: Loss) -> Figure {
    let plot = |set: &SetCurves| {
        let mut lines = Lines::new(Axis::log("n"), axis(curves, set, loss));
        for (name, curve) in named(curves, set, loss) {
            let dots = curve.points.iter().map(|point| {
                let dot = Dot::new(point.size as f64, point.mean);
                let error = point.standard_error;
                error.map_or(dot, |error| dot.between(point.mean - error, point.mean + error))
            });
            lines.series.push(Series::new(name, dots));
        }
        lines
    };
    let caption = format!(
        "Mean {} on the tested rows against the number of training rows n, with bands of one standard error over random \
         splits.",
        loss.title()
    );
    let id = format!("figure-{}", loss.title());
    match curves.sets.as_slice() {
        [set] => Figure::new(caption, plot(set)).with_id(id),
        sets => {
            let mut panels = Panels { columns: sets.len().clamp(1, 3), ..Panels::default() };
            for set in sets {
                panels.push(set.name.clone(), plot(set));
            }
            Figure::new(caption, panels).with_id(id)
        }
    }
}

/// Ratios are looked at where means differ by orders of magnitude, as log-losses of few rows do.
fn axis(curves: &LearningCurves, set: &SetCurves, loss: Loss) -> Axis {
    const LARGE: f64 = 30.0;
    let means = || {
        let points = named(curves, set, loss).flat_map(|(_, curve)| &curve.points);
        points.map(|point| point.mean).filter(|mean| mean.is_finite())
    };
    let (low, high) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
    if low > 0.0 && high > LARGE * low { Axis::log(loss.title()) } else { Axis::linear(loss.title()) }
}

/// The variants that have curves on a set.
fn named<'a>(
    curves: &'a LearningCurves,
    set: &'a SetCurves,
    loss: Loss,
) -> impl Iterator<Item = (&'a str, &'a Curve)> {
    curves.variants.iter().zip(&set.variants).filter_map(move |(name, variant)| {
        let at = Loss::ALL.iter().position(|other| *other == loss)?;
        Some((name.as_str(), variant.curves.get(at)?))
    })
}

fn means(curves: &LearningCurves) -> Section {
    let mut section = Section::new("curves", "Learning curves");
    for loss in Loss::ALL {
        section.push(figure(curves, loss));
    }
    for set in &curves.sets {
        for loss in Loss::ALL {
            section.push(table(curves, set, loss));
        }
    }
    let mut gaps = Vec::new();
    for set in &curves.sets {
        for (name, variant) in curves.variants.iter().zip(&set.variants) {
            if let Some(reason) = &variant.reason {
                gaps.push(Text::from(format!("{name} on {}: {reason}", set.name)));
            }
        }
    }
    if !gaps.is_empty() {
        section.push("Sizes at which a variant has no result in some split are left out for it:");
        section.push(List { numbered: false, items: gaps });
    }
    section
}

fn table(curves: &LearningCurves, set: &SetCurves, loss: Loss) -> Table {
    let found: Vec<(&str, &Curve)> = named(curves, set, loss).collect();
    let columns =
        [Column::number("n")].into_iter().chain(found.iter().map(|(name, _)| Column::number(*name)));
    let caption = format!("{}: mean {} by training rows n, ± standard error", set.name, loss.title());
    let mut table = Table::new(caption, columns);
    let mut is_infinite = false;
    for &size in &set.sizes {
        let point = |curve: &Curve| curve.points.iter().find(|point| point.size == size).copied();
        let points: Vec<_> = found.iter().map(|(_, curve)| point(curve)).collect();
        let best = points.iter().flatten().map(|point| point.mean).fold(f64::INFINITY, f64::min);
        let cells = points.into_iter().map(|point| {
            let Some(point) = point else { return Cell::missing() };
            is_infinite |= point.n_infinite > 0;
            let cell = Cell::spread(point.mean, point.standard_error.unwrap_or(f64::NAN), DECIMALS);
            if point.mean == best && best.is_finite() { cell.best() } else { cell }
        });
        let cells: Vec<Cell> = cells.collect();
        table.push([Cell::count(size as u64)].into_iter().chain(cells));
    }
    if is_infinite {
        table.note("The log-loss is infinite where a true class has posterior 0 in some split, such as one without training rows.");
    }
    table
}

fn laws(curves: &LearningCurves) -> Section {
    let mut section = Section::new("laws", "Power laws");
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::text("loss"),
        Column::number("a").with_note("The limit for ever more rows."),
        Column::number("b"),
        Column::number("c").with_note("The exponent: the larger, the sooner the limit is near."),
        Column::text("95 % interval of a"),
        Column::number("at ten times n").with_note("What the law extrapolates to, at ten times the largest size."),
        Column::text("95 % interval"),
        Column::number("misfit").with_note(
            "The sum of the squared residuals, each divided by its standard error, for each degree of freedom. Far above 1, \
             the curve is no such law; it may be far below, as the means share their splits.",
        ),
        Column::text("the law is"),
    ];
    let mut table = Table::new("a + b n^-c by weighted least squares", columns).with_id("power-laws");
    for set in &curves.sets {
        for loss in Loss::ALL {
            for (name, curve) in named(curves, set, loss) {
                let fit = &curve.fit;
                let number = |value: Option<f64>| Cell::short(value.unwrap_or(f64::NAN), DECIMALS);
                // Numbers of a law that is not determined would be taken at their word.
                let is_determined = fit.is_determined();
                let law = fit.law.filter(|_| is_determined);
                let known = |estimate: Option<Estimate>| estimate.filter(|_| is_determined);
                let interval = |estimate: Option<Estimate>| {
                    known(estimate).map_or_else(Cell::missing, |estimate| {
                        Cell::text(format!("{:.4} to {:.4}", estimate.low, estimate.high))
                    })
                };
                table.push([
                    Cell::text(&set.name),
                    Cell::text(name),
                    Cell::text(loss.title()),
                    number(law.map(|law| law.a)),
                    number(law.map(|law| law.b)),
                    number(law.map(|law| law.c)),
                    interval(fit.limit),
                    number(known(fit.tenfold).map(|estimate| estimate.value)),
                    interval(fit.tenfold),
                    Cell::number(fit.misfit().unwrap_or(f64::NAN), 2),
                    Cell::text(fit.words()),
                ]);
            }
        }
    }
    table.note(
        "Intervals are percentiles over bootstrap samples of the splits of these rows. They do not cover other rows, nor \
         that the curve may not be a power law beyond the sizes that were measured.",
    );
    section.push(table);
    section
}

fn crossings(curves: &LearningCurves) -> Section {
    let mut section = Section::new("crossings", "Where the curves cross");
    let columns = [
        Column::text("data set"),
        Column::text("loss"),
        Column::text("variants"),
        Column::text("crossings").with_note(
            "Who has the smaller mean from which n on, between sizes by interpolation over the logarithm of n.",
        ),
        Column::text("interval of the last").with_note("95 %, from bootstrap samples of the splits."),
        Column::number("n").with_note("The largest size that both have."),
        Column::number("difference there").with_note("The mean loss of the first variant less that of the second."),
        Column::text("95 % interval").with_note(
            "By the corrected resampled t-test (Nadeau and Bengio 2003), which allows for rows that splits share.",
        ),
        Column::number("p"),
    ];
    let mut table = Table::new("Pairs of variants", columns).with_id("crossing");
    for set in &curves.sets {
        for pair in &set.pairs {
            table.push(pair_row(curves, set, pair));
        }
    }
    section.push(table);
    section
}

fn pair_row(curves: &LearningCurves, set: &SetCurves, pair: &Pair) -> Vec<Cell> {
    let name = |variant: usize| curves.variants.get(variant).map_or("", String::as_str);
    let (first, last) = (set.sizes.first(), set.sizes.last());
    let place = |place: Place| match place {
        Place::Before => format!("< {}", first.copied().unwrap_or_default()),
        Place::At(size) => format!("{size:.0}"),
        Place::Beyond => format!("> {}", last.copied().unwrap_or_default()),
    };
    let crossings: Vec<String> = pair
        .crossings
        .iter()
        .map(|crossing| format!("{} from {:.0}", name(crossing.ahead), crossing.at))
        .collect();
    let interval = pair.last.map_or_else(Cell::missing, |ends| {
        let [low, high] = ends.map(place);
        Cell::text(if low == high { low } else { format!("{low} to {high}") })
    });
    let difference = pair.difference.as_ref();
    let number = |value: Option<f64>| Cell::number(value.unwrap_or(f64::NAN), DECIMALS);
    vec![
        Cell::text(&set.name),
        Cell::text(pair.loss.title()),
        Cell::text(format!("{}, {}", name(pair.first), name(pair.second))),
        if crossings.is_empty() { Cell::text("none") } else { Cell::text(crossings.join("; ")) },
        interval,
        difference.map_or_else(Cell::missing, |found| Cell::count(found.size as u64)),
        number(difference.map(|found| found.mean)),
        difference.map_or_else(Cell::missing, |found| {
            Cell::text(format!("{:.4} to {:.4}", found.interval[0], found.interval[1]))
        }),
        difference.and_then(|found| found.p).map_or_else(Cell::missing, parts::p_value),
    ]
}

fn method(curves: &LearningCurves, own_splits: &str) -> Section {
    let mut section = Section::new("method", "What was done");
    if !own_splits.is_empty() {
        section.push(format!(
            "{own_splits} Their training sets grow by whole groups, each time by one after which the classes are near to their shares; \
             only the last group of a training set may be in it in part."
        ));
    }
    let items = [
        Text::new(format!(
            "In each of {} random splits a stratified part of {:.3} of the rows is tested. Of the other rows the first n of \
             a stratified random order are trained on: training sets are nested, every one has its share of each class as \
             far as whole rows allow, and all variants have the same ones.",
            curves.splits, curves.test
        )),
        Text::new(
            "The error is the part of the tested rows whose label is wrong, 1 - accuracy; the log-loss the mean of -ln p of \
             the true class, nothing clipped. Standard errors are over random splits of the rows there are; training and \
             test rows overlap between splits, so that they are too small for statements about other rows.",
        ),
        Text::new("The law a + b n^-c is fitted to the means by least squares weighted by the squared standard errors, with \
                   a of at least 0 and c from 0.01 to 5 (Cortes, Jackel, Solla, Vapnik and Denker 1994, ")
            .emphasis("Learning curves: asymptotic values and rate of convergence")
            .plain(", NIPS 6; Gu, Hu and Liu 2001, ")
            .emphasis("Modelling classification performance for large data sets")
            .plain(", WAIM). Curves need not be power laws, nor fall everywhere (Viering and Loog 2023, ")
            .emphasis("The shape of learning curves: a review")
            .plain(", IEEE Transactions on Pattern Analysis and Machine Intelligence 45)."),
        Text::new(
            "A law is called not determined, and its numbers are not printed, if there are fewer than four sizes, if a \
             constant fits as well (chi-squared, two degrees of freedom, 0.05), if the misfit is above 5, or if the best c or its 95 % interval lies at \
             an end of its range.",
        ),
    ];
    section.push(List { numbered: false, items: items.to_vec() });
    section
}

/// Everything as JSON, with the design and the data that it can be repeated from.
pub fn results_json(curves: &LearningCurves, comparison: &Comparison) -> String {
    parts::json_with(comparison, curves)
}

/// The measures of every classifier as CSV, a line for each data set, variant, split and size.
pub fn results_csv(curves: &LearningCurves) -> String {
    let heads = ["set", "variant", "split", "size"].into_iter().chain(Measure::ALL.map(Measure::key));
    let mut table = Table::new("", heads.map(Column::text));
    for set in &curves.sets {
        for (name, variant) in curves.variants.iter().zip(&set.variants) {
            for (number, split) in variant.trials.iter().enumerate() {
                for (size, trial) in set.sizes.iter().zip(split) {
                    let super::Trial::Done(values) = trial else { continue };
                    let names = [set.name.clone(), name.clone(), number.to_string(), size.to_string()];
                    let number =
                        |measure| values.get(measure).map_or(String::new(), |value| value.to_string());
                    let values = Measure::ALL.map(number);
                    table.push(names.into_iter().chain(values).map(Cell::text));
                }
            }
        }
    }
    // Every row has as many cells as there are heads.
    table.to_csv().unwrap_or_default()
}
