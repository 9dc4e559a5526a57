//! The programs of the page: the packages `playground` and `playground-unpack`, compiled for WebAssembly.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "page";

/// Whether the compiler has the target; if it does not, `rustup` is asked for it once.
///
/// # Errors
/// Why there is none, and how to get it.
pub(super) fn find_target(print: &mut dyn FnMut(&str)) -> Result<(), String> {
    if has_target() {
        return Ok(());
    }
    print(&format!("the compiler has no target {TARGET}; trying `rustup target add {TARGET}`"));
    let added = Command::new("rustup").args(["target", "add", TARGET]).stdin(Stdio::null()).status();
    if added.is_ok_and(|status| status.success()) && has_target() {
        return Ok(());
    }
    Err(format!(
        "the page needs the target {TARGET} of the compiler: `rustup target add {TARGET}`, where the toolchain may be written and the \
         network is there, or the package of the distribution (Debian: libstd-rust-dev-wasm32)"
    ))
}

/// Whether the standard library is there for the target.
fn has_target() -> bool {
    let mut ask = Command::new(rustc());
    let answer = ask.args(["--print", "target-libdir", "--target", TARGET]).stderr(Stdio::null()).output();
    answer.is_ok_and(|output| {
        let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        let mut files = fs::read_dir(folder).into_iter().flatten().flatten();
        output.status.success() && files.any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

fn rustc() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// The folder for everything that can be made again.
pub(super) fn target_folder(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root.join(target)
}

/// The programs of the page.
#[derive(Debug)]
pub(super) struct Programs {
    pub(super) engine: Vec<u8>,
    pub(super) unpacker: Vec<u8>,
}

/// Compiles the packages, and reads what the compiler wrote.
///
/// # Errors
/// What went wrong.
pub(super) fn build(root: &Path, print: &mut dyn FnMut(&str)) -> Result<Programs, String> {
    print("compiling the libraries for WebAssembly");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    let packages = ["--package", "playground", "--package", "playground-unpack"];
    build
        .current_dir(root)
        .args(["build", "--quiet", "--profile", PROFILE, "--target", TARGET])
        .args(packages);
    // Flags for this machine's processor are none of the page's.
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WORKSPACE_WRAPPER"] {
        build.env_remove(variable);
    }
    let status = build.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !status.success() {
        let again = format!("cargo build --package playground --profile {PROFILE} --target {TARGET}");
        return Err(format!("the libraries do not compile for pages: `{again}`"));
    }
    let read = |name: &str| {
        let file = target_folder(root).join(TARGET).join(PROFILE).join(name);
        fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))
    };
    Ok(Programs { engine: read("playground.wasm")?, unpacker: read("playground_unpack.wasm")? })
}
