//! Hashes of rows. Model files depend on them: `docs/format.md` specifies them.

use nb_table::hash::{fnv_1a, mix};

use crate::{Kind, Schema, read::Table};

/// The bits of a missing cell.
const MISSING: u64 = 0x7FF8_0000_0000_0000;

/// The hashes of names, from which those of cells are made.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// One for each feature.
    features: Vec<u64>,
    /// For features of named categories: the feature, and what a cell of each category adds.
    categories: Vec<(usize, Vec<u64>)>,
    /// For each feature, its place in `categories`.
    places: Vec<Option<usize>>,
    n_levels: usize,
}

/// The hash of a name.
fn key(name: &str) -> u64 {
    mix(fnv_1a(name.as_bytes()))
}

/// How many categories have names.
fn n_levels(schema: &Schema) -> usize {
    let levels = schema.columns.iter().map(|column| match &column.kind {
        Kind::Categorical { levels } => levels.len(),
        _ => 0,
    });
    levels.sum()
}

impl Keys {
    pub(super) fn new(schema: &Schema) -> Self {
        let (mut features, mut categories, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (place, feature) in schema.features().enumerate() {
            let own = key(&feature.name());
            features.push(own);
            places.push(None);
            if let Kind::Categorical { levels } = feature.kind() {
                places[place] = Some(categories.len());
                let cells = levels.iter().map(|level| mix(own.wrapping_add(key(level))));
                categories.push((place, cells.collect()));
            }
        }
        Self { features, categories, places, n_levels: n_levels(schema) }
    }

    /// The same with the categories that the schema has now.
    pub(super) fn grow(&mut self, schema: &Schema) {
        if self.n_levels != n_levels(schema) {
            *self = Self::new(schema);
        }
    }

    /// The hash of a row.
    pub(super) fn hash(&self, rows: &Table, row: usize, label: &str) -> u64 {
        let cells = match rows {
            Table::Dense(rows) => {
                let cells = rows.row(row);
                cells
                    .iter()
                    .enumerate()
                    .fold(0, |sum: u64, (feature, &value)| sum.wrapping_add(self.cell(feature, value)))
            }
            Table::Sparse(rows) => {
                // A category that is not stored is the first one.
                let first = |(feature, _): &(usize, Vec<u64>)| self.cell(*feature, 0.0);
                let base = self.categories.iter().map(first).fold(0, u64::wrapping_add);
                let cells = rows.indptr()[row]..rows.indptr()[row + 1];
                let stored = rows.indices()[cells.clone()].iter().zip(&rows.values()[cells]);
                stored.fold(base, |sum, (&feature, &value)| {
                    sum.wrapping_add(self.cell(feature, value)).wrapping_sub(self.cell(feature, 0.0))
                })
            }
        };
        mix(cells.wrapping_add(key(label).rotate_left(32)))
    }

    /// What a cell adds: nothing if it is zero and no category.
    fn cell(&self, feature: usize, value: f64) -> u64 {
        let Some(&own) = self.features.get(feature) else { return 0 };
        let of_bits = |bits: u64| mix(own.wrapping_add(bits));
        if value.is_nan() {
            return of_bits(MISSING);
        }
        match self.places[feature] {
            Some(place) => {
                let cells = &self.categories[place].1;
                cells.get(value as usize).copied().unwrap_or_else(|| of_bits(value.to_bits()))
            }
            None if value == 0.0 => 0,
            None => of_bits(value.to_bits()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, read::SparseTable};

    fn categories(levels: &[&str]) -> Kind {
        Kind::Categorical { levels: levels.iter().map(|&level| level.into()).collect() }
    }

    fn schema(columns: Vec<(&str, Kind)>) -> Schema {
        let columns = columns.into_iter().map(|(name, kind)| Column { name: name.into(), kind });
        Schema { columns: columns.collect(), label: "y".into() }
    }

    #[test]
    fn hashes_never_change() {
        assert_eq!(mix(0), 0xE220_A839_7B1D_CDAF);
        let one = schema(vec![("x", Kind::Numeric)]);
        let keys = Keys::new(&one);
        let hash = |value: f64| keys.hash(&Table::Dense(ndarray::array![[value]]), 0, "a");
        let cell = mix(mix(fnv_1a(b"x")).wrapping_add(2.5_f64.to_bits()));
        let of_label = |cell: u64| mix(cell.wrapping_add(mix(fnv_1a(b"a")).rotate_left(32)));
        assert_eq!(hash(2.5), of_label(cell));
        assert_eq!((hash(-0.0), hash(0.0)), (of_label(0), of_label(0)));
        assert_eq!(hash(f64::NAN), hash(-f64::NAN));
        assert_ne!(hash(f64::NAN), hash(0.0));
    }

    #[test]
    fn the_order_of_columns_and_categories_does_not_matter() {
        let one = Keys::new(&schema(vec![("x", Kind::Numeric), ("c", categories(&["red", "blue"]))]));
        let other =
            Keys::new(&schema(vec![("c", categories(&["blue", "green", "red"])), ("x", Kind::Numeric)]));
        let rows = |values| Table::Dense(values);
        let (first, second) =
            (rows(ndarray::array![[3.0, 0.0], [3.0, 1.0]]), rows(ndarray::array![[2.0, 3.0], [0.0, 3.0]]));
        for row in 0..2 {
            assert_eq!(one.hash(&first, row, "a"), other.hash(&second, row, "a"));
            assert_ne!(one.hash(&first, row, "a"), other.hash(&second, row, "b"));
        }
        assert_ne!(one.hash(&first, 0, "a"), one.hash(&first, 1, "a"));
    }

    #[test]
    fn sparse_rows_have_the_hashes_of_dense_ones() {
        let keys = Keys::new(&schema(vec![
            ("x", Kind::Numeric),
            ("c", categories(&["red", "blue"])),
            ("z", Kind::Count),
        ]));
        let dense = Table::Dense(ndarray::array![[0.0, 0.0, 2.0], [1.0, 1.0, 0.0], [0.0, f64::NAN, 0.0]]);
        let sparse =
            SparseTable::new(3, vec![0, 1, 4, 5], vec![2, 0, 1, 2, 1], vec![2.0, 1.0, 1.0, 0.0, f64::NAN])
                .unwrap();
        for row in 0..3 {
            assert_eq!(
                keys.hash(&dense, row, "a"),
                keys.hash(&Table::Sparse(sparse.clone()), row, "a"),
                "{row}"
            );
        }
    }
}
