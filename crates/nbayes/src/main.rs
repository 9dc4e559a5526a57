//! `nbayes`: naive Bayes on any data file.
//!
//! A thin program over the libraries of this workspace: each subcommand is one file in `commands`, and what
//! several of them do is in the other folders: `data` finds and reads files, `columns` finds out what their
//! columns hold, `design` decides which family a column gets, `split` deals rows, `model` has model files and
//! their classifiers, `words` says what libraries know by places, `output` writes tables, JSON and rows,
//! `plot` draws, `importance` measures what columns are worth, `drift` compares new rows with those of a
//! model, `engine` starts the program `nb-datafusion`.

#![allow(clippy::format_push_string, reason = "texts are small, and `write!` would have a result to handle")]

mod cli;
mod columns;
mod commands;
mod data;
mod design;
mod drift;
mod engine;
mod failure;
mod importance;
mod interrupt;
mod model;
mod output;
mod overview;
mod plot;
mod progress;
mod short_help;
mod split;
mod words;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

fn main() -> ExitCode {
    // Before anything is said, also about the command line.
    if let Some(color) = output::Color::on_command_line(std::env::args_os()) {
        color.set();
    }
    let command = short_help::shortened(cli::Cli::command());
    let cli = match command.try_get_matches().and_then(|matches| cli::Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return failure::report_command_line(&words::with_hint(error)),
    };
    let json = cli.json();
    interrupt::watch();
    // Whoever forces an instruction set is looking for a fault, and must not get another set unawares.
    if let Err(error) = nb_core::simd::InstructionSet::forced() {
        return failure::report(&failure::usage(error.to_string()), json);
    }
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error, json),
    }
}
