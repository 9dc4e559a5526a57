//! What went wrong, said once and on standard error, and the exit status that goes with it.

use std::{io, process::ExitCode};

use nb_io::{
    SchemaError,
    read::{CellProblem, FileProblem, ReadError, RecordProblem},
    text::{NoTermsCause, TextError},
};

use crate::{interrupt, output};

/// The user's request is impossible: exit status 2, as for options that do not exist.
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

/// `nbayes monitor` has said that new rows are not like those of the model: nothing failed, and there is
/// nothing more to say.
#[derive(Debug)]
pub(crate) struct Drift;

impl std::fmt::Display for Drift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("new rows are not like those of the model")
    }
}

impl std::error::Error for Drift {}

/// An error about how the program was called.
pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    Usage(message.into()).into()
}

/// The exit status if an output was written and something failed after that.
const WRITTEN_BUT: u8 = 3;

/// The exit status if new rows are not like those of the model.
const DRIFT: u8 = 4;

/// Says what is wrong, with its causes, and gives the exit status: 0 if only the reader of the output went
/// away, 2 for a wrong call, 3 if an output file is in its place and what followed failed, 4 after an alarm
/// of `nbayes monitor`, 128 and the signal after a signal, else 1.
pub(crate) fn report(error: &anyhow::Error, json: bool) -> ExitCode {
    if error.is::<Drift>() {
        return ExitCode::from(DRIFT);
    }
    let say = |message: &str| {
        let message = if json { message.to_owned() } else { format!("nbayes: {message}") };
        output::say(json, "error", &message);
    };
    let written = output::written();
    if interrupt::requested() {
        let kept = error.downcast_ref::<Interrupted>().map(|Interrupted(message)| message.clone());
        let written = written.as_deref().unwrap_or("nothing was written");
        say(&kept.unwrap_or_else(|| format!("interrupted; {written}")));
        return ExitCode::from(interrupt::exit_status());
    }
    if error.chain().any(is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    if let Some(written) = written {
        say(&format!("{written}, but then: {}", message(error)));
        return ExitCode::from(WRITTEN_BUT);
    }
    say(&message(error));
    if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Says that the command line is wrong, or prints the help that it asks for.
pub(crate) fn report_command_line(error: &clap::Error) -> ExitCode {
    let json = std::env::args_os().any(|argument| argument == "--json");
    if !error.use_stderr() || !json {
        // If the stream is closed, nobody wants to know.
        drop(error.print());
        return ExitCode::from(error.exit_code() as u8);
    }
    let text = error.render().to_string();
    let text = text.trim().strip_prefix("error: ").unwrap_or(text.trim());
    output::say(json, "error", text.split("\n\n").next().unwrap_or(text));
    ExitCode::from(2)
}

fn is_closed_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    let kind = match cause.downcast_ref::<serde_json::Error>() {
        Some(error) => error.io_error_kind(),
        None => cause.downcast_ref::<io::Error>().map(io::Error::kind),
    };
    kind == Some(io::ErrorKind::BrokenPipe)
}

/// The error and those of its causes that it does not quote itself.
fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain() {
        let text = format!("{}{}", text(cause), remedy(cause));
        if text.starts_with(&message) {
            message = text;
        } else if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
    }
    message
}

/// The option that helps against an error of a library, which knows of no options.
fn remedy(cause: &(dyn std::error::Error + 'static)) -> String {
    let error = cause.downcast_ref::<ReadError>();
    if let Some(n_lines) = error.and_then(ReadError::lines_to_skip).filter(|&n_lines| n_lines > 0) {
        return format!(" (`--skip-lines {n_lines}`)");
    }
    let remedy = match error {
        Some(ReadError::Cell { problem: CellProblem::NoLabels { .. }, .. }) => " (`--unlabeled skip`)",
        Some(ReadError::Cell {
            problem: CellProblem::NotADateIn { .. } | CellProblem::OtherDateOrder(_),
            ..
        }) => " (`--date-order` says how dates are written)",
        Some(ReadError::Record {
            problem:
                RecordProblem::Fields { .. } | RecordProblem::FieldsOfRow { .. } | RecordProblem::OpenQuote,
            ..
        }) => " (`--bad-rows skip` leaves such rows out)",
        Some(ReadError::File {
            problem: FileProblem::ConstantColumn { .. } | FileProblem::OtherPartitions { .. },
            ..
        }) => " (`--hive-partitions off`)",
        Some(ReadError::File {
            problem: FileProblem::Text { error: TextError::NoTerms(facts), .. }, ..
        }) => no_terms(facts.cause()),
        None => match cause.downcast_ref::<SchemaError>() {
            Some(SchemaError::Text { error: TextError::NoTerms(facts), .. }) => no_terms(facts.cause()),
            _ => "",
        },
        Some(error) if error.suggests_delimiter() => "; name it with `--delimiter`",
        _ => "",
    };
    remedy.into()
}

/// The option that leaves terms.
fn no_terms(cause: NoTermsCause) -> &'static str {
    match cause {
        NoTermsCause::NoWords => " (`--ignore`)",
        NoTermsCause::ShortWords => " (`--min-chars`)",
        NoTermsCause::StopWords => " (`--stop-words`)",
        NoTermsCause::ShortAndStopWords => " (`--stop-words`, `--min-chars`)",
        NoTermsCause::LongNGrams => " (`--n-grams`)",
        NoTermsCause::RareTerms => " (`--min-documents`)",
        NoTermsCause::MaxTerms => " (`--max-terms`)",
        _ => "",
    }
}

/// What a cause says. Only errors about TOML, which quote lines of a file, have more than one line.
fn text(cause: &(dyn std::error::Error + 'static)) -> String {
    let text = cause.to_string();
    if cause.is::<toml::de::Error>() || cause.is::<nb_compare::DesignError>() {
        return text;
    }
    output::visible(&text).into_owned()
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
