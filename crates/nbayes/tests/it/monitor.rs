//! `nbayes monitor`: drift between the rows of a model and new ones.

use serde_json::Value;

use crate::folder::{Folder, Run};

/// A row of `monitor` in JSON, and its exit status.
fn json(folder: &Folder, command: &str) -> (i32, Value) {
    let run = folder.nbayes(&format!("{command} --json"));
    assert!([0, 4].contains(&run.code), "{command}: {}", run.stderr);
    (run.code, serde_json::from_str(&run.stdout).unwrap())
}

fn column<'a>(found: &'a Value, name: &str) -> &'a Value {
    let columns = found["columns"].as_array().unwrap();
    columns.iter().find(|column| column["column"] == name).unwrap()
}

/// Young and old patients.
fn by_age(folder: &Folder) {
    folder.ok("split @pima --time age --train-file young.csv --test-file old.csv --quiet");
}

#[test]
fn rows_of_the_same_kind_are_no_alarm() {
    let folder = Folder::new();
    folder.ok("split @pima --label diabetes --train-file a.csv --test-file b.csv --quiet");
    folder.ok("train a.csv --label diabetes -o m.nb --quiet");
    let text = folder.ok("monitor m.nb b.csv");
    assert!(text.starts_with("ok: no drift (154 new rows beside 614 of the model)\n"), "{text}");
    let (code, found) = json(&folder, "monitor m.nb b.csv");
    assert_eq!((code, found["status"].as_str()), (0, Some("ok")));
    assert_eq!((found["rows"].as_u64(), found["model_rows"].as_f64()), (Some(154), Some(614.0)));
    let measures = found["measures"].as_array().unwrap();
    let evaluated: Value = serde_json::from_str(&folder.ok("evaluate m.nb b.csv --json")).unwrap();
    assert_eq!(measures[0]["measure"], "log_loss");
    assert_eq!(measures[0]["new"], evaluated["log_loss"]);
    let inspected: Value = serde_json::from_str(&folder.ok("inspect m.nb --json")).unwrap();
    assert_eq!(measures[0]["held_out"], inspected["held_out"]["log_loss"]);
    // A script that runs every night hears nothing.
    let quiet = folder.nbayes("monitor m.nb b.csv --quiet");
    assert_eq!((quiet.code, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "", ""));
}

