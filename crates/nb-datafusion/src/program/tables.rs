//! Data files as a table.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use datafusion::{
    arrow::datatypes::{DataType, Field, Schema, SchemaRef},
    catalog::TableProvider,
    common::Column,
    datasource::{
        file_format::{
            FileFormat, avro::AvroFormat, csv::CsvFormat, json::JsonFormat, parquet::ParquetFormat,
        },
        listing::{ListingOptions, ListingTable, ListingTableConfig},
    },
    logical_expr::{Expr, LogicalPlan, Union, cast, in_list, lit, when},
    prelude::{DataFrame, btrim},
    scalar::ScalarValue,
};
use futures::{StreamExt, TryStreamExt, stream};
use nb_io::read::{Json, missing_markers};
use tokio::task::block_in_place;

use super::{
    engine::{Engine, Running},
    failure::usage,
    files::{AT_A_TIME, FileKind, Files, Location},
    open::Opener,
};

/// How text files are read.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ReadArgs {
    /// Reads large text files in pieces, all at a time. Only for files in which no quoted cell has a line
    /// break: pieces begin at one.
    #[arg(long, help_heading = "Reading")]
    split_files: bool,
    /// Whether folders named `day=1` hold a column `day` that is 1 in all of their files (Hive partitions).
    #[arg(
        long,
        help_heading = "Reading",
        value_name = "on|off",
        default_value = "on",
        hide_possible_values = true
    )]
    hive_partitions: Switch,
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    On,
    Off,
}

/// Data files, and the columns that they have.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    files: Files,
    /// The columns of the files as they are read.
    of_files: SchemaRef,
    /// All columns, with those in the names of folders, as they are used.
    schema: SchemaRef,
    read: ReadArgs,
}

impl Table {
    /// Looks at the columns of all files, and at the first thousand rows of texts.
    pub(crate) async fn look(
        engine: &Engine,
        patterns: &[String],
        read: ReadArgs,
        running: &Running,
    ) -> Result<Self> {
        let runtime = engine.context().runtime_env();
        let files = Files::find(patterns, read.hive_partitions == Switch::On, &runtime).await?;
        if engine.is_cluster() {
            refuse_what_clusters_do_not_read(&files)?;
        }
        let none = Arc::new(Schema::empty());
        let mut table = Self { files, of_files: none.clone(), schema: none, read };
        let options = ListingOptions::new(table.format()).with_file_extension("");
        let state = engine.context().state();
        let look = async |location: &Location| {
            let seen = options.infer_schema(&state, &location.url()?).await;
            let seen = seen.with_context(|| format!("cannot read {location}"))?;
            let seen = if table.is_text() { trimmed(&seen, location)? } else { seen };
            if seen.fields().is_empty() {
                bail!("{location} has no columns");
            }
            Ok(seen.as_ref().clone())
        };
        let seen = stream::iter(&table.files.locations).map(look).buffered(AT_A_TIME);
        let schemas: Vec<Schema> = seen.try_collect().await?;
        for (schema, location) in schemas.iter().zip(&table.files.locations) {
            table.compare(&schemas[0], schema, location)?;
        }
        table.schema = match table.files.kind {
            FileKind::Parquet | FileKind::Avro => Arc::new(Schema::try_merge(schemas)?),
            FileKind::Text { .. } => Arc::new(widest(&schemas)),
            FileKind::Json { .. } => {
                let (first, opener) = (&table.files.locations[0], Opener::new(engine.context()));
                let names =
                    || anyhow::Ok(Json::default().columns_from(opener.bytes(first)?, &first.to_string())?);
                Arc::new(widest(&in_one_order(&block_in_place(names)?, &schemas)?))
            }
        };
        // Cells of texts are read as they stand.
        let as_read = |field: &Arc<Field>| {
            if table.is_text() {
                Arc::new(Field::new(field.name(), DataType::Utf8, true))
            } else {
                field.clone()
            }
        };
        table.of_files = Arc::new(Schema::new(table.schema.fields().iter().map(as_read).collect::<Vec<_>>()));
        let constants = table.files.constants_type()?;
        if let Some((twice, _)) =
            constants.iter().find(|(name, _)| table.schema.field_with_name(name).is_ok())
        {
            bail!(
                "the files have a column {twice:?} of their own, and the names of their folders, too; rename one of them, or read the \
                 files alone by --hive-partitions off"
            );
        }
        if !constants.is_empty() {
            let names: Vec<String> = constants.iter().map(|(name, _)| format!("{name:?}")).collect();
            let (columns, come) = if names.len() == 1 { ("column", "comes") } else { ("columns", "come") };
            running.say(&format!(
                "the {columns} {} {come} from the names of folders (`--hive-partitions off` reads the files alone)",
                names.join(", ")
            ));
            let of_folders = constants.into_iter().map(|(name, kind)| Arc::new(Field::new(name, kind, true)));
            let fields = table.schema.fields().iter().cloned().chain(of_folders);
            table.schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        }
        Ok(table)
    }

