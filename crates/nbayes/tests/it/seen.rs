//! A model knows the rows that it was trained on.

use std::fmt::Write;

use serde_json::Value;

use crate::folder::Folder;

fn seen(folder: &Folder, command: &str) -> Option<f64> {
    let result: Value = serde_json::from_str(&folder.ok(&format!("evaluate {command} --json"))).unwrap();
    result.get("seen_in_training").map(|share| share.as_f64().unwrap())
}

const WARNING: &str = "on which the model was trained: the measures are optimistic; use held-out rows (`nbayes split`) or --leave-one-out";

#[test]
fn rows_of_training_are_recognised() {
    let folder = Folder::new();
    let mut rows: Vec<String> = (0..400)
        .map(|row| {
            let class = row % 2;
            let gap = if row % 9 == 4 { String::new() } else { format!("{}.25", row * 31 % 50 + class) };
            let (colour, note) =
                (["red", "green", "blue"][row / 3 % 3], format!("word{} and {row} the", row % 7));
            format!("{gap},{},{colour},{note},{}\n", row * 7 % 64, ["no", "yes"][class])
        })
        .collect();
    let file = |rows: &[String]| format!("gap,x,colour,note,y\n{}", rows.concat());
    folder.write("all.csv", file(&rows));
    folder.write("first.csv", file(&rows[..250]));
    folder.write("rest.csv", file(&rows[250..]));
    rows.reverse();
    folder.write("reversed.csv", file(&rows));
    let more: Vec<String> =
        rows.iter().map(|row| row.replace(".25", ".75").replacen("word", "term", 1)).collect();
    folder.write("others.csv", file(&more));
    for options in [
        "--plain --text note",
        "--fast --ignore note",
        "--plain --ignore gap --text note --idf --min-documents 2",
    ] {
        for name in ["all", "first", "rest"] {
            folder.ok(&format!("train {name}.csv --label y {options} -o {name}.nb"));
        }
        assert_eq!(seen(&folder, "all.nb all.csv"), Some(1.0), "{options}");
        assert_eq!(seen(&folder, "all.nb reversed.csv"), Some(1.0));
        assert_eq!(seen(&folder, "all.nb rest.csv first.csv"), Some(1.0));
        assert_eq!(seen(&folder, "all.nb all.csv --leave-one-out"), None);
        assert_eq!(seen(&folder, "first.nb rest.csv"), None);
        if !options.contains("gap") {
            assert_eq!(seen(&folder, "all.nb others.csv"), None, "{options}");
        }
        let share = seen(&folder, "all.nb first.csv").unwrap();
        assert!((0.7..1.0).contains(&share), "{share}");
        let share = seen(&folder, "first.nb all.csv").unwrap();
        assert!((share - 0.625).abs() < 0.25, "{share}");
        let text = folder.ok("evaluate first.nb all.csv");
        assert!(text.contains("of which about ") && text.contains(" % were used in training"), "{text}");
        if options.contains("--idf") {
            continue;
        }
        // Whatever the history of a model.
        folder.ok("update first.nb rest.csv -o updated.nb");
        assert_eq!(seen(&folder, "updated.nb reversed.csv"), Some(1.0), "{options}");
        folder.ok("forget updated.nb first.csv -o forgotten.nb");
        assert_eq!(seen(&folder, "forgotten.nb rest.csv"), Some(1.0), "{options}");
        assert_eq!(seen(&folder, "forgotten.nb first.csv"), None);
        folder.ok("decay first.nb --factor 0.5 -o decayed.nb");
        assert_eq!(seen(&folder, "decayed.nb first.csv"), Some(1.0));
        if options.contains("--plain") {
            folder.ok("merge rest.nb first.nb -o merged.nb");
            assert_eq!(seen(&folder, "merged.nb all.csv"), Some(1.0));
        }
    }
    let text = folder.ok("evaluate all.nb all.csv");
    assert!(text.starts_with(&format!("400 rows, {WARNING}")), "{text}");
    // A model of sums alone does not know, and neither does what is made of it.
    folder.ok("train first.csv --label y --sums-only -o sums.nb --ignore note");
    folder.ok("train rest.csv --label y --plain -o rest.nb --ignore note");
    folder.ok("merge sums.nb rest.nb -o merged.nb");
    for (model, file) in [("sums.nb", "first.csv"), ("merged.nb", "all.csv")] {
        assert_eq!(seen(&folder, &format!("{model} {file}")), None);
    }
}

