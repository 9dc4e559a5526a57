//! Which columns a model learns from, and their families: as the options say, else as `nbayes` decides when
//! it has looked at all rows.

use std::{
    collections::BTreeSet,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::{Context, Result, bail};
use datafusion::arrow::datatypes::DataType;
use nb_datafusion::{Design, FitError};
use nb_io::{
    Kind, Model, Schema, TextOptions,
    read::{
        Arrow, Csv, FileProblem, Inference, Inferred, Json, NonNumeric, Overrides, PartitionFile, ReadError,
        Reason, TableOptions, infer_partitions,
    },
    text::{Segmentation, Tokens},
};

use super::{
    files::{FileKind, Location},
    open::Opener,
    tables::Table,
};

/// The columns of a model.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    label: String,
    /// Their names and the types of the engine.
    features: Vec<(String, DataType)>,
    design: Design,
    /// What the cells say of those whose families nobody has named.
    inferred: Inferred,
}

impl Columns {
    /// Columns of which nothing is known but their types.
    pub(crate) fn new(label: String, features: Vec<(String, DataType)>, design: Design) -> Self {
        let schema = Schema { columns: Vec::new(), label: label.clone() };
        Self { label, features, design, inferred: Inferred::new(schema, Vec::new(), 0) }
    }

    /// Whether the design names a family for the column.
    fn is_named(&self, column: &str) -> bool {
        self.design.family.is_some() || self.design.columns.contains_key(column)
    }

    /// Looks at the cells of the columns whose families nobody has named. `others` are columns of the files
    /// that are no features.
    pub(crate) fn look(&mut self, table: &Table, others: BTreeSet<String>, opener: &Opener) -> Result<()> {
        let named = self.features.iter().map(|(name, _)| name).filter(|name| self.is_named(name));
        let ignored: BTreeSet<String> = others.into_iter().chain(named.cloned()).collect();
        if self.features.iter().any(|(name, _)| !ignored.contains(name)) {
            self.inferred = infer(table, &self.label, ignored, opener)?;
        }
        self.inferred.columns.iter().try_for_each(|column| self.check_numbers(column))
    }

    /// Checks that the engine reads as a number what is one to `nbayes`, and nothing else.
    fn check_numbers(&self, inferred: &Inference) -> Result<()> {
        let Inference { column, kind, reason, .. } = inferred;
        let is_number =
            self.features.iter().any(|(name, data_type)| name == column && data_type.is_numeric());
        match reason {
            Reason::MarkedNumbers { line, first, .. } if *kind == Kind::Numeric => bail!(
                "column {column:?}, line {line}: {first:?} is a number to `nbayes`, but not to the engine; write plain numbers, or \
                 leave the column out with --ignore"
            ),
            Reason::Codes { line, value } if is_number && value.starts_with('0') => bail!(
                "column {column:?}, line {line}: {value:?} is a code, which the engine reads as a number without the zeros in front; \
                 write Parquet, where it is a text, or leave the column out with --ignore"
            ),
            _ => Ok(()),
        }
    }

    /// Leaves out the columns from which nothing can be learnt, and says which and why.
    ///
    /// # Errors
    /// No column is left.
    pub(crate) fn leave_out_useless(&mut self) -> Result<Vec<String>> {
        let useless: Vec<Inference> =
            self.inferred.columns.iter().filter(|column| column.reason.is_useless()).cloned().collect();
        if let (Some(first), true) = (useless.first(), useless.len() == self.features.len()) {
            bail!("no column is left to learn from: {}", left_out(&first.column, &first.reason));
        }
        Ok(useless.into_iter().map(|column| self.leave_out(&column.column, &column.reason)).collect())
    }

    /// Leaves out a column in which a class has no values, unless its family was named or it is the only one,
    /// and prints a note.
    pub(crate) fn leave_out_without_values(&mut self, column: &str, class: &str) -> Option<String> {
        (self.features.len() > 1 && !self.is_named(column))
            .then(|| self.leave_out(column, &Reason::NoValuesInClass { class: class.into() }))
    }

    fn leave_out(&mut self, column: &str, reason: &Reason) -> String {
        self.features.retain(|(name, _)| name != column);
        left_out(column, reason)
    }

    /// A model without rows.
    pub(crate) fn template(&self) -> Result<Model, FitError> {
        let features: Vec<(&str, &DataType)> =
            self.features.iter().map(|(name, data_type)| (name.as_str(), data_type)).collect();
        self.design.template_of(&self.label, &features, &self.inferred)
    }
}

