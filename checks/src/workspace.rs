//! Where the workspace is, and which packages it has.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

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

/// `cargo`, as the command that runs this, in the root.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// What a command prints.
///
/// # Errors
/// What it says when it fails.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The packages of the workspace by their folders, relative to the root.
///
/// # Errors
/// If cargo cannot list them.
pub(crate) fn packages() -> Result<BTreeMap<PathBuf, String>, String> {
    let root = root();
    // Each line is `name v0.1.0 (/folder)`, with notes behind some.
    let listed = output(cargo().args(["tree", "--workspace", "--depth", "0", "--prefix", "none"]))?;
    let package = |line: &str| {
        let (name, rest) = line.split_once(' ')?;
        let folder = rest.split_once('(')?.1.split_once(')')?.0;
        Some((Path::new(folder).strip_prefix(&root).ok()?.to_owned(), name.to_owned()))
    };
    Ok(listed.lines().filter_map(package).collect())
}

/// The packages that depend on one of these, and these.
///
/// # Errors
/// If cargo cannot list them.
pub(crate) fn with_dependents(packages: &[String]) -> Result<Vec<String>, String> {
    let mut all = packages.to_vec();
    for package in packages {
        let inverted = ["tree", "--workspace", "--all-features", "--prefix", "none", "--invert", package];
        let listed = output(cargo().args(inverted))?;
        let names =
            listed.lines().filter(|line| line.contains(" (/")).filter_map(|line| line.split(' ').next());
        all.extend(names.map(str::to_owned));
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}
