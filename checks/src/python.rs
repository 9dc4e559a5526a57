//! The tests of the Python package, and the checks of its types, in a virtual environment under `target`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    step::{Print, Tests, carry_out},
    workspace::{output, root, target},
};

/// The compiled part of the package.
const BUILT: &str = "debug/deps/lib_core.so";

/// What an interpreter must have: a version for which the packages of `requirements-dev.txt` exist, and
/// environments.
const NEEDED: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";

/// Tests the package with the compiled part that the tests of the workspace have built, in its own
/// environment; skipped, and counted as such, where there is no Python.
///
/// # Errors
/// Which command failed, and how to run it alone.
pub(crate) fn run(tests: &mut Tests, print: Print<'_>) -> Result<(), String> {
    let Some(python) = interpreter()? else {
        tests.skip("there is no `python3` of version 3.11 or later with `venv`; set NB_PYTHON to one", print);
        return Ok(());
    };
    let package = root().join("crates/nb-python");
    let environment = target().join("python/venv");
    let inside = environment.join("bin/python");
    let said = |error: std::io::Error| error.to_string();
    let built = target().join(BUILT);
    fs::copy(&built, package.join("python/nbayes/_core.abi3.so")).map_err(|error| {
        format!("{}: {error}; `cargo test --workspace --all-features` builds it", built.display())
    })?;

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
    let mut place = Command::new(&inside);
    place.args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]);
    for command in [&mut make, &mut install] {
        within(command, &package, &environment, tests, print)?;
    }
    let place = output(&mut place)?;
    fs::write(Path::new(place.trim()).join("nbayes.pth"), package.join("python").display().to_string())
        .map_err(said)?;

    let mut test = Command::new(&inside);
    test.args(["-m", "pytest", "--quiet", "-rs", "--color=no", "--numprocesses=auto"]);
    let program = target().join("debug/nbayes");
    if program.exists() {
        test.env("NB_PROGRAM", program);
    }
    let mut mypy = Command::new(&inside);
    mypy.args(["-m", "mypy", "--strict"]);
    // What `pip` would build the package from.
    let mut package_sources = Command::new(environment.join("bin/maturin"));
    package_sources.args(["sdist", "--out"]).arg(target().join("python/sdist"));
    for command in [&mut test, &mut mypy, &mut package_sources] {
        within(command, &package, &environment, tests, print)?;
    }
    if Command::new("node").arg("--version").output().is_err() {
        tests.skip("pyright needs Node.js", print);
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
    print: Print<'_>,
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
        .env("PYTHONDONTWRITEBYTECODE", "1");
    carry_out(&said, command, tests, print)
}
