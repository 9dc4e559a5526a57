//! Getting the contenders ready: their programs built, their Python environments made, their data written.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::Print;

/// Where everything is.
#[derive(Debug)]
pub(crate) struct Setup {
    /// The folder `benches/peers` of the workspace.
    pub(crate) peers: PathBuf,
    /// The data sets.
    pub(crate) data: PathBuf,
    /// The folder of programs written in Rust.
    pub(crate) programs: PathBuf,
    /// The interpreter of the environment with scikit-learn, pandas and mlpack.
    pub(crate) python: PathBuf,
    /// The same for the one with our own package, or why there is none.
    pub(crate) nbayes: Result<PathBuf, String>,
    /// The same for the one with daal4py, or why there is none.
    pub(crate) onedal: Result<PathBuf, String>,
}

/// The root of the workspace: of the one that `cargo` runs this in, which need not be the one that it was
/// compiled in where checkouts share a target directory.
pub(crate) fn root() -> PathBuf {
    let mut folder = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    folder.pop();
    folder
}

/// The folder for everything that can be made again.
pub(crate) fn target() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root().join(target)
}

/// `cargo`, as the command that runs this.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

impl Setup {
    /// Builds, installs and writes what is not there yet.
    ///
    /// # Errors
    /// What could not be done. Our package for Python and daal4py may be absent.
    pub(crate) fn new(quick: bool, data_sets: &[&str], print: Print<'_>) -> Result<Self, String> {
        let (peers, target) = (root().join("benches/peers"), target());
        print("building the contenders written in Rust");
        let build_folder = target.join("peers");
        run(cargo()
            .args(["build", "--release", "--locked", "--quiet", "--manifest-path"])
            .arg(peers.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&build_folder))?;
        print("installing the contenders written for Python");
        let python = environment(&target, &peers, "requirements")?;
        let onedal = environment(&target, &peers, "requirements-onedal");
        print("building our package for Python");
        let nbayes = package(&target, &peers);
        if let Err(reason) = &nbayes {
            print(&format!("SKIPPED: our package for Python: {reason}"));
        }
        let setup = Self {
            data: target.join("bench-data").join(if quick { "quick" } else { "full" }),
            programs: build_folder.join("release"),
            nbayes,
            onedal,
            python,
            peers,
        };
        print("writing the data sets");
        let mut generate = setup.program();
        generate.arg("generate").arg(&setup.data).args(data_sets);
        if quick {
            generate.arg("--quick");
        }
        run(&mut generate)?;
        Ok(setup)
    }

    /// The program of all contenders written in Rust.
    pub(crate) fn program(&self) -> Command {
        Command::new(self.programs.join("nb-bench-peers"))
    }
}

/// A virtual environment with our own package, built as it is now.
fn package(target: &Path, peers: &Path) -> Result<PathBuf, String> {
    let python = environment(target, peers, "requirements-nbayes")?;
    let programs = python.parent().ok_or("the environment has no programs")?;
    let environment = programs.parent().ok_or("the environment has no folder")?;
    run(Command::new(programs.join("maturin"))
        .args(["develop", "--release", "--locked", "--quiet"])
        .current_dir(root().join("crates/nb-python"))
        .env("VIRTUAL_ENV", environment)
        .env("CARGO_TARGET_DIR", target.join("python")))?;
    Ok(python)
}

/// A virtual environment with what a file of requirements says; made again when the file changes.
pub(crate) fn environment(target: &Path, peers: &Path, requirements: &str) -> Result<PathBuf, String> {
    let (folder, file) =
        (target.join(format!("bench-{requirements}")), peers.join(format!("{requirements}.txt")));
    let (python, stamp) = (folder.join("bin/python"), folder.join("installed.txt"));
    let wanted = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(&file))?;
    fs::write(&stamp, wanted).map_err(|error| error.to_string())?;
    Ok(python)
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{program} cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed with {status}")) }
}
