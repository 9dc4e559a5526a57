//! The levels of a column as the places of an axis of a grid.

use super::{coding::Coding, row_weights::RowWeights};
use crate::ColumnKind;

/// The levels of a column, some of which share a place: neighbouring bins, or the rarest categories.
pub(super) struct Axis {
    /// The place of each level of the column; that of missing cells is the last, and there only.
    places: Vec<usize>,
    pub(super) n_places: usize,
    /// Whether neighbouring places are alike.
    pub(super) is_ordered: bool,
}

impl Axis {
    /// For a column, from the levels of some rows.
    pub(super) fn new(
        (coding, column, feature): (&Coding, usize, ColumnKind),
        levels: &[u32],
        row_weights: RowWeights<'_>,
        at_most: usize,
    ) -> Self {
        let n_levels = coding.n_levels[column];
        let is_ordered = feature == ColumnKind::Numbers;
        let mut weights = vec![0.0; n_levels + 1];
        for (row, &level) in levels.iter().enumerate() {
            weights[level as usize - coding.starts[column]] += row_weights.of(row);
        }
        weights.pop();
        let mut places = match () {
            () if n_levels <= at_most => (0..n_levels).collect(),
            () if is_ordered => alike(&weights, at_most),
            () => most_frequent(&weights, at_most),
        };
        let n_places = places.iter().max().map_or(0, |last| last + 1);
        places.push(n_places);
        Self { places, n_places, is_ordered }
    }

    /// The place of each level, without that of missing cells.
    pub(super) fn places(&self) -> &[usize] {
        &self.places[..self.places.len() - 1]
    }

    /// The place of each row; that after the last if the cell is missing.
    pub(super) fn of_rows(&self, (coding, column): (&Coding, usize), levels: &[u32]) -> Vec<u32> {
        let start = coding.starts[column];
        levels.iter().map(|&level| self.places[level as usize - start] as u32).collect()
    }
}

/// Neighbours share a place until it has as many rows as all later ones will have on average.
fn alike(weights: &[f64], at_most: usize) -> Vec<usize> {
    let (mut left, mut own, mut place) = (weights.iter().sum::<f64>(), 0.0, 0);
    let of_level = weights.iter().map(|weight| {
        let found = place;
        own += weight;
        if place + 1 < at_most && own * (at_most - place) as f64 >= left {
            left -= own;
            (own, place) = (0.0, place + 1);
        }
        found
    });
    of_level.collect()
}

/// The most frequent levels have a place each, all others the last one.
fn most_frequent(weights: &[f64], at_most: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]));
    let mut places = vec![0; weights.len()];
    for (place, level) in order.into_iter().enumerate() {
        places[level] = place.min(at_most - 1);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_places_of_about_as_many_rows() {
        assert_eq!(alike(&[5.0, 5.0, 5.0, 5.0, 5.0, 5.0], 3), [0, 0, 1, 1, 2, 2]);
        assert_eq!(alike(&[50.0, 1.0, 1.0, 1.0, 1.0], 3), [0, 1, 1, 2, 2]);
        assert_eq!(alike(&[1.0, 1.0, 1.0, 1.0, 50.0], 2), [0, 0, 0, 0, 0]);
    }

    #[test]
    fn rare_categories_share_the_last_place() {
        assert_eq!(most_frequent(&[1.0, 9.0, 2.0, 5.0], 3), [2, 0, 2, 1]);
    }
}
