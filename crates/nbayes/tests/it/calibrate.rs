//! Probabilities that are as sure as they are right.

use std::fmt::Write;

use crate::folder::Folder;

/// A number, the same again four times with little noise, so that naive Bayes is too sure, and a category.
fn rows(range: std::ops::Range<usize>) -> String {
    let mut text = String::from("a,b,c,d,colour,y\n");
    for row in range {
        let hash = row * 7919 % 1009;
        let class = usize::from((hash * 31 / 7 + row) % 10 < 4);
        let a = (hash % 100) as f64 / 30.0 + class as f64;
        let noise = |k: usize| a + ((row * k) % 7) as f64 / 50.0;
        let colour = ["red", "green"][(row / 5 + class) % 2];
        writeln!(text, "{a},{},{},{},{colour},{}", noise(3), noise(5), noise(11), ["no", "yes"][class])
            .unwrap();
    }
    text
}

fn trained(options: &str) -> Folder {
    let folder = Folder::new();
    folder.write("rows.csv", rows(0..400));
    folder.write("held.csv", rows(400..800));
    folder.write("test.csv", rows(800..1200));
    folder.ok(&format!("train rows.csv --label y -o m.nb {options}"));
    folder
}

fn json(folder: &Folder, command: &str) -> serde_json::Value {
    serde_json::from_str(&folder.ok(command)).unwrap()
}

fn measure(folder: &Folder, model: &str, name: &str) -> f64 {
    json(folder, &format!("evaluate {model} test.csv --json"))[name].as_f64().unwrap()
}

