//! Output files: files that are written whole or not at all, and streams.

use std::{
    fs::{File, Metadata},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::{
    destination::Destination,
    temporary::{Temporary, folder},
    written,
};
use crate::interrupt;

/// An output file in the making. What is at its path stays until the new file is complete.
#[derive(Debug)]
pub(crate) struct Replacement {
    sink: BufWriter<Sink>,
    /// The path as the user gave it.
    path: PathBuf,
    is_model: bool,
}

#[derive(Debug)]
enum Sink {
    File { file: Temporary, path: PathBuf, existing: Option<Box<Metadata>> },
    Stdout(io::Stdout),
    Stderr(io::Stderr),
    Stream(File),
}

impl Replacement {
    /// Begins the file for a path.
    pub(crate) fn new(path: &Path) -> Result<Self> {
        let sink = || -> io::Result<Sink> {
            Ok(match Destination::of(path)? {
                Destination::File { path, existing } => {
                    Sink::File { file: Temporary::beside(&path, existing.is_none())?, path, existing }
                }
                Destination::Stdout => Sink::Stdout(io::stdout()),
                Destination::Stderr => Sink::Stderr(io::stderr()),
                Destination::Stream(file) => Sink::Stream(file),
            })
        };
        let sink = sink().with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { sink: BufWriter::new(sink), path: path.into(), is_model: false })
    }

    /// A whole file.
    pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
        Self::new(path)?.write_and_finish(bytes)
    }

    /// A whole model file.
    pub(crate) fn write_model(path: &Path, bytes: &[u8]) -> Result<()> {
        Self { is_model: true, ..Self::new(path)? }.write_and_finish(bytes)
    }

    fn write_and_finish(mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).with_context(|| format!("cannot write {}", self.path.display()))?;
        self.finish()
    }

    /// Completes the file, which takes its place.
    pub(crate) fn finish(self) -> Result<()> {
        let Self { sink, path, is_model } = self;
        let complete = || -> io::Result<()> {
            match sink.into_inner().map_err(io::IntoInnerError::into_error)? {
                Sink::File { file, path: place, existing } => {
                    complete(file, &place, existing.as_deref())?;
                    written::add(&path, is_model);
                    Ok(())
                }
                mut stream => stream.flush(),
            }
        };
        complete().with_context(|| format!("cannot write {}", path.display()))
    }
}

fn complete(file: Temporary, place: &Path, existing: Option<&Metadata>) -> io::Result<()> {
    if let Some(existing) = existing {
        keep_permissions(existing, file.file())?;
    }
    file.file().sync_all()?;
    interrupt::check()?;
    file.replace(place)?;
    // The name is only safe once the folder is on the disk, too; not every system lets a folder be opened or
    // synchronised.
    if let Ok(folder) = File::open(folder(place)) {
        drop(folder.sync_all());
    }
    Ok(())
}

/// A file has the owner and the permissions of the one that it replaces.
fn keep_permissions(existing: &Metadata, file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (existing.uid(), existing.gid()) {
            // Only the superuser may give files away.
            drop(fchown(file, Some(existing.uid()), Some(existing.gid())));
        }
    }
    file.set_permissions(existing.permissions())
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File { file, .. } => file.write(bytes),
            Self::Stdout(stream) => stream.write(bytes),
            Self::Stderr(stream) => stream.write(bytes),
            Self::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File { file, .. } => file.flush(),
            Self::Stdout(stream) => stream.flush(),
            Self::Stderr(stream) => stream.flush(),
            Self::Stream(stream) => stream.flush(),
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
