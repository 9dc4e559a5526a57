//! Why a model could not be saved or loaded.

use std::path::{Path, PathBuf};

use crate::{ModelError, SchemaError};

/// Why a model could not be saved. What was at the path before is still there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The file could not be written.
    #[error("cannot write {path:?}: {error}", path = .path)]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The model could not be encoded.
    #[error("cannot encode the model: {reason}")]
    Encode {
        /// What the codec says.
        reason: String,
    },
}

/// Why a model could not be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub struct LoadError {
    /// The file; none if the model was to be made of bytes or a text.
    pub file: Option<PathBuf>,
    /// What is wrong with it.
    pub problem: LoadProblem,
}

/// What keeps bytes from being a model that can be trusted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadProblem {
    /// The file could not be read.
    #[error("it cannot be read: {0}")]
    Io(std::io::Error),
    /// The file is larger than the limit.
    #[error(
        "the file has {size} bytes, more than the limit of {limit}; raise the limit if it is meant to be so large"
    )]
    TooLarge {
        /// The size of the file.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// The bytes do not begin like a model file.
    #[error("this is not a model file: it does not begin with the magic bytes")]
    NotAModel,
    /// The format is newer than this library.
    #[error("the file has format version {found}; this library reads versions up to {newest}, so update it")]
    Version {
        /// The version of the file.
        found: u16,
        /// The newest that can be read.
        newest: u16,
    },
    /// The payload is encoded in a way that this library does not know.
    #[error("the file has codec {found}, which this library does not know")]
    Codec {
        /// The codec of the file.
        found: u8,
    },
    /// The file ends early.
    #[error("the file is cut off: it has {found} bytes of {expected}")]
    Truncated {
        /// The bytes that there should be.
        expected: u64,
        /// The bytes that there are.
        found: u64,
    },
    /// The file goes on after its end.
    #[error("the file has {extra} bytes too many at its end")]
    TrailingBytes {
        /// The number of bytes.
        extra: u64,
    },
    /// The bytes were changed since they were written.
    #[error("the checksum does not match: the file was damaged")]
    Checksum,
    /// The payload cannot be decoded.
    #[error("cannot decode {what}: {reason}")]
    Decode {
        /// The part of the model that was being read.
        what: &'static str,
        /// What the codec says.
        reason: String,
    },
    /// The model takes more memory than the limit.
    #[error(
        "the model takes {needed} bytes of memory, more than the limit of {limit}; raise the limit if you trust the file"
    )]
    Memory {
        /// About how much memory it takes, in bytes.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// A decoded part breaks a rule.
    #[error("{what} is invalid: {reason}")]
    Invalid {
        /// The part of the model.
        what: String,
        /// The rule that it breaks.
        reason: String,
    },
}

impl LoadProblem {
    /// An invalid part.
    pub(super) fn invalid(what: impl Into<String>, reason: &impl ToString) -> Self {
        Self::Invalid { what: what.into(), reason: reason.to_string() }
    }

    /// The error about a file.
    pub(super) fn of_file(self, path: &Path) -> LoadError {
        LoadError { file: Some(path.into()), problem: self }
    }
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.file {
            Some(file) => write!(f, "the model {}: {}", file.display(), self.problem),
            None => self.problem.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<LoadProblem> for LoadError {
    /// The error about a model that is not in a file.
    fn from(problem: LoadProblem) -> Self {
        Self { file: None, problem }
    }
}

impl From<ModelError> for LoadProblem {
    fn from(error: ModelError) -> Self {
        Self::invalid("the model", &error)
    }
}

impl From<SchemaError> for LoadProblem {
    fn from(error: SchemaError) -> Self {
        Self::invalid("the schema", &error)
    }
}