#[test]
fn probabilities_are_less_sure_and_better() {
    for map in ["temperature", "platt"] {
        let folder = trained("--plain");
        let result = json(&folder, &format!("calibrate m.nb held.csv --map {map} -o c.nb --json"));
        let factor = result["factor"].as_f64().unwrap();
        assert!(0.1 < factor && factor < 0.7, "{factor}");
        let log_loss = |which: &str| result[which]["log_loss"].as_f64().unwrap();
        assert!(log_loss("held_out") < log_loss("before") - 0.02, "{result}");
        assert!(measure(&folder, "c.nb", "log_loss") < measure(&folder, "m.nb", "log_loss") - 0.02);
        if map == "temperature" {
            assert_eq!(measure(&folder, "c.nb", "accuracy"), measure(&folder, "m.nb", "accuracy"));
            // Twice is once: what is calibrated needs nothing more.
            let again = json(&folder, "calibrate c.nb held.csv -o d.nb --json");
            assert!((again["factor"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{again}");
        }
        assert!(folder.ok("explain c.nb test.csv --row 1").contains("colour"));
        folder.ok("update c.nb test.csv -o u.nb");
        folder.ok("convert c.nb c.onnx");
        folder.ok("convert c.nb c.json");
        folder.ok("convert c.json back.nb");
        assert_eq!(folder.read("back.nb"), folder.read("c.nb"));
        assert!(folder.ok("sql --predict c.nb --table rows --dialect duckdb").contains(" * ("));
    }
}

#[test]
fn isotonic_maps_are_in_the_file_and_in_all_answers() {
    for options in ["--plain", "", "--all tan"] {
        let folder = trained(options);
        let result = json(&folder, "calibrate m.nb held.csv --map isotonic -o c.nb --json");
        let map = &result["maps"][0];
        assert_eq!(map["class"], "yes");
        assert!(map["blocks"].as_u64().unwrap() > 2, "{result}");
        let bounds = ["lowest", "highest"].map(|end| map[end].as_f64().unwrap());
        assert!(0.0 < bounds[0] && bounds[0] < bounds[1] && bounds[1] < 1.0, "{result}");
        if options == "--plain" {
            let log_loss = |which: &str| result[which]["log_loss"].as_f64().unwrap();
            assert!(log_loss("held_out") < log_loss("before") - 0.02, "{result}");
            assert!(measure(&folder, "c.nb", "log_loss") < measure(&folder, "m.nb", "log_loss") - 0.02);
        }
        // All probabilities are those of the map, and as `evaluate` has them, a report has them.
        folder.ok("predict c.nb test.csv --proba -o p.csv");
        let text = String::from_utf8(folder.read("p.csv")).unwrap();
        let (head, lines) = text.split_once('\n').unwrap();
        let place = head.split(',').position(|name| name.contains("yes")).unwrap();
        let probability = |line: &str| line.split(',').nth(place).unwrap().parse::<f64>().unwrap();
        for p in lines.lines().map(probability) {
            assert!(bounds[0] - 1e-12 <= p && p <= bounds[1] + 1e-12, "{p} {bounds:?}");
        }
        let report = json(&folder, "report c.nb test.csv -o c.html --json");
        let (ours, theirs) = (report["log_loss"].as_f64().unwrap(), measure(&folder, "c.nb", "log_loss"));
        assert!((ours - theirs).abs() < 1e-12);
        let page = String::from_utf8(folder.read("c.html")).unwrap();
        assert!(page.contains("isotonic regression, learnt from 400 rows"));
        // The file is the same by way of JSON.
        folder.ok("convert c.nb c.json");
        folder.ok("convert c.json back.nb");
        assert_eq!(folder.read("back.nb"), folder.read("c.nb"));
        assert!(folder.ok("inspect c.nb").contains("calibration: isotonic regression, learnt from 400 rows"));
        // A rule acts on the calibrated probabilities.
        let between = f64::midpoint(bounds[0], bounds[1]);
        folder.ok(&format!("decide c.nb --positive yes --threshold {between} -o d.nb"));
        let labels = folder.ok("predict d.nb test.csv");
        let n_yes = lines.lines().filter(|line| probability(line) >= between).count();
        assert_eq!(labels.lines().filter(|line| *line == "yes").count(), n_yes);
        // Without the map it is as before.
        folder.ok("calibrate c.nb --none -o n.nb");
        assert_eq!(folder.read("n.nb"), folder.read("m.nb"));
        assert!(folder.fails(1, "calibrate n.nb --none").contains("has no isotonic map"));
    }
}

#[test]
fn what_acts_before_the_isotonic_map_says_so() {
    let folder = trained("");
    folder.ok("calibrate m.nb held.csv --map isotonic -o c.nb");
    let explained = folder.ok("explain c.nb test.csv --row 1");
    assert!(explained.contains("those before") && explained.contains("colour"), "{explained}");
    assert!(!explained.contains("Without "), "{explained}");
    let explained = json(&folder, "explain c.nb test.csv --row 1 --json");
    assert!(explained["calibrated"].as_str().unwrap().contains("before the calibration map"));
    folder.ok("plot c.nb --feature colour -o c.svg");
    folder.ok("importance c.nb test.csv");
    let refused = folder.fails(1, "sql --predict c.nb --table rows --dialect duckdb");
    assert!(refused.contains("--map platt"), "{refused}");
    assert!(folder.fails(1, "convert c.nb c.onnx").contains("--map platt"));
    assert!(folder.fails(1, "sample c.nb -n 3").contains("calibrate MODEL --none"));
    // It is kept as rows come and go, and said.
    let updated = folder.ok("update c.nb test.csv -o u.nb");
    assert!(updated.contains("its calibration is still that of 400 rows"), "{updated}");
    assert!(folder.ok("inspect u.nb").contains("calibration: isotonic regression"));
    folder.ok("forget u.nb test.csv -o f.nb");
    assert_eq!(folder.ok("predict f.nb test.csv --proba"), folder.ok("predict c.nb test.csv --proba"));
    // New weights need another map.
    folder.ok("refit c.nb rows.csv held.csv --fast -o r.nb");
    assert!(!folder.ok("inspect r.nb").contains("isotonic"));
    // A new class.
    folder.write("new.csv", "a,b,c,d,colour,y\n1,1,1,1,red,maybe\n");
    assert!(folder.fails(1, "update c.nb new.csv").contains("maybe"));
    // Another map takes its place.
    folder.ok("calibrate c.nb held.csv -o t.nb");
    assert!(!folder.ok("inspect t.nb").contains("isotonic"));
}

#[test]
fn refined_models_keep_their_weights_in_proportion() {
    let folder = trained("");
    folder.ok("calibrate m.nb held.csv -o c.nb");
    let rows = |model: &str| folder.ok(&format!("predict {model} test.csv"));
    assert_eq!(rows("c.nb"), rows("m.nb"));
    assert!((measure(&folder, "c.nb", "log_loss") - measure(&folder, "m.nb", "log_loss")).abs() < 0.05);
}

#[test]
fn what_cannot_be_calibrated_is_said() {
    let folder = trained("--plain");
    folder.write("odd.csv", "a,b,c,d,colour,y\n1,1,1,1,red,maybe\n");
    let before = folder.read("m.nb");
    let error = folder.fails(1, "calibrate m.nb odd.csv");
    assert!(
        error.contains("odd.csv, line 2: the label \"maybe\" is no class of the model (\"no\", \"yes\")"),
        "{error}"
    );
    folder.write("right.csv", "a,b,c,d,colour,y\n0,0,0,0,red,no\n5,5,5,5,red,yes\n");
    let error = folder.fails(1, "calibrate m.nb right.csv");
    assert!(error.contains("m.nb cannot be calibrated by right.csv"), "{error}");
    folder.write("three.csv", "a,y\n1,x\n2,y\n3,z\n1.5,x\n2.5,y\n3.5,z\n");
    folder.ok("train three.csv --label y --plain -o three.nb");
    let error = folder.fails(2, "calibrate three.nb three.csv --map platt");
    assert!(error.contains("--map platt is for two classes, and the model has 3"), "{error}");
    folder.ok("train rows.csv --label y --all tan -o tan.nb");
    assert!(folder.fails(1, "calibrate tan.nb held.csv").contains("depend on each other"));
    assert_eq!(folder.read("m.nb"), before);
}

#[test]
fn one_wrong_answer_is_enough_and_one_class_is_not() {
    let folder = trained("--plain");
    let right: String = (0..30).map(|_| "0,0,0,0,red,no\n5,5,5,5,red,yes\n").collect();
    let head = "a,b,c,d,colour,y\n";
    folder.write("one.csv", format!("{head}{right}5,5,5,5,red,no\n"));
    // The fold with the wrong answer is judged without a map, and the others by one that it has made unsure.
    let before = folder.read("m.nb");
    let error = folder.fails(1, "calibrate m.nb one.csv");
    assert!(error.contains("are worse on held-out rows (log-loss ") && error.contains("--force"), "{error}");
    assert!(folder.read("m.nb") == before);
    let run = folder.nbayes("calibrate m.nb one.csv --force -o f.nb");
    assert!(run.code == 0 && run.stderr.contains("are worse on held-out rows"), "{}", run.stderr);
    for map in ["temperature", "platt"] {
        let run = folder.nbayes(&format!("calibrate m.nb one.csv --map {map} -o c.nb --force"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        if map == "temperature" {
            assert!(
                run.stdout.contains("without which all answers are right"),
                "{}{}",
                run.stdout,
                run.stderr
            );
        } else {
            assert!(run.stdout.contains("added to those of \"yes\""), "{}{}", run.stdout, run.stderr);
        }
    }
    folder.write("class.csv", format!("{head}0,0,0,0,red,no\n5,5,5,5,red,no\n1,1,1,1,red,no\n"));
    let error = folder.fails(1, "calibrate m.nb class.csv");
    assert!(error.contains("all rows have the class \"no\""), "{error}");
}

#[test]
fn commands_say_that_a_plain_model_is_calibrated() {
    let folder = trained("--plain");
    folder.ok("calibrate m.nb held.csv -o c.nb");
    let error = folder.fails(1, "sample c.nb -n 2");
    assert!(error.contains("calibrated") && !error.contains("corrections"), "{error}");
    let inspected = folder.ok("inspect c.nb");
    assert!(inspected.contains("held-out rows of the calibration: log-loss"), "{inspected}");
    assert!(inspected.contains("calibration: learnt from 400 rows"), "{inspected}");
    let run = folder.nbayes("evaluate c.nb rows.csv --leave-one-out");
    assert!(run.stderr.contains("the calibration stays") && !run.stderr.contains("bins"), "{}", run.stderr);
    folder.ok("report c.nb test.csv -o c.html");
    let page = String::from_utf8(folder.read("c.html")).unwrap();
    assert!(page.contains("calibrated naive Bayes") && !page.contains("refined naive Bayes"));
}

#[test]
fn words_that_come_later_are_calibrated_like_others() {
    let folder = Folder::new();
    let text = |range: std::ops::Range<usize>, more: &str| {
        let lines = range.map(|row| {
            let (word, class) = [("good", "yes"), ("bad", "no")][usize::from(row * 31 % 10 < 4)];
            let other = ["red", "green", "blue", "good", "bad"][row * 7 % 5];
            let class = if row % 11 == 3 { "no" } else { class };
            format!("the {word} {other} thing is {word} {more},{class}\n")
        });
        ["note,y\n".to_owned()].into_iter().chain(lines).collect::<String>()
    };
    folder.write("rows.csv", text(0..200, ""));
    folder.write("held.csv", text(200..400, ""));
    folder.write("new.csv", text(400..420, "novel"));
    folder.ok("train rows.csv --label y --plain --text note -o m.nb");
    folder.ok("calibrate m.nb held.csv -o c.nb");
    folder.ok("update c.nb new.csv -o u.nb");
    folder.ok("convert u.nb u.json");
    let model: serde_json::Value = serde_json::from_slice(&folder.read("u.json")).unwrap();
    let text = model.to_string();
    let start = text.find("\"weights\":[").unwrap() + "\"weights\":[".len();
    let weights: Vec<&str> = text[start..].split(']').next().unwrap().split(',').collect();
    assert!(weights.len() > 5 && weights.iter().all(|weight| *weight == weights[0]), "{weights:?}");
    assert!(folder.ok("update c.nb new.csv -o v.nb").contains("its calibration is still that of 200 rows"));
}
