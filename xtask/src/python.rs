//! The tests of the Python package, and the checks of its types, in a virtual environment under `target`.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    bench,
    ci::{Tests, carry_out},
};

/// What an interpreter must have: a version for which the packages of `requirements-dev.txt` exist, and environments.
const NEEDED: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";

/// Builds the package into an environment of its own and tests it there; skipped, and counted as such, where there is no
/// Python.
///
/// # Errors
/// Which command failed, and how to run it alone.
pub(crate) fn run(tests: &mut Tests, print: &mut dyn FnMut(&str)) -> Result<(), String> {
    let Some(python) = interpreter()? else {
        print("SKIPPED: there is no `python3` of version 3.11 or later with `venv`; set NB_PYTHON to one");
        tests.ignored += 1;
        return Ok(());
    };
    let root = bench::root();
    let package = root.join("crates/nb-python");
    let environment = root.join("target/python/venv");
    let inside = environment.join("bin/python");

    let mut make = Command::new(python);
    make.args(["-m", "venv"]).arg(&environment);
    let mut install = Command::new(&inside);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "-r",
        "requirements-dev.txt",
    ]);
    let mut build = Command::new(environment.join("bin/maturin"));
    build.args(["develop", "--profile", "ci", "--locked", "--quiet"]);
    // `cargo clippy` would have all dependencies once more for itself.
    build.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("RUSTFLAGS", "-D warnings");
    let mut test = Command::new(&inside);
    test.args(["-m", "pytest", "--quiet", "-rs", "--color=no", "--numprocesses=auto"]);
    let program = root.join("target/debug/nbayes");
    if program.exists() {
        test.env("NB_PROGRAM", program);
    }
    let mut mypy = Command::new(&inside);
    mypy.args(["-m", "mypy", "--strict"]);
    for command in [&mut make, &mut install, &mut build, &mut test, &mut mypy] {
        within(command, &package, &environment, tests, print)?;
    }
    if Command::new("node").arg("--version").output().is_err() {
        print("SKIPPED: pyright needs Node.js");
        tests.ignored += 1;
        return Ok(());
    }
    let mut pyright = Command::new(environment.join("bin/pyright"));
    within(&mut pyright, &package, &environment, tests, print)
}

/// The interpreter that `NB_PYTHON` names, or `python3` if it is there.
fn interpreter() -> Result<Option<PathBuf>, String> {
    let named = env::var_os("NB_PYTHON");
    let python = PathBuf::from(named.clone().unwrap_or_else(|| "python3".into()));
    let works =
        Command::new(&python).args(["-c", NEEDED]).output().is_ok_and(|output| output.status.success());
    match (works, named) {
        (true, _) => Ok(Some(python)),
        (false, None) => Ok(None),
        (false, Some(named)) => {
            Err(format!("NB_PYTHON names {}, which is no Python 3.11 or later with `venv`", named.display()))
        }
    }
}

/// Runs a command in the folder of the package and in the environment.
fn within(
    command: &mut Command,
    package: &Path,
    environment: &Path,
    tests: &mut Tests,
    print: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let said = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let mut path = environment.join("bin").into_os_string();
    if let Some(before) = env::var_os("PATH") {
        path.push(":");
        path.push(before);
    }
    command
        .current_dir(package)
        .env("PATH", path)
        .env("VIRTUAL_ENV", environment)
        .env("CARGO_TARGET_DIR", bench::root().join("target/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    carry_out("Python package", &said, command, tests, print)
}
