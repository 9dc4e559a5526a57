//! The oldest compiler that the manifest allows, where it is installed or can be.

use std::{fs, process::Command};

use crate::{
    step::{Print, Tests, carry_out},
    workspace::{output, root, target},
};

/// Checks all packages with the compiler of `rust-version`; skipped where it cannot be had.
///
/// # Errors
/// How the check failed.
pub(crate) fn run(tests: &mut Tests, print: Print<'_>) -> Result<(), String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).map_err(|error| error.to_string())?;
    let version = rust_version(&manifest).ok_or("Cargo.toml has no rust-version")?;
    let toolchain = format!("+{version}");
    let is_there = || output(Command::new("cargo").args([&toolchain, "--version"])).is_ok();
    if !is_there() {
        let install = ["toolchain", "install", version, "--profile", "minimal", "--no-self-update"];
        // An error is seen by what is missing afterwards.
        drop(output(Command::new("rustup").args(install)));
        if !is_there() {
            tests.skip(&format!("Rust {version} is not installed and cannot be"), print);
            return Ok(());
        }
    }
    let check = ["check", "--workspace", "--all-features", "--lib", "--bins", "--quiet"];
    let mut command = Command::new("cargo");
    command
        .arg(&toolchain)
        .args(check)
        .current_dir(root())
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN");
    command.env("CARGO_TARGET_DIR", target().join("oldest"));
    carry_out(&format!("cargo {toolchain} {}", check.join(" ")), &mut command, tests, print)
}

/// What the manifest says of `rust-version`.
fn rust_version(manifest: &str) -> Option<&str> {
    manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_has_a_version() {
        assert_eq!(
            rust_version("[workspace.package]\nrust-version = \"1.89\"\nlicense = \"MIT\"\n"),
            Some("1.89")
        );
        assert_eq!(rust_version("edition = \"2024\"\n"), None);
    }
}
