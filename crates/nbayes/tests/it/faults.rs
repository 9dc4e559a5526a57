//! Messages: as JSON where results are, in words of the program, and none where none are wanted.

use crate::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "c,y\nu,a\nu,a\nv,b\nv,b\n");
    folder.write("b.csv", "c,y\nu,a\nzz,b\n,a\n");
    folder.ok("train a.csv --label y --unseen error --missing-cells error -o m.nb");
    folder
}

#[test]
fn errors_are_json_where_results_are() {
    let folder = folder();
    for (code, arguments, part) in [
        (1, "predict m.nb b.csv --json", "\"zz\""),
        (1, "inspect none.nb --json", "none.nb"),
        (2, "--json train a.csv", "--label"),
        (2, "decay m.nb --factor 0 --json", "above 0"),
        (2, "predict m.nb --bogus --json", "--bogus"),
        (2, "train a.csv --label y --unseen maybe --json", "maybe"),
        (2, "predict --json", "required"),
        (2, "--json", "requires a subcommand"),
    ] {
        let error = folder.fails(code, arguments);
        let json: serde_json::Value = serde_json::from_str(&error).expect(&error);
        let object = json.as_object().unwrap();
        assert_eq!(object.keys().collect::<Vec<_>>(), ["error"], "{arguments}");
        let text = object["error"].as_str().unwrap();
        assert!(text.contains(part) && !text.starts_with("nbayes:"), "{arguments}: {text}");
        assert_eq!(error.lines().count(), 1);
    }
    // Notes are objects as well, so that every line is one.
    folder.write("c.csv", "c\nzz\n");
    folder.ok("train a.csv --label y -o n.nb");
    let run = folder.nbayes("predict n.nb c.csv --json");
    let note: serde_json::Value = serde_json::from_str(&run.stderr).unwrap();
    assert!(note["note"].as_str().unwrap().contains("not seen in training"), "{note}");
}

#[test]
fn quiet_says_nothing_but_errors_and_results() {
    let folder = folder();
    folder.write("c.csv", "c\nzz\n");
    for arguments in [
        "train a.csv --label y --plain -o q.nb -q",
        "update q.nb a.csv --quiet",
        "forget q.nb a.csv -q",
        "decay q.nb --factor 0.5 -q",
        "merge q.nb q.nb -o r.nb -q",
        "convert q.nb q.json -q",
        "predict q.nb c.csv -q -o q.csv",
        "schema a.csv --label y -q -o q.toml",
    ] {
        let run = folder.nbayes(arguments);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""), "{arguments}");
    }
    let run = folder.nbayes("predict q.nb c.csv -q");
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("predicted_y\na\n", ""));
    assert!(folder.ok("evaluate q.nb a.csv -q").contains("accuracy"));
    assert!(folder.ok("update q.nb a.csv -q --json").contains("\"rows\": 4"));
    assert!(folder.fails(1, "predict m.nb b.csv -q").contains("zz"));
}

#[test]
fn refused_cells_are_shown_as_they_are_written() {
    let folder = folder();
    folder.ok("sample m.nb -n 3 -o drawn.parquet");
    for arguments in ["predict m.nb b.csv", "evaluate m.nb b.csv", "explain m.nb b.csv --row 2"] {
        let error = folder.fails(1, arguments);
        assert!(error.contains("b.csv, line 3, column \"c\": \"zz\" was not seen in training"), "{error}");
        assert!(error.contains("\"u\", \"v\"") && error.contains("`--unseen ignore`"), "{error}");
    }
    // Also of a pipe, which can be read only once.
    let run = folder.nbayes_with("predict m.nb -", "c\nv\nyy\n");
    assert!(run.stderr.contains("standard input, line 3, column \"c\": \"yy\" was"), "{}", run.stderr);
    let error = folder.fails(1, "explain m.nb b.csv --row 3");
    assert!(error.contains("the cell is missing") && error.contains("`--missing-cells skip`"), "{error}");
    let error = folder.fails(1, "update m.nb b.csv");
    assert!(error.contains("line 4, column \"c\": the cell is missing"), "{error}");
}

#[test]
fn explanations_show_categories_that_were_not_seen() {
    let folder = Folder::new();
    folder.write("a.csv", "c,x,y\nu,1,a\nu,2,a\nv,3,a\nv,8,b\nv,9,b\n");
    folder.write("b.csv", "c,x\nu,1\nzz,9\n");
    folder.ok("train a.csv --label y --unseen other -o m.nb");
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("explain m.nb b.csv --row 2 --json")).unwrap();
    let features = json["features"].as_array().unwrap();
    let shown: Vec<_> = features.iter().filter(|feature| feature["name"] == "c").collect();
    assert_eq!(shown.len(), 1, "{json}");
    assert_eq!(shown[0]["value"], "zz (not seen)");
}

#[test]
fn messages_have_no_syntax_of_rust() {
    let folder = folder();
    for arguments in [
        "explain m.nb a.csv --row 1 --against z",
        "explain m.nb b.csv --row 2",
        "explain m.nb b.csv --row 3",
        "sample m.nb --class z",
        "train a.csv --label y --prior z=1 -o z.nb",
        "train a.csv --label y --missing-cells error --categorical d -o z.nb",
        "update m.nb b.csv",
    ] {
        let run = folder.nbayes(arguments);
        assert_ne!(run.code, 0, "{arguments}");
        for syntax in ["Some(", "None", "[\"", "::", "NaN"] {
            assert!(!run.stderr.contains(syntax), "{arguments}: {}", run.stderr);
        }
    }
}