    /// The names of the columns and what was seen in them.
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Whether cells are texts to the files, and numbers only to who reads them.
    fn is_text(&self) -> bool {
        matches!(self.files.kind, FileKind::Text { .. })
    }

    /// Whether the files say what type a column has.
    pub(crate) fn has_types(&self) -> bool {
        matches!(self.files.kind, FileKind::Parquet | FileKind::Avro)
    }

    /// The files, and how they are written.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// Where the files are.
    pub(crate) fn locations(&self) -> &[Location] {
        &self.files.locations
    }

    /// Sets the types of the columns of text and JSON files: numbers for which `is_number` is true, texts
    /// else, whatever was inferred from the first rows.
    pub(crate) fn read_as(&mut self, is_number: impl Fn(&str) -> bool) {
        let n_typed = if self.has_types() { self.of_files.fields().len() } else { 0 };
        let fields = self.schema.fields().iter().enumerate().map(|(place, field)| {
            if place < n_typed {
                return field.as_ref().clone();
            }
            let kind = match field.data_type() {
                DataType::Boolean if is_number(field.name()) => DataType::Boolean,
                _ if is_number(field.name()) => DataType::Float64,
                _ => DataType::Utf8,
            };
            Field::new(field.name(), kind, true)
        });
        self.schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    }

    /// All rows.
    pub(crate) fn frame(&self, engine: &Engine) -> Result<DataFrame> {
        let mut by_cells = BTreeMap::<&[(String, String)], Vec<&Location>>::new();
        for (location, cells) in self.files.locations.iter().zip(&self.files.constants) {
            by_cells.entry(cells).or_default().push(location);
        }
        let frames = by_cells.into_iter().map(|(cells, files)| self.frame_with(cells, &files, engine));
        let mut frames = frames.collect::<Result<Vec<_>>>()?;
        if frames.len() == 1 {
            return Ok(frames.remove(0));
        }
        // One plan, as one within the other for each folder would be too deep.
        let plans = frames.into_iter().map(|frame| Arc::new(frame.into_unoptimized_plan())).collect();
        let union = LogicalPlan::Union(Union::try_new_with_loose_types(plans)?);
        Ok(DataFrame::new(engine.context().state(), union))
    }

    /// The rows of one file.
    pub(crate) fn frame_of(&self, file: &Location, engine: &Engine) -> Result<DataFrame> {
        let place = self.files.locations.iter().position(|known| known == file);
        let cells = place.and_then(|place| self.files.constants.get(place)).map_or(&[][..], Vec::as_slice);
        self.frame_with(cells, &[file], engine)
    }

