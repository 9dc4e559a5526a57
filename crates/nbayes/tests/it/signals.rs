//! Signals that ask the program to end.

#![cfg(unix)]

use std::{
    fs,
    io::Write,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::folder::Folder;

/// A program that reads rows from a pipe, of which it has got some, with its temporary files in a folder.
fn reading(folder: &Folder, arguments: &str) -> (Child, std::process::ChildStdin) {
    fs::create_dir_all(folder.path("temporary")).unwrap();
    let mut child = folder
        .process(arguments)
        .env("TMPDIR", folder.path("temporary"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // More than a pipe holds: when it is written, the program reads, and so listens.
    stdin.write_all(format!("x,y\n{}", "1,a\n2,b\n".repeat(100_000)).as_bytes()).unwrap();
    (child, stdin)
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Whether signals of this kind are ignored by who starts the tests, and so by what the tests start.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1)
}

#[expect(clippy::print_stderr, reason = "a skipped test prints a note")]
#[test]
fn nothing_is_left_behind() {
    for (name, signal) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        if signal == 1 && is_ignored(signal) {
            eprintln!("skipped: SIGHUP is ignored here");
            continue;
        }
        for arguments in ["train - --label y -o a.nb", "train /dev/stdin --label y -o a.nb"] {
            let folder = Folder::new();
            let (child, stdin) = reading(&folder, arguments);
            send(name, &child);
            // The program is at the end of a read or in one; either way it sees the request when it goes on.
            drop(stdin);
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(128 + signal), "{name}: {stderr}");
            assert!(stderr.contains("interrupted; nothing was written"), "{stderr}");
            assert_eq!(folder.names(), ["temporary"]);
            assert_eq!(fs::read_dir(folder.path("temporary")).unwrap().count(), 0, "{name}");
        }
    }
}

#[test]
fn a_program_that_waits_for_input_ends_as_well() {
    let folder = Folder::new();
    let (mut child, stdin) = reading(&folder, "train - --label y -o a.nb");
    let started = Instant::now();
    send("-TERM", &child);
    // The other end stays open.
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(143));
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!(fs::read_dir(folder.path("temporary")).unwrap().count(), 0);
    drop(stdin);
}

#[test]
fn a_second_signal_ends_the_program_at_once() {
    let folder = Folder::new();
    let (mut child, stdin) = reading(&folder, "train - --label y -o a.nb");
    let started = Instant::now();
    send("-INT", &child);
    // Two signals that come together are one.
    std::thread::sleep(Duration::from_millis(300));
    if child.try_wait().unwrap().is_none() {
        send("-TERM", &child);
    }
    let code = child.wait().unwrap().code();
    assert!(code == Some(143) || code == Some(130), "{code:?}");
    assert!(started.elapsed() < Duration::from_secs(4));
    assert_eq!(fs::read_dir(folder.path("temporary")).unwrap().count(), 0);
    drop(stdin);
}
