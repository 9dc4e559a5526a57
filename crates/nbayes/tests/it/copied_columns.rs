//! Columns of the input that `predict` copies to its output.

use crate::folder::Folder;

const NEW: &str = "name,x,note,label,nr\n\"a, b\",1,,b,007\nc,9.50,\"say \"\"so\"\"\",a,1e3\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "x,label\n1,a\n2,a\n8,b\n9,b\n");
    folder.ok("train a.csv --label label --gaussian x -o m.nb");
    folder.write("new.csv", NEW);
    folder
}

#[test]
fn several_identifiers_are_copied() {
    let folder = folder();
    let csv = folder.ok("predict m.nb new.csv --id nr,name");
    assert_eq!(csv, "nr,name,predicted_label\n007,\"a, b\",a\n1e3,c,b\n");
    assert_eq!(folder.ok("predict m.nb new.csv --id nr --id name"), csv);
    // Each column once, by name, position or pattern.
    assert_eq!(folder.ok("predict m.nb new.csv --id nr,name,nr"), csv);
    assert_eq!(folder.ok("predict m.nb new.csv --id #5,na*"), csv);
    let error = folder.fails(1, "predict m.nb new.csv --id nr,nme");
    assert!(
        error.contains("column \"nme\" not found") && error.contains("did you mean \"name\"?"),
        "{error}"
    );
    assert!(folder.fails(1, "predict m.nb new.csv --id z*").contains("no column matches \"z*\""));
}

#[test]
fn all_columns_are_kept() {
    let folder = folder();
    let csv = folder.ok("predict m.nb new.csv --keep --proba");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "name,x,note,label,nr,predicted_label,p(a),p(b)");
    assert!(lines[1].starts_with("\"a, b\",1,,b,007,a,"), "{csv}");
    assert!(lines[2].starts_with("c,9.50,\"say \"\"so\"\"\",a,1e3,b,"), "{csv}");
    let json = folder.ok("predict m.nb new.csv --keep --json");
    let first = "{\"name\":\"a, b\",\"x\":\"1\",\"note\":\"\",\"label\":\"b\",\"nr\":\"007\",\"predicted_label\":\"a\"}";
    assert_eq!(json.lines().next(), Some(first));
    assert!(folder.fails(2, "predict m.nb new.csv --keep --id x").contains("cannot be used with"));
}

#[test]
fn what_is_written_can_be_read_again() {
    let folder = folder();
    let expected = folder.ok("predict m.nb new.csv --keep");
    for file in ["out.csv", "out.tsv", "out.jsonl", "out.parquet"] {
        folder.ok(&format!("predict m.nb new.csv --keep -o {file}"));
        let again = folder.ok(&format!("predict m.nb {file} --keep --quiet"));
        for (line, before) in again.lines().zip(expected.lines()) {
            assert!(line.starts_with(before), "{file}: {again}");
        }
        assert_eq!(again.lines().count(), expected.lines().count());
    }
}

#[test]
fn files_may_have_other_orders() {
    let folder = folder();
    folder.write("more.csv", "more,nr,label,note,x,name\n5,8,b,n,2,d\n");
    let csv = folder.ok("predict m.nb new.csv more.csv --keep");
    assert_eq!(csv.lines().last(), Some("d,2,n,b,8,a"));
    let error = folder.fails(1, "predict m.nb more.csv new.csv --keep -o out.csv");
    assert!(error.contains("column \"more\" not found"), "{error}");
    assert!(!folder.names().contains(&"out.csv".to_owned()));
    // From standard input, too, and without a header.
    let run = folder.nbayes_with("predict m.nb - --keep", NEW);
    assert_eq!(run.stdout, folder.ok("predict m.nb new.csv --keep"));
    folder.ok("train a.csv --label x2 --no-header --categorical x1 -o n.nb");
    assert_eq!(folder.ok("predict n.nb a.csv --keep").lines().next(), Some("x1,x2,predicted_x2"));
}

#[test]
fn files_without_names_have_none_to_keep() {
    let folder = folder();
    folder.write("a.svm", "a 1:1\nb 1:9\n");
    folder.ok("train a.svm -o s.nb");
    let error = folder.fails(2, "predict s.nb a.svm --keep");
    assert!(error.contains("a.svm has no columns with names"), "{error}");
}
