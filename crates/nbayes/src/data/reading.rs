//! Options for reading data, and the readers that they make.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow};
use nb_io::{
    Column, Schema,
    read::{
        Arff, Arrow, Csv, CsvFormat, Excel, Inference, Inferred, Json, KindChoice, Labels, NewLevels,
        NonNumeric, Npy, Overrides, ReadChunks, Reason, Svmlight, TableOptions, Unlabeled, missing_spellings,
    },
};

use super::{Format, Input, watched::Watched};
use crate::{
    failure::usage,
    output::{Screen, quoted_list},
    progress::Progress,
};

/// How data files are read.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Reading data")]
pub(crate) struct ReadArgs {
    /// The file format [default: from the first bytes and the name].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The sheet of a workbook [default: the first].
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// The delimiter of CSV files, such as ';' or '\t' [default: of comma, semicolon, tab and '|' the one that agrees
    /// with most of the first lines].
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    delimiter: Option<u8>,
    /// The decimal separator of CSV files: a comma or a point [default: as in the first lines; a point in files delimited
    /// by commas].
    #[arg(long, value_name = "CHAR", value_parser = decimal)]
    decimal: Option<u8>,
    /// The file has no header; columns are named x1, x2, ...
    #[arg(long)]
    no_header: bool,
    /// Additional missing-value markers, beside an empty cell, NA, N/A, NaN, nan, null, NULL and ?.
    #[arg(long, value_name = "TEXT", value_delimiter = ',', allow_hyphen_values = true)]
    missing: Vec<String>,
    /// What to do with rows without a label, where labels are read. Not for svmlight and NumPy files.
    #[arg(long, value_enum, default_value_t)]
    unlabeled: UnlabeledArg,
    /// Refuse a few texts in a column of numbers, instead of taking them for missing cells. Few are at most 1 % of the cells
    /// of a CSV column that has at least 20 numbers.
    #[arg(long)]
    strict: bool,
    /// Indices of svmlight files start at 0.
    #[arg(long)]
    zero_based: bool,
}

/// What to do with rows without a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum UnlabeledArg {
    /// Refuse the file.
    #[default]
    Error,
    /// Skip such rows.
    Skip,
}

/// Columns that are not of the model.
#[derive(Clone, Copy, Debug)]
struct Named<'a> {
    weight: Option<&'a str>,
    /// What is known of the columns, if they were looked at: a few texts in a column of numbers are missing cells.
    inferred: Option<&'a Inferred>,
    id: Option<&'a str>,
}

/// What rows are read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be learnt from, or forgotten: there must be labels.
    Learn,
    /// To be labelled; a label column is left out.
    Predict,
    /// To be labelled and compared with their labels.
    Compare,
    /// To be looked at, with or without labels.
    Look,
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        b"\\t" | b"tab" => Ok(b'\t'),
        _ => Err("it must be one ASCII character, or \\t".into()),
    }
}

fn decimal(text: &str) -> Result<u8, String> {
    match text {
        "," => Ok(b','),
        "." => Ok(b'.'),
        _ => Err("it must be a comma or a point".into()),
    }
}

impl ReadArgs {
    /// Whether nothing is said of how files are read.
    pub(crate) fn is_plain(&self) -> bool {
        let Self { format, sheet, delimiter, decimal, no_header, missing, unlabeled, strict, zero_based } =
            self;
        let is_plain = format.is_none() && sheet.is_none() && delimiter.is_none() && decimal.is_none();
        is_plain
            && !no_header
            && missing.is_empty()
            && *unlabeled == UnlabeledArg::Error
            && !strict
            && !zero_based
    }

    fn format_of(&self, input: &Input) -> Format {
        self.format.unwrap_or_else(|| Format::of(input.name(), input.content()))
    }

    /// The name of the label column, where it is known without being told: that of an embedded set, or any name for
    /// formats whose labels have none.
    pub(crate) fn own_label(&self, input: &Input) -> Option<String> {
        match (input.label(), self.format_of(input)) {
            (Some(label), _) => Some(label.into()),
            (None, Format::Svmlight | Format::Npz) => Some("label".into()),
            _ => None,
        }
    }

    fn csv(&self, table: TableOptions) -> Csv {
        let csv = Csv::default().with_delimiter(self.delimiter).with_decimal(self.decimal);
        csv.with_header(!self.no_header).with_table(table)
    }

