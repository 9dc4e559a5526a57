//! Tables as other programs export them: delimiters, decimals, gaps, misprints and row numbers.

use std::fmt::Write;

use crate::folder::Folder;

/// A table of `n` rows with two columns of numbers and one of categories.
fn measured(n: usize) -> String {
    let mut text = String::from("width,length,colour,kind\n");
    for row in 0..n {
        let side = row % 2;
        let (width, length) = (1.25 + side as f64 + (row % 7) as f64 / 8.0, 20.5 - (row % 5) as f64 / 4.0);
        let colour = ["red", "blue", "green"][(row * row + side) % 3];
        writeln!(text, "{width:.3},{length:.1},{colour},{}", ["near", "far"][side ^ usize::from(row == 5)])
            .unwrap();
    }
    text
}

#[test]
fn delimiters_and_decimal_commas_are_found() {
    let folder = Folder::new();
    let text = measured(60);
    folder.write("plain.csv", &text);
    folder.ok("train --plain plain.csv --label kind");
    let semicolons = text.replace(',', ";");
    for (name, content, note) in [
        ("s.csv", semicolons.clone(), "s.csv: delimiter \";\"\n"),
        ("t.csv", text.replace(',', "\t"), "t.csv: delimiter \"\\t\"\n"),
        ("b.txt", text.replace(',', "|"), "b.txt: delimiter \"|\"\n"),
        (
            "excel.csv",
            format!("sep=;\r\n{}", semicolons.replace('\n', "\r\n")),
            "excel.csv: delimiter \";\"\n",
        ),
        ("mark.csv", format!("\u{FEFF}{semicolons}"), "mark.csv: delimiter \";\"\n"),
        ("comma.csv", semicolons.replace('.', ","), "comma.csv: delimiter \";\", decimal separator \",\"\n"),
        ("t.tsv", text.replace(',', "\t"), ""),
    ] {
        folder.write(name, content);
        let run = folder.nbayes(&format!("train --plain {name} --label kind -o other.nb"));
        assert_eq!((run.code, run.stderr.as_str()), (0, note), "{name}");
        assert_eq!(folder.read("other.nb"), folder.read("plain.nb"), "{name}");
        let run = folder.nbayes(&format!("predict plain.nb {name}"));
        assert_eq!(run.stdout, folder.ok("predict plain.nb plain.csv"), "{name}");
        assert_eq!(run.stderr, note);
        let evaluated = folder.nbayes(&format!("evaluate plain.nb {name}"));
        assert_eq!(evaluated.stdout, folder.ok("evaluate plain.nb plain.csv"), "{name}");
    }
    let run = folder.nbayes("train --plain comma.csv --label kind -o other.nb -q");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn delimiters_and_decimals_can_be_overruled() {
    let folder = Folder::new();
    folder.write("a.csv", "x;y\n1,5;a\n2,5;b\n1,75;a\n2,25;b\n");
    folder.ok("train --plain a.csv --label y");
    assert!(folder.ok("inspect a.nb").contains("gaussian"));
    let run = folder.nbayes("train --plain a.csv --label y --decimal . -o b.nb");
    assert_eq!(run.stderr, "a.csv: delimiter \";\"\n");
    assert!(run.stdout.contains("categorical, 4 categories"), "{}", run.stdout);
    let error = folder.fails(1, "train --plain a.csv --label y --delimiter , -o c.nb");
    assert_eq!(
        error,
        "nbayes: a.csv: column \"y\" not found; the file has 1 column: \"x;y\" (is the delimiter another one?); \
         name it with `--delimiter`\n"
    );
    // In quotes there may be commas of either kind.
    folder.write("q.csv", "x,y\n\"1,5\",a\n\"2,5\",b\n\"1,75\",a\n\"2,25\",b\n");
    folder.ok("train --plain q.csv --label y --decimal ,");
    assert_eq!(folder.ok("predict q.nb q.csv --proba"), folder.ok("predict a.nb a.csv --proba"));
    folder.write("w.csv", "x;w;y\n1,5;0,5;a\n2,5;1,5;b\n1,75;2;a\n2,25;1;b\n");
    folder.ok("train --plain w.csv --label y --weights w");
    assert!(
        folder.fails(2, "train --plain w.csv --label y --decimal x -o x.nb").contains("a comma or a point")
    );
}

#[test]
fn what_columns_there_are_is_said_when_one_is_not_found() {
    let folder = Folder::new();
    let header: Vec<String> = (1..=12).map(|column| format!("x{column}")).collect();
    folder.write("a.csv", format!("{}\n{}\n", header.join(","), ["1"; 12].join(",")));
    let error = folder.fails(1, "train --plain a.csv --label kind -o a.nb");
    assert!(error.ends_with("12 columns, of which the first are \"x1\", \"x2\", \"x3\", \"x4\", \"x5\", \"x6\", \"x7\", \"x8\", \"x9\", \"x10\"\n"), "{error}");
}

#[test]
fn columns_without_values_are_left_out() {
    let folder = Folder::new();
    folder.write("plain.csv", "x,y\n1,a\n2,b\n3,a\n5,b\n");
    folder.write("a.csv", "x,notes,y,more\n1,,a,NA\n2,,b,\n3,,a,?\n5,,b,\n");
    let text = folder.ok("train --plain a.csv --label y");
    assert!(text.contains(" notes    left out   no cell has a value"), "{text}");
    assert!(text.contains(" more ") && text.contains("4 rows, 1 column,"), "{text}");
    folder.ok("train --plain plain.csv --label y");
    assert_eq!(folder.read("a.nb"), folder.read("plain.nb"));
    assert_eq!(folder.ok("predict plain.nb a.csv"), folder.ok("predict plain.nb plain.csv"));
    let schema = folder.ok("schema a.csv --label y");
    assert!(schema.contains("\"notes\" = \"ignore\" # no cell has a value\n"), "{schema}");
    folder.write("s.toml", schema);
    folder.ok("train --plain a.csv --schema s.toml -o s.nb");
    assert_eq!(folder.read("s.nb"), folder.read("plain.nb"));
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("train --plain a.csv --label y -o j.nb --json")).unwrap();
    assert_eq!(json["left_out"][0]["name"], "notes");
    // Values in another file are values.
    folder.write("b.csv", "x,notes,y,more\n1,7,a,\n2,8,b,\n3,9,a,\n5,7.5,b,\n");
    let text = folder.ok("train --plain a.csv b.csv --label y -o c.nb");
    assert!(text.contains(" notes    gaussian   all cells are numbers"), "{text}");
    folder.write("c.csv", "x,y\n,a\n,b\n");
    let error = folder.fails(1, "train --plain c.csv --label y -o d.nb");
    assert_eq!(error, "nbayes: no column is left to learn from: \"x\" is left out, as no cell has a value\n");
}

