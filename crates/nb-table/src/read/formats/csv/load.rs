//! Learning a schema and reading all rows in one pass over the file.
//!
//! The schema of the first rows is nearly always that of all, except for categories that come later. So all
//! rows are read with it and its categories put in order afterwards; where anything is otherwise, or wrong,
//! the file is read as if this had not been tried. Half the time of [`Csv::infer`] and [`Csv::read`], for the
//! memory of the table.

use std::{io::Read, path::Path};

use ndarray::ArrayView1;

use super::{Csv, CsvReader};
use crate::{
    Kind,
    read::{
        BadRows, CellProblem, FileProblem, Inference, Inferred, KindChoice, Loaded, NewLevels, NonNumeric,
        Overrides, ReadChunks, ReadError, Reason, Table, TableOptions,
        cells::{number::number_with, written_date::reading_of},
        columns::{
            CompactDates, ENOUGH, Evidence, FewValues, RowNumbers, n_words, names_identifier, of_categories,
            of_numbers,
        },
        file::source::Source,
    },
};

/// How many rows the first guess is made from.
const SAMPLE: usize = 1000;

impl Csv {
    /// Learns a schema from a file, as [`infer`](Self::infer) does, and reads all of its rows, as
    /// [`read`](Self::read) does, in one pass if possible. All rows are in memory then; a file that is
    /// too large for that is inferred and read in chunks.
    ///
    /// ```no_run
    /// use nb_core::{Gaussian, Prior};
    /// use nb_io::{Family, Model};
    /// use nb_table::read::{Csv, Overrides};
    ///
    /// let loaded = Csv::default().load("iris.csv", "species", &Overrides::default())?;
    /// let (rows, labels) = (&loaded.chunk.rows, loaded.chunk.labels.unwrap_or_default());
    /// let mut model = Model::new(loaded.inferred.schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// model.update(rows, &labels)?;
    /// let predicted = model.classifier()?.predict(rows)?;
    /// let n_right = predicted.iter().zip(&labels).filter(|(predicted, label)| predicted == label).count();
    /// assert!(n_right > 140);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong; a file without rows is refused, too.
    pub fn load(
        &self,
        path: impl AsRef<Path>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Loaded, ReadError> {
        self.load_passes(|| Source::open_in(path.as_ref(), self.encoding), label, overrides)
    }

    /// The same for a stream that can be opened more than once. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::read::{Csv, Overrides, Table};
    ///
    /// let open = || Ok("length,species\n1.5,a\n2.5,b\n".as_bytes());
    /// let loaded = Csv::default().load_from(open, "flowers", "species", &Overrides::default())?;
    /// assert_eq!(loaded.chunk.rows, Table::Dense(ndarray::array![[1.5], [2.5]]));
    /// assert_eq!(loaded.chunk.labels.unwrap(), ["a", "b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong; a stream without rows is refused, too.
    pub fn load_from<R: Read + Send>(
        &self,
        mut open: impl FnMut() -> std::io::Result<R>,
        name: &str,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Loaded, ReadError> {
        let open =
            || Source::text_in(open().map_err(|error| ReadError::io(name, error))?, name, self.encoding);
        self.load_passes(open, label, overrides)
    }

    fn load_passes<'a>(
        &self,
        mut open: impl FnMut() -> Result<Source<'a>, ReadError>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Loaded, ReadError> {
        if self.table.bad_rows == BadRows::Skip {
            return self.load_slowly(open, label, overrides);
        }
        let guess = self.infer_passes(&mut open, label, overrides, SAMPLE)?;
        // Of the last of these rows nobody knows whether it is the last.
        let guess = Inferred { total_row: None, ..guess };
        // What is learnt from texts depends on all of them.
        let may_be_numeric = overrides.non_numeric != NonNumeric::Categories
            && guess
                .columns
                .iter()
                .any(|column| matches!(column.reason, Reason::Mixed { .. } | Reason::MostlyNumeric { .. }));
        // Codes begin with the first row.
        let may_have_codes = guess.columns.iter().any(|column| matches!(column.reason, Reason::Codes { .. }));
        // A date further down decides what such a column has.
        let may_be_dates = guess.columns.iter().any(|column| {
            matches!(column.reason, Reason::Dates | Reason::WrittenDates(_) | Reason::MixedDates { .. })
        });
        // What the file says of its columns is no guess.
        let has_types = guess
            .columns
            .iter()
            .any(|column| matches!(column.reason, Reason::Type(_) | Reason::NoFeature { .. }));
        // Numbers further down may be negative, or the first that are no counts, and dates the first with a
        // time of day.
        let needs_all =
            overrides.kinds.values().any(|kind| matches!(kind, KindChoice::NonNegative | KindChoice::Dates));
        if guess.schema.has_text()
            || may_be_numeric
            || may_have_codes
            || may_be_dates
            || has_types
            || needs_all
            || !overrides.date_orders.is_empty()
        {
            return self.load_slowly(open, label, overrides);
        }
        let intern = TableOptions { new_levels: NewLevels::Intern, ..self.table.clone() };
        let mut reader =
            CsvReader::new(open()?, &Self { table: intern, ..self.clone() }, &guess.schema)?.in_one_chunk();
        let decimal = reader.format().decimal;
        if let Ok(loaded) = load(&mut reader, guess.clone())
            && !reader.has_codes()
            && let Some(loaded) = confirmed(loaded, decimal)
        {
            return Ok(loaded);
        }
        self.load_slowly(open, label, overrides)
    }

    fn load_slowly<'a>(
        &self,
        mut open: impl FnMut() -> Result<Source<'a>, ReadError>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Loaded, ReadError> {
        let mut inferred = self.infer_passes(&mut open, label, overrides, usize::MAX)?;
        let table = self.table.clone().with_non_numeric(inferred.mostly_numeric());
        let table = table.with_date_orders(inferred.date_orders());
        let mut csv = Self { table, ..self.clone() };
        // Of texts of which there are too many categories, nothing is kept.
        let too_many = inferred.columns.iter().zip(&mut inferred.schema.columns);
        for (inference, column) in too_many {
            if matches!(inference.reason, Reason::TooManyCategories { .. }) {
                column.kind = Kind::Numeric;
                csv.table.non_numeric.insert(column.name.clone());
            }
        }
        load(&mut CsvReader::new(open()?, &csv, &inferred.schema)?.in_one_chunk(), inferred)
    }
}

