//! Training, predicting, explaining, drawing.

use crate::folder::Folder;

#[test]
fn trains_on_an_embedded_set_and_predicts() {
    let folder = Folder::new();
    let trained = folder.ok("train --plain @iris");
    assert!(trained.contains("150 rows, 4 columns, 3 classes"), "{trained}");
    let labels = folder.ok("predict iris.nb @iris");
    let mut lines = labels.lines();
    assert_eq!(lines.next(), Some("predicted_species"));
    let iris = nb_datasets::load("iris").unwrap();
    let right = lines.zip(iris.y()).filter(|(label, y)| label == y).count();
    assert_eq!(right, 144);
}

#[test]
fn refuses_to_replace_a_model_unasked() {
    let folder = Folder::new();
    folder.ok("train --plain @iris");
    let error = folder.fails(2, "train --plain @iris");
    assert!(error.contains("-o iris.nb"), "{error}");
    folder.ok("train --plain @iris -o iris.nb");
}

#[test]
fn the_label_must_be_named_and_exist() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n");
    assert!(folder.fails(2, "train --plain a.csv").contains("--label"));
    let error = folder.fails(1, "train --plain a.csv --label Y");
    assert!(error.contains("\"y\""), "{error}");
    assert_eq!(folder.names(), ["a.csv"]);
}

#[test]
fn standard_input_is_a_file() {
    let folder = Folder::new();
    let csv = "x,y\n1,a\n2,b\n3,a\n4,b\n";
    let run = folder.nbayes_with("train --plain - --label y -o piped.nb", csv);
    assert_eq!(run.code, 0, "{}", run.stderr);
    folder.write("a.csv", csv);
    folder.ok("train --plain a.csv --label y -o file.nb");
    assert_eq!(folder.read("piped.nb"), folder.read("file.nb"));
}

