//! Decision rules: chosen, kept in models, and applied.

use crate::folder::Folder;

/// A model of a part of the rows, and files with the others.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.ok("split @pima --test 0.3 --validation 0.3 --train-file a.csv --validation-file v.csv --test-file t.csv");
    folder.ok("train --plain a.csv --label diabetes -o m.nb --quiet");
    folder
}

/// The label and the probabilities of every row.
fn predicted(folder: &Folder, arguments: &str) -> Vec<(String, Vec<f64>)> {
    let out = folder.ok(&format!("predict {arguments} --proba --quiet"));
    let mut reader = csv::Reader::from_reader(out.as_bytes());
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        (row[0].to_owned(), row.iter().skip(1).filter_map(|cell| cell.parse().ok()).collect())
    });
    rows.collect()
}

#[test]
fn labels_are_those_of_the_rule() {
    let folder = folder();
    let plain = predicted(&folder, "m.nb t.csv");
    let check = |rule: &str, expected: &dyn Fn(f64, f64) -> &'static str| {
        folder.ok(&format!("decide m.nb {rule} -o d.nb"));
        let decided = predicted(&folder, "d.nb t.csv");
        assert_ne!(plain, decided, "{rule}");
        for ((_, before), (label, after)) in plain.iter().zip(&decided) {
            assert_eq!(before, after);
            assert_eq!(label, expected(after[0], after[1]), "{rule}: {after:?}");
        }
    };
    let class = |is_positive: bool| if is_positive { "pos" } else { "neg" };
    check("--weights pos=4", &|neg, pos| class(4.0 * pos > neg));
    check("--costs neg|pos=4", &|neg, pos| class(4.0 * pos > neg));
    check("--positive pos --threshold 0.2", &|_, pos| class(pos >= 0.2));
    check("--min-probability 0.8 --abstain unsure", &|neg, pos| {
        if neg.max(pos) < 0.8 { "unsure" } else { class(pos > neg) }
    });
    check("--min-probability 0.8", &|neg, pos| if neg.max(pos) < 0.8 { "" } else { class(pos > neg) });
    // Equal costs are no rule, and removing one restores the bytes.
    for rule in ["--weights pos=2,neg=2", "--costs neg|pos=1", "--none"] {
        folder.ok(&format!("decide d.nb {rule}"));
        assert_eq!(folder.read("d.nb"), folder.read("m.nb"), "{rule}");
    }
}

#[test]
fn thresholds_are_chosen_by_held_out_rows() {
    let folder = folder();
    let decide = |rule: &str| {
        let out = folder.ok(&format!("decide m.nb v.csv {rule} -o d.nb --json"));
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["outcome"].clone()
    };
    let f1 = decide("--positive pos --maximise f1");
    assert!(f1["decision"]["f1"].as_f64() > f1["most_probable"]["f1"].as_f64(), "{f1}");
    // What is promised is less than what these rows have.
    let outcome = decide("--positive pos --recall-at-precision 0.65");
    assert!(outcome["decision"]["precision"].as_f64().unwrap() >= 0.7, "{outcome}");
    let error = folder.fails(1, "decide m.nb v.csv --positive pos --recall-at-precision 0.999 -o e.nb");
    assert!(error.contains("no threshold promises a precision of 0.999"), "{error}");
    assert!(!folder.path("e.nb").exists());
    let accuracy = decide("--positive pos --maximise accuracy");
    assert!(accuracy["decision"]["accuracy"].as_f64() >= accuracy["most_probable"]["accuracy"].as_f64());
}

#[test]
fn prediction_sets_cover_new_rows() {
    let folder = folder();
    folder.ok("decide m.nb v.csv --coverage 0.9");
    let evaluated = folder.ok("evaluate m.nb t.csv --json");
    let evaluated: serde_json::Value = serde_json::from_str(&evaluated).unwrap();
    let coverage = evaluated["sets"]["coverage"].as_f64().unwrap();
    assert!((0.85..1.0).contains(&coverage), "{coverage}");
    let out = folder.ok("predict m.nb t.csv --sets --quiet");
    assert!(out.starts_with("predicted_diabetes,set\n") && out.contains(",neg|pos\n"), "{out}");
    folder.ok("decide m.nb --none");
    assert!(folder.fails(2, "predict m.nb t.csv --sets").contains("--coverage 0.9"));
}

