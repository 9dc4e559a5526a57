//! Running other programs' Python packages, where they are installed.

use std::{path::PathBuf, process::Command};

/// A Python with these packages: what `NB_PYTHON` names, or `python3`. `None`, with a message, if there is
/// none; where `NB_PYTHON` is set, its packages must be there.
#[expect(clippy::print_stderr, reason = "a skipped test prints a note")]
pub(crate) fn python(packages: &str) -> Option<PathBuf> {
    let named = std::env::var_os("NB_PYTHON");
    let program = PathBuf::from(named.clone().unwrap_or_else(|| "python3".into()));
    let found = Command::new(&program).args(["-c", &format!("import {packages}")]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(program);
    }
    assert!(named.is_none(), "NB_PYTHON is set but cannot import {packages}");
    eprintln!("skipped: no Python with {packages}; set NB_PYTHON to one");
    None
}

/// Runs a script with arguments; its output.
pub(crate) fn run(python: &std::path::Path, script: &str, arguments: &[&std::path::Path]) -> String {
    let output = Command::new(python).args(["-c", script]).args(arguments).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}
