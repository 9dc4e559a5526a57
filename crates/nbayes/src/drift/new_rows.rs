//! New rows, counted and added up as the sums of the model are.

use std::ops::Range;

use nb_io::{
    Kind, Schema,
    read::{Chunk, Table},
};
use nb_significance::SampleMoments;

use super::stored::{Stored, Values};

/// What new rows have in a column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// Rows of each bin or category, or of the two sides of a threshold or value.
    pub(crate) counts: Vec<f64>,
    /// Rows of categories that the model does not know.
    pub(crate) unseen: f64,
    pub(crate) missing: f64,
    /// Cells that were looked at; the others of a sparse table are zero.
    looked_at: u64,
    n: f64,
    mean: f64,
    squares: f64,
}

impl Seen {
    /// Adds a number (Welford 1962, *Note on a method for calculating corrected sums of squares and
    /// products*).
    fn add(&mut self, value: f64) {
        self.n += 1.0;
        let distance = value - self.mean;
        self.mean += distance / self.n;
        self.squares += distance * (value - self.mean);
    }

    /// Adds zeros.
    fn add_zeros(&mut self, n: f64) {
        let all = self.n + n;
        if all > 0.0 && n > 0.0 {
            self.squares += self.mean * self.mean * self.n * n / all;
            self.mean *= self.n / all;
            self.n = all;
        }
    }

    /// The moments of the numbers.
    pub(crate) fn moments(&self) -> SampleMoments {
        let variance = if self.n > 0.0 { self.squares / self.n } else { 0.0 };
        SampleMoments { n: self.n, mean: self.mean, variance }
    }

    fn count(&mut self, place: usize) {
        self.count_share(place, 1.0);
    }

    fn count_share(&mut self, place: usize, share: f64) {
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0.0);
        }
        self.counts[place] += share;
    }

    /// Looks at a cell.
    fn look(&mut self, value: f64, stored: &Stored, n_levels: Option<usize>) {
        self.looked_at += 1;
        if value.is_nan() {
            self.missing += 1.0;
            return;
        }
        match &stored.values {
            Values::Bins { cuts, .. } => self.count(cuts.partition_point(|cut| *cut < value)),
            Values::Grid { grid, .. } => {
                let last = (grid.n_points() - 1) as f64;
                let place = ((value - grid.origin()) / grid.step()).clamp(0.0, last);
                let share = place.fract();
                self.count_share(place as usize, 1.0 - share);
                if share > 0.0 {
                    self.count_share(place as usize + 1, share);
                }
            }
            Values::Categories(_) => match n_levels {
                Some(n) if value >= n as f64 => self.unseen += 1.0,
                _ => self.count(value.max(0.0) as usize),
            },
            Values::Split { threshold, .. } => self.count(usize::from(value > *threshold)),
            Values::Moments { power, .. } => self.add(match power {
                Some((transform, units)) => transform.apply((value - units.center) / units.scale),
                None => value,
            }),
            Values::Beside { value: beside, .. } => {
                self.count(usize::from(value != *beside));
                if value != *beside {
                    self.add(value);
                }
            }
            Values::Counts(_) => self.add(value),
            Values::Unknown(_) => {}
        }
    }
}

/// New rows, column by column.
pub(crate) struct NewRows<'a> {
    stored: &'a [Stored],
    /// The number of categories of each feature that has some.
    n_levels: Vec<Option<usize>>,
    /// For each column of texts its features, and the rows without any of them.
    texts: Vec<(Range<usize>, u64)>,
    pub(crate) rows: u64,
    pub(crate) seen: Vec<Seen>,
}

impl<'a> NewRows<'a> {
    pub(crate) fn new(stored: &'a [Stored], schema: &Schema) -> Self {
        let n_levels = schema.features().map(|feature| match feature.kind() {
            Kind::Categorical { levels } => Some(levels.len()),
            _ => None,
        });
        let columns = schema.columns.iter().zip(schema.feature_ranges());
        let texts = columns.filter(|(column, _)| matches!(column.kind, Kind::Text(_)));
        Self {
            stored,
            n_levels: n_levels.collect(),
            texts: texts.map(|(_, features)| (features, 0)).collect(),
            rows: 0,
            seen: vec![Seen::default(); stored.len()],
        }
    }

    /// The share of the rows without any of the features of a column of texts.
    pub(super) fn share_without_terms(&self, features: &Range<usize>) -> Option<f64> {
        let (_, without) = self.texts.iter().find(|(own, _)| own == features)?;
        (self.rows > 0).then(|| *without as f64 / self.rows as f64)
    }

    pub(crate) fn look(&mut self, chunk: &Chunk) {
        match &chunk.rows {
            Table::Dense(rows) => {
                self.rows += rows.nrows() as u64;
                for row in rows.rows() {
                    row.iter().enumerate().for_each(|(feature, &value)| self.cell(feature, value));
                    self.texts(|features| features.clone().any(|feature| row[feature] != 0.0));
                }
            }
            Table::Sparse(rows) => {
                self.rows += rows.indptr().len().saturating_sub(1) as u64;
                for bounds in rows.indptr().windows(2) {
                    let cells = bounds[0]..bounds[1];
                    let (features, values) = (&rows.indices()[cells.clone()], &rows.values()[cells]);
                    let known = || features.iter().zip(values);
                    known().for_each(|(&feature, &value)| self.cell(feature, value));
                    self.texts(|of_text| {
                        known().any(|(feature, value)| of_text.contains(feature) && *value != 0.0)
                    });
                }
            }
        }
    }

    /// Counts the texts without a known term.
    fn texts(&mut self, has_term: impl Fn(&Range<usize>) -> bool) {
        for (features, without) in &mut self.texts {
            *without += u64::from(!has_term(features));
        }
    }

    fn cell(&mut self, feature: usize, value: f64) {
        self.seen[feature].look(value, &self.stored[feature], self.n_levels[feature]);
    }

    /// All rows were looked at.
    pub(crate) fn finish(mut self) -> Self {
        for (seen, stored) in self.seen.iter_mut().zip(self.stored) {
            let zeros = self.rows.saturating_sub(seen.looked_at);
            if zeros == 0 {
                continue;
            }
            let mut zero = Seen::default();
            zero.look(0.0, stored, None);
            for (place, count) in zero.counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                seen.count(place);
                seen.counts[place] += count * (zeros - 1) as f64;
            }
            if zero.n > 0.0 && zero.mean == 0.0 {
                seen.add_zeros(zeros as f64);
            } else if zero.n > 0.0 {
                (0..zeros).for_each(|_| seen.add(zero.mean));
            }
        }
        self
    }
}