    /// Says how the fields and numbers of a CSV file are written, if that is not as usual and was not asked for.
    fn note_format(&self, input: &Input, screen: Screen) -> Result<()> {
        if screen.quiet() || !input.is_new_to_user() {
            return Ok(());
        }
        // What cannot be read is said when it is read in earnest.
        let Ok(bytes) = input.open() else { return Ok(()) };
        let CsvFormat { delimiter, decimal } =
            self.csv(TableOptions::default()).format_from(bytes, input.name())?;
        let is_tsv = delimiter == b'\t' && Format::is_tsv(input.name());
        let mut found = Vec::new();
        if delimiter != b',' && self.delimiter.is_none() && !is_tsv {
            let delimiter = if delimiter == b'\t' { "\\t".into() } else { char::from(delimiter).to_string() };
            found.push(format!("delimiter \"{delimiter}\""));
        }
        if decimal != b'.' && self.decimal.is_none() {
            found.push("decimal separator \",\"".into());
        }
        if !found.is_empty() {
            screen.note(&format!("{}: {}", input.name(), found.join(", ")));
        }
        Ok(())
    }

    fn check_sheet(&self, format: Format, input: &Input) -> Result<()> {
        if self.sheet.is_some() && format != Format::Excel {
            return Err(usage(format!("--sheet is for workbooks, and {} is none", input.name())));
        }
        Ok(())
    }

    /// The reader of a sheet; says which one it is, if that was not asked for and there are others.
    fn excel(&self, input: &Input, table: TableOptions, screen: Screen) -> Result<Excel> {
        let excel = Excel::default().with_header(!self.no_header).with_table(table);
        if self.sheet.is_none() && !screen.quiet() && input.is_new_to_user() {
            let sheets = excel.sheets(path(input)?)?;
            if let [first, _, ..] = &sheets[..] {
                let name = input.name();
                let all = quoted_list(&sheets);
                screen.note(&format!("{name}: sheet {first:?} of {all} (`--sheet` names another)"));
            }
        }
        Ok(excel.with_sheet(self.sheet.clone()))
    }

    fn svmlight(&self) -> Svmlight {
        Svmlight::default().with_zero_based(self.zero_based)
    }

    fn missing(&self) -> BTreeSet<String> {
        missing_spellings().into_iter().chain(self.missing.iter().cloned()).collect()
    }

