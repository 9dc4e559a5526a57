//! What messages say: names, counts, and what to do.

use crate::folder::Folder;

#[test]
fn a_model_of_one_class_has_nothing_to_explain() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,a\n4,a\n");
    folder.ok("train a.csv --label y --gaussian x -o one.nb");
    let error = folder.fails(1, "explain one.nb a.csv --row 1");
    assert_eq!(error, "nbayes: the model has only the class \"a\", so there is no log-odds to explain\n");
    let error = folder.fails(1, "explain one.nb a.csv --row 1 --against b");
    assert!(error.contains("only the class \"a\""), "{error}");
}

#[test]
fn an_index_beyond_the_limit_is_refused_with_a_remedy() {
    let folder = Folder::new();
    folder.write("a.svm", "a 1:1\nb 16777217:2\n");
    assert_eq!(
        folder.fails(1, "train a.svm"),
        "nbayes: a.svm, line 2: the index 16777217 is too large: at most 16,777,216 columns are supported; number the \
         columns without gaps, or hash the indices into fewer\n"
    );
    // With a model the columns are known.
    folder.write("b.svm", "a 1:1\nb 1:2\n");
    folder.ok("train b.svm -o m.nb");
    assert!(folder.fails(1, "predict m.nb a.svm").contains("the index 16777217 is beyond the 1 columns"));
}

#[test]
fn forget_says_that_nothing_was_written() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,a\n8,b\n9,b\n");
    folder.write("other.csv", "x,y\n1,a\n2,a\n3,a\n");
    folder.ok("train a.csv --label y --gaussian x -o m.nb");
    let before = folder.read("m.nb");
    let error = folder.fails(1, "forget m.nb other.csv");
    assert!(error.starts_with("nbayes: the rows of other.csv: cannot remove these rows: "), "{error}");
    assert!(error.ends_with("). Nothing was written\n"), "{error}");
    assert_eq!(folder.read("m.nb"), before);
}

fn with_categories(n_columns: usize) -> Folder {
    let folder = Folder::new();
    let names: Vec<String> = (1..=n_columns).map(|column| format!("c{column}")).collect();
    let row = |cell: &str, label: &str| format!("{},{label}\n", vec![cell; n_columns].join(","));
    let (header, known) = (format!("{},y\n", names.join(",")), row("red", "a") + &row("blue", "b"));
    folder.write("a.csv", format!("{header}{known}{known}"));
    folder.ok(&format!("train a.csv --label y --categorical {} -o m.nb", names.join(",")));
    // In the first row all cells are new, in the second that of the last column.
    let last = format!("{}green,a\n", "red,".repeat(n_columns - 1));
    folder.write("new.csv", format!("{header}{}{last}{known}", row("green", "b")));
    folder
}

#[test]
fn columns_with_unseen_categories_are_named() {
    let folder = with_categories(2);
    let notes =
        "c2: 2 cells have categories not seen in training\nc1: 1 cell has a category not seen in training\n";
    for command in ["predict", "evaluate"] {
        assert_eq!(folder.nbayes(&format!("{command} m.nb new.csv")).stderr, notes);
        assert_eq!(folder.nbayes(&format!("{command} m.nb a.csv")).stderr, "");
        assert_eq!(folder.nbayes(&format!("{command} m.nb new.csv --quiet")).stderr, "");
    }
    let notes = with_categories(7).nbayes("predict m.nb new.csv").stderr;
    let lines: Vec<&str> = notes.lines().collect();
    assert_eq!(lines.len(), 6, "{notes}");
    assert_eq!(lines[0], "c7: 2 cells have categories not seen in training");
    assert_eq!(lines[4], "c4: 1 cell has a category not seen in training");
    assert_eq!(lines[5], "... and 2 more columns");
}

#[test]
fn labels_without_a_class_are_named() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,a\n8,b\n9,b\n");
    folder.ok("train a.csv --label y --gaussian x -o m.nb");
    folder.write("b.csv", "x,y\n1,a\n2,z\n3,y\n4,z\n8,b\n");
    let text = folder.ok("evaluate m.nb b.csv");
    assert!(
        text.contains("3 rows have labels that the model does not know: \"z\" (2 rows), \"y\" (1 row)\n"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&folder.ok("evaluate m.nb b.csv --json")).unwrap();
    assert_eq!(json["unseen_labels"], 3);
    assert_eq!(
        json["unknown_labels"],
        serde_json::json!([{"label": "z", "rows": 2}, {"label": "y", "rows": 1}])
    );
    let rows: Vec<String> = (0..2000).map(|row| format!("{row},l{row}\n")).collect();
    folder.write("many.csv", format!("x,y\n1,a\n{}", rows.concat()));
    let text = folder.ok("evaluate m.nb many.csv");
    let named = "2000 rows have labels that the model does not know: \"l0\" (1 row), \"l1\" (1 row), \"l10\" (1 row), \
                 \"l100\" (1 row), \"l101\" (1 row), others (1995 rows)\n";
    assert!(text.contains(named), "{text}");
}
