//! `--id` with the name of another column of the output.

use crate::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "x,p(a),label\n1,7,a\n2,7,a\n8,8,b\n9,8,b\n");
    folder.ok("train a.csv --label label --gaussian x --ignore p(a) -o m.nb");
    folder
}

#[test]
fn true_and_predicted_labels_stand_side_by_side() {
    let folder = folder();
    folder.write("b.csv", "x,label\n1,b\n9,a\n");
    assert_eq!(folder.ok("predict m.nb b.csv --id label"), "label,predicted_label\nb,a\na,b\n");
    let json = folder.ok("predict m.nb b.csv --id label --json");
    assert_eq!(json.lines().next(), Some("{\"label\":\"b\",\"predicted_label\":\"a\"}"));
    folder.ok("predict m.nb b.csv --id label -o out.jsonl");
    assert_eq!(folder.read("out.jsonl"), json.as_bytes());
    // The files can be read again, by either column.
    for file in ["out.csv", "out.parquet", "out.tsv"] {
        folder.ok(&format!("predict m.nb b.csv --id label -o {file}"));
        let text = folder.ok(&format!("schema {file} --label label"));
        assert!(text.contains("\"predicted_label\" = \"categorical\""), "{text}");
        let text = folder.ok(&format!("schema {file} --label predicted_label"));
        assert!(text.contains("\"label\" = \"categorical\""), "{text}");
    }
}

#[test]
fn queries_have_the_same_names() {
    let folder = folder();
    let query = |id: &str| folder.ok(&format!("sql --predict m.nb --dialect duckdb --id {id}"));
    assert!(query("label").contains("END AS \"predicted_label\""), "{}", query("label"));
    assert!(query("x").contains("END AS \"predicted_label\""), "{}", query("x"));
    assert!(query("log_p(a)").contains("AS \"predicted_log_p(a)\""), "{}", query("log_p(a)"));
}

#[test]
fn probabilities_keep_their_place() {
    let folder = folder();
    let csv = folder.ok("predict m.nb a.csv --id p(a) --proba");
    assert!(csv.starts_with("p(a),predicted_label,predicted_p(a),p(b)\n7,a,"), "{csv}");
    assert!(folder.ok("predict m.nb a.csv --id x --proba").starts_with("x,predicted_label,p(a),p(b)\n"));
}
