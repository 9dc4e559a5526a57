//! `nbayes refit`: weights and corrections from the rows of now.

use std::fmt::Write;

use crate::folder::Folder;

/// Numbers and categories; the class depends on `length` the more, the larger `distance` is.
fn rows(range: std::ops::Range<usize>, distance: f64) -> String {
    let mut text = String::from("length,colour,noise,y\n");
    for row in range {
        let class = (row * row / 7 + row) % 3 % 2;
        let length = (row * 31 % 50) as f64 / 4.0 + distance * class as f64;
        let colour = ["red", "green", "blue"][(row / 3 + class) % 3];
        writeln!(text, "{length},{colour},{},{}", row * 17 % 23, ["no", "yes"][class]).unwrap();
    }
    text
}

fn json(folder: &Folder, command: &str) -> serde_json::Value {
    serde_json::from_str(&folder.ok(command)).unwrap()
}

/// The parts of a model file, by name.
fn parts(folder: &Folder, model: &str) -> serde_json::Value {
    folder.ok(&format!("convert {model} parts.json"));
    serde_json::from_slice(&std::fs::read(folder.path("parts.json")).unwrap()).unwrap()
}

#[test]
fn weights_are_learnt_and_all_else_stays() {
    let folder = Folder::new();
    folder.write("old.csv", rows(0..300, 2.0));
    folder.write("new.csv", rows(300..500, 7.0));
    folder.ok("train old.csv --label y -o m.nb");
    let updated = folder.ok("update m.nb new.csv -o u.nb");
    assert!(
        updated.contains(
            "weights and corrections are still those of 300 rows; `nbayes refit u.nb DATA` learns them from the rows of now"
        ),
        "{updated}"
    );
    assert_eq!(json(&folder, "update m.nb new.csv -o u.nb --json")["weights_from_rows"], 300);
    assert!(folder.ok("decay u.nb --factor 0.5 -o half.nb").contains("still those of 300 rows"));
    let said = folder.ok("refit u.nb old.csv new.csv -o r.nb");
    for part in [
        "held-out rows",
        "before",
        "now",
        "class prior",
        "weights and corrections are learnt from 500 rows, which are just those of the sums; they were those of 300 rows",
        "wrote r.nb",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (mut before, mut after) = (parts(&folder, "u.nb"), parts(&folder, "r.nb"));
    let (old, new) = (before["refinement"].take(), after["refinement"].take());
    assert_eq!(before, after);
    assert_ne!(old["weights"], new["weights"]);
    assert_eq!((&old["n_rows"], &new["n_rows"]), (&300.into(), &500.into()));
    let cuts = |refinement: &serde_json::Value| refinement["corrections"][0]["cuts"].clone();
    assert!(cuts(&old).is_array() && cuts(&old) == cuts(&new));
    let refitted = json(&folder, "refit u.nb old.csv new.csv -o r.nb --json");
    assert_eq!(refitted["before"]["log_loss"], old["held_out"]["log_loss"]);
    assert_eq!(refitted["held_out"]["log_loss"], new["held_out"]["log_loss"]);
    for (name, expected) in [("rows", 500), ("added_rows", 0)] {
        assert_eq!(refitted[name], expected, "{name}");
    }
    assert_eq!((&refitted["seen_in_sums"], &refitted["weight"]), (&1.0.into(), &500.0.into()));
    assert!(folder.ok("inspect r.nb").contains("weights and corrections: learnt from 500 rows"));
    assert_eq!(json(&folder, "inspect u.nb --json")["weights_from_rows"], 300);
    // On rows that neither has seen.
    folder.write("later.csv", rows(700..900, 7.0));
    let loss =
        |model: &str| json(&folder, &format!("evaluate {model} later.csv --json"))["log_loss"].as_f64();
    assert!(loss("r.nb") < loss("u.nb"), "{:?} {:?}", loss("r.nb"), loss("u.nb"));
    // The rows of training alone, and weights alone.
    let said = folder.ok("refit u.nb new.csv -o n.nb --fast --only-given --force");
    assert!(said.contains("200 rows, nearly all of which are in the sums"), "{said}");
    folder.ok("refit u.nb old.csv new.csv --best -o b.nb");
    assert_ne!(folder.read("b.nb"), folder.read("r.nb"));
    // In its place.
    folder.ok("refit u.nb old.csv new.csv");
    assert_eq!(folder.read("u.nb"), folder.read("r.nb"));
}

#[test]
fn new_rows_are_added_and_learnt_from() {
    let folder = Folder::new();
    folder.write("old.csv", rows(0..200, 2.0));
    let purple = rows(200..300, 3.0).replace("blue", "purple");
    folder.write("new.csv", &purple);
    folder.ok("train old.csv --label y -o m.nb");
    folder.ok("update m.nb new.csv -o u.nb");
    folder.ok("refit u.nb old.csv new.csv -o both.nb");
    let said = folder.ok("refit m.nb old.csv --add new.csv -o once.nb");
    assert!(said.contains("added 100 rows; the model has 300 now"), "{said}");
    assert_eq!(folder.read("once.nb"), folder.read("both.nb"));
    let scores = folder.ok("inspect once.nb --feature colour");
    assert!(scores.contains("score(purple)"), "{scores}");
    // A class that was not there before: `update` refuses it, as there are no weights for it.
    folder.write("classes.csv", rows(300..420, 3.0).replace(",no\n", ",maybe\n"));
    let error = folder.fails(1, "update m.nb classes.csv -o other.nb");
    assert!(error.contains("nbayes refit MODEL DATA --add NEW"), "{error}");
    folder.ok("refit m.nb old.csv --add classes.csv -o three.nb");
    let inspected = folder.ok("inspect three.nb --feature colour");
    assert!(inspected.contains("maybe"), "{inspected}");
    folder.ok("predict three.nb classes.csv --proba");
    let error = folder.fails(1, "refit m.nb --add classes.csv -o other.nb --only-given");
    assert!(error.contains("no row of classes.csv has the label \"no\""), "{error}");
    // New rows alone.
    let said = folder.ok("refit m.nb --add new.csv -o new.nb --only-given --force");
    assert!(said.contains("learnt from 100 rows, nearly all of which are in the sums"), "{said}");
    let error = folder.fails(1, "refit m.nb --add old.csv -o other.nb");
    assert!(error.contains("old.csv: these are just the rows that the sums have"), "{error}");
    let twice = folder.nbayes("refit u.nb --add new.csv -o twice.nb --only-given --force");
    assert!(twice.stderr.contains("--add has added them once more"), "{}", twice.stderr);
    assert!(!folder.path("other.nb").exists());
}

#[test]
fn what_cannot_be_refitted_says_why() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(0..200, 2.0));
    folder.ok("train rows.csv --label y -o m.nb");
    folder.ok("train rows.csv --label y --plain -o plain.nb");
    let error = folder.fails(1, "refit plain.nb rows.csv -o o.nb");
    assert!(error.contains("plain.nb is plain naive Bayes") && error.contains("nbayes train"), "{error}");
    folder.write("purple.csv", rows(0..100, 2.0).replacen("red", "purple", 1));
    folder.write("maybe.csv", rows(0..100, 2.0).replacen(",yes", ",maybe", 1));
    folder.write("yes.csv", rows(0..100, 2.0).replace(",no\n", ",yes\n"));
    folder.write("few.csv", rows(0..8, 2.0));
    folder.write("infinite.csv", rows(0..100, 2.0) + "inf,red,3,yes\n");
    folder.write("w.csv", rows(0..100, 2.0));
    for (command, message) in [
        ("purple.csv", "column \"colour\": the model does not know the category \"purple\""),
        ("maybe.csv", "the label \"maybe\" is not one of the classes of the model (\"no\", \"yes\")"),
        ("yes.csv", "no row of yes.csv has the label \"no\""),
        ("few.csv", "would be learnt from 8 rows alone, and the model has 200: give all of its rows"),
        ("infinite.csv", "infinite.csv, line 102, column \"length\""),
        ("rows.csv --weights nothing", "nothing"),
        ("m.nb", "m.nb"),
        ("missing.csv", "missing.csv"),
    ] {
        let run = folder.nbayes(&format!("refit m.nb {command} -o o.nb"));
        assert!(run.code == 1 && run.stderr.contains(message), "{command}: {} {}", run.code, run.stderr);
        assert!(!folder.path("o.nb").exists());
    }
    folder.fails(2, "refit m.nb");
    folder.fails(2, "refit m.nb rows.csv --fast --best");
    // What other probabilities decided is decided again.
    folder.ok("decide m.nb --positive yes --threshold 0.3 -o d.nb");
    let run = folder.nbayes("refit d.nb rows.csv");
    assert!(run.code == 0 && run.stderr.contains("choose it again (`nbayes decide d.nb`)"), "{}", run.stderr);
    assert!(folder.ok("inspect d.nb").contains("0.3"));
}

