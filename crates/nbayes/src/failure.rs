//! What went wrong, said once and on standard error, and the exit code that goes with it.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use crate::interrupt;

/// What the user asked for cannot be meant: exit code 2, as for options that do not exist.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The user has asked to stop, and something was kept: what, and how to go on.
#[derive(Debug)]
pub(crate) struct Interrupted(pub(crate) String);

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// An error about how the program was called.
pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    Usage(message.into()).into()
}

/// Says what is wrong, with its causes, and gives the exit code: 0 if only the reader of the output went away, 2 for a
/// wrong call, 130 after Ctrl-C, else 1.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    if interrupt::requested() {
        let kept = error.downcast_ref::<Interrupted>();
        say(kept.map_or("interrupted; nothing was written", |Interrupted(message)| message));
        return ExitCode::from(130);
    }
    if error.chain().any(is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    say(&message(error));
    if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

fn say(message: &str) {
    // If even standard error is closed, nobody wants to know.
    drop(writeln!(io::stderr(), "nbayes: {message}"));
}

fn is_closed_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The error and those of its causes that it does not quote itself.
fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        if text.starts_with(&message) {
            message = text;
        } else if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn causes_are_said_once() {
        let error =
            anyhow::anyhow!("cannot read a.csv: no such file").context("cannot read a.csv: no such file");
        assert_eq!(message(&error), "cannot read a.csv: no such file");
        let error = anyhow::anyhow!("a.csv: no such file").context("a.csv");
        assert_eq!(message(&error), "a.csv: no such file");
        let error = Err::<(), _>(anyhow::anyhow!("line 3")).context("a.csv").unwrap_err();
        assert_eq!(message(&error), "a.csv: line 3");
    }
}
