//! Processes that change one model at the same time.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    process::Stdio,
    thread,
};

use crate::folder::Folder;

fn rows(folder: &Folder, model: &str) -> f64 {
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok(&format!("inspect {model} --json"))).unwrap();
    json["weight"].as_f64().unwrap()
}

fn model() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "x,c,y\n1,u,a\n2,v,a\n8,u,b\n9,v,b\n");
    folder.write("b.csv", "x,c,y\n3,w,a\n7,u,b\n5,v,c\n");
    folder.ok("train a.csv --label y -o m.nb --plain");
    folder
}

#[test]
fn no_update_is_lost() {
    const PROCESSES: usize = 8;
    const ROUNDS: usize = 25;
    let folder = model();
    thread::scope(|scope| {
        for _ in 0..PROCESSES {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    let run = folder.nbayes("update m.nb b.csv --quiet");
                    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
                }
            });
        }
        // Who reads meanwhile sees one of the states.
        scope.spawn(|| {
            for _ in 0..ROUNDS {
                let extra = rows(&folder, "m.nb") - 4.0;
                assert!(extra >= 0.0 && extra % 3.0 == 0.0, "{extra}");
            }
        });
    });
    assert_eq!(rows(&folder, "m.nb"), (4 + 3 * PROCESSES * ROUNDS) as f64);
    assert_eq!(folder.names(), ["a.csv", "b.csv", "m.nb"]);
}

#[test]
fn every_command_that_changes_a_model_takes_turns() {
    const ROUNDS: usize = 8;
    let folder = model();
    // As many as are taken out, in case that is done first.
    for _ in 0..ROUNDS {
        folder.ok("update m.nb b.csv");
    }
    let before = rows(&folder, "m.nb");
    folder.ok("train b.csv --label y --gaussian x --categorical c -o b.nb --plain");
    let changes = ["update m.nb b.csv", "merge m.nb b.nb -o m.nb", "update m.nb b.csv", "forget m.nb b.csv"];
    thread::scope(|scope| {
        for change in changes {
            let folder = &folder;
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    let run = folder.nbayes(change);
                    assert_eq!(run.code, 0, "{change}: {}", run.stderr);
                }
            });
        }
    });
    // Each round adds three rows three times, and takes three out.
    let after = rows(&folder, "m.nb");
    assert_eq!(after, before + (6 * ROUNDS) as f64);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| folder.ok("decay m.nb --factor 0.5"));
        }
    });
    assert_eq!(rows(&folder, "m.nb"), after / 16.0);
}

#[cfg(unix)]
#[test]
fn killed_processes_lose_no_rows_of_others_and_block_nobody() {
    use std::{os::unix::process::ExitStatusExt, time::Duration};
    const RUNS: usize = 20;
    let folder = model();
    let [mut done, mut killed] = [0, 0];
    thread::scope(|scope| {
        let workers: Vec<_> = (0..4_usize)
            .map(|worker| {
                let folder = &folder;
                scope.spawn(move || {
                    let mut counts = [0, 0];
                    for run in 0..RUNS {
                        let mut child = folder.process("update m.nb b.csv -q").spawn().unwrap();
                        if run % 2 == 0 {
                            thread::sleep(Duration::from_millis((run * 7 + worker * 3) as u64 % 16));
                            child.kill().unwrap();
                        }
                        let status = child.wait().unwrap();
                        assert!(status.success() || status.signal() == Some(9), "{status}");
                        counts[usize::from(!status.success())] += 1;
                    }
                    counts
                })
            })
            .collect();
        for worker in workers {
            let [own, others] = worker.join().unwrap();
            (done, killed) = (done + own, killed + others);
        }
    });
    let updates = (rows(&folder, "m.nb") - 4.0) / 3.0;
    // Who was killed may have been done with the file.
    assert!(updates.fract() == 0.0, "{updates}");
    assert!(f64::from(done) <= updates && updates <= f64::from(done + killed), "{updates}, {done}, {killed}");
    folder.ok("update m.nb b.csv --no-wait");
    assert_eq!(folder.names(), ["a.csv", "b.csv", "m.nb"]);
}

#[test]
fn who_waits_says_so_and_goes_on() {
    let folder = model();
    let held = File::open(folder.path("m.nb")).unwrap();
    held.lock().unwrap();
    for arguments in ["update m.nb b.csv", "decay m.nb --factor 2", "train a.csv --label y -o m.nb"] {
        let mut child =
            folder.process(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut line).unwrap();
        assert_eq!(line, "waiting for another process that is updating m.nb\n", "{arguments}");
        assert!(child.try_wait().unwrap().is_none(), "{arguments} must wait");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = folder.read("m.nb");
    let mut child = folder
        .process("update m.nb b.csv --json")
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"note\":\"waiting for"), "{line}");
    assert_eq!(folder.read("m.nb"), before);
    held.unlock().unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(rows(&folder, "m.nb"), 7.0);
}

#[test]
fn who_does_not_wait_fails() {
    let folder = model();
    let held = File::open(folder.path("m.nb")).unwrap();
    held.lock().unwrap();
    let before = folder.read("m.nb");
    for arguments in [
        "update m.nb b.csv",
        "forget m.nb a.csv",
        "decay m.nb --factor 0.5",
        "merge m.nb m.nb -o m.nb",
        "update m.nb b.csv -q",
    ] {
        let error = folder.fails(1, &format!("{arguments} --no-wait"));
        assert!(error.contains("another process is updating m.nb") && error.contains("--no-wait"), "{error}");
    }
    assert_eq!(folder.read("m.nb"), before);
    // Another file can be written meanwhile.
    folder.ok("update m.nb b.csv --no-wait -o other.nb");
    drop(held);
    folder.ok("update m.nb b.csv --no-wait");
    assert_eq!(folder.read("m.nb"), folder.read("other.nb"));
}