#[test]
fn weights_of_rows_are_heeded() {
    let folder = Folder::new();
    let with = |weight: fn(usize) -> &'static str| {
        let text = rows(0..200, 2.0);
        let lines = text.lines().enumerate().map(|(line, text)| {
            let cell = if line == 0 { "w" } else { weight(line) };
            format!("{text},{cell}\n")
        });
        lines.collect::<String>()
    };
    folder.write("rows.csv", rows(0..200, 2.0));
    folder.write("equal.csv", with(|_| "0.25"));
    folder.write("some.csv", with(|line| ["0", "1", "1", "1", "1"][line % 5]));
    let kept = rows(0..200, 2.0);
    let kept = kept.lines().enumerate().filter(|(line, _)| *line == 0 || line % 5 > 0);
    folder.write("kept.csv", kept.fold(String::new(), |all, (_, line)| all + line + "\n"));
    folder.ok("train rows.csv --label y -o m.nb");
    let refinement = |command: &str| {
        folder.ok(&format!("refit m.nb {command} -o r.nb"));
        parts(&folder, "r.nb")["refinement"].take()
    };
    let plain = refinement("rows.csv");
    assert_eq!(refinement("equal.csv --weights w"), plain);
    let kept = refinement("kept.csv");
    assert_eq!(refinement("some.csv --weights w"), kept);
    assert_ne!(kept, plain);
}

