//! Cells as levels: numbers by cut points, categories as they are or by their groups, and its own level for
//! missing cells.

use nb_variants::{Cuts, modl_groups};
use ndarray::{Array2, ArrayView2};

use super::columns::Columns;
use crate::{ColumnKind, LearnError};

/// How the cells of each column become levels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Coding {
    /// The cut points of columns of numbers.
    pub(super) cuts: Vec<Vec<f64>>,
    /// The level of each category, by column; none for columns that have no groups.
    groups: Vec<Vec<usize>>,
    /// The number of levels of each column without that of missing cells, which comes after them.
    pub(super) n_levels: Vec<usize>,
    /// Where the levels of each column begin among those of all columns.
    pub(super) starts: Vec<usize>,
    /// The number of levels of all columns.
    pub(super) n_all: usize,
}

impl Coding {
    /// Cut points that are known, one list for each column of the table, or those of [`learn`](Self::learn).
    ///
    /// # Errors
    /// As [`learn`](Self::learn).
    pub(super) fn new(
        columns: &Columns,
        rows: &[usize],
        labels: &[usize],
        n_bins: usize,
        cuts: Option<&[Vec<f64>]>,
    ) -> Result<Self, LearnError> {
        let Some(cuts) = cuts else { return Self::learn(columns, rows, labels, n_bins) };
        let of_columns = columns.features.iter().zip(&columns.places);
        let cuts = of_columns.map(|(feature, &place)| match feature {
            ColumnKind::Numbers => cuts[place].clone(),
            _ => Vec::new(),
        });
        Ok(Self::of_cuts(columns, cuts.collect(), groups(columns, rows, labels)))
    }

    /// Cut points from some rows: those of `n_bins` bins of about as many rows each, and those that the
    /// description length of the classes accepts (Fayyad and Irani 1993), which are where a few values
    /// matter much.
    ///
    /// # Errors
    /// [`LearnError::Discretise`] names a column with an infinite cell, or with too many bins.
    pub(super) fn learn(
        columns: &Columns,
        rows: &[usize],
        labels: &[usize],
        n_bins: usize,
    ) -> Result<Self, LearnError> {
        let groups = groups(columns, rows, labels);
        let labels: Vec<usize> = rows.iter().map(|&row| labels[row]).collect();
        let mut cuts = Vec::with_capacity(columns.features.len());
        for (column, feature) in columns.features.iter().enumerate() {
            cuts.push(match feature {
                ColumnKind::Numbers => {
                    let cells: Vec<f64> = rows.iter().map(|&row| columns.cells(column)[row]).collect();
                    cuts_of(&cells, &labels, n_bins)
                        .map_err(|error| LearnError::Discretise { column: columns.places[column], error })?
                }
                _ => Vec::new(),
            });
        }
        Ok(Self::of_cuts(columns, cuts, groups))
    }

    /// The levels that cut points and groups make.
    fn of_cuts(columns: &Columns, cuts: Vec<Vec<f64>>, groups: Vec<Vec<usize>>) -> Self {
        let levels = columns.features.iter().zip(&cuts).zip(&groups);
        let n_levels = levels.map(|((feature, cuts), groups)| match *feature {
            ColumnKind::Numbers => cuts.len() + 1,
            ColumnKind::Categories(n_categories) => n_categories,
            ColumnKind::Grouped(_) => groups.iter().max().map_or(0, |last| last + 1),
            ColumnKind::Term(_) | ColumnKind::Ignored => 0,
        });
        let n_levels: Vec<usize> = n_levels.collect();
        let mut n_all = 0;
        let starts = n_levels.iter().map(|n_levels| {
            let start = n_all;
            n_all += n_levels + 1;
            start
        });
        let starts = starts.collect();
        Self { cuts, groups, n_levels, starts, n_all }
    }