#[test]
fn explains_why_a_mail_is_spam() {
    let folder = Folder::new();
    folder.ok("train --plain @spam");
    let text = folder.ok("explain spam.nb @spam --row 177 --top 3");
    assert!(text.contains("row 177: spam") && text.contains("credit"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("explain spam.nb @spam --row 177 --json")).unwrap();
    assert_eq!(json["features"][0]["name"], "credit");
    assert!(folder.fails(1, "explain spam.nb @spam --row 4602").contains("4601 rows"));
    assert!(folder.fails(2, "explain spam.nb @spam --row 0").contains("counted from 1"));
}

#[test]
fn draws_the_same_rows_for_a_seed() {
    let folder = Folder::new();
    folder.ok("train --plain @titanic");
    let drawn = folder.ok("sample titanic.nb -n 20 --seed 7");
    assert_eq!(drawn, folder.ok("sample titanic.nb -n 20 --seed 7"));
    assert_ne!(drawn, folder.ok("sample titanic.nb -n 20 --seed 8"));
    assert_eq!(drawn.lines().next(), Some("Class,Sex,Age,Survived"));
    // What is drawn can be learnt from.
    folder.write("drawn.csv", &drawn);
    folder.ok("train --plain drawn.csv --label Survived -o drawn.nb");
}

#[test]
fn answers_in_every_format_say_the_same() {
    let folder = Folder::new();
    folder.ok("train --plain @wine");
    let csv = folder.ok("predict wine.nb @wine --proba --log-proba");
    folder.ok("predict wine.nb @wine --proba --log-proba -o out.csv");
    assert_eq!(folder.read("out.csv"), csv.as_bytes());
    let lines = folder.ok("predict wine.nb @wine --proba --log-proba --json");
    for (line, json) in csv.lines().skip(1).zip(lines.lines()) {
        let json: serde_json::Value = serde_json::from_str(json).unwrap();
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(json["predicted_cultivar"], fields[0]);
        assert_eq!(json["p(class_0)"].as_f64().unwrap(), fields[1].parse::<f64>().unwrap());
    }
    folder.ok("predict wine.nb @wine --proba --log-proba -o out.parquet");
    // A Parquet file of answers is a data file like any other.
    folder.ok("train --plain out.parquet --label predicted_cultivar -o again.nb");
    folder.ok("train --plain out.csv --label predicted_cultivar -o csv.nb");
    assert_eq!(folder.read("again.nb"), folder.read("csv.nb"));
}

#[test]
fn models_are_converted() {
    let folder = Folder::new();
    folder.ok("train --plain @iris");
    folder.ok("convert iris.nb iris.json");
    folder.ok("convert iris.json again.nb");
    assert_eq!(folder.read("iris.nb"), folder.read("again.nb"));
    folder.ok("convert iris.nb iris.onnx");
    assert!(folder.fails(2, "convert iris.nb iris.txt").contains("--to"));
}

#[test]
fn a_schema_file_can_be_edited() {
    let folder = Folder::new();
    folder.write("a.csv", "n,x,y\n1,1.5,a\n2,2.5,b\n1,3.5,a\n2,4.5,b\n");
    folder.ok("schema a.csv --label y -o a.toml");
    let text = String::from_utf8(folder.read("a.toml")).unwrap();
    assert!(text.contains("\"n\" = \"gaussian\""), "{text}");
    folder.write("a.toml", text.replace("\"n\" = \"gaussian\"", "\"n\" = \"categorical\""));
    folder.ok("train --plain a.csv --schema a.toml -o file.nb");
    folder.ok("train --plain a.csv --label y --categorical n -o options.nb");
    assert_eq!(folder.read("file.nb"), folder.read("options.nb"));
}

#[test]
fn a_schema_file_keeps_what_is_left_out() {
    let folder = Folder::new();
    folder.write("a.csv", "id,x,y\n1,1.5,a\n2,2.5,b\n3,3.5,a\n4,4.5,b\n");
    let text = folder.ok("schema a.csv --label y --ignore id");
    assert!(text.contains("\"id\" = \"ignore\" # by option"), "{text}");
    folder.write("a.toml", text);
    folder.ok("train --plain a.csv --schema a.toml -o file.nb");
    folder.ok("train --plain a.csv --label y --ignore id -o options.nb");
    assert_eq!(folder.read("file.nb"), folder.read("options.nb"));
}

#[test]
fn tuning_chooses_by_rows_held_out() {
    let folder = Folder::new();
    let text = folder.ok("train --plain @housevotes84 --tune");
    assert!(text.contains("smoothing l"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("train --plain @iris --tune --folds 5 -o iris.nb --json")).unwrap();
    assert_eq!(json["tuned"][0]["parameter"], "variance floor");
    // The evidence is that of all rows, whatever was chosen.
    folder.ok("train --plain @iris -o plain.nb");
    let evidence = |name: &str| {
        folder.ok(&format!("convert {name}.nb {name}.json"));
        let model: serde_json::Value = serde_json::from_slice(&folder.read(&format!("{name}.json"))).unwrap();
        model["classes"].clone()
    };
    assert!(evidence("iris").is_array());
    assert_eq!(evidence("iris"), evidence("plain"));
    assert!(folder.fails(1, "train --plain @iris --tune --folds 1 -o one.nb").contains("folds"));
}

fn inspected(folder: &Folder, model: &str) -> serde_json::Value {
    serde_json::from_str(&folder.ok(&format!("inspect {model} --json"))).unwrap()
}

#[test]
fn a_weight_of_two_is_the_row_twice() {
    let folder = Folder::new();
    folder.write("weighted.csv", "x,w,y\n1,2,a\n4,1,a\n6,1,b\n9,2,b\n");
    folder.write("twice.csv", "x,y\n1,a\n1,a\n4,a\n6,b\n9,b\n9,b\n");
    folder.ok("train --sums-only weighted.csv --label y --weights w");
    folder.ok("train --sums-only twice.csv --label y");
    assert_eq!(folder.read("weighted.nb"), folder.read("twice.nb"));
    folder.ok("train --plain weighted.csv --label y --weights w --tune --folds 2 -o tuned.nb");
    assert_eq!(inspected(&folder, "tuned.nb")["weight"], 6.0);
    folder.ok("forget weighted.nb weighted.csv --weights w -o none.nb");
    assert!(folder.ok("evaluate twice.nb weighted.csv --weights w --json").contains("\"weight\": 6.0"));
    folder.write("bad.csv", "x,w,y\n1,-2,a\n4,1,b\n");
    let error = folder.fails(1, "train --plain bad.csv --label y --weights w");
    assert!(error.contains("line 2") && error.contains("\"w\""), "{error}");
}

#[test]
fn priors_are_learnt_equal_or_given() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,a\n3,a\n8,b\n");
    let prior = |option: &str| {
        folder.ok(&format!("train --plain a.csv --label y --variance-floor 0.1 -o a.nb {option}"));
        inspected(&folder, "a.nb")["classes"][0]["prior"].as_f64().unwrap()
    };
    assert!((prior("") - 0.75).abs() < 1e-15);
    assert!((prior("--prior uniform") - 0.5).abs() < 1e-15);
    assert!((prior("--prior b=0.9,a=0.1") - 0.1).abs() < 1e-15);
    let error = folder.fails(2, "train --plain a.csv --label y --prior c=0.5,a=0.5 -o b.nb");
    assert!(error.contains("\"c\""), "{error}");
    assert!(folder.fails(1, "train --plain a.csv --label y --prior a=0.5,b=0.6 -o b.nb").contains("1.1"));
}

#[test]
fn compressed_files_and_other_delimiters_are_read() {
    let folder = Folder::new();
    let csv = nb_datasets::csv("wine").unwrap();
    folder.write("wine.csv", &csv);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, &csv).unwrap();
    folder.write("wine.csv.gz", gzip.finish().unwrap());
    let text = String::from_utf8(csv).unwrap();
    folder.write("wine.tsv", text.replace(',', "\t"));
    folder.ok("train --plain wine.csv --label cultivar -o csv.nb");
    for (file, options) in [("wine.csv.gz", ""), ("wine.tsv", ""), ("wine.tsv", "--delimiter tab")] {
        folder.ok(&format!("train --plain {file} --label cultivar -o other.nb {options}"));
        // A model keeps the options with which its files are read.
        assert_eq!(folder.read("other.nb") == folder.read("csv.nb"), options.is_empty(), "{file}");
        assert_eq!(folder.ok("evaluate other.nb wine.tsv"), folder.ok("evaluate csv.nb wine.tsv"), "{file}");
    }
}

#[test]
fn an_instruction_set_can_be_forced_and_no_other_is_taken_instead() {
    let folder = Folder::new();
    folder.ok("train --plain @iris -o iris.nb");
    let expected = folder.ok("predict iris.nb @iris --proba");
    for set in nb_core::simd::InstructionSet::ALL {
        let run = folder.nbayes_where(("NB_INSTRUCTIONS", set.name()), "predict iris.nb @iris --proba");
        if set.is_available() {
            assert_eq!((run.code, &run.stdout), (0, &expected), "{set:?}: {}", run.stderr);
        } else {
            assert_eq!(run.code, 2, "{set:?}");
            assert!(run.stderr.contains("this processor does not have"), "{}", run.stderr);
        }
    }
    let run = folder.nbayes_where(("NB_INSTRUCTIONS", "sse9"), "predict iris.nb @iris");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("\"sse9\"") && run.stderr.contains("avx512ifma"), "{}", run.stderr);
}
