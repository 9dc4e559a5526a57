//! Numbers as they are, beside their bins: what is multiplied with a slope per class.

use std::ops::Range;

use super::{
    columns::Columns,
    multiplied::Multiplied,
    sums::products::{Power, add_product_scores, add_products},
};
use crate::ColumnKind;

/// One row in this number is beyond each of the limits of a column.
const BEYOND: usize = 200;

/// Columns that vary less have no slope.
const LEAST_DEVIATION: f64 = 1e-290;

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
    /// Those of each column of numbers that are not all the same and need not be monotone, from some rows.
    pub(super) fn learn(columns: &Columns, rows: &[usize]) -> Vec<Self> {
        let numbers = columns.features.iter().enumerate();
        let numbers = numbers.filter(|(column, feature)| {
            **feature == ColumnKind::Numbers && columns.rising[*column].is_none()
        });
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
        // A slope per unit of the column must be a number, too.
        (low < high && deviation > LEAST_DEVIATION && deviation.is_finite()).then_some(Self {
            column,
            low,
            high,
            mean,
            deviation,
        })
    }

    /// The number that is multiplied; 0 for a missing one, as for the mean.
    #[inline]
    pub(super) fn apply(&self, value: f64) -> f64 {
        if value.is_nan() { 0.0 } else { (value.clamp(self.low, self.high) - self.mean) / self.deviation }
    }
}

/// The numbers of some rows in their scales.
pub(super) struct ScaledRows {
    n_rows: usize,
    /// By scale, then by row.
    numbers: Vec<f64>,
    n_scales: usize,
}

impl ScaledRows {
    /// Those of the columns of `scales`.
    pub(super) fn new(scales: &[Scale], columns: &Columns, rows: &[usize]) -> Self {
        let mut numbers = Vec::with_capacity(scales.len() * rows.len());
        for scale in scales {
            let cells = columns.cells(scale.column);
            numbers.extend(rows.iter().map(|&row| scale.apply(cells[row])));
        }
        Self { n_rows: rows.len(), numbers, n_scales: scales.len() }
    }

    /// The numbers in a range of the rows, by scale.
    fn of_range(&self, rows: Range<usize>) -> Vec<&[f64]> {
        let of_scale = |scale: usize| {
            let start = scale * self.n_rows;
            &self.numbers[start + rows.start..start + rows.end]
        };
        (0..self.n_scales).map(of_scale).collect()
    }
}

impl Multiplied for ScaledRows {
    fn n_terms(&self) -> usize {
        self.n_scales
    }

    fn add_terms(&self, rows: Range<usize>, values: &[f64], n_classes: usize, scores: &mut [f64]) {
        add_products(&self.of_range(rows), values, n_classes, scores);
    }

    fn add_scores(
        &self,
        rows: Range<usize>,
        scores: &[f64],
        n_classes: usize,
        power: Power,
        sums: &mut [f64],
    ) {
        add_product_scores(&self.of_range(rows), power, scores, n_classes, sums);
    }
}
