//! Rows that are impossible under every class, and models of one class: all commands agree.

use crate::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "c,d,y\nu,p,a\nu,p,a\nv,q,b\nv,q,b\n");
    folder.write("b.csv", "c,d,y\nu,q,a\nu,p,a\n");
    folder.ok("train a.csv --label y --smoothing 0 -o m.nb");
    folder
}

#[test]
fn no_label_is_explained_as_no_label() {
    let folder = folder();
    assert_eq!(folder.ok("predict m.nb b.csv"), "predicted_y\n\"\"\na\n");
    let text = folder.ok("explain m.nb b.csv --row 1");
    assert!(text.starts_with("row 1: no label, as the row is impossible under every class\n"), "{text}");
    assert!(text.contains("actual label: a (not predicted)"), "{text}");
    assert!(text.contains("\n a       d = q\n b       c = u\n"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("explain m.nb b.csv --row 1 --json")).unwrap();
    assert!(json["label"].is_null() && json["actual"] == "a" && json.get("log_odds").is_none(), "{json}");
    assert_eq!(json["impossible"][0]["features"][0]["name"], "d");
    let evaluated: serde_json::Value =
        serde_json::from_str(&folder.ok("evaluate m.nb b.csv --json")).unwrap();
    assert_eq!(evaluated["impossible_rows"], 1);
}

#[test]
fn what_one_class_cannot_have_is_infinite_evidence() {
    let folder = folder();
    let text = folder.ok("explain m.nb b.csv --row 2");
    assert!(text.starts_with("row 2: a (probability 1), log-odds inf against b\n"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("explain m.nb b.csv --row 2 --json")).unwrap();
    assert_eq!((&json["label"], &json["log_odds"]), (&"a".into(), &"inf".into()));
    // With one of them gone the other is as impossible still.
    folder.write("c.csv", "c,d,y\nu,p,a\nu,q,a\nv,q,b\nv,q,b\nv,q,b\n");
    folder.ok("train c.csv --label y --smoothing 0 -o n.nb");
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("explain n.nb c.csv --row 2 --json")).unwrap();
    assert_eq!((&json["label"], &json["tipping"]), (&"a".into(), &serde_json::json!(["c"])), "{json}");
}

#[test]
fn one_class_is_said_in_words() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,a\n3,a\n");
    folder.ok("train a.csv --label y");
    let error = folder.fails(1, "explain a.nb a.csv --row 1");
    assert!(error.contains("only the class \"a\"") && !error.contains("Some"), "{error}");
}
