//! Numbers as they are, beside their bins: what is multiplied with a slope per class.

use super::{columns::Columns, text::Text};
use crate::ColumnKind;

/// One row in so many is beyond each of the limits of a column.
const BEYOND: usize = 200;

/// The numbers of a column within limits, around their mean and in units of their spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) column: usize,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) mean: f64,
    pub(super) deviation: f64,
}

impl Scale {
    /// Those of each column of numbers that are not all the same, from some rows.
    pub(super) fn learn(columns: &Columns, rows: &[usize]) -> Vec<Self> {
        let numbers = columns.features.iter().enumerate();
        let numbers = numbers.filter(|(_, feature)| **feature == ColumnKind::Numbers);
        numbers.filter_map(|(column, _)| Self::of(column, columns.cells(column), rows)).collect()
    }

    fn of(column: usize, cells: &[f64], rows: &[usize]) -> Option<Self> {
        let mut values: Vec<f64> =
            rows.iter().map(|&row| cells[row]).filter(|value| !value.is_nan()).collect();
        values.sort_unstable_by(f64::total_cmp);
        let beyond = values.len() / BEYOND;
        let (&low, &high) = (values.get(beyond)?, values.get(values.len().checked_sub(beyond + 1)?)?);
        let n = values.len() as f64;
        let within = || values.iter().map(|value| value.clamp(low, high));
        // Around the middle first, so that nothing is lost or overflows for numbers far from zero.
        let middle = 0.5 * low + 0.5 * high;
        let mean = middle + within().map(|value| (value - middle) / n).sum::<f64>();
        let deviation = (high - low)
            * libm::sqrt(within().map(|value| ((value - mean) / (high - low)).powi(2)).sum::<f64>() / n);
        (low < high && deviation > 0.0 && deviation.is_finite()).then_some(Self {
            column,
            low,
            high,
            mean,
            deviation,
        })
    }

    /// The number that is multiplied.
    pub(super) fn apply(&self, value: f64) -> f64 {
        (value.clamp(self.low, self.high) - self.mean) / self.deviation
    }
}

/// The numbers of some rows; missing ones are 0, as the mean is.
pub(super) fn numbers(scales: &[Scale], columns: &Columns, rows: &[usize]) -> Text {
    let mut text = Text::new(scales.iter().map(|scale| scale.column).collect());
    for &row in rows {
        for (place, scale) in scales.iter().enumerate() {
            let value = columns.cells(scale.column)[row];
            if !value.is_nan() {
                text.add(place, scale.apply(value));
            }
        }
        text.end_row();
    }
    text
}
