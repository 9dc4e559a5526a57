//! Answers of other programs in `nbayes compare`.

use serde_json::Value;

use crate::{compare::QUICK, folder::Folder, python::python};

/// Rows of which `x` tells the class now and then.
fn rows() -> String {
    let row = |row: usize| format!("{},{},{}", row % 7 + row % 2 * 4, row * 7 % 11, ["no", "yes"][row % 2]);
    format!("x,noise,y\n{}\n", (0..30).map(row).collect::<Vec<_>>().join("\n"))
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", rows());
    folder
}

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.read(name)).unwrap()
}

/// What came of a variant in each repeat, without what only a model has.
fn results(report: &Value, variant: &str) -> Vec<Value> {
    let all = report["results"].as_array().unwrap().iter().filter(|unit| unit["variant"] == variant);
    let done = all.map(|unit| {
        let mut done = unit["done"].clone();
        let fields = done.as_object_mut().unwrap();
        fields.remove("times");
        fields.remove("n_parameters");
        done
    });
    done.collect()
}

#[test]
fn answers_of_our_own_have_the_measures_that_they_had() {
    for end in ["csv", "jsonl", "parquet"] {
        let folder = folder();
        folder.ok(&format!(
            "compare a.csv @iris --label y -v gaussian:name=one -v mdl:name=two {QUICK} --predictions p.{end} -o a.json"
        ));
        let text =
            folder.ok(&format!("compare a.csv @iris --label y -v prior {QUICK} --answers p.{end} -o b.json"));
        assert!(text.contains("prior") && text.contains("one") && text.contains("two"), "{text}");
        let (own, read) = (json(&folder, "a.json"), json(&folder, "b.json"));
        for variant in ["one", "two"] {
            assert_eq!(results(&own, variant).len(), 4);
            assert_eq!(results(&own, variant), results(&read, variant), "{variant} in p.{end}");
        }
        let design = read["design"].as_str().unwrap();
        let sha256 = nb_datasets::sha256_hex(&folder.read(&format!("p.{end}")));
        assert!(design.contains(&format!("file = \"p.{end}\"\nsha256 = \"{sha256}\"")), "{design}");
    }
}

/// The splits of two repeats of three folds, with a label predicted for each row by a rule.
fn answered(folder: &Folder, answer: impl Fn(usize, &str) -> String, head: &str) -> String {
    folder.ok(&format!("compare a.csv --label y -v prior {QUICK} --write-splits splits.csv --quiet"));
    let splits = String::from_utf8(folder.read("splits.csv")).unwrap();
    let mut lines = splits.lines();
    assert_eq!(lines.next(), Some("set,repeat,fold,row,label"));
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        format!(
            "{},{},{},{},{}",
            cells[1],
            cells[2],
            cells[3],
            cells[4],
            answer(cells[3].parse().unwrap(), cells[4])
        )
    };
    let lines: Vec<String> = lines.map(line).collect();
    assert_eq!(lines.len(), 60);
    format!("repeat,fold,row,label,{head}\n{}\n", lines.join("\n"))
}

#[test]
fn labels_alone_have_no_measures_of_probabilities() {
    let folder = folder();
    let answers = answered(&folder, |_, label| label.to_owned(), "predicted");
    folder.write("oracle.csv", answers);
    let arguments = format!("compare a.csv --label y -v gaussian {QUICK} --answers oracle.csv");
    let text = folder.ok(&format!("{arguments} -o r.md -o r.html --results r.jsonl --predictions p.csv"));
    let line = text.lines().find(|line| line.starts_with(" oracle")).unwrap();
    let cells: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(cells, ["oracle", "1.0000", "1.0000", "1.0000", "-", "-", "-", "-"]);
    let said = "oracle on a.csv: only labels were predicted, so that there are no measures of probabilities";
    assert!(text.contains(said), "{text}");
    let report = String::from_utf8(folder.read("r.md")).unwrap();
    assert!(report.contains(said) && report.contains("answers of another program"), "{report}");
    // What was trained is kept without the answers, and goes on with others.
    folder.write("other.csv", folder.read("oracle.csv"));
    let again = folder.nbayes(&format!("{arguments} --answers other.csv --results r.jsonl"));
    assert_eq!((again.code, again.stderr.as_str()), (0, "2 results are there already\n"));
    // The splits are those of a file of splits.
    let given = "compare a.csv --label y -v gaussian --split-file splits.csv --answers oracle.csv";
    assert!(folder.ok(given).contains("oracle"));
}

