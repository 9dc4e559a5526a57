//! One error for all that this crate does.

use std::path::Path;

use nb_calibration::DecisionError;

use crate::{
    EncodeError, LoadError, MergeError, ModelError, RemovalError, SaveError, SchemaError,
    onnx::OnnxError,
    read::{Place, ReadError, TrainFileError},
    text::TextError,
};

/// Anything that can go wrong between a data file and an answer: each operation has its own error, and `?`
/// turns it into this one.
///
/// Its text is that of the operation's error, which names file, place, column and value where there are any,
/// and says what to do. [`file`](Self::file), [`place`](Self::place) and [`column`](Self::column) give them
/// to programs.
///
/// ```
/// use nb_core::{Gaussian, Prior};
/// use nb_io::{Error, Family, Model, Schema, read::{Place, Svmlight, train}};
///
/// fn learn(text: &str) -> Result<Model, Error> {
///     let schema = Schema::numbered(2, "label");
///     let mut model = Model::new(schema.clone(), Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
///     train(&mut model, &mut Svmlight::default().read_from(text.as_bytes(), "few.svm", &schema)?)?;
///     model.classifier()?;
///     Ok(model)
/// }
/// assert!(learn("a 1:0.5 2:1\nb 1:4\n").is_ok());
/// let error = learn("a 1:0.5 2:1\nb 1:four\n").unwrap_err();
/// assert_eq!(error.file().unwrap().to_str(), Some("few.svm"));
/// assert_eq!(error.place(), Some(Place::Line(2)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A data file cannot be read.
    #[error(transparent)]
    Read(Box<ReadError>),
    /// A model cannot be trained from a data file.
    #[error(transparent)]
    Train(Box<TrainFileError>),
    /// A row of named values is not one of the schema.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The schema is none.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// Texts cannot become columns of a model.
    #[error(transparent)]
    Text(#[from] TextError),
    /// Schema, family, prior and statistics are not a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A decision rule is none.
    #[error(transparent)]
    Decision(#[from] DecisionError),
    /// Two models cannot be merged.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// Rows cannot be removed from a model.
    #[error(transparent)]
    Removal(#[from] RemovalError),
    /// A model cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A model cannot be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// A model has no ONNX form.
    #[error(transparent)]
    Onnx(#[from] OnnxError),
    /// An archive of scikit-learn is not a classifier.
    #[cfg(feature = "npy")]
    #[error(transparent)]
    Sklearn(#[from] crate::sklearn::SklearnError),
    /// A label of a model is not one of the type requested.
    #[error(transparent)]
    Label(#[from] crate::LabelError),
    /// Rows cannot be added.
    #[error(transparent)]
    Update(#[from] nb_core::error::UpdateError),
    /// Statistics cannot be scaled.
    #[error(transparent)]
    Scale(#[from] nb_core::error::ScaleError),
    /// The statistics do not determine a classifier.
    #[error(transparent)]
    Fit(#[from] nb_core::error::FitError),
    /// Rows cannot be classified.
    #[error(transparent)]
    Predict(#[from] nb_core::error::PredictError),
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        Self::Read(Box::new(error))
    }
}

impl From<TrainFileError> for Error {
    fn from(error: TrainFileError) -> Self {
        Self::Train(Box::new(error))
    }
}

impl Error {
    /// The file that the error is about.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Read(error) => Some(Path::new(error.file())),
            Self::Train(error) => error.file().map(Path::new),
            Self::Load(LoadError { file, .. }) => file.as_deref(),
            Self::Save(SaveError::Io { path, .. }) => Some(path),
            _ => None,
        }
    }

    /// The line or row of the file that the error is about.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Read(error) => error.place(),
            Self::Train(error) => error.place(),
            _ => None,
        }
    }

    /// The name of the column that the error is about.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Read(error) => error.column(),
            Self::Train(error) => error.column(),
            Self::Encode(error) => error.column(),
            _ => None,
        }
    }
}
