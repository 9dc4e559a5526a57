//! Files that the program `nb-datafusion` reads instead of this one: with all cores, or on a cluster.

use std::{
    ffi::{OsStr, OsString},
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::failure::usage;

const PROGRAM: &str = "nb-datafusion";

/// What reads the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// This process.
    Local,
    /// nb-datafusion, on all cores; it also reads files behind addresses, such as `s3://bucket/folder/`.
    Datafusion,
    /// A cluster of nb-datafusion.
    Ballista,
}

/// What reads the files, if it is not this program.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineArgs {
    /// The engine that reads the files.
    #[arg(long, value_enum, default_value_t = EngineName::Local)]
    engine: EngineName,
    /// The scheduler of the cluster, as `df://host:port`; by default `df://127.0.0.1:50050`.
    #[arg(long, value_name = "ADDRESS")]
    scheduler: Option<String>,
}

/// How many rows a table has, and how many of them a sample.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
pub(crate) struct Sampled {
    pub(crate) rows: usize,
    pub(crate) drawn: usize,
}

/// The other program, and how it is to carry out queries.
#[derive(Debug)]
pub(crate) struct ExternalEngine {
    /// Whether it runs on this machine alone.
    is_here: bool,
    options: Vec<OsString>,
}

impl EngineArgs {
    /// The other program, if it is to read the files.
    pub(crate) fn external(&self) -> Result<Option<ExternalEngine>> {
        if self.scheduler.is_some() && self.engine != EngineName::Ballista {
            return Err(usage("--scheduler is for --engine ballista"));
        }
        let name = match self.engine {
            EngineName::Local => return Ok(None),
            EngineName::Datafusion => "datafusion",
            EngineName::Ballista => "ballista",
        };
        let mut options = vec!["--engine".into(), name.into()];
        if let Some(scheduler) = &self.scheduler {
            options.extend(["--scheduler".into(), scheduler.into()]);
        }
        Ok(Some(ExternalEngine { is_here: self.engine == EngineName::Datafusion, options }))
    }
}

impl ExternalEngine {
    /// Has a command carried out with the engine.
    pub(crate) fn query<'a>(
        &'a self,
        arguments: impl IntoIterator<Item = &'a OsStr>,
        quiet: bool,
    ) -> Result<()> {
        self.run(arguments, quiet, Stdio::inherit()).map(drop)
    }

    /// Has about this many cells of the rows written to a file, some rows of each class.
    pub(crate) fn sample(
        &self,
        patterns: &[String],
        label: &str,
        n_cells: usize,
        file: &Path,
        quiet: bool,
    ) -> Result<Sampled> {
        let n_cells = n_cells.to_string();
        let mut arguments = vec![OsStr::new("sample")];
        arguments.extend(patterns.iter().map(OsStr::new));
        arguments.extend(["--label", label, "--cells", &n_cells, "-o"].map(OsStr::new));
        arguments.push(file.as_os_str());
        let counts = self.run(arguments, quiet, Stdio::piped())?;
        serde_json::from_slice(&counts).with_context(|| format!("{PROGRAM} has counted no rows"))
    }

    /// Whether it runs on this machine alone, so that it can be left to look at all rows.
    pub(crate) fn is_here(&self) -> bool {
        self.is_here
    }

    /// The files that the patterns match, by their paths and addresses.
    pub(crate) fn files(patterns: &[String]) -> Result<Vec<String>> {
        let mut command = Command::new(program());
        command.arg("files").args(patterns).stdout(Stdio::piped());
        let listed = finished(&mut command)?;
        serde_json::from_slice(&listed).with_context(|| format!("{PROGRAM} has listed no files"))
    }

    fn run<'a>(
        &'a self,
        arguments: impl IntoIterator<Item = &'a OsStr>,
        quiet: bool,
        stdout: Stdio,
    ) -> Result<Vec<u8>> {
        let mut command = Command::new(program());
        command.args(arguments).args(&self.options).stdout(stdout);
        if quiet {
            command.arg("--quiet");
        }
        finished(&mut command)
    }
}

/// Runs a command to its end, with the standard input and error of this program; what it prints, if that is
/// piped.
fn finished(command: &mut Command) -> Result<Vec<u8>> {
    let output = match command.stdin(Stdio::inherit()).stderr(Stdio::inherit()).output() {
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
            "other engines need the program {PROGRAM}, which is neither beside this one nor on the path; `cargo install \
             --path crates/nb-datafusion` installs it"
        ),
        Err(error) => return Err(error).with_context(|| format!("cannot start {PROGRAM}")),
    };
    if !output.status.success() {
        bail!("{PROGRAM} has failed; it says why");
    }
    Ok(output.stdout)
}

/// The one beside this program, or any on the path.
fn program() -> PathBuf {
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| PROGRAM.into())
}
