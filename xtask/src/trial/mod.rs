//! `cargo xtask trial FOLDER`: the program `nbayes` on all tables of a folder, with every plausible label.
//! Nothing is known of the tables, so that no answer is expected: what is looked for are crashes, time-outs,
//! numbers that are none, models that are worse than the class prior, and refusals that are frequent.

mod labels;
mod options;
mod output;
mod process;
mod record;
mod summary;
mod tables;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use crate::bench::{Print, cargo, root, run_command, target};
pub(crate) use options::Options;
use record::{Record, Step};

/// The share of the rows that is held out.
const TEST_FRACTION: &str = "0.3";

/// The model, in the folder of the processes.
const MODEL: &str = "model.nb";

/// Tries all tables. `progress` gets a line before each table, `print` the summary.
///
/// # Errors
/// Why there is no trial, or how many defects there are.
pub(crate) fn run(options: &Options, progress: Print<'_>, print: Print<'_>) -> Result<(), String> {
    let named = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let folder = fs::canonicalize(&options.folder).map_err(|error| named(&options.folder, error))?;
    let tables = tables::find(&folder)?;
    if tables.is_empty() {
        return Err(format!("{}: no file has the extension of a table", folder.display()));
    }
    let program = match &options.program {
        Some(program) => fs::canonicalize(program).map_err(|error| named(program, error))?,
        None => build(options.release, progress)?,
    };
    let place = Place::new(program, options)?;
    let mut records = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        let name = table.strip_prefix(&folder).unwrap_or(table).display().to_string();
        progress(&format!("{} of {}: {name}", number + 1, tables.len()));
        records.extend(place.try_table(table, &name)?);
    }
    print(summary::text(&records, tables.len()).trim_end());
    if let Some(path) = &options.json {
        let all = json!({
            "tables": tables.len(),
            "records": records.iter().map(Record::to_json).collect::<Vec<_>>(),
        });
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        fs::write(path, text + "\n").map_err(|error| named(path, error))?;
    }
    match summary::defects(&records).count() {
        0 => Ok(()),
        1 => Err("1 process crashed, took too long or printed NaN".into()),
        n => Err(format!("{n} processes crashed, took too long or printed NaN")),
    }
}

/// Builds the program.
fn build(release: bool, progress: Print<'_>) -> Result<PathBuf, String> {
    progress("building nbayes");
    let (profile, folder) = if release { ("release", "release") } else { ("dev", "debug") };
    run_command(cargo().current_dir(root()).args([
        "build",
        "--locked",
        "--quiet",
        "--package",
        "nbayes",
        "--bin",
        "nbayes",
        "--profile",
        profile,
    ]))?;
    Ok(target().join(folder).join(format!("nbayes{}", std::env::consts::EXE_SUFFIX)))
}

/// Where processes run, and how. The folder is removed at the end.
#[derive(Debug)]
struct Place {
    program: PathBuf,
    folder: PathBuf,
    options: Options,
}

impl Place {
    fn new(program: PathBuf, options: &Options) -> Result<Self, String> {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("nbayes-trial-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self { program, folder, options: options.clone() })
    }

    /// All records of a table: one for each label, or one without a label if its profile fails or has no
    /// columns.
    fn try_table(&self, table: &Path, name: &str) -> Result<Vec<Record>, String> {
        let profile = self.step("profile", "", Command::new(&self.program).arg("profile").arg(table))?;
        let columns = parse(&profile);
        let mut records = Vec::new();
        for label in labels::plausible(&columns, self.options.labels) {
            records.push(self.try_label(table, name, label)?);
        }
        records.insert(0, Record { table: name.into(), label: None, steps: vec![profile], measures: None });
        Ok(records)
    }

    fn try_label(&self, table: &Path, name: &str, label: String) -> Result<Record, String> {
        let model = self.folder.join(MODEL);
        // What an earlier training has left.
        fs::remove_file(&model).ok();
        let command = |name: &str, arguments: &[&str]| {
            let mut command = Command::new(&self.program);
            command.arg(name);
            if name != "train" {
                command.arg(MODEL);
            }
            command.arg(table).args(arguments);
            command
        };
        let named = format!("--label={label}");
        let train = [named.as_str(), "--output", MODEL, "--test-fraction", TEST_FRACTION];
        let mut trained = self.step("train", &label, &mut command("train", &train))?;
        let mut steps = Vec::new();
        if matches!(trained.finished.ended, process::Ended::Refused(_)) {
            // Few formats can be split; of the others all rows are learnt from.
            let all_rows = self.step("train", &label, &mut command("train", &train[..3]))?;
            steps.push(std::mem::replace(&mut trained, all_rows));
        }
        let measures = output::measures(&parse(&trained));
        let is_trained = trained.is_success();
        steps.push(trained);
        if is_trained {
            for (name, arguments) in
                [("evaluate", &[][..]), ("explain", &["--row", "1"]), ("predict", &["--proba"])]
            {
                steps.push(self.step(name, &label, &mut command(name, arguments))?);
            }
        }
        for step in &mut steps {
            step.finished.output = String::new();
        }
        Ok(Record { table: name.into(), label: Some(label), steps, measures })
    }

    fn step(&self, name: &'static str, label: &str, command: &mut Command) -> Result<Step, String> {
        let finished = process::run(command.arg("--json"), &self.folder, self.options.limit)?;
        let is_success = finished.ended == process::Ended::Success;
        let not_a_number =
            if is_success { output::not_a_number(name, label, &finished.output) } else { None };
        Ok(Step { command: name, finished, not_a_number })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// What a step printed; null if it is not JSON.
fn parse(step: &Step) -> Value {
    serde_json::from_str(&step.finished.output).unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests;