#[test]
fn other_measures_are_marked_too() {
    let folder = Folder::new();
    folder.ok("split @pima --train-file a.csv --test-file b.csv");
    folder.ok("train a.csv --label diabetes --fast -o m.nb");
    for command in [
        "report m.nb FILE -o r.html",
        "importance m.nb FILE",
        "decide m.nb FILE --positive pos --maximise f1 -o d.nb",
    ] {
        let warned = |file: &str| {
            let run = folder.nbayes(&command.replace("FILE", file));
            assert_eq!(run.code, 0, "{}", run.stderr);
            run.stderr.contains("these are rows on which the model was trained, so that what is measured on them is optimistic")
        };
        assert!(warned("a.csv") && !warned("b.csv"), "{command}");
    }
}

#[test]
fn rows_of_few_kinds_are_not_called_seen_if_they_are_held_out() {
    let folder = Folder::new();
    for set in ["titanic", "housevotes84", "sms", "iris", "soybean"] {
        let trained = folder.ok(&format!("train @{set} --plain --test-fraction 0.3 -o m.nb"));
        assert!(trained.contains("the saved model has not seen them"), "{set}: {trained}");
    }
}

#[test]
fn test_rows_that_are_training_rows_are_noticed() {
    let folder = Folder::new();
    let mut text = String::from("x,z,y\n");
    for row in 0..200 {
        writeln!(text, "{},{},{}", row * 31 % 97, row, ["a", "b"][row % 2]).unwrap();
    }
    folder.write("a.csv", &text);
    folder.write("copy.csv", &text);
    let report = folder.ok("train a.csv --label y --test copy.csv -o m.nb");
    assert!(
        report.contains("on which the model was trained, or equal to such rows: the measures are optimistic"),
        "{report}"
    );
}

#[test]
fn rows_that_count_twice_are_noticed() {
    let folder = Folder::new();
    let rows = |range: std::ops::Range<usize>| {
        let line = |row: usize| format!("{},{row}.5,{}\n", row * 31 % 97, ["a", "b"][row % 2]);
        format!("x,z,y\n{}", range.map(line).collect::<String>())
    };
    for (name, range) in [("a", 0..200), ("b", 200..400), ("c", 100..300)] {
        folder.write(&format!("{name}.csv"), rows(range));
        folder.ok(&format!("train {name}.csv --label y --plain -o {name}.nb"));
    }
    let said = |command: &str| {
        let run = folder.nbayes(command);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stderr
    };
    assert_eq!(said("merge a.nb b.nb -o both.nb"), "");
    let whole = said("merge a.nb a.nb -o both.nb");
    assert!(
        whole.contains("a.nb has just the rows of a.nb, and the merged model counts them twice"),
        "{whole}"
    );
    let parts = said("merge a.nb b.nb c.nb -o all.nb");
    for earlier in ["a.nb", "b.nb"] {
        let part =
            format!("% of the rows of c.nb are in {earlier}, too, and the merged model counts them twice");
        assert!(parts.contains(&part), "{part}: {parts}");
    }
    assert!(!said("update a.nb b.csv -o both.nb").contains("used in training"));
    let again = said("update both.nb b.csv -o twice.nb");
    assert!(again.contains("were used in training, and are added once more"), "{again}");
    let once_more = said("update a.nb a.csv -o twice.nb");
    assert!(
        once_more.contains("these are rows on which the model was trained, and are added once more"),
        "{once_more}"
    );
    // What was taken out may be added.
    said("forget both.nb b.csv -o back.nb");
    assert!(!said("update back.nb b.csv -o both.nb").contains("used in training"));
}
