//! Measures, classes, confusion matrix and calibration.

use nb_metrics::{Interval, Measures, Z_95};
use nb_report::{
    Cell, Column, Figure, HeatCell, Heatmap, Reliability, ReliabilityPoint, Section, Shades, Table,
};

use super::Found;
use crate::output::{counted, measure, short};

/// The most classes of a picture of the confusion matrix, and the most lines of a list.
const MOST_CLASSES: usize = 16;
const MOST_LINES: usize = 40;

/// A measure: its name, what it is, where it is better.
type Measure = (&'static str, &'static str, fn(&Measures) -> Option<f64>);

const MEASURES: [Measure; 7] = [
    ("accuracy", "share of rows that are predicted correctly; higher is better", |m| m.accuracy),
    ("balanced accuracy", "mean recall over classes; higher is better", |m| m.balanced_accuracy),
    ("macro F1", "mean F1 over classes; higher is better", |m| m.macro_f1),
    ("log-loss", "mean of -ln p of the true class; lower is better", |m| m.log_loss),
    ("Brier score", "squared error of the probabilities, summed over classes; lower is better", |m| m.brier),
    ("AUC", "area under the ROC curve, mean over classes; 0.5 is chance, higher is better", |m| m.auc),
    (
        "calibration error",
        "root mean square for the top label, debiased, at most 15 bins of equal mass; lower is better",
        |m| m.calibration_error,
    ),
];

pub(super) fn measures(found: &Found<'_>) -> Section {
    let mut section = Section::new("quality", "Quality");
    let heads = [
        Column::text("measure"),
        Column::number("model"),
        Column::number("baseline"),
        Column::text("what it is"),
    ];
    let rows = counted(found.measures.rows.rows, "row", "rows");
    let mut table = Table::new(format!("Measures on the {rows} of {}", found.file), heads);
    for (name, what, of) in MEASURES {
        let mut cell = number(name, of(&found.measures));
        if let Some(interval) = found.measures.accuracy_interval.filter(|_| name == "accuracy") {
            cell = cell.with_title(format!(
                "95 % interval: {} to {}",
                short(interval.lower),
                short(interval.upper)
            ));
        }
        table.push([Cell::text(name), cell, number(name, of(&found.baseline)), Cell::text(what)]);
    }
    table.note(
        "Baseline: the most frequent class of the training rows for every row, with the shares of the classes as its probabilities.",
    );
    if let Some(interval) = found.measures.accuracy_interval {
        let (lower, upper) = (short(interval.lower), short(interval.upper));
        table.note(format!("The 95 % interval of the accuracy is {lower} to {upper}."));
    }
    section.push(table);
    let measures = &found.measures;
    for (tally, what) in [
        (measures.unseen, "a label that the model does not know; they count as errors"),
        (measures.unanswered, "no answer, as they are impossible under every class; they count as errors"),
    ] {
        if tally.rows > 0 {
            section.push(format!("{} {what}.", counted(tally.rows, "row has", "rows have")));
        }
    }
    section
}

/// A measure with four decimals, or that it is less than these can show.
fn number(name: &str, value: Option<f64>) -> Cell {
    let Some(value) = value else { return Cell::missing() };
    let cell = Cell::number(value, 4);
    // Debiased estimates below 0 are reported as 0, which does not mean that there is no error.
    let text = match measure(name, value) {
        text if text.starts_with('≈') => text,
        _ if value > 0.0 && value < 0.000_05 => "< 0.0001".into(),
        _ => return cell,
    };
    Cell { text, ..cell }
}

