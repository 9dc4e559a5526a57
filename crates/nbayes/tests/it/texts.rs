//! Texts: one spelling of a word, emoji, stop words, and rows that say nothing.

use crate::folder::Folder;

/// Spellings of "café" and of "don't", emoji, and single characters.
const POSTS: &str = "post,liked\n\
                     caf\u{e9} great \u{1f44d}\u{1f3fd},yes\n\
                     cafe\u{301} bad \u{1f44e},no\n\
                     CAFE\u{301} great \u{2764}\u{fe0f},yes\n\
                     \u{ff23}\u{ff21}\u{ff26}\u{ff25}\u{301} don\u{2019}t \u{2764},no\n\
                     don't go x 7,no\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("posts.csv", POSTS);
    folder
}

/// The vocabulary of a model that is trained with these options.
fn terms(folder: &Folder, options: &str) -> Vec<String> {
    folder.ok(&format!("train posts.csv --label liked --text post -o terms.json --sums-only {options}"));
    let model: serde_json::Value = serde_json::from_slice(&folder.read("terms.json")).unwrap();
    let kind = model["schema"]["columns"][0]["kind"].as_object().unwrap();
    let terms = kind.values().next().unwrap()["terms"]["vocabulary"].as_array().unwrap();
    terms.iter().map(|term| term.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_word_has_one_spelling_and_emoji_are_words() {
    let folder = folder();
    let (heart, thumb, down) = ("\u{2764}", "\u{1f44d}\u{1f3fd}", "\u{1f44e}");
    let all = ["7", "bad", "caf\u{e9}", "don't", "go", "great", "x", heart, thumb, down];
    assert_eq!(terms(&folder, ""), all);
    assert_eq!(terms(&folder, "--emoji drop"), all[..7]);
    let runs = ["7", "bad", "caf\u{e9}", "don", "go", "great", "t", "x", heart, thumb, down];
    assert_eq!(terms(&folder, "--words alphanumeric"), runs);
    assert_eq!(terms(&folder, "--words alphanumeric --min-chars 1"), runs);
    // The minimum is one of words.
    assert_eq!(terms(&folder, "--min-chars 3"), ["bad", "caf\u{e9}", "don't", "great", heart, thumb, down]);
    let as_written = terms(&folder, "--normalization none --emoji drop");
    assert!(
        as_written.contains(&"cafe\u{301}".to_owned()) && as_written.contains(&"don\u{2019}t".to_owned())
    );
    // What older versions could say is a file that they can read.
    for (options, version) in [("--normalization none --emoji drop", 1), ("--emoji drop", 5), ("", 5)] {
        terms(&folder, options);
        let inspected: serde_json::Value =
            serde_json::from_str(&folder.ok("inspect terms.json --json")).unwrap();
        assert_eq!(inspected["format_version"], version, "{options}");
    }
    // A schema file keeps the switches, and a model its own when it is updated.
    folder.ok("schema posts.csv --label liked --text post --normalization none --emoji drop -o posts.toml");
    folder.ok("train --plain posts.csv --schema posts.toml -o a.nb");
    folder.ok("train --plain posts.csv --label liked --text post --normalization none --emoji drop -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
    folder.write("twice.csv", format!("{POSTS}{}", POSTS.strip_prefix("post,liked\n").unwrap()));
    folder.ok("update a.nb posts.csv");
    folder.ok("train --plain twice.csv --schema posts.toml -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
    assert!(folder.fails(1, "merge a.nb terms.json -o c.nb").contains("post"));
}

#[test]
fn stop_words_are_spelt_like_the_texts() {
    let folder = folder();
    folder.write("stop.txt", "\u{feff}Cafe\u{301}\r\nDON\u{2019}T\r\n\r\n\u{2764}\u{fe0f}\r\n");
    let left = ["7", "bad", "go", "great", "x", "\u{1f44d}\u{1f3fd}", "\u{1f44e}"];
    assert_eq!(terms(&folder, "--stop-words stop.txt"), left);
    // An entry that is two words under another rule adds both.
    assert_eq!(terms(&folder, "--words alphanumeric --stop-words stop.txt"), left);

    folder.write("idle.txt", "go\nx\n7\n--\n");
    let train = "train posts.csv --label liked --text post -o a.nb";
    let run = folder.nbayes(&format!("{train} --stop-words idle.txt --min-chars 2"));
    assert_eq!(run.code, 0);
    let note = "idle.txt: 3 of 4 stop words cannot match any word, such as \"x\": shorter than 2 characters";
    assert_eq!(run.stderr.matches(note).count(), 1, "{}", run.stderr);
    let run = folder.nbayes(&format!("{train} --stop-words idle.txt"));
    assert!(run.stderr.contains("1 of 4 stop words cannot match any word, such as \"--\""), "{}", run.stderr);
    let run = folder.nbayes(&format!("{train} --stop-words english --min-chars 4"));
    assert!(!run.stderr.contains("cannot match"), "{}", run.stderr);

    let error = folder.fails(1, &format!("{train} --stop-words german"));
    assert!(
        error.contains("\"german\" is neither a file nor a built-in list (built-in: english)"),
        "{error}"
    );
    folder.write("pairs.txt", "go\n\nNew York\n");
    let error = folder.fails(1, &format!("{train} --stop-words pairs.txt"));
    assert!(error.contains("pairs.txt: line 3: \"New York\" is several words"), "{error}");
}

#[test]
fn the_reason_why_no_term_is_left_is_said() {
    let folder = Folder::new();
    folder.write("t.csv", "a,y\nto be or,u\nnot to be,v\n");
    folder.write("marks.csv", "a,y\n?!,u\n--,v\n");
    folder.write("stop.txt", "to\nbe\nor\nnot\n");
    for (file, options, message) in [
        (
            "t",
            "--min-chars 4",
            "all 6 words are shorter than 4 characters; use a lower minimum length (`--min-chars`)",
        ),
        ("t", "--stop-words stop.txt", "all 6 words are stop words; use fewer stop words (`--stop-words`)"),
        ("t", "--min-documents 3", "all 4 distinct words are in fewer than 3 cells, at most in 2; "),
        ("t", "--n-grams 4", "no cell has 4 words that are not left out"),
        (
            "t",
            "--max-terms 0",
            "the vocabulary may have no terms; use a larger maximum size, or none (`--max-terms`)",
        ),
        ("marks", "", "none of the 2 cells has a word; leave the column out (`--ignore`)"),
    ] {
        let error = folder.fails(1, &format!("train {file}.csv --label y --text a -o a.nb {options}"));
        assert!(error.contains(&format!("{file}.csv: column \"a\": {message}")), "{options}: {error}");
    }
    // Hashed terms have no vocabulary; every term is in one text or more.
    for option in ["--min-documents 2", "--max-terms 9"] {
        let error = folder.fails(2, &format!("train t.csv --label y --text a -o a.nb --hash 64 {option}"));
        let name = option.split(' ').next().unwrap();
        assert!(error.contains(&format!("--hash cannot be used with {name}")), "{error}");
    }
    folder.ok("train t.csv --label y --text a -o a.nb --hash 64 --min-documents 1");
}

#[test]
fn rows_without_a_known_word_are_counted() {
    let folder = folder();
    folder.write("new.csv", "post,liked\nunknown words,yes\n?,no\ngreat \u{2764},yes\n");
    folder.write("mixed.csv", "post,colour,liked\ngreat day,red,yes\nbad day,blue,no\n");
    folder.write("mixed_new.csv", "post,colour,liked\nunknown,green,yes\ngreat,red,yes\n");
    let train = |file: &str, options: &str| {
        folder.ok(&format!("train {file} --label liked --text post -o a.nb {options}"));
    };
    let notes = |arguments: &str| folder.nbayes(arguments).stderr;
    for command in ["predict", "evaluate"] {
        train("posts.csv", "--plain");
        let note = "2 of 3 rows have no known word; their label is that of the prior\n";
        assert_eq!(notes(&format!("{command} a.nb new.csv")), note);
        assert_eq!(notes(&format!("{command} a.nb posts.csv")), "");
        assert_eq!(notes(&format!("{command} a.nb new.csv --quiet")), "");
        train("posts.csv", "--text-model bernoulli");
        let note = "2 of 3 rows have no known word; their label is that of a text without words\n";
        assert_eq!(notes(&format!("{command} a.nb new.csv")), note);
        train("mixed.csv", "");
        let note = "colour: 1 cell has a category not seen in training\n1 of 2 rows has no known word; only its other columns count\n";
        assert_eq!(notes(&format!("{command} a.nb mixed_new.csv")), note);
        // A model without texts has no words to know.
        folder.ok("train mixed.csv --label liked --ignore post -o a.nb");
        assert_eq!(notes(&format!("{command} a.nb mixed.csv")), "");
    }
}

#[test]
fn improbable_labels_can_be_left_out() {
    let folder = folder();
    folder.ok("train posts.csv --label liked --text post -o a.nb --plain");
    folder.write("new.csv", "post\ncaf\u{e9}\ngreat \u{2764}\ngreat great great\n");
    assert_eq!(folder.ok("predict a.nb new.csv"), "predicted_liked\nno\nyes\nyes\n");
    // 6/11, 25/33 and more
    let run = folder.nbayes("predict a.nb new.csv --min-probability 0.7");
    assert_eq!((run.code, run.stdout.as_str()), (0, "predicted_liked\n\"\"\nyes\nyes\n"));
    assert_eq!(run.stderr, "1 of 3 rows has no label: its most probable class has a probability below 0.7\n");
    let run = folder.nbayes("predict a.nb new.csv --min-probability 0.8 --abstain unsure");
    assert_eq!(run.stdout, "predicted_liked\nunsure\nunsure\nyes\n");
    assert!(run.stderr.starts_with("2 of 3 rows are labelled \"unsure\""), "{}", run.stderr);
    let json = folder.ok("predict a.nb new.csv --min-probability 0.7 --json");
    assert!(json.starts_with("{\"predicted_liked\":null}\n{\"predicted_liked\":\"yes\"}\n"), "{json}");
    // Probabilities stay, and labels do where they are probable enough.
    let sure = folder.ok("predict a.nb new.csv --proba --log-proba");
    let run = folder.nbayes("predict a.nb new.csv --proba --log-proba --min-probability 0.5");
    assert_eq!((run.stdout, run.stderr.as_str()), (sure, ""));
    let run = folder.ok("predict a.nb new.csv --proba --min-probability 1");
    assert!(run.lines().nth(1).unwrap().starts_with(",0.54"), "{run}");

    folder.write("known.csv", "post,liked\ncaf\u{e9},yes\ngreat \u{2764},no\ngreat great great,yes\n");
    let result: serde_json::Value =
        serde_json::from_str(&folder.nbayes("evaluate a.nb known.csv --min-probability 0.7 --json").stdout)
            .unwrap();
    assert_eq!(result["coverage"], 2.0 / 3.0);
    assert_eq!(result["covered_accuracy"], 0.5);
    assert!(folder.ok("evaluate a.nb known.csv --min-probability 0.7").contains("covered accuracy"));
    assert!(!folder.ok("evaluate a.nb known.csv").contains("cover"));

    for arguments in [
        "predict a.nb new.csv --min-probability 1.1",
        "predict a.nb new.csv --min-probability nan",
        "predict a.nb new.csv --abstain unsure",
        "predict a.nb new.csv --min-probability 0.5 --abstain yes",
    ] {
        folder.fails(2, arguments);
    }
}
