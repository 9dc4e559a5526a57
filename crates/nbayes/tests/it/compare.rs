//! `nbayes compare`.

use std::fmt::Write as _;

use crate::folder::Folder;

pub(crate) const QUICK: &str = "--folds 3 --repeats 2";

/// Rows of which `x` tells the class, `noise` does not, and `colour` does now and then.
fn rows() -> String {
    let row = |row: usize| {
        let (x, noise) = (row % 7 + row % 2 * 4, row * 7 % 11);
        let colour = ["red", "green", "blue"][(row + row % 2) % 3];
        format!("{x},{noise},{colour},{}", ["no", "yes"][row % 2])
    };
    let rows: Vec<String> = (0..60).map(row).collect();
    format!("x,noise,colour,y\n{}\n", rows.join("\n"))
}

#[test]
fn every_file_of_a_report_is_written() {
    let folder = Folder::new();
    folder.write("a.csv", rows());
    let outputs = "-o r.html -o r.md -o r.tex -o r.csv -o r.json -o r.toml";
    let text =
        folder.ok(&format!("compare a.csv @iris --label y -v gaussian,mdl,logistic {QUICK} {outputs}"));
    assert!(text.contains("mean accuracy") && text.contains("mean ranks on 2 data sets"), "{text}");
    let read = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    assert!(read("r.html").starts_with("<!doctype html>"));
    assert!(read("r.md").starts_with("# Comparison of naive Bayes variants\n"));
    assert!(read("r.tex").contains("\\toprule"));
    // Two sets, three variants, two repeats of three folds.
    assert_eq!(read("r.csv").lines().count(), 1 + 2 * 3 * 2 * 3);
    let json: serde_json::Value = serde_json::from_str(&read("r.json")).unwrap();
    assert_eq!(json["results"].as_array().unwrap().len(), 2 * 3 * 2);
    assert_eq!(json["data"][0]["n_categorical"], 1);
    assert_eq!(folder.names(), ["a.csv", "r.csv", "r.html", "r.json", "r.md", "r.tex", "r.toml"]);
}

