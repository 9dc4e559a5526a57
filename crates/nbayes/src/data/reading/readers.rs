//! The readers that the options make: of columns, and of rows.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow};
use nb_io::{
    Column, Schema,
    read::{
        Arff, Arrow, Inference, Inferred, Json, KindChoice, Labels, NewLevels, Npy, Overrides, ReadAhead,
        ReadChunks, Reason, Unlabeled,
    },
};

use super::{Purpose, ReadArgs, Wanted, values::UnlabeledArg};
use crate::{
    data::{
        Format, Input,
        no_rows::{note_repeated, note_total},
        watched::Watched,
    },
    failure::usage,
    output::Screen,
    progress::Progress,
};

/// The name of the label column where there is no such column: one that no column of a text file can have.
pub(super) const NO_LABEL: &str = "\0";
impl ReadArgs {
    /// Learns the columns of a file and what they hold.
    pub(crate) fn infer(
        &self,
        input: &Input,
        label: Option<&str>,
        weight: Option<&str>,
        overrides: &Overrides,
        screen: Screen,
    ) -> Result<Inferred> {
        let format = self.format_of(input);
        self.note_partitions(input, screen);
        let table = self
            .table()
            .with_missing(Some(self.missing(format)))
            .with_labels(if label.is_some() { Labels::Required } else { Labels::Ignore })
            .with_constants(self.constants(input))
            .with_weight(weight.map(String::from));
        let label = label.unwrap_or(NO_LABEL);
        let progress = Progress::new("reading columns", input.n_bytes(), screen.quiet());
        self.check_sheet(format, input)?;
        let inferred = match format {
            Format::Csv => {
                self.note_format(input, screen)?;
                let open = || Ok(progress.of(input.open()?));
                self.csv(table).infer_from(open, input.name(), label, overrides)?
            }
            Format::Arrow => Arrow::default().with_table(table).infer(path(input)?, label, overrides)?,
            Format::Json => {
                let open = || Ok(progress.of(input.open()?));
                Json::default().with_table(table).infer_from(open, input.name(), label, overrides)?
            }
            Format::Arff => {
                let open = || Ok(progress.of(input.open()?));
                Arff::default().with_table(table).infer_from(open, input.name(), label, overrides)?
            }
            Format::Mail | Format::Text => {
                let documents = self.documents(format, table);
                if let Some((_, files)) = input.documents() {
                    check_unchanged(input)?;
                    documents.infer(files, input.name(), label, overrides)?
                } else {
                    let open = || Ok(progress.of(input.open()?));
                    documents.infer_from(open, input.name(), label, overrides)?
                }
            }
            Format::Excel => self.excel(input, table, screen)?.infer(path(input)?, label, overrides)?,
            Format::Svmlight => {
                numbers(self.svmlight().infer(path(input)?)?, label, "sparse rows", input.name(), overrides)?
            }
            Format::Npz => {
                numbers(Npy::default().infer(path(input)?)?, label, "an array", input.name(), overrides)?
            }
        };
        progress.finish();
        note_repeated(inferred.repeated_header, input, screen);
        note_total(inferred.total_row.as_ref(), input, screen);
        Ok(inferred)
    }

