//! `cargo xtask test`: what a change touches, for daily work.

use std::{collections::BTreeMap, path::PathBuf, process::Command};

use crate::{
    step::{Print, Steps},
    workspace::{output, packages, root, with_dependents},
};

/// Packages that are no members of the workspace: their folders, and the step of `cargo xtask ci` that tests
/// them.
const ELSEWHERE: [(&str, &str); 3] = [
    ("crates/nb-datafusion", "nb-datafusion"),
    ("benches/peers", "lints of the contenders"),
    ("book/builder", "tests of the book's builder"),
];

/// Files that belong to no package, and the package whose tests read them.
const READ_BY: [(&str, &str); 5] = [
    ("README.md", "nbayes"),
    ("docs/learn/", "book-listings"),
    ("docs/know/", "book-listings"),
    ("docs/", "nbayes"),
    ("ARCHITECTURE.md", "xtask"),
];

/// Checks format everywhere, lints in the packages that the change touches and those that depend on them, and
/// runs the tests of the former.
///
/// # Errors
/// Which step failed, and how to run it alone.
pub(crate) fn run(since: Option<&str>, print: Print<'_>) -> Result<(), String> {
    let since = match since {
        Some(revision) => revision.to_owned(),
        None => git(&["merge-base", "HEAD", "@{upstream}"]).or_else(|_| git(&["rev-parse", "HEAD~1"]))?,
    };
    let mut files = git(&["diff", "--name-only", since.trim()])?;
    files += &git(&["ls-files", "--others", "--exclude-standard"])?;
    let Touched { packages, elsewhere } = touched(&files, &packages()?);
    for step in elsewhere {
        print(&format!("NOT TESTED HERE: what the step {step:?} of `cargo xtask ci` tests"));
    }
    if packages.is_empty() {
        print(&format!("no package has changed since {}", since.trim()));
        return Ok(());
    }
    print(&format!("changed since {}: {}", since.trim(), packages.join(", ")));
    let mut steps = Steps::default();
    steps.cargo("format", &["fmt", "--all", "--check"], &[], print)?;
    let dependents = with_dependents(&packages)?;
    let lints =
        of(&["clippy", "--all-targets", "--all-features", "--quiet"], &dependents, &["--", "-D", "warnings"]);
    steps.cargo("lints", &lints, &[], print)?;
    steps.cargo("tests", &of(&["test", "--all-features", "--quiet"], &packages, &[]), &[], print)?;
    steps.report(print);
    Ok(())
}

/// A command for these packages.
fn of<'a>(command: &[&'a str], packages: &'a [String], rest: &[&'a str]) -> Vec<&'a str> {
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    command.iter().copied().chain(packages).chain(rest.iter().copied()).collect()
}

/// What a change touches.
#[derive(Debug, PartialEq, Eq)]
struct Touched {
    packages: Vec<String>,
    /// Steps of `cargo xtask ci` for what is outside the workspace.
    elsewhere: Vec<&'static str>,
}

/// The packages to which the files belong, one a line; all of them if a file of the whole workspace has
/// changed.
fn touched(files: &str, packages: &BTreeMap<PathBuf, String>) -> Touched {
    let mut touched = Touched { packages: Vec::new(), elsewhere: Vec::new() };
    for file in files.lines() {
        // Packages that are no members lie inside the folders of others, and come first.
        if let Some((_, step)) = ELSEWHERE.iter().find(|(folder, _)| PathBuf::from(file).starts_with(folder))
        {
            touched.elsewhere.push(*step);
        } else if ["Cargo.toml", "Cargo.lock", "clippy.toml"].contains(&file) {
            touched.packages = packages.values().cloned().collect();
        } else if let Some((_, package)) = READ_BY.iter().find(|(name, _)| file.starts_with(name)) {
            touched.packages.push((*package).to_owned());
        } else if let Some((_, package)) =
            packages.iter().find(|(folder, _)| PathBuf::from(file).starts_with(folder))
        {
            touched.packages.push(package.clone());
        }
    }
    touched.packages.sort_unstable();
    touched.packages.dedup();
    touched.elsewhere.sort_unstable();
    touched.elsewhere.dedup();
    touched
}

fn git(arguments: &[&str]) -> Result<String, String> {
    output(Command::new("git").args(arguments).current_dir(root()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packages() -> BTreeMap<PathBuf, String> {
        let folders = [("benches", "benches"), ("crates/nb-core", "nb-core"), ("crates/nbayes", "nbayes")];
        folders.map(|(folder, name)| (folder.into(), name.to_owned())).into()
    }

    #[test]
    fn files_belong_to_packages() {
        let touched = |files: &str| touched(files, &packages());
        let of = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let change = touched(
            "docs/program/train.md\ncrates/nb-core/src/lib.rs\ncrates/nb-core/README.md\nLICENSE-MIT\n",
        );
        assert_eq!(change, Touched { packages: of(&["nb-core", "nbayes"]), elsewhere: vec![] });
        let change = touched("benches/peers/src/plain.rs\ncrates/nb-datafusion/src/lib.rs\n");
        assert_eq!(change.packages, of(&[]));
        assert_eq!(change.elsewhere, ["lints of the contenders", "nb-datafusion"]);
        assert_eq!(touched("Cargo.lock\n").packages, of(&["benches", "nb-core", "nbayes"]));
    }
}
