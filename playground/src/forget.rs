//! A row is removed, and nothing remembers it.

use nb_io::Model;
use serde_json::{Value, json};

use crate::{Problem, bytes::fingerprint, fit::Fit, table::Table};

/// Compares model files byte for byte: with all rows, after the removal of one, and of a model that never had
/// it. Beside them are the mean and the variance of each column in the class of the row, as running moments
/// keep them (Welford 1962) and undo them.
pub(crate) fn forget(fit: &Fit, table: &Table, row: usize) -> Result<Value, Problem> {
    table.check_row(row)?;
    let empty =
        || Model::new(fit.model.schema().clone(), fit.model.family().clone(), fit.model.prior().clone());
    let with_row = |range: &[usize]| -> Result<Model, Problem> {
        let (mut model, part) = (empty()?, table.select(range));
        model.update(&fit.rows_of(&part.rows), &part.texts())?;
        Ok(model)
    };
    let all: Vec<usize> = (0..table.labels.len()).collect();
    let others: Vec<usize> = all.iter().copied().filter(|&other| other != row).collect();
    let whole = with_row(&all)?;
    let one = table.select(&[row]);
    let mut removed = whole.clone();
    removed.retract(&fit.rows_of(&one.rows), &one.texts())?;
    let never = with_row(&others)?;
    let [whole, removed, never] = [whole.to_bytes()?, removed.to_bytes()?, never.to_bytes()?];
    let n_different =
        |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(a, b)| a != b).count() + a.len().abs_diff(b.len());
    let class = table.labels[row];
    let running: Vec<Value> = fit
        .places
        .iter()
        .map(|&place| {
            let cells = |rows: &[usize]| -> Vec<f64> {
                let own = rows.iter().filter(|&&other| table.labels[other] == class);
                own.map(|&other| table.rows[[other, place]]).filter(|cell| cell.is_finite()).collect()
            };
            let mut after = Running::of(&cells(&all));
            after.remove(table.rows[[row, place]]);
            let never = Running::of(&cells(&others));
            json!({
                "place": place, "after": [after.mean, after.variance()], "never": [never.mean, never.variance()],
                "bits": [bits(after.variance()), bits(never.variance())],
            })
        })
        .collect();
    Ok(json!({
        "whole": fingerprint(&whole), "removed": fingerprint(&removed), "never": fingerprint(&never),
        "size": never.len(), "n_different": n_different(&removed, &never),
        "n_changed": n_different(&whole, &removed), "running": running,
    }))
}

fn bits(number: f64) -> String {
    format!("{:016x}", number.to_bits())
}

/// Moments as most streaming libraries keep them: count, mean, and sum of squares about the mean.
#[derive(Clone, Copy, Debug, Default)]
struct Running {
    n: f64,
    mean: f64,
    squares: f64,
}

impl Running {
    fn of(values: &[f64]) -> Self {
        let mut running = Self::default();
        for &value in values {
            running.n += 1.0;
            let before = value - running.mean;
            running.mean += before / running.n;
            running.squares += before * (value - running.mean);
        }
        running
    }

    fn remove(&mut self, value: f64) {
        if !value.is_finite() || self.n <= 1.0 {
            *self = Self::default();
            return;
        }
        let mean = (self.n * self.mean - value) / (self.n - 1.0);
        self.squares -= (value - mean) * (value - self.mean);
        (self.n, self.mean) = (self.n - 1.0, mean);
    }

    fn variance(self) -> f64 {
        if self.n > 0.0 { self.squares / self.n } else { 0.0 }
    }
}