#[test]
fn a_few_texts_among_numbers_are_missing_cells() {
    let folder = Folder::new();
    let mut lines: Vec<String> = measured(400).lines().map(String::from).collect();
    folder.write("plain.csv", lines.join("\n"));
    // The first cell, one in the middle, and one that the other columns must not notice.
    for (line, text) in [(1, "-"), (200, "n.a."), (201, "-"), (300, "two")] {
        let rest = lines[line].split_once(',').unwrap().1.to_owned();
        lines[line] = format!("{text},{rest}");
    }
    folder.write("a.csv", lines.join("\n"));
    let text = folder.ok("train --plain a.csv --label kind");
    let why = "gaussian                    numbers, but 4 of 400 cells are not and are missing: line 2 has \"-\", \
               line 201 has \"n.a.\", line 202 has \"-\", ...";
    assert!(text.contains(why), "{text}");
    // As if the markers had been named, except for what the model says of further files.
    folder.ok("train --plain a.csv --label kind --missing=-,n.a.,two -o named.nb");
    assert_eq!(folder.ok("predict a.nb plain.csv --proba"), folder.ok("predict named.nb plain.csv --proba"));
    let run = folder.nbayes("predict a.nb a.csv");
    assert_eq!(
        run.stderr,
        "4 cells in numeric columns are not numbers and count as missing, as in training; --strict refuses them\n"
    );
    assert_eq!(run.stdout, folder.ok("predict named.nb a.csv"));
    assert!(folder.fails(1, "predict a.nb a.csv --strict").contains("line 2, column \"width\""));
    assert!(
        folder.nbayes("evaluate a.nb a.csv").stderr.contains("4 cells in numeric columns are not numbers")
    );
    assert!(
        folder
            .nbayes("update a.nb a.csv -o twice.nb")
            .stderr
            .contains("4 cells in numeric columns are not numbers")
    );
    folder.ok("train --plain a.csv --label kind --tune -o tuned.nb");
    folder.ok("train --sums-only a.csv plain.csv --label kind -o both.nb");
    folder.ok("train --sums-only plain.csv a.csv --label kind -o other.nb");
    assert_eq!(folder.read("both.nb"), folder.read("other.nb"));
    let error = folder.fails(1, "train --plain a.csv --label kind --strict -o b.nb");
    assert!(error.contains("a.csv: line 2, column \"width\": \"-\" is not a number"), "{error}");
    // The user knows better.
    assert!(
        folder.ok("train --plain a.csv --label kind --categorical width -o c.nb").contains("as requested")
    );
    assert!(folder.fails(1, "train --plain a.csv --label kind --gaussian width -o d.nb").contains("line 2"));
    // More than one in ten are categories.
    for line in &mut lines[1..=42] {
        *line = format!("none,{}", line.split_once(',').unwrap().1);
    }
    folder.write("many.csv", lines.join("\n"));
    assert!(folder.ok("train --plain many.csv --label kind").contains("not all cells are numbers"));
    folder.ok("train --plain many.csv --label kind --strict -o strict.nb");
}

