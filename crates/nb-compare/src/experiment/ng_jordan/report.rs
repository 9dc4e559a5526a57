//! The learning curves as sections of a report.

use nb_report::{
    Axis, Cell, Column, Figure, Lines, List, Panels, Point as Dot, Section, Series, Stroke, Table, Text,
};

use super::{Curve, Inputs, Mean, NEAR, NgJordan, Pattern, Place, Setting};

/// What was done, the curves, and what they say.
pub(crate) fn sections(options: &NgJordan, curves: &[Curve]) -> Vec<Section> {
    vec![method(options), figures(curves), crossings(curves), sensitivity(options, curves), claims(curves)]
}

fn method(options: &NgJordan) -> Section {
    let mut section = Section::new("method", "What was done");
    section.push(
        Text::new("Ng and Jordan (2002), ")
            .emphasis(
                "On discriminative vs. generative classifiers: a comparison of logistic regression and naive Bayes",
            )
            .plain(
                ", NIPS 14, say that logistic regression has the lower error in the limit of many training rows, and \
                 that naive Bayes comes near its own, higher limit after fewer: of the order of the logarithm of the \
                 number of inputs, and not of that number. So naive Bayes should be ahead at first and be overtaken. \
                 They looked at fifteen problems, which are looked at here again.",
            ),
    );
    let items = [
        format!(
            "A third of the rows, at most {}, is tested; the first m of the others, in random order, are trained on. \
             Both learners have the same rows. Training sets of one class are left out.",
            options.most_tested
        ),
        format!(
            "Continuous inputs are rescaled so that the largest training set of each split lies from 0 to 1; the tested rows have no \
             part in it. Naive Bayes takes them as normal with variances common to both classes, of at least {}.",
            options.variance_floor
        ),
        format!(
            "Discrete inputs are categories, a missing value one more, smoothed by l = {}, as are the priors. Logistic \
             regression has one indicator for each category.",
            options.l
        ),
        format!(
            "Logistic regression has a penalty of {} on half the squares of its weights. Where classes are separable, \
             which small training sets mostly are, the likelihood has no maximum; the penalty finds a separating plane \
             with a wide margin there, which helps logistic regression.",
            options.l2
        ),
    ];
    section.push(List { numbered: false, items: items.into_iter().map(Text::from).collect() });
    section
}

fn figures(curves: &[Curve]) -> Section {
    let mut section = Section::new("curves", "Learning curves");
    let mut panels = Panels::default();
    for curve in curves {
        let mut lines = Lines::new(Axis::log("m"), Axis::linear("test error"));
        let series = |name: &str, error: fn(&super::Point) -> Mean| {
            let dot = |point: &super::Point| {
                let ([low, high], mean) = (error(point).interval(), error(point).mean);
                Dot::new(point.size as f64, mean).between(low, high)
            };
            Series::new(name, curve.points.iter().map(dot)).without_markers()
        };
        lines.series.push(series("naive Bayes", |point| point.naive_bayes));
        lines.series.push(series("logistic regression", |point| point.logistic).with_stroke(Stroke::Dashed));
        panels.push(curve.problem.clone(), lines);
    }
    section.push(
        Figure::new(
            "Test error against the number of training rows m, mean over random splits with 95 % intervals. As in the \
             paper, the solid line is naive Bayes and the dashed one logistic regression.",
            panels,
        )
        .with_id("learning-curves"),
    );
    section
}

fn crossings(curves: &[Curve]) -> Section {
    let mut section = Section::new("crossings", "Where the curves cross");
    let columns = [
        Column::text("problem"),
        Column::number("n").with_note("The number of inputs."),
        Column::number("largest m").with_note("The largest training set; the errors and their difference are at its size."),
        Column::number("naive Bayes"),
        Column::number("logistic"),
        Column::number("difference")
            .with_note("The error of naive Bayes minus that of logistic regression on the same split, and its standard error."),
        Column::number("crossing m").with_note(
            "Where the mean difference changes its sign for the last time, between sizes by interpolation, with a 95 % \
             interval from bootstrap samples of the splits.",
        ),
        Column::text("logistic"),
    ];
    let mut table =
        Table::new("Errors at the largest m, and where logistic regression gets ahead for good", columns)
            .with_id("crossing");
    for curve in curves {
        let Some(last) = curve.points.last() else { continue };
        let error = |own: Mean, other: Mean| {
            let cell = Cell::number(own.mean, 3);
            if own.mean < other.mean { cell.best() } else { cell }
        };
        table.push([
            Cell::text(&curve.problem),
            Cell::count(curve.n_columns as u64),
            Cell::count(last.size as u64),
            error(last.naive_bayes, last.logistic),
            error(last.logistic, last.naive_bayes),
            Cell::spread(last.difference.mean, last.difference.standard_error, 4),
            crossing(curve),
            Cell::text(words(curve.pattern)),
        ]);
    }
    table.note(
        "Standard errors and intervals are over random splits of the rows there are; they say nothing of other rows.",
    );
    section.push(table);
    section
}

/// The crossing with its interval, sorted by where it is.
fn crossing(curve: &Curve) -> Cell {
    let size = |point: Option<&super::Point>| point.map_or(0, |point| point.size);
    let (first, last) = (size(curve.points.first()), size(curve.points.last()));
    let words = |place: Place| match place {
        Place::Before => format!("< {first}"),
        Place::At(size) => format!("{size:.0}"),
        Place::Beyond => format!("> {last}"),
    };
    let value = match curve.crossing.place {
        Place::Before => 0.0,
        Place::At(size) => size,
        Place::Beyond => f64::INFINITY,
    };
    let [place, low, high] = [curve.crossing.place, curve.crossing.low, curve.crossing.high].map(words);
    let interval = if low == high { String::new() } else { format!(" ({low} to {high})") };
    Cell::text(place + &interval).sorted_by(value)
}

