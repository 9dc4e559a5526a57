//! What the name of an output stands for: a file to be replaced, or a stream to be written to.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// Whether standard output was named as an output file, so that reports go elsewhere.
static STDOUT_IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Where an output goes.
#[derive(Debug)]
pub(super) enum Destination {
    /// A file that is replaced when the new one is complete, and what was there before. Symbolic links are
    /// followed: they stay, and what they name is replaced.
    File {
        path: PathBuf,
        existing: Option<Box<Metadata>>,
    },
    Stdout,
    Stderr,
    /// A device, a pipe or a socket, which is written to and never replaced.
    Stream(File),
}

impl Destination {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let path = follow(path)?;
        match stream(&path) {
            Some(Standard::Output) => {
                STDOUT_IS_TAKEN.store(true, Ordering::Relaxed);
                return Ok(Self::Stdout);
            }
            Some(Standard::Error) => return Ok(Self::Stderr),
            Some(Standard::Other) | None => {}
        }
        match fs::metadata(&path) {
            Ok(data) if data.is_dir() => Err(io::Error::other("it is a folder")),
            // What an open descriptor names may be a file that is shared with others.
            Ok(data) if !data.is_file() || stream(&path).is_some() => {
                Ok(Self::Stream(OpenOptions::new().append(true).open(&path)?))
            }
            Ok(data) => Ok(Self::File { path, existing: Some(Box::new(data)) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::File { path, existing: None }),
            Err(error) => Err(error),
        }
    }
}

/// Whether standard output was named as an output file.
pub(super) fn stdout_is_taken() -> bool {
    STDOUT_IS_TAKEN.load(Ordering::Relaxed)
}

/// The path at the end of a chain of symbolic links, which need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        // Descriptors are links as well, to names that may mean something else or nothing.
        if stream(&path).is_some() {
            return Ok(path);
        }
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A stream that has a name in the file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standard {
    Output,
    Error,
    Other,
}

fn stream(path: &Path) -> Option<Standard> {
    let path = path.to_str().filter(|_| cfg!(unix))?;
    let descriptor = match path {
        "/dev/stdout" => "1",
        "/dev/stderr" => "2",
        _ => path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"))?,
    };
    Some(match descriptor {
        "1" => Standard::Output,
        "2" => Standard::Error,
        _ => Standard::Other,
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn streams_are_known_by_their_names() {
        assert_eq!(stream(Path::new("/dev/stdout")), Some(Standard::Output));
        assert_eq!(stream(Path::new("/proc/self/fd/2")), Some(Standard::Error));
        assert_eq!(stream(Path::new("/dev/fd/63")), Some(Standard::Other));
        assert_eq!(stream(Path::new("stdout")), None);
    }

    #[test]
    fn links_are_followed_to_their_end() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("b", at("a")).unwrap();
        std::os::unix::fs::symlink("new", at("b")).unwrap();
        assert_eq!(follow(&at("a")).unwrap(), at("new"));
        std::os::unix::fs::symlink("loop", at("loop")).unwrap();
        assert!(follow(&at("loop")).is_err());
    }
}