#[test]
fn rows_without_a_label_are_counted_or_skipped() {
    let folder = Folder::new();
    folder.write("plain.csv", "x,y\n1,a\n2,b\n3,a\n5,b\n");
    folder.write("a.csv", "x,y\n1,a\n7,\n2,b\n3,a\n8,NA\n5,b\n9,?\n");
    let error = folder.fails(1, "train --plain a.csv --label y --unlabeled error");
    assert_eq!(
        error,
        "nbayes: a.csv, line 3, column \"y\": \"\" is a missing label, the first of 3; fill it in, or have rows without \
         a label skipped (`--unlabeled skip`)\n"
    );
    let note = "a.csv: 3 rows have no label and are left out; `--unlabeled error` refuses them";
    let run = folder.nbayes("train --plain a.csv --label y");
    assert!(run.stdout.contains("4 rows (3 without a label left out), 1 column"), "{}", run.stdout);
    assert_eq!(run.stderr.matches(note).count(), 1, "{}", run.stderr);
    folder.ok("train --plain plain.csv --label y");
    assert_eq!(folder.read("a.nb"), folder.read("plain.nb"));
    let run = folder.nbayes("evaluate a.nb a.csv");
    assert_eq!(run.stdout, folder.ok("evaluate a.nb plain.csv"));
    assert!(run.stderr.contains(note), "{}", run.stderr);
    assert!(folder.fails(1, "evaluate a.nb a.csv --unlabeled error").contains("the first of 3"));
    folder.ok("update a.nb a.csv -o more.nb");
    folder.ok("update a.nb plain.csv -o same.nb");
    assert_eq!(folder.read("more.nb"), folder.read("same.nb"));
    // Rows have the numbers that they have in the file.
    let explained = folder.ok("explain a.nb a.csv --row 4");
    assert!(explained.contains("row 4:") && explained.contains("actual label: a"), "{explained}");
    assert!(!folder.ok("explain a.nb a.csv --row 2").contains("actual label"));
    // Rows are labelled whether or not they have a label.
    assert_eq!(folder.ok("predict a.nb a.csv").lines().count(), 8);
    folder.write("none.csv", "x,y\n1,\n2,\n");
    assert!(folder.fails(1, "train --plain none.csv --label y -o b.nb").contains("no rows"));
}

