//! The command line.

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    commands,
    model::limit_memory,
    output::{Color, Screen},
    overview::template,
};

/// Naive Bayes on any data file: train, predict, evaluate, explain, and keep models up to date.
#[derive(Debug, Parser)]
#[command(name = "nbayes", version, help_template = template(), max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    screen: ScreenArgs,
    /// The most memory that a model file may take [default: 1GiB].
    #[arg(long, global = true, value_name = "SIZE", value_parser = bytes)]
    max_memory: Option<u64>,
}

/// A number of bytes, such as 4GiB or 500MB.
fn bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 7] = [
        ("", 1),
        ("kb", 1000),
        ("mb", 1_000_000),
        ("gb", 1_000_000_000),
        ("kib", 1 << 10),
        ("mib", 1 << 20),
        ("gib", 1 << 30),
    ];
    let (number, unit) = text.split_at(text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len());
    let factor = UNITS.iter().find(|(name, _)| unit.eq_ignore_ascii_case(name));
    let size = factor.and_then(|(_, factor)| number.trim().parse::<u64>().ok()?.checked_mul(*factor));
    size.ok_or_else(|| "it must be a number of bytes, such as 4GiB or 500MB".into())
}

/// A probability of the command line.
pub(crate) fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("it must be a number from 0 to 1".into()),
    }
}

#[derive(Clone, Copy, Debug, clap::Args)]
struct ScreenArgs {
    /// Print results and errors as JSON.
    #[arg(long, global = true)]
    json: bool,
    /// Suppress progress and informational output.
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Colours in tables, notes and errors [default: auto]. `NO_COLOR` and `CLICOLOR_FORCE` are heeded.
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    color: Option<Color>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Train(Box<commands::train::Train>),
    Profile(commands::profile::Profile),
    Split(commands::split::Split),
    Schema(commands::schema::WriteSchema),
    Predict(commands::predict::Predict),
    Evaluate(commands::evaluate::Evaluate),
    Monitor(commands::monitor::Monitor),
    Compare(Box<commands::compare::Compare>),
    Decide(commands::decide::Decide),
    Explain(commands::explain::Explain),
    Inspect(commands::inspect::Inspect),
    Importance(commands::importance::ImportanceOfColumns),
    Report(commands::report::Report),
    Plot(commands::plot::Plot),
    Update(commands::update::Update),
    Merge(commands::merge::Merge),
    Forget(commands::forget::Forget),
    Decay(commands::decay::Decay),
    Refit(commands::refit::Refit),
    Calibrate(commands::calibrate::Calibrate),
    Sample(commands::sample::Sample),
    Convert(commands::convert::Convert),
    Sql(commands::sql::Sql),
    ImportStats(commands::import_stats::ImportStats),
    Datasets(commands::datasets::Datasets),
    Completions(commands::completions::Completions),
    #[command(hide = true)]
    ColumnNames(commands::column_names::ColumnNames),
    Man(commands::man::Man),
}

impl Cli {
    /// Whether results and errors are wanted as JSON.
    pub(crate) fn json(&self) -> bool {
        self.screen.json
    }

    pub(crate) fn run(self) -> Result<()> {
        let screen = Screen::new(self.screen.json, self.screen.quiet);
        if let Some(bytes) = self.max_memory {
            limit_memory(bytes);
        }
        match self.command {
            Command::Split(command) => command.run(screen),
            Command::Train(command) => command.run(screen),
            Command::Profile(command) => command.run(screen),
            Command::Schema(command) => command.run(screen),
            Command::Predict(command) => command.run(screen),
            Command::Evaluate(command) => command.run(screen),
            Command::Monitor(command) => command.run(screen),
            Command::Compare(command) => command.run(screen),
            Command::Decide(command) => command.run(screen),
            Command::Explain(command) => command.run(screen),
            Command::Inspect(command) => command.run(screen),
            Command::Importance(command) => command.run(screen),
            Command::Report(command) => command.run(screen),
            Command::Plot(command) => command.run(screen),
            Command::Update(command) => command.run(screen),
            Command::Merge(command) => command.run(screen),
            Command::Forget(command) => command.run(screen),
            Command::Decay(command) => command.run(screen),
            Command::Refit(command) => command.run(screen),
            Command::Calibrate(command) => command.run(screen),
            Command::Sample(command) => command.run(screen),
            Command::Convert(command) => command.run(screen),
            Command::Sql(command) => command.run(screen),
            Command::ImportStats(command) => command.run(screen),
            Command::Datasets(command) => command.run(screen),
            Command::ColumnNames(command) => command.run(),
            Command::Completions(command) => command.run(&mut Self::command()),
            Command::Man(command) => command.run(&mut Self::command()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_do_not_contradict_one_another() {
        Cli::command().debug_assert();
    }
}