#[test]
fn a_rule_stays_with_its_model() {
    let folder = folder();
    folder.ok("decide m.nb --weights pos=4 -o d.nb");
    let before = folder.read("d.nb");
    folder.ok("update d.nb v.csv");
    folder.ok("forget d.nb v.csv");
    assert_eq!(folder.read("d.nb"), before);
    assert!(
        folder
            .ok("inspect d.nb")
            .contains("decision rule: largest weighted probability; weights neg=1, pos=4")
    );
    folder.ok("convert d.nb d.json");
    folder.ok("convert d.json e.nb");
    assert_eq!(folder.read("e.nb"), before);
    // Merged with a model without one it stays; with another one it must be said which.
    folder.ok("merge m.nb d.nb -o both.nb");
    assert!(folder.ok("inspect both.nb").contains("decision rule"));
    folder.ok("decide m.nb --weights pos=2 -o e.nb");
    let error = folder.fails(1, "merge d.nb e.nb -o both.nb");
    assert!(error.contains("e.nb cannot be merged with d.nb") && error.contains("--none"), "{error}");
    // Another class is not one that it is for.
    folder.write("new.csv", String::from_utf8(folder.read("v.csv")).unwrap().replace("pos", "maybe"));
    let error = folder.fails(1, "update d.nb new.csv");
    assert!(error.contains("the decision rule is for the classes \"neg\", \"pos\""), "{error}");
    assert_eq!(folder.read("d.nb"), before);
}

#[test]
fn labels_by_a_rule_are_evaluated_and_explained() {
    let folder = folder();
    folder.ok("decide m.nb --positive pos --threshold 0.1 --min-probability 0.6 -o d.nb");
    let [plain, decided] = ["m.nb", "d.nb"].map(|model| {
        let out = folder.ok(&format!("evaluate {model} t.csv --json"));
        serde_json::from_str::<serde_json::Value>(&out).unwrap()
    });
    // Probabilities are the same, labels are not.
    for measure in ["log_loss", "brier", "auc", "calibration_error"] {
        assert_eq!(plain[measure], decided[measure], "{measure}");
    }
    assert!(decided["classes"][1]["recall"].as_f64() > plain["classes"][1]["recall"].as_f64());
    assert!(decided["undecided_rows"].as_u64() > Some(0));
    let text = folder.ok("evaluate d.nb t.csv");
    assert!(text.contains("labels by the decision rule: \"pos\" from a probability of 0.1 on"), "{text}");
    assert!(text.contains("not decided by this rule"), "{text}");
    let labels = predicted(&folder, "d.nb t.csv");
    let row = labels.iter().position(|(label, p)| label == "pos" && p[1] < 0.4).unwrap();
    let text = folder.ok(&format!("explain d.nb t.csv --row {}", row + 1));
    assert!(
        text.contains(": pos (probability 0.") && text.contains("The label is by the decision rule"),
        "{text}"
    );
    let row = labels.iter().position(|(label, _)| label.is_empty()).unwrap();
    assert!(folder.ok(&format!("explain d.nb t.csv --row {}", row + 1)).contains("the row is not decided"));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = folder();
    for (code, arguments, part) in [
        (2, "", "no rule given"),
        (2, "--weights posi=2", "no class \"posi\"; its classes are \"neg\", \"pos\""),
        (2, "--weights pos", "label=weight"),
        (1, "--weights pos=0", "above 0"),
        (2, "--costs pos=2", "one predicted and one actual class"),
        (1, "--costs pos|neg=0", "costs nothing"),
        (2, "--positive pos", "needs a threshold"),
        (2, "--threshold 0.3", "--positive"),
        (2, "--positive pos --maximise f1", "held-out rows"),
        (2, "--coverage 0.9", "held-out rows"),
        (1, "v.csv --coverage 1", "the probability is 1"),
        (1, "--positive pos --threshold 1", "between 0 and 1"),
        (1, "--min-probability 0.5 --abstain pos", "is a class of the model"),
        (2, "--weights pos=2 --positive pos --threshold 0.3", "cannot be used with"),
        (2, "--none --weights pos=2", "cannot be used with"),
    ] {
        let error = folder.fails(code, &format!("decide m.nb {arguments}"));
        assert!(error.contains(part), "{arguments}: {error}");
    }
    folder.write("costs.csv", "predicted,actual,cost\nneg,pos,4\n");
    folder.ok("decide m.nb --costs costs.csv");
    folder.write("costs.csv", "predicted,actual,cost\nneg,pos,many\n");
    assert!(folder.fails(1, "decide m.nb --costs costs.csv").contains("\"many\" is not a number"));
}
