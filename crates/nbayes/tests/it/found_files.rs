//! Folders and patterns in place of files: the same as the files by their names.

use crate::folder::Folder;

/// Some of the rows of a table whose columns tell the label.
fn rows(numbers: std::ops::Range<usize>) -> String {
    let row = |row: usize| format!("{}.{row:03},{}\n", row * 7 % 23 + 6 * (row % 2), ["no", "yes"][row % 2]);
    numbers.map(row).fold("x,y\n".to_owned(), |all, row| all + &row)
}

/// A folder with the table in three files, and with files that are not rows.
fn with_files() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("small/in")).unwrap();
    folder.write("small/b.csv", rows(50..100));
    folder.write("small/a.csv", rows(0..50));
    folder.write("small/in/c.csv", rows(100..150));
    for name in ["small/_SUCCESS", "small/.a.csv.crc", "small/.hidden.csv"] {
        folder.write(name, "not a table");
    }
    folder
}

fn run(folder: &Folder, words: &[&str]) -> (i32, String, String) {
    let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
    let run = folder.nbayes_with_words(&words, "");
    (run.code, run.stdout, run.stderr)
}

#[test]
fn folders_and_patterns_train_the_model_of_their_files() {
    let folder = with_files();
    folder.ok("train small/a.csv small/b.csv small/in/c.csv -l y -o named.nb");
    let named = folder.read("named.nb");
    for (number, (files, note)) in [
        (&["small"][..], "3 files of small\n"),
        (&["small/"], "3 files of small/\n"),
        (&["small/**/*.csv"], "3 files for 'small/**/*.csv'\n"),
        (&["small/?.csv", "small/in"], "2 files for 'small/?.csv'\n1 file of small/in\n"),
        (&["small/[ab].csv", "small/in/c.csv"], "2 files for 'small/[ab].csv'\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let output = format!("{number}.nb");
        let (code, _, error) = run(&folder, &[&["train"], files, &["-l", "y", "-o", &output]].concat());
        assert_eq!((code, error), (0, note.to_owned()), "{files:?}");
        assert_eq!(folder.read(&output), named, "{files:?}");
    }
}

#[test]
fn all_commands_of_several_files_take_folders() {
    let folder = with_files();
    folder.ok("train small/a.csv -l y -o m.nb");
    folder.ok("update m.nb small/b.csv small/in/c.csv -o named.nb");
    folder.write("all.csv", rows(0..150));
    let (code, _, error) = run(&folder, &["update", "m.nb", "small/b.csv", "small/in", "-o", "found.nb"]);
    assert_eq!((code, error.as_str()), (0, "1 file of small/in\n"));
    assert_eq!(folder.read("found.nb"), folder.read("named.nb"));
    assert_eq!(folder.ok("predict m.nb small --quiet"), folder.ok("predict m.nb all.csv"));
    assert_eq!(folder.ok("evaluate named.nb small --json"), folder.ok("evaluate named.nb all.csv --json"));
    for command in [
        "profile small -l y",
        "schema small -l y",
        "monitor m.nb small",
        "decide m.nb small --positive yes --maximize accuracy",
        "calibrate m.nb small --force -o calibrated.nb",
        "refit m.nb --add small/in -o refit.nb --only-given --force",
        "forget named.nb small/in -o forgotten.nb",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let (code, out, error) = run(&folder, &words);
        assert!([0, 4].contains(&code), "{command}: {out}{error}");
        assert_eq!(error.matches(" of small").count(), 1, "{command}: {error}");
    }
}

#[test]
fn names_that_stand_for_no_files_are_errors() {
    let folder = with_files();
    std::fs::create_dir(folder.path("empty")).unwrap();
    std::fs::create_dir(folder.path("mixed")).unwrap();
    folder.write("mixed/a.csv", rows(0..50));
    folder.write("mixed/b.jsonl", "{}");
    let fails = |files: &[&str]| {
        let (code, _, error) = run(&folder, &[&["train"], files, &["-l", "y", "-o", "m.nb"]].concat());
        assert_eq!(code, 2, "{error}");
        error
    };
    for (files, expected) in [
        (&["empty"][..], "the folder empty has no data files"),
        (&["small/*.tsv"], "no file matches \"small/*.tsv\""),
        (&["small/[.csv"], "not a valid pattern"),
        (
            &["mixed"],
            "the files of \"mixed\" have different formats: mixed/a.csv and mixed/b.jsonl; name those of one, such as \"mixed/**/*.csv\"",
        ),
        (&["mixed/*"], "different formats"),
        (&["small", "small/a.csv"], "small/a.csv is named twice"),
        (&["small/*.csv", "small/a*"], "small/a.csv is named twice"),
        (&["all.csv", "--test", "small"], "small is a folder, and one file is needed"),
    ] {
        folder.write("all.csv", rows(0..150));
        let error = fails(files);
        assert!(error.contains(expected), "{files:?}: {error}");
    }
}

#[test]
fn outputs_and_test_rows_in_the_folder_are_inputs() {
    let folder = with_files();
    folder.ok("train small/a.csv -l y -o m.nb");
    let error = folder.fails(2, "predict m.nb small -o small/a.csv");
    assert!(error.contains("the output small/a.csv is also an input"), "{error}");
    let error = folder.fails(2, "train small -l y --test small/in/c.csv");
    assert!(error.contains("the test file small/in/c.csv is also small/in/c.csv"), "{error}");
}

#[test]
fn a_model_has_the_name_of_the_folder() {
    let folder = with_files();
    for files in ["small", "small/*.csv"] {
        folder.ok(&format!("train {files} -l y"));
        std::fs::remove_file(folder.path("small.nb")).unwrap();
    }
    let error = folder.fails(2, "train *.csv -l y");
    assert!(error.contains("no output file given; name it with -o MODEL"), "{error}");
}

#[test]
fn files_with_the_names_of_patterns_are_themselves() {
    let folder = Folder::new();
    folder.write("[a].csv", rows(0..50));
    folder.write("a.csv", "no rows\n");
    folder.write("@iris", rows(0..50));
    folder.ok("train [a].csv -l y -o m.nb");
    let (code, _, error) = run(&folder, &["profile", "@i*"]);
    assert_eq!(code, 1, "{error}");
    let (code, out, error) = run(&folder, &["evaluate", "m.nb", "?iris"]);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("50"), "{out}");
}

