//! The same files give the same model files, whichever of the two programs reads them.

use std::{
    fs::File,
    path::Path,
    process::{Command, Output},
    sync::Arc,
};

use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, StringArray},
        record_batch::RecordBatch,
    },
    parquet::arrow::ArrowWriter,
};
use nb_io::{Family, Kind, Model};

use super::processes::Cluster;
use crate::{nbayes::nbayes, support::Numbers};

const PROGRAM: &str = env!("CARGO_BIN_EXE_nb-datafusion");

/// A column of each kind, with missing cells where there may be some.
struct Rows {
    species: Vec<&'static str>,
    length: Vec<Option<f64>>,
    flag: Vec<i64>,
    size: Vec<Option<i64>>,
    grade: Vec<f64>,
    colour: Vec<Option<&'static str>>,
    wild: Vec<bool>,
    customer_id: Vec<i64>,
    code: Vec<String>,
    one: Vec<i64>,
    day: Vec<i32>,
    none: Vec<Option<f64>>,
    /// Has no value where the species is a.
    height: Vec<Option<f64>>,
    note: Vec<String>,
}

/// Of classes a, b and c. The last rows are the only ones with a fourth colour.
fn rows(n_rows: usize) -> Rows {
    const SPECIES: [&str; 3] = ["a", "b", "c"];
    const COLOURS: [&str; 4] = ["red", "green", "blue", "ultramarine"];
    const WORDS: [&str; 6] = ["free", "prize", "see", "you", "soon", "now"];
    let mut random = Numbers(11);
    let classes: Vec<usize> = (0..n_rows).map(|_| random.below(3) as usize).collect();
    let mut each = |cell: &mut dyn FnMut(&mut Numbers, usize, usize)| {
        for (row, &class) in classes.iter().enumerate() {
            cell(&mut random, row, class);
        }
    };
    let mut rows = Rows {
        species: classes.iter().map(|&class| SPECIES[class]).collect(),
        length: vec![],
        flag: vec![],
        size: vec![],
        grade: vec![],
        colour: vec![],
        wild: vec![],
        customer_id: (0_i64..).take(n_rows).map(|row| 1000 + 3 * row).collect(),
        code: (0..n_rows).map(|row| format!("c-{row}")).collect(),
        one: vec![7; n_rows],
        day: (0_i32..).take(n_rows).map(|row| 19_000 + row).collect(),
        none: vec![None; n_rows],
        height: vec![],
        note: vec![],
    };
    each(&mut |random, row, class| {
        rows.length.push((row % 17 != 3).then(|| (random.below(300) + 40 * class as u64) as f64 / 64.0));
        rows.flag.push(i64::from(random.below(4) <= class as u64));
        rows.size.push((row % 13 != 5).then(|| (random.below(4) + class as u64).cast_signed()));
        rows.grade.push((random.below(3) + 1) as f64);
        let n_colours = if row + 5 > n_rows { 4 } else { 3 };
        rows.colour.push((row % 11 != 2).then(|| COLOURS[random.below(n_colours) as usize]));
        rows.wild.push(random.below(3) == class as u64);
        rows.height.push((class > 0).then(|| random.unit()));
        let words: Vec<&str> = (0..4).map(|_| WORDS[random.below(6) as usize]).collect();
        rows.note.push(format!("{} {row}x", words.join(" ")));
    });
    rows
}

/// A number as text, nothing if there is none.
fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Writes some of the rows as CSV, as pandas does: truth values are `True` and `False`, whole doubles have a
/// decimal.
fn write_csv(rows: &Rows, path: &Path, own: std::ops::Range<usize>) {
    let mut text =
        "species,length,flag,size,grade,colour,wild,customer_id,code,one,day,none,height,note\n".to_owned();
    for row in own {
        let cells = [
            rows.species[row].to_owned(),
            cell(rows.length[row]),
            rows.flag[row].to_string(),
            cell(rows.size[row]),
            format!("{:.1}", rows.grade[row]),
            cell(rows.colour[row]),
            if rows.wild[row] { "True" } else { "False" }.to_owned(),
            rows.customer_id[row].to_string(),
            rows.code[row].clone(),
            rows.one[row].to_string(),
            format!("2024-0{}-{:02}", 1 + row / 28 % 9, 1 + row % 28),
            cell(rows.none[row]),
            cell(rows.height[row]),
            rows.note[row].clone(),
        ];
        text += &(cells.join(",") + "\n");
    }
    std::fs::write(path, text).unwrap();
}

