//! `nbayes train` by default: models with weights and corrections.

use std::fmt::Write;

use crate::folder::Folder;

/// Numbers of which two say the same, categories, missing cells and an identifier.
fn rows(n: usize) -> String {
    let mut text = String::from("id,length,again,colour,noise,y\n");
    for row in 0..n {
        let class = (row * row / 7 + row) % 3 % 2;
        let length = (row * 31 % 50) as f64 / 4.0 + 6.0 * class as f64;
        let again = if row % 9 == 4 { String::new() } else { format!("{}", 2.0 * length + 1.0) };
        let colour = ["red", "green", "blue"][(row / 3 + class) % 3];
        let label = ["no", "yes"][class];
        writeln!(text, "{},{length},{again},{colour},{},{label}", 7000 + 13 * row, row * 17 % 23).unwrap();
    }
    text
}

fn json(folder: &Folder, command: &str) -> serde_json::Value {
    serde_json::from_str(&folder.ok(command)).unwrap()
}

#[test]
fn held_out_rows_are_shown_beside_the_class_prior() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(400));
    let trained = json(&folder, "train rows.csv --label y -o m.nb --json");
    let held_out = &trained["held_out"];
    let number = |name: &str| held_out[name].as_f64().unwrap();
    assert!(number("log_loss") < number("log_loss_of_prior") && number("accuracy") > number("majority"));
    assert_eq!(trained["columns"][0]["family"], "binned, 22 bins");
    assert_eq!(trained["left_out"][0]["name"], "id");
    // The model that was saved is as good on rows that it has not seen.
    folder.write(
        "more.csv",
        rows(900)
            .lines()
            .take(1)
            .chain(rows(900).lines().skip(401))
            .fold(String::new(), |text, line| text + line + "\n"),
    );
    let measured = json(&folder, "evaluate m.nb more.csv --json");
    let log_loss = measured["log_loss"].as_f64().unwrap();
    assert!((log_loss - number("log_loss")).abs() < 0.1, "{log_loss} {held_out}");
    let plain = folder.ok("train rows.csv --label y --plain -o plain.nb");
    assert!(
        plain.contains("held-out rows") && plain.contains("plain") && !plain.contains("refined"),
        "{plain}"
    );
    let of_plain = json(&folder, "evaluate plain.nb more.csv --json")["log_loss"].as_f64().unwrap();
    assert!(log_loss < of_plain, "{log_loss} {of_plain}");
}

#[test]
fn every_command_knows_them() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(400));
    folder.ok("train rows.csv --label y -o m.nb");
    folder.write("few.csv", rows(3));
    let explained = json(&folder, "explain m.nb few.csv --row 1 --json");
    assert!(explained.to_string().contains("length"), "{explained}");
    let inspected = folder.ok("inspect m.nb --feature colour");
    for name in ["weight", "score(red)", "p(red)", "score((missing))"] {
        assert!(inspected.contains(name), "{inspected}");
    }
    folder.ok("update m.nb few.csv -o more.nb");
    folder.ok("forget more.nb few.csv -o back.nb");
    assert_eq!(folder.read("back.nb"), folder.read("m.nb"));
    folder.ok("merge m.nb m.nb -o twice.nb");
    folder.ok("decay m.nb --factor 0.5 -o half.nb");
    folder.ok("convert m.nb m.json");
    folder.ok("convert m.json again.nb");
    assert_eq!(folder.read("again.nb"), folder.read("m.nb"));
    folder.ok("convert m.nb m.onnx");
    let sql = folder.ok("sql --predict m.nb --dialect duckdb");
    assert!(sql.contains("CASE WHEN"), "{sql}");
    folder.ok("plot m.nb --feature length -o p.svg");
    let run = folder.nbayes("sample m.nb -n 1");
    let message = "rows cannot be generated from a refined model";
    assert!(run.code != 0 && run.stderr.contains(message), "{}", run.stderr);
    // A class that the weights were not learnt for.
    folder.write("new.csv", "length,again,colour,noise,y\n1,2,red,3,maybe\n");
    let run = folder.nbayes("update m.nb new.csv -o other.nb");
    assert!(run.code != 0 && run.stderr.contains("were learnt for the classes"), "{}", run.stderr);
    assert!(!folder.path("other.nb").exists());
}

