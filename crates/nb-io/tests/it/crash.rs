//! A crash while saving leaves the old file or the new one.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use nb_io::Model;

use crate::examples::wide;

const FOLDER: &str = "NB_IO_CRASH_TEST_FOLDER";

/// Two models of different size that the child saves in turn.
fn pair() -> [Model; 2] {
    let small = wide();
    let mut large = small.clone();
    for class in 0..400 {
        large.update(&ndarray::array![[f64::from(class)]], &[format!("class {class}")]).expect("a valid row");
    }
    [small, large]
}

/// The child: saves until it is killed. Does nothing when it runs as a test like the others.
#[test]
fn save_in_a_loop() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let models = pair();
    // Not forever, should the parent be gone.
    let start = std::time::Instant::now();
    for round in 0.. {
        if start.elapsed() > Duration::from_secs(10) {
            return;
        }
        models[round % 2].save(Path::new(&folder).join("model.nb")).expect("saves");
        if round == 1 {
            std::fs::write(Path::new(&folder).join("started"), []).expect("writes");
        }
    }
}

#[test]
fn a_killed_process_leaves_a_whole_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.nb");
    let models = pair();
    models[0].save(&path).expect("saves");
    let program = std::env::current_exe().expect("this test");
    let mut seen = [0; 2];
    for kill in 0..60 {
        let mut child = Command::new(&program)
            .args(["--exact", "crash::save_in_a_loop"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        // However long the child takes to start, it is killed while it saves.
        while std::fs::remove_file(folder.path().join("started")).is_err() {
            assert!(child.try_wait().expect("a child").is_none(), "the child ended before it saved");
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(kill * 197));
        child.kill().expect("it was running");
        child.wait().expect("it ended");
        let found = Model::load(&path).expect("the file is whole");
        let which = models.iter().position(|model| *model == found);
        seen[which.unwrap_or_else(|| panic!("another model after kill {kill}"))] += 1;
    }
    // The kills came while both were being saved.
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn a_failed_save_keeps_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("taken");
    std::fs::create_dir(&path).expect("a folder");
    let error = wide().save(&path).expect_err("a folder is in the way");
    assert!(error.to_string().contains("taken"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
