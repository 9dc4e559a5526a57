//! What truncation does, as sections of a report.

use nb_report::{Axis, Cell, Column, Figure, Lines, Point, Section, Series, Stroke, Table};

use super::{Outcome, RulePoint};

/// The four things that were looked at.
pub(crate) fn sections(outcome: &Outcome) -> Vec<Section> {
    let places = |section: (&str, &str, &str), x: Axis, points: &[RulePoint], caption: &str| {
        let (id, title, text) = section;
        let mut section = Section::new(id, title);
        section.push(text);
        let mut lines = Lines::new(x, Axis::linear("error or no answer").between(0.0, 1.0));
        for (rule, name) in outcome.rules.iter().enumerate() {
            lines.series.push(line(
                rule,
                name,
                points.iter().map(|point| Point::new(point.at, point.errors[rule])),
            ));
        }
        lines.horizontal(outcome.bayes_error, "Bayes error");
        section.push(Figure::new(caption, lines));
        section
    };
    vec![
        spam(outcome),
        places(
            (
                "columns",
                "Many columns",
                "Normal columns with known parameters. However many there are, the classes are two standard deviations \
                 apart, so that the best error is the same. From some five hundred columns on the product of the \
                 densities is no longer a double.",
            ),
            Axis::log("columns"),
            &outcome.columns,
            "Error against the number of columns. Rows without an answer count as errors.",
        ),
        places(
            (
                "units",
                "Other units",
                "Ten such columns, with all values multiplied by a power of ten. A change of units changes no \
                 posterior. It multiplies densities, though, so that a number that is added to them weighs more or \
                 less, and their product leaves the range of doubles.",
            ),
            Axis::linear("power of ten"),
            &outcome.units,
            "Error against the power of ten that values are multiplied by.",
        ),
        along_a_line(outcome),
    ]
}

/// The right rule stands out from the wrong ones.
fn line(rule: usize, name: &str, points: impl IntoIterator<Item = Point>) -> Series {
    let stroke = match rule {
        0 => Stroke::Solid,
        1 => Stroke::Dotted,
        _ => Stroke::Dashed,
    };
    Series::new(name, points).with_stroke(stroke).without_markers()
}

fn spam(outcome: &Outcome) -> Section {
    let mut section = Section::new("spam", "Spam");
    let right = |rule: usize| outcome.spam.get(rule).map_or(0, super::Confusion::right);
    section.push(format!(
        "The messages of the set spam, answered by the model that was trained on all of them, with a normal distribution \
         per class and column and variances divided by n - 1. The counts of klaR are those of its published output \
         (klaR 1.7-3). It replaces densities only where they underflow, and has {} right answers where log space has {}.",
        right(2),
        right(0)
    ));
    let columns = [
        Column::text("rule"),
        Column::number("right"),
        Column::number("nonspam as nonspam"),
        Column::number("nonspam as spam"),
        Column::number("spam as nonspam"),
        Column::number("spam as spam"),
        Column::number("no answer"),
    ];
    let mut table = Table::new("Answers by rule", columns).with_id("answers");
    for (rule, confusion) in outcome.rules.iter().zip(&outcome.spam) {
        let [[a, b], [c, d]] = confusion.counts;
        let counts = [confusion.right(), a, b, c, d, confusion.unanswered.iter().sum()];
        let cells = counts.map(|count| Cell::count(count as u64));
        table.push([Cell::text(rule)].into_iter().chain(cells));
    }
    section.push(table);
    section
}

fn along_a_line(outcome: &Outcome) -> Section {
    let mut section = Section::new("line", "Along a line");
    section.push(
        "One column, classes N(0, 1) and N(15, 1). From 7.5 on the second class is the likelier, by more and more. \
         klaR's threshold gives the first class 0.001 where its density underflows, beyond 38.6, which is more than the \
         second class has there; beyond 53.6 both have 0.001. A number that is added to densities makes all values alike \
         that are far from both means.",
    );
    let mut lines =
        Lines::new(Axis::linear("x"), Axis::linear("posterior of the second class").between(0.0, 1.0));
    for (rule, name) in outcome.rules.iter().enumerate() {
        let points =
            outcome.line.iter().map(|point| Point::new(point.x, point.posteriors[rule].unwrap_or(f64::NAN)));
        lines.series.push(line(rule, name, points));
    }
    section.push(Figure::new("Posterior of the second class against the value.", lines));
    section
}
