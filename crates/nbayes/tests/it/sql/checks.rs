//! What must hold with every engine.

use nb_io::FittedFamily;

use super::{
    Bench, Data, Engine, Type,
    data::{MIXED_SCHEMA, Numbers, mixed},
};

/// Sums of whole numbers are exact in every engine, and so is the model: schema, hyper-parameters and
/// evidence.
pub(super) fn whole_numbers_give_the_same_model(engine: &dyn Engine) {
    let bench = Bench::new(engine, "some \"table\"", &mixed(600));
    bench.folder.write("schema.toml", MIXED_SCHEMA);
    let options = ["--smoothing", "0.5", "--unseen", "other"];
    let by_sql = bench.by_sql("sql.nb", "some \"table\"", &options);
    let by_rows = bench.by_rows("rows.nb", &options);
    assert_eq!(by_sql, by_rows, "{}", engine.dialect());
    // The same labels with NULLs in the rows.
    bench.predict("rows.nb", "some \"table\"", "id");
    // Expressions alone give the same numbers.
    let dialect = engine.dialect();
    let expressions = bench.nbayes(&["sql", "--predict", "rows.nb", "--dialect", dialect, "--expression"]);
    let table = if dialect == "spark" { "`some \"table\"`" } else { "\"some \"\"table\"\"\"" };
    let best = format!("SELECT id,\n{expressions} FROM {table} AS t");
    bench.engine.query(&best, &bench.folder.path("joint.csv"));
    let joint = super::records(&String::from_utf8(bench.folder.read("joint.csv")).unwrap());
    assert_eq!(joint[0][1..3], ["log_joint(a)", "log_joint(b b)"]);
    assert_eq!(joint.len(), 601);
    assert!(joint[1..].iter().all(|row| row[1..].iter().all(|cell| super::number(cell).is_finite())));
}

pub(super) fn halves_merge_to_the_whole(engine: &dyn Engine) {
    let bench = Bench::new(engine, "t", &mixed(400));
    bench.folder.write("schema.toml", MIXED_SCHEMA);
    let whole = bench.by_sql("whole.nb", "t", &[]);
    bench.by_sql("even.nb", "(SELECT * FROM t WHERE id % 2 = 0)", &[]);
    bench.by_sql("odd.nb", "(SELECT * FROM t WHERE id % 2 = 1)", &[]);
    bench.nbayes(&["merge", "even.nb", "odd.nb", "-o", "merged.nb"]);
    assert_eq!(bench.model("merged.nb"), whole);
    // Rows can be taken out that came in by SQL.
    bench.nbayes(&["forget", "whole.nb", "data.csv", "--weights", "w", "-o", "none.nb"]);
    assert_eq!(bench.model("none.nb").stats().classes().len(), 0);
}

/// The most that a mean or a variance by SQL may differ, relative to the standard deviation or the variance.
const REAL: f64 = 1e-13;

/// The largest relative difference of the means (in standard deviations) and variances of two Gaussian
/// models.
pub(super) fn difference(left: &nb_io::Model, right: &nb_io::Model) -> (f64, f64) {
    let [left, right] = [left, right].map(|model| model.classifier().unwrap());
    let (FittedFamily::Gaussian(left), FittedFamily::Gaussian(right)) =
        (left.likelihood(), right.likelihood())
    else {
        panic!("the models are not Gaussian");
    };
    let mut worst = (0.0_f64, 0.0_f64);
    for ((at, mean), variance) in left.means().indexed_iter().zip(left.variances()) {
        let expected = right.variances()[at];
        worst.0 = worst.0.max((mean - right.means()[at]).abs() / expected.sqrt());
        worst.1 = worst.1.max((variance - expected).abs() / expected);
    }
    worst
}