#[test]
fn errors_about_cells_name_the_line_whatever_was_left_out() {
    let folder = Folder::new();
    folder.write("a.csv", "c,w,y\nu,1,a\nv,1,\nu,1,b\nv,1,a\n\nv,1,b\n");
    folder.write("b.csv", "c,w,y\nu,1,a\nv,1,\n\nother,1,b\n");
    folder.write("c.csv", "c,w,y\nu,1,a\nv,1,\n\nv,-1,b\n");
    folder.ok("train --plain a.csv --label y --categorical c --gaussian w --unseen error -o m.nb");
    for command in ["evaluate", "predict", "importance"] {
        let error = folder.fails(1, &format!("{command} m.nb b.csv"));
        assert!(error.contains("b.csv, line 5, column \"c\": \"other\" was not seen"), "{command}: {error}");
    }
    let error = folder.fails(1, "train --plain c.csv --label y --weights w -o n.nb");
    assert!(error.contains("c.csv, line 5, column \"w\""), "{error}");
    let error = folder.fails(1, "train --plain c.csv --label y --poisson w -o n.nb");
    assert!(error.contains("c.csv, line 5, column \"w\""), "{error}");
}

#[test]
fn columns_that_count_the_rows_are_left_out() {
    let folder = Folder::new();
    let text = measured(60);
    folder.write("plain.csv", &text);
    folder.ok("train --plain plain.csv --label kind");
    let numbered = |name: &str, first: usize, quote: &str| {
        let mut lines = text.lines();
        let mut numbered = format!("{name},{}\n", lines.next().unwrap());
        for (row, line) in lines.enumerate() {
            writeln!(numbered, "{quote}{}{quote},{line}", first + row).unwrap();
        }
        numbered
    };
    for (name, first, quote) in
        [("", 0, ""), ("\"\"", 1, "\""), ("Unnamed: 0", 0, ""), ("rownames", 1, ""), ("Index", 1, "")]
    {
        folder.write("a.csv", numbered(name, first, quote));
        let report = folder.ok("train --plain a.csv --label kind -o a.nb");
        assert!(report.contains("left out                    it numbers or names the rows"), "{report}");
        assert_eq!(folder.read("a.nb"), folder.read("plain.nb"), "{name}");
        assert_eq!(folder.ok("predict a.nb a.csv"), folder.ok("predict a.nb plain.csv"));
    }
    // Another name, another first number, or the user's word.
    folder.write("a.csv", numbered("age", 0, ""));
    assert!(
        folder
            .ok("train --plain a.csv --label kind -o a.nb")
            .contains("left out                    its whole numbers rise")
    );
    folder.write("a.csv", numbered("index", 2, ""));
    assert!(folder.ok("train --plain a.csv --label kind -o a.nb").contains("it numbers or names the rows"));
    folder.write("a.csv", numbered("index", 0, ""));
    assert!(!folder.ok("train --plain a.csv --label kind -o a.nb --gaussian index").contains("left out"));
    folder.ok("train --plain a.csv a.csv --label kind -o a.nb");
}

#[test]
fn labels_that_look_like_regression_are_refused() {
    let folder = Folder::new();
    let rows = |n: usize, classes: usize| {
        let rows = (0..n).map(|row| format!("{},{}.5\n", row % 7, row % classes));
        format!("rooms,price\n{}", rows.collect::<String>())
    };
    folder.write("a.csv", rows(100, 51));
    let error = folder.fails(2, "train --plain a.csv --label price");
    assert!(
        error.contains("\"price\" has 51 different numbers in 100 rows, which looks like regression"),
        "{error}"
    );
    assert_eq!(folder.names(), ["a.csv"]);
    folder.ok("train --plain a.csv --label price --numeric-labels");
    for (n, classes) in [(102, 51), (80, 50)] {
        folder.write("b.csv", rows(n, classes).replace(".5", ""));
        folder.ok("train --plain b.csv --label price -o b.nb");
    }
    // Numbers with decimals are no codes of classes.
    folder.write("d.csv", rows(600, 51));
    let error = folder.fails(2, "train --plain d.csv --label price");
    assert!(error.contains("51 different numbers in 600 rows"), "{error}");
    folder.write("c.csv", rows(100, 60).replace(".5", " euros"));
    folder.ok("train --plain c.csv --label price");
}
