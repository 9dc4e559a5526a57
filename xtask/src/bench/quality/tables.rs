//! The tables of a group of data sets.

use std::fmt::Write as _;

use super::{
    super::report::{ratio, table},
    answers::Times,
    contenders::BASELINE,
    measure::{ACCURACY, AUC, CALIBRATION, LOG_LOSS, MEASURES, Measure},
    view::{Cell, Row, View},
};

/// A row for each contender: means, ranks, how often the baseline is no worse, times.
pub(super) fn summary(view: &View<'_>) -> String {
    let head = [
        "contender",
        "log-loss",
        "mean rank",
        "refined no worse",
        "clearly better : worse",
        "accuracy",
        "mean rank",
        "AUC",
        "calibration error",
        "training, s",
        "prediction, s",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    for row in &view.rows {
        let losses = view.wins(row, LOG_LOSS);
        let is_baseline = row.contender.name == BASELINE;
        let dash = |text: String| if is_baseline { "–".to_owned() } else { text };
        let mean = |measure: Measure| mean_text(view, row, measure);
        let (times, baseline) = view.times(row);
        rows.push(vec![
            row.contender.name.into(),
            mean(LOG_LOSS),
            rank_text(view, row, LOG_LOSS),
            dash(format!("{} of {}", losses.no_worse, losses.n)),
            dash(format!("{} : {}", losses.clearly_better, losses.clearly_worse)),
            mean(ACCURACY),
            rank_text(view, row, ACCURACY),
            mean(AUC),
            mean(CALIBRATION),
            time_text(times, baseline, is_baseline, |times| times.train),
            time_text(times, baseline, is_baseline, |times| times.predict),
        ]);
    }
    table(&rows)
}

/// The mean over the data sets, of a contender that was run on all of them.
fn mean_text(view: &View<'_>, row: &Row, measure: Measure) -> String {
    if row.is_complete() { measure.text(view.mean(row, measure)) } else { "–".into() }
}

/// The mean rank and its standard error over the data sets.
pub(super) fn rank_text(view: &View<'_>, row: &Row, measure: Measure) -> String {
    if !row.is_complete() {
        return "–".into();
    }
    let ranks = view.ranks(row, measure);
    let (mean, error) = mean_and_error(&ranks);
    if ranks.len() > 1 { format!("{mean:.2} ± {error:.2}") } else { format!("{mean:.2}") }
}

pub(super) fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// Seconds, and how many times as long as the baseline takes for the same data sets.
fn time_text(times: Times, baseline: Times, is_baseline: bool, of: impl Fn(Times) -> f64) -> String {
    let text = seconds(of(times));
    if is_baseline || of(baseline) <= 0.0 {
        return text;
    }
    match of(times) / of(baseline) {
        factor if factor < 0.005 => format!("{text} (< 0.01×)"),
        factor => format!("{text} ({})", ratio(factor)),
    }
}

/// Seconds, with two digits at least.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.0095 => "< 0.01".into(),
        s if s < 0.95 => format!("{s:.2}"),
        s if s < 9.5 => format!("{s:.1}"),
        s => format!("{s:.0}"),
    }
}

/// The data sets that a contender gives no answer for, and those that it was not run on.
pub(super) fn gaps(view: &View<'_>) -> String {
    let mut text = String::new();
    for row in &view.rows {
        let absent = row.cells.iter().filter(|cell| matches!(cell, Cell::Absent)).count();
        if absent > 0 {
            let n_sets = view.sets.len();
            let _ = writeln!(
                text,
                "- {} was run on {} of {n_sets} data sets, as it takes long: it has no mean and no rank.",
                row.contender.name,
                n_sets - absent
            );
        }
        for (set, cell) in view.sets.iter().zip(&row.cells) {
            if let Cell::Failed(reason) = cell {
                let name = &set.table.name;
                let _ = writeln!(
                    text,
                    "- {} gives no answer for {name}, and has the last rank there: {reason}",
                    row.contender.name
                );
            }
        }
    }
    if !text.is_empty() {
        text.insert(0, '\n');
    }
    text
}

/// A table for each measure: data sets × contenders.
pub(super) fn measures(view: &View<'_>) -> String {
    let mut text = String::new();
    for measure in MEASURES {
        let _ = writeln!(text, "### {}\n\n{}", measure.title, of_measure(view, measure));
    }
    text
}

fn of_measure(view: &View<'_>, measure: Measure) -> String {
    let mut rows = vec![vec!["data set".to_owned()]];
    rows[0].extend(view.rows.iter().map(|row| row.contender.name.into()));
    for (number, set) in view.sets.iter().enumerate() {
        let values: Vec<f64> = view.rows.iter().map(|row| measure.of(&row.cells[number])).collect();
        let mut row = vec![set.table.name.clone()];
        row.extend(bold(&values, measure));
        rows.push(row);
    }
    table(&rows)
}

/// Values as texts, with stars around what prints like the best.
pub(super) fn bold(values: &[f64], measure: Measure) -> Vec<String> {
    let better = |best: f64, value: f64| if measure.is_no_worse(best, value) { best } else { value };
    let best = values.iter().copied().filter(|value| value.is_finite()).reduce(better);
    let best = best.map(|best| measure.text(best));
    let text = |&value: &f64| {
        let text = measure.text(value);
        if Some(&text) == best.as_ref() { format!("**{text}**") } else { text }
    };
    values.iter().map(text).collect()
}

/// What the data sets are.
pub(super) fn sets(view: &View<'_>) -> String {
    let head = ["data set", "rows", "numbers", "categories", "missing cells", "classes", "largest class"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for set in &view.sets {
        let Ok((columns, x)) = set.columns() else { continue };
        let is_category =
            |column: &&nb_compare::Column| matches!(column.kind, nb_compare::Kind::Categorical { .. });
        let n_categories = columns.iter().filter(is_category).count();
        let n_missing = x.iter().filter(|cell| cell.is_nan()).count();
        let sizes = set.table.class_sizes();
        let largest = sizes.iter().copied().max().unwrap_or(0) as f64 / set.table.n_rows() as f64;
        rows.push(vec![
            set.table.name.clone(),
            set.table.n_rows().to_string(),
            (columns.len() - n_categories).to_string(),
            n_categories.to_string(),
            n_missing.to_string(),
            sizes.len().to_string(),
            format!("{:.0} %", 100.0 * largest),
        ]);
    }
    table(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_prints_like_the_best_is_bold() {
        assert_eq!(bold(&[0.25004, 0.25, 0.3], LOG_LOSS), ["**0.2500**", "**0.2500**", "0.3000"]);
        assert_eq!(bold(&[f64::NEG_INFINITY, 90.0, 80.0], ACCURACY), ["–", "**90.0**", "80.0"]);
        assert_eq!(bold(&[f64::INFINITY], LOG_LOSS), ["–"]);
    }

    #[test]
    fn times_are_multiples_of_those_of_the_baseline() {
        let times = |train| Times { train, predict: 0.0 };
        let text = |own, baseline| time_text(times(own), times(baseline), false, |times| times.train);
        assert_eq!([text(12.0, 4.0), text(0.001, 4.0)], ["12 (3.0×)", "< 0.01 (< 0.01×)"]);
        assert_eq!(time_text(times(4.0), times(4.0), true, |times| times.train), "4.0");
    }

    #[test]
    fn means_have_standard_errors() {
        let (mean, error) = mean_and_error(&[1.0, 2.0, 3.0]);
        assert!((mean - 2.0).abs() < 1e-12 && (error - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
