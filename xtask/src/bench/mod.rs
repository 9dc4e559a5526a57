//! `cargo xtask bench`: how fast and how good, against whom, and whether it has become slower.

mod contenders;
mod disassembly;
mod instructions;
mod limits;
mod machine;
mod measure;
mod options;
mod process;
mod quality;
mod report;
mod setup;
mod statistics;
mod workloads;

use std::{fs, process::Command};

use serde_json::Value;

pub(crate) use options::Options;
use options::Peers;
use setup::Setup;
pub(crate) use setup::{cargo, root, run as run_command, target};

/// Where progress goes.
pub(crate) type Print<'a> = &'a mut dyn FnMut(&str);

/// Measures what the options say. `progress` gets a line before everything that takes time, `print` the
/// results.
///
/// # Errors
/// Why it could not be measured, or which counts have grown.
pub(crate) fn run(options: &Options, progress: Print<'_>, print: Print<'_>) -> Result<(), String> {
    match options {
        Options::Peers(options) => peers(options, progress, print),
        Options::Quality(options) => quality::run(options, progress, print),
        Options::Instructions { update } => instructions::run(*update, print),
    }
}

fn peers(options: &Peers, progress: Print<'_>, print: Print<'_>) -> Result<(), String> {
    let mut data: Vec<&str> = workloads::WORKLOADS
        .iter()
        .filter(|workload| options.wants(workload.name))
        .map(|workload| workload.data)
        .collect();
    if options.wants("O1") {
        data.push("csv");
    }
    if options.is_complete() {
        data.push("G1");
    }
    let setup = Setup::new(options.quick, &data, progress)?;
    let mut limits = limits::Limits::start(setup.program())?;
    if !options.is_complete() {
        let outcomes = measure::run(options, &setup, &mut limits, progress, &mut |_, _| Ok(()))?;
        print(&report::ratios(&outcomes));
        print("docs/performance.md is left alone: it takes all workloads, at full size, at least 7 times.");
        return Ok(());
    }
    let machine = machine::describe();
    progress("growth");
    let growth = json_of(setup.program().arg("growth").arg(root().join("docs/performance")))?;
    progress("memory");
    let memory = json_of(setup.program().arg("memory").arg(&setup.data))?;
    // The run takes long: the page is written after every workload, and says how far it has come.
    let mut write = |outcomes: &[measure::Outcome], limits: &limits::Limits| {
        let page = report::Page { outcomes, limits, machine: &machine, growth: &growth, memory: &memory };
        fs::write(root().join("docs/performance.md"), page.text(options.runs))
            .map_err(|error| format!("docs/performance.md cannot be written: {error}"))
    };
    let outcomes = measure::run(options, &setup, &mut limits, progress, &mut write)?;
    print(&report::ratios(&outcomes));
    Ok(())
}

/// What a program prints, one line of JSON.
fn json_of(command: &mut Command) -> Result<Value, String> {
    contenders::with_threads(command, "1");
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
