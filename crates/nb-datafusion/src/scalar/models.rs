//! Where the models of a query come from: bytes, names and files.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use datafusion::error::Result;
use nb_io::{Model, SaveError};

use super::loaded::Loaded;
use crate::failure::failed;

/// How many classifiers are kept ready; a query has one or a few.
const KEPT: usize = 8;

/// Models that queries may name, `nb_predict('churn', ...)`.
///
/// A name is replaced by the model's bytes while a query is planned, in the process that asks it, so that
/// executors of a cluster need not know it. A text that is no name is the path of a model file, read in the
/// same process.
///
/// ```
/// use datafusion::{arrow::array::AsArray, prelude::SessionContext};
/// use nb_datafusion::{Models, fitted, register};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (mut context, models) = (SessionContext::new(), Models::default());
/// register(&mut context, &models)?;
/// let fit = "SELECT nb_fit(column1, column2) FROM (VALUES ('low', 1.0), ('low', 2.0), ('high', 8.0), ('high', 9.0))";
/// models.insert("size", &fitted(&context.sql(fit).await?.collect().await?)?)?;
/// let answer = context.sql("SELECT nb_predict('size', 7.5)").await?.collect().await?;
/// assert_eq!(answer[0].column(0).as_string::<i32>().value(0), "high");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Models {
    named: Arc<RwLock<BTreeMap<String, Arc<[u8]>>>>,
    /// The classifiers used last, the latest first.
    ready: Arc<Mutex<Vec<Arc<Loaded>>>>,
}

impl Models {
    /// Gives a model a name, which may have been that of another.
    ///
    /// # Errors
    /// [`SaveError`] if the model cannot be encoded.
    pub fn insert(&self, name: impl Into<String>, model: &Model) -> std::result::Result<(), SaveError> {
        let bytes = model.to_bytes()?;
        self.named.write().unwrap_or_else(PoisonError::into_inner).insert(name.into(), bytes.into());
        Ok(())
    }

    /// Takes a name back; whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        self.named.write().unwrap_or_else(PoisonError::into_inner).remove(name).is_some()
    }

    /// The bytes of the model that a text tells of.
    pub(super) fn bytes(&self, text: &str) -> Result<Arc<[u8]>> {
        if let Some(bytes) = self.named.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(bytes.clone());
        }
        let path = Path::new(text);
        let read = std::fs::read(path).map_err(|error| {
            failed(format!("{text:?} is neither the name of a registered model nor a model file: {error}"))
        })?;
        // JSON files are models as well, and damaged files must be named.
        let model = Model::from_bytes(&read)
            .or_else(|error| match std::str::from_utf8(&read) {
                Ok(json) if json.trim_start().starts_with('{') => Model::from_json(json),
                _ => Err(error),
            })
            .map_err(|error| failed(format!("the model file {text:?}: {error}")))?;
        Ok(model.to_bytes().map_err(failed)?.into())
    }

    /// The classifier of a model file.
    pub(super) fn load(&self, bytes: &[u8]) -> Result<Arc<Loaded>> {
        let known = {
            let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            let place = ready.iter().position(|loaded| *loaded.bytes == *bytes);
            place.map(|place| {
                let loaded = ready.remove(place);
                ready.insert(0, loaded.clone());
                loaded
            })
        };
        if let Some(loaded) = known {
            return Ok(loaded);
        }
        // Without the lock: it may take a while.
        let loaded = Arc::new(Loaded::new(bytes)?);
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.insert(0, loaded.clone());
        ready.truncate(KEPT);
        Ok(loaded)
    }
}
