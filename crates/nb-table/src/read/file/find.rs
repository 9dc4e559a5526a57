//! The data files that a name, a folder or a pattern stands for.

use std::{
    ffi::OsStr,
    io,
    path::{Component, Path, PathBuf},
};

use glob::{MatchOptions, Pattern, PatternError};

/// The data files that a name, a folder or a pattern stands for, all of one format by the endings of their
/// names.
///
/// A file that exists under the name is itself, whatever characters the name has. A folder is the files in it
/// and in its subfolders. In a pattern `*` stands for any characters of a name, `?` for one character, `[ab]`
/// for one of these, and `**` for any subfolders. Files and subfolders whose names begin with `.` or `_` are
/// left out (in patterns unless the pattern begins so at this place), as `_SUCCESS` and `.part.crc` hold no
/// rows. Symbolic links to files are followed. Paths are in the order of the bytes of their names, folder
/// by folder, whatever the file system.
///
/// ```
/// use nb_table::read::{FoundFiles, NamedBy};
///
/// let folder = tempfile::tempdir()?;
/// for name in ["b.csv", "a.csv", "_SUCCESS"] {
///     std::fs::write(folder.path().join(name), "x,y\n1,a\n")?;
/// }
/// let files = FoundFiles::find(&folder.path().join("*.csv").to_string_lossy())?;
/// assert_eq!(files.named_by(), NamedBy::Pattern);
/// assert_eq!(files.paths(), [folder.path().join("a.csv"), folder.path().join("b.csv")]);
/// assert_eq!(FoundFiles::find(&folder.path().to_string_lossy())?.paths(), files.paths());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFiles {
    paths: Vec<PathBuf>,
    named_by: NamedBy,
}

/// How files were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NamedBy {
    /// By the name of one file, which need not exist.
    Name,
    /// By the name of a folder.
    Folder,
    /// By a pattern.
    Pattern,
}