fn write_parquet(rows: &Rows, path: &Path) {
    let columns: [(&str, ArrayRef); 14] = [
        ("species", Arc::new(StringArray::from(rows.species.clone()))),
        ("length", Arc::new(Float64Array::from(rows.length.clone()))),
        ("flag", Arc::new(Int64Array::from(rows.flag.clone()))),
        ("size", Arc::new(Int64Array::from(rows.size.clone()))),
        ("grade", Arc::new(Float64Array::from(rows.grade.clone()))),
        ("colour", Arc::new(StringArray::from(rows.colour.clone()))),
        ("wild", Arc::new(BooleanArray::from(rows.wild.clone()))),
        ("customer_id", Arc::new(Int64Array::from(rows.customer_id.clone()))),
        ("code", Arc::new(StringArray::from(rows.code.clone()))),
        ("one", Arc::new(Int64Array::from(rows.one.clone()))),
        ("day", Arc::new(Date32Array::from(rows.day.clone()))),
        ("none", Arc::new(Float64Array::from(rows.none.clone()))),
        ("height", Arc::new(Float64Array::from(rows.height.clone()))),
        ("note", Arc::new(StringArray::from(rows.note.clone()))),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)));
    let batch = batch.unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn run(program: &Path, folder: &Path, arguments: &str) -> Output {
    Command::new(program).args(arguments.split(' ')).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The model that all three ways make of the files that the pattern matches, and what `nb-datafusion` says.
fn same(folder: &Path, pattern: &str, files: &str) -> (Model, String) {
    let train = |program: &Path, arguments: &str| {
        let output = run(program, folder, &format!("train {arguments} --label species"));
        assert!(output.status.success(), "{arguments}: {}", said(&output));
        said(&output)
    };
    train(nbayes(), &format!("{files} --sums-only -o local.nb"));
    let notes = train(Path::new(PROGRAM), &format!("{pattern} -o engine.nb"));
    train(nbayes(), &format!("{pattern} --sums-only -o both.nb --engine datafusion"));
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    for other in ["engine.nb", "both.nb"] {
        assert!(bytes(other) == bytes("local.nb"), "{pattern}, {other}: other bytes");
    }
    let model = Model::load(folder.join("local.nb")).unwrap();
    // A sample of few rows has all of them: weights, measures and the record of the rows are those of one
    // process, too.
    for options in ["", "--plain"] {
        train(nbayes(), format!("{files} {options} -o local.nb").replace("  ", " ").as_str());
        train(
            nbayes(),
            format!("{pattern} {options} -o both.nb --engine datafusion").replace("  ", " ").as_str(),
        );
        assert!(bytes("both.nb") == bytes("local.nb"), "{pattern} {options}: other bytes");
    }
    assert!(Model::load(folder.join("both.nb")).unwrap().held_out().is_some());
    (model, notes)
}

#[test]
fn families_are_those_that_nbayes_chooses() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, path) = (rows(300), |name: &str| folder.path().join(name));
    write_csv(&rows, &path("all.csv"), 0..300);
    for (place, own) in [0..100, 100..180, 180..300].into_iter().enumerate() {
        write_csv(&rows, &path(&format!("part-{place}.csv")), own);
    }
    write_parquet(&rows, &path("all.parquet"));
    for (pattern, files) in [
        ("all.csv", "all.csv"),
        ("part-*.csv", "part-0.csv part-1.csv part-2.csv"),
        ("all.parquet", "all.parquet"),
    ] {
        let (model, notes) = same(folder.path(), pattern, files);
        let columns = &model.schema().columns;
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["length", "flag", "size", "grade", "colour", "wild", "note"], "{pattern}");
        let Family::Blocks(blocks) = model.family() else { panic!("{:?}", model.family()) };
        let families: Vec<&str> = blocks.iter().map(|(_, family)| family.description().name).collect();
        assert_eq!(families[..3], ["gaussian", "bernoulli", "categorical"], "{pattern}");
        assert_eq!(columns[3].kind, Kind::Categorical { levels: ["1", "2", "3"].map(String::from).into() });
        for note in [
            "column \"customer_id\" is left out: an identifier, by its name and whole numbers",
            "column \"code\" is left out: 300 different texts in 300 cells, as identifiers are",
            "column \"one\" is left out: all values are 7",
            "column \"day\" is left out: its cells are dates",
            "column \"none\" is left out: no cell has a value",
            "column \"height\" is left out: class \"a\" has no values in it",
        ] {
            assert!(notes.contains(note), "{pattern}: {note}\n{notes}");
        }
    }
}

#[test]
fn a_cluster_makes_the_refined_model_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(300);
    for (place, own) in [0..100, 100..300].into_iter().enumerate() {
        write_csv(&rows, &folder.path().join(format!("part-{place}.csv")), own);
    }
    let cluster = Cluster::start(1);
    let ballista = format!("part-*.csv --engine ballista --scheduler {} -o cluster.nb", cluster.address());
    for files in ["part-0.csv part-1.csv -o local.nb", &ballista] {
        let output = run(nbayes(), folder.path(), &format!("train --label species {files}"));
        assert!(output.status.success(), "{files}: {}", said(&output));
    }
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("cluster.nb") == bytes("local.nb"), "other bytes");
}

