//! The page of the playground, so that the tests of the workspace can open it.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
};

use crate::{
    step::{Print, Tests},
    workspace::{output, root, target},
};

/// The variable that names the page to the tests.
pub(crate) const PAGE: &str = "NB_PLAYGROUND";

/// Compiles the libraries for WebAssembly and makes the page; skipped, and counted as such, where the
/// compiler has no such target. Where there is no browser the tests of the page are counted as skipped.
///
/// # Errors
/// What does not compile.
pub(crate) fn run(tests: &mut Tests, print: Print<'_>) -> Result<(), String> {
    // Building the tests has built it.
    let mut command = Command::new(target().join("debug/xtask"));
    command.arg("playground").current_dir(root()).env("CARGO_MANIFEST_DIR", root().join("xtask"));
    let said = output(&mut command)?;
    for line in said.lines() {
        match line.strip_prefix("SKIPPED: ") {
            Some(why) => {
                tests.skip(why, print);
                return Ok(());
            }
            None => print(line),
        }
    }
    let named = std::env::var_os("NB_CHROMIUM");
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let runs = |name: &str| {
        let version =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    if named.is_none() && !names.into_iter().any(runs) {
        tests.skip("there is no Chromium (NB_CHROMIUM names one), so that no page is opened", print);
    }
    Ok(())
}

/// The page, if it was made.
pub(crate) fn page() -> Option<PathBuf> {
    Some(target().join("playground/index.html")).filter(|page| page.exists())
}