#[test]
fn older_patients_are_an_alarm() {
    let folder = Folder::new();
    by_age(&folder);
    folder.ok("train young.csv --label diabetes -o m.nb --quiet");
    let Run { code, stdout, .. } = folder.nbayes("monitor m.nb old.csv --html d.html");
    assert_eq!(code, 4);
    assert!(stdout.starts_with("ALARM: drift of age"), "{stdout}");
    assert!(stdout.contains("wrote d.html"), "{stdout}");
    let (code, found) = json(&folder, "monitor m.nb old.csv");
    assert_eq!((code, found["status"].as_str()), (4, Some("alarm")));
    let first = &found["columns"][0];
    assert_eq!((first["column"].as_str(), first["status"].as_str()), (Some("age"), Some("alarm")));
    assert!(first["values"]["psi"].as_f64().unwrap() > 1.0 && first["groups"].as_array().unwrap().len() > 3);
    let shares: f64 =
        first["groups"].as_array().unwrap().iter().map(|group| group["new"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-12);
    let html = String::from_utf8(folder.read("d.html")).unwrap();
    for wanted in ["Drift of the rows of m.nb", "ALARM", "share of the rows", "held out in training", "<svg"]
    {
        assert!(html.contains(wanted), "{wanted}");
    }
    assert!(html.matches("https://").count() == html.matches("https://www.w3.org").count());
    // With --quiet what has drifted is left.
    let quiet = folder.nbayes("monitor m.nb old.csv --quiet").stdout;
    assert!(quiet.starts_with("ALARM") && quiet.lines().count() < stdout.lines().count(), "{quiet}");
    // What is ignored is no alarm, and thresholds can be others.
    let (_, without) = json(&folder, "monitor m.nb old.csv --ignore age,pregnant");
    assert!(without["columns"].as_array().unwrap().iter().all(|column| column["column"] != "age"));
    assert!(without["tests"].as_u64() < found["tests"].as_u64());
    let (_, lax) = json(&folder, "monitor m.nb old.csv --alarm 50 --alarm-rise 50");
    assert_ne!(lax["status"], "alarm");
}

#[test]
fn rows_without_labels_have_predicted_classes() {
    let folder = Folder::new();
    by_age(&folder);
    folder.ok("train young.csv --label diabetes -o m.nb --quiet");
    folder.write("new.csv", without_last_column(&folder, "old.csv"));
    let (code, found) = json(&folder, "monitor m.nb new.csv");
    assert_eq!(code, 4);
    assert!(found["label"].is_null() && found["measures"].as_array().unwrap().is_empty());
    assert!(found["predicted"]["test"]["psi"].is_number());
    assert_eq!(found["labeled_rows"], 0);
    // A column of labels that is still empty.
    let empty: String = String::from_utf8(folder.read("new.csv")).unwrap().replace('\n', ",\n");
    folder.write("empty.csv", empty.replacen(",\n", ",diabetes\n", 1));
    for options in ["", "--no-labels"] {
        let (_, no_labels) = json(&folder, &format!("monitor m.nb empty.csv {options}"));
        assert_eq!(no_labels["columns"], found["columns"]);
        assert_eq!(
            (&no_labels["label"], &no_labels["labeled_rows"]),
            (&found["label"], &found["labeled_rows"])
        );
    }
    let (_, given) = {
        folder.ok("train young.csv --label diabetes --plain --prior uniform -o u.nb --quiet");
        json(&folder, "monitor u.nb new.csv")
    };
    assert!(given["predicted"]["test"].is_null());
    assert!(given["predicted"]["why_not_tested"].as_str().unwrap().contains("the prior is given"));
}

fn without_last_column(folder: &Folder, name: &str) -> String {
    let text = String::from_utf8(folder.read(name)).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| line.rsplit_once(',').unwrap().0).collect();
    lines.join("\n") + "\n"
}

#[test]
fn every_family_finds_its_own_rows_alike() {
    let folder = Folder::new();
    for (families, compared) in [
        ("--gaussian glucose,age", "mean"),
        ("--shared-gaussian glucose,age", "mean"),
        ("--power glucose,age", "mean"),
        ("--kernel glucose,age", "bins"),
        ("--binned glucose,age", "bins"),
        ("--tan glucose,age", "bins"),
        ("--aode glucose,age", "bins"),
        ("--kdb glucose,age", "bins"),
        ("--a2de glucose,age", "bins"),
        ("--poisson glucose,age", "mean"),
        ("--negative-binomial glucose,age", "mean"),
        ("--multinomial glucose,age", "mean"),
        ("--bernoulli glucose,age", "shares"),
        ("--zero-inflated-gaussian glucose,age", "share_and_mean"),
    ] {
        folder.ok(&format!("train @pima --plain {families} -o m.nb --quiet"));
        let (code, found) = json(&folder, "monitor m.nb @pima");
        assert_eq!((code, found["status"].as_str()), (0, Some("ok")), "{families}");
        for name in ["glucose", "age"] {
            let column = column(&found, name);
            assert_eq!(column["compared"], compared, "{families}");
            assert!(column["values"]["psi"].as_f64().unwrap() < 1e-9, "{families}: {column}");
            assert!(column["values"]["p_value"].as_f64().unwrap() > 0.999, "{families}: {column}");
        }
    }
}

