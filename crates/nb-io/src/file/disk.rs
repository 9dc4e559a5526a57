//! Files: replaced whole or not at all, read within limits.

use std::{
    fs::File,
    io::{Read, Write},
    path::Path,
};

use tempfile::NamedTempFile;

use super::{Limits, LoadProblem, SaveError};

/// Puts `bytes` at `path`: they go to a temporary file in the same folder, to the disk, and then take the
/// place of what was there in one step of the file system.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || {
        let existing = std::fs::metadata(path).ok();
        let mut file = temporary(folder, existing.is_none())?;
        file.write_all(bytes)?;
        if let Some(existing) = existing {
            file.as_file().set_permissions(existing.permissions())?;
        }
        file.as_file().sync_all()?;
        file.persist(path)?;
        // The name is only safe once the folder is on the disk, too; not every system lets a folder be
        // opened.
        if let Ok(folder) = File::open(folder) {
            folder.sync_all().or_else(|error| match error.kind() {
                std::io::ErrorKind::Unsupported | std::io::ErrorKind::InvalidInput => Ok(()),
                _ => Err(error),
            })?;
        }
        Ok(())
    };
    write().map_err(|error| SaveError::Io { path: path.into(), error })
}

/// A temporary file: readable by its owner only, or with the permissions of a new file.
fn temporary(folder: &Path, is_new: bool) -> std::io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new();
    file.prefix(".nb-").suffix(".tmp");
    #[cfg(unix)]
    if is_new {
        use std::os::unix::fs::PermissionsExt;
        // Without what the mask of the process takes away.
        file.permissions(std::fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = is_new;
    file.tempfile_in(folder)
}

/// A file that is not larger than the limit, and its size, which is zero if it does not know it.
pub(super) fn open(path: &Path, limits: Limits) -> Result<(File, u64), LoadProblem> {
    let file = File::open(path).map_err(LoadProblem::Io)?;
    let size = file.metadata().map_err(LoadProblem::Io)?.len();
    if size > limits.max_bytes {
        return Err(LoadProblem::TooLarge { size, limit: limits.max_bytes });
    }
    Ok((file, size))
}

/// All bytes of a source that are not more than the limit, also if it grows while it is read.
pub(super) fn read(source: impl Read, limits: Limits) -> Result<Vec<u8>, LoadProblem> {
    let mut bytes = Vec::new();
    let read = source.take(limits.max_bytes.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(LoadProblem::Io)?;
    if bytes.len() as u64 > limits.max_bytes {
        return Err(LoadProblem::TooLarge { size: bytes.len() as u64, limit: limits.max_bytes });
    }
    Ok(bytes)
}
