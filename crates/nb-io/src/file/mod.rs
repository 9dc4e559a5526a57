//! Model files: bytes and how they get to and from the disk.
//!
//! ```text
//! Model ──document──▶ serde types ──codec──▶ payload ──container──▶ header + payload ──disk──▶ file
//! ```

mod codec;
mod container;
mod disk;
mod document;
mod doubles;
mod error;
mod fast_decode;
mod payload;

use std::{
    io::{Read, Seek},
    path::Path,
};

/// The newest version of the format of model files: this library reads it and all earlier ones, and
/// writes for each model the earliest that can hold it ([`Model::format_version`]).
pub use container::VERSION as FORMAT_VERSION;

pub use error::{LoadError, LoadProblem, SaveError};

use crate::{Limits, Model, Registry};

impl Model {
    /// The model as the bytes of a model file.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// let bytes = model.to_bytes()?;
    /// assert_eq!(Model::from_bytes(&bytes)?, model);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SaveError::Encode`] if the codec fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SaveError> {
        let document = document::Document::of(self);
        container::wrap(document.version, |payload| codec::encode(&document, payload))
    }

    /// The version of the format that files of this model have: 1; 2 if a family is stored by its name; 3 if
    /// the sums that are zero are left out, because the file is much smaller then; 4 if the vocabulary of
    /// a text is fixed.
    pub fn format_version(&self) -> u16 {
        document::Document::of(self).version
    }

    /// The model in the bytes of a model file.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// let mut bytes = model.to_bytes()?;
    /// *bytes.last_mut().unwrap() ^= 1;
    /// assert!(Model::from_bytes(&bytes).unwrap_err().to_string().contains("damaged"));
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::from_bytes_with(bytes, Limits::default(), &Registry::default())
    }

    /// The model in the bytes of a model file, if it is within the limits and its families are among these.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// use nb_io::{Limits, Registry};
    ///
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&ndarray::array![[1.0], [3.0]], &["a", "b"])?;
    /// let bytes = model.to_bytes()?;
    /// let little = Limits::default().with_max_memory(10);
    /// let error = Model::from_bytes_with(&bytes, little, &Registry::default()).unwrap_err();
    /// assert!(error.to_string().contains("of memory, more than the limit of 10"));
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with them.
    pub fn from_bytes_with(bytes: &[u8], limits: Limits, registry: &Registry) -> Result<Self, LoadError> {
        Ok(Self::checked(bytes, limits, registry)?)
    }

    /// The model in bytes, whose checksum is verified before anything is decoded.
    fn checked(bytes: &[u8], limits: Limits, registry: &Registry) -> Result<Self, LoadProblem> {
        let size = bytes.len() as u64;
        container::open(&mut &*bytes, size)?.1.finish()?;
        Self::decoded(&mut &*bytes, size, limits, registry)
    }

    /// The model in a source of `size` bytes.
    fn decoded(
        source: &mut dyn Read,
        size: u64,
        limits: Limits,
        registry: &Registry,
    ) -> Result<Self, LoadProblem> {
        let (version, mut payload) = container::open(source, size)?;
        let document = codec::decode(version, &mut payload);
        // A file that was changed in the meantime is called damaged, whatever it was decoded to.
        payload.finish()?;
        document?.into_model(limits, registry)
    }

    /// The model as JSON, with the same content; every number survives the round trip exactly.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// assert!(model.to_json()?.contains("\"name\": \"length\""));
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SaveError::Encode`] if the codec fails.
    pub fn to_json(&self) -> Result<String, SaveError> {
        codec::encode_json(&document::Document::of(self))
    }

    /// The model in the JSON form.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// assert_eq!(Model::from_json(&model.to_json()?)?, model);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with it.
    pub fn from_json(json: &str) -> Result<Self, LoadError> {
        Self::from_json_with(json, Limits::default(), &Registry::default())
    }

    /// The model in the JSON form, if it is within the limits and its families are among these.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// use nb_io::{Limits, Registry};
    ///
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&ndarray::array![[1.0], [3.0]], &["a", "b"])?;
    /// let json = model.to_json()?;
    /// assert_eq!(Model::from_json_with(&json, Limits::default(), &Registry::default())?, model);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with it.
    pub fn from_json_with(json: &str, limits: Limits, registry: &Registry) -> Result<Self, LoadError> {
        Ok(codec::decode_json(json)?.into_model(limits, registry)?)
    }

    /// Saves the model at `path`, atomically: the new file takes the place of an old one when it is complete
    /// and on the disk, and not before.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// # let path = std::env::temp_dir().join("nb-io-doc-save.nb");
    /// model.save(&path)?;
    /// assert_eq!(Model::load(&path)?, model);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SaveError`]; an old file is then untouched.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        disk::replace(path.as_ref(), &self.to_bytes()?)
    }

    /// Saves the JSON form at `path`, atomically.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// # let path = std::env::temp_dir().join("nb-io-doc-save.json");
    /// model.save_json(&path)?;
    /// assert_eq!(Model::load(&path)?, model);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SaveError`]; an old file is then untouched.
    pub fn save_json(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        disk::replace(path.as_ref(), self.to_json()?.as_bytes())
    }

    /// Loads a model file in either form, with the default limits.
    ///
    /// ```
    /// use nb_io::Model;
    ///
    /// let error = Model::load("no-such-model.nb").unwrap_err();
    /// assert!(error.to_string().starts_with("the model no-such-model.nb: it cannot be read"));
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] names what is wrong with it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::load_within(path, Limits::default())
    }

    /// Loads a model file in either form, if it is within the limits.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// use nb_io::Limits;
    ///
    /// # let path = std::env::temp_dir().join("nb-io-doc-limits.nb");
    /// model.save(&path)?;
    /// let small = Limits::default().with_max_bytes(100);
    /// assert!(Model::load_within(&path, small).unwrap_err().to_string().contains("more than the limit of 100"));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        Self::load_file(path, limits, registry).map_err(|problem| problem.of_file(path))
    }

    fn load_file(path: &Path, limits: Limits, registry: &Registry) -> Result<Self, LoadProblem> {
        let (mut file, size) = disk::open(path, limits)?;
        let mut front = Vec::new();
        file.by_ref().take(8).read_to_end(&mut front).map_err(LoadProblem::Io)?;
        if size > 0 && container::has_magic(&front) && file.rewind().is_ok() {
            // Twice, so that nothing is decoded before its checksum is known, and the file is never in memory
            // as a whole.
            container::open(&mut file, size)?.1.finish()?;
            file.rewind().map_err(LoadProblem::Io)?;
            return Self::decoded(&mut file, size, limits, registry);
        }
        // JSON is decoded as a whole, and so is what comes through a pipe, which does not know its size.
        let bytes = disk::read(front.as_slice().chain(file), limits)?;
        match std::str::from_utf8(&bytes) {
            Ok(json) if json.trim_start().starts_with('{') => {
                codec::decode_json(json)?.into_model(limits, registry)
            }
            _ => Self::checked(&bytes, limits, registry),
        }
    }
}