#[test]
fn plain_models_say_why() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(60));
    let one_class: String = rows(60).lines().map(|line| line.replace(",no", ",yes") + "\n").collect();
    folder.write("one.csv", one_class);
    let texts: String = (0..60).fold(String::new(), |text, row| {
        text + &format!("the {row} th note is number {},{}\n", row * row, row % 2)
    });
    folder.write("texts.csv", format!("note,y\n{texts}"));
    for (command, why) in [
        ("rows.csv --tune", "--tune chooses hyper-parameters of families"),
        ("rows.csv --smoothing 2", "--smoothing is of families"),
        ("rows.csv --shared-variance", "--shared-variance is of families"),
        ("rows.csv --poisson noise", "the family of column \"noise\" is given"),
        ("rows.csv --all gaussian", "the family of column \"id\" is given"),
        ("one.csv", "there are no two classes"),
        ("texts.csv --text-model complement", "--text-model is of families"),
    ] {
        let trained = json(&folder, &format!("train {command} --label y -o m.nb --json"));
        assert_eq!(trained["plain"], why, "{command}");
        assert!(trained["held_out"].get("corrections").is_none());
        let plain = json(&folder, &format!("train {command} --label y -o plain.nb --json --plain"));
        assert!(plain.get("plain").is_none() && folder.read("m.nb") == folder.read("plain.nb"), "{command}");
    }
    let text = folder.ok("train one.csv --label y -o m.nb");
    assert!(text.contains("plain naive Bayes, without weights and corrections: there are no two classes"));
    // What cells are is no family.
    let trained = json(&folder, "train rows.csv --label y --gaussian noise --ignore again -o m.nb --json");
    assert!(trained["held_out"].get("corrections").is_some());
    let error = folder.fails(2, "train rows.csv --label y --plain --best -o m.nb");
    assert!(error.contains("cannot be used with"), "{error}");
}

/// The rows with a last column of weights.
fn weighted(n: usize, weight: impl Fn(usize) -> String) -> String {
    let lines = rows(n);
    let lines = lines.lines().enumerate().map(|(line, text)| {
        let cell = if line == 0 { "w".into() } else { weight(line - 1) };
        format!("{text},{cell}\n")
    });
    lines.collect()
}

#[test]
fn row_weights_say_how_rows_count_beside_each_other() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(300));
    folder.write("ones.csv", weighted(300, |_| "1".into()));
    folder.write("tens.csv", weighted(300, |_| "10".into()));
    folder.ok("train rows.csv --label y -o m.nb");
    folder.ok("train ones.csv --label y --weights w -o ones.nb");
    assert_eq!(folder.read("ones.nb"), folder.read("m.nb"));
    let predicted = |model: &str| {
        let rows = folder.ok(&format!("predict {model} rows.csv --proba"));
        let of_row =
            |line: &str| line.split(',').next_back().and_then(|cell| cell.trim().parse::<f64>().ok());
        rows.lines().skip(1).map(|line| of_row(line).expect("a probability")).collect::<Vec<f64>>()
    };
    let distance = |one: &[f64], other: &[f64]| {
        one.iter().zip(other).map(|(a, b)| (a - b).abs()).sum::<f64>() / one.len() as f64
    };
    let plain = predicted("m.nb");
    let tens = json(&folder, "train tens.csv --label y --weights w -o tens.nb --json");
    assert!(distance(&plain, &predicted("tens.nb")) < 1e-12);
    assert_eq!(
        tens["classes"][0]["weight"],
        10.0 * json(&folder, "inspect m.nb --json")["classes"][0]["weight"].as_f64().unwrap()
    );
    // Rows that count twice are nearly those that are there twice.
    let twice = |row: usize| (row * 7 / 3).is_multiple_of(3);
    folder.write("twos.csv", weighted(300, |row| if twice(row) { "2" } else { "1" }.into()));
    let text = rows(300);
    let mut repeated = String::new();
    for (line, text) in text.lines().enumerate() {
        for _ in 0..=usize::from(line > 0 && twice(line - 1)) {
            writeln!(repeated, "{text}").unwrap();
        }
    }
    folder.write("repeated.csv", repeated);
    folder.ok("train twos.csv --label y --weights w --ignore id -o twos.nb");
    folder.ok("train repeated.csv --label y --ignore id -o repeated.nb");
    let between = distance(&predicted("twos.nb"), &predicted("repeated.nb"));
    assert!(between < 0.06, "{between}");
    // Rows of weight 0 are absent.
    folder.write("zeros.csv", weighted(300, |row| if row < 250 { "1" } else { "0" }.into()));
    folder.write("fewer.csv", rows(250));
    let zeros = json(&folder, "train zeros.csv --label y --weights w -o zeros.nb --json");
    let fewer = json(&folder, "train fewer.csv --label y -o fewer.nb --json");
    assert_eq!((&zeros["held_out"], &zeros["classes"]), (&fewer["held_out"], &fewer["classes"]));
    assert_eq!(predicted("zeros.nb"), predicted("fewer.nb"));
    assert!(
        !folder
            .ok("train zeros.csv --label y --weights w -o zeros.nb")
            .contains("learnt from 250 of the rows")
    );
}

#[test]
fn what_is_no_weight_is_refused() {
    let folder = Folder::new();
    for (cell, message) in [
        ("-1", "weight"),
        ("many", "weight"),
        ("1e300", "rows.csv, line 9: the row has the weight 1e300; weights are 0, or from 1e-290 to 1e290"),
    ] {
        folder.write("rows.csv", weighted(60, |row| if row == 7 { cell } else { "1" }.into()));
        let error = folder.fails(1, "train rows.csv --label y --weights w -o m.nb");
        assert!(error.contains(message), "{error}");
    }
    folder.write("rows.csv", weighted(60, |_| "0".into()));
    folder.fails(1, "train rows.csv --label y --weights w -o m.nb");
    assert!(!folder.path("m.nb").exists());
}

