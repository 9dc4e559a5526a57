//! Outputs that are no files: devices, pipes, standard output; and standard output that cannot be written.

#![cfg(unix)]

use std::{
    fs,
    io::Read,
    os::unix::fs::FileTypeExt,
    process::{Command, Stdio},
};

use crate::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "x,c,y\n1,u,a\n2,v,a\n8,u,b\n9,v,b\n");
    folder.ok("train a.csv --label y -o m.nb --plain");
    folder
}

#[test]
fn pipes_with_names_are_written_to() {
    let folder = folder();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    for (arguments, file) in [
        ("predict m.nb a.csv", "p.csv"),
        ("train a.csv --label y", "t.nb"),
        ("decay m.nb --factor 0.5", "d.nb"),
        ("schema a.csv --label y", "s.toml"),
    ] {
        folder.ok(&format!("{arguments} -o {file}"));
        let mut child = folder.process(arguments).args(["-o", "pipe"]).stdout(Stdio::null()).spawn().unwrap();
        let mut bytes = Vec::new();
        fs::File::open(folder.path("pipe")).unwrap().read_to_end(&mut bytes).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(bytes, folder.read(file), "{arguments}");
        assert!(fs::symlink_metadata(folder.path("pipe")).unwrap().file_type().is_fifo());
    }
}

/// Devices can be made by the superuser only, who could replace `/dev/null` itself.
#[expect(clippy::print_stderr, reason = "a skipped test prints a note")]
#[test]
fn devices_are_written_to() {
    let folder = folder();
    let made = Command::new("mknod").arg(folder.path("null")).args(["c", "1", "3"]).output();
    let usable = || fs::OpenOptions::new().write(true).open(folder.path("null")).is_ok();
    if !made.is_ok_and(|made| made.status.success()) || !usable() {
        eprintln!("skipped: devices cannot be made here");
        return;
    }
    for arguments in
        ["predict m.nb a.csv", "decay m.nb --factor 0.5", "train a.csv --label y", "merge m.nb m.nb"]
    {
        folder.ok(&format!("{arguments} -o null"));
        assert!(
            fs::symlink_metadata(folder.path("null")).unwrap().file_type().is_char_device(),
            "{arguments}"
        );
    }
}

#[test]
fn standard_output_can_be_named() {
    let folder = folder();
    let csv = folder.ok("predict m.nb a.csv");
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        if cfg!(target_os = "linux") || name == "/dev/stdout" {
            assert_eq!(folder.ok(&format!("predict m.nb a.csv -o {name}")), csv, "{name}");
        }
    }
    // A file that others write to as well is not replaced.
    let run =
        folder.shell("{ echo before; $NBAYES predict m.nb a.csv -o /dev/stdout; echo after; } > all.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(String::from_utf8(folder.read("all.csv")).unwrap(), format!("before\n{csv}after\n"));
    // What is said about a model is not mixed with the model.
    let run = folder.shell("$NBAYES train a.csv --label y --plain -o /dev/stdout > piped.nb");
    assert!(run.code == 0 && run.stderr.contains("wrote /dev/stdout"), "{}", run.stderr);
    assert_eq!(folder.read("piped.nb"), folder.read("m.nb"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_after_a_change_is_not_a_failed_change() {
    let folder = folder();
    for (arguments, output) in [
        ("update m.nb a.csv", "m.nb"),
        ("forget m.nb a.csv", "m.nb"),
        ("decay m.nb --factor 0.5", "m.nb"),
        ("merge m.nb m.nb -o m.nb", "m.nb"),
        ("train a.csv --label y -o t.nb", "t.nb"),
        ("convert m.nb m.json", "m.json"),
        ("update m.nb a.csv --json", "m.nb"),
        ("plot m.nb --feature x -o x.svg", "x.svg"),
    ] {
        folder.ok("train a.csv --label y -o m.nb --plain");
        folder.ok("update m.nb a.csv");
        let expected = folder.nbayes(arguments);
        assert_eq!(expected.code, 0, "{}", expected.stderr);
        let after = folder.read(output);
        folder.ok("train a.csv --label y -o m.nb --plain");
        folder.ok("update m.nb a.csv");
        let run = folder.shell(&format!("$NBAYES {arguments} > /dev/full"));
        assert_eq!(run.code, 3, "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("{output} was written")), "{}", run.stderr);
        assert!(run.stderr.contains("cannot write standard output: No space left"), "{}", run.stderr);
        assert_eq!(
            run.stderr.contains("the model was changed"),
            output.ends_with("nb") || output.ends_with("json")
        );
        assert_eq!(folder.read(output), after, "{arguments}");
    }
    // Where there is no standard output nothing can be lost.
    folder.ok("train a.csv --label y -o m.nb --plain");
    assert_eq!(folder.shell("$NBAYES update m.nb a.csv >&-").code, 0);
    assert!(folder.ok("inspect m.nb").contains("8 rows"));
    let run = folder.shell("$NBAYES predict m.nb a.csv > /dev/full");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("cannot write standard output"), "{}", run.stderr);
}

#[test]
fn a_closed_pipe_is_quiet_for_every_command() {
    let folder = folder();
    let rows = "1.5,u,a\n8.5,v,b\n".repeat(20_000);
    folder.write("long.csv", format!("x,c,y\n{rows}"));
    folder.ok("train long.csv --label y --categorical x,c -o long.nb");
    // The same rows again would be noticed.
    folder.write("more.csv", "x,c,y\n1.5,v,a\n3,u,a\n7,v,b\n9.5,u,b\n");
    for arguments in [
        "predict m.nb long.csv",
        "predict m.nb long.csv --json --proba",
        "predict m.nb long.csv -o /dev/stdout",
        "sample m.nb -n 50000 --json",
        "inspect m.nb --json",
        "explain m.nb long.csv --row 1 --json",
        "evaluate m.nb a.csv --json",
        "schema long.csv --label y --json",
        "datasets --json",
        "datasets",
        "compare --list --json",
        "sql --predict m.nb --dialect duckdb --json",
        "completions bash",
        "train a.csv --label y -o t.nb --json",
        "update t.nb more.csv --json",
    ] {
        let mut child =
            folder.process(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Nobody reads: the pipe is closed before, or while, something is written.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{arguments}");
    }
    assert!(folder.ok("inspect t.nb").contains("8 rows"), "the update was made");
}
