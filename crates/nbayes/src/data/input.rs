//! Where rows come from: a file, standard input, or an embedded data set.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context, Result};
use nb_io::read::{DocumentKind, FileFormat, FindFilesError, FoundFiles};

use super::{
    ReadArgs,
    find::{documents, find_files},
    stamp::Stamp,
};
use crate::{
    failure::usage,
    interrupt,
    output::{Screen, Temporary},
};

/// Data that can be read more than once.
#[derive(Debug)]
pub(crate) struct Input {
    name: String,
    content: Content,
    /// Whether notes about it were written.
    noted: AtomicBool,
    /// Whether it was written that lines repeat the names of its columns.
    repeated_header_noted: AtomicBool,
    /// Whether it was written that its last row looks like one of totals.
    total_row_noted: AtomicBool,
    unlabeled_noted: AtomicBool,
    /// Whether it was written that rows of it could not be read.
    skipped_noted: AtomicBool,
    /// What a file was like when it was first read.
    stamp: OnceLock<Stamp>,
}

#[derive(Debug)]
enum Content {
    File(PathBuf),
    /// Files of which each is a row.
    Documents(DocumentKind, Vec<PathBuf>),
    /// A pipe, copied to a temporary file: schemas are learnt in their own pass.
    Spooled(Temporary),
    /// An embedded data set, with the name of its label column.
    Dataset {
        csv: Arc<[u8]>,
        label: String,
    },
}

impl Input {
    /// Finds what the user named: `-`, `@dataset`, a path, or a folder or pattern of files of which each is a
    /// row.
    pub(crate) fn find(name: &str) -> Result<Self> {
        let content = if name == "-" {
            Content::Spooled(spool(io::stdin().lock()).context("cannot read standard input")?)
        } else if let Some(dataset) = name.strip_prefix('@') {
            let (csv, label) = dataset_csv(dataset)?;
            Content::Dataset { csv: csv.into(), label }
        } else {
            if let Some(error) = FindFilesError::of_address(name) {
                return Err(usage(error.to_string()));
            }
            let path = PathBuf::from(name);
            let found = FoundFiles::find(name).ok();
            let kind = found.as_ref().and_then(documents);
            if let (Some(kind), Some(found)) = (kind, found) {
                return Ok(Self::new(name, Content::Documents(kind, found.into_paths())));
            }
            if path.is_dir() {
                return Err(usage(format!("{name} is a folder, and one file is needed; name it")));
            }
            // A pipe by name can be read only once, as standard input can.
            let is_pipe = path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir());
            if is_pipe {
                let copied = File::open(&path).and_then(spool);
                Content::Spooled(copied.with_context(|| format!("cannot read {name}"))?)
            } else {
                Content::File(path)
            }
        };
        Ok(Self::new(name, content))
    }

    fn new(name: &str, content: Content) -> Self {
        Self {
            name: name.into(),
            content,
            noted: AtomicBool::new(false),
            repeated_header_noted: AtomicBool::new(false),
            total_row_noted: AtomicBool::new(false),
            unlabeled_noted: AtomicBool::new(false),
            skipped_noted: AtomicBool::new(false),
            stamp: OnceLock::new(),
        }
    }

    /// Some of its rows, which were copied to a file, under its name.
    pub(crate) fn with_rows(&self, rows: Temporary) -> io::Result<Self> {
        let content = match &self.content {
            Content::Dataset { label, .. } => {
                Content::Dataset { csv: std::fs::read(rows.path())?.into(), label: label.clone() }
            }
            Content::File(_) | Content::Documents(..) | Content::Spooled(_) => Content::Spooled(rows),
        };
        Ok(self.part(content))
    }

    /// Some of its files, of which each is a row, under its name.
    pub(crate) fn with_documents(&self, is_in: impl Fn(usize) -> bool) -> Self {
        let (kind, paths) = self.documents().unwrap_or((DocumentKind::Text, &[]));
        let of_part = paths.iter().enumerate().filter(|(place, _)| is_in(*place));
        self.part(Content::Documents(kind, of_part.map(|(_, path)| path.clone()).collect()))
    }

    /// The same with some of its rows. Notes about it are for the first of such parts.
    fn part(&self, content: Content) -> Self {
        let of_part = |noted: &AtomicBool| AtomicBool::new(noted.load(Ordering::Relaxed));
        Self {
            name: self.name.clone(),
            content,
            noted: of_part(&self.noted),
            repeated_header_noted: of_part(&self.repeated_header_noted),
            total_row_noted: of_part(&self.total_row_noted),
            unlabeled_noted: of_part(&self.unlabeled_noted),
            skipped_noted: of_part(&self.skipped_noted),
            stamp: OnceLock::new(),
        }
    }

    /// All that the user named: files, those of folders and those that patterns match.
    pub(crate) fn find_all(names: &[String], read: &ReadArgs, screen: Screen) -> Result<Vec<Self>> {
        find_files(names, read, screen)?.iter().map(|name| Self::find(name)).collect()
    }

    /// Whether nothing was said of it yet. From now on there was.
    pub(crate) fn is_new_to_user(&self) -> bool {
        !self.noted.swap(true, Ordering::Relaxed)
    }

    /// The same of lines that repeat the names of its columns.
    pub(super) fn is_repeated_header_new(&self) -> bool {
        !self.repeated_header_noted.swap(true, Ordering::Relaxed)
    }

    /// The same of a last row that looks like one of totals.
    pub(super) fn is_total_row_new(&self) -> bool {
        !self.total_row_noted.swap(true, Ordering::Relaxed)
    }

    /// The same of rows without a label.
    pub(super) fn is_unlabeled_new(&self) -> bool {
        !self.unlabeled_noted.swap(true, Ordering::Relaxed)
    }

    /// The same of rows that cannot be read.
    pub(super) fn is_skipped_new(&self) -> bool {
        !self.skipped_noted.swap(true, Ordering::Relaxed)
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> &str {
        if self.name == "-" { "standard input" } else { &self.name }
    }

    /// Whether it is standard input, or another pipe.
    pub(crate) fn is_pipe(&self) -> bool {
        matches!(self.content, Content::Spooled(_))
    }

    /// The files, if each is a row.
    pub(crate) fn documents(&self) -> Option<(DocumentKind, &[PathBuf])> {
        match &self.content {
            Content::Documents(kind, paths) => Some((*kind, paths)),
            _ => None,
        }
    }

    /// The label column, where it is known without being told.
    pub(crate) fn label(&self) -> Option<&str> {
        match &self.content {
            Content::Dataset { label, .. } => Some(label),
            _ => None,
        }
    }

    /// The file, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.content {
            Content::File(path) => Some(path),
            Content::Spooled(file) => Some(file.path()),
            Content::Documents(..) | Content::Dataset { .. } => None,
        }
    }

    /// How many bytes there are, if that can be known.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        match &self.content {
            Content::Dataset { csv, .. } => Some(csv.len() as u64),
            Content::File(path) => {
                path.metadata().ok().filter(std::fs::Metadata::is_file).map(|data| data.len())
            }
            Content::Documents(..) => None,
            Content::Spooled(file) => file.file().metadata().ok().map(|data| data.len()),
        }
    }

    /// The bytes, from the start.
    pub(crate) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match &self.content {
            Content::File(path) => {
                let file = File::open(path)?;
                self.check(&file.metadata()?)?;
                Box::new(file)
            }
            Content::Documents(..) => {
                return Err(io::Error::other("it is a folder or a pattern, and one file is needed; name it"));
            }
            Content::Spooled(file) => Box::new(File::open(file.path())?),
            Content::Dataset { csv, .. } => Box::new(Cursor::new(csv.clone())),
        })
    }

    /// Refuses a file that is not what it was when it was first read.
    pub(crate) fn check_unchanged(&self) -> io::Result<()> {
        match &self.content {
            Content::File(path) => self.check(&path.metadata()?),
            Content::Documents(_, paths) => {
                let now = Stamp::of_all(paths)?;
                self.stamp.get_or_init(|| now).check(now)
            }
            Content::Spooled(_) | Content::Dataset { .. } => Ok(()),
        }
    }

    fn check(&self, data: &std::fs::Metadata) -> io::Result<()> {
        let now = Stamp::of(data);
        // What is not on a disk, such as files of /proc, has no length and no time of its own.
        if data.len() == 0 || !data.is_file() {
            return Ok(());
        }
        self.stamp.get_or_init(|| now).check(now)
    }

    /// What its first bytes say that it is.
    pub(crate) fn content(&self) -> FileFormat {
        // What cannot be read is said when it is read in earnest.
        let content = self.open().and_then(FileFormat::of);
        content.unwrap_or(FileFormat::Unknown)
    }
}