    /// The rows of files, with these cells of their folders.
    fn frame_with(
        &self,
        cells: &[(String, String)],
        files: &[&Location],
        engine: &Engine,
    ) -> Result<DataFrame> {
        let frame = engine.context().read_table(self.provider(files)?)?;
        if self.has_types() && cells.is_empty() {
            return Ok(frame);
        }
        // The engine's reader keeps spaces, and knows one spelling of missing cells, which is nothing. JSON
        // has `null`.
        let markers = if self.is_text() { missing_markers() } else { [String::new()].into() };
        let missing: Vec<Expr> = markers.into_iter().map(lit).collect();
        let columns = self.schema.fields().iter().map(|field| {
            let column = Expr::Column(Column::from_name(field.name()));
            let cell = match cells.iter().find(|(name, _)| name == field.name()) {
                Some((_, cell)) => lit(ScalarValue::Utf8(Some(cell.clone()).filter(|cell| !cell.is_empty()))),
                None if self.has_types() => return Ok(column),
                None if !self.has_text(field.name()) => column,
                None => {
                    let cell = btrim(vec![column, lit(" \t\r\n")]);
                    let is_missing = in_list(cell.clone(), missing.clone(), false);
                    when(is_missing, lit(ScalarValue::Utf8(None))).otherwise(cell)?
                }
            };
            Ok(cast(cell, field.data_type().clone()).alias(field.name()))
        });
        Ok(frame.select(columns.collect::<Result<Vec<_>>>()?)?)
    }

    /// Whether a column of the files has texts.
    fn has_text(&self, column: &str) -> bool {
        self.of_files.field_with_name(column).is_ok_and(|field| field.data_type().is_string())
    }

    /// Each file is named: a pattern would not reach a cluster, and everything in the folder be read.
    pub(crate) fn provider(&self, files: &[&Location]) -> Result<Arc<dyn TableProvider>> {
        let urls = files.iter().map(|file| file.url()).collect::<Result<Vec<_>>>()?;
        let config = ListingTableConfig::new_with_multi_paths(urls)
            .with_listing_options(ListingOptions::new(self.format()).with_file_extension(""))
            .with_schema(self.of_files.clone());
        Ok(Arc::new(ListingTable::try_new(config)?))
    }

    fn format(&self) -> Arc<dyn FileFormat> {
        match self.files.kind {
            FileKind::Parquet => Arc::new(ParquetFormat::default()),
            FileKind::Avro => Arc::new(AvroFormat),
            FileKind::Text { delimiter, compression } => Arc::new(
                CsvFormat::default()
                    .with_has_header(true)
                    .with_delimiter(delimiter)
                    .with_file_compression_type(compression)
                    .with_null_regex(Some(missing_cells()))
                    .with_newlines_in_values(!self.read.split_files),
            ),
            // Any row may have another type, or one more key.
            FileKind::Json { compression } => Arc::new(
                JsonFormat::default()
                    .with_file_compression_type(compression)
                    .with_schema_infer_max_rec(usize::MAX),
            ),
        }
    }

    /// Texts are read by position, and other files by name.
    fn compare(&self, first: &Schema, other: &Schema, location: &Location) -> Result<()> {
        let names = |schema: &Schema| {
            let mut names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
            if !self.is_text() {
                names.sort_unstable();
            }
            names
        };
        if names(first) != names(other) {
            bail!(
                "{location} has other columns than {}; files of one table have the same, and texts have them in one order",
                self.files.locations[0],
            );
        }
        Ok(())
    }
}

fn refuse_what_clusters_do_not_read(files: &Files) -> Result<()> {
    if let Some(Location::Address { name, url: _ }) = files.locations.first() {
        return Err(usage(format!(
            "{name} is an address, which Ballista does not read; use --engine datafusion, or copy the files to where all machines of \
             the cluster see them"
        )));
    }
    match files.kind {
        FileKind::Text { compression, .. } | FileKind::Json { compression }
            if compression.is_compressed() =>
        {
            Err(usage(
                "Ballista does not tell its executors that text files are compressed; decompress them, or write Parquet files",
            ))
        }
        FileKind::Avro => {
            Err(usage("Ballista does not read Avro files; use --engine datafusion, or write Parquet files"))
        }
        FileKind::Parquet | FileKind::Text { .. } | FileKind::Json { .. } => Ok(()),
    }
}