#[test]
fn answers_that_are_none_are_refused_by_place() {
    let folder = folder();
    let p = |row: usize, _: &str| if row == 7 { "0.25,0.75".to_owned() } else { "0.5,0.5".to_owned() };
    let good = answered(&folder, p, "p(no),p(yes)");
    folder.write("good.csv", &good);
    let arguments = format!("compare a.csv --label y -v prior {QUICK} --answers");
    folder.ok(&format!("{arguments} good.csv"));
    let refused = |content: String, expected: &[&str]| {
        folder.write("bad.csv", content);
        let error = folder.fails(1, &format!("{arguments} bad.csv"));
        for part in expected {
            assert!(error.contains(part), "{error}");
        }
    };
    // The first line of row 7, and its number among those of the file.
    let line = good.lines().find(|line| line.split(',').nth(2) == Some("7")).unwrap();
    let place = format!("bad.csv, row {}", good.lines().position(|other| other == line).unwrap());
    let with = |other: &str| good.replacen(line, other, 1);
    refused(with(&line.replace("0.25", "0.3")), &[&place, "row 7", "add up to 1.05", "1e-5"]);
    refused(with(&line.replace("0.25", "-0.25")), &[&place, "class \"no\"", "-0.25", "from 0 to 1"]);
    refused(with(&line.replace("0.75", "x")), &[&place, "\"p(yes)\"", "\"x\" is no number"]);
    refused(with(&line.replace("yes", "no")), &[&place, "row 7", "\"yes\"", "\"no\""]);
    refused(with(&line.replacen(",7,", ",77,", 1)), &[&place, "there is no row 77", "30"]);
    refused(with(&format!("9{}", &line[1..])), &[&place, "there is no repeat 9", "2"]);
    refused(with(&format!("{line}\n{line}")), &["row 7", "two answers in repeat 0"]);
    refused(good.replacen(&format!("{line}\n"), "", 1), &["bad.csv", "row 7", "no answer in repeat 0"]);
    let fold: usize = line.split(',').nth(1).unwrap().parse().unwrap();
    let moved = format!("0,{},7", (fold + 1) % 3);
    refused(
        with(&line.replacen(&format!("0,{fold},7"), &moved, 1)),
        &[&place, &format!("row 7 of the data is tested in fold {fold} of repeat 0"), "--write-splits"],
    );
    refused(good.replacen("fold", "part", 1), &["bad.csv", "columns `row` and `fold`", "\"part\""]);
    refused(good.replacen("repeat", "time", 1), &["bad.csv", "no column `repeat`", "2 repeats"]);
    refused(good.replacen("p(no)", "no", 1), &["bad.csv", "no column `p(no)`"]);
    let labels = answered(&folder, |_, _| "maybe".into(), "predicted");
    refused(labels, &["\"maybe\"", "is no class", "no, yes"]);
    let error = folder.fails(2, &format!("{arguments} good.csv --experiment robustness"));
    assert!(error.contains("--answers"), "{error}");
    let error =
        folder.fails(2, &format!("compare a.csv --label y -v gaussian:name=good {QUICK} --answers good.csv"));
    assert!(error.contains("`good` is duplicated"), "{error}");
}

#[test]
fn designs_have_answers() {
    let folder = folder();
    folder.ok(&format!("compare a.csv --label y -v gaussian {QUICK} --seed 3 --predictions p.csv"));
    folder.write(
        "design.toml",
        "seed = 3\nbaseline = \"old\"\nsets = [{ file = \"a.csv\", label = \"y\" }]\nplan = { kind = \"cross-validation\", folds = 3, repeats = 2 }\n\
         variants = [\"gaussian\", { method = \"answers\", file = \"p.csv\", variant = \"gaussian\", name = \"old\" }]\n",
    );
    let text = folder.ok("compare --design design.toml -o r.html");
    assert!(text.contains("gaussian and old have the same accuracy on all 6 splits"), "{text}");
    assert_eq!(folder.ok("compare --design r.html"), text);
    let error = folder.fails(2, "compare a.csv --label y -v prior --suite nb-2026");
    assert!(error.contains("cannot be used with"), "{error}");
    folder.write("p.csv", String::from_utf8(folder.read("p.csv")).unwrap().replace("gaussian", "other"));
    let error = folder.nbayes("compare --design r.html");
    assert_eq!(error.code, 1, "{}", error.stderr);
    assert!(
        error.stderr.contains("p.csv has no answers of \"gaussian\"; it has those of \"other\""),
        "{}",
        error.stderr
    );
    let bad = String::from_utf8(folder.read("design.toml"))
        .unwrap()
        .replace("method = \"answers\"", "method = \"answers\", tune.l = [1]");
    folder.write("bad.toml", bad);
    assert!(folder.fails(1, "compare --design bad.toml").contains("tune"));
}

/// The example of the guide.
#[test]
fn scikit_learn_takes_part() {
    let Some(python) = python("sklearn, pandas") else { return };
    let folder = Folder::new();
    folder.write("wine.csv", nb_datasets::csv("wine").unwrap());
    let arguments = "compare wine.csv --label cultivar --folds 5 --repeats 1 -v gaussian";
    folder.ok(&format!("{arguments} --write-splits splits.csv --quiet"));
    let script = include_str!("../../../../docs/program/boosting.py");
    let output = std::process::Command::new(python)
        .args(["-c", script])
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = folder.ok(&format!("{arguments} --answers boosting.csv -o r.json"));
    assert!(text.contains("boosting"), "{text}");
}
