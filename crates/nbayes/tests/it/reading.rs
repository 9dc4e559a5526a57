//! How delimited text is read is detected, shown, decided by options or a schema file, and kept with the
//! model.

use crate::folder::Folder;

const ROWS: &str = "5.5,3,a\n4.5,1,b\n5.6,3,a\n4.4,2,b\n";

#[test]
fn a_file_without_a_header_is_noticed() {
    let folder = Folder::new();
    folder.write("a.csv", ROWS);
    let run = folder.nbayes("train a.csv --label x3");
    assert_eq!(run.code, 0, "{run:?}");
    let note = "a.csv: no header, as the first row has numbers in the columns of numbers; columns are named x1 to x3";
    assert!(run.stderr.contains(note), "{run:?}");
    assert!(run.stdout.contains("4 rows, 2 columns"), "{run:?}");
    folder.ok("train a.csv --label x3 --no-header -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
    // The model keeps it.
    assert_eq!(folder.ok("predict a.nb a.csv"), "predicted_x3\na\nb\na\nb\n");
    folder.write("named.csv", format!("x1,x2,x3\n{ROWS}"));
    assert_eq!(folder.ok("predict a.nb named.csv --header"), folder.ok("predict a.nb a.csv"));
    // A column of the given name means that there is a header, and so does an option.
    let run = folder.nbayes("train a.csv --label a -o c.nb");
    assert!(run.stdout.contains("3 rows") && run.stderr.is_empty(), "{run:?}");
    let error = folder.fails(1, "train a.csv --label y --header -o c.nb");
    assert!(error.contains("the file has 3 columns: \"5.5\", \"3\", \"a\""), "{error}");
    let error = folder.fails(1, "train a.csv --label y -o c.nb");
    assert!(error.contains("the file has 3 columns: \"x1\", \"x2\", \"x3\""), "{error}");
    folder.fails(2, "train a.csv --label y --header --no-header -o c.nb");
}

#[test]
fn titles_and_comments_are_left_out() {
    let folder = Folder::new();
    folder.write("plain.csv", format!("x,n,y\n{ROWS}"));
    let lines: Vec<&str> = ROWS.lines().collect();
    let text = format!(
        "Measured, in May\n# of flowers\nx,n,y\n{}\n# again, \"\n{}\n",
        lines[0],
        lines[1..].join("\n")
    );
    folder.write("a.csv", text);
    folder.ok("train plain.csv --label y");
    folder.ok("train a.csv --label y --skip-lines 1 --comment # --sums-only");
    let predicted = folder.ok("predict plain.nb plain.csv");
    // The model keeps both.
    assert_eq!(folder.ok("predict a.nb a.csv"), predicted);
    assert!(folder.ok("inspect a.nb").contains("format version 7"));
    assert_eq!(folder.ok("predict plain.nb a.csv --skip-lines 1 --comment #"), predicted);
    let error = folder.fails(2, "train a.csv --label y --comment ab -o c.nb");
    assert!(error.contains("one ASCII punctuation character"), "{error}");
}

#[test]
fn a_file_with_a_header_only_is_one_of_several() {
    let folder = Folder::new();
    folder.write("a.csv", format!("x,n,y\n{ROWS}"));
    folder.write("empty.csv", "n,y,x\n");
    folder.ok("train a.csv --label y");
    for files in ["a.csv empty.csv", "empty.csv a.csv"] {
        folder.ok(&format!("train {files} --label y -o b.nb"));
        assert_eq!(folder.read("a.nb"), folder.read("b.nb"), "{files}");
    }
    let error = folder.fails(1, "train empty.csv empty.csv --label y -o b.nb");
    assert!(error.contains("empty.csv") && error.contains("rows"), "{error}");
    folder.write("other.csv", "n,y,z\n");
    let error = folder.fails(1, "train a.csv other.csv --label y -o b.nb");
    assert!(error.contains("other.csv: column \"x\" not found"), "{error}");
}

#[test]
fn a_schema_file_shows_how_files_are_read_and_is_obeyed() {
    let folder = Folder::new();
    folder.write("a.csv", "sep=;\nx;n;y\n5,5;3;a\n4,5;-;b\n5,6;3;a\n4,4;2;b\n");
    let schema = folder.ok("schema a.csv --label y --missing -");
    for line in [
        "# encoding = \"UTF-8\"\n",
        "# delimiter = \";\"\n",
        "# decimal = \",\"\n",
        "# quoting = true\n",
        "# header = true\n",
        "# skip_lines = 0\n",
        "# comment = \"#\"\n",
        "\nmissing = [\"\", ",
    ] {
        assert!(schema.contains(line), "{line}\n{schema}");
    }
    folder.write("s.toml", &schema);
    folder.ok("train a.csv --schema s.toml -o a.nb");
    folder.ok("train a.csv --label y --missing - -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
    // An edited file is obeyed: without the missing marker and with another decimal separator.
    let edited = schema
        .replace("# delimiter = \";\"", "delimiter = \";\"")
        .replace("# decimal = \",\"", "decimal = \".\"");
    folder.write("s.toml", edited.replace("\"-\", ", ""));
    let report = folder.nbayes("train a.csv --schema s.toml -o c.nb --ignore x --categorical n");
    assert!(report.stdout.contains("n        categorical, 3 categories"), "{report:?}");
    assert!(report.stderr.is_empty(), "{report:?}");
    let json: serde_json::Value = serde_json::from_str(&{
        folder.ok("convert c.nb c.json");
        String::from_utf8(folder.read("c.json")).unwrap()
    })
    .unwrap();
    assert_eq!((&json["reading"]["delimiter"], &json["reading"]["decimal"]), (&59.into(), &46.into()));
    // Options go before the file.
    folder.ok("train a.csv --schema s.toml --decimal , --missing - -o d.nb");
    for (from, to, message) in [
        ("[reading]", "[reading]\ndelimeter = \";\"", "did you mean \"delimiter\"?"),
        ("decimal = \".\"", "decimal = \"!\"", "decimal = \"!\": it must be a comma or a point"),
        ("[columns]", "[colums]", "did you mean \"columns\"?"),
    ] {
        folder.write("bad.toml", edited.replace(from, to));
        let error = folder.fails(1, "train a.csv --schema bad.toml -o e.nb");
        assert!(error.contains(message), "{error}");
    }
}

/// Words that are rare in each file need not be so in all, and a file may have no words.
#[test]
fn vocabularies_are_those_of_all_files() {
    let folder = Folder::new();
    let rows = [
        "\"win a prize now\",spam\n\"see you at lunch\",ham\n",
        "\"a prize to win\",spam\n\"lunch with you\",ham\n",
        "\"!\",ham\n\"...\",spam\n",
    ];
    let file = |rows: &[&str]| format!("text,y\n{}", rows.concat());
    folder.write("all.csv", file(&rows));
    for (name, row) in ["a.csv", "b.csv", "none.csv"].into_iter().zip(rows) {
        folder.write(name, file(&[row]));
    }
    for options in ["", "--min-documents 2", "--max-terms 3", "--idf", "--idf --hash 64", "--hash 64"] {
        folder.ok(&format!("train all.csv --label y --text text {options} -o all.nb"));
        for files in ["a.csv b.csv none.csv", "none.csv b.csv a.csv"] {
            folder.ok(&format!("train {files} --label y --text text {options} -o parts.nb"));
            assert_eq!(folder.read("all.nb"), folder.read("parts.nb"), "{options}, {files}");
        }
    }
    let error = folder.fails(1, "train none.csv none.csv --label y --text text -o c.nb");
    assert!(
        error.contains("\"text\": none of the 4 cells has a word") && error.contains("--ignore"),
        "{error}"
    );
}

#[test]
fn lines_that_repeat_the_names_are_no_rows() {
    let folder = Folder::new();
    folder.write("plain.csv", format!("x,n,y\n{ROWS}"));
    folder.write("joined.csv", format!("x,n,y\n{}x,n,y\n{}", &ROWS[..16], &ROWS[16..]));
    folder.ok("train plain.csv --label y");
    let note =
        "joined.csv: line 4 repeats the names of the columns, as in files joined by `cat`, and is no row";
    for command in [
        "train joined.csv --label y",
        "profile joined.csv --label y",
        "predict plain.nb joined.csv",
        "evaluate plain.nb joined.csv",
        "update plain.nb joined.csv -o more.nb",
        "split joined.csv --label y",
    ] {
        let run = folder.nbayes(command);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(run.stderr.matches(note).count(), 1, "{run:?}");
    }
    assert_eq!(folder.read("plain.nb"), folder.read("joined.nb"));
    assert_eq!(folder.ok("predict plain.nb joined.csv"), folder.ok("predict plain.nb plain.csv"));
    let rows = [folder.read("joined.train.csv"), folder.read("joined.test.csv")].concat();
    assert_eq!(String::from_utf8(rows).unwrap().matches("x,n,y").count(), 2);
    folder.write("often.csv", format!("x,n,y\n{ROWS}x,n,y\n{ROWS}x,n,y\n{ROWS}"));
    let run = folder.nbayes("predict plain.nb often.csv");
    let note = "often.csv: 2 lines repeat the names of the columns, as in files joined by `cat`, and are no rows; the first is line 6";
    assert!(run.stderr.contains(note), "{run:?}");
}

/// Rows of features, an identifier and a class.
fn rows_with_identifiers() -> String {
    let row = |row: usize| format!("{}.5\tname {row}\t{}\t{}\n", row * 7 % 10, row % 3, ["p", "q"][row % 2]);
    (0..40).map(row).collect::<Vec<String>>().concat()
}

#[test]
fn headers_of_orange_are_read() {
    let folder = Folder::new();
    let rows = rows_with_identifiers();
    folder.write("plain.tab", format!("x\tid\tz\ty\n{rows}"));
    folder.ok("train plain.tab --label y --ignore id --gaussian x --categorical z");
    let headers = [
        (
            "lines",
            "x\tid\tz\ty\nc\ts\td\td\n\tm\t\tclass\n",
            "the second and third lines have types and roles",
        ),
        ("prefixes", "C#x\tmS#id\tD#z\tcD#y\n", "the names of the columns have prefixes"),
    ];
    for (name, header, note) in headers {
        folder.write(&format!("{name}.tab"), format!("{header}{rows}"));
        let run = folder.nbayes(&format!("train {name}.tab"));
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(run.stderr.matches(note).count(), 1, "{run:?}");
        assert!(run.stderr.contains("the class is \"y\""), "{run:?}");
        assert!(
            run.stdout.contains("no feature, the file says \"meta\"; `--categorical id` keeps it"),
            "{run:?}"
        );
        assert!(run.stdout.contains("40 rows, 2 columns"), "{run:?}");
        assert_eq!(folder.read("plain.nb"), folder.read(&format!("{name}.nb")), "{name}");
        // Files with either header, or another one, are rows of the same model.
        let predicted = folder.ok("predict plain.nb plain.tab");
        assert_eq!(folder.ok(&format!("predict plain.nb {name}.tab")), predicted);
        assert_eq!(folder.ok(&format!("predict {name}.nb plain.tab")), predicted);
        let kept = folder.ok(&format!("train {name}.tab --categorical id -o kept.nb"));
        assert!(kept.contains("40 rows, 3 columns"), "{kept}");
        folder.ok(&format!("split {name}.tab --label y"));
        folder.ok(&format!("train {name}.train.tab -o part.nb"));
        folder.ok(&format!("train {name}.tab --test-fraction 0.3 -o held.nb"));
    }
    // As they are.
    folder.ok("train prefixes.tab --orange off --label cD#y -o off.nb");
    assert!(folder.ok("predict off.nb prefixes.tab").starts_with("predicted_cD#y\n"));
    let run = folder.nbayes("train lines.tab --orange off --label y -o off.nb");
    assert!(run.stdout.contains("42 rows"), "{run:?}");
    // A label by option is another column.
    let run = folder.ok("train lines.tab --label z -o z.nb");
    assert!(run.contains("no feature, the file says \"class\""), "{run}");
    folder.fails(2, "train plain.tab -o c.nb");
}

#[test]
fn a_title_above_the_header_is_named() {
    let folder = Folder::new();
    folder.write("plain.csv", format!("x,n,y\n{ROWS}"));
    folder.write("titled.csv", format!("Flowers of May\n\nx,n,y\n{ROWS}"));
    folder.ok("train plain.csv --label y");
    let error = folder.fails(1, "train titled.csv --label y");
    assert!(error.contains("the file has 1 column: \"Flowers of May\"; line 3 has it"), "{error}");
    assert!(error.contains("(`--skip-lines 2`)") && !error.contains("--delimiter"), "{error}");
    let error = folder.fails(1, "predict plain.nb titled.csv");
    assert!(error.contains("(`--skip-lines 2`)"), "{error}");
    folder.ok("train titled.csv --label y --skip-lines 2");
    assert_eq!(folder.ok("predict titled.nb titled.csv"), folder.ok("predict plain.nb plain.csv"));
}

#[test]
fn a_last_row_of_totals_is_noticed() {
    let folder = Folder::new();
    for (name, last) in [("own", "Total,20,8.0"), ("missing", "SUM,20,")] {
        folder.write(&format!("{name}.csv"), format!("x,n,y\n{ROWS}{last}\n"));
        let run = folder.nbayes(&format!("train {name}.csv --label y"));
        let note =
            format!("{name}.csv: line 6, the last row, begins with {:?}", &last[..last.find(',').unwrap()]);
        assert_eq!((run.code, run.stderr.matches(&note).count()), (0, 1), "{run:?}");
    }
    folder.write("plain.csv", format!("x,n,y\n{ROWS}Total,20,a\n"));
    assert!(!folder.nbayes("train plain.csv --label y").stderr.contains("totals"));
}