#[test]
fn texts_keep_their_vocabulary() {
    let folder = Folder::new();
    let texts = |range: std::ops::Range<usize>, word: &str| {
        range.fold("note,y\n".to_owned(), |all, row| {
            let class = row * 7 % 3 % 2;
            let words = ["sun", "rain", "snow", "wind", "cloud"];
            let first = words[(row * row + 2 * class) % 5];
            all + &format!(
                "{first} {} and {} {word} {row},{class}\n",
                words[(row + class) % 5],
                words[row % 4]
            )
        })
    };
    folder.write("old.csv", texts(0..200, "today"));
    folder.write("new.csv", texts(200..300, "tomorrow"));
    folder.ok("train old.csv --label y --text note --log-tf -o m.nb");
    folder.ok("refit m.nb new.csv -o n.nb --force");
    assert_eq!(parts(&folder, "n.nb")["schema"], parts(&folder, "m.nb")["schema"]);
    folder.ok("refit m.nb old.csv --add new.csv -o a.nb");
    let scores = folder.ok("explain a.nb new.csv --row 1");
    assert!(scores.contains("note: tomorrow"), "{scores}");
    // With inverse document frequencies a new word has that of the rarest one, and the others stay.
    folder.ok("train old.csv --label y --text note --idf --log-tf -o i.nb");
    folder.ok("update i.nb new.csv -o u.nb");
    folder.ok("refit i.nb old.csv --add new.csv -o r.nb");
    let text = |model: &str| parts(&folder, model)["schema"]["columns"][0].to_string();
    assert!(!text("i.nb").contains("tomorrow"));
    for model in ["u.nb", "r.nb"] {
        assert!(text(model).contains("tomorrow"), "{model}");
        let explained = folder.ok(&format!("explain {model} new.csv --row 1"));
        assert!(explained.contains("note: tomorrow"), "{model}: {explained}");
    }
    folder.ok("forget u.nb new.csv -o f.nb");
}

/// Ten weak columns of many categories, for which few rows are too few.
fn weak(range: std::ops::Range<usize>) -> String {
    let mut text = (0..10).fold(String::new(), |all, column| all + &format!("c{column},")) + "y\n";
    for row in range {
        let hash = |salt: usize| (row * 2_654_435_761 + salt * 40_503 + 977) % 1_000_003 * 7_919 % 1_000_033;
        let class = hash(99) % 2;
        for column in 0..10 {
            let level = hash(column) / 64 % 8;
            let own = if hash(column + 20) % 10 < 4 { level / 2 + 4 * class } else { level };
            write!(text, "l{own},").unwrap();
        }
        writeln!(text, "{}", ["no", "yes"][class]).unwrap();
    }
    text
}