#[test]
fn without_evidence_the_class_prior_is_left() {
    let folder = Folder::new();
    let text = (0..200)
        .map(|row| format!("{},{}\n", row * 7919 % 101, row * row % 13 / 4))
        .collect::<Vec<_>>()
        .concat();
    folder.write("noise.csv", format!("x,y\n{text}"));
    let trained = json(&folder, "train noise.csv --label y -o m.nb --json");
    let number = |name: &str| trained["held_out"][name].as_f64().unwrap();
    assert!(number("log_loss") < number("log_loss_of_prior") + 0.02, "{trained}");
    let rare = (0..60)
        .map(|row| format!("{}.5,{}\n", row, if row == 59 { "b" } else { "a" }))
        .collect::<Vec<_>>()
        .concat();
    for table in
        [rare, (0..60).map(|row| format!("{},{}\n", row % 7 / 6, row % 2)).collect::<Vec<_>>().concat()]
    {
        folder.write("rare.csv", format!("x,y\n{table}"));
        let trained = json(&folder, "train rare.csv --label y -o r.nb --json");
        let [found, of_prior] =
            ["log_loss", "log_loss_of_prior"].map(|name| trained["held_out"][name].as_f64().unwrap());
        assert_eq!(found, of_prior, "{trained}");
        let said = folder.ok("train rare.csv --label y -o r.nb");
        assert!(said.contains("no column predicts held-out rows better than the class prior"), "{said}");
    }
    let sparse = (0..50)
        .map(|row| format!("{} {}:1 {}:2\n", row % 2, 1 + row % 3, 5 + row % 4))
        .collect::<Vec<_>>()
        .concat();
    folder.write("sparse.svm", sparse);
    assert!(folder.ok("train sparse.svm -o s.nb").contains("only some cells of a row are stored"));
}

#[test]
fn effort_is_a_choice() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(300));
    let trained = |option: &str| json(&folder, &format!("train rows.csv --label y -o m.nb --json {option}"));
    let loss = |trained: &serde_json::Value| trained["held_out"]["log_loss"].as_f64().unwrap();
    let (fast, default, best) = (trained("--fast"), trained(""), trained("--best"));
    assert_eq!(fast["held_out"]["corrections"], 0.0);
    assert!(loss(&default) < 1.02 * loss(&fast), "{default} {fast}");
    assert!(loss(&best) < 1.02 * loss(&default), "{best} {default}");
}

#[test]
fn models_of_other_rows_cannot_be_merged() {
    let folder = Folder::new();
    folder.write("a.csv", rows(200));
    folder.write("b.csv", rows(201));
    folder.ok("train a.csv --label y -o a.nb");
    folder.ok("train b.csv --label y -o b.nb");
    let error = folder.fails(1, "merge a.nb b.nb -o both.nb");
    assert!(
        error.contains("b.nb cannot be merged with a.nb: cut points, weights and corrections"),
        "{error}"
    );
    assert!(!folder.path("both.nb").exists());
}

#[test]
fn texts_are_refined() {
    let folder = Folder::new();
    let text = |row: usize| {
        let words = ["sun", "rain", "snow", "wind", "cloud"];
        let class = row * 7 % 3 % 2;
        let first = words[(row * row + 2 * class) % 5];
        format!("{first} {} and {} today {row},{}\n", words[(row + class) % 5], words[row % 4], class)
    };
    let rows = |range: std::ops::Range<usize>| {
        "note,size,y\n".to_owned()
            + &range.map(text).enumerate().fold(String::new(), |all, (at, line)| {
                let (note, y) = line.rsplit_once(',').unwrap();
                all + &format!("{note},{},{y}", at % 13)
            })
    };
    folder.write("texts.csv", rows(0..300));
    folder.write("more.csv", rows(300..360));
    let trained = json(&folder, "train texts.csv --label y --text note -o m.nb --json");
    assert!(trained["held_out"]["auc"].as_f64().is_some(), "{trained}");
    folder.ok("predict m.nb more.csv --proba -o before.csv");
    // New words have no correction.
    folder.ok("update m.nb more.csv -o more.nb");
    folder.ok("predict more.nb more.csv --proba -o after.csv");
    folder.ok("forget more.nb more.csv -o back.nb");
    let (before, after) = (folder.read("before.csv"), folder.read("after.csv"));
    assert!(before.len() > 60 && after != before);
    folder.ok("convert m.nb m.json");
    folder.ok("convert m.json again.nb");
    assert_eq!(folder.read("again.nb"), folder.read("m.nb"));
    folder.ok("convert m.nb m.onnx");
    let explained = json(&folder, "explain m.nb more.csv --row 1 --json");
    assert!(explained.to_string().contains("note: "), "{explained}");
    // An option decides what else would be chosen.
    let chosen = json(&folder, "train texts.csv --label y --text note --log-tf -o log.nb --json");
    assert!(chosen["held_out"]["log_loss"].as_f64().is_some());
    assert_ne!(folder.read("log.nb"), folder.read("m.nb"));
}
