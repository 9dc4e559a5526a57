//! Columns selected by patterns, by position, and by names with commas.

use crate::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    let row = |row: usize| {
        let (class, size) = (["near", "far"][row % 2], row % 7 + 5 * (row % 2));
        format!("{row},{},{size}.5,{},{},{class}\n", 100 - row, row % 3, row * 7 % 11)
    };
    let rows: String = (0..40).map(row).collect();
    folder.write("a.csv", format!("id_1,id_2,size,\"grade,old\",y_count,y\n{rows}"));
    folder
}

/// The lines of the columns of a schema, without the reasons.
fn columns(folder: &Folder, options: &[&str]) -> Vec<String> {
    let words = ["schema", "a.csv", "--label", "y"].iter().chain(options);
    let run = folder.nbayes_with_words(&words.map(|word| (*word).to_owned()).collect::<Vec<_>>(), "");
    assert_eq!(run.code, 0, "{options:?}: {}", run.stderr);
    let lines = run.stdout.lines().skip_while(|line| *line != "[columns]").skip(1);
    lines.filter_map(|line| Some(line.split(" # ").next()?.trim().to_owned())).collect()
}

fn refused(folder: &Folder, code: i32, options: &[&str]) -> String {
    let words = ["train", "--plain", "a.csv", "--label", "y"].iter().chain(options);
    let run = folder.nbayes_with_words(&words.map(|word| (*word).to_owned()).collect::<Vec<_>>(), "");
    assert_eq!(run.code, code, "{options:?}: {}{}", run.stdout, run.stderr);
    run.stderr
}

#[test]
fn patterns_are_the_names_that_match_them() {
    let folder = folder();
    let named = columns(&folder, &["--ignore", "id_1,id_2", "--gaussian", "size"]);
    assert!(named.contains(&"\"size\" = \"gaussian\"".to_owned()), "{named:?}");
    for options in [
        ["--ignore", "id_*", "--gaussian", "size"],
        ["--ignore", "id_?", "--gaussian", "#3"],
        ["--ignore", "#1,#2", "--gaussian", "s*z*"],
        ["--ignore", "*1,*2", "--gaussian", "size"],
    ] {
        assert_eq!(columns(&folder, &options), named, "{options:?}");
    }
}

#[test]
fn a_name_goes_before_a_pattern() {
    let folder = folder();
    let found = columns(&folder, &["--ignore", "*", "--gaussian", "size"]);
    let kept: Vec<&String> = found.iter().filter(|line| !line.contains("\"ignore\"")).collect();
    assert_eq!(kept, ["\"size\" = \"gaussian\""], "{found:?}");
    let error = refused(&folder, 2, &["--ignore", "id_*", "--gaussian", "*_1"]);
    assert!(
        error.contains("\"id_1\"") && error.contains("--ignore") && error.contains("--gaussian"),
        "{error}"
    );
    // Twice the same is no contradiction.
    assert_eq!(columns(&folder, &["--ignore", "id_*,*_1"]), columns(&folder, &["--ignore", "id_*"]));
}

#[test]
fn names_in_quotes_have_commas() {
    let folder = folder();
    let found = columns(&folder, &["--categorical", "\"grade,old\",y_count"]);
    for line in ["\"grade,old\" = \"categorical\"", "\"y_count\" = \"categorical\""] {
        assert!(found.iter().any(|found| found == line), "{found:?}");
    }
    assert!(refused(&folder, 1, &["--categorical", "grade,old"]).contains("column \"grade\" not found"));
}

#[test]
fn labels_and_weights_match_no_pattern() {
    let folder = folder();
    assert_eq!(columns(&folder, &["--ignore", "y*"]), columns(&folder, &["--ignore", "y_count"]),);
    let weighted = columns(&folder, &["--weights", "y_count", "--gaussian", "*"]);
    assert!(!weighted.iter().any(|line| line.contains("y_count")), "{weighted:?}");
    let error = refused(&folder, 1, &["--ignore", "#6"]);
    assert_eq!(error, "nbayes: a.csv: #6 is the column \"y\", which has the labels or weights\n");
}

#[test]
fn a_pattern_without_columns_is_refused() {
    let folder = folder();
    let error = refused(&folder, 1, &["--ignore", "ID_*"]);
    assert_eq!(
        error,
        "nbayes: a.csv: no column matches \"ID_*\"; the columns are \"id_1\", \"id_2\", \"size\", \"grade,old\", \"y_count\"\n"
    );
    let error = refused(&folder, 1, &["--ignore", "#7"]);
    assert_eq!(error, "nbayes: a.csv: #7 is not a column; the columns are numbered from #1 to #6\n");
}

#[test]
fn every_format_has_names() {
    let folder = folder();
    folder.ok("train --plain a.csv --label y --ignore id_1,id_2 -o m.nb");
    folder.ok("sample m.nb -n 30 --seed 1 -o s.csv");
    for file in ["s.parquet", "s.jsonl"] {
        folder.ok(&format!("sample m.nb -n 30 --seed 1 -o {file}"));
        let named = folder.ok(&format!("schema {file} --label y --gaussian size"));
        assert_eq!(folder.ok(&format!("schema {file} --label y --gaussian s*")), named, "{file}");
        assert_eq!(folder.ok(&format!("schema {file} --label y --gaussian si?e")), named, "{file}");
    }
    folder.write("a.svm", "near 1:2 2:3.5 3:1\nfar 1:1 2:0.5\n");
    let named = folder.ok("schema a.svm --label y --gaussian x1,x2,x3");
    assert_eq!(folder.ok("schema a.svm --label y --gaussian x*"), named);
    assert_eq!(folder.ok("schema a.svm --label y --gaussian #1,#2,x3"), named);
}
