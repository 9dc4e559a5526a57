//! Finding data files: by name or by pattern, all of one kind, and whole as far as that can be seen.

use std::{
    collections::{BTreeSet, HashSet},
    fmt, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};
use datafusion::{
    arrow::datatypes::DataType,
    datasource::{file_format::file_compression_type::FileCompressionType, listing::ListingTableUrl},
    execution::runtime_env::RuntimeEnv,
};
use futures::{StreamExt, TryStreamExt, stream};
use nb_io::read::{FindFilesError, FoundFiles, missing_markers, partition_columns};
use url::Url;

#[cfg(feature = "remote")]
use super::remote;
use super::{failure::usage, whole::check_whole};

/// Prints the paths and addresses of data files as a JSON list: how `nbayes` learns which files patterns
/// match.
#[derive(Debug, clap::Args)]
pub(crate) struct List {
    /// Data files of one kind, by name or pattern.
    #[arg(required = true)]
    files: Vec<String>,
}

impl List {
    pub(crate) async fn run(&self) -> Result<()> {
        let files = Files::find(&self.files, false, &RuntimeEnv::default()).await?;
        let names = files.locations.iter().map(|location| match location {
            Location::Path(path) => {
                path.to_str().with_context(|| format!("the name of {location} is not valid UTF-8; rename it"))
            }
            Location::Address { name, url: _ } => Ok(name.as_str()),
        });
        let names = names.collect::<Result<Vec<&str>>>()?;
        Ok(writeln!(io::stdout(), "{}", serde_json::to_string(&names)?)?)
    }
}

/// Data files of one kind, in the order in which they were named.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    pub(crate) kind: FileKind,
    pub(crate) locations: Vec<Location>,
    /// The cells of each in the columns of folders.
    pub(crate) constants: Vec<Cells>,
}

/// Where a data file is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Location {
    /// On this machine; absolute.
    Path(PathBuf),
    /// In a store, by its address without secrets, and as the engine calls it.
    #[cfg_attr(
        not(feature = "remote"),
        expect(dead_code, reason = "there are no stores without the feature")
    )]
    Address { name: String, url: Box<ListingTableUrl> },
}

impl Location {
    /// What the engine calls it.
    pub(crate) fn url(&self) -> Result<ListingTableUrl> {
        match self {
            Self::Path(path) => {
                let url = Url::from_file_path(path).map_err(|()| anyhow!("{self} is no path of a file"))?;
                Ok(ListingTableUrl::try_new(url, None)?)
            }
            Self::Address { name: _, url } => Ok(ListingTableUrl::clone(url)),
        }
    }

    /// The names of its folders and its own.
    fn path(&self) -> &Path {
        match self {
            Self::Path(path) => path,
            Self::Address { name: _, url } => Path::new(url.prefix().as_ref()),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Address { name, url: _ } => f.write_str(name),
        }
    }
}

/// The columns in the names of the folders of a file, and their cells, of which missing ones are empty.
pub(crate) type Cells = Vec<(String, String)>;

/// How the files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Parquet.
    Parquet,
    /// Avro.
    Avro,
    /// Text with a header, and with this between the cells.
    Text { delimiter: u8, compression: FileCompressionType },
    /// JSON objects, one a line.
    Json { compression: FileCompressionType },
}

impl Files {
    /// All files that have these names or fit these patterns. Stores of addresses are registered.
    pub(crate) async fn find(patterns: &[String], reads_folders: bool, runtime: &RuntimeEnv) -> Result<Self> {
        let mut found = Vec::new();
        for pattern in patterns {
            found.extend(fitting(pattern, reads_folders, runtime).await?);
        }
        let (locations, constants): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let mut known = HashSet::new();
        if let Some(twice) = locations.iter().find(|location| !known.insert(*location)) {
            return Err(usage(format!("{twice} is named twice, so that its rows would count twice")));
        }
        let mut kinds = locations.iter().map(|location| FileKind::of(location).map(|kind| (kind, location)));
        let Some(first) = kinds.next() else { return Err(usage("no files are named")) };
        let (kind, first) = first?;
        for other in kinds {
            let (other_kind, other) = other?;
            if other_kind != kind {
                return Err(usage(format!(
                    "{first} and {other} are files of different kinds; name files of one kind at a time"
                )));
            }
        }
        let checks = locations.iter().map(|location| check_whole(kind, location, runtime));
        stream::iter(checks).buffered(AT_A_TIME).try_collect::<()>().await?;
        Ok(Self { kind, locations, constants })
    }
}

