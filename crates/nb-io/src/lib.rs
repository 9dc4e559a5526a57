//! Model files that can be trusted.
//!
//! # Should I be using this crate?
//!
//! Yes, to store a naive Bayes model, to load it elsewhere, and to go on with it there: what is stored is the
//! *evidence* (exact sums), the hyper-parameters and the schema, so that a loaded [`Model`] can be predicted
//! with, updated, merged, retracted and fitted again with another smoothing or prior.
//!
//! ```
//! use nb_core::{Gaussian, Prior};
//! use nb_io::{Family, Model, Schema};
//! use ndarray::array;
//!
//! let schema = Schema::numeric(["length", "width"], "species");
//! let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
//! model.update(&array![[1.0, 5.0], [2.0, 6.0], [8.0, 1.0], [9.0, 2.0]], &["a", "a", "b", "b"])?;
//!
//! let path = std::env::temp_dir().join("nb-io-doc-example.nb");
//! model.save(&path)?;
//! let loaded = Model::load(&path)?;
//! assert_eq!(loaded, model);
//! assert_eq!(loaded.classifier()?.predict(&array![[1.5, 5.0]])?, ["a"]);
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Trust
//!
//! Saving is atomic: a crash leaves the old file or the new one. Loading believes nothing: it checks magic,
//! version, length and checksum before it decodes, bounds what it allocates, and then checks every invariant
//! of the statistics. The bytes are specified in `docs/format.md`. [`Limits`] bound the bytes of a file and
//! the memory that a model takes.
//!
//! The decoders of Apache Arrow and of workbooks panic on some damaged files. The readers of this crate make
//! errors of these panics, and keep them from being printed by a panic hook that they put before that of the
//! process. Neither is possible in a program built with `panic = "abort"`, which such a file ends.
//!
//! # Data files
//!
//! The module [`read`] has readers of CSV and TSV, JSON records, workbooks, Parquet, Arrow, svmlight and
//! NumPy files, which yield rows in chunks, and [`read::train`], which adds them all to a model.
//!
//! The module [`profile`] says what the columns of files hold: missing cells, distinct values, quantiles, and
//! what they say of the label.
//!
//! Columns of numbers, categories and [`text`] make one model: tables with texts are sparse, with a column of
//! the model for each term.
//!
//! # Features
//!
//! `csv`, `gzip` and `npy` (all on by default), `bzip2`, `xz`, `zstd`, `arrow`, `excel` and `mail` add
//! readers and decompressors, `files` the files of folders and patterns; model files, svmlight
//! files and training are always there.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
mod family;
mod file;
mod fingerprint;
mod model;
pub mod onnx;
mod ranges;
pub mod read;
#[cfg(feature = "npy")]
pub mod sklearn;

pub use error::Error;
pub use family::{
    BinRule, CodeMemory, Family, FittedCalibrated, FittedFamily, FittedOther, LearntFamilyError, OtherFamily,
    Parents, PowerRule, Preparation, PreparationError, Registry, RegistryError, RuleError, ScoreTable,
    WeightRule,
};
pub use file::{FORMAT_VERSION, LoadError, LoadProblem, SaveError};
pub use fingerprint::{RowFingerprint, RowFingerprinter, SeenRows};
pub use model::{
    HeldOutMeasures, Label, LabelError, MergeError, Model, ModelCalibration, ModelCalibrationError,
    ModelError, ModelRefinement, OtherClassesError, Reading, RemovalError, ToLabel,
};
pub use ranges::{Beyond, BeyondRanges, RangeFinder, ValueRanges};

/// Tables: schemas, profiles and texts are those of nb-table.
pub use nb_table::{
    Column, DateOrder, DatePart, DateParts, EncodeError, Feature, Kind, Limits, Schema, SchemaError, Text,
    TextOptions, UnknownDateOrder, UnknownDatePart, Value, category_name, profile, text,
};

/// The examples of the guide for Rust, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
struct GuideForRust;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeOfCrate;
