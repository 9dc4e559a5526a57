//! Labels and posteriors in the plane of two columns, and the densities of one.

use nb_core::Likelihood;
use ndarray::Array2;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Problem, bytes, fit::Fit};

/// The most cells of a picture.
const MOST_CELLS: usize = 1 << 20;

/// A picture that is wanted: the centres of its cells are even steps apart, the first row at the top.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Plan {
    x: Axis,
    y: Axis,
    /// A row of the table: the values of all other columns.
    row: Vec<Option<f64>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Axis {
    /// A column of the table.
    column: usize,
    from: f64,
    to: f64,
    n_cells: usize,
    /// Whether values are codes of categories.
    #[serde(default)]
    is_code: bool,
}

impl Axis {
    fn value(self, cell: usize) -> f64 {
        let value = self.from + (self.to - self.from) * (cell as f64 + 0.5) / self.n_cells as f64;
        if self.is_code { value.round().clamp(0.0, (self.to - 0.5).max(0.0)) } else { value }
    }
}

/// Two bytes for each cell: the most probable class, and its posterior in 255ths.
pub(crate) fn picture(fit: &Fit, plan: &Plan) -> Result<(Value, Vec<u8>), Problem> {
    let (x, y) = (plan.x, plan.y);
    let n_cells = x.n_cells.saturating_mul(y.n_cells);
    if n_cells == 0 || n_cells > MOST_CELLS {
        return Err(Problem::new("a picture has from 1 to 2^20 cells"));
    }
    let row = fit.row_of(&plan.row)?;
    let places = [x, y].map(|axis| fit.column_at(axis.column));
    let mut out = Vec::with_capacity(2 * n_cells);
    // A part of the rows at a time, so that they stay in the processor's caches.
    for line in 0..y.n_cells {
        let mut rows = Array2::from_shape_fn((x.n_cells, row.ncols()), |(_, column)| row[[0, column]]);
        for (cell, mut cells) in rows.rows_mut().into_iter().enumerate() {
            for (place, value) in places.into_iter().zip([x.value(cell), y.value(y.n_cells - 1 - line)]) {
                if let Some(place) = place {
                    cells[place] = value;
                }
            }
        }
        for posteriors in fit.classifier.predict_proba(&rows)?.rows() {
            let best = posteriors.iter().enumerate().fold((0, -1.0), |best, (class, &posterior)| {
                if posterior > best.1 { (class, posterior) } else { best }
            });
            out.push(best.0.min(255) as u8);
            out.push((best.1 * 255.0).round() as u8);
        }
    }
    Ok((json!({}), out))
}

/// For each class `n_points` doubles: the density of the column there, times the prior of the class.
pub(crate) fn densities(
    fit: &Fit,
    place: usize,
    (from, to): (f64, f64),
    n_points: usize,
) -> Result<(Value, Vec<u8>), Problem> {
    let column = fit.column_at(place).ok_or_else(|| Problem::new("the model does not use this column"))?;
    let step = (to - from) / (n_points.max(2) - 1) as f64;
    let log_prior = fit.classifier.log_prior();
    let all = (0..log_prior.len()).flat_map(|class| {
        (0..n_points).map(move |point| {
            let value = from + step * point as f64;
            let log = fit.classifier.likelihood().log_likelihood(class, column, value);
            (log + log_prior[class]).exp()
        })
    });
    Ok((json!({}), bytes::of_doubles(all)))
}