#[test]
fn categories_that_are_new_and_cells_that_are_missing() {
    let folder = Folder::new();
    let row = |row: usize| {
        let (city, size) = (["Rome", "Oslo", "Bern"][row % 3], row * 7 % 20);
        (city.to_owned(), size.to_string(), if row * 5 % 7 < 3 { "yes" } else { "no" })
    };
    let write = |name: &str, rows: &mut dyn Iterator<Item = (String, String, &str)>| {
        let lines: Vec<String> = rows.map(|(city, size, label)| format!("{city},{size},{label}")).collect();
        folder.write(name, format!("city,size,label\n{}\n", lines.join("\n")));
    };
    write("old.csv", &mut (0..600).map(row));
    folder.ok("train old.csv --label label --plain -o m.nb --quiet");
    write(
        "new.csv",
        &mut (0..210).map(|place| {
            let (city, size, label) = row(place);
            (
                if place % 7 == 0 { "Kyiv".into() } else { city },
                if place % 4 == 0 { String::new() } else { size },
                label,
            )
        }),
    );
    let (code, found) = json(&folder, "monitor m.nb new.csv");
    assert_eq!(code, 4);
    let city = column(&found, "city");
    assert_eq!(city["status"], "alarm");
    assert!((city["unseen_share"].as_f64().unwrap() - 1.0 / 7.0).abs() < 1e-12);
    let missing = &column(&found, "size")["missing"];
    assert_eq!((missing["model"].as_f64(), missing["test"]["status"].as_str()), (Some(0.0), Some("alarm")));
    let text = folder.nbayes("monitor m.nb new.csv").stdout;
    assert!(
        text.contains("(not seen in training) 0 → 14.3 %") && text.contains("missing 0 → 25.2 %"),
        "{text}"
    );
    // Five rows of them are few, and no alarm.
    write("few.csv", &mut (0..5).map(row));
    assert_eq!(json(&folder, "monitor m.nb few.csv").0, 0);
}

#[test]
fn terms_of_texts_that_are_more_frequent_are_named() {
    let folder = Folder::new();
    folder.ok("split @sms --label label --train-file a.csv --test-file b.csv --quiet");
    for options in ["", "--plain", "--plain --text-model bernoulli"] {
        folder.ok(&format!("train a.csv --label label {options} -o m.nb --quiet"));
        assert_eq!(json(&folder, "monitor m.nb b.csv").0, 0, "{options}");
        let texts = (0..300).map(|row| ["prize winner\n", "see you later\n", "xyzzy\n"][row % 3]);
        folder.write("new.csv", format!("message\n{}", texts.collect::<String>()));
        let (code, found) = json(&folder, "monitor m.nb new.csv");
        assert_eq!(code, 4, "{options}");
        let message = column(&found, "message");
        let terms: Vec<&str> =
            message["terms"].as_array().unwrap().iter().map(|term| term["term"].as_str().unwrap()).collect();
        assert!(terms.contains(&"prize") && terms.contains(&"winner"), "{options}: {terms:?}");
        assert!((message["rows_without_terms"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12, "{options}");
    }
}

#[test]
fn what_cannot_be_compared_is_an_error_by_name() {
    let folder = Folder::new();
    folder.ok("train @iris -o m.nb --quiet");
    folder.write("other.csv", "length,width\n1,2\n");
    for (command, code, words) in [
        ("monitor m.nb other.csv", 1, "sepal"),
        ("monitor m.nb none.csv", 1, "none.csv"),
        ("monitor m.nb @iris --ignore petal", 2, "the model has no column \"petal\""),
        ("monitor m.nb @iris --notice 0.5", 2, "--notice and --alarm"),
        ("monitor m.nb @iris --alarm 0", 2, "above 0"),
        ("monitor m.nb @iris --html no/d.html", 1, "there is no folder no"),
        ("monitor m.nb @iris --html m.nb", 2, "m.nb"),
    ] {
        let error = folder.fails(code, command);
        assert!(error.contains(words), "{command}: {error}");
    }
    folder.ok("split @iris --train-file i.csv --test-file j.csv --quiet");
    let names = folder.read("i.csv").split(|byte| *byte == b'\n').next().unwrap().to_vec();
    folder.write("empty.csv", names);
    assert!(folder.fails(1, "monitor m.nb empty.csv").contains("empty.csv: there are no rows"));
    folder.ok("train @iris --plain -o no.nb --quiet");
    folder.ok("forget no.nb @iris");
    let error = folder.fails(1, "monitor no.nb @iris");
    assert!(error.contains("no.nb: the model has no rows to compare with"), "{error}");
    // Weights are not rows, and a note reports it.
    folder.ok("train @titanic --plain -o t.nb --quiet");
    folder.ok("decay t.nb --factor 0.5");
    let run = folder.nbayes("monitor t.nb @titanic");
    assert!(
        run.stderr.contains("the 2201 rows of the model have the weight 1100.5 together"),
        "{}",
        run.stderr
    );
    assert_eq!(run.code, 0);
}
