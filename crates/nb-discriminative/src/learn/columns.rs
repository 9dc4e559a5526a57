//! Rows, column by column, with what each column holds.

use nb_core::{Rows, family::BlockBuffer};

use super::text::Text;
use crate::{ColumnKind, LearnError};

/// How many cells are copied at a time.
const CELLS: usize = 1 << 15;

/// The cells of rows by column, checked, and their texts.
pub(super) struct Columns {
    /// What the columns hold that are no terms.
    pub(super) features: Vec<ColumnKind>,
    /// Where these are among all columns.
    pub(super) places: Vec<usize>,
    cells: Vec<Vec<f64>>,
    /// The class that larger numbers never speak against, of columns with a monotone effect.
    pub(super) rising: Vec<Option<usize>>,
    pub(super) texts: Vec<Text>,
}

impl Columns {
    /// # Errors
    /// [`LearnError`] names a cell that its column cannot hold.
    pub(super) fn new(
        rows: &(impl Rows + ?Sized),
        features: &[ColumnKind],
        rising: Option<&[Option<usize>]>,
    ) -> Result<Self, LearnError> {
        let (n_rows, n_columns) = (rows.n_rows(), rows.n_columns());
        if n_columns != features.len() {
            return Err(LearnError::Features { columns: n_columns, features: features.len() });
        }
        let Places { others: places, texts, of_columns } = Places::new(features);
        let features: Vec<ColumnKind> = places.iter().map(|&place| features[place]).collect();
        let rising = places.iter().map(|&place| rising.and_then(|rising| rising[place])).collect();
        let mut columns =
            Self { cells: vec![vec![0.0; n_rows]; features.len()], features, places, rising, texts };
        let (mut buffer, at_once) = (BlockBuffer::default(), (CELLS / n_columns.max(1)).max(1));
        for first in (0..n_rows).step_by(at_once) {
            let (mut last, mut found) = (first, Ok(()));
            let end = n_rows.min(first + at_once);
            // What is not stored is zero, which no term has.
            buffer.read(rows, first..end).for_each_stored(|row, column, value| {
                let row = first + row;
                for _ in last..row {
                    columns.texts.iter_mut().for_each(Text::end_row);
                }
                last = row;
                match of_columns[column] {
                    Place::Cell(place) => columns.cells[place][row] = value,
                    Place::Term(text, term) if found.is_ok() => {
                        found = columns.texts[text].push(row, term, value);
                    }
                    Place::Term(..) | Place::Nowhere => {}
                }
            });
            found?;
            for _ in last..end {
                columns.texts.iter_mut().for_each(Text::end_row);
            }
        }
        columns.check()?;
        Ok(columns)
    }

    /// Refuses cells that are no category.
    fn check(&self) -> Result<(), LearnError> {
        let columns = self.features.iter().zip(&self.cells).zip(&self.places);
        for ((feature, cells), &column) in columns {
            let (ColumnKind::Categories(n_categories) | ColumnKind::Grouped(n_categories)) = *feature else {
                continue;
            };
            let is_none = |&(_, &value): &(usize, &f64)| {
                !(value.is_nan() || (value >= 0.0 && value < n_categories as f64 && value.fract() == 0.0))
            };
            if let Some((row, &value)) = cells.iter().enumerate().find(is_none) {
                return Err(LearnError::Category { row, column, value, n_categories });
            }
        }
        Ok(())
    }

    pub(super) fn cells(&self, column: usize) -> &[f64] {
        &self.cells[column]
    }
}

/// Where the cells of a column go.
enum Place {
    Cell(usize),
    Nowhere,
    /// To this term of this text.
    Term(usize, usize),
}

struct Places {
    /// The columns that are no terms.
    others: Vec<usize>,
    /// Texts without rows.
    texts: Vec<Text>,
    of_columns: Vec<Place>,
}

impl Places {
    fn new(features: &[ColumnKind]) -> Self {
        let (mut places, mut of_texts) = (Vec::new(), std::collections::BTreeMap::<usize, Vec<usize>>::new());
        for (column, feature) in features.iter().enumerate() {
            match feature {
                ColumnKind::Term(text) => of_texts.entry(*text).or_default().push(column),
                ColumnKind::Ignored => {}
                _ => places.push(column),
            }
        }
        let mut of_columns: Vec<Place> = features.iter().map(|_| Place::Nowhere).collect();
        for (place, &column) in places.iter().enumerate() {
            of_columns[column] = Place::Cell(place);
        }
        for (text, columns) in of_texts.values().enumerate() {
            for (term, &column) in columns.iter().enumerate() {
                of_columns[column] = Place::Term(text, term);
            }
        }
        let texts = of_texts.into_values().map(Text::new).collect();
        Self { others: places, texts, of_columns }
    }
}
