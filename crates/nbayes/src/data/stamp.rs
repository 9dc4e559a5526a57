//! Whether a file is still the one that it was.

use std::{fs::Metadata, io, path::PathBuf, time::SystemTime};

/// What tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// The device and number of the file, where there are such.
    file: Option<(u64, u64)>,
}

impl Stamp {
    pub(super) fn of(data: &Metadata) -> Self {
        #[cfg(unix)]
        let file =
            Some((std::os::unix::fs::MetadataExt::dev(data), std::os::unix::fs::MetadataExt::ino(data)));
        #[cfg(not(unix))]
        let file = None;
        Self { length: data.len(), modified: data.modified().ok(), file }
    }

    /// What tells one state of several files from another.
    pub(super) fn of_all(paths: &[PathBuf]) -> io::Result<Self> {
        let mut all = Self { length: 0, modified: None, file: None };
        for path in paths {
            let Self { length, modified, .. } = Self::of(&path.metadata()?);
            all = Self { length: all.length + length, modified: all.modified.max(modified), file: None };
        }
        Ok(all)
    }

    /// Refuses a file that is in another state than this one.
    pub(super) fn check(self, now: Self) -> io::Result<()> {
        let what = if self.length != now.length {
            format!("it had {} bytes and has {} now", self.length, now.length)
        } else if self.file != now.file {
            "another file has its name now".into()
        } else if self.modified != now.modified {
            "it was written to".into()
        } else {
            return Ok(());
        };
        Err(io::Error::other(format!(
            "the file changed while it was being read ({what}); run the command again when nothing writes to it"
        )))
    }
}
