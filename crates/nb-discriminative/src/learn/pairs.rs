//! Pairs of columns whose values say more together than each by itself.

use super::{
    axis::Axis,
    coding::{Coding, Levels},
    columns::Columns,
    parts::each,
    row_weights::RowWeights,
    settings::FEWEST_ROWS,
    sums::Derivatives,
};

/// The ridge penalty on the terms of a grid that is looked at.
const RIDGE: f64 = 3.0;

/// How many products of rows, classes and pairs are worth looking at.
const MOST_WORK: usize = 400_000_000;

/// The number of rows per pair.
const ROWS_OF_PAIR: usize = 50;
/// A grid has at most as many cells as there are rows over this number.
const ROWS_OF_CELL: usize = 20;
/// The most places of an axis.
const MOST_PLACES: usize = 10;

/// Two columns with a level for each cell of their grid.
pub(super) struct Pair {
    pub(super) columns: [usize; 2],
    pub(super) n_places: [usize; 2],
    /// Where its levels begin among those of columns and pairs. There is one for each cell, and the last is
    /// that of rows that have none, as a value is missing.
    pub(super) start: usize,
    /// The levels of the rows, and those of rows that are held out.
    pub(super) levels: Vec<u32>,
    pub(super) of_held_out: Vec<u32>,
}

/// The pairs that were chosen.
#[derive(Default)]
pub(super) struct Pairs {
    /// The axis of each column.
    pub(super) axes: Vec<Axis>,
    pub(super) chosen: Vec<Pair>,
    /// The neighbouring cells of all grids, as pairs of levels.
    pub(super) neighbours: Vec<(usize, usize)>,
    /// The number of levels of all pairs.
    pub(super) n_levels: usize,
}

/// How many pairs these rows are enough for.
fn enough_for(n_rows: usize) -> usize {
    if n_rows < FEWEST_ROWS { 0 } else { n_rows / ROWS_OF_PAIR }
}

/// What pairs are searched for with: rows, and the derivatives of their loss where the terms of columns are.
pub(super) struct Search<'a> {
    pub(super) columns: &'a Columns,
    pub(super) coding: &'a Coding,
    pub(super) levels: &'a Levels,
    pub(super) held_out: &'a Levels,
    pub(super) row_weights: RowWeights<'a>,
    pub(super) n_classes: usize,
    /// Of the loss of each row.
    pub(super) derivatives: &'a Derivatives,
    /// The terms of the levels of all columns.
    pub(super) terms: &'a [f64],
}

impl Search<'_> {
    /// The pairs that promise most.
    ///
    /// With the sums `g` and `h` over the rows of a cell, `Σ g² / (h + ridge) / 2` is what a Newton step on a
    /// term for each cell would gain, and by chance it is `Σ h / (h + ridge) / 2`: the score test of Rao
    /// (1948), as Lou, Caruana, Gehrke and Hooker (2013, *Accurate intelligible models with pairwise
    /// interactions*, KDD) rank pairs by coarse counts. Terms of columns were fitted to the same rows, which
    /// makes sums smaller than by chance: those of the pair in the middle are taken for usual.
    pub(super) fn pairs(&self, per_column: usize) -> Pairs {
        let n_rows = self.levels.n_rows;
        let at_most = enough_for(n_rows).min(per_column * self.levels.columns.len());
        if at_most == 0 {
            return Pairs::default();
        }
        let most_places = (n_rows / ROWS_OF_CELL).isqrt().clamp(2, MOST_PLACES);
        let axes = self.levels.columns.iter().enumerate().map(|(column, levels)| {
            let of_column = (self.coding, column, self.columns.features[column]);
            Axis::new(of_column, levels, self.row_weights, most_places)
        });
        let axes: Vec<Axis> = axes.collect();
        let columns = self.candidates(&axes);
        let of_rows = |levels: &Levels| -> Vec<Vec<u32>> {
            let places =
                |&column: &usize| axes[column].of_rows((self.coding, column), &levels.columns[column]);
            columns.iter().map(places).collect()
        };
        let places = of_rows(self.levels);
        let gains = each(columns.len(), |a| {
            let gain = |b: usize| {
                let n_places = [a, b].map(|place| axes[columns[place]].n_places);
                ([a, b], self.gain(n_places, [&places[a], &places[b]]))
            };
            (a + 1..columns.len()).map(gain).collect::<Vec<_>>()
        });
        let found = best(gains.into_iter().flatten().collect(), at_most);
        let of_held_out = of_rows(self.held_out);
        let mut pairs = Pairs::default();
        for both in found {
            let columns = both.map(|place| columns[place]);
            let axes = columns.map(|column| &axes[column]);
            let n_places = axes.map(|axis| axis.n_places);
            let start = self.coding.n_all + pairs.n_levels;
            let levels_of = |places: &[Vec<u32>]| {
                let rows = places[both[0]].iter().zip(&places[both[1]]);
                rows.map(|(&a, &b)| (start + cell([a, b], n_places)) as u32).collect()
            };
            let (levels, of_held_out) = (levels_of(&places), levels_of(&of_held_out));
            pairs.neighbours.extend(neighbours(axes, start));
            pairs.n_levels += n_places[0] * n_places[1] + 1;
            pairs.chosen.push(Pair { columns, n_places, start, levels, of_held_out });
        }
        pairs.axes = axes;
        pairs
    }

    /// The columns that are looked at: those that need not be monotone, and add most, if they are many.
    fn candidates(&self, axes: &[Axis]) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..axes.len())
            .filter(|&column| self.columns.rising[column].is_none() && axes[column].n_places > 1)
            .collect();
        let most = (2 * MOST_WORK / (self.derivatives.first.len().max(1))).isqrt().max(2);
        let sizes: Vec<f64> = (0..axes.len()).map(|column| self.size(column)).collect();
        columns.sort_by(|a, b| sizes[*b].total_cmp(&sizes[*a]));
        columns.truncate(most);
        columns.sort_unstable();
        columns
    }

    /// The sum over the rows of the squares of what a column adds.
    fn size(&self, column: usize) -> f64 {
        let of_row = |(row, level): (usize, &u32)| {
            let start = *level as usize * self.n_classes;
            let squares = self.terms[start..start + self.n_classes].iter().map(|term| term * term);
            self.row_weights.of(row) * squares.sum::<f64>()
        };
        self.levels.columns[column].iter().enumerate().map(of_row).sum()
    }

    /// What the terms of a grid would gain, and what they would gain by chance.
    fn gain(&self, n_places: [usize; 2], places: [&[u32]; 2]) -> [f64; 2] {
        let n_classes = self.n_classes;
        let n_cells = n_places[0] * n_places[1];
        let mut sums = vec![0.0; 2 * (n_cells + 1) * n_classes];
        let rows = Cells { places, n_places };
        match n_classes {
            2 => rows.add::<2>(self.derivatives, &mut sums),
            3 => rows.add::<3>(self.derivatives, &mut sums),
            4 => rows.add::<4>(self.derivatives, &mut sums),
            _ => rows.add_any(self.derivatives, n_classes, &mut sums),
        }
        let (mut gain, mut by_chance) = (0.0, 0.0);
        for sums in sums.chunks_exact(2 * n_classes).take(n_cells) {
            let (first, second) = sums.split_at(n_classes);
            for (first, second) in first.iter().zip(second) {
                gain += first * first / (second + RIDGE);
                by_chance += second / (second + RIDGE);
            }
        }
        [0.5 * gain, 0.5 * by_chance]
    }
}

