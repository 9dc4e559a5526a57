//! Learning curves, and the tables of texts.

use super::{
    super::report::table,
    Outcomes,
    data::{Data, Group, SIZES},
    measure::{ACCURACY, AUC, CALIBRATION, LOG_LOSS},
    tables::{bold, seconds},
    view::View,
};

/// A table for each large data set: contenders × numbers of training rows.
pub(super) fn curves(sets: &[Data], outcomes: &[Outcomes]) -> String {
    let mut text = String::new();
    for (number, set) in sets.iter().enumerate().filter(|(_, set)| set.group == Group::Curve) {
        let known: Vec<&Outcomes> =
            outcomes.iter().filter(|outcome| !outcome.of_sets[number].is_empty()).collect();
        let value = |outcome: &Outcomes, size: usize| {
            let outcome = outcome.of_sets[number].get(size);
            outcome
                .and_then(|outcome| outcome.score.as_ref().ok())
                .map_or(f64::INFINITY, |score| score.log_loss)
        };
        let columns = (0..SIZES.len()).map(|size| {
            let values: Vec<f64> = known.iter().map(|outcome| value(outcome, size)).collect();
            bold(&values, LOG_LOSS)
        });
        let columns: Vec<Vec<String>> = columns.collect();
        let mut rows = vec![vec![set.table.name.clone()]];
        rows[0].extend(SIZES.iter().map(|&size| format!("{} rows", thousands(size))));
        rows[0].push("training of the most, s".into());
        for (place, outcome) in known.iter().enumerate() {
            let mut row = vec![outcome.contender.name.to_owned()];
            row.extend(columns.iter().map(|column| column[place].clone()));
            let last = outcome.of_sets[number].get(SIZES.len() - 1);
            row.push(last.map_or("–".into(), |last| seconds(last.times.train)));
            rows.push(row);
        }
        text += &table(&rows);
        text.push('\n');
    }
    text
}

/// A number below a million with a comma.
pub(super) fn thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

/// A table for each set of texts: contenders × measures.
pub(super) fn texts(view: &View<'_>) -> String {
    let mut text = String::new();
    for (number, set) in view.sets.iter().enumerate() {
        let head = [
            &set.table.name,
            "log-loss",
            "accuracy",
            "AUC",
            "calibration error",
            "training, s",
            "prediction, s",
        ];
        let mut rows = vec![head.map(String::from).to_vec()];
        let measures = [LOG_LOSS, ACCURACY, AUC, CALIBRATION].map(|measure| {
            let values: Vec<f64> = view.rows.iter().map(|row| measure.of(&row.cells[number])).collect();
            bold(&values, measure)
        });
        for (place, row) in view.rows.iter().enumerate() {
            let times = row.times[number];
            let mut cells = vec![row.contender.name.to_owned()];
            cells.extend(measures.iter().map(|column| column[place].clone()));
            cells.extend([seconds(times.train), seconds(times.predict)]);
            rows.push(cells);
        }
        text += &table(&rows);
        text.push('\n');
    }
    text
}