/// The columns with the spaces around their names taken off, as `nbayes` does.
fn trimmed(schema: &Schema, location: &Location) -> Result<SchemaRef> {
    let fields = schema.fields().iter();
    let fields: Vec<_> = fields.map(|field| field.as_ref().clone().with_name(field.name().trim())).collect();
    let mut names = BTreeSet::new();
    if let Some(twice) = fields.iter().find(|field| !names.insert(field.name().as_str())) {
        bail!("{location} has two columns with the name {:?}; rename one of them", twice.name());
    }
    Ok(Arc::new(Schema::new(fields)))
}

/// The types that all cells fit that were seen in the files.
fn widest(schemas: &[Schema]) -> Schema {
    let fields = schemas[0].fields().iter().enumerate().map(|(place, field)| {
        let mut kinds = schemas.iter().map(|schema| schema.field(place).data_type());
        let kind = kinds.clone().find(|kind| **kind != DataType::Null).unwrap_or(&DataType::Null).clone();
        let fits = |other: &DataType| *other == kind || *other == DataType::Null;
        let number = |kind: &DataType| kind.is_numeric() || *kind == DataType::Null;
        let kind = if kinds.clone().all(fits) {
            kind
        } else if kinds.all(number) {
            DataType::Float64
        } else {
            DataType::Utf8
        };
        Field::new(field.name(), kind, true)
    });
    Schema::new(fields.collect::<Vec<_>>())
}

/// The columns of JSON files in the order of these names, where the engine has that of their names, and each
/// with numbers in all of the files or in none.
fn in_one_order(names: &[String], schemas: &[Schema]) -> Result<Vec<Schema>> {
    for name in names {
        let fields =
            schemas.iter().map(|schema| schema.field_with_name(name)).collect::<Result<Vec<_>, _>>()?;
        let mut known = fields.iter().map(|field| field.data_type()).filter(|kind| !kind.is_null());
        if let Some(one) = known.next()
            && known.any(|other| other.is_numeric() != one.is_numeric())
        {
            bail!(
                "the column {name:?} has numbers in some of the files and none in others; write Parquet files"
            );
        }
    }
    let ordered = schemas.iter().map(|schema| {
        let fields = names.iter().map(|name| schema.field_with_name(name).cloned());
        Ok(Schema::new(fields.collect::<Result<Vec<_>, _>>()?))
    });
    ordered.collect()
}

/// What `nbayes` takes for missing cells in texts, as a regular expression, for the first look at them.
fn missing_cells() -> String {
    let spellings: Vec<String> =
        missing_markers().iter().map(|cell| cell.replace('?', "\\?").replace('.', "\\.")).collect();
    format!("^\\s*({})\\s*$", spellings.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_cells_are_spelt_as_in_nb() {
        let all = "|#N/A|#N/A N/A|#NA|-1\\.#IND|-1\\.#QNAN|-NaN|-nan|1\\.#IND|1\\.#QNAN|<NA>|\\?|N/A|NA|NULL|NaN|None|n/a|nan|null";
        assert_eq!(missing_cells(), format!("^\\s*({all})\\s*$"));
    }

    #[test]
    fn types_of_all_files_are_united() {
        let schema = |kind: DataType| Schema::new(vec![Field::new("x", kind, true)]);
        let united = |kinds: &[DataType]| {
            let schemas: Vec<_> = kinds.iter().cloned().map(schema).collect();
            widest(&schemas).field(0).data_type().clone()
        };
        assert_eq!(united(&[DataType::Int64, DataType::Int64]), DataType::Int64);
        assert_eq!(united(&[DataType::Null, DataType::Int64]), DataType::Int64);
        assert_eq!(united(&[DataType::Int64, DataType::Float64]), DataType::Float64);
        assert_eq!(united(&[DataType::Float64, DataType::Utf8]), DataType::Utf8);
        assert_eq!(united(&[DataType::Null]), DataType::Null);
    }
}
