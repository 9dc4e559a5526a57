//! Other engines: how the program `nb-datafusion` is called. What it does is tested where it is made.

use std::process::{Command, Output};

use crate::folder::Folder;

/// Runs `nbayes` with this as the path on which programs are found.
fn nbayes(folder: &Folder, arguments: &str, path: &str) -> Output {
    let mut nbayes = Command::new(assert_cmd::cargo::cargo_bin("nbayes"));
    nbayes.args(arguments.split_whitespace()).current_dir(folder.path("")).env("PATH", path).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_missing_program_is_named_with_the_command_that_installs_it() {
    let folder = Folder::new();
    let output = nbayes(&folder, "train a.csv --label y --engine datafusion -o a.nb", "");
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("`cargo install --path crates/nb-datafusion`"), "{}", said(&output));
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn what_other_engines_cannot_do_is_refused() {
    let folder = Folder::new();
    for (arguments, problem) in [
        ("train a.csv --label y --scheduler df://host", "--scheduler is for --engine ballista"),
        ("train a.csv --label y --engine datafusion", "no output file given; name it with -o MODEL"),
        ("train a.csv --engine datafusion -o a.nb", "no label column given; name it with --label COLUMN"),
        (
            "train a.csv --label y --engine datafusion --no-header -o a.nb",
            "--format and the options below it are for --engine local only",
        ),
        ("predict a.nb a.csv --engine datafusion", "need an output file: -o FILE"),
    ] {
        let output = nbayes(&folder, arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", said(&output));
        assert!(said(&output).contains(problem), "{arguments}: {}", said(&output));
    }
}

#[cfg(unix)]
#[test]
fn options_are_handed_on() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("nb-datafusion", "#!/bin/sh\necho \"$*\"\nexit 3\n");
    std::fs::set_permissions(folder.path("nb-datafusion"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.path("").display().to_string();
    let call =
        "predict a.nb 1.csv 2.csv --id id --proba -o b.csv --engine ballista --scheduler df://h:1 --quiet";
    let output = nbayes(&folder, call, &path);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("nb-datafusion has failed"), "{}", said(&output));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "predict a.nb 1.csv 2.csv -o b.csv --id id --proba --engine ballista --scheduler df://h:1 --quiet"
    );
}