impl Files {
    /// The columns in the names of folders, and what holds their cells: numbers if all are plain ones, and
    /// otherwise texts.
    pub(crate) fn constants_type(&self) -> Result<Vec<(String, DataType)>> {
        let Some(first) = self.constants.first() else { return Ok(Vec::new()) };
        let names =
            |cells: &[(String, String)]| cells.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
        for (location, cells) in self.locations.iter().zip(&self.constants) {
            if names(cells) != names(first) || cells.len() != names(first).len() {
                bail!(
                    "the names of the folders of {location} have the columns {:?}, and those of {} have {:?}; name files of one \
                     kind at a time, or read the files alone by --hive-partitions off",
                    names(cells),
                    self.locations[0],
                    names(first)
                );
            }
        }
        let is_number = |cell: &str| {
            let digits = cell.trim_start_matches(['-', '+']);
            // What has zeros in front is a code.
            let is_code = digits.len() > 1
                && digits.starts_with('0')
                && digits.bytes().all(|byte| byte.is_ascii_digit());
            !is_code && cell.parse::<f64>().is_ok_and(f64::is_finite)
        };
        let columns = first.iter().map(|(name, _)| {
            let cells = self.constants.iter().flatten().filter(|(of, cell)| of == name && !cell.is_empty());
            let kind = match () {
                () if cells.clone().all(|(_, cell)| is_number(cell) && cell.parse::<i64>().is_ok()) => {
                    DataType::Int64
                }
                () if cells.clone().all(|(_, cell)| is_number(cell)) => DataType::Float64,
                () => DataType::Utf8,
            };
            (name.clone(), kind)
        });
        Ok(columns.collect())
    }
}

impl FileKind {
    /// By the ending of the name.
    fn of(location: &Location) -> Result<Self> {
        let name = location.path().file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let compressions = [
            (".gz", FileCompressionType::GZIP),
            (".bz2", FileCompressionType::BZIP2),
            (".xz", FileCompressionType::XZ),
            (".zst", FileCompressionType::ZSTD),
        ];
        let compressed = |(ending, compression)| Some((name.strip_suffix(ending)?, compression));
        let (name, compression) = compressions
            .into_iter()
            .find_map(compressed)
            .unwrap_or((&name, FileCompressionType::UNCOMPRESSED));
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("parquet") if !compression.is_compressed() => Ok(Self::Parquet),
            Some("avro") if !compression.is_compressed() => Ok(Self::Avro),
            Some("csv") => Ok(Self::Text { delimiter: b',', compression }),
            Some("tsv") => Ok(Self::Text { delimiter: b'\t', compression }),
            Some("jsonl" | "ndjson") => Ok(Self::Json { compression }),
            _ => Err(usage(format!(
                "{location} is of an unknown kind; names end in .parquet, .avro, .csv, .tsv, or .jsonl or .ndjson (JSON objects, one a line), \
                 and all but .parquet and .avro may have .gz, .bz2, .xz or .zst behind it"
            ))),
        }
    }
}

/// How many files are asked for at the same time: answers of a store take their time, and hardly any of this
/// machine.
pub(crate) const AT_A_TIME: usize = 16;

