//! Numbers as they are, beside their bins: what is multiplied with a slope per class.

use super::{
    columns::Columns,
    multiplied::Multiplied,
    sums::{add_product_scores, add_products},
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

/// The numbers of columns, in their scales.
#[derive(Clone, Copy)]
pub(super) struct Scaled<'a> {
    pub(super) scales: &'a [Scale],
    pub(super) columns: &'a Columns,
}

impl Scaled<'_> {
    /// Calls `work` with each of the scales, and the numbers of the rows.
    fn for_each(self, rows: &[usize], mut work: impl FnMut(usize, &mut [f64])) {
        let mut numbers = vec![0.0; rows.len()];
        for (term, scale) in self.scales.iter().enumerate() {
            let cells = self.columns.cells(scale.column);
            for (number, &row) in numbers.iter_mut().zip(rows) {
                *number = scale.apply(cells[row]);
            }
            work(term, &mut numbers);
        }
    }
}

impl Multiplied for Scaled<'_> {
    fn n_terms(&self) -> usize {
        self.scales.len()
    }

    fn add_terms(&self, rows: &[usize], values: &[f64], n_classes: usize, scores: &mut [f64]) {
        self.for_each(rows, |term, numbers| {
            add_products(numbers, &values[term * n_classes..(term + 1) * n_classes], scores);
        });
    }

    fn add_scores(
        &self,
        rows: &[usize],
        scores: &[f64],
        n_classes: usize,
        of_number: fn(f64) -> f64,
        sums: &mut [f64],
    ) {
        self.for_each(rows, |term, numbers| {
            for number in numbers.iter_mut() {
                *number = of_number(*number);
            }
            add_product_scores(numbers, scores, &mut sums[term * n_classes..(term + 1) * n_classes]);
        });
    }
}