fn words(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Overtaken => "overtakes",
        Pattern::CaughtUp => "catches up",
        Pattern::NotCaughtUp => "does not catch up",
        Pattern::NeverAhead => "is significantly behind at no size",
    }
}

/// The setting of a curve with this penalty and number of splits.
fn with(curve: &Curve, l2: f64, splits: usize) -> Option<&Setting> {
    curve.sensitivity.iter().find(|setting| setting.l2 == l2 && setting.splits == splits)
}

fn sensitivity(options: &NgJordan, curves: &[Curve]) -> Section {
    let mut section = Section::new("sensitivity", "Penalties and numbers of splits");
    section.push(format!(
        "The paper names no penalty, and its panels are pictures, without numbers for errors or for the m at which curves cross: \
         neither can be compared with what is here. How far the counts depend on the penalty and on the number of splits is in this table. Rows of \
         fewer splits are of the first ones. The other sections have a penalty of {}.",
        options.l2
    ));
    let columns = [
        Column::number("penalty"),
        Column::number("splits"),
        Column::number("crossings")
            .with_note("Problems whose mean difference changes its sign for the last time between two sizes, from naive Bayes to logistic regression."),
    ];
    let patterns = [Pattern::Overtaken, Pattern::CaughtUp, Pattern::NotCaughtUp, Pattern::NeverAhead];
    let columns = columns.into_iter().chain(patterns.map(|pattern| Column::number(words(pattern))));
    let mut table =
        Table::new("On how many problems logistic regression gets ahead", columns).with_id("crossing-counts");
    // A problem that too few splits are known of has no setting there, so that the first one need not have
    // all.
    let mut settings: Vec<(f64, usize)> = Vec::new();
    for setting in curves.iter().flat_map(|curve| &curve.sensitivity) {
        if !settings.contains(&(setting.l2, setting.splits)) {
            settings.push((setting.l2, setting.splits));
        }
    }
    settings.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    for (l2, splits) in settings {
        let of_setting = || curves.iter().filter_map(|curve| with(curve, l2, splits));
        let crossings = of_setting().filter(|setting| matches!(setting.place, Place::At(_))).count();
        let of_pattern = |pattern| of_setting().filter(|setting| setting.pattern == pattern).count();
        let counts = [splits, crossings].into_iter().chain(patterns.map(of_pattern));
        table.push([Cell::number(l2, 5)].into_iter().chain(counts.map(|count| Cell::count(count as u64))));
    }
    section.push(table);
    section
}

fn claims(curves: &[Curve]) -> Section {
    let mut section = Section::new("claims", "The two claims");
    section.push(
        "The text of the paper says that the predictions are borne out, except for a few cases, mostly small sets, in \
         which logistic regression does not catch up with naive Bayes. It says nothing of single problems. A learner \
         counts as ahead here if zero is outside of the 95 % interval of the mean difference; among many sizes that is \
         so for some by chance.",
    );
    let agrees = |pattern: Pattern| match pattern {
        Pattern::Overtaken => "as predicted",
        Pattern::CaughtUp => "as predicted, as far as the rows go",
        Pattern::NotCaughtUp => "the exception that the paper names",
        Pattern::NeverAhead => "at small m not as predicted",
    };
    let patterns = [Pattern::Overtaken, Pattern::CaughtUp, Pattern::NotCaughtUp, Pattern::NeverAhead];
    let item = |pattern: Pattern| {
        let of_pattern = curves.iter().filter(|curve| curve.pattern == pattern);
        let names: Vec<String> = of_pattern.map(|curve| curve.problem.replace(", ", " ")).collect();
        let which = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        Text::new("Logistic regression ").strong(words(pattern)).plain(format!(
            " on {} of {}, {}: {which}.",
            names.len(),
            curves.len(),
            agrees(pattern)
        ))
    };
    section.push(List { numbered: false, items: patterns.map(item).to_vec() });
    let mut table = Table::new(
        format!("From which m on the error stays within {NEAR} of the error at the largest m"),
        [
            Column::text("problem"),
            Column::text("inputs"),
            Column::number("rows"),
            Column::number("n"),
            Column::number("naive Bayes"),
            Column::number("logistic regression"),
        ],
    );
    for curve in curves {
        let [naive_bayes, logistic] = curve.near.map(|size| size as u64);
        let cell =
            |own: u64, other: u64| if own < other { Cell::count(own).best() } else { Cell::count(own) };
        table.push([
            Cell::text(&curve.problem),
            Cell::text(match curve.inputs {
                Inputs::Continuous => "continuous",
                Inputs::Discrete => "discrete",
            }),
            Cell::count(curve.n_rows as u64),
            Cell::count(curve.n_columns as u64),
            cell(naive_bayes, logistic),
            cell(logistic, naive_bayes),
        ]);
    }
    let earlier = curves.iter().filter(|curve| curve.near[0] < curve.near[1]).count();
    let later = curves.iter().filter(|curve| curve.near[0] > curve.near[1]).count();
    section.push(format!(
        "Naive Bayes comes near its error at the largest m with fewer rows than logistic regression on {earlier} of {} \
         problems, with more on {later}. The error at the largest m stands for the limit here, which logistic regression \
         may not have reached by then.",
        curves.len()
    ));
    section.push(table);
    section
}