/// The files that a name, a folder or a pattern stands for, as `nbayes` finds them, and the columns in the
/// names of the folders that were found.
async fn fitting(name: &str, reads_folders: bool, runtime: &RuntimeEnv) -> Result<Vec<(Location, Cells)>> {
    if let Some(error) = FindFilesError::of_address(name) {
        let Some(found) = behind_address(name, runtime).await? else { return Err(usage(error.to_string())) };
        let with_cells = |location: Location| {
            let cells = cells(location.path(), reads_folders);
            (location, cells)
        };
        return Ok(found.into_iter().map(with_cells).collect());
    }
    let found = FoundFiles::find(name).map_err(|error| usage(error.to_string()))?;
    let file = |path: &PathBuf| {
        // One name for each file, without `..`, which the engine does not take.
        let absolute = fs::canonicalize(path).with_context(|| format!("cannot find {}", path.display()));
        Ok((Location::Path(absolute?), cells(path, reads_folders)))
    };
    found.paths().iter().map(file).collect()
}

/// The files that an address stands for; none if it is of a kind that is not read.
#[cfg(feature = "remote")]
async fn behind_address(address: &str, runtime: &RuntimeEnv) -> Result<Option<Vec<Location>>> {
    remote::find(address, runtime).await
}

#[cfg(not(feature = "remote"))]
#[expect(clippy::unused_async, reason = "it asks a store if the feature is there")]
async fn behind_address(address: &str, _: &RuntimeEnv) -> Result<Option<Vec<Location>>> {
    Err(usage(format!(
        "{address} is an address, and this nb-datafusion was compiled without the feature `remote`, which reads them"
    )))
}

/// The columns in the names of the folders of a path.
fn cells(path: &Path, reads_folders: bool) -> Cells {
    let missing = missing_markers();
    let mut columns = if reads_folders { partition_columns(path) } else { Vec::new() };
    columns.iter_mut().filter(|(_, cell)| missing.contains(cell)).for_each(|(_, cell)| cell.clear());
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_kind() {
        let plain = FileCompressionType::UNCOMPRESSED;
        let kind = |name: &str| FileKind::of(&Location::Path(name.into()));
        assert_eq!(kind("a.parquet").unwrap(), FileKind::Parquet);
        assert_eq!(kind("a.b.CSV").unwrap(), FileKind::Text { delimiter: b',', compression: plain });
        assert_eq!(
            kind("a.tsv.gz").unwrap(),
            FileKind::Text { delimiter: b'\t', compression: FileCompressionType::GZIP }
        );
        assert_eq!(kind("a.jsonl.zst").unwrap(), FileKind::Json { compression: FileCompressionType::ZSTD });
        assert_eq!(kind("a.avro").unwrap(), FileKind::Avro);
        for wrong in ["a", "a.parquet.gz", "a.avro.gz", "a.json", ".gz"] {
            assert!(kind(wrong).is_err(), "{wrong}");
        }
    }

    async fn find(patterns: &[String]) -> Result<Files> {
        Files::find(patterns, true, &RuntimeEnv::default()).await
    }

    #[tokio::test]
    async fn patterns_find_files_in_order_and_none_twice() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.csv", "a.csv", "c.parquet"] {
            fs::write(folder.path().join(name), b"PAR1\0\0\0\0PAR1").unwrap();
        }
        let pattern = |end: &str| folder.path().join(end).display().to_string();
        let found = find(&[pattern("*.csv")]).await.unwrap();
        let names: Vec<_> =
            found.locations.iter().map(|file| file.path().file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["a.csv", "b.csv"]);
        for (patterns, expected) in [
            (&["*.csv", "a.csv"][..], "named twice"),
            (&["*"], "different formats"),
            (&["*.csv", "c.parquet"], "different kinds"),
            (&["*.tsv"], "no file matches"),
            (&[""], "different formats"),
        ] {
            let patterns: Vec<String> = patterns.iter().map(|end| pattern(end)).collect();
            let error = find(&patterns).await.unwrap_err().to_string();
            assert!(error.contains(expected), "{patterns:?}: {error}");
        }
    }
}