/// The cells of rows in a grid.
#[derive(Clone, Copy)]
struct Cells<'a> {
    places: [&'a [u32]; 2],
    n_places: [usize; 2],
}

impl Cells<'_> {
    /// Adds the first and second derivatives of rows to the sums of their cells, `n_cells × 2 × n_classes`.
    fn add_any(self, derivatives: &Derivatives, n_classes: usize, sums: &mut [f64]) {
        let rows = self.places[0].iter().zip(self.places[1]);
        let Derivatives { first, second } = derivatives;
        let derivatives = first.chunks_exact(n_classes).zip(second.chunks_exact(n_classes));
        for ((&a, &b), (first, second)) in rows.zip(derivatives) {
            let at = 2 * n_classes * cell([a, b], self.n_places);
            let (of_first, of_second) = sums[at..at + 2 * n_classes].split_at_mut(n_classes);
            of_first.iter_mut().zip(first).for_each(|(sum, first)| *sum += first);
            of_second.iter_mut().zip(second).for_each(|(sum, second)| *sum += second);
        }
    }

    /// The same for a number of classes that the compiler knows, as there are many pairs.
    fn add<const N: usize>(self, derivatives: &Derivatives, sums: &mut [f64]) {
        let (pairs, _) = sums.as_chunks_mut::<N>();
        let (sums, _) = pairs.as_chunks_mut::<2>();
        let rows = self.places[0].iter().zip(self.places[1]);
        let (first, second) = (derivatives.first.as_chunks::<N>().0, derivatives.second.as_chunks::<N>().0);
        for ((&a, &b), (first, second)) in rows.zip(first.iter().zip(second)) {
            let [of_first, of_second] = &mut sums[cell([a, b], self.n_places)];
            let sums = of_first.iter_mut().zip(of_second);
            for ((of_first, of_second), (first, second)) in sums.zip(first.iter().zip(second)) {
                *of_first += first;
                *of_second += second;
            }
        }
    }
}

/// The pairs that gain most, beyond what is usual.
fn best(gains: Vec<([usize; 2], [f64; 2])>, at_most: usize) -> Vec<[usize; 2]> {
    /// Of fewer pairs the one in the middle may well matter.
    const FEW: usize = 4;
    let mut ratios: Vec<f64> = gains.iter().map(|(_, [gain, by_chance])| gain / by_chance).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let usual = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0).min(1.0);
    let beyond = |[gain, by_chance]: [f64; 2]| gain - usual * by_chance;
    let mut gains: Vec<_> = gains.into_iter().map(|(pair, gain)| (pair, beyond(gain))).collect();
    if gains.len() >= FEW {
        gains.retain(|(_, gain)| *gain > 0.0);
    }
    gains.sort_by(|a, b| b.1.total_cmp(&a.1));
    gains.truncate(at_most);
    gains.into_iter().map(|(pair, _)| pair).collect()
}

/// The cell of a row; that after the last if a value is missing.
fn cell(places: [u32; 2], n_places: [usize; 2]) -> usize {
    let [a, b] = places.map(|place| place as usize);
    if a < n_places[0] && b < n_places[1] { a * n_places[1] + b } else { n_places[0] * n_places[1] }
}

/// The neighbouring cells of a grid.
fn neighbours(axes: [&Axis; 2], start: usize) -> impl Iterator<Item = (usize, usize)> {
    let [n_first, n_second] = axes.map(|axis| axis.n_places);
    let [down, right] = axes.map(|axis| axis.is_ordered);
    (0..n_first * n_second).flat_map(move |cell| {
        let at = start + cell;
        let above = (down && cell >= n_second).then(|| (at - n_second, at));
        let left = (right && !cell.is_multiple_of(n_second)).then(|| (at - 1, at));
        above.into_iter().chain(left)
    })
}
