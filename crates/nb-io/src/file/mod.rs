//! Model files: bytes and how they get to and from the disk.
//!
//! ```text
//! Model ──document──▶ serde types ──codec──▶ payload ──container──▶ header + payload ──disk──▶ file
//! ```

mod by_hand;
mod codec;
mod container;
mod disk;
mod document;
mod doubles;
mod payload;

use std::{
    io::Read,
    path::{Path, PathBuf},
};

/// The newest version of the format of model files: this library reads it and all earlier ones, and writes for each model
/// the earliest that can hold it ([`Model::format_version`]).
pub use container::VERSION as FORMAT_VERSION;

use crate::{Model, ModelError, Registry, SchemaError};

/// How much a loader may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub max_bytes: u64,
}

impl Default for Limits {
    /// One gibibyte.
    fn default() -> Self {
        Self { max_bytes: 1 << 30 }
    }
}

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
        #[source]
        error: std::io::Error,
    },
    /// The model could not be encoded.
    #[error("cannot encode the model: {reason}")]
    Encode {
        /// What the codec says.
        reason: String,
    },
}

/// Why bytes are not a model that can be trusted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file could not be read.
    #[error("cannot read {path:?}: {error}", path = .path)]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
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
    /// A decoded part breaks a rule.
    #[error("{what} is invalid: {reason}")]
    Invalid {
        /// The part of the model.
        what: String,
        /// The rule that it breaks.
        reason: String,
    },
}

impl LoadError {
    /// An error about an invalid part.
    fn invalid(what: impl Into<String>, reason: &impl ToString) -> Self {
        Self::Invalid { what: what.into(), reason: reason.to_string() }
    }
}

impl From<ModelError> for LoadError {
    fn from(error: ModelError) -> Self {
        Self::invalid("the model", &error)
    }
}

impl From<SchemaError> for LoadError {
    fn from(error: SchemaError) -> Self {
        Self::invalid("the schema", &error)
    }
}

impl Model {
    /// The model as the bytes of a model file.
    ///
    /// # Errors
    /// [`SaveError::Encode`] if the codec fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SaveError> {
        let document = document::Document::of(self);
        container::wrap(document.version(), |payload| codec::encode(&document, payload))
    }

    /// The version of the format that files of this model have: 1, or 2 if a family is stored by its name.
    pub fn format_version(&self) -> u16 {
        document::version_of(self.family())
    }

    /// The model in the bytes of a model file.
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::from_bytes_with(bytes, &Registry::default())
    }

    /// The model in the bytes of a model file, whose families are among these.
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with them.
    pub fn from_bytes_with(bytes: &[u8], registry: &Registry) -> Result<Self, LoadError> {
        Self::decoded(&mut &*bytes, bytes.len() as u64, Path::new(""), registry)
    }

    /// The model in a source of `size` bytes.
    fn decoded(
        source: &mut dyn Read,
        size: u64,
        path: &Path,
        registry: &Registry,
    ) -> Result<Self, LoadError> {
        let mut payload = container::open(source, size, path)?;
        let document = codec::decode(&mut payload);
        // A damaged file is called that, whatever it was decoded to.
        payload.finish(path)?;
        document?.into_model(registry)
    }

    /// The model as JSON, with the same content; every number survives the round trip exactly.
    ///
    /// # Errors
    /// [`SaveError::Encode`] if the codec fails.
    pub fn to_json(&self) -> Result<String, SaveError> {
        codec::encode_json(&document::Document::of(self))
    }

    /// The model in the JSON form.
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with it.
    pub fn from_json(json: &str) -> Result<Self, LoadError> {
        Self::from_json_with(json, &Registry::default())
    }

    /// The model in the JSON form, whose families are among these.
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with it.
    pub fn from_json_with(json: &str, registry: &Registry) -> Result<Self, LoadError> {
        codec::decode_json(json)?.into_model(registry)
    }

    /// Saves the model at `path`, atomically: the new file takes the place of an old one when it is complete and on
    /// the disk, and not before.
    ///
    /// # Errors
    /// [`SaveError`]; an old file is then untouched.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        disk::replace(path.as_ref(), &self.to_bytes()?)
    }

    /// Saves the JSON form at `path`, atomically.
    ///
    /// # Errors
    /// [`SaveError`]; an old file is then untouched.
    pub fn save_json(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        disk::replace(path.as_ref(), self.to_json()?.as_bytes())
    }

    /// Loads a model file in either form, with the default limits.
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::load_within(path, Limits::default())
    }

    /// Loads a model file in either form, if it is within the limits.
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with it.
    pub fn load_within(path: impl AsRef<Path>, limits: Limits) -> Result<Self, LoadError> {
        Self::load_with(path, limits, &Registry::default())
    }

    /// Loads a model file in either form, if it is within the limits and its families are among these.
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with it.
    pub fn load_with(path: impl AsRef<Path>, limits: Limits, registry: &Registry) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let (mut file, size) = disk::open(path, limits)?;
        let mut front = Vec::new();
        let read = file.by_ref().take(8).read_to_end(&mut front);
        read.map_err(|error| LoadError::Io { path: path.into(), error })?;
        let mut source = front.as_slice().chain(file);
        if size > 0 && container::has_magic(&front) {
            return Self::decoded(&mut source, size, path, registry);
        }
        // JSON is decoded as a whole, and so is what comes through a pipe, which does not know its size.
        let bytes = disk::read(source, path, limits)?;
        match std::str::from_utf8(&bytes) {
            Ok(json) if json.trim_start().starts_with('{') => Self::from_json_with(json, registry),
            _ => Self::from_bytes_with(&bytes, registry),
        }
    }
}