/// Why a folder or a pattern stands for no files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindFilesError {
    /// The folder has no files.
    #[error("the folder {folder} has no data files (names that begin with `.` or `_` are left out)")]
    EmptyFolder {
        /// The folder.
        folder: String,
    },
    /// The pattern matches no file.
    #[error("no file matches {pattern:?} (`*` matches no `/`, and no name that begins with `.` or `_`)")]
    NoMatch {
        /// The pattern.
        pattern: String,
    },
    /// It is neither a file nor a pattern.
    #[error("there is no file {pattern:?}, and it is not a valid pattern: {error}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        error: String,
    },
    /// The files do not have one format, by the endings of their names.
    #[error("the files of {name:?} have different formats: {} and {}; name those of one, such as {example:?}", .first.display(), .other.display())]
    Formats {
        /// The folder or pattern.
        name: String,
        /// The first file.
        first: PathBuf,
        /// The first one of another format.
        other: PathBuf,
        /// A pattern for files like the first.
        example: String,
    },
    /// A subfolder is a symbolic link, which may lead to files that have another name here, too.
    #[error("{} is a symbolic link to a folder, which is not followed; name its files, or rename it to begin with `_`", .link.display())]
    Link {
        /// The link.
        link: PathBuf,
    },
    /// It is an address of what is not on this machine.
    #[error("{name} is an address, and only files of this machine are read; {how}")]
    Address {
        /// The address.
        name: String,
        /// How to get it.
        how: String,
    },
    /// A folder cannot be read.
    #[error("cannot read the folder {}: {error}", .folder.display())]
    Io {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl FindFilesError {
    /// The error about a name that is an address, such as `s3://bucket/file`, and not a path.
    ///
    /// ```
    /// use nb_table::read::FindFilesError;
    ///
    /// let error = FindFilesError::of_address("s3://bucket/t.csv").unwrap().to_string();
    /// assert!(error.contains("; copy it: `aws s3 cp 's3://bucket/t.csv' .`, with `--recursive` for a folder"));
    /// assert!(FindFilesError::of_address("t.csv").is_none());
    /// ```
    #[must_use]
    pub fn of_address(name: &str) -> Option<Self> {
        let (scheme, rest) = name.split_once("://")?;
        let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        if !is_scheme || Path::new(name).exists() {
            return None;
        }
        let scheme = scheme.to_ascii_lowercase();
        let fetch = match scheme.as_str() {
            "http" | "https" => Some(format!("download it: `curl -LO '{name}'`")),
            "s3" | "s3a" => {
                Some(format!("copy it: `aws s3 cp 's3://{rest}' .`, with `--recursive` for a folder"))
            }
            "gs" => Some(format!("copy it: `gcloud storage cp -r '{name}' .`")),
            _ => None,
        };
        let how = match fetch {
            Some(fetch) => format!(
                "{fetch}; or let `nb-datafusion` read it where it is (`nbayes train` and `predict`: `--engine datafusion`)"
            ),
            None if scheme == "file" => "name the file by its path".into(),
            None => "copy it to this machine".into(),
        };
        Some(Self::Address { name: name.into(), how })
    }
}

impl FoundFiles {
    /// Finds the files. A name that has no `*`, `?` or `[` and is not a folder is itself, even if there is no
    /// such file: its reader will report it.
    ///
    /// # Errors
    /// [`FindFilesError`] where a folder or pattern stands for no files, or for files of different formats.
    pub fn find(name: &str) -> Result<Self, FindFilesError> {
        if let Some(error) = FindFilesError::of_address(name) {
            return Err(error);
        }
        let path = Path::new(name);
        match () {
            () if path.is_dir() => Self::of_one_format(name, in_folder(path)?, NamedBy::Folder),
            () if path.exists() || !is_pattern(name) => Ok(Self::named(path)),
            () => Self::of_one_format(name, matching(name)?, NamedBy::Pattern),
        }
    }

    /// The files among those of a store that a folder or a pattern stands for, by the rules of
    /// [`find`](Self::find). `files` has at least all files below the folders that the pattern names
    /// without `*`, `?` and `[`, each by its whole address.
    ///
    /// ```
    /// use nb_table::read::FoundFiles;
    ///
    /// let files = ["s3://b/day=1/x.csv", "s3://b/day=1/_SUCCESS", "s3://b/day=2/x.csv", "s3://b/c.csv"];
    /// let among = |name| FoundFiles::among(name, files.map(Into::into));
    /// assert_eq!(among("s3://b/*/*.csv")?.paths(), [files[0], files[2]].map(std::path::PathBuf::from));
    /// assert_eq!(among("s3://b/day=1")?.paths(), [std::path::PathBuf::from(files[0])]);
    /// # Ok::<(), nb_table::read::FindFilesError>(())
    /// ```
    ///
    /// # Errors
    /// As of [`find`](Self::find).
    pub fn among(name: &str, files: impl IntoIterator<Item = PathBuf>) -> Result<Self, FindFilesError> {
        let (folder, files) = (Path::new(name), files.into_iter());
        if !is_pattern(name) {
            let holds_rows =
                |path: &PathBuf| path.strip_prefix(folder).is_ok_and(|below| !names(below).any(is_left_out));
            return Self::of_one_format(name, files.filter(holds_rows).collect(), NamedBy::Folder);
        }
        let pattern = Pattern::new(name).map_err(|error| invalid(name, &error))?;
        let (options, is_meant) =
            (MatchOptions { require_literal_separator: true, ..MatchOptions::new() }, meant_by(name)?);
        let mut paths = Vec::new();
        for path in files {
            if path == folder {
                return Ok(Self::named(folder));
            }
            if pattern.matches_path_with(&path, options) && names(&path).all(&is_meant) {
                paths.push(path);
            }
        }
        Self::of_one_format(name, paths, NamedBy::Pattern)
    }

    fn named(path: &Path) -> Self {
        Self { paths: vec![path.into()], named_by: NamedBy::Name }
    }

    /// The files in order; refused if there are none, or if they have several formats.
    fn of_one_format(name: &str, mut paths: Vec<PathBuf>, named_by: NamedBy) -> Result<Self, FindFilesError> {
        paths.sort();
        paths.dedup();
        let Some(first) = paths.first() else {
            return Err(match named_by {
                NamedBy::Folder => FindFilesError::EmptyFolder { folder: name.into() },
                _ => FindFilesError::NoMatch { pattern: name.into() },
            });
        };
        if let Some(other) = paths.iter().find(|path| ending(path) != ending(first)) {
            let example = match named_by {
                NamedBy::Folder => Path::new(name).join("**").join(format!("*{}", full_ending(first))),
                _ => Path::new(name).with_file_name(format!("*{}", full_ending(first))),
            };
            return Err(FindFilesError::Formats {
                name: name.into(),
                first: first.clone(),
                other: other.clone(),
                example: example.display().to_string(),
            });
        }
        Ok(Self { paths, named_by })
    }

    /// The paths, in order; at least one.
    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The same, without the rest.
    #[must_use]
    pub fn into_paths(self) -> Vec<PathBuf> {
        self.paths
    }

    /// How the files were named.
    #[must_use]
    pub fn named_by(&self) -> NamedBy {
        self.named_by
    }
}

/// All files of a folder and its subfolders.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, FindFilesError> {
    let (mut paths, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let of_folder = |error| FindFilesError::Io { folder: folder.clone(), error };
        for entry in folder.read_dir().map_err(of_folder)? {
            let entry = entry.map_err(of_folder)?;
            let path = entry.path();
            if is_left_out(&entry.file_name()) {
                continue;
            }
            let is_link = entry.file_type().map_err(of_folder)?.is_symlink();
            match path.is_dir() {
                true if is_link => return Err(FindFilesError::Link { link: path }),
                true => folders.push(path),
                false => paths.push(path),
            }
        }
    }
    Ok(paths)
}