    /// The levels of some rows.
    pub(super) fn levels(&self, columns: &Columns, rows: &[usize]) -> Levels {
        let of_column = |column: usize| {
            let (cells, start, n_levels) =
                (columns.cells(column), self.starts[column], self.n_levels[column]);
            let (cuts, groups) = (&self.cuts[column], &self.groups[column]);
            let is_number = columns.features[column] == ColumnKind::Numbers;
            let level = |value: f64| match value {
                _ if value.is_nan() => n_levels,
                _ if !groups.is_empty() => groups[value as usize],
                _ if is_number => cuts.partition_point(|&cut| cut < value),
                _ => value as usize,
            };
            rows.iter().map(|&row| (start + level(cells[row])) as u32).collect()
        };
        Levels { columns: (0..self.starts.len()).map(of_column).collect(), n_rows: rows.len() }
    }

    /// The neighbouring bins of columns of numbers, as pairs of levels.
    pub(super) fn neighbours(&self, features: &[ColumnKind]) -> Vec<(usize, usize)> {
        let numbers = features.iter().enumerate().filter(|(_, feature)| **feature == ColumnKind::Numbers);
        numbers
            .flat_map(|(column, _)| {
                let start = self.starts[column];
                (1..self.n_levels[column]).map(move |level| (start + level - 1, start + level))
            })
            .collect()
    }

    /// The level of each bin or category of a column.
    pub(super) fn of_values(&self, column: usize) -> Vec<usize> {
        let groups = &self.groups[column];
        if groups.is_empty() {
            return self.of_column(column).collect();
        }
        groups.iter().map(|level| self.starts[column] + level).collect()
    }

    /// The levels of a column, without that of missing cells.
    pub(super) fn of_column(&self, column: usize) -> std::ops::Range<usize> {
        self.starts[column]..self.starts[column] + self.n_levels[column]
    }

    /// The places of the levels of each column in a table of `n_all × n_classes`.
    pub(super) fn ranges(&self, n_classes: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        (0..self.starts.len()).map(move |column| {
            let levels = self.of_column(column);
            levels.start * n_classes..levels.end * n_classes
        })
    }

    /// The level of missing cells of a column.
    pub(super) fn missing(&self, column: usize) -> usize {
        self.starts[column] + self.n_levels[column]
    }
}

/// The levels of rows, by column: positions among the levels of all columns.
pub(super) struct Levels {
    pub(super) columns: Vec<Vec<u32>>,
    pub(super) n_rows: usize,
}

fn cuts_of(cells: &[f64], labels: &[usize], n_bins: usize) -> Result<Vec<f64>, nb_variants::DiscretiseError> {
    let rows = ArrayView2::from_shape((cells.len(), 1), cells).unwrap_or_else(|_| ArrayView2::from(&[[]; 0]));
    let (by_rows, by_classes) = (Cuts::equal_frequency(&rows, n_bins)?, Cuts::mdl(&rows, labels)?);
    let mut cuts = [by_rows.column(0), by_classes.column(0)].concat();
    cuts.sort_unstable_by(f64::total_cmp);
    cuts.dedup();
    Ok(cuts)
}

/// The group of each category of the columns that have groups; categories without rows are one more.
fn groups(columns: &Columns, rows: &[usize], labels: &[usize]) -> Vec<Vec<usize>> {
    let n_classes = labels.iter().max().map_or(0, |last| last + 1);
    let of_column = |(column, feature): (usize, &ColumnKind)| {
        let ColumnKind::Grouped(n_categories) = *feature else { return Vec::new() };
        let (cells, mut counts) = (columns.cells(column), Array2::zeros((n_categories, n_classes)));
        for &row in rows.iter().filter(|row| !cells[**row].is_nan()) {
            counts[[cells[row] as usize, labels[row]]] += 1.0;
        }
        let groups = modl_groups(&counts.view());
        let mut of_category = vec![groups.len(); n_categories];
        for (group, categories) in groups.iter().enumerate() {
            for &category in categories {
                of_category[category] = group;
            }
        }
        of_category
    };
    columns.features.iter().enumerate().map(of_column).collect()
}
