//! `nbayes train --test` and `--test-fraction`: rows that nothing is learnt from.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::folder::Folder;

fn json(folder: &Folder, command: &str) -> Value {
    serde_json::from_str(&folder.ok(&format!("{command} --json"))).unwrap()
}

#[test]
fn a_test_file_is_evaluated_as_by_evaluate() {
    let folder = Folder::new();
    folder.ok("split @pima --train-file a.csv --test-file b.csv");
    for options in ["--plain", "--fast"] {
        let trained = json(&folder, &format!("train a.csv --label diabetes {options} --test b.csv -o m.nb"));
        let measured = json(&folder, "evaluate m.nb b.csv");
        assert_eq!(trained["test"]["files"], serde_json::json!(["b.csv"]));
        for measure in ["rows", "accuracy", "log_loss", "auc", "calibration_error", "baseline", "confusion"] {
            assert_eq!(trained["test"][measure], measured[measure], "{measure}");
        }
        // The model is the one without test rows.
        folder.ok(&format!("train a.csv --label diabetes {options} -o without.nb"));
        assert_eq!(folder.read("m.nb"), folder.read("without.nb"));
    }
    let text = folder.ok("train a.csv --label diabetes --fast --test b.csv -o m.nb");
    for part in [
        "test rows",
        "baseline: class prior",
        "154 rows of b.csv, from which nothing was learnt: the saved model has not seen them",
        "95 % interval of the accuracy",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_share_of_the_rows_is_held_out_before_anything_is_learnt() {
    let folder = Folder::new();
    folder.ok("split @titanic --label Survived --seed 5 --train-file a.csv --test-file b.csv");
    let split = json(&folder, "train a.csv --label Survived --test b.csv -o split.nb --plain");
    let held_out = json(&folder, "train @titanic --test-fraction 0.2 --seed 5 -o m.nb --plain");
    assert_eq!(folder.read("m.nb"), folder.read("split.nb"));
    for measure in ["rows", "accuracy", "log_loss", "auc", "confusion"] {
        assert_eq!(split["test"][measure], held_out["test"][measure], "{measure}");
    }
    assert_eq!((&held_out["test"]["test_fraction"], &held_out["test"]["seed"]), (&0.2.into(), &5.into()));
    assert_ne!(
        json(&folder, "train @titanic --test-fraction 0.2 -o m.nb --plain")["test"]["confusion"],
        held_out["test"]["confusion"]
    );
    // Neither categories nor words nor cut points come from test rows.
    let rows: Vec<String> =
        (0..50).map(|row| format!("the word{row}x is here,{row}.5,c{row},{}\n", row % 2)).collect();
    folder.write("t.csv", format!("note,x,c,y\n{}", rows.concat()));
    let trained =
        json(&folder, "train t.csv --label y --test-fraction 0.2 --categorical c --text note -o t.nb");
    let columns: BTreeMap<&str, &Value> = trained["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| (column["name"].as_str().unwrap(), column))
        .collect();
    assert_eq!((&columns["c"]["categories"], &columns["note"]["terms"]), (&40.into(), &43.into()));
    // Standard input, several files, Parquet and compressed text are held out from, too.
    let csv = String::from_utf8(folder.read("a.csv")).unwrap();
    let run =
        folder.nbayes_with("train - --label Survived --test-fraction 0.5 --plain -o p.nb", csv.as_str());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let two = json(&folder, "train a.csv b.csv --label Survived --test-fraction 0.5 --plain -o p.nb");
    assert_eq!((&two["rows"], &two["test"]["rows"]), (&1100.into(), &1101.into()));
    folder.ok("sample m.nb -n 80 -o s.parquet");
    let parquet = json(&folder, "train s.parquet --label Survived --test-fraction 0.25 --plain -o p.nb");
    assert_eq!((&parquet["rows"], &parquet["test"]["rows"]), (&60.into(), &20.into()));
}

#[test]
fn lines_of_messages_are_those_of_the_file() {
    let folder = Folder::new();
    let mut rows: Vec<String> = (0..60).map(|row| format!("{row},{}", ["a", "b"][row % 2])).collect();
    rows[50] = "3,4,a".into();
    folder.write("t.csv", format!("x,y\n{}\n", rows.join("\n")));
    let error = folder.fails(1, "train t.csv --label y --test-fraction 0.3 -o m.nb");
    assert!(error.contains("line 52"), "{error}");
    rows[50] = "inf,a".into();
    folder.write("t.csv", format!("x,y\n{}\n", rows.join("\n")));
    let error = folder.fails(1, "train t.csv --label y --test-fraction 0.3 -o m.nb --plain");
    assert!(error.contains("line 52, column \"x\": \"inf\" is infinite"), "{error}");
    assert!(!folder.path("m.nb").exists());
}

#[test]
fn what_cannot_be_test_rows_is_refused() {
    let folder = Folder::new();
    folder.write("a.csv", "x,z,y\n1,2,a\n2,3,b\n3,4,a\n4,5,b\n");
    folder.write("b.csv", "x,y\n1,a\n");
    folder.write("c.csv", "x,z,y\n1,2,c\n2,3,d\n");
    folder.write("d.csv", "x,z,y\n1,2,a\n2,3,d\n");
    folder.write("e.csv", "x,z\n1,2\n");
    folder.write("l.csv", b"x,z,y\n1,2,caf\xe9 noir\n2,3,b\n3,4,b\n4,5,caf\xe9 noir\n");
    folder.write("r.jsonl", "{\"x\":1,\"y\":\"a\"}\n{\"x\":2,\"y\":\"b\"}\n");
    let train = "train a.csv --label y --plain -o m.nb";
    for (options, code, message) in [
        ("--test b.csv", 1, "\"z\""),
        ("--test e.csv", 1, "\"y\""),
        (
            "--test c.csv",
            1,
            "no label that the model knows: \"c\" (1 row), \"d\" (1 row); the classes of the model are",
        ),
        ("--test none.csv", 1, "none.csv"),
        ("--test a.csv", 2, "is also a.csv"),
        ("--test ./a.csv", 2, "is also a.csv"),
        ("--test b.csv --test-fraction 0.2", 2, "cannot be used with"),
        ("--test-fraction 0", 2, "a share between 0 and 1"),
        ("--test-fraction 1", 2, "a share between 0 and 1"),
        ("--test-fraction NaN", 2, "a share between 0 and 1"),
        ("--test-fraction 0.7", 2, "choose a smaller --test-fraction"),
        ("--test-fraction 0.9", 2, "none would be left for training"),
        ("--test c.csv --engine datafusion", 2, "--test works only with --engine local"),
        ("--test-fraction 0.2 --engine datafusion", 2, "--test-fraction works only with --engine local"),
    ] {
        let error = folder.fails(code, &format!("{train} {options}"));
        assert!(error.contains(message), "{options}: {error}");
        assert!(!folder.path("m.nb").exists());
    }
    let error = folder.fails(2, "train l.csv --label y --test-fraction 0.5 -o m.nb");
    assert!(error.contains("windows-1252") && error.contains("text in UTF-8"), "{error}");
    let error = folder.fails(2, "train r.jsonl --label y --test-fraction 0.5 -o m.nb");
    assert!(error.contains("neither delimited text nor Parquet") && error.contains("--test FILE"), "{error}");
    let error = folder.fails(2, "train a.csv --label y -o b.csv --test b.csv");
    assert!(error.contains("b.csv is also an input"), "{error}");
    let text = folder.ok(&format!("{train} --test d.csv"));
    assert!(
        text.contains("1 test row has a label that the model does not know, and is wrong: \"d\" (1 row)"),
        "{text}"
    );
}