/// All files that match a pattern.
fn matching(pattern: &str) -> Result<Vec<PathBuf>, FindFilesError> {
    let is_meant = meant_by(pattern)?;
    let mut paths = Vec::new();
    for path in glob::glob(pattern).map_err(|error| invalid(pattern, &error))? {
        let path =
            path.map_err(|error| FindFilesError::Io { folder: error.path().into(), error: error.into() })?;
        if !path.is_dir() && names(&path).all(&is_meant) {
            paths.push(path);
        }
    }
    Ok(paths)
}

/// Whether a name is not left out, or is one that the pattern has at a place, such as `_part*`.
fn meant_by(pattern: &str) -> Result<impl Fn(&OsStr) -> bool, FindFilesError> {
    let parts = names(Path::new(pattern)).filter(|part| is_left_out(part)).filter_map(OsStr::to_str);
    let parts: Vec<Pattern> =
        parts.map(Pattern::new).collect::<Result<_, _>>().map_err(|error| invalid(pattern, &error))?;
    Ok(move |name: &OsStr| {
        !is_left_out(name) || parts.iter().any(|part| part.matches(&name.to_string_lossy()))
    })
}

fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

fn invalid(pattern: &str, error: &PatternError) -> FindFilesError {
    FindFilesError::Pattern { pattern: pattern.into(), error: error.to_string() }
}