    /// Opens a file whose columns are those of a schema.
    pub(crate) fn open<'a>(
        &self,
        input: &'a Input,
        schema: &Schema,
        wanted: Wanted<'_>,
        purpose: Purpose,
        screen: Screen,
    ) -> Result<Box<dyn ReadChunks + 'a>> {
        let labels = match purpose {
            Purpose::Learn | Purpose::Compare => Labels::Required,
            Purpose::Predict => Labels::Ignore,
            Purpose::Profile if self.has_named_columns(input) => Labels::Ignore,
            Purpose::Look | Purpose::Profile => Labels::IfPresent,
        };
        let format = self.format_of(input);
        self.note_partitions(input, screen);
        let non_numeric = match wanted.inferred {
            Some(inferred) => inferred.mostly_numeric(),
            None if self.strict => BTreeSet::new(),
            None => self.of_model.non_numeric.clone(),
        };
        let date_orders = match wanted.inferred {
            Some(inferred) => inferred.date_orders(),
            None => self.date_orders_in(schema),
        };
        let table = self
            .table()
            .with_missing(Some(self.missing(format)))
            .with_date_orders(date_orders)
            .with_new_levels(match purpose {
                Purpose::Learn => NewLevels::Intern,
                Purpose::Profile => NewLevels::Missing,
                Purpose::Predict | Purpose::Compare | Purpose::Look => NewLevels::Unseen,
            })
            .with_labels(labels)
            .with_classes(wanted.classes)
            .with_weight(wanted.weight.map(String::from))
            .with_non_numeric(non_numeric)
            .with_unlabeled(match (purpose, self.unlabeled) {
                (Purpose::Look, _) => Unlabeled::Keep,
                (_, UnlabeledArg::Error) => Unlabeled::Error,
                (_, UnlabeledArg::Skip) => Unlabeled::Skip,
            })
            .with_constants(self.constants(input))
            .with_places(wanted.places)
            .with_ids(wanted.ids.to_vec());
        self.check_sheet(format, input)?;
        let named = wanted
            .weight
            .or(wanted.ids.first().map(String::as_str))
            .filter(|_| !self.has_named_columns(input));
        if let Some(name) = named {
            return Err(usage(format!("{} has no columns with names, so no {name:?}", input.name())));
        }
        let n_bytes =
            input.n_bytes().filter(|_| !matches!(format, Format::Arrow | Format::Excel | Format::Npz));
        let progress = Progress::new(input.name(), n_bytes, screen.quiet());
        let bytes = || -> Result<_> {
            Ok(progress.of(input.open().with_context(|| format!("cannot read {}", input.name()))?))
        };
        let was_read = purpose == Purpose::Learn;
        let reader = match format {
            Format::Csv => {
                self.note_format(input, screen)?;
                ReadAhead::new(self.csv(table).read_from(bytes()?, input.name(), schema)?)
            }
            Format::Arrow => ReadAhead::new(Arrow::default().with_table(table).read(path(input)?, schema)?),
            Format::Json => {
                let open = || Ok(progress.of(input.open()?));
                ReadAhead::new(Json::default().with_table(table).read_from(open, input.name(), schema)?)
            }
            Format::Arff => {
                ReadAhead::new(Arff::default().with_table(table).read_from(bytes()?, input.name(), schema)?)
            }
            Format::Mail | Format::Text => {
                let documents = self.documents(format, table);
                ReadAhead::new(match input.documents() {
                    Some((_, files)) => {
                        check_unchanged(input)?;
                        documents.read(files, input.name(), schema)?
                    }
                    None => documents.read_from(bytes()?, input.name(), schema)?,
                })
            }
            Format::Excel => ReadAhead::new(self.excel(input, table, screen)?.read(path(input)?, schema)?),
            Format::Svmlight => ReadAhead::new(self.svmlight().read_from(bytes()?, input.name(), schema)?),
            Format::Npz => {
                let npy = Npy::default().with_labels(labels);
                ReadAhead::new(npy.read(path(input)?, schema)?)
            }
        };
        Ok(Box::new(Watched { reader, progress, input, was_read, screen }))
    }
}

/// Refuses a file that is not what it was when it was first read.
fn check_unchanged(input: &Input) -> Result<()> {
    input.check_unchanged().with_context(|| format!("cannot read {}", input.name()))
}

/// The path of an input whose format cannot be read from a stream.
pub(super) fn path(input: &Input) -> Result<&std::path::Path> {
    check_unchanged(input)?;
    input.path().ok_or_else(|| anyhow!("{} is a CSV file; leave --format out", input.name()))
}

/// A schema of numbered columns as if it had been inferred. All of them are read, and as numbers.
fn numbers(schema: Schema, label: &str, what: &str, file: &str, overrides: &Overrides) -> Result<Inferred> {
    let is_column = |name: &str| schema.columns.iter().any(|column| column.name == name);
    let mut named = overrides.kinds.keys().chain(&overrides.ignore).chain(overrides.date_orders.keys());
    if let Some(name) = named.find(|name| !is_column(name)) {
        return Err(anyhow!(
            "{file}: column {name:?} not found; the columns of svmlight and NumPy files are named x1, x2, ..."
        ));
    }
    let of_dates = overrides.date_orders.keys().map(|name| (name, &KindChoice::Dates));
    for (name, kind) in overrides.kinds.iter().chain(of_dates) {
        let what = match kind {
            KindChoice::Categorical | KindChoice::Text => "categorical or text",
            KindChoice::Dates => "one of dates",
            _ => continue,
        };
        return Err(usage(format!(
            "{file}: column {name:?} cannot be {what}, as svmlight and NumPy files have numbers only; save the table as \
             CSV or Parquet"
        )));
    }
    let columns = schema.columns.iter().map(|Column { name, kind }| Inference {
        column: name.clone(),
        kind: kind.clone(),
        reason: Reason::Type(what.into()),
        few_values: Vec::new(),
    });
    let columns = columns.collect();
    Ok(Inferred::new(Schema { label: label.into(), ..schema }, columns, 0))
}
