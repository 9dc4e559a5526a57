//! What comes from files and is printed: nothing of it moves the cursor, changes colours or turns lines
//! round.

use crate::folder::Folder;

/// A clear screen, a title, a bell, a control of 8 bits, an override of the direction, and a line end.
const NASTY: [&str; 6] =
    ["\u{1b}[2J", "\u{1b}]0;x\u{7}", "\u{7}", "\u{9b}31m", "\u{202e}abc\u{2066}", "1\n2"];

fn is_safe(text: &str) -> bool {
    let hidden = |letter: char| {
        (letter.is_control() && letter != '\n')
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}')
    };
    !text.contains(hidden)
}

/// A table whose names and cells are all nasty.
fn folder() -> Folder {
    let folder = Folder::new();
    let header: Vec<String> = NASTY.iter().map(|name| format!("\"{name}\"")).collect();
    let mut csv = format!("{},\"la{}bel\"\n", header.join(","), NASTY[0]);
    for row in 0..12 {
        let cell = |column: usize| match column {
            0 => (row % 5).to_string(),
            _ => format!("\"{}{}\"", NASTY[column], row % 3),
        };
        let cells: Vec<String> = (0..NASTY.len()).map(cell).collect();
        csv.extend([&cells.join(","), ",\"", NASTY[row % 2], "y", NASTY[5], "\"\n"]);
    }
    folder.write("e.csv", &csv);
    folder.write("\u{1b}[2J.csv", csv);
    folder
}

#[test]
fn tables_and_messages_are_safe() {
    let folder = folder();
    let word = |text: &str| text.to_owned();
    let label = format!("la{}bel", NASTY[0]);
    let run = |arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|argument| word(argument)).collect();
        folder.nbayes_with_words(&arguments, "")
    };
    let trained = run(&["train", "e.csv", "--label", &label, "-o", "e.nb"]);
    assert_eq!(trained.code, 0, "{}", trained.stderr);
    assert!(
        trained.stdout.contains("\\u{1b}[2J") && trained.stdout.contains("\\u{202e}abc"),
        "{}",
        trained.stdout
    );
    for arguments in [
        &["inspect", "e.nb"][..],
        &["evaluate", "e.nb", "e.csv"],
        &["explain", "e.nb", "e.csv", "--row", "1"],
        &["plot", "e.nb", "--feature", NASTY[0], "-o", "e.svg"],
        &["compare", "\u{1b}[2J.csv", "--label", &label, "-v", "gaussian", "--folds", "2", "--repeats", "1"],
    ] {
        let found = run(arguments);
        assert_eq!(found.code, 0, "{arguments:?}: {}", found.stderr);
        assert!(is_safe(&found.stdout) && is_safe(&found.stderr), "{arguments:?}: {:?}", found.stdout);
        assert!(found.stdout.contains("\\u{"), "{arguments:?}: {}", found.stdout);
    }
    assert!(is_safe(&trained.stdout), "{:?}", trained.stdout);
    // One line for each row of a table, whatever is in the names.
    let text = run(&["evaluate", "e.nb", "e.csv"]).stdout;
    let matrix: Vec<&str> =
        text.lines().skip_while(|line| !line.starts_with(" label \\ predicted")).collect();
    assert_eq!(matrix.len(), 4, "{text}");
    for arguments in [
        &["train", "e.csv", "--label", "\u{1b}[2J\u{202e}"][..],
        &["train", "\u{1b}[2J\u{202e}.csv", "--label", "y"],
        &["inspect", "\u{1b}[2J.nb"],
        &["explain", "e.nb", "e.csv", "--row", "1", "--against", "none"],
        &["predict", "e.nb", "e.csv", "-o", "\u{1b}[2J/a.csv"],
        &["predict", "e.nb", "@iris"],
    ] {
        let found = run(arguments);
        assert_ne!(found.code, 0, "{arguments:?}");
        assert!(is_safe(&found.stderr), "{arguments:?}: {:?}", found.stderr);
    }
}

#[test]
fn a_message_is_one_line_whatever_the_file_is_called() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,b\n");
    folder.write("b\nnbayes: all is well.csv", "x\nnone\n");
    folder.ok("train a.csv --label y");
    let words = ["predict", "a.nb", "b\nnbayes: all is well.csv"].map(String::from);
    let run = folder.nbayes_with_words(&words, "");
    assert_eq!((run.code, run.stderr.lines().count()), (1, 1), "{}", run.stderr);
    assert!(run.stderr.contains("b\\nnbayes: all is well.csv, line 2"), "{}", run.stderr);
    // Errors about TOML quote the line.
    folder.write("a.toml", "label = \"y\"\n[columns]\nx = gaussian\n");
    let error = folder.fails(1, "train a.csv --schema a.toml -o b.nb");
    assert!(error.lines().count() > 2 && error.contains("x = gaussian"), "{error}");
}

#[test]
fn data_stays_exact() {
    let folder = folder();
    let arguments = |last: &[&str]| -> Vec<String> {
        let words = ["predict", "e.nb", "e.csv", "--id", NASTY[4]];
        words.iter().chain(last).map(|word| (*word).to_owned()).collect()
    };
    let label = format!("la{}bel", NASTY[0]);
    let train = ["train", "e.csv", "--label", &label, "-o", "e.nb", "--json"].map(String::from);
    let report: serde_json::Value =
        serde_json::from_str(&folder.nbayes_with_words(&train, "").stdout).unwrap();
    assert_eq!(report["columns"][4]["name"], NASTY[4]);
    let csv = folder.nbayes_with_words(&arguments(&[]), "").stdout;
    assert!(csv.starts_with(&format!("{},predicted_{label}\n{}0,", NASTY[4], NASTY[4])), "{csv:?}");
    let json = folder.nbayes_with_words(&arguments(&["--json"]), "").stdout;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first[NASTY[4]], format!("{}0", NASTY[4]));
    assert_eq!(first[&format!("predicted_{label}")], format!("{}y{}", NASTY[0], NASTY[5]));
}

#[test]
fn labels_are_shown_with_all_their_characters() {
    let folder = Folder::new();
    folder.write("a.csv", "hours,income\n30,<=50K\n45,>50K\n35,<=50K\n50,>50K\n40,>>\n41,>>\n");
    folder.ok("train a.csv --label income -o m.nb");
    let heads = |text: &str, start: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.trim_start().starts_with(start)).unwrap();
        line.split_whitespace().rev().take(3).map(String::from).collect()
    };
    for (arguments, start) in [("evaluate m.nb a.csv", "label \\"), ("inspect m.nb", "column   parameter")] {
        let text = folder.ok(arguments);
        assert_eq!(heads(&text, start), [">>", ">50K", "<=50K"], "{text}");
        assert!(text.contains("\n >50K ") && text.contains("\n >> "), "{text}");
    }
}

#[test]
fn names_of_data_sets_and_variants_are_shown_whole() {
    let folder = Folder::new();
    folder.write(">a.csv", "x,y\n1,a\n2,a\n8,b\n9,b\n");
    let compare =
        "compare >a.csv @iris --label y -v gaussian:name=>g -v shared-gaussian --folds 2 --repeats 1";
    let text = folder.ok(compare);
    assert!(text.contains("\n >a.csv ") && text.lines().next().unwrap().contains(" >g "), "{text}");
}
