//! The permissions of model files.

#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt};

use crate::examples::wide;

#[test]
fn new_files_are_like_other_new_files_and_old_ones_stay_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let mode =
        |name: &str| fs::metadata(folder.path().join(name)).expect("a file").permissions().mode() & 0o777;
    fs::write(folder.path().join("other"), []).expect("writes");
    wide().save(folder.path().join("model.nb")).expect("saves");
    // Whatever the mask of this process is.
    assert_eq!(mode("model.nb"), mode("other"));
    fs::set_permissions(folder.path().join("model.nb"), fs::Permissions::from_mode(0o640)).expect("sets");
    wide().save(folder.path().join("model.nb")).expect("saves");
    assert_eq!(mode("model.nb"), 0o640);
}