pub(super) fn real_numbers_agree_to_the_last_digits(engine: &dyn Engine) {
    let columns =
        [("id", Type::Whole), ("y", Type::Text), ("a", Type::Real), ("b", Type::Real), ("w", Type::Real)];
    let mut numbers = Numbers::new(3);
    let rows = (0..2000).map(|id| {
        let class = numbers.below(3);
        let weight = 0.1 + numbers.uniform();
        let value = |numbers: &mut Numbers, scale: f64| (numbers.normal() * scale + class as f64).to_string();
        let (a, b) = (value(&mut numbers, 1.0), value(&mut numbers, 1e-3));
        vec![id.to_string(), class.to_string(), a, b, weight.to_string()]
    });
    let bench = Bench::new(engine, "t", &Data::new(&columns, rows));
    for weights in ["", "weights = \"w\"\n"] {
        bench.folder.write(
            "schema.toml",
            format!("label = \"y\"\n{weights}[columns]\na = \"gaussian\"\nb = \"gaussian\"\nid = \"ignore\"\nw = \"ignore\"\n").replace(
                if weights.is_empty() { "\u{0}" } else { "w = \"ignore\"\n" },
                "",
            ),
        );
        let (by_sql, by_rows) = (bench.by_sql("sql.nb", "t", &[]), bench.by_rows("rows.nb", &[]));
        let (means, variances) = difference(&by_sql, &by_rows);
        assert!(means < REAL && variances < REAL, "{}: {means:e}, {variances:e}", engine.dialect());
        bench.predict("rows.nb", "t", "id");
    }
    bench.by_rows("rows.nb", &["--shared-variance"]);
    bench.predict("rows.nb", "t", "id");
}

/// Labels by a decision rule are those of `nbayes predict`, also for rows without an answer.
pub(super) fn decision_rules(engine: &dyn Engine) {
    let bench = Bench::new(engine, "t", &mixed(500));
    bench.folder.write("schema.toml", MIXED_SCHEMA);
    bench.by_rows("rows.nb", &["--unseen", "ignore"]);
    for rule in [
        &["--weights", "a=3,b b=0.5"][..],
        &["--costs", "a|b b=7,b b|a=0.3"],
        &["--positive", "b b", "--threshold", "0.05"],
        &["--positive", "a", "--threshold", "0.95", "--min-probability", "0.8", "--abstain", "don't know"],
        &["--min-probability", "0.9"],
    ] {
        bench.nbayes(&[&["decide", "rows.nb", "-o", "decided.nb"], rule].concat());
        bench.predict("decided.nb", "t", "id");
    }
}

pub(super) fn families_of_counts(engine: &dyn Engine) {
    let columns =
        [("id", Type::Whole), ("y", Type::Whole), ("x", Type::Whole), ("z", Type::Whole), ("u", Type::Whole)];
    let mut numbers = Numbers::new(11);
    let rows = (0..300).map(|id| {
        let class = numbers.below(3);
        let cells = [2 + class, 5 - class, 3].map(|most| numbers.below(most + 1).to_string());
        [vec![id.to_string(), class.to_string()], cells.to_vec()].concat()
    });
    let bench = Bench::new(engine, "t", &Data::new(&columns, rows));
    for family in ["multinomial", "complement", "poisson", "bernoulli"] {
        let columns = format!("x = \"{family}\"\nz = \"{family}\"\nu = \"{family}\"\nid = \"ignore\"\n");
        bench.folder.write("schema.toml", format!("label = \"y\"\n[columns]\n{columns}"));
        for options in [&["--smoothing", "1"], &["--prior", "uniform"]] {
            let by_rows = bench.by_rows("rows.nb", options);
            assert_eq!(bench.by_sql("sql.nb", "t", options), by_rows, "{}, {family}", engine.dialect());
        }
        bench.predict("rows.nb", "t", "id");
    }
}

/// Embedded data sets, with an identifier added.
pub(super) fn embedded_sets(engine: &dyn Engine) {
    for (name, family) in [("iris", Type::Real), ("housevotes84", Type::Text)] {
        let text = String::from_utf8(nb_datasets::csv(name).unwrap()).unwrap();
        let mut records = super::records(&text);
        let label = nb_datasets::info(name).unwrap().target.clone();
        let header = records.remove(0);
        let mut columns: Vec<(&str, Type)> = vec![("id", Type::Whole)];
        columns.extend(
            header.iter().map(|name| (name.as_str(), if *name == label { Type::Text } else { family })),
        );
        let spelt = nb_io::read::missing_markers();
        let rows = records.into_iter().enumerate().map(|(id, record)| {
            // What is spelt as missing is NULL in a table.
            let cells =
                record.into_iter().map(|cell| if spelt.contains(&cell) { String::new() } else { cell });
            [id.to_string()].into_iter().chain(cells).collect()
        });
        let bench = Bench::new(engine, name, &Data::new(&columns, rows));
        let schema = bench.nbayes(&["schema", "data.csv", "--label", &label, "--ignore", "id"]);
        bench.folder.write("schema.toml", schema);
        let (by_sql, by_rows) = (bench.by_sql("sql.nb", name, &[]), bench.by_rows("rows.nb", &[]));
        assert_eq!(by_sql.schema(), by_rows.schema());
        if family == Type::Text {
            assert_eq!(by_sql, by_rows);
        } else {
            let (means, variances) = difference(&by_sql, &by_rows);
            assert!(means < REAL && variances < REAL, "{}: {means:e}, {variances:e}", engine.dialect());
        }
        bench.predict("sql.nb", name, "id");
    }
}