pub(super) fn classes(found: &Found<'_>) -> Section {
    let mut section = Section::new("classes", "Classes");
    if found.n_classes() <= MOST_CLASSES {
        section.push(Figure::new(
            "Confusion matrix: rows of each class by the class that was predicted; the colour is the share of the class",
            confusion(found),
        ));
    } else {
        section.push(confusions(found));
    }
    let heads = ["rows", "predicted", "precision", "recall", "F1", "AUC"].map(Column::number);
    let mut table =
        Table::new("Classes, each against the others", [Column::text("class")].into_iter().chain(heads));
    for (name, class) in found.classifier.classes().iter().zip(&found.measures.classes) {
        let count = |rows: f64| Cell::count(rows as u64);
        let shares = [class.precision, class.recall, class.f1, class.auc].map(|share| number("", share));
        table
            .push([Cell::text(name), count(class.support), count(class.predicted)].into_iter().chain(shares));
    }
    section.push(table);
    section
}

fn confusion(found: &Found<'_>) -> Heatmap {
    let classes = found.classifier.classes();
    let cells = (0..classes.len()).map(|truth| {
        let support = found.measures.classes.get(truth).map_or(0.0, |class| class.support);
        let row = (0..classes.len()).map(|predicted| {
            let rows = found.confusion.weight(truth, predicted);
            let share = if support > 0.0 { rows / support } else { 0.0 };
            Some(HeatCell { value: share, text: short(rows) })
        });
        row.collect()
    });
    Heatmap {
        row: "label".into(),
        column: "predicted".into(),
        rows: classes.to_vec(),
        columns: classes.to_vec(),
        cells: cells.collect(),
        shades: Shades::Sequential { none: 0.0, full: 1.0 },
        measure: "share of the class".into(),
    }
}

/// Of many classes the largest cells off the diagonal.
fn confusions(found: &Found<'_>) -> Table {
    let mut cells: Vec<_> =
        found.confusion.cells().filter(|(truth, predicted, _)| truth != predicted).collect();
    cells.sort_by(|a, b| b.2.total_cmp(&a.2));
    let heads = [Column::text("label"), Column::text("predicted"), Column::number("rows")];
    let mut table = Table::new("The classes that are taken for one another most often", heads);
    let name = |class: Option<usize>| class.map_or_else(Cell::missing, |class| Cell::text(found.name(class)));
    for &(truth, predicted, rows) in cells.iter().take(MOST_LINES) {
        table.push([name(truth), name(predicted), Cell::count(rows as u64)]);
    }
    if cells.len() > MOST_LINES {
        table.note(format!("There are {} more pairs.", cells.len() - MOST_LINES));
    }
    table
}

/// The fewest rows of a point of a reliability diagram.
const LEAST_ROWS: f64 = 20.0;

pub(super) fn calibration(found: &Found<'_>) -> Option<Section> {
    if found.measures.reliability.is_empty() {
        return None;
    }
    let mut section = Section::new("calibration", "Calibration");
    let mut reliability = Reliability::default();
    let bins = found.measures.reliability.iter();
    let points = bins.map(|bin| ReliabilityPoint::new(bin.confidence, bin.accuracy, bin.effective_rows));
    let points = ReliabilityPoint::joined(points, LEAST_ROWS).into_iter().map(|point| {
        let right = (point.accuracy * point.rows).min(point.rows);
        let interval = Interval::wilson(right, point.rows, Z_95);
        interval.map_or(point, |interval| point.between(interval.lower, interval.upper))
    });
    reliability.push("model", points);
    section.push(Figure::new(
        "Reliability: how often the predicted class is correct, by its probability; on the diagonal the probabilities are true, \
         below it the model is too sure; the area of a marker is the number of its rows, the bar an interval of 95 % (Wilson 1927)",
        reliability,
    ));
    Some(section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_four_decimals_do_not_show_are_not_written_as_none() {
        let text = |name, value| number(name, Some(value)).text;
        assert_eq!(text("calibration error", 0.0), "≈ 0");
        assert_eq!(text("calibration error", 0.000_049), "< 0.0001");
        assert_eq!(text("log-loss", 1e-9), "< 0.0001");
        assert_eq!(text("log-loss", 0.000_06), "0.0001");
        assert_eq!(text("log-loss", 0.0), "0.0000");
        assert_eq!(number("log-loss", Some(1e-9)).title, "1e-9");
        assert_eq!(number("AUC", None), Cell::missing());
    }
}
