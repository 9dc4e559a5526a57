//! `nbayes forget`: nothing remembers the rows.

use std::fmt::Write;

use crate::folder::Folder;

/// Numbers, towns, messages and labels; rows of `first` have names that no others have.
fn rows(first: usize, n_rows: usize, names: bool) -> String {
    let words = ["apple", "pear", "cherry", "plum", "grape", "fig"];
    let mut text = String::from("x,town,note,label\n");
    for row in first..first + n_rows {
        let mixed = row.wrapping_mul(2_654_435_761) >> 5;
        let town = if names { "Zurich" } else { ["Bern", "Rome", "Oslo"][mixed % 3] };
        let name = if names { " johnson" } else { "" };
        let (one, other) = (words[mixed / 3 % 6], words[mixed / 18 % 6]);
        let label = ["ham", "spam"][usize::from(mixed % 7 < 3)];
        writeln!(text, "{}.5,{town},{one} {other}{name},{label}", mixed % 11).unwrap();
    }
    text
}

#[test]
fn names_that_only_the_forgotten_rows_had_are_gone() {
    let folder = Folder::new();
    folder.write("old.csv", rows(0, 150, false));
    folder.write("new.csv", rows(500, 6, true));
    folder.write("class.csv", rows(500, 6, true).replace(",spam", ",phish"));
    for options in [
        "--plain",
        "",
        "--sums-only",
        "--idf --plain",
        "--tan x,town",
        "--aode x,town",
        "--grouped town --plain",
    ] {
        folder.ok(&format!("train old.csv --label label {options} -o old.nb"));
        for file in ["new.csv", "class.csv"] {
            if options.is_empty() && file == "class.csv" {
                continue; // weights are for the classes that they were learnt for
            }
            folder.ok(&format!("update old.nb {file} -o both.nb"));
            let holds = |file: &str, name: &str| {
                folder.read(file).windows(name.len()).any(|part| part == name.as_bytes())
            };
            assert!(holds("both.nb", "johnson") && holds("both.nb", "Zurich"), "{options}");
            folder.ok(&format!("forget both.nb {file} -o after.nb"));
            assert!(folder.read("after.nb") == folder.read("old.nb"), "{options} {file}");
        }
    }
}

#[test]
fn a_model_is_that_of_the_rows_that_are_left() {
    let folder = Folder::new();
    let (kept, gone) = (rows(0, 150, false), rows(500, 6, true));
    folder.write("kept.csv", &kept);
    folder.write("gone.csv", &gone);
    folder.write("all.csv", format!("{kept}{}", gone.split_once('\n').unwrap().1));
    for options in ["--sums-only", "--sums-only --tan x,town"] {
        folder.ok(&format!("train kept.csv --label label {options} -o kept.nb"));
        folder.ok(&format!("train all.csv --label label {options} -o all.nb"));
        folder.ok("forget all.nb gone.csv -o rest.nb");
        assert!(folder.read("rest.nb") == folder.read("kept.nb"), "{options}");
    }
}

#[test]
fn rows_that_were_never_added_are_refused() {
    let folder = Folder::new();
    folder.write("all.csv", "x,class\n1,a\n2,a\n3,a\n7,b\n8,b\n9,b\n");
    folder.write("others.csv", "x,class\n1.5,a\n2.5,a\n");
    folder.ok("train all.csv --label class --plain -o m.nb");
    let before = folder.read("m.nb");
    let error = folder.fails(1, "forget m.nb others.csv");
    assert!(error.contains("were not all in the model, by the fingerprint of its rows"), "{error}");
    assert!(error.contains("(--force). Nothing was written"), "{error}");
    assert_eq!(folder.read("m.nb"), before);
    folder.ok("forget m.nb others.csv --force -o forced.nb");
    // Many rows of another time, whose counts the model could have.
    folder.write("old.csv", rows(0, 2000, false));
    folder.write("other.csv", rows(0, 700, false).replace(".5,", ".25,"));
    folder.ok("train old.csv --label label --plain --ignore note -o old.nb");
    let error = folder.fails(1, "forget old.nb other.csv");
    assert!(error.contains("by the fingerprint of its rows"), "{error}");
}
