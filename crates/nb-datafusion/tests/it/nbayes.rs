//! The other program, with which this one is compared.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_nb-datafusion");

/// The program `nbayes` beside this one, where each finds the other: a copy of the one that the variable
/// `NB_NBAYES` names, from the root of the repository, if there is one; else built if it is not there, or
/// old.
pub(crate) fn nbayes() -> &'static Path {
    static NBAYES: OnceLock<PathBuf> = OnceLock::new();
    NBAYES.get_or_init(|| {
        let beside = Path::new(PROGRAM).parent().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let built = std::env::var_os("NB_NBAYES").map(|built| root.join(built));
        if let Some(built) = built.filter(|built| built.is_file()) {
            let program = beside.join("nbayes");
            std::fs::copy(built, &program).unwrap();
            return program;
        }
        let workspace = root.join("Cargo.toml");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "nbayes", "--bin", "nbayes", "--manifest-path"])
            .arg(workspace)
            .arg("--target-dir")
            .arg(beside.parent().unwrap())
            .status()
            .unwrap();
        assert!(built.success(), "nbayes cannot be built");
        beside.join("nbayes")
    })
}