fn left_out(column: &str, reason: &Reason) -> String {
    format!("column {column:?} is left out: {reason}")
}

/// What the cells of all files say together, as `nbayes` infers it from the same files.
fn infer(table: &Table, label: &str, ignored: BTreeSet<String>, opener: &Opener) -> Result<Inferred> {
    let files = table.files();
    // Words are those of `nbayes`, too. The engine reads no text as a number, not even as a missing one.
    let words = Tokens::default().with_segmentation(Segmentation::UnicodeWords).with_min_chars(1);
    let mut overrides = Overrides::default()
        .with_default_text(TextOptions::default().with_tokens(words))
        .with_non_numeric(NonNumeric::Error)
        .with_is_part(files.locations.len() > 1);
    overrides.ignore = ignored;
    let mut all = infer_each(table, label, &overrides, opener)?;
    let settled = overrides.settled(all.iter().flatten());
    if settled != overrides {
        all = infer_each(table, label, &settled, opener)?;
    }
    let partitions =
        files.locations.iter().zip(&files.constants).zip(&all).map(|((location, columns), of_file)| {
            PartitionFile {
                name: location.to_string(),
                n_rows: of_file.as_ref().map_or(0, |inferred| inferred.n_rows),
                columns: columns.clone(),
            }
        });
    let partitions: Vec<PartitionFile> = partitions.collect();
    let of_folders = infer_partitions(&partitions, label, &overrides, &TableOptions::default())?;
    let mut all = all.into_iter().flatten();
    let first = all.next().ok_or(FitError::NoRows)?;
    let mut together = all.try_fold(first, Inferred::union).context("the files differ")?.complete()?;
    if let Some(of_folders) = of_folders {
        together.columns.extend(of_folders.columns);
        together.schema.columns.extend(of_folders.schema.columns);
    }
    Ok(together)
}

/// What the cells of each file say, if it has rows, with the columns in the order of the first; files are
/// read at the same time.
fn infer_each(
    table: &Table,
    label: &str,
    overrides: &Overrides,
    opener: &Opener,
) -> Result<Vec<Option<Inferred>>> {
    let files = table.files();
    let found: Vec<OnceLock<Result<Inferred>>> = files.locations.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let n_threads = thread::available_parallelism().map_or(1, usize::from).min(files.locations.len());
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while let Some(((location, constants), found)) = {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    files.locations.get(place).zip(files.constants.get(place)).zip(found.get(place))
                } {
                    let options = TableOptions::default().with_constants(constants.clone());
                    found.get_or_init(|| infer_file(table, location, label, overrides, options, opener));
                }
            });
        }
    });
    let mut all: Vec<Option<Inferred>> = Vec::with_capacity(found.len());
    for inferred in found.into_iter().filter_map(OnceLock::into_inner) {
        match inferred {
            Ok(inferred) => all.push(Some(match all.iter().flatten().next() {
                Some(first) => inferred.in_order_of(first),
                None => inferred,
            })),
            Err(error) => match error.downcast_ref() {
                Some(ReadError::File { problem: FileProblem::NoRows, .. }) => all.push(None),
                _ => return Err(error),
            },
        }
    }
    Ok(all)
}

fn infer_file(
    table: &Table,
    location: &Location,
    label: &str,
    overrides: &Overrides,
    options: TableOptions,
    opener: &Opener,
) -> Result<Inferred> {
    let (name, open) = (location.to_string(), || opener.bytes(location));
    let inferred = match (table.files().kind, location) {
        (FileKind::Parquet, Location::Path(path)) => {
            Arrow::default().with_table(options).infer(path, label, overrides)
        }
        (FileKind::Parquet | FileKind::Avro, _) => {
            let batches = opener.batches(table, location)?;
            Arrow::default().with_table(options).infer_batches(&name, batches, label, overrides)
        }
        (FileKind::Json { .. }, _) => {
            Json::default().with_table(options).infer_from(open, &name, label, overrides)
        }
        (FileKind::Text { delimiter, compression: _ }, _) => {
            // As the engine reads text, whatever the first lines look like.
            let csv = Csv::default()
                .with_delimiter(Some(delimiter))
                .with_decimal(Some(b'.'))
                .with_quoting(Some(true))
                .with_table(options);
            csv.infer_from(open, &name, label, overrides)
        }
    };
    Ok(inferred?)
}