/// Missing cells and unseen categories, skipped, refused or given a probability. Where `nbayes predict`
/// refuses a file, SQL has no label for the row.
pub(super) fn policies_of_cells(engine: &dyn Engine) {
    let columns = [("id", Type::Whole), ("y", Type::Text), ("k", Type::Text), ("x", Type::Whole)];
    let row = |cells: [&str; 4]| cells.map(String::from).to_vec();
    let train = [["0", "a", "p", "1"], ["1", "a", "q", "3"], ["2", "b", "p", "8"], ["3", "b", "p", "9"]];
    let new = [["0", "a", "p", "2"], ["1", "", "new", "2"], ["2", "", "", "8"], ["3", "", "q", ""]];
    let bench = Bench::new(engine, "train", &Data::new(&columns, train.map(row)));
    let schema = "label = \"y\"\n[columns]\nk = \"categorical\"\nx = \"gaussian\"\nid = \"ignore\"\n";
    bench.folder.write("schema.toml", schema);
    for unseen in ["ignore", "other", "error"] {
        bench.by_sql(&format!("{unseen}.nb"), "train", &["--unseen", unseen]);
    }
    bench.by_sql("refuse.nb", "train", &["--missing-cells", "error"]);
    let data = Data::new(&columns, new.map(row));
    let with_new = Bench { folder: bench.folder, engine };
    with_new.folder.write("data.csv", &data.csv);
    engine.load("new", &data.columns, &with_new.folder.path("data.csv"));
    with_new.predict("ignore.nb", "new", "id");
    with_new.predict("other.nb", "new", "id");
    let answered = |model: &str| {
        let predict =
            ["sql", "--predict", model, "--dialect", engine.dialect(), "--table", "new", "--id", "id"];
        engine.query(&with_new.nbayes(&predict), &with_new.folder.path("labels.csv"));
        let text = String::from_utf8(with_new.folder.read("labels.csv")).unwrap();
        let mut rows = super::records(&text).split_off(1);
        rows.sort();
        assert!(rows.iter().all(|row| row[1].is_empty() == row[2].is_empty()), "{rows:?}");
        rows.iter().map(|row| !row[1].is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(answered("error.nb"), [true, false, true, true]);
    assert_eq!(answered("refuse.nb"), [true, true, false, false]);
}

/// Whole numbers and truth values are texts in several spellings, of which those of the table are others than
/// those of the model.
pub(super) fn spellings_of_categories(engine: &dyn Engine) {
    let columns = [
        ("id", Type::Whole),
        ("y", Type::Text),
        ("code", Type::Real),
        ("flag", Type::Text),
        ("mixed", Type::Text),
    ];
    let rows = (0..120).map(|row| {
        let (code, flag) = (row % 4, row % 3 == 0);
        let label = if (code > 1) == flag { "a" } else { "b" };
        let flag = if row % 2 == 0 { flag.to_string() } else { flag.to_string().to_uppercase() };
        let mixed = ["-1.00", "x", "12", "-0.0", "0"][row % 5];
        [row.to_string(), label.into(), format!("{code}.0"), flag, mixed.into()].to_vec()
    });
    let bench = Bench::new(engine, "spelled", &Data::new(&columns, rows));
    bench.nbayes(&[
        "train",
        "data.csv",
        "--label",
        "y",
        "--ignore",
        "id",
        "--categorical",
        "code,flag,mixed",
        "-o",
        "spelled.nb",
    ]);
    bench.predict("spelled.nb", "spelled", "id");
}

/// Without smoothing some classes cannot have produced a row, and a row no class at all.
pub(super) fn impossible_rows(engine: &dyn Engine) {
    let columns =
        [("id", Type::Whole), ("y", Type::Text), ("k", Type::Text), ("n", Type::Whole), ("m", Type::Whole)];
    let row = |cells: [&str; 5]| cells.map(String::from).to_vec();
    let rows = [
        ["0", "a", "p", "0", "3"],
        ["1", "a", "p", "0", "1"],
        ["2", "b", "q", "1", "0"],
        ["3", "b", "q", "1", "0"],
    ];
    let bench = Bench::new(engine, "t", &Data::new(&columns, rows.map(row)));
    let schema = "label = \"y\"\n[columns]\nk = \"categorical\"\nn = \"bernoulli\"\nm = \"poisson\"\nid = \"ignore\"\n";
    bench.folder.write("schema.toml", schema);
    let options = ["--smoothing", "0"];
    assert_eq!(bench.by_sql("sql.nb", "t", &options), bench.by_rows("rows.nb", &options));
    let new = [
        ["0", "", "p", "0", "0"],
        ["1", "", "p", "1", "0"],
        ["2", "", "", "1", "0"],
        ["3", "", "q", "1", "2"],
        // Nothing is known, and the classes are as frequent: the first one wins.
        ["4", "", "", "", ""],
    ];
    let data = Data::new(&columns, new.map(row));
    bench.folder.write("data.csv", &data.csv);
    engine.load("new", &data.columns, &bench.folder.path("data.csv"));
    bench.predict("sql.nb", "new", "id");
}

/// Classes of one row, columns that are constant in a class, and values far apart: all that a shift must not
/// spoil.
pub(super) fn constant_columns(engine: &dyn Engine) {
    let columns = [("id", Type::Whole), ("y", Type::Text), ("x", Type::Real), ("z", Type::Real)];
    let rows = [
        ["0", "a", "0.1", "1e-30"],
        ["1", "a", "0.1", "1e30"],
        ["2", "a", "0.1", "-1e30"],
        ["3", "b", "0.7", "0.3"],
        ["4", "c", "NaN", "123456789.123"],
        ["5", "c", "-1e-3", "123456789.123"],
    ];
    let data = Data::new(&columns, rows.map(|cells| cells.map(String::from).to_vec()));
    let bench = Bench::new(engine, "t", &data);
    for x in ["x", "z"] {
        let other = if x == "x" { "z" } else { "x" };
        let schema =
            format!("label = \"y\"\n[columns]\n{x} = \"gaussian\"\n{other} = \"ignore\"\nid = \"ignore\"\n");
        bench.folder.write("schema.toml", schema);
        let (by_sql, by_rows) = (bench.by_sql("sql.nb", "t", &[]), bench.by_rows("rows.nb", &[]));
        if x == "x" {
            // No difference is rounded, and none has a square.
            assert_eq!(by_sql, by_rows, "{}", engine.dialect());
        }
        let (means, variances) = difference(&by_sql, &by_rows);
        assert!(means < REAL && variances < REAL, "{}: {means:e}, {variances:e}", engine.dialect());
        bench.predict("rows.nb", "t", "id");
        // Without a shift, rounding must not make an error of a variance of zero.
        bench.sums("t", "none");
        bench.nbayes(&["import-stats", "result.csv", "--schema", "schema.toml", "-o", "plain.nb"]);
    }
}

pub(super) fn rows_without_labels_are_reported(engine: &dyn Engine) {
    let columns = [("y", Type::Text), ("x", Type::Whole), ("k", Type::Text)];
    let rows = [["a", "1", "p"], ["", "2", "p"], ["b", "3", "q"], ["", "9", ""]];
    let bench =
        Bench::new(engine, "t", &Data::new(&columns, rows.map(|cells| cells.map(String::from).to_vec())));
    bench.folder.write("schema.toml", "label = \"y\"\n[columns]\nx = \"gaussian\"\nk = \"categorical\"\n");
    bench.sums("t", "mean");
    let error = bench.folder.fails(1, "import-stats result.csv --schema schema.toml -o a.nb");
    assert!(error.contains("2 rows of the table have no label"), "{error}");
    bench.by_sql("a.nb", "(SELECT * FROM t WHERE y IS NOT NULL)", &[]);
}

pub(super) fn values_that_no_family_takes_are_reported(engine: &dyn Engine) {
    let columns = [("y", Type::Text), ("x", Type::Real), ("w", Type::Real)];
    let cases = [
        ("x = \"poisson\"", "", "2.5", "1", "1 rows of class \"b\" have values of \"x\""),
        ("x = \"multinomial\"", "", "-1", "1", "1 rows of class \"b\" have values of \"x\""),
        ("x = \"gaussian\"", "", "1e130", "1", "1 rows of class \"b\" have values of \"x\""),
        ("x = \"gaussian\"", "weights = \"w\"", "1", "-5", "1 rows of class \"b\" have weights"),
        ("x = \"gaussian\"", "weights = \"w\"", "1", "", "1 rows of class \"b\" have weights"),
    ];
    for (column, weights, x, w, expected) in cases {
        let rows = [["a", "1", "1"], ["a", "2", "1"], ["b", x, w], ["b", "3", "1"]];
        let data = Data::new(&columns, rows.map(|cells| cells.map(String::from).to_vec()));
        let bench = Bench::new(engine, "t", &data);
        bench.folder.write("schema.toml", format!("label = \"y\"\n{weights}\n[columns]\n{column}\n"));
        bench.sums("t", "mean");
        let error = bench.folder.fails(1, "import-stats result.csv --schema schema.toml -o a.nb");
        assert!(error.contains(expected), "{}: {error}", engine.dialect());
    }
}

/// More columns than go into one scan.
/// Engines may write expressions out wherever they are used, which must not multiply with the classes.
pub(super) fn many_classes(engine: &dyn Engine) {
    let columns = [("id", Type::Whole), ("y", Type::Text), ("x", Type::Whole), ("z", Type::Whole)];
    let mut numbers = Numbers::new(8);
    let rows = (0..400).map(|id| {
        let class = id % 40;
        let cells = [id, class, 3 * class + numbers.below(20), 7 * (class % 5) + numbers.below(9)];
        cells.iter().map(u64::to_string).collect()
    });
    let bench = Bench::new(engine, "many", &Data::new(&columns, rows.collect::<Vec<_>>()));
    bench.folder.write(
        "schema.toml",
        "label = \"y\"\n[columns]\nx = \"gaussian\"\nz = \"gaussian\"\nid = \"ignore\"\n",
    );
    assert_eq!(bench.by_sql("sql.nb", "many", &[]), bench.by_rows("rows.nb", &[]), "{}", engine.dialect());
    bench.predict("sql.nb", "many", "id");
}

pub(super) fn wide_tables(engine: &dyn Engine) {
    let names: Vec<String> = (0..320).map(|place| format!("column {place}")).collect();
    let is_text = |place: usize| place.is_multiple_of(6);
    let mut columns = vec![("id", Type::Whole), ("y", Type::Text)];
    columns.extend(
        names
            .iter()
            .enumerate()
            .map(|(place, name)| (name.as_str(), if is_text(place) { Type::Text } else { Type::Whole })),
    );
    let mut numbers = Numbers::new(5);
    let rows = (0..40).map(|id| {
        let class = numbers.below(2);
        let cells = (0..names.len()).map(|place| {
            let number = numbers.below(6 + class);
            if is_text(place) { format!("c{}", number % 3) } else { number.to_string() }
        });
        [id.to_string(), class.to_string()].into_iter().chain(cells).collect()
    });
    let bench = Bench::new(engine, "wide", &Data::new(&columns, rows.collect::<Vec<_>>()));
    let families = names.iter().enumerate().map(|(place, name)| {
        let family = if is_text(place) { "categorical" } else { "gaussian" };
        format!("\"{name}\" = \"{family}\"\n")
    });
    let families: String = families.collect();
    bench.folder.write("schema.toml", format!("label = \"y\"\n[columns]\n{families}id = \"ignore\"\n"));
    assert_eq!(bench.by_sql("sql.nb", "wide", &[]), bench.by_rows("rows.nb", &[]), "{}", engine.dialect());
    bench.predict("sql.nb", "wide", "id");
}
