//! What went wrong, said once and on standard error, and the exit code that goes with it.

use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
};

#[cfg(feature = "remote")]
use super::remote::RemoteError;

/// The user's request is impossible: exit code 2, as for options that do not exist.
#[derive(Debug)]
struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// An error about how the program was called.
pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    Usage(message.into()).into()
}

/// Says what is wrong, with those causes that are not quoted already.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    #[cfg(feature = "remote")]
    if let Some(error) = RemoteError::of(error.as_ref()) {
        say(&error.to_string());
        return ExitCode::FAILURE;
    }
    let mut message = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        if message.is_empty() {
            message = text;
        } else if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
    }
    say(&message);
    if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Says something on standard error.
pub(crate) fn say(message: &str) {
    // If even standard error is closed, nobody wants to know.
    drop(writeln!(io::stderr(), "nb-datafusion: {message}"));
}
