//! Temporary files: what is written before it takes its place, and copies of pipes.
//!
//! Their names hold the number of the process, and the process holds a lock on them, so that those of dead
//! processes can be told from others and be removed.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

/// Those of this process.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

const SUFFIX: &str = ".nbtmp";

/// A file that is removed when it is dropped, or by a signal that ends the program.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
    file: File,
}

fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Temporary {
    /// A new file beside `path`, and named after it. If it will be shared, it has the permissions of a new
    /// file, else only its owner may read it.
    pub(crate) fn beside(path: &Path, shared: bool) -> io::Result<Self> {
        remove_dead(path);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, if shared { 0o666 } else { 0o600 });
        #[cfg(not(unix))]
        let _ = shared;
        let mut live = live();
        for number in 0_u32.. {
            let own = path.with_file_name(name(path, std::process::id(), number));
            match options.open(&own) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    // Where there are no locks, the number of the process must do.
                    drop(file.try_lock());
                    live.insert(own.clone());
                    return Ok(Self { path: own, file });
                }
            }
        }
        Err(io::Error::other("there are too many temporary files"))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Puts the file into the place of another one, in one step of the file system.
    pub(super) fn replace(self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It is gone if it took the place of another one.
        drop(fs::remove_file(&self.path));
        live().remove(&self.path);
    }
}

/// Removes all temporary files of this process, which must end then: no others can be made.
pub(crate) fn remove_all() {
    let live = live();
    for path in &*live {
        drop(fs::remove_file(path));
    }
    std::mem::forget(live);
}

/// What the names of temporary files for a path begin with.
fn prefix(path: &Path) -> OsString {
    // File systems allow 255 bytes for a name.
    const MOST_BYTES: usize = 180;
    let name = path.file_name().unwrap_or_default();
    let mut prefix = OsString::from(".");
    match name.to_str() {
        Some(name) => {
            let ends = name.char_indices().map(|(start, letter)| start + letter.len_utf8());
            prefix.push(&name[..ends.take_while(|end| *end <= MOST_BYTES).last().unwrap_or(0)]);
        }
        None => prefix.push(if name.len() > MOST_BYTES { "output".as_ref() } else { name }),
    }
    prefix.push(".");
    prefix
}

fn name(path: &Path, process: u32, number: u32) -> OsString {
    let mut name = prefix(path);
    name.push(format!("{process}-{number}{SUFFIX}"));
    name
}

/// Removes what processes that are dead have left beside a path.
fn remove_dead(path: &Path) {
    let prefix = prefix(path);
    let Some(entries) = fs::read_dir(folder(path)).ok() else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let rest = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let process = rest.and_then(|rest| process(std::str::from_utf8(rest).ok()?));
        if process.is_some_and(|process| is_dead(process, &entry.path())) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

/// The folder of a path.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The process in the rest of a name.
fn process(rest: &str) -> Option<u32> {
    let (process, number) = rest.strip_suffix(SUFFIX)?.split_once('-')?;
    number.parse::<u32>().ok()?;
    process.parse().ok()
}

/// Whether the process that wrote a file is dead: nobody holds the lock, and there is no such process, or not
/// for this file, which is locked as soon as it is there.
fn is_dead(process: u32, file: &Path) -> bool {
    const LONG_AGO: Duration = Duration::from_secs(60);
    let Ok(opened) = File::open(file) else { return false };
    let is_gone = Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{process}")).exists();
    match opened.try_lock() {
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => is_gone,
        Ok(()) => {
            let age = opened.metadata().and_then(|data| data.modified());
            let age = age.ok().and_then(|changed| SystemTime::now().duration_since(changed).ok());
            is_gone || age.is_some_and(|age| age > LONG_AGO)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_process() {
        let path = Path::new("folder/model.nb");
        assert_eq!(name(path, 12, 3), ".model.nb.12-3.nbtmp");
        assert_eq!(process("12-3.nbtmp"), Some(12));
        for other in ["12.nbtmp", "a-1.nbtmp", "12-3.tmp", "12-x.nbtmp"] {
            assert_eq!(process(other), None, "{other}");
        }
        assert!(name(Path::new(&"é".repeat(127)), u32::MAX, u32::MAX).len() < 255);
    }

    #[test]
    fn files_of_live_processes_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let first = Temporary::beside(&path, true).unwrap();
        let second = Temporary::beside(&path, false).unwrap();
        assert!(first.path().exists() && second.path() != first.path());
        drop((first, second));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
