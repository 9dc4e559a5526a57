//! Results as they come: an interrupted run goes on where it was.

use std::{fs, io::Write, num::NonZeroUsize, ops::ControlFlow};

use nb_compare::{Journal, JournalError, Plan};

use crate::runs::{design, run, without_times};

const PLAN: Plan = Plan::CrossValidation { folds: 3, repeats: 2 };

#[test]
fn a_run_goes_on() {
    let (design, tables) = design(&["iris", "zoo"], &["gaussian", "logistic"], PLAN);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");

    // Three units, then half a line, as after a power cut.
    let (mut journal, found) = Journal::open(&path, &design, &tables).unwrap();
    assert!(found.is_empty());
    let expected = run(&design, &tables, 1);
    for unit in &expected[..3] {
        journal.add(unit).unwrap();
    }
    drop(journal);
    let half = &expected[3].to_json()[..20];
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(half.as_bytes()).unwrap();

    let (mut journal, found) = Journal::open(&path, &design, &tables).unwrap();
    assert_eq!(found, expected[..3]);
    let mut n_new = 0;
    let units = nb_compare::run(&design, &tables, found, NonZeroUsize::MIN, |progress| {
        n_new += 1;
        journal.add(progress.unit).unwrap();
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(n_new, expected.len() - 3);
    assert_eq!(units.into_iter().map(without_times).collect::<Vec<_>>(), expected);

    let (_, found) = Journal::open(&path, &design, &tables).unwrap();
    assert_eq!(found.len(), expected.len());
}

#[test]
fn options_by_their_names_of_before_are_the_same_design() {
    let (design, tables) = design(&["zoo"], &["kdb"], PLAN);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    Journal::open(&path, &design, &tables).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    for (option, is_same) in [("k = 2", true), ("k = 3", false)] {
        let before = text.replace("parents = 2", option);
        assert_ne!(before, text);
        fs::write(&path, before).unwrap();
        assert_eq!(Journal::open(&path, &design, &tables).is_ok(), is_same, "{option}");
    }
}

#[test]
fn results_of_something_else_are_refused() {
    let (design, tables) = design(&["iris"], &["gaussian"], PLAN);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    Journal::open(&path, &design, &tables).unwrap();

    let mut other = design.clone();
    other.seed = 9;
    let error = Journal::open(&path, &other, &tables).unwrap_err();
    assert!(matches!(error, JournalError::Other { what: "design", .. }), "{error}");

    let mut changed = tables.clone();
    changed[0].labels[0] = 2;
    let error = Journal::open(&path, &design, &changed).unwrap_err();
    assert!(matches!(error, JournalError::Other { what: "state of the data", .. }), "{error}");

    // A run that occurs twice, as if two had written to the file.
    let unit = run(&design, &tables, 1)[0].to_json();
    let append = |text: &str| {
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(text.as_bytes()).unwrap();
    };
    append(&format!("{unit}\n{unit}\n"));
    let error = Journal::open(&path, &design, &tables).unwrap_err();
    assert!(matches!(error, JournalError::Line { line: 3, .. }), "{error}");
    fs::remove_file(&path).unwrap();
    Journal::open(&path, &design, &tables).unwrap();
    append("{}\n");
    let error = Journal::open(&path, &design, &tables).unwrap_err();
    assert!(matches!(error, JournalError::Line { line: 2, .. }), "{error}");
}
