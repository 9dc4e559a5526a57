//! `cargo xtask book`: the book of `docs`, built and checked by the package `book/builder`, which has mdBook.

use crate::{
    step::{Print, Tests, carry_out},
    workspace::{cargo, root, target},
};

/// The package that builds the book.
pub(crate) const BUILDER: &str = "book/builder/Cargo.toml";

/// Where its compiled parts are.
pub(crate) const BUILDER_TARGET: &str = "target/book-builder";

/// Builds the book in `target/book`, with the page of `cargo xtask playground` if that has been built.
///
/// # Errors
/// Which links lead nowhere, which formula is wrong, or what else failed.
pub(crate) fn run(tests: &mut Tests, print: Print<'_>) -> Result<(), String> {
    let mut command = cargo();
    command
        .args([
            "run",
            "--quiet",
            "--locked",
            "--manifest-path",
            BUILDER,
            "--target-dir",
            BUILDER_TARGET,
            "--",
        ])
        .arg(root())
        .arg(target().join("book"));
    let playground = target().join("playground/index.html");
    if playground.is_file() {
        command.arg(playground);
    }
    carry_out("cargo xtask book", &mut command, tests, print)
}
