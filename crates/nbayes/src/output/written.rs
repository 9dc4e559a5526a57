//! Which files were written, for messages about what failed after that.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

/// Each in words.
static WRITTEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says that a file is in its place.
pub(super) fn add(path: &Path, is_model: bool) {
    let words = if is_model {
        format!("the model was changed: {} was written", path.display())
    } else {
        format!("{} was written", path.display())
    };
    WRITTEN.lock().unwrap_or_else(PoisonError::into_inner).push(words);
}

/// What was written, if anything was.
pub(crate) fn summary() -> Option<String> {
    let written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    (!written.is_empty()).then(|| written.join(", "))
}