/// The names of the folders and of the file of a path.
fn names(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

/// Whether a name is one of files that hold no rows. The columns of partitions may begin with `_`.
fn is_left_out(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") || (name.starts_with(b"_") && !name.contains(&b'='))
}

/// The ending of a name that tells its format, in lower case and without that of a compression.
pub(in crate::read) fn ending(path: &Path) -> String {
    let ending = full_ending(path).to_lowercase();
    let compressed = [".gz", ".bz2", ".xz", ".zst"].iter().find_map(|of| ending.strip_suffix(of));
    compressed.unwrap_or(&ending).to_owned()
}

/// The same as it is written. Hosts, hashes and dates behind the last point, as names of mails have them, are
/// no endings.
fn full_ending(path: &Path) -> String {
    const LONGEST: usize = 10;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_compressed = |rest: &str| [".gz", ".bz2", ".xz", ".zst"].contains(&&*rest.to_lowercase());
    let is_ending = |rest: &str| {
        rest.len() <= LONGEST
            && rest.starts_with(|first: char| first.is_ascii_alphabetic())
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let dot = name.rfind('.').filter(|dot| is_ending(&name[dot + 1..]) && !is_in_maildir(path));
    let Some(dot) = dot else { return String::new() };
    let inner = if is_compressed(&name[dot..]) { name[..dot].rfind('.') } else { None };
    name[inner.unwrap_or(dot)..].to_owned()
}

/// Whether a file is a mail of a Maildir: its name begins with the time of delivery in seconds, and its
/// folder is `cur` or `new`.
pub(in crate::read) fn is_in_maildir(path: &Path) -> bool {
    const DIGITS: usize = 9;
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let n_digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let folder = path.parent().and_then(Path::file_name);
    n_digits >= DIGITS
        && name.get(n_digits) == Some(&b'.')
        && folder.is_some_and(|folder| folder == "cur" || folder == "new")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files.
    fn with_files(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in names {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, "x\n").expect("a file");
        }
        folder
    }

    /// What is found for a name in the folder, without the folder.
    fn found(folder: &tempfile::TempDir, name: &str) -> Result<Vec<String>, String> {
        let path = folder.path().join(name);
        let found = FoundFiles::find(path.to_str().expect("a name")).map_err(|error| error.to_string())?;
        let short = |path: &PathBuf| path.strip_prefix(folder.path()).expect("below").display().to_string();
        Ok(found.paths().iter().map(short).collect())
    }

    #[test]
    fn folders_and_patterns_are_their_files_in_order() {
        let folder = with_files(&[
            "b.csv", "a.csv", "B.csv", "in/c.csv", ".h.csv", "_SUCCESS", "_d/e.csv", ".g/i.csv",
        ]);
        for (name, expected) in [
            ("", &["B.csv", "a.csv", "b.csv", "in/c.csv"][..]),
            ("*.csv", &["B.csv", "a.csv", "b.csv"]),
            ("**/*.csv", &["B.csv", "a.csv", "b.csv", "in/c.csv"]),
            ("[ab].csv", &["a.csv", "b.csv"]),
            ("?.csv", &["B.csv", "a.csv", "b.csv"]),
            ("_*", &["_SUCCESS"]),
            ("_d/*.csv", &["_d/e.csv"]),
            ("_d", &["_d/e.csv"]),
            (".*.csv", &[".h.csv"]),
            ("a.csv", &["a.csv"]),
            ("none.csv", &["none.csv"]),
        ] {
            assert_eq!(found(&folder, name).expect(name), expected, "{name}");
        }
    }

    #[test]
    fn hosts_hashes_and_dates_are_no_endings() {
        let mails = &[
            "m/cur/1718000001.M1P2.host.org:2,S",
            "m/new/1718000002.M1P2.host",
            "m/n/00001.7c53336b37003a9286ab",
            "m/n/0002.2024-01-31",
            "m/n/49960",
        ];
        assert_eq!(found(&with_files(mails), "m").expect("one format").len(), mails.len());
        for (path, expected) in [
            ("new/1718000002.M1P2.host", ""),
            ("other/1718000002.M1P2.host", ".host"),
            ("new/1.eml", ".eml"),
            ("a.CSV.gz", ".csv"),
            ("0001.bfc8d64d12b325ff", ""),
        ] {
            assert_eq!(ending(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_file_of_that_very_name_is_itself() {
        let folder = with_files(&["[a].csv", "a.csv"]);
        assert_eq!(found(&folder, "[a].csv").expect("a file"), ["[a].csv"]);
    }

    #[test]
    fn files_of_a_store_are_found_as_those_of_a_folder() {
        let names =
            ["b.csv", "a.csv", "in/c.csv", "in/d/e.csv", "in/[f].csv", ".h.csv", "_SUCCESS", "_d/e.csv"];
        let folder = with_files(&names);
        let address = |name: &str| format!("s3://bucket/{name}");
        for name in [
            "",
            "in",
            "in/",
            "*.csv",
            "**/*.csv",
            "in/**/*.csv",
            "[ab].csv",
            "_*",
            "_d/*.csv",
            "_d",
            ".*.csv",
            "in/[f].csv",
            "x/*",
            "x",
            "a[.csv",
        ] {
            let here = found(&folder, name);
            let there = FoundFiles::among(&address(name), names.map(|name| address(name).into()));
            let short = |path: &PathBuf| path.display().to_string().replace("s3://bucket/", "");
            match (here, there) {
                (Ok(here), Ok(there)) => {
                    assert_eq!(there.paths().iter().map(short).collect::<Vec<_>>(), here, "{name}");
                }
                // The finder leaves the error about a name without a file to its reader.
                (here, Err(_)) => assert!(here.is_err() || here == Ok(vec![name.into()]), "{name}: {here:?}"),
                (here, there) => panic!("{name}: {here:?}, {there:?}"),
            }
        }
    }

    #[test]
    fn nothing_and_two_formats_are_errors() {
        let folder = with_files(&["a/x.csv", "a/y.csv.gz", "b/x.csv", "b/y.parquet", "c/_SUCCESS"]);
        assert_eq!(found(&folder, "a").expect("one format"), ["a/x.csv", "a/y.csv.gz"]);
        let error = |name: &str| found(&folder, name).expect_err(name);
        let formats = error("b");
        assert!(formats.contains("b/x.csv and ") && formats.contains("b/y.parquet;"), "{formats}");
        assert!(formats.contains("b/**/*.csv\""), "{formats}");
        assert!(error("b/*").contains("b/*.csv\""), "{}", error("b/*"));
        assert!(error("c").contains("has no data files"));
        assert!(error("c/*").contains("no file matches"));
        assert!(error("c/[").contains("not a valid pattern"));
    }

    #[cfg(unix)]
    #[test]
    fn links_to_folders_are_refused() {
        let folder = with_files(&["in/a.csv"]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("in/loop")).expect("a link");
        assert!(found(&folder, "in").expect_err("a link").contains("in/loop is a symbolic link"));
        std::os::unix::fs::symlink(folder.path().join("in/a.csv"), folder.path().join("b.csv"))
            .expect("a link");
        assert_eq!(found(&folder, "*.csv").expect("a file"), ["b.csv"]);
    }
}