#[test]
fn addresses_are_refused_with_a_way_to_get_the_files() {
    let folder = Folder::new();
    folder.write("t.csv", rows(0..50));
    folder.ok("train t.csv -l y -o m.nb");
    for (address, expected) in [
        ("https://example.org/t.csv", "`curl -LO 'https://example.org/t.csv'`"),
        ("s3://bucket/t.parquet", "`aws s3 cp 's3://bucket/t.parquet' .`"),
        ("s3a://bucket/days/*.parquet", "`aws s3 cp 's3://bucket/days/*.parquet' .`"),
        ("gs://bucket/days", "`gcloud storage cp -r 'gs://bucket/days' .`"),
        ("hdfs://host/t.csv", "copy it to this machine"),
        ("file:///data/t.csv", "name the file by its path"),
    ] {
        for command in [
            "train FILE -l y -o n.nb",
            "predict m.nb FILE",
            "profile FILE",
            "split FILE",
            "explain m.nb FILE --row 1",
        ] {
            let error = folder.fails(2, &command.replace("FILE", address));
            assert!(error.contains(&format!("{address} is an address")), "{command}: {error}");
            assert!(error.contains(expected), "{command}: {error}");
            let is_readable = !address.starts_with("hdfs") && !address.starts_with("file");
            assert_eq!(error.contains("`nb-datafusion`"), is_readable, "{command}: {error}");
        }
    }
    // A folder may have the name of a scheme.
    std::fs::create_dir(folder.path("http:")).unwrap();
    folder.write("http:/t.csv", rows(0..50));
    folder.ok("train http://t.csv -l y -o n.nb");
}
