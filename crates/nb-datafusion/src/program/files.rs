//! Finding data files: by name or by pattern, all of one kind, and whole as far as that can be seen.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use datafusion::{
    arrow::datatypes::DataType, datasource::file_format::file_compression_type::FileCompressionType,
};

use nb_io::read::{FoundFiles, missing_markers, partition_columns};

use super::failure::usage;

/// Prints the paths of data files as a JSON list: how `nbayes` learns which files patterns match.
#[derive(Debug, clap::Args)]
pub(crate) struct List {
    /// Data files of one kind, by name or pattern.
    #[arg(required = true)]
    files: Vec<String>,
}

impl List {
    pub(crate) fn run(&self) -> Result<()> {
        let files = Files::find(&self.files, false)?;
        let paths = files.paths.iter().map(|path| {
            path.to_str()
                .with_context(|| format!("the name of {} is not valid UTF-8; rename it", path.display()))
        });
        let paths = paths.collect::<Result<Vec<&str>>>()?;
        Ok(writeln!(io::stdout(), "{}", serde_json::to_string(&paths)?)?)
    }
}

/// Data files of one kind, in the order in which they were named.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    pub(crate) kind: FileKind,
    pub(crate) paths: Vec<PathBuf>,
    /// The cells of each in the columns of folders.
    pub(crate) constants: Vec<Cells>,
}

/// The columns in the names of the folders of a file, and their cells, of which missing ones are empty.
pub(crate) type Cells = Vec<(String, String)>;

/// How the files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Parquet.
    Parquet,
    /// Text with a header, and with this between the cells.
    Text { delimiter: u8, compression: FileCompressionType },
    /// JSON objects, one a line.
    Json { compression: FileCompressionType },
}

impl Files {
    /// All files that have these names or fit these patterns.
    pub(crate) fn find(patterns: &[String], reads_folders: bool) -> Result<Self> {
        let mut found = Vec::new();
        for pattern in patterns {
            found.extend(fitting(pattern, reads_folders)?);
        }
        let (paths, constants): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let mut known = BTreeSet::new();
        if let Some(twice) = paths.iter().find(|path| !known.insert(*path)) {
            return Err(usage(format!(
                "{} is named twice, so that its rows would count twice",
                twice.display()
            )));
        }
        let mut kinds = paths.iter().map(|path| FileKind::of(path).map(|kind| (kind, path)));
        let Some(first) = kinds.next() else { return Err(usage("no files are named")) };
        let (kind, first) = first?;
        for other in kinds {
            let (other_kind, path) = other?;
            if other_kind != kind {
                return Err(usage(format!(
                    "{} and {} are files of different kinds; name files of one kind at a time",
                    first.display(),
                    path.display()
                )));
            }
        }
        if kind == FileKind::Parquet {
            paths.iter().try_for_each(|path| check_parquet(path))?;
        }
        Ok(Self { kind, paths, constants })
    }
}