/// Reads all rows, and takes over the categories that the reader has learnt.
fn load(reader: &mut CsvReader<'_>, mut inferred: Inferred) -> Result<Loaded, ReadError> {
    let Some(chunk) = reader.next_chunk()? else {
        return Err(ReadError::of_file(reader.name(), FileProblem::NoRows));
    };
    inferred.n_rows = nb_core::Rows::n_rows(&chunk.rows);
    inferred.repeated_header = reader.repeated_header();
    inferred.schema = reader.schema().clone();
    for (inference, column) in inferred.columns.iter_mut().zip(&inferred.schema.columns) {
        inference.kind = column.kind.clone();
    }
    Ok(Loaded { inferred, chunk })
}

/// Whether a pass over all rows might have found these categories to be texts.
fn may_be_texts(levels: &[String], cells: &ArrayView1<'_, f64>) -> bool {
    let cells = cells.iter().filter(|cell| !cell.is_nan()).count();
    let evidence = Evidence { cells, distinct: levels.len(), words: 0 };
    let words = || levels.iter().map(|level| n_words(level)).sum();
    levels.len() >= ENOUGH
        || (evidence.is_diverse() && Evidence { words: words(), ..evidence }.is_free_text())
}

/// Corrects what the first rows said of a column of numbers by all of its cells.
fn confirm_numbers(inference: &mut Inference, cells: &ArrayView1<'_, f64>) {
    if matches!(inference.reason, Reason::Override | Reason::MarkedNumbers { .. }) {
        return;
    }
    let mut row_numbers = RowNumbers::new(&inference.column, None);
    let (mut few, mut is_whole, mut has_numbers) = (FewValues::default(), true, false);
    for &cell in cells {
        if cell.is_nan() {
            row_numbers.give_up();
            continue;
        }
        few.look(cell);
        row_numbers.look(cell);
        is_whole &= cell.fract() == 0.0;
        has_numbers = true;
    }
    let otherwise = if has_numbers { Reason::AllNumbers } else { Reason::AllMissing };
    let otherwise = row_numbers.reason().unwrap_or(otherwise);
    let may_identify = is_whole && names_identifier(&inference.column);
    inference.reason = of_numbers(&few, may_identify).unwrap_or(otherwise);
    inference.few_values = few.finish();
}

/// What a schema from all rows would have led to, if that follows from what was read with one from the first
/// rows.
fn confirmed(mut loaded: Loaded, decimal: u8) -> Option<Loaded> {
    let Table::Dense(rows) = &mut loaded.chunk.rows else { return None };
    let columns = loaded.inferred.columns.iter_mut().zip(&mut loaded.inferred.schema.columns);
    for ((inference, column), mut cells) in columns.zip(rows.columns_mut()) {
        let Kind::Categorical { levels } = &mut column.kind else {
            if column.kind == Kind::Numeric {
                // The values further down may be numbers or dates.
                if inference.reason == Reason::AllMissing && cells.iter().any(|cell| !cell.is_nan()) {
                    return None;
                }
                let mut dates = CompactDates::new(&inference.column, None);
                if inference.reason != Reason::Override {
                    cells.iter().take_while(|cell| cell.is_nan() || dates.looks(**cell)).for_each(drop);
                }
                if dates.found().is_some() {
                    return None;
                }
                confirm_numbers(inference, &cells.view());
            }
            continue;
        };
        // A first guess of categories is one of all rows unless they are texts after all.
        if inference.reason != Reason::Override && may_be_texts(levels, &cells.view()) {
            return None;
        }
        // One date is a category, two are dates.
        if inference.reason != Reason::Override && levels.iter().all(|level| reading_of(level).is_some()) {
            return None;
        }
        let is_number = |level: &String| number_with(level, decimal) != Err(CellProblem::NotANumber);
        if inference.reason != Reason::Override {
            if levels.iter().any(is_number) {
                return None;
            }
            let cells = cells.iter().filter(|cell| !cell.is_nan()).count();
            let evidence = Evidence { cells, distinct: levels.len(), words: 0 };
            inference.reason = of_categories(&inference.column, levels, evidence).unwrap_or(Reason::Text);
        }
        if !levels.is_sorted() {
            let mut order: Vec<usize> = (0..levels.len()).collect();
            order.sort_unstable_by_key(|&code| &levels[code]);
            let mut new_codes = vec![0.0; levels.len()];
            order.iter().enumerate().for_each(|(new, &old)| new_codes[old] = new as f64);
            cells.iter_mut().filter(|cell| !cell.is_nan()).for_each(|cell| *cell = new_codes[*cell as usize]);
            levels.sort_unstable();
            inference.kind = column.kind.clone();
        }
    }
    Some(loaded)
}
