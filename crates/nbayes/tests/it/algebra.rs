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
        folder.ok(&format!("train {name}.csv --label Survived"));
    }
    folder
}

#[test]
fn several_files_are_one() {
    let folder = titanic();
    folder.ok("train first.csv rest.csv --label Survived -o both.nb");
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