impl Files {
    /// The columns in the names of folders, and what holds their cells: numbers if all are plain ones, and otherwise texts.
    pub(crate) fn constants_type(&self) -> Result<Vec<(String, DataType)>> {
        let Some(first) = self.constants.first() else { return Ok(Vec::new()) };
        let names =
            |cells: &[(String, String)]| cells.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
        for (path, cells) in self.paths.iter().zip(&self.constants) {
            if names(cells) != names(first) || cells.len() != names(first).len() {
                bail!(
                    "the names of the folders of {} have the columns {:?}, and those of {} have {:?}; name files of one kind at a \
                     time, or read the files alone by --hive-partitions off",
                    path.display(),
                    names(cells),
                    self.paths[0].display(),
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
    fn of(path: &Path) -> Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
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
            Some("csv") => Ok(Self::Text { delimiter: b',', compression }),
            Some("tsv") => Ok(Self::Text { delimiter: b'\t', compression }),
            Some("jsonl" | "ndjson") => Ok(Self::Json { compression }),
            _ => Err(usage(format!(
                "{} is of an unknown kind; names end in .parquet, .csv, .tsv, or .jsonl or .ndjson (JSON objects, one a line), all but \
                 .parquet also with .gz, .bz2, .xz or .zst behind it",
                path.display()
            ))),
        }
    }
}

/// The files that a name, a folder or a pattern stands for, as `nbayes` finds them: their absolute paths, and the columns in the
/// names of the folders that were found.
fn fitting(name: &str, reads_folders: bool) -> Result<Vec<(PathBuf, Cells)>> {
    let found = FoundFiles::find(name).map_err(|error| usage(error.to_string()))?;
    let missing = missing_markers();
    let of_folders = |path: &PathBuf| {
        let mut columns = if reads_folders { partition_columns(path) } else { Vec::new() };
        columns.iter_mut().filter(|(_, cell)| missing.contains(cell)).for_each(|(_, cell)| cell.clear());
        columns
    };
    let file = |path: &PathBuf| {
        // One name for each file, without `..`, which the engine does not take.
        let absolute = fs::canonicalize(path).with_context(|| format!("cannot find {}", path.display()));
        Ok((absolute?, of_folders(path)))
    };
    found.paths().iter().map(file).collect()
}

/// The first and the last four bytes of a Parquet file.
const MAGIC: [u8; 4] = *b"PAR1";

/// A Parquet file that was cut, or is not finished, has no end.
fn check_parquet(path: &Path) -> Result<()> {
    let ends = || -> io::Result<([[u8; 4]; 3], u64)> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut ends = [[0; 4]; 3];
        // Magic, the length of the footer, and magic again.
        if size >= 12 {
            file.read_exact(&mut ends[0])?;
            file.seek(SeekFrom::End(-8))?;
            file.read_exact(&mut ends[1])?;
            file.read_exact(&mut ends[2])?;
        }
        Ok((ends, size))
    };
    let ([start, footer, end], size) = ends().with_context(|| format!("cannot read {}", path.display()))?;
    if start != MAGIC {
        bail!("{} is no Parquet file", path.display());
    }
    // The engine's reader takes the length of the footer as it stands.
    if end != MAGIC || u64::from(u32::from_le_bytes(footer)) + 12 > size {
        bail!("{} is cut: a Parquet file ends with a footer, which it has not", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_kind() {
        let plain = FileCompressionType::UNCOMPRESSED;
        assert_eq!(FileKind::of(Path::new("a.parquet")).unwrap(), FileKind::Parquet);
        assert_eq!(
            FileKind::of(Path::new("a.b.CSV")).unwrap(),
            FileKind::Text { delimiter: b',', compression: plain }
        );
        assert_eq!(
            FileKind::of(Path::new("a.tsv.gz")).unwrap(),
            FileKind::Text { delimiter: b'\t', compression: FileCompressionType::GZIP }
        );
        assert_eq!(
            FileKind::of(Path::new("a.jsonl.zst")).unwrap(),
            FileKind::Json { compression: FileCompressionType::ZSTD }
        );
        for wrong in ["a", "a.parquet.gz", "a.json", ".gz"] {
            assert!(FileKind::of(Path::new(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn patterns_find_files_in_order_and_none_twice() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.csv", "a.csv", "c.parquet"] {
            fs::write(folder.path().join(name), b"PAR1\0\0\0\0PAR1").unwrap();
        }
        let pattern = |end: &str| folder.path().join(end).display().to_string();
        let found = Files::find(&[pattern("*.csv")], true).unwrap();
        let names: Vec<_> = found.paths.iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["a.csv", "b.csv"]);
        let error = |patterns: &[String]| Files::find(patterns, true).unwrap_err().to_string();
        assert!(error(&[pattern("*.csv"), pattern("a.csv")]).contains("named twice"));
        assert!(error(&[pattern("*")]).contains("different formats"));
        assert!(error(&[pattern("*.csv"), pattern("c.parquet")]).contains("different kinds"));
        assert!(error(&[pattern("*.tsv")]).contains("no file matches"));
        assert!(error(&[pattern("")]).contains("different formats"));
    }

    #[test]
    fn a_cut_parquet_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.parquet");
        fs::write(&path, "PAR1 and so on, and").unwrap();
        let error = Files::find(&[path.display().to_string()], true).unwrap_err().to_string();
        assert!(error.contains("cut.parquet is cut"), "{error}");
        fs::write(&path, "PAR1xxxxPAR1").unwrap();
        let error = Files::find(&[path.display().to_string()], true).unwrap_err().to_string();
        assert!(error.contains("cut.parquet is cut"), "{error}");
        fs::write(&path, "P").unwrap();
        assert!(Files::find(&[path.display().to_string()], true).is_err());
    }
}