#[test]
fn columns_and_families_that_are_named_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    write_csv(&rows(60), &folder.path().join("t.csv"), 0..60);
    let train = |options: &str| {
        let output =
            run(Path::new(PROGRAM), folder.path(), &format!("train t.csv --label species -o t.nb {options}"));
        assert!(output.status.success(), "{options}: {}", said(&output));
        Model::load(folder.path().join("t.nb")).unwrap()
    };
    let model = train("--columns customer_id,flag");
    assert_eq!(model.schema().columns.len(), 2);
    let model = train("--columns flag,size --family gaussian");
    assert!(matches!(model.family(), Family::Gaussian(_)), "{:?}", model.family());
    let model =
        train(r#"--design {"columns":{"one":"poisson"}} --ignore length,flag,grade,colour,wild,note"#);
    let names: Vec<&str> = model.schema().columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["size", "one"]);
}

#[test]
fn numbers_that_the_engine_does_not_read_are_refused_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    for (cell, problem) in [("$1,200.50", "line 30: \"$1,200.50\" is a number to `nbayes`"), ("?!", "\"?!\"")]
    {
        let row = |row: usize| if row == 28 { format!("\"{cell}\"") } else { format!("{row}.5") };
        let lines: Vec<String> =
            (0..60).map(|line| format!("{},{}\n", ["a", "b"][line % 2], row(line))).collect();
        let text = lines.concat();
        std::fs::write(&path, format!("species,x\n{text}")).unwrap();
        let train = "train t.csv --label species -o t.nb";
        for (program, train) in
            [(Path::new(PROGRAM), train), (nbayes(), &format!("{train} --engine datafusion"))]
        {
            let output = run(program, folder.path(), train);
            assert_eq!(output.status.code(), Some(1), "{}", said(&output));
            assert!(said(&output).contains("column \"x\""), "{}", said(&output));
            assert!(said(&output).contains(problem) || program != Path::new(PROGRAM), "{}", said(&output));
            assert!(!folder.path().join("t.nb").exists());
        }
    }
}

#[test]
fn codes_whose_zeros_the_engine_does_not_read_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let line = |row: usize| format!("{},{:05}\n", ["a", "b"][row % 2], row % 7 * 1000 + 234);
    let text: String = (0..60).fold(String::from("species,zip\n"), |text, row| text + &line(row));
    std::fs::write(folder.path().join("t.csv"), text).unwrap();
    let train = "train t.csv --label species -o t.nb";
    for (program, train) in [(Path::new(PROGRAM), train), (nbayes(), &format!("{train} --engine datafusion"))]
    {
        let output = run(program, folder.path(), train);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(
            said(&output).contains("column \"zip\"") && said(&output).contains("00234"),
            "{}",
            said(&output)
        );
        assert!(!folder.path().join("t.nb").exists());
    }
}

#[test]
fn options_for_learning_work_with_engines_as_without() {
    let folder = tempfile::tempdir().unwrap();
    write_csv(&rows(300), &folder.path().join("t.csv"), 0..300);
    for options in [
        "--fast",
        "--group grade",
        "--weights flag",
        "--binned length",
        "--tune --ignore note,size",
        "--prior uniform",
    ] {
        for (engine, model) in [("local", "local.nb"), ("datafusion", "both.nb")] {
            let train = format!("train t.csv --label species {options} --engine {engine} -o {model}");
            let output = run(nbayes(), folder.path(), &train);
            assert!(output.status.success(), "{train}: {}", said(&output));
        }
        let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
        assert!(bytes("both.nb") == bytes("local.nb"), "{options}: other bytes");
    }
}

#[test]
fn refined_models_predict_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    write_csv(&rows(300), &folder.path().join("t.csv"), 0..300);
    let train = "train t.csv --label species --ignore note -o refined.nb";
    let predict = "predict refined.nb t.csv --id customer_id --proba -o";
    for (program, arguments) in [
        (nbayes(), train),
        (nbayes(), &format!("{predict} nbayes.csv")),
        (Path::new(PROGRAM), &format!("{predict} engine.csv")),
    ] {
        let output = run(program, folder.path(), arguments);
        assert!(output.status.success(), "{arguments}: {}", said(&output));
    }
    assert!(Model::load(folder.path().join("refined.nb")).unwrap().refinement().is_some());
    let lines = |name: &str| {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(lines("engine.csv").len(), 301);
    assert_eq!(lines("engine.csv"), lines("nbayes.csv"));
}