#[test]
fn a_small_part_of_the_rows_and_a_loss_are_refused() {
    let folder = Folder::new();
    folder.write("old.csv", weak(0..2000));
    folder.write("day.csv", weak(2000..2100));
    folder.ok("train old.csv --label y -o m.nb");
    let before = folder.read("m.nb");
    let error = folder.fails(1, "refit m.nb --add day.csv");
    for part in [
        "would be learnt from 100 rows alone, and the model has 2100",
        "`nbayes refit m.nb OLD --add day.csv`",
        "`nbayes update m.nb day.csv` adds the new rows and keeps the weights",
        "--only-given learns from the rows given alone",
        "Nothing was written",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    for command in ["refit m.nb --add day.csv --only-given", "refit m.nb day.csv --only-given"] {
        let error = folder.fails(1, command);
        assert!(
            error.contains("the new weights and corrections are worse than those of m.nb")
                && error.contains("--force"),
            "{error}"
        );
    }
    assert_eq!(folder.read("m.nb"), before);
    let forced = json(&folder, "refit m.nb day.csv --only-given --force -o f.nb --json");
    let loss = |which: &str, name: &str| forced[which][name].as_f64().unwrap();
    assert!(loss("held_out", "log_loss") > loss("before", "log_loss_of_rows"), "{forced}");
    // All rows are accepted.
    let said = folder.ok("refit m.nb old.csv --add day.csv");
    assert!(
        said.contains("which may have been learnt from them, the log-loss of the rows of now is"),
        "{said}"
    );
}

#[test]
fn weights_that_do_not_go_with_the_sums_are_refused() {
    let folder = Folder::new();
    let now = rows(0..200, 2.0);
    let swapped = now.replace(",no\n", ",other\n").replace(",yes\n", ",no\n").replace(",other\n", ",yes\n");
    assert_ne!(now, swapped);
    folder.write("old.csv", swapped);
    folder.write("now.csv", now);
    folder.ok("train old.csv --label y -o m.nb");
    let before = folder.read("m.nb");
    let error = folder.fails(1, "refit m.nb now.csv");
    assert!(error.contains("the sums of m.nb are of rows too different from those given"), "{error}");
    assert_eq!(folder.read("m.nb"), before);
}

#[test]
fn rows_that_are_given_twice_are_refused() {
    let folder = Folder::new();
    folder.write("old.csv", rows(0..300, 2.0));
    folder.write("new.csv", rows(300..500, 2.0));
    folder.write("again.csv", rows(300..500, 2.0));
    folder.ok("train old.csv --label y -o m.nb");
    let error = folder.fails(1, "refit m.nb old.csv new.csv --add again.csv -o r.nb");
    assert!(error.contains("again.csv (--add) has just the rows of new.csv"), "{error}");
    let run = folder.nbayes("refit m.nb old.csv --add new.csv -o r.nb");
    assert!(run.code == 0 && !run.stderr.contains("twice"), "{}", run.stderr);
    // Some of them.
    folder.write("more.csv", rows(100..500, 2.0));
    let run = folder.nbayes("refit m.nb old.csv --add more.csv -o r.nb");
    assert!(
        run.code == 0
            && run
                .stderr
                .contains("of the rows of more.csv (--add) are in old.csv, too, and are learnt from twice"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_calibration_map_is_removed_only_where_there_is_one() {
    let folder = Folder::new();
    folder.write("old.csv", rows(0..300, 2.0));
    folder.write("new.csv", rows(300..500, 2.0));
    folder.ok("train old.csv --label y -o m.nb");
    folder.ok("calibrate m.nb new.csv --map isotonic -o c.nb");
    for (model, has_map) in [("m.nb", false), ("c.nb", true)] {
        let said = folder.ok(&format!("refit {model} old.csv new.csv -o r.nb"));
        assert_eq!(said.contains("; the calibration map of these is removed"), has_map, "{said}");
        assert_eq!(said.contains("calibration map"), has_map, "{said}");
        let json = json(&folder, &format!("refit {model} old.csv new.csv -o r.nb --json"));
        assert_eq!(json["calibration_removed"], has_map);
    }
}

#[test]
fn rows_of_weight_0_are_not_counted_and_weights_are_said() {
    let folder = Folder::new();
    let weighted = |text: String| {
        let lines = text.lines().enumerate().map(|(number, line)| match number {
            0 => format!("{line},w\n"),
            _ => format!("{line},{}\n", [0, 1, 3][number % 3]),
        });
        lines.collect::<String>()
    };
    folder.write("old.csv", weighted(rows(0..300, 2.0)));
    folder.write("new.csv", rows(300..360, 2.0));
    folder.ok("train old.csv --label y --weights w -o m.nb");
    let said = folder.ok("refit m.nb old.csv --weights w -o r.nb");
    assert!(said.contains("are learnt from 200 rows"), "{said}");
    for command in ["update m.nb new.csv -o u.nb", "refit m.nb old.csv -o r.nb"] {
        let run = folder.nbayes(command);
        assert!(run.stderr.contains("the model has 300 rows with a total weight of 400"), "{}", run.stderr);
    }
    folder.ok("train new.csv --label y --plain -o plain.nb");
    let run = folder.nbayes("update plain.nb old.csv --weights w -o u.nb");
    assert!(run.stderr.contains("each of the 60 rows of the model has the weight 1"), "{}", run.stderr);
    assert!(!folder.nbayes("update plain.nb new.csv -o u.nb").stderr.contains("weight"));
}
