//! Plain models have measures of held-out rows, too.

use serde_json::Value;

use crate::folder::Folder;

fn json(folder: &Folder, command: &str) -> Value {
    serde_json::from_str(&folder.ok(&format!("{command} --json"))).unwrap()
}

fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} in {value}"))
}

#[test]
fn they_are_near_those_of_leave_one_out() {
    let folder = Folder::new();
    for (set, options) in [
        ("wine", ""),
        ("titanic", ""),
        ("soybean", "--smoothing 0.5"),
        ("housevotes84", "--tune --folds 3"),
        ("iris", "--prior uniform --unbiased"),
    ] {
        let trained = json(&folder, &format!("train @{set} --plain {options} -o m.nb"));
        let left_out = json(&folder, &format!("evaluate m.nb @{set} --leave-one-out"));
        let held_out = &trained["held_out"];
        assert_eq!(held_out["rows"], trained["rows"]);
        let (loss, expected) = (number(held_out, "log_loss"), number(&left_out, "log_loss"));
        assert!((loss - expected).abs() < 0.02 + 0.35 * expected, "{set}: {loss} {expected}");
        let (accuracy, expected) = (number(held_out, "accuracy"), number(&left_out, "accuracy"));
        assert!((accuracy - expected).abs() < 0.02, "{set}: {accuracy} {expected}");
        let baseline = &left_out["baseline"];
        for (name, of) in [("log_loss_of_prior", "log_loss"), ("majority", "accuracy")] {
            assert!((number(held_out, name) - number(baseline, of)).abs() < 1e-9, "{set} {name}");
        }
        // The model keeps them.
        assert_eq!(json(&folder, "inspect m.nb")["held_out"]["log_loss"], held_out["log_loss"]);
        assert!(folder.ok("inspect m.nb").contains("held-out rows of training: log-loss "));
    }
}

#[test]
fn what_only_training_rows_say_does_not_help() {
    let folder = Folder::new();
    // A category for each pair of rows, one of each class.
    let rows: Vec<String> =
        (0..600).map(|row| format!("c{},{},{}\n", row * 7 % 300, row % 5, ["a", "b"][row / 3 % 2])).collect();
    folder.write("t.csv", format!("c,k,y\n{}", rows.concat()));
    let trained = json(&folder, "train t.csv --label y --categorical c --plain -o m.nb");
    let of_training = json(&folder, "evaluate m.nb t.csv");
    assert!(number(&of_training, "log_loss") + 0.1 < number(&trained["held_out"], "log_loss"), "{trained}");
}

#[test]
fn weights_texts_and_sparse_rows_are_held_out() {
    let folder = Folder::new();
    let rows: Vec<String> = (0..200)
        .map(|row| format!("{},{},{}\n", row * 31 % 50 + 20 * (row % 2), 1 + row % 3, ["a", "b"][row % 2]))
        .collect();
    folder.write("w.csv", format!("x,w,y\n{}", rows.concat()));
    let weighted = json(&folder, "train w.csv --label y --weights w --plain -o m.nb");
    assert_eq!(weighted["held_out"]["rows"], 200);
    let texts = json(&folder, "train @sms --plain -o m.nb");
    assert!(number(&texts["held_out"], "accuracy") > 0.95, "{texts}");
    let sparse: Vec<String> =
        (0..200).map(|row| format!("{} {}:1 {}:2\n", row % 2, 1 + row % 4, 5 + row % 3)).collect();
    folder.write("s.svm", sparse.concat());
    let sparse = json(&folder, "train s.svm -o m.nb");
    assert_eq!(sparse["plain"], "only some cells of a row are stored");
    assert!(number(&sparse["held_out"], "accuracy") > 0.9, "{sparse}");
    let run = folder.nbayes_with("train - --label y --plain --ignore w -o m.nb", folder.read("w.csv"));
    assert!(run.stdout.contains("held-out rows"), "{}", run.stdout);
}