/// A name for what is made from the data that the user named: without folders and extensions. For a pattern
/// it is that of the innermost folder that is named.
pub(crate) fn stem(name: &str) -> Option<&str> {
    if let Some(dataset) = name.strip_prefix('@') {
        return Some(dataset);
    }
    let path = Path::new(name);
    let is_pattern = |path: &&Path| !path.exists() && path.to_string_lossy().contains(['*', '?', '[']);
    let name = path.ancestors().find(|path| !is_pattern(path))?.file_name()?.to_str()?;
    name.split('.').find(|part| !part.is_empty()).filter(|stem| *stem != "-")
}

/// Copies a pipe to a temporary file.
fn spool(input: impl Read) -> io::Result<Temporary> {
    let mut file = Temporary::beside(&std::env::temp_dir().join("nbayes-input"), false)?;
    io::copy(&mut interrupt::Checked(input), &mut file)?;
    Ok(file)
}

/// An embedded data set as a CSV file, and its label column.
fn dataset_csv(name: &str) -> Result<(Vec<u8>, String)> {
    let info = nb_datasets::info(name)?;
    if info.group == nb_datasets::Group::Text {
        return Ok((nb_datasets::load_text()?.to_csv().into_bytes(), "label".into()));
    }
    Ok((nb_datasets::csv(name)?, info.target.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_between_two_passes_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let error = |change: &dyn Fn()| {
            std::fs::write(&path, "x,y\n1,a\n").unwrap();
            let input = Input::find(path.to_str().unwrap()).unwrap();
            input.open().unwrap();
            input.open().unwrap();
            input.check_unchanged().unwrap();
            change();
            let error = input.check_unchanged().unwrap_err().to_string();
            assert_eq!(input.open().err().map(|error| error.to_string()), Some(error.clone()));
            error
        };
        let longer = error(&|| std::fs::write(&path, "x,y\n1,a\n2,b\n").unwrap());
        assert!(longer.contains("it had 8 bytes and has 12 now"), "{longer}");
        let touched = error(&|| {
            let file = File::options().write(true).open(&path).unwrap();
            file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        });
        assert!(touched.contains("it was written to"), "{touched}");
        #[cfg(unix)]
        {
            let replaced = error(&|| {
                let other = folder.path().join("b.csv");
                std::fs::write(&other, "x,y\n1,b\n").unwrap();
                std::fs::rename(other, &path).unwrap();
            });
            assert!(replaced.contains("another file has its name now"), "{replaced}");
        }
    }
}
