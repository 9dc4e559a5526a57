//! `cargo xtask ci`: every check of the workspace, as the continuous integration runs it.

use std::process::Command;

use crate::{
    book, oldest, playground, python,
    step::{Print, SETS_RAN, Steps, carry_out},
    workspace::{root, target},
};

/// Where property tests start to draw their cases, so that a change is only told of what it did itself. New
/// cases are drawn where the variable is set otherwise, and whenever tests run outside.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// The package of those that `cargo xtask bench --peers` measures.
const CONTENDERS: &str = "benches/peers/Cargo.toml";

/// The package of queries and clusters.
const DISTRIBUTED: &str = "crates/nb-datafusion/Cargo.toml";

/// The crates with code that depends on features.
const WITHOUT_FEATURES: [&str; 8] = [
    "nb-core",
    "nb-linear",
    "nb-variants",
    "nb-discriminative",
    "nb-table",
    "nb-io",
    "nb-compare",
    "nb-train",
];

/// Runs all steps, one after the other; the first that fails ends the run.
///
/// # Errors
/// Which step failed, and how to run it alone.
pub(crate) fn run(print: Print<'_>) -> Result<(), String> {
    let mut steps = Steps::default();
    let result = all(&mut steps, print);
    steps.report(print);
    result
}

fn all(steps: &mut Steps, print: Print<'_>) -> Result<(), String> {
    for manifest in ["Cargo.toml", CONTENDERS, DISTRIBUTED, book::BUILDER] {
        let format = ["fmt", "--all", "--manifest-path", manifest, "--check"];
        steps.cargo(&format!("format of {manifest}"), &format, &[], print)?;
    }
    let lints = |own: &[&'static str]| {
        [&["clippy", "--all-targets", "--quiet"], own, &["--", "-D", "warnings"]].concat()
    };
    steps.cargo("lints", &lints(&["--workspace", "--all-features"]), &[], print)?;
    let without: Vec<&str> = WITHOUT_FEATURES.iter().flat_map(|package| ["--package", package]).collect();
    let without =
        [&["clippy", "--lib", "--no-default-features", "--quiet"], &without[..], &["--", "-D", "warnings"]];
    steps.cargo("lints without features", &without.concat(), &[], print)?;
    // They are no members of the workspace, and would break unseen when the interface changes.
    let contenders = lints(&["--manifest-path", CONTENDERS, "--target-dir", "target/peers", "--locked"]);
    steps.cargo("lints of the contenders", &contenders, &[], print)?;
    let of_book = ["--manifest-path", book::BUILDER, "--target-dir", book::BUILDER_TARGET, "--locked"];
    steps.cargo("lints of the book's builder", &lints(&of_book), &[], print)?;
    let document = ["doc", "--workspace", "--no-deps", "--all-features", "--quiet"];
    steps.cargo("documentation", &document, &[("RUSTDOCFLAGS", "-D warnings")], print)?;
    steps.run("oldest compiler", print, oldest::run)?;

    let tests = ["test", "--workspace", "--all-features", "--no-fail-fast", "--quiet"];
    steps.cargo("building the tests", &[&tests[..], &["--no-run"]].concat(), &[], print)?;
    steps.run("playground", print, playground::run)?;
    let seed = std::env::var(SEED.0).unwrap_or_else(|_| SEED.1.to_owned());
    let page = playground::page().map(|page| page.display().to_string());
    let page = page.as_deref().map(|page| (playground::PAGE, page));
    let variables: Vec<(&str, &str)> = [(SEED.0, seed.as_str())].into_iter().chain(page).collect();
    steps.cargo("tests", &tests, &variables, print)?;
    if steps.tests.sets.is_empty() {
        return Err(format!("no test said {SETS_RAN:?}: which instruction sets were tested?"));
    }
    for own in [&["verify"][..], &["pin", "--check"], &["fuzz", "--seconds", "30"]] {
        steps.run(&own.join(" "), print, |tests, print| {
            // The tests have built it.
            let mut command = Command::new(target().join("debug/xtask"));
            command.args(own).current_dir(root()).env("CARGO_MANIFEST_DIR", root().join("xtask"));
            carry_out(&format!("cargo xtask {}", own.join(" ")), &mut command, tests, print)
        })?;
    }
    steps.run("Python package", print, python::run)?;
    // As the registry would take them, without the build: the steps above have built what is packed. Packages
    // find one another in a registry of the folder `target`. The working tree may have changes.
    let others =
        ["xtask", "checks", "benches", "book-listings", "nb-python", "playground", "playground-unpack"]
            .into_iter()
            .flat_map(|package| ["--exclude", package]);
    let packages =
        ["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"].into_iter().chain(others);
    steps.cargo("packages", &packages.collect::<Vec<_>>(), &[], print)?;
    // `cargo clippy` would have Ballista and all that it brings once more for itself, so that the lints are
    // those of the compiler that builds the tests.
    let distributed = [
        "test",
        "--manifest-path",
        DISTRIBUTED,
        "--target-dir",
        "target/distributed",
        "--locked",
        "--all-features",
        "--quiet",
    ];
    let environment = [
        ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
        ("RUSTFLAGS", "-D warnings"),
        ("NB_NBAYES", "target/debug/nbayes"),
    ];
    let build = [&distributed[..], &["--no-run"]].concat();
    steps.cargo("building nb-datafusion with its lints", &build, &environment, print)?;
    steps.cargo("tests of nb-datafusion", &distributed, &environment, print)?;
    let test_of_book = [&["test", "--quiet"], &of_book[..]].concat();
    steps.cargo("tests of the book's builder", &test_of_book, &[], print)?;
    steps.run("book", print, book::run)?;
    steps.run("instructions", print, |tests, print| {
        if Command::new("valgrind").arg("--version").output().is_err() {
            tests.skip("valgrind is not installed, so that instructions cannot be counted", print);
            return Ok(());
        }
        let mut command = Command::new(target().join("debug/xtask"));
        command
            .args(["bench", "--instructions"])
            .current_dir(root())
            .env("CARGO_MANIFEST_DIR", root().join("xtask"));
        carry_out("cargo xtask bench --instructions", &mut command, tests, print)
    })?;
    for sets in &steps.tests.sets {
        print(&format!("{SETS_RAN}{sets}"));
    }
    Ok(())
}
