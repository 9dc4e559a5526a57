//! `cargo xtask verify`: every number that the project claims, against data, publications and references.
//!
//! ```text
//! data ───────┐
//! published ──┤
//! references ─┼─▶ Vec<Check> ──run (all cores, in any order)──▶ Report (in the order of the list) ──▶ table, JSON
//! special ────┘
//! ```

mod check;
mod data;
mod options;
mod packed;
mod published;
mod references;
mod report;
mod run;
mod special;
mod table;
mod ulp;

pub(crate) use options::Options;
pub(crate) use report::Report;

use check::{Check, Problem};
use std::time::Instant;

/// Runs the checks that the options ask for.
///
/// # Errors
/// If the embedded references cannot be read or no check matches; a failing check is no error but a line of
/// the report.
pub(crate) fn run(options: &Options) -> Result<Report, Problem> {
    let start = Instant::now();
    let all = [data::checks(), published::checks(), references::checks()?, special::checks()];
    let chosen: Vec<Check> = all.into_iter().flatten().filter(|check| options.chooses(check)).collect();
    if chosen.is_empty() {
        return Err("no check has this pattern in its name or source".into());
    }
    let lines = run::run_all(chosen);
    Ok(Report { lines, seconds: start.elapsed().as_secs_f64() })
}
