//! `cargo xtask`: checks of the whole workspace or of a change, and the way to the package `xtask`, which has
//! all other commands. Nothing is compiled for it but these files, so that what is checked is compiled once,
//! by the checks.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]

mod book;
mod change;
mod ci;
mod oldest;
mod playground;
mod python;
mod step;
mod workspace;

use std::process::ExitCode;

use step::Tests;
use workspace::cargo;

const USAGE: &str = "usage: cargo xtask test [--since REVISION]
       cargo xtask ci
       cargo xtask book
       cargo xtask COMMAND ...

test                format, lints and tests of the packages that a change touches
  --since REVISION  the change since this revision [default: where the branch left its upstream, or the last commit]

ci                  every check of the workspace: format, lints, documentation, tests, verify, pins, instructions, the book

book                the book of `docs` as HTML pages in `target/book`, with formulas rendered and links checked

Other commands are those of the package xtask; `cargo xtask help` lists them.";

/// Exit status of a command that was misspelt; 1 means that a check failed.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut print = |line: &str| println!("{line}");
    let result = match words[..] {
        ["ci"] => ci::run(&mut print),
        ["test"] => change::run(None, &mut print),
        ["test", "--since", revision] => change::run(Some(revision), &mut print),
        ["book"] => book::run(&mut Tests::default(), &mut print),
        ["book" | "ci" | "test", ..] => {
            eprintln!("error: {:?} is not understood\n\n{USAGE}", words.join(" "));
            return ExitCode::from(USAGE_ERROR);
        }
        _ => return hand_on(&words),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a command of the package `xtask`. What is timed is compiled to be fast.
fn hand_on(words: &[&str]) -> ExitCode {
    if words.is_empty() || ["help", "-h", "--help"].contains(&words[0]) {
        println!("{USAGE}\n");
    }
    let profile = if words.first() == Some(&"bench") { "release" } else { "dev" };
    let run = ["run", "--quiet", "--package", "xtask", "--profile", profile, "--"];
    match cargo().args(run).args(words).status() {
        Ok(status) => {
            status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code.clamp(0, 255) as u8))
        }
        Err(error) => {
            eprintln!("error: cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