    /// Learns the columns of a file and what they hold.
    pub(crate) fn infer(
        &self,
        input: &Input,
        label: &str,
        weight: Option<&str>,
        overrides: &Overrides,
        screen: Screen,
    ) -> Result<Inferred> {
        let table =
            TableOptions::default().with_missing(self.missing()).with_weight(weight.map(String::from));
        let progress = Progress::new("reading columns", input.n_bytes(), screen.quiet());
        let format = self.format_of(input);
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
            Format::Excel => self.excel(input, table, screen)?.infer(path(input)?, label, overrides)?,
            Format::Svmlight => {
                numbers(self.svmlight().infer(path(input)?)?, label, "sparse rows", input.name(), overrides)?
            }
            Format::Npz => {
                numbers(Npy::default().infer(path(input)?)?, label, "an array", input.name(), overrides)?
            }
        };
        progress.finish();
        Ok(inferred)
    }

    /// Opens a file whose columns are those of a schema.
    pub(crate) fn open<'a>(
        &self,
        input: &'a Input,
        schema: &Schema,
        weight: Option<&str>,
        purpose: Purpose,
        screen: Screen,
    ) -> Result<Box<dyn ReadChunks + 'a>> {
        let named = Named { weight, inferred: None, id: None };
        self.open_columns(input, schema, named, purpose, screen)
    }

    /// Opens a file to learn from it, whose columns were looked at.
    pub(crate) fn open_inferred<'a>(
        &self,
        input: &'a Input,
        inferred: &Inferred,
        weight: Option<&str>,
        screen: Screen,
    ) -> Result<Box<dyn ReadChunks + 'a>> {
        let named = Named { weight, inferred: Some(inferred), id: None };
        self.open_columns(input, &inferred.schema, named, Purpose::Learn, screen)
    }

    /// What to do with a few texts in a column of numbers.
    pub(crate) fn non_numeric(&self) -> NonNumeric {
        if self.strict { NonNumeric::Error } else { NonNumeric::Missing }
    }

    /// Opens a file whose rows are to be labelled, and a column of it that is kept as it is.
    pub(crate) fn open_with_id<'a>(
        &self,
        input: &'a Input,
        schema: &Schema,
        id: Option<&str>,
        screen: Screen,
    ) -> Result<Box<dyn ReadChunks + 'a>> {
        self.open_columns(input, schema, Named { weight: None, inferred: None, id }, Purpose::Predict, screen)
    }

    /// The text of a cell of a column with a name, in a row counted from 0.
    pub(crate) fn cell(&self, input: &Input, schema: &Schema, column: &str, row: usize) -> Option<String> {
        let mut reader = self.open_with_id(input, schema, Some(column), Screen::new(false, true)).ok()?;
        while let Some(chunk) = reader.next_chunk().ok()? {
            let ids = chunk.ids?;
            if row < chunk.first_row + ids.len() {
                return ids.get(row.checked_sub(chunk.first_row)?).cloned();
            }
        }
        None
    }

    fn open_columns<'a>(
        &self,
        input: &'a Input,
        schema: &Schema,
        named: Named<'_>,
        purpose: Purpose,
        screen: Screen,
    ) -> Result<Box<dyn ReadChunks + 'a>> {
        let labels = match purpose {
            Purpose::Learn | Purpose::Compare => Labels::Required,
            Purpose::Predict => Labels::Ignore,
            Purpose::Look => Labels::IfPresent,
        };
        let table = TableOptions::default()
            .with_missing(self.missing())
            .with_new_levels(if purpose == Purpose::Learn { NewLevels::Intern } else { NewLevels::Unseen })
            .with_labels(labels)
            .with_weight(named.weight.map(String::from))
            .with_non_numeric(named.inferred.map(Inferred::mostly_numeric).unwrap_or_default())
            .with_unlabeled(match self.unlabeled {
                UnlabeledArg::Error => Unlabeled::Error,
                UnlabeledArg::Skip => Unlabeled::Skip,
            })
            .with_id(named.id.map(String::from));
        let format = self.format_of(input);
        self.check_sheet(format, input)?;
        let wanted = named.weight.or(named.id).filter(|_| matches!(format, Format::Svmlight | Format::Npz));
        if let Some(name) = wanted {
            return Err(usage(format!("{} has no columns with names, so no {name:?}", input.name())));
        }
        let n_bytes = input
            .n_bytes()
            .filter(|_| matches!(format, Format::Csv | Format::Json | Format::Arff | Format::Svmlight));
        let progress = Progress::new(input.name(), n_bytes, screen.quiet());
        let bytes = || -> Result<_> {
            Ok(progress.of(input.open().with_context(|| format!("cannot read {}", input.name()))?))
        };
        Ok(match format {
            Format::Csv => {
                self.note_format(input, screen)?;
                let reader = self.csv(table).read_from(bytes()?, input.name(), schema)?;
                Box::new(Watched { reader, progress })
            }
            Format::Arrow => {
                let reader = Arrow::default().with_table(table).read(path(input)?, schema)?;
                Box::new(Watched { reader, progress })
            }
            Format::Json => {
                let open = || Ok(progress.of(input.open()?));
                let reader = Json::default().with_table(table).read_from(open, input.name(), schema)?;
                Box::new(Watched { reader, progress })
            }
            Format::Arff => {
                let reader = Arff::default().with_table(table).read_from(bytes()?, input.name(), schema)?;
                Box::new(Watched { reader, progress })
            }
            Format::Excel => {
                let reader = self.excel(input, table, screen)?.read(path(input)?, schema)?;
                Box::new(Watched { reader, progress })
            }
            Format::Svmlight => {
                let reader = self.svmlight().read_from(bytes()?, input.name(), schema)?;
                Box::new(Watched { reader, progress })
            }
            Format::Npz => {
                let npy = Npy::default().with_labels(labels);
                let reader = npy.read(path(input)?, schema)?;
                Box::new(Watched { reader, progress })
            }
        })
    }
}

/// The path of an input whose format cannot be read from a stream.
fn path(input: &Input) -> Result<&std::path::Path> {
    input.path().ok_or_else(|| anyhow!("{} is a CSV file; leave --format out", input.name()))
}

/// A schema of numbered columns as if it had been inferred. All of them are read, and as numbers.
fn numbers(schema: Schema, label: &str, what: &str, file: &str, overrides: &Overrides) -> Result<Inferred> {
    let is_column = |name: &str| schema.columns.iter().any(|column| column.name == name);
    let mut named = overrides.kinds.keys().chain(&overrides.ignore);
    if let Some(name) = named.find(|name| !is_column(name)) {
        return Err(anyhow!(
            "{file}: column {name:?} not found; the columns of svmlight and NumPy files are named x1, x2, ..."
        ));
    }
    for (name, kind) in &overrides.kinds {
        if matches!(kind, KindChoice::Categorical | KindChoice::Text) {
            return Err(usage(format!(
                "{file}: column {name:?} cannot be categorical or text, as svmlight and NumPy files have numbers only; \
                 save the table as CSV or Parquet"
            )));
        }
    }
    let columns = schema.columns.iter().map(|Column { name, kind }| Inference {
        column: name.clone(),
        kind: kind.clone(),
        reason: Reason::Type(what.into()),
        few_values: Vec::new(),
    });
    Ok(Inferred { columns: columns.collect(), n_rows: 0, schema: Schema { label: label.into(), ..schema } })
}