#[test]
fn a_design_is_carried_out_again() {
    let folder = Folder::new();
    folder.write("a.csv", rows());
    let first = folder.ok(&format!(
        "compare a.csv @wine --label y -v gaussian -v mdl:l=0.5,name=bins --seed 7 --baseline bins {QUICK} -o design.toml"
    ));
    assert_eq!(folder.ok("compare --design design.toml"), first);
    assert_eq!(folder.ok("compare --design design.toml --threads 1"), first);
    assert_ne!(folder.ok("compare --design design.toml --seed 8"), first);
    let error = folder.fails(2, "compare --design design.toml -v gaussian");
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn neither_path_nor_folder_nor_name_decides() {
    let folder = Folder::new();
    let rows = rows();
    for name in ["a.csv", "there/a.csv", "there/also.csv"] {
        if let Some((parent, _)) = name.rsplit_once('/') {
            std::fs::create_dir_all(folder.path(parent)).unwrap();
        }
        folder.write(name, &rows);
    }
    let command = |file: &str| format!("compare {file} --label y -v gaussian,mdl {QUICK} --seed 5");
    let first = folder.ok(&command("a.csv"));
    assert!(first.starts_with(" a.csv "), "{first}");
    assert_eq!(folder.ok(&command("./a.csv")), first);
    assert_eq!(folder.ok(&command("there/../there/a.csv")), first);
    assert_eq!(folder.ok(&command(folder.path("a.csv").to_str().unwrap())), first);
    let json = |arguments: &str| -> serde_json::Value {
        serde_json::from_str(&folder.ok(&format!("{arguments} --json"))).unwrap()
    };
    let (one, other) = (json(&command("a.csv")), json(&command("there/also.csv")));
    assert_eq!(other["sets"][0]["name"], "also.csv");
    assert_eq!(one["sets"][0]["variants"], other["sets"][0]["variants"]);

    // Results go on wherever the files are.
    folder.ok(&format!("{} --results r.jsonl", command("a.csv")));
    let again = folder.nbayes(&format!("{} --results r.jsonl", command("there/a.csv")));
    assert_eq!((again.code, again.stderr.as_str()), (0, "4 results are there already\n"));
    assert_eq!(again.stdout, first);

    // Two names that are alike have their folders, and a design can name files.
    let both = json(&command("a.csv there/a.csv").replace("a.csv there", "./a.csv there"));
    assert_eq!(both["sets"][0]["name"], "a.csv");
    assert_eq!(both["sets"][1]["name"], "there/a.csv");
    let error = folder.fails(2, &command("a.csv ./a.csv"));
    assert!(error.contains("`a.csv` is duplicated"), "{error}");
    folder.write(
        "design.toml",
        "sets = [{ file = \"there/also.csv\", name = \"a.csv\", label = \"y\" }]\nvariants = [\"gaussian\", \"mdl\"]\nseed = 5\n\
         plan = { kind = \"cross-validation\", folds = 3, repeats = 2 }\n",
    );
    assert_eq!(folder.ok("compare --design design.toml"), first);
}

/// A task of `OpenML` in the folders of its clients: the first three columns of iris are features, the fourth
/// is ignored.
fn openml(folder: &Folder) {
    for name in ["openml/tasks/59", "openml/datasets/61"] {
        std::fs::create_dir_all(folder.path(name)).unwrap();
    }
    let iris = String::from_utf8(nb_datasets::csv("iris").unwrap()).unwrap();
    let rows: Vec<&str> = iris.lines().skip(1).filter(|line| !line.is_empty()).collect();
    let header = "@relation iris\n@attribute sl numeric\n@attribute sw numeric\n@attribute pl numeric\n@attribute pw numeric\n";
    let classes = "@attribute class {setosa,versicolor,virginica}\n@data\n";
    folder.write("openml/datasets/61/dataset.arff", format!("{header}{classes}{}\n", rows.join("\n")));
    folder.write(
        "openml/datasets/61/description.xml",
        r#"<?xml version="1.0"?><oml:data_set_description xmlns:oml="http://openml.org/openml"><oml:id>61</oml:id>
        <oml:name>iris</oml:name><oml:version>1</oml:version><oml:licence>CC0</oml:licence>
        <oml:citation>Anderson &amp; Fisher &#40;1936)</oml:citation><oml:ignore_attribute>pw,gone</oml:ignore_attribute>
        </oml:data_set_description>"#,
    );
    folder.write(
        "openml/tasks/59/task.xml",
        r#"<oml:task xmlns:oml="http://openml.org/openml"><oml:task_type>Supervised Classification</oml:task_type>
        <oml:input name="source_data"><oml:data_set><oml:data_set_id>61</oml:data_set_id>
        <oml:target_feature>class</oml:target_feature></oml:data_set></oml:input></oml:task>"#,
    );
    let mut splits = String::from(
        "@relation splits\n@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n@attribute repeat numeric\n@attribute fold numeric\n@data\n",
    );
    for (fold, row) in (0..3).flat_map(|fold| (0..150).map(move |row| (fold, row))) {
        let kind = if row % 3 == fold { "TEST" } else { "TRAIN" };
        writeln!(splits, "{kind},{row},0,{fold}").unwrap();
    }
    folder.write("openml/tasks/59/datasplits.arff", splits);
}

#[test]
fn tasks_of_openml_are_carried_out() {
    let folder = Folder::new();
    openml(&folder);
    folder.ok("compare openml/tasks/59 -v gaussian --predictions p.csv -o r.md -o r.html");
    let report = String::from_utf8(folder.read("r.md")).unwrap();
    assert!(
        report.contains("Anderson \\& Fisher (1936)") && report.contains("OpenML data set 61, version 1"),
        "{report}"
    );
    let answers = String::from_utf8(folder.read("p.csv")).unwrap();
    let mut lines = answers.lines();
    assert_eq!(
        lines.next(),
        Some("set,variant,repeat,fold,row,label,predicted,log_p(setosa),log_p(versicolor),log_p(virginica)")
    );
    let mut n_right = 0;
    for (row, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[..5], ["iris", "gaussian", "0", &(row % 3).to_string(), &row.to_string()], "{line}");
        n_right += usize::from(cells[5] == cells[6]);
        let total: f64 = cells[7..].iter().map(|value| value.parse::<f64>().unwrap().exp()).sum();
        assert!((total - 1.0).abs() < 1e-12, "{line}");
    }
    // scikit-learn 1.9.1: cross_val_predict(GaussianNB(var_smoothing=0), X[:, :3], y,
    // cv=PredefinedSplit(np.arange(150) % 3)), compared with y.
    assert_eq!(n_right, 132);

    // What is left out by an option is left out beside what the description leaves out.
    folder.ok("compare openml/tasks/59 --ignore sl -v gaussian -o two.toml");
    let design = String::from_utf8(folder.read("two.toml")).unwrap();
    assert!(design.contains(r#"ignore = ["pw", "sl"]"#), "{design}");

    // Another task on the same data has their name, and its number.
    std::fs::create_dir(folder.path("openml/tasks/60")).unwrap();
    folder.write(
        "openml/tasks/60/task.xml",
        String::from_utf8(folder.read("openml/tasks/59/task.xml"))
            .unwrap()
            .replace("<oml:task_type>", "<oml:task_id>60</oml:task_id><oml:task_type>"),
    );
    folder.write("openml/tasks/60/datasplits.arff", folder.read("openml/tasks/59/datasplits.arff"));
    folder.ok("compare openml/tasks/59 openml/tasks/60 -v gaussian -o both.toml");
    let design = String::from_utf8(folder.read("both.toml")).unwrap();
    assert!(design.contains("\"iris-task-59\"") && design.contains("\"iris-task-60\""), "{design}");

    // The predictions are splits as well, and the report is repeated elsewhere, with files of the same names
    // beside it.
    let same = folder.ok(
        "compare openml/datasets/61/dataset.arff --label class --ignore pw --split-file p.csv -v gaussian --predictions q.csv",
    );
    assert!(same.contains("dataset.arff"));
    let without_name = |text: &str| text.replace("dataset.arff,", "iris,");
    assert_eq!(without_name(&String::from_utf8(folder.read("q.csv")).unwrap()), answers);
    std::fs::create_dir(folder.path("there")).unwrap();
    folder.write("there/r.html", folder.read("r.html"));
    folder.write("there/dataset.arff", folder.read("openml/datasets/61/dataset.arff"));
    folder.write("there/datasplits.arff", folder.read("openml/tasks/59/datasplits.arff"));
    let error = folder.fails(1, "compare openml/tasks -v gaussian");
    assert!(error.contains("openml/tasks is a folder without task.xml"), "{error}");
    std::fs::remove_dir_all(folder.path("openml")).unwrap();
    folder.ok("compare --design there/r.html --predictions again.csv");
    assert_eq!(String::from_utf8(folder.read("again.csv")).unwrap(), answers);
    let changed = String::from_utf8(folder.read("there/dataset.arff")).unwrap().replacen("5.1,", "5.2,", 1);
    folder.write("there/dataset.arff", changed);
    let run = folder.nbayes("compare --design there/r.html");
    assert_eq!(run.code, 1);
    let said = "the rows, columns or splits of iris are not those of the report";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn groups_and_folds_are_columns() {
    let folder = Folder::new();
    let rows: Vec<String> = rows()
        .lines()
        .skip(1)
        .enumerate()
        .map(|(row, line)| format!("p{},{},{line}", row / 5, row % 4))
        .collect();
    folder.write("a.csv", format!("patient,part,x,noise,colour,y\n{}\n", rows.join("\n")));
    folder.ok(&format!("compare a.csv --label y --group patient --ignore part -v gaussian {QUICK} --predictions p.csv -o r.md"));
    let robust = "compare a.csv --label y --group patient --ignore part -v gaussian --experiment robustness --disturb missing --levels 0.2";
    let text = folder.ok(&format!("{robust} {QUICK}"));
    assert!(text.contains("the 12 groups of column patient stay whole (3 folds, 2 repeats)"), "{text}");
    let curve = "compare a.csv --label y --group patient --ignore part -v gaussian --experiment learning-curve --splits 4 --predictions c.csv -o c.md";
    folder.ok(curve);
    let report = String::from_utf8(folder.read("c.md")).unwrap();
    assert!(report.contains("the 12 groups of column patient stay whole (1 fold, 4 repeats)"), "{report}");
    let tested = |name: &str| -> std::collections::BTreeSet<(usize, usize)> {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let cells = |line: &str| -> Vec<usize> {
            line.split(',').skip(2).take(4).map(|cell| cell.parse().unwrap()).collect()
        };
        text.lines().skip(1).map(cells).map(|cells| (cells[0], cells[3])).collect()
    };
    let rows = tested("c.csv");
    // Whole patients of five visits are tested.
    assert!(
        rows.iter().all(|&(split, row)| (0..5).all(|visit| rows.contains(&(split, row / 5 * 5 + visit))))
    );
    let report = String::from_utf8(folder.read("r.md")).unwrap();
    assert!(
        report.contains(
            "Of the splits of a.csv: the 12 groups of column patient stay whole (3 folds, 2 repeats)."
        ),
        "{report}"
    );
    let answers = String::from_utf8(folder.read("p.csv")).unwrap();
    let mut folds = std::collections::BTreeMap::new();
    for line in answers.lines().skip(1) {
        let cells: Vec<usize> = line.split(',').skip(2).take(3).map(|cell| cell.parse().unwrap()).collect();
        let fold = folds.entry((cells[0], cells[2] / 5)).or_insert(cells[1]);
        assert_eq!(*fold, cells[1], "{line}");
    }
    assert_eq!(folds.len(), 2 * 12);

    folder.ok("compare a.csv --label y --fold-column part --ignore patient -v gaussian --predictions p.csv");
    let answers = String::from_utf8(folder.read("p.csv")).unwrap();
    for (row, line) in answers.lines().skip(1).enumerate() {
        assert!(line.starts_with(&format!("a.csv,gaussian,0,{},{row},", row % 4)), "{line}");
    }
    let error = folder.fails(1, "compare a.csv --label y --group nobody -v gaussian");
    assert!(error.contains("column \"nobody\" not found"), "{error}");
    let error = folder.fails(1, "compare a.csv --label y --group patient -v gaussian --folds 13");
    assert!(error.contains("the 12 groups of column `patient` make no 13 parts"), "{error}");
    let error = folder.fails(2, "compare @iris --group patient -v gaussian");
    assert!(error.contains("--group is for files, and @iris is none"), "{error}");
    let error = folder.fails(2, "compare a.csv --label y --fold-column part --folds 7 -v gaussian");
    assert!(error.contains("cannot be used with"), "{error}");
    let error = folder.fails(2, "compare a.csv --label y -v gaussian --predictions p.csv -o p.csv");
    assert!(error.contains("p.csv is named twice"), "{error}");
    folder.write("huge.csv", "row,fold,repeat\n0,18446744073709551615,0\n");
    let error = folder.fails(1, "compare a.csv --label y --split-file huge.csv -v gaussian");
    assert!(
        error.contains("huge.csv: row 1: there cannot be fold 18446744073709551615 of repeat 0"),
        "{error}"
    );
    folder.write("description.xml", "notes < of mine");
    folder.ok("compare a.csv --label y --ignore patient --folds 2 --repeats 1 -v gaussian --quiet");
    folder.write("bad.csv", "row,fold\n0,0\n1,one\n");
    let error = folder.fails(1, "compare a.csv --label y --split-file bad.csv -v gaussian");
    assert!(error.contains("bad.csv, row 2, column \"fold\": \"one\" is no whole number from 0"), "{error}");
    folder.write("design.toml", "sets = [{ file = \"a.csv\", label = \"y\", group = \"patient\", fold = \"part\" }]\nvariants = [\"gaussian\"]\n");
    let error = folder.fails(1, "compare --design design.toml");
    assert!(error.contains("has both `group` and `fold`"), "{error}");
}

#[test]
fn results_are_kept() {
    let folder = Folder::new();
    let command = format!("compare @iris @wine -v gaussian,logistic {QUICK} --results r.jsonl");
    let first = folder.nbayes(&command);
    assert_eq!((first.code, first.stderr.as_str()), (0, ""));
    let kept = folder.read("r.jsonl");
    let lines = String::from_utf8(kept.clone()).unwrap();
    assert_eq!(lines.lines().count(), 1 + 2 * 2 * 2);

    // Three results, as if the run had been interrupted in the middle of the fourth.
    let cut: usize = lines.split_inclusive('\n').take(4).map(str::len).sum();
    folder.write("r.jsonl", &kept[..cut + 30]);
    let second = folder.nbayes(&command);
    assert_eq!(second.stderr, "3 results are there already\n");
    assert_eq!(second.stdout, first.stdout);
    assert_eq!(String::from_utf8(folder.read("r.jsonl")).unwrap().lines().count(), 1 + 2 * 2 * 2);

    folder.write("notes.txt", "not ours");
    let error = folder.fails(1, "compare @iris --results notes.txt");
    assert!(error.contains("notes.txt: line 1 is no result of this version of the program"), "{error}");
    assert_eq!(folder.read("notes.txt"), b"not ours");
    let error = folder.fails(1, "compare @iris --folds 1000 --results new.jsonl");
    assert!(error.contains("too few for 1000 folds"), "{error}");
    assert!(!folder.names().contains(&"new.jsonl".to_owned()));

    let error = folder.fails(1, &format!("{command} --seed 3"));
    assert!(error.contains("r.jsonl: its results are of another design"), "{error}");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = Folder::new();
    folder.write("a.csv", rows());
    folder.write("one.csv", "x,y\n1,a\n2,a\n");
    for (code, arguments, expected) in [
        (2, "compare", "<SETS>"),
        (2, "compare @iris -v gausian", "there is no variant `gausian`"),
        (2, "compare @iris -v gaussian:numeric.flor=1", "unknown field `flor`"),
        (2, "compare @iris -v gaussian,gaussian", "`gaussian` is duplicated"),
        (
            2,
            "compare @iris -v gaussian --baseline kernel",
            "the baseline `kernel` is not one of the variants gaussian",
        ),
        (2, "compare @iris --folds 1", "the number of folds is 1, but must be at least 2"),
        (2, "compare @iris --held-out 1.5", "above 0 and below 1"),
        (2, "compare @iris --measure luck", "balanced-accuracy"),
        (2, "compare @iris -o report.pdf", "report.pdf: it can be written as .html"),
        (1, "compare @iris -o nowhere/report.html", "there is no folder nowhere"),
        (1, "compare @irs", "iris"),
        (2, "compare a.csv", "no label column given"),
        (2, "compare a.csv --label y --text-model complement", "-v multinomial,complement,bernoulli"),
        (2, "compare @iris --idf", "--idf is for files"),
        (
            2,
            "compare @sms --baseline gaussian",
            "the baseline `gaussian` is not one of the variants multinomial",
        ),
        (2, "compare @iris -v gaussian,logistic:l2=0.1", "give a variant with options its own --variant"),
        (2, "compare @iris --repeats 2000000", "from 1 to 1000000"),
        (1, "compare @iris --held-out 0.001", "leaves nothing to test"),
        (
            1,
            "compare @playtennis -v gaussian:calibration=platt --folds 2 -o nowhere/a.md",
            "there is no folder",
        ),
        (1, "compare one.csv --label y", "1 different labels"),
        (1, "compare @playtennis --folds 20", "`playtennis` has 14 rows, too few for 20 folds"),
        (1, "compare --design none.toml", "cannot read none.toml"),
    ] {
        let error = folder.fails(code, arguments);
        assert!(error.contains(expected), "nbayes {arguments}: {error}");
    }
    assert_eq!(folder.names(), ["a.csv", "one.csv"]);
}

#[test]
fn documents_have_variants_of_their_own() {
    let folder = Folder::new();
    let line = |row: usize| match row % 2 {
        0 => format!("the meeting about topic {row} is moved to monday so please read the notes,ham"),
        _ => format!("win a free prize number {row} now and call this number since it is free for you,spam"),
    };
    let lines: Vec<String> = (0..60).map(line).collect();
    folder.write("mail.csv", format!("text,label\n{}\n", lines.join("\n")));
    let text = folder.ok(&format!("compare mail.csv --label label {QUICK}"));
    for variant in ["multinomial", "complement", "bernoulli", "count-ratio", "logistic"] {
        assert!(text.contains(variant), "{text}");
    }
    assert!(text.contains("1.0000"), "{text}");
}

#[test]
fn machines_read_json() {
    let folder = Folder::new();
    let text = folder.ok(&format!("compare @iris @sms -v gaussian,multinomial {QUICK} --json"));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["measure"], "accuracy");
    assert_eq!(json["sets"][0]["name"], "iris");
    let because = json["sets"][0]["variants"][1]["none_because"].as_str().unwrap();
    assert_eq!(because, "not applicable: the table has no columns of counts");
    let mean = &json["sets"][0]["variants"][0]["result"]["mean"];
    assert!(mean["accuracy"].as_f64().unwrap() > 0.9);
    // Maximum likelihood holds some rows for impossible.
    let text = folder.ok("compare @promoters -v gaussian:l=0 --folds 3 --repeats 1 --json");
    assert!(text.contains("\"log-loss\": \"inf\""), "{text}");
}

#[test]
fn splits_of_other_kinds() {
    let folder = Folder::new();
    let text = folder.ok("compare @iris @zoo -v gaussian,mdl --leave-one-out");
    assert!(text.contains("0.9533"), "{text}"); // 143 of 150, as scikit-learn has it
    let text = folder.ok("compare @iris -v gaussian,shared-gaussian --held-out 0.3 --repeats 5");
    assert!(text.contains("corrected resampled t-test over 5 splits"), "{text}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_done() {
    use std::process::{Command, Stdio};

    let folder = Folder::new();
    let arguments = ["compare", "@titanic", "-v", "gaussian", "--repeats", "100000", "--results", "r.jsonl"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_nbayes"))
        .args(arguments)
        .current_dir(folder.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It listens before it works: once there are results it is ready.
    let n_lines = || std::fs::read_to_string(folder.path("r.jsonl")).unwrap_or_default().lines().count();
    while n_lines() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{error}");
    let n_results = n_lines() - 1;
    let expected = format!(
        "nbayes: interrupted; {n_results} results are in r.jsonl; the same command resumes from there\n"
    );
    assert_eq!(error, expected);
}

#[test]
fn experiments_are_repeated() {
    let folder = Folder::new();
    folder.write(
        "options.toml",
        "seed = 3\n[ng-jordan]\nproblems = [\"lenses\", \"promoters\"]\nlargest = 20\n",
    );
    let command = "compare --experiment ng-jordan --options options.toml --splits 10";
    let text = folder.ok(&format!("{command} -o curves.html -o curves.json"));
    assert!(text.contains("lenses") && text.contains("promoters") && !text.contains("pima"), "{text}");
    assert!(String::from_utf8(folder.read("curves.html")).unwrap().contains("<svg"));
    let json: serde_json::Value = serde_json::from_slice(&folder.read("curves.json")).unwrap();
    assert_eq!((json["seed"].as_u64(), json["options"]["splits"].as_u64()), (Some(3), Some(10)));
    assert_eq!(folder.ok(&format!("{command} --threads 1")), text);

    for (arguments, expected) in [
        ("compare --experiment luck", "choose one of ng-jordan"),
        ("compare --experiment ng-jordan --splits 1", "the number of splits is 1"),
        ("compare --experiment ng-jordan @iris", "cannot be used with"),
        ("compare --experiment assumptions -o a.csv", "a.csv: it can be written as .html"),
        ("compare @iris --splits 3", "--experiment"),
    ] {
        let error = folder.fails(2, arguments);
        assert!(error.contains(expected), "nbayes {arguments}: {error}");
    }
}

#[test]
fn learning_curves_of_files_and_embedded_sets() {
    let folder = Folder::new();
    let row = |row: usize| {
        let (colour, (x, class)) = (
            if row.is_multiple_of(3) { "red" } else { "blue" },
            if row.is_multiple_of(2) { (0.0, "a") } else { (1.5, "b") },
        );
        format!("{},{colour},{class}\n", (row % 7) as f64 + x)
    };
    let rows: String = std::iter::once("x,colour,y\n".to_owned()).chain((0..60).map(row)).collect();
    folder.write("data.csv", &rows);
    let command = "compare --experiment learning-curve data.csv --label y -v gaussian,logistic --splits 5 --held-out 0.25";
    let text =
        folder.ok(&format!("{command} --sizes 6,12,24,45 -o c.csv -o c.html -o c.md -o c.tex -o c.json"));
    assert!(
        text.contains("data.csv: mean error by training rows n") && text.contains("a + b n^-c"),
        "{text}"
    );
    let csv = String::from_utf8(folder.read("c.csv")).unwrap();
    assert!(csv.starts_with("set,variant,split,size,accuracy,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 2 * 5 * 4);
    let json: serde_json::Value = serde_json::from_slice(&folder.read("c.json")).unwrap();
    assert_eq!((&json["sets"][0]["n_test"], &json["sets"][0]["sizes"][3]), (&15.into(), &45.into()));
    assert!(String::from_utf8(folder.read("c.html")).unwrap().contains("<svg"));

    // The report is repeated from itself, and options override its design.
    folder.ok("compare --design c.html -o again.html -o again.json -o again.toml");
    assert!(folder.read("again.html") == folder.read("c.html"));
    assert!(folder.read("again.json") == folder.read("c.json"));
    folder.ok("compare --design again.toml --sizes 6,12 --splits 3 -o other.csv --predictions p.csv");
    let csv = String::from_utf8(folder.read("other.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * 3 * 2);
    let answers = String::from_utf8(folder.read("p.csv")).unwrap();
    assert!(
        answers.starts_with("set,variant,repeat,size,fold,row,label,predicted,log_p(a),log_p(b)"),
        "{answers}"
    );
    assert_eq!(answers.lines().count(), 1 + 2 * 3 * 2 * 15);
    // Results that are there are not made again, nor are they for other sizes.
    let kept = "compare --design c.html -o again.html --results r.jsonl";
    folder.ok(kept);
    let run = folder.nbayes(kept);
    assert!(run.stderr.contains("40 results are there already"), "{}", run.stderr);
    assert!(folder.read("again.html") == folder.read("c.html"));
    assert!(folder.fails(1, &format!("{kept} --sizes 6")).contains("another design"));

    let learning_curve = "compare --experiment learning-curve";
    for (arguments, expected) in [
        (learning_curve.into(), "needs data: files with --label"),
        (format!("{learning_curve} @iris --folds 5"), "cannot be used with --folds"),
        (format!("{learning_curve} @iris --splits 1"), "the number of splits is 1"),
        (format!("{learning_curve} @iris --sizes 200"), "`iris` has 100 rows to train on"),
        (format!("{learning_curve} @iris -o c.txt"), "c.txt: it can be written as .html"),
        (format!("{learning_curve} @iris --measure auc"), "does not take --measure"),
        (format!("{learning_curve} @iris --tests t.csv"), "does not take --tests"),
        ("compare --experiment ng-jordan --predictions p.csv".into(), "cannot be used with --predictions"),
        ("compare --experiment ng-jordan --results r.jsonl".into(), "cannot be used with --results"),
        (format!("{learning_curve} @iris --options o.toml"), "--options is for published experiments"),
        ("compare --experiment ng-jordan --sizes 3".into(), "--sizes is for --experiment learning-curve"),
        (format!("{learning_curve} @iris --levels 0.1"), "--levels is for --experiment robustness"),
        ("compare --experiment ng-jordan -v gaussian".into(), "cannot be used with --variant"),
        ("compare @iris --sizes 3".into(), "--sizes is for --experiment learning-curve"),
    ] {
        let error = folder.fails(2, &arguments);
        assert!(error.contains(expected), "nbayes {arguments}: {error}");
    }
}

#[test]
fn robustness_is_measured_by_the_folds_of_a_comparison() {
    let folder = Folder::new();
    let splits = "@iris -v gaussian,logistic --folds 3 --repeats 2 --seed 5";
    let command = format!("compare --experiment robustness {splits}");
    let text = folder.ok(&format!("{command} -o r.csv -o r.html -o r.md -o r.tex -o r.json"));
    for title in ["iris: part of the training labels that is wrong", "Which variant loses less"] {
        assert!(text.contains(title), "{text}");
    }
    assert!(String::from_utf8(folder.read("r.html")).unwrap().contains("<svg"));
    folder.ok(&format!("compare {splits} -o c.csv"));
    let lines = |name: &str| -> Vec<String> {
        String::from_utf8(folder.read(name)).unwrap().lines().skip(1).map(str::to_owned).collect()
    };
    // Level 0: set, no disturbance, 0, variant, fold over all repeats, measures.
    let level_0: Vec<String> =
        lines("r.csv").into_iter().filter(|line| line.starts_with("iris,,0,")).collect();
    let measures = |lines: &[String], n_names: usize| -> Vec<String> {
        let mut found: Vec<String> = lines
            .iter()
            .map(|line| {
                let fields: Vec<&str> = line.split(',').collect();
                let variant = if n_names == 5 { fields[3] } else { fields[1] };
                format!("{variant} {}", fields[n_names..].join(","))
            })
            .collect();
        found.sort();
        found
    };
    assert_eq!(level_0.len(), 12);
    assert_eq!(measures(&level_0, 5), measures(&lines("c.csv"), 4));

    folder.ok("compare --design r.html -o again.html --predictions p.csv --results r.jsonl");
    assert!(folder.read("again.html") != folder.read("r.html"), "predictions are part of the design");
    folder.ok("compare --design again.html -o more.html");
    assert!(folder.read("more.html") == folder.read("again.html"));
    folder.ok("compare --design r.json -o light.html -o r.json.gz");
    assert!(folder.read("light.html").len() < folder.read("r.html").len());
    folder.ok("compare --design light.html -o again.html -o again.json");
    assert!(
        folder.read("again.html") == folder.read("r.html")
            && folder.read("again.json") == folder.read("r.json")
    );
    folder.ok("compare --design r.json.gz -o again.html");
    assert!(folder.read("again.html") == folder.read("r.html"));
    let answers = lines("p.csv");
    // Level 0 and thirteen others, of which each of the two repeats tests all rows by two variants.
    assert_eq!(answers.len(), 14 * 2 * 150 * 2);
    assert!(answers[0].starts_with("iris,gaussian,0,,0"), "{}", answers[0]);
    assert!(answers.iter().any(|line| line.starts_with("iris,logistic,1,label-noise,0.4,")));

    let text = folder.ok(&format!("{command} --disturb label-noise --levels 0.05,0.5"));
    assert!(text.contains("0.05") && !text.contains("copies of"), "{text}");
    for (arguments, expected) in [
        (format!("{command} --disturb fog"), "there is no disturbance `fog`; choose some of missing,"),
        (format!("{command} --levels 0.1"), "--levels needs --disturb with one disturbance"),
        (format!("{command} --disturb copies --levels 0.5"), "level 0.5 of copies must be a whole number"),
        (format!("{command} --splits 3"), "--splits is for --experiment learning-curve"),
        ("compare --experiment robustness".into(), "needs data"),
        ("compare --experiment robustness @iris --leave-one-out".into(), "leave-one-out tests a single row"),
        ("compare @iris --disturb copies".into(), "--disturb is for --experiment robustness"),
    ] {
        let error = folder.fails(2, &arguments);
        assert!(error.contains(expected), "nbayes {arguments}: {error}");
    }
}
