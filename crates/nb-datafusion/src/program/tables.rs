//! Data files as a table.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use datafusion::{
    arrow::datatypes::{DataType, Field, Schema, SchemaRef},
    catalog::TableProvider,
    common::Column,
    datasource::{
        file_format::{FileFormat, csv::CsvFormat, parquet::ParquetFormat},
        listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl},
    },
    logical_expr::{Expr, cast, in_list, lit, when},
    prelude::{DataFrame, btrim},
    scalar::ScalarValue,
};
use nb_io::read::missing_markers;
use url::Url;

use super::{
    engine::Engine,
    failure::usage,
    files::{FileKind, Files},
};

/// How text files are read.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ReadArgs {
    /// Reads large text files in pieces, all at a time. Only for files in which no quoted cell has a line break: pieces
    /// begin at one.
    #[arg(long, help_heading = "Reading")]
    split_files: bool,
}

/// Data files, and the columns that they have.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    files: Files,
    schema: SchemaRef,
    read: ReadArgs,
}

impl Table {
    /// Looks at the columns of all files, and at the first thousand rows of texts.
    pub(crate) async fn look(engine: &Engine, patterns: &[String], read: ReadArgs) -> Result<Self> {
        let files = Files::find(patterns)?;
        if let FileKind::Text { compression, delimiter: _ } = files.kind
            && compression.is_compressed()
            && engine.is_cluster()
        {
            return Err(usage(
                "Ballista does not tell its executors that text files are compressed; decompress them, or write Parquet files",
            ));
        }
        let mut table = Self { files, schema: Arc::new(Schema::empty()), read };
        let options = ListingOptions::new(table.format()).with_file_extension("");
        let state = engine.context().state();
        let mut schemas: Vec<Schema> = Vec::new();
        for path in &table.files.paths {
            let seen = options.infer_schema(&state, &url(path)?).await;
            let seen = seen.with_context(|| format!("cannot read {}", path.display()))?;
            let seen = if table.is_text() { trimmed(&seen, path)? } else { seen };
            if seen.fields().is_empty() {
                bail!("{} has no columns", path.display());
            }
            if let Some(first) = schemas.first() {
                table.compare(first, &seen, path)?;
            }
            schemas.push(seen.as_ref().clone());
        }
        table.schema = match table.files.kind {
            FileKind::Parquet => Arc::new(Schema::try_merge(schemas)?),
            FileKind::Text { .. } => Arc::new(widest(&schemas)),
        };
        Ok(table)
    }

    /// The names of the columns and what was seen in them.
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Whether types are what we say, and not what the files say.
    pub(crate) fn is_text(&self) -> bool {
        self.files.kind != FileKind::Parquet
    }

    /// The files, and how they are written.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// The files.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.files.paths
    }

    /// Reads the cells of text files as numbers where `is_number` says so, and as they stand elsewhere, also if the first
    /// rows looked different.
    pub(crate) fn read_as(&mut self, is_number: impl Fn(&str) -> bool) {
        if !self.is_text() {
            return;
        }
        let fields = self.schema.fields().iter().map(|field| {
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
        self.frame_of_all(&self.files.paths, engine)
    }

    /// The rows of one file.
    pub(crate) fn frame_of(&self, path: &Path, engine: &Engine) -> Result<DataFrame> {
        self.frame_of_all(&[path.to_owned()], engine)
    }

    fn frame_of_all(&self, paths: &[PathBuf], engine: &Engine) -> Result<DataFrame> {
        let frame = engine.context().read_table(self.provider(paths)?)?;
        if !self.is_text() {
            return Ok(frame);
        }
        // The engine's reader keeps spaces, and knows one spelling of missing cells, which is nothing.
        let missing: Vec<Expr> = missing_markers().into_iter().map(lit).collect();
        let columns = self.schema.fields().iter().map(|field| {
            let cell = btrim(vec![Expr::Column(Column::from_name(field.name())), lit(" \t\r\n")]);
            let is_missing = in_list(cell.clone(), missing.clone(), false);
            let cell = when(is_missing, lit(ScalarValue::Utf8(None))).otherwise(cell)?;
            Ok(cast(cell, field.data_type().clone()).alias(field.name()))
        });
        Ok(frame.select(columns.collect::<Result<Vec<_>>>()?)?)
    }

    /// Each file is named: a pattern would not reach a cluster, and everything in the folder be read.
    fn provider(&self, paths: &[PathBuf]) -> Result<Arc<dyn TableProvider>> {
        let urls = paths.iter().map(|path| url(path)).collect::<Result<Vec<_>>>()?;
        let config = ListingTableConfig::new_with_multi_paths(urls)
            .with_listing_options(ListingOptions::new(self.format()).with_file_extension(""))
            .with_schema(self.schema_of_files());
        Ok(Arc::new(ListingTable::try_new(config)?))
    }

    /// Cells of texts are read as they stand.
    fn schema_of_files(&self) -> SchemaRef {
        if !self.is_text() {
            return self.schema.clone();
        }
        let fields = self.schema.fields().iter().map(|field| Field::new(field.name(), DataType::Utf8, true));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    fn format(&self) -> Arc<dyn FileFormat> {
        match self.files.kind {
            FileKind::Parquet => Arc::new(ParquetFormat::default()),
            FileKind::Text { delimiter, compression } => Arc::new(
                CsvFormat::default()
                    .with_has_header(true)
                    .with_delimiter(delimiter)
                    .with_file_compression_type(compression)
                    .with_null_regex(Some(missing_cells()))
                    .with_newlines_in_values(!self.read.split_files),
            ),
        }
    }

    /// Texts are read by position and Parquet files by name.
    fn compare(&self, first: &Schema, other: &Schema, path: &Path) -> Result<()> {
        let names = |schema: &Schema| {
            let mut names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
            if !self.is_text() {
                names.sort_unstable();
            }
            names
        };
        if names(first) != names(other) {
            bail!(
                "{} has other columns than {}; files of one table have the same, and texts have them in one order",
                path.display(),
                self.files.paths[0].display(),
            );
        }
        Ok(())
    }
}

/// The columns with the spaces around their names taken off, as `nbayes` does.
fn trimmed(schema: &Schema, path: &Path) -> Result<SchemaRef> {
    let fields = schema.fields().iter();
    let fields: Vec<_> = fields.map(|field| field.as_ref().clone().with_name(field.name().trim())).collect();
    let mut names = BTreeSet::new();
    if let Some(twice) = fields.iter().find(|field| !names.insert(field.name().as_str())) {
        bail!("{} has two columns with the name {:?}; rename one of them", path.display(), twice.name());
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

/// What `nbayes` takes for missing cells in texts, as a regular expression, for the first look at them.
fn missing_cells() -> String {
    let spellings: Vec<String> =
        missing_markers().iter().map(|cell| cell.replace('?', "\\?").replace('.', "\\.")).collect();
    format!("^\\s*({})\\s*$", spellings.join("|"))
}

fn url(path: &Path) -> Result<ListingTableUrl> {
    let url =
        Url::from_file_path(path).map_err(|()| anyhow::anyhow!("{} is no path of a file", path.display()))?;
    Ok(ListingTableUrl::try_new(url, None)?)
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
