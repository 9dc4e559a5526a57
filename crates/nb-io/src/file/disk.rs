//! Files: replaced whole or not at all, read within limits.

use std::{
    fs::File,
    io::{Read, Write},
    path::Path,
};

use super::{Limits, LoadProblem, SaveError};

/// Puts `bytes` at `path`: they go to a temporary file in the same folder, to the disk, and then take the place of what
/// was there in one step of the file system.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || {
        let mut file = tempfile::Builder::new().prefix(".nb-").suffix(".tmp").tempfile_in(folder)?;
        file.write_all(bytes)?;
        keep_permissions(path, file.as_file())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        // The name is only safe once the folder is on the disk, too; not every system lets a folder be opened.
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

/// Temporary files are readable by their owner only; the model gets the permissions of the file that it replaces, or
/// of a new file.
fn keep_permissions(path: &Path, file: &File) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_or(0o644, |metadata| metadata.permissions().mode());
        file.set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (path, file);
    Ok(())
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
