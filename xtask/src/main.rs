//! The workspace's own commands that need its libraries; run them with `cargo xtask COMMAND`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command prints, and nothing below this file does"
)]

mod bench;
#[cfg(test)]
mod causes;
mod count;
mod fuzz;
mod pin;
mod playground;
mod splitmix;
mod trial;
mod verify;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask verify [--json] [--only PATTERN]
       cargo xtask pin [--check]
       cargo xtask fuzz [--seconds N] [--seed S]
       cargo xtask trial FOLDER [--labels N] [--seconds N] [--release] [--program FILE] [--json FILE]
       cargo xtask bench --peers [--runs N] [--only WORKLOAD,...] [--quick]
       cargo xtask bench --quality [--only SET,...]
       cargo xtask bench --instructions [--update]
       cargo xtask playground

verify            check the data sets, the published numbers, the references and the hard cases
  --json          print the results as JSON instead of a table
  --only PATTERN  run only the checks whose name or source contains PATTERN

pin               store the bits of every family over every type of input, after computing them with every instruction set
  --check         compare with the stored ones, and name those that differ

fuzz              hold models after random steps against models trained on the rows that are left
  --seconds N     go on for N seconds (60)
  --seed S        start with this story (1)

trial             run nbayes on every table below FOLDER with every plausible label: crashes, time-outs, NaN, models worse
                  than the class prior, refusals
  --labels N      try at most N labels for each table (3)
  --seconds N     the time limit of each process (120)
  --release       build nbayes with optimisations
  --program FILE  try this program, and build none
  --json FILE     write all records

bench --peers     compare this library with others, and write docs/performance.md
  --runs N        visit each contender N times (7)
  --only NAMES    run only these workloads, such as G1,M2; writes nothing
  --quick         run on a twentieth of the rows; writes nothing

bench --quality   compare the answers of our classifiers with those of others, and write docs/quality.md
  --only SETS     run only on these data sets, such as iris,wine; writes nothing

bench --instructions
                  count the instructions of kernels with valgrind; more than 5 % above the stored counts is an error
  --update        store the counts

playground        make the page target/playground/index.html, in which naive Bayes moves; needs the compiler's target
                  wasm32-unknown-unknown, and asks rustup for it";

/// Exit status of a command that was misspelt; 1 means that a check failed.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((command, rest)) if command == "verify" => verify(rest),
        Some((command, rest)) if command == "pin" => pin(rest),
        Some((command, rest)) if command == "fuzz" => fuzz(rest),
        Some((command, rest)) if command == "trial" => trial(rest),
        Some((command, rest)) if command == "bench" => bench(rest),
        Some((command, rest)) if command == "playground" => playground(rest),
        Some((command, _)) if ["help", "-h", "--help"].contains(&command.as_str()) => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Some((command, _)) => usage_error(&format!("there is no command {command:?}")),
        None => usage_error("which command?"),
    }
}

fn verify(arguments: &[String]) -> ExitCode {
    let options = match verify::Options::parse(arguments) {
        Ok(options) => options,
        Err(error) => return usage_error(&error.to_string()),
    };
    match verify::run(&options) {
        Ok(report) if options.json => match report.to_json() {
            Ok(json) => {
                println!("{json}");
                status(&report)
            }
            Err(error) => failure(&error.to_string()),
        },
        Ok(report) => {
            print!("{}", report.to_table());
            status(&report)
        }
        Err(error) => failure(&error.to_string()),
    }
}

fn pin(arguments: &[String]) -> ExitCode {
    let check = match arguments {
        [] => false,
        [option] if option == pin::CHECK => true,
        [other, ..] => return usage_error(&format!("pin takes no {other:?}")),
    };
    match pin::run(check, &mut |line| println!("{line}")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&error),
    }
}

fn fuzz(arguments: &[String]) -> ExitCode {
    let options = match fuzz::Options::parse(arguments) {
        Ok(options) => options,
        Err(error) => return usage_error(&error),
    };
    match fuzz::run(options, &mut |line| println!("{line}")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&error),
    }
}

fn trial(arguments: &[String]) -> ExitCode {
    let options = match trial::Options::parse(arguments) {
        Ok(options) => options,
        Err(error) => return usage_error(&error),
    };
    match trial::run(&options, &mut |line| eprintln!("{line}"), &mut |line| println!("{line}")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&error),
    }
}

fn bench(arguments: &[String]) -> ExitCode {
    let options = match bench::Options::parse(arguments) {
        Ok(options) => options,
        Err(error) => return usage_error(&error),
    };
    match bench::run(&options, &mut |line| eprintln!("{line}"), &mut |line| println!("{line}")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&error),
    }
}

fn playground(arguments: &[String]) -> ExitCode {
    if let Some(other) = arguments.first() {
        return usage_error(&format!("playground takes no {other:?}"));
    }
    match playground::run(&mut |line| eprintln!("{line}")) {
        Ok(playground::Made::Page { path, n_bytes }) => {
            println!("wrote {} ({} kB)", path.display(), n_bytes.div_ceil(1000));
            ExitCode::SUCCESS
        }
        Ok(playground::Made::Skipped(why)) => {
            println!("SKIPPED: {why}");
            ExitCode::SUCCESS
        }
        Err(error) => failure(&error),
    }
}

fn status(report: &verify::Report) -> ExitCode {
    if report.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn failure(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}

fn usage_error(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\n{USAGE}");
    ExitCode::from(USAGE_ERROR)
}
