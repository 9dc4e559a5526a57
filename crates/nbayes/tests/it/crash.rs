//! Processes that are killed at any moment: every file is what it was, or what it was to become.

#![cfg(unix)]

use std::{
    os::unix::process::ExitStatusExt,
    process::Stdio,
    time::{Duration, Instant},
};

use crate::folder::Folder;

/// A command that writes a file.
struct Writer {
    arguments: &'static str,
    output: &'static str,
    /// What is there before it runs; nothing if there is no file.
    before: Option<&'static str>,
}

const WRITERS: [Writer; 7] = [
    Writer { arguments: "train --plain all.csv --label y -o new.nb", output: "new.nb", before: None },
    Writer { arguments: "train --plain all.csv --label y -o m.nb", output: "m.nb", before: Some("old.nb") },
    Writer { arguments: "update m.nb more.csv", output: "m.nb", before: Some("old.nb") },
    Writer { arguments: "forget m.nb more.csv", output: "m.nb", before: Some("updated.nb") },
    Writer { arguments: "merge m.nb more.nb -o m.nb", output: "m.nb", before: Some("old.nb") },
    Writer { arguments: "decay m.nb --factor 0.5", output: "m.nb", before: Some("old.nb") },
    Writer { arguments: "predict old.nb all.csv --proba -o p.csv", output: "p.csv", before: Some("old.csv") },
];

const KILLS: usize = 504;

fn folder() -> Folder {
    let folder = Folder::new();
    let rows = |n: usize, salt: usize| -> String {
        let row = |row: usize| {
            let (x, class) = ((row * 7 + salt) % 13, row % 3);
            format!("{}.5,{},t{},c{class}\n", x + 5 * class, (row + salt) % 4, (row + class) % 5)
        };
        (0..n).map(row).collect()
    };
    let (old, more) = (rows(300, 1), rows(200, 4));
    folder.write("old_rows.csv", format!("x,n,t,y\n{old}"));
    folder.write("more.csv", format!("x,n,t,y\n{more}"));
    folder.write("all.csv", format!("x,n,t,y\n{old}{more}"));
    folder.write("old.csv", "y\nold\n");
    let families = "--label y --gaussian x --categorical n,t";
    folder.ok(&format!("train --plain old_rows.csv {families} -o old.nb"));
    folder.ok(&format!("train --plain more.csv {families} -o more.nb"));
    folder.ok("update old.nb more.csv -o updated.nb");
    folder
}

/// Numbers that look random, the same in each run.
fn next(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn killed_processes_leave_whole_files() {
    let folder = folder();
    let (mut state, mut kills, mut changed) = (7, 0, 0);
    for Writer { arguments, output, before } in WRITERS {
        let reset = || match before {
            Some(before) => drop(std::fs::copy(folder.path(before), folder.path(output)).unwrap()),
            None => drop(std::fs::remove_file(folder.path(output))),
        };
        reset();
        let old = before.map(|before| folder.read(before));
        let started = Instant::now();
        folder.ok(arguments);
        let mut longest = started.elapsed();
        let new = folder.read(output);
        if arguments.starts_with("predict") {
            assert!(String::from_utf8(new.clone()).unwrap().starts_with("predicted_y,p(c0),"));
        } else {
            folder.ok(&format!("inspect {output}"));
        }
        let mut own = 0;
        while own < KILLS / WRITERS.len() {
            reset();
            let mut child =
                folder.process(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(longest.mul_f64(next(&mut state)));
            child.kill().unwrap();
            let was_killed = child.wait().unwrap().signal() == Some(9);
            let found = std::fs::read(folder.path(output)).ok();
            assert!(found == old || found.as_ref() == Some(&new), "{arguments}");
            if was_killed {
                own += 1;
                changed += usize::from(found.as_ref() == Some(&new));
            } else {
                // It was done before; the next ones are killed earlier.
                longest = longest.mul_f64(0.95).max(Duration::from_millis(1));
            }
        }
        kills += own;
        // Who comes next works on what is there, and clears up.
        reset();
        folder.ok(arguments);
        assert_eq!(folder.read(output), new, "{arguments}");
    }
    assert!(kills >= 500, "{kills} kills, {changed} of them after the change");
    let left: Vec<String> = folder.names().into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, Vec::<String>::new(), "of {kills} kills");
}
