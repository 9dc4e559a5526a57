//! The command line as a shell sees it: output and exit status.

use std::process::{Command, Output};

fn xtask(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().expect("the binary runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn unknown_options_and_commands_exit_with_2_and_the_usage() {
    for arguments in [
        &["verify", "--fast"][..],
        &["verify", "--only"],
        &["bench"],
        &["bench", "--peers", "--only", "no such workload"],
        &["bench", "--instructions", "--fast"],
        &["trial"],
        &["trial", "tables", "--labels", "0"],
        &["frobnicate"],
        &[],
    ] {
        let output = xtask(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("usage: cargo xtask verify"), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    assert!(stderr(&xtask(&["verify", "--fast"])).contains("\"--fast\""));
}

#[test]
fn only_runs_what_matches_and_passes() {
    let output = xtask(&["verify", "--only", "iris"]);
    let table = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert!(table.contains("data: iris"), "{table}");
    assert!(table.contains("iris: gaussian,vs=0,ddof=1,uniform"), "{table}");
    assert!(!table.contains("wine"), "{table}");
    assert!(table.contains(" 0 failed"), "{table}");
}

#[test]
fn a_pattern_without_a_check_is_an_error() {
    let output = xtask(&["verify", "--only", "no such check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no check has this pattern"));
}

#[test]
fn json_is_for_machines() {
    let output = xtask(&["verify", "--json", "--only", "data: iris"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("valid JSON");
    assert_eq!(json["summary"]["checks"], 1);
    assert_eq!(json["checks"][0]["verdict"], "pass");
    assert_eq!(json["checks"][0]["source"], "catalogue");
}
