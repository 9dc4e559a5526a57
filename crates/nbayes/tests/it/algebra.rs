//! Models as evidence: adding, merging, taking out, fading.

use crate::folder::Folder;

/// The rows of the titanic in two files, and a model of each and of all.
fn titanic() -> Folder {
    let folder = Folder::new();
    let csv = String::from_utf8(nb_datasets::csv("titanic").unwrap()).unwrap();
    let mut lines = csv.lines();
    let header = lines.next().unwrap();
    let rows: Vec<&str> = lines.collect();
    let file = |rows: &[&str]| format!("{header}\n{}\n", rows.join("\n"));
    folder.write("all.csv", file(&rows));
    folder.write("first.csv", file(&rows[..900]));
    folder.write("rest.csv", file(&rows[900..]));
    for name in ["all", "first", "rest"] {
        folder.ok(&format!("train --sums-only {name}.csv --label Survived"));
    }
    folder
}

#[test]
fn several_files_are_one() {
    let folder = titanic();
    folder.ok("train --sums-only first.csv rest.csv --label Survived -o both.nb");
    assert_eq!(folder.read("both.nb"), folder.read("all.nb"));
}

#[test]
fn merging_is_training_on_all() {
    let folder = titanic();
    folder.ok("merge first.nb rest.nb -o merged.nb");
    assert_eq!(folder.read("merged.nb"), folder.read("all.nb"));
    folder.ok("merge rest.nb first.nb -o merged.nb");
    assert_eq!(folder.read("merged.nb"), folder.read("all.nb"));
}

/// Mails of two days, the second with words that the first does not have, and then none at all.
fn mails() -> Folder {
    let folder = Folder::new();
    folder.write("monday.csv", "text,label\nred car,car\nred bus,car\nfresh bread,food\ngreen bread,food\n");
    folder.write("tuesday.csv", "text,label\nyellow taxi,car\nbanana bread,food\nyellow banana,food\n");
    folder.write("empty.csv", "text,label\n?!,car\n");
    folder.write("later.csv", "text,label\n?!,car\nyellow taxi,car\nbanana bread,food\nyellow banana,food\n");
    folder
}

#[test]
fn updating_learns_new_words_as_training_does() {
    let folder = mails();
    folder.ok("train --plain monday.csv --label label --text text -o model.nb");
    folder.ok("train --plain monday.csv later.csv --label label --text text -o all.nb");
    folder.ok("update model.nb tuesday.csv empty.csv");
    assert_eq!(folder.read("model.nb"), folder.read("all.nb"));
    // What was learnt can be forgotten; a word that the model does not have was not in it.
    folder.write("other.csv", "text,label\nblue car,car\n");
    let error = folder.fails(1, "forget model.nb other.csv");
    assert!(
        error.contains(
            "they were not in the model (column \"text: blue\", class \"car\": negative count (-1))"
        ),
        "{error}"
    );
    assert_eq!(folder.read("model.nb"), folder.read("all.nb"));
}

#[test]
fn a_restricted_vocabulary_stays_and_says_so() {
    let folder = mails();
    folder.ok("train --plain monday.csv --label label --text text --min-documents 2 -o model.nb");
    let run = folder.nbayes("update model.nb tuesday.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let note =
        "column \"text\": 3 new terms are not counted, because the vocabulary was restricted in training";
    assert!(run.stderr.contains(note), "{}", run.stderr);
}

#[test]
fn columns_that_are_not_binary_any_more_are_named() {
    let folder = Folder::new();
    folder.write("first.csv", "b,y\n0,a\n1,b\n0,a\n1,b\n");
    folder.write("more.csv", "b,y\n7,a\n1,b\n2.5,a\n,b\n");
    folder.ok("train --plain first.csv --label y -o model.nb");
    let run = folder.nbayes("update model.nb more.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("column \"b\": 2 values are neither 0 nor 1"), "{}", run.stderr);
    assert_eq!(folder.nbayes("update model.nb first.csv").stderr, "");
}

#[test]
fn removing_rows_that_were_never_added_changes_nothing() {
    let folder = titanic();
    let before = folder.read("first.nb");
    let error = folder.fails(1, "forget first.nb rest.csv");
    assert!(error.contains("cannot remove these rows: they were not in the model"), "{error}");
    assert!(error.contains("class \"No\"") || error.contains("class \"Yes\""), "{error}");
    assert_eq!(folder.read("first.nb"), before);
    folder.ok("forget first.nb first.csv");
    let error = folder.fails(1, "forget first.nb first.csv");
    assert!(error.contains("it has no class \"No\""), "{error}");
}

#[test]
fn fading_many_times_leaves_a_model() {
    let folder = Folder::new();
    let cell = |n: usize, cells: [&'static str; 3]| cells[n % 3];
    let row = |n: usize| {
        let (x, b, c, z) =
            ("0.1", cell(n, ["0", "1", ""]), cell(n / 3, ["u", "v", ""]), cell(n / 9, ["0", "2.5", ""]));
        format!("{x},{b},{c},{z},{}\n", if n.is_multiple_of(2) { "p" } else { "q" })
    };
    folder.write("rows.csv", format!("x,b,c,z,y\n{}", (0..300).map(row).collect::<String>()));
    folder.ok("train --plain rows.csv --label y --gaussian x --zero-inflated-gaussian z -o model.nb");
    for _ in 0..12 {
        folder.ok("decay model.nb --factor 0.93");
        folder.ok("predict model.nb rows.csv");
    }
    folder.ok("update model.nb rows.csv");
    folder.ok("forget model.nb rows.csv");
    folder.ok("predict model.nb rows.csv");
}

#[test]
fn what_is_added_can_be_forgotten() {
    let folder = titanic();
    folder.ok("update first.nb rest.csv -o updated.nb");
    assert_eq!(folder.read("updated.nb"), folder.read("all.nb"));
    let inspect =
        |name: &str| folder.ok(&format!("inspect {name} --json --top 3")).lines().skip(4).collect::<String>();
    folder.ok("forget updated.nb rest.csv");
    folder.ok("forget all.nb rest.csv");
    assert_eq!(inspect("updated.nb"), inspect("all.nb"));
}

#[test]
fn what_was_never_added_cannot_be_forgotten() {
    let folder = titanic();
    let before = folder.read("first.nb");
    let error = folder.fails(1, "forget first.nb all.csv");
    assert!(error.contains("all.csv"), "{error}");
    assert_eq!(folder.read("first.nb"), before);
}

#[test]
fn evidence_fades() {
    let folder = titanic();
    let text = folder.ok("decay all.nb --factor 0.5 -o half.nb");
    assert!(text.contains("total weight 2201 is now 1100.5"), "{text}");
    assert!(folder.fails(2, "decay all.nb --factor 0").contains("above 0"));
    assert!(folder.fails(2, "decay all.nb --factor -1").contains("above 0"));
}
