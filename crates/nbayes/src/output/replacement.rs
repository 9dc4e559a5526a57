//! Files that are written whole or not at all.

use std::{
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// A file in the making, next to the one whose place it takes when it is complete.
#[derive(Debug)]
pub(crate) struct Replacement {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Replacement {
    /// Begins a file that is to stand at `path`.
    pub(crate) fn new(path: &Path) -> Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new();
        file.prefix(".nb-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            file.permissions(std::fs::Permissions::from_mode(0o644));
        }
        let file = file.tempfile_in(folder).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { file: BufWriter::new(file), path: path.into() })
    }

    /// Puts the file into its place.
    pub(crate) fn finish(self) -> Result<()> {
        let (path, file) = (self.path, self.file);
        let write = || -> std::io::Result<()> {
            let file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
