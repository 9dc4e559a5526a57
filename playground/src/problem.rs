//! What is wrong with a request, as a message.

use std::{error::Error, fmt};

#[derive(Debug)]
pub(crate) struct Problem(String);

impl Problem {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: Error> From<E> for Problem {
    /// The message of an error, with those of its causes.
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            message = format!("{message}: {error}");
            cause = error.source();
        }
        Self(message)
    }
}
