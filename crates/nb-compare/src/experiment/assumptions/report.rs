//! The scenarios as sections of a report.

use nb_report::{
    Axis, Cell, Column, Figure, Lines, List, Panels, Point, Section, Series, Stroke, Table, Text,
};

use super::{Coefficients, Outcome, SizePoint};

/// What was done, the curves, and what they say.
pub(crate) fn sections(outcomes: &[Outcome]) -> Vec<Section> {
    let mut method = Section::new("method", "What was done");
    method.push(
        "Two classes of the same prior have two columns. Naive Bayes takes the columns as normal and independent within \
         classes, with variances common to both; its log-odds are then linear, with the coefficients that logistic \
         regression estimates without any of these assumptions. Samples of growing size are drawn from distributions \
         that keep all assumptions, or all but one. Errors are those of the linear rules on the distributions \
         themselves, not on samples.",
    );
    let scenarios = outcomes
        .iter()
        .map(|outcome| Text::default().strong(&outcome.scenario).plain(format!(": {}.", outcome.assumption)));
    method.push(List { numbered: false, items: scenarios.collect() });
    method.push(limits(outcomes));
    vec![method, distances(outcomes), errors(outcomes)]
}

fn limits(outcomes: &[Outcome]) -> Table {
    let columns = [
        Column::text("scenario"),
        Column::text("naive Bayes")
            .with_note("w1, w2 and b of the log-odds w1 x1 + w2 x2 + b, with rows without end."),
        Column::text("logistic regression").with_note("The same; the minimum of the expected log-loss."),
        Column::number("distance").with_note("The Euclidean distance between the limits."),
    ];
    let mut table = Table::new("Where the coefficients go", columns).with_id("limits");
    let coefficients = |limit: Coefficients| Cell::text(limit.map(|value| format!("{value:.3}")).join(", "));
    for outcome in outcomes {
        table.push([
            Cell::text(&outcome.scenario),
            coefficients(outcome.naive_bayes_limit),
            coefficients(outcome.logistic_limit),
            Cell::number(outcome.limit_distance, 4),
        ]);
    }
    table
}

/// A panel per scenario.
fn panels(outcomes: &[Outcome], panel: impl Fn(&Outcome) -> Lines) -> Panels {
    let mut panels = Panels { columns: 2, ..Panels::default() };
    for outcome in outcomes {
        panels.push(outcome.scenario.clone(), panel(outcome));
    }
    panels
}

fn series(outcome: &Outcome, name: &str, value: fn(&SizePoint) -> f64) -> Series {
    let points = outcome.points.iter().map(|point| Point::new(point.size as f64, value(point)));
    Series::new(name, points).without_markers()
}

fn distances(outcomes: &[Outcome]) -> Section {
    let mut section = Section::new("distances", "Coefficients");
    let figure = panels(outcomes, |outcome| {
        let mut lines = Lines::new(Axis::log("n"), Axis::log("distance"));
        let between = series(outcome, "between both", |point| point.distance);
        lines.series.push(between.with_stroke(Stroke::Dotted));
        lines.series.push(series(outcome, "naive Bayes to its limit", |point| point.naive_bayes_to_limit));
        let logistic = series(outcome, "logistic regression to its limit", |point| point.logistic_to_limit);
        lines.series.push(logistic.with_stroke(Stroke::Dashed));
        if outcome.limit_distance > 1e-6 {
            lines.horizontal(outcome.limit_distance, "between the limits");
        }
        lines
    });
    let caption = "Root mean square of Euclidean distances of coefficients against the number of rows n, both on \
                   logarithmic scales.";
    section.push(Figure::new(caption, figure).with_id("distance"));
    let columns = [
        Column::text("scenario"),
        Column::number("between both"),
        Column::number("naive Bayes to its limit"),
        Column::number("logistic regression to its limit"),
    ];
    let mut table =
        Table::new("Slopes of the lines: -1/2 where a distance shrinks like one over the root of n", columns);
    for outcome in outcomes {
        let slopes = outcome.slopes.map(|slope| Cell::number(slope, 3));
        table.push([Cell::text(&outcome.scenario)].into_iter().chain(slopes));
    }
    section.push(table);
    section.push(
        "Where all assumptions hold, the distance between both learners shrinks like that of each to its limit, which is \
         the same. Where one fails, each still goes to a limit at that rate, but to another.",
    );
    section
}

fn errors(outcomes: &[Outcome]) -> Section {
    let mut section = Section::new("errors", "Errors");
    let figure = panels(outcomes, |outcome| {
        let mut lines = Lines::new(Axis::log("n"), Axis::linear("error"));
        lines.series.push(series(outcome, "naive Bayes", |point| point.naive_bayes_error));
        let logistic = series(outcome, "logistic regression", |point| point.logistic_error);
        lines.series.push(logistic.with_stroke(Stroke::Dashed));
        lines.horizontal(outcome.bayes_error, "Bayes error");
        lines
    });
    section.push(Figure::new("Mean error against the number of rows n.", figure).with_id("error"));
    let columns = [
        Column::text("scenario"),
        Column::number("naive Bayes").with_note("The error of its limit."),
        Column::number("logistic regression").with_note("The error of its limit."),
        Column::number("Bayes error").with_note("The error of the best rule, which need not be linear."),
        Column::number("relative efficiency").with_note(
            "The excess error of naive Bayes over that of logistic regression (Efron 1975), where both go to the best \
             rule: the share of its rows with which naive Bayes would do as well.",
        ),
    ];
    let mut table = Table::new("Errors with rows without end", columns);
    for outcome in outcomes {
        let [naive_bayes, logistic] = outcome.limit_errors;
        let error = |own: f64, other: f64| {
            let cell = Cell::number(own, 4);
            if own < other - 1e-9 { cell.best() } else { cell }
        };
        table.push([
            Cell::text(&outcome.scenario),
            error(naive_bayes, logistic),
            error(logistic, naive_bayes),
            Cell::number(outcome.bayes_error, 4),
            outcome.relative_efficiency.map_or_else(Cell::missing, |efficiency| Cell::number(efficiency, 2)),
        ]);
    }
    section.push(table);
    if outcomes.iter().any(|outcome| outcome.limit_errors[0] < outcome.limit_errors[1] - 1e-9) {
        section.push(
            "Logistic regression goes to the linear rule of the least log-loss, which need not be the one of the fewest \
             errors: where the model is wrong, naive Bayes can have the lower error even in the limit.",
        );
    }
    section
}