#[test]
fn where_nothing_can_be_held_out_it_is_said() {
    let folder = Folder::new();
    let rows: Vec<String> = (0..29).map(|row| format!("{}.5,{}\n", row, ["a", "b"][row % 2])).collect();
    folder.write("few.csv", format!("x,y\n{}", rows.concat()));
    let text = folder.ok("train few.csv --label y --plain -o m.nb");
    assert!(text.contains("no rows were held out: there are fewer than 30 rows"), "{text}");
    folder.write("one.csv", format!("x,y\n{}{}", rows.concat(), rows.concat()).replace(",a", ",b"));
    assert_eq!(
        json(&folder, "train one.csv --label y --plain -o m.nb")["not_held_out"],
        "there are no two classes"
    );
    // One row of a class is not classified; the others are.
    folder.write("lone.csv", format!("x,y\n{}40,b\n41,c\n", rows.concat()));
    let lone = json(&folder, "train lone.csv --label y --plain -o m.nb");
    assert_eq!((&lone["held_out"]["rows"], &lone["held_out"]["lone_rows"]), (&30.into(), &1.into()));
    let text = folder.ok("train lone.csv --label y --plain -o m.nb");
    assert!(
        text.contains("1 row is not classified, having a class of which the other rows have none"),
        "{text}"
    );
    // Two values of a column in a class, of which one is enough for no model without it.
    let few_values: Vec<String> = (0..60)
        .map(|row| {
            format!("{},{row},{}\n", if row == 7 { "5" } else { "" }, "ab".chars().nth(row % 2).unwrap())
        })
        .collect();
    folder.write("gaps.csv", format!("v,x,y\n8,3,a\n{}", few_values.concat()));
    let gaps = json(&folder, "train gaps.csv --label y --gaussian v,x --plain -o m.nb");
    let why = gaps["not_held_out"].as_str().unwrap();
    assert!(
        why.starts_with("without a fifth of the rows there is no model: column \"v\" has no values"),
        "{why}"
    );
}

#[test]
fn rows_that_are_impossible_are_wrong() {
    let folder = Folder::new();
    let rows: Vec<String> = (0..100)
        .map(|row| format!("c{},{}\n", if row == 50 { 9 } else { row % 2 }, ["a", "b"][row % 2]))
        .collect();
    folder.write("t.csv", format!("c,y\n{}", rows.concat()));
    let text = folder.ok("train t.csv --label y --categorical c --smoothing 0 -o m.nb");
    assert!(text.contains("1 row is impossible under every class, and counted as wrong"), "{text}");
    assert!(!folder.ok("inspect m.nb").contains("held-out rows of training"));
    assert_eq!(
        json(&folder, "train t.csv --label y --categorical c --smoothing 0 -o m.nb")["held_out"]["accuracy"],
        0.99
    );
}

#[test]
fn they_are_those_of_training_whatever_happens_to_the_model() {
    let folder = Folder::new();
    folder.ok("split @titanic --label Survived --train-file a.csv --test-file b.csv");
    for (file, option, model) in [("a", "--plain", "a"), ("b", "--plain", "b"), ("b", "--sums-only", "sums")]
    {
        folder.ok(&format!("train {file}.csv --label Survived {option} -o {model}.nb"));
    }
    let held_out = |file: &str| json(&folder, &format!("inspect {file}"))["held_out"].clone();
    let own = held_out("a.nb");
    assert!(own.is_object() && held_out("sums.nb").is_null());
    folder.ok("update a.nb b.csv -o u.nb");
    folder.ok("forget u.nb b.csv -o f.nb");
    assert_eq!(folder.read("f.nb"), folder.read("a.nb"));
    folder.ok("decay a.nb --factor 0.5 -o d.nb");
    folder.ok("decide a.nb --weights Yes=2 -o r.nb");
    for file in ["u.nb", "f.nb", "d.nb", "r.nb"] {
        assert_eq!(held_out(file), own, "{file}");
    }
    folder.ok("merge a.nb b.nb -o m.nb");
    assert!(held_out("m.nb").is_null());
    folder.ok("merge b.nb a.nb -o n.nb");
    assert_eq!(folder.read("m.nb"), folder.read("n.nb"));
}
