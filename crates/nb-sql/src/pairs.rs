//! What the cells of two columns add together, in SQL.

use nb_discriminative::{GridAxis, PairCorrection};

use crate::terms::{Cell, Term};

/// The term of a pair of columns. Any cell is accepted: only those of the grid add something.
pub(crate) fn term(pair: &PairCorrection, cells: [Cell<'_>; 2], n_classes: usize) -> Term {
    let [first, second] = [0, 1].map(|axis| conditions(&pair.axes[axis], cells[axis]));
    let zero = cells[0].double(0.0);
    let of_class = (0..n_classes).map(|class| {
        let row = |row: usize| {
            let scores =
                (0..second.len()).map(|column| pair.cells[(row * second.len() + column) * n_classes + class]);
            let scores = scores.map(|score| cells[1].double(score)).collect();
            cases(&second, scores, &zero)
        };
        let rows = (0..first.len()).map(row).collect();
        let [a, b] = cells.map(|cell| cell.x);
        Some(format!(
            "CASE WHEN {a} IS NULL OR {b} IS NULL THEN {zero} ELSE {} END",
            cases(&first, rows, &zero)
        ))
    });
    Term { of_class: of_class.collect(), condition: None }
}

/// For each place of an axis the condition that a cell which is there is at it, after those before.
fn conditions(axis: &GridAxis, cell: Cell<'_>) -> Vec<String> {
    let x = cell.x;
    match axis {
        GridAxis::Bins(cuts) => {
            let below = cuts.iter().map(|&cut| format!("{x} <= {}", cell.double(cut)));
            below.chain(["TRUE".into()]).collect()
        }
        GridAxis::Categories { places, n_places } => {
            let of_place = |place: usize| {
                let codes = places.iter().enumerate().filter(|(_, own)| **own == place);
                let names: Vec<String> = codes.map(|(code, _)| cell.category(code)).collect();
                if names.is_empty() { "FALSE".into() } else { format!("{x} IN ({})", names.join(", ")) }
            };
            (0..*n_places).map(of_place).collect()
        }
    }
}

fn cases(conditions: &[String], answers: Vec<String>, otherwise: &str) -> String {
    let cases =
        conditions.iter().zip(answers).map(|(condition, answer)| format!(" WHEN {condition} THEN {answer}"));
    format!("CASE{} ELSE {otherwise} END", cases.collect::<String>())
}
