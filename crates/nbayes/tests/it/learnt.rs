//! Families that learn something from rows first: bins, kernel densities, powers.

use std::fmt::Write;

use crate::folder::Folder;

/// Two skewed numbers, one of them with gaps, and a category.
fn rows(n: usize, first: usize) -> String {
    let mut text = String::from("income,age,colour,y\n");
    for row in first..first + n {
        let class = (row * row / 7 + row) % 3 % 2;
        let income = (((row * 37) % 101) as f64 / 25.0 + 0.8 * class as f64).exp();
        let age = if row % 11 == 3 { String::new() } else { format!("{}", 20 + (row * 29) % 60 + 9 * class) };
        let colour = ["red", "green", "blue"][(row / 3 + class) % 3];
        writeln!(text, "{income},{age},{colour},{}", ["no", "yes"][class]).unwrap();
    }
    text
}

/// A folder with rows, and a model of them with this option.
fn trained(options: &str) -> Folder {
    let folder = Folder::new();
    folder.write("rows.csv", rows(300, 0));
    folder.write("more.csv", rows(40, 900));
    folder.ok(&format!("train rows.csv --label y -o m.nb {options}"));
    folder
}

fn json(folder: &Folder, command: &str) -> serde_json::Value {
    serde_json::from_str(&folder.ok(command)).unwrap()
}

const ALL: [&str; 10] = [
    "--binned income,age",
    "--binned income,age --bins modl",
    "--all binned --bins width:6",
    "--all binned --bins frequency:7",
    "--kernel income,age",
    "--kernel income --binned age --bandwidth john-langley",
    "--kernel income,age --bandwidth ucv",
    "--power income,age",
    "--power income --transform box-cox",
    "--power income --kernel age --transform log",
];

#[test]
fn every_command_knows_them() {
    for options in ALL {
        let folder = trained(options);
        let labels = folder.ok("predict m.nb more.csv");
        assert_eq!(labels.lines().count(), 41, "{options}");
        let measured = json(&folder, "evaluate m.nb more.csv --json");
        assert!(measured["log_loss"].as_f64().unwrap().is_finite(), "{options}");
        assert!(folder.ok("explain m.nb more.csv --row 2").contains("income"), "{options}");
        assert!(folder.ok("inspect m.nb").contains("income"), "{options}");
        assert!(folder.ok("inspect m.nb --by effect").contains("income"), "{options}");
        for feature in ["income", "age"] {
            folder.ok(&format!("plot m.nb rows.csv --feature {feature} -o {feature}.svg"));
            folder.ok(&format!("plot m.nb --feature {feature} --contributions -o {feature}.png"));
        }
        folder.ok("importance m.nb more.csv");
        folder.ok("report m.nb more.csv -o report.html");
        folder.ok("decide m.nb --threshold 0.3 --positive yes");
        assert_eq!(folder.ok("predict m.nb more.csv").lines().count(), 41);
        folder.ok("decide m.nb --none");
    }
}

#[test]
fn sums_stay_exact() {
    for options in ALL {
        let folder = trained(&format!("{options} --sums-only"));
        folder.ok("update m.nb more.csv -o both.nb");
        folder.ok("update m.nb more.csv -o again.nb");
        folder.ok("forget again.nb more.csv -o back.nb");
        assert_eq!(folder.read("back.nb"), folder.read("m.nb"), "{options}");
        // As many rows of the same cut points, in two models.
        folder.ok("decay m.nb --factor 0.5 -o half.nb");
        folder.ok("merge half.nb half.nb -o whole.nb");
        assert_eq!(folder.read("whole.nb"), folder.read("m.nb"), "{options}");
        folder.ok("convert m.nb m.json");
        folder.ok("convert m.json back.nb");
        assert_eq!(folder.read("back.nb"), folder.read("m.nb"), "{options}");
    }
}

#[test]
fn models_that_learnt_something_else_are_not_merged() {
    let folder = Folder::new();
    folder.write("a.csv", rows(120, 0));
    folder.write("b.csv", rows(150, 500));
    for family in ["binned", "kernel", "power"] {
        let option = if family == "binned" { "--bins width:5" } else { "" };
        for part in ["a", "b"] {
            folder.ok(&format!("train {part}.csv --label y --{family} income {option} -o {part}.nb"));
        }
        let error = folder.fails(1, "merge a.nb b.nb -o both.nb");
        assert!(
            error.contains("b.nb cannot be merged with a.nb: column \"income\" has other cut points"),
            "{error}"
        );
        assert!(error.contains("nbayes update"), "{error}");
    }
}

/// A model without its rows still has what it learnt, so that parts of the data can be summed apart.
#[test]
fn parts_are_merged_that_share_what_was_learnt() {
    for options in ALL {
        let folder = trained(options);
        folder.ok("forget m.nb rows.csv -o empty.nb");
        folder.ok("update empty.nb more.csv -o part.nb");
        folder.ok("merge m.nb part.nb -o both.nb");
        folder.ok("update m.nb more.csv -o updated.nb");
        assert_eq!(folder.read("both.nb"), folder.read("updated.nb"), "{options}");
    }
}

#[test]
fn rows_are_generated_from_densities_only() {
    for (options, is_density) in
        [("--kernel income", true), ("--power income", true), ("--binned income", false)]
    {
        let folder = trained(options);
        if is_density {
            let drawn = folder.ok("sample m.nb -n 50 --seed 4");
            assert_eq!(drawn.lines().count(), 51, "{options}");
        } else {
            let error = folder.fails(1, "sample m.nb");
            assert!(error.contains("bins say how probable an interval is"), "{error}");
        }
    }
}

#[test]
fn exports_are_written_or_refused_by_name() {
    let folder = trained("--kernel income");
    assert!(
        folder.fails(1, "convert m.nb m.onnx").contains("column \"income\": this family cannot be exported")
    );
    let error = folder.fails(1, "sql --predict m.nb --dialect duckdb");
    assert!(error.contains("column \"income\" has a family that cannot be written in SQL"), "{error}");
    for options in ["--power income", "--binned income --bins modl"] {
        let query = trained(options).ok("sql --predict m.nb --dialect postgres --table t");
        assert!(query.contains("income") && query.len() < 20_000, "{}", query.len());
    }
    trained("--binned income").ok("convert m.nb m.onnx");
}

#[test]
fn bins_that_are_not_searched_exactly_are_said() {
    let folder = Folder::new();
    let mut text = String::from("many,few,y\n");
    for row in 0..6000 {
        writeln!(text, "{}.5,{},{}", row * 7919 % 6000, row % 50, row % 2).unwrap();
    }
    folder.write("rows.csv", &text);
    let note = "--bins modl: column \"many\" has too many different values to find the most probable bins";
    let said = |bins: &str| {
        folder.nbayes(&format!("train rows.csv --label y --binned many,few --bins {bins} -o m.nb")).stderr
    };
    assert!(said("modl").contains(note), "{}", said("modl"));
    assert!(!said("mdl").contains("most probable bins"));
}

#[test]
fn what_cannot_be_learnt_is_refused() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(60, 0).replace("income", "profit") + "-4,30,red,yes\n");
    let error = folder.fails(1, "train rows.csv --label y --power profit --transform log -o m.nb");
    let expected = "rows.csv, line 62, column \"profit\": -4 is not above 0, and has no logarithm";
    assert!(error.contains(expected), "{error}");
    let error = folder.fails(1, "train rows.csv --label y --kernel age,profit --missing-cells error -o m.nb");
    assert!(error.contains("line 5, column \"age\": the cell is missing; fill it in"), "{error}");
    for (option, family) in
        [("--bins modl", "binned"), ("--transform log", "power"), ("--bandwidth silverman", "kernel")]
    {
        let error = folder.fails(2, &format!("train rows.csv --label y {option} -o m.nb"));
        assert!(error.contains(option.split(' ').next().unwrap()), "{error}");
        assert!(error.contains(&format!("--{family}")), "{error}");
    }
    let error = folder.fails(2, "train rows.csv --label y --binned profit --bins width:0 -o m.nb");
    assert!(error.contains("choose mdl, modl, modl-greedy, width:K or frequency:K"), "{error}");
    let error = folder.fails(1, "train rows.csv --label y --kernel colour -o m.nb");
    assert!(error.contains("colour"), "{error}");
    folder.write("schema.toml", "label = \"y\"\n[columns]\n\"profit\" = \"kernel\"\n");
    let error = folder.fails(1, "sql --fit schema.toml --dialect duckdb");
    assert!(
        error.contains("column \"profit\" is kernel: what it needs of each column is learnt from rows"),
        "{error}"
    );
    let trained = folder.ok("train rows.csv --schema schema.toml -o m.nb");
    assert!(trained.contains("kernel"), "{trained}");
    folder.write("rows.svm", "1 1:0.5\n0 2:1.5\n1 1:2.5\n0 2:0.5\n");
    let error = folder.fails(1, "train rows.svm --all kernel -o m.nb");
    assert!(error.contains("store only some cells"), "{error}");
}

/// SciPy 1.17.1, petal length by species: `logpdf` of `gaussian_kde(v, bw_method=h / std(v, ddof=1))` for
/// versicolor less that for virginica, with `h = 0.9 min(std(v), IQR(v) / 1.34) n^(-1/5)`. The model reads
/// spread and quartiles off its grid.
#[test]
fn densities_are_those_of_scipy() {
    let folder = Folder::new();
    folder.ok("train @iris --kernel petal_length_cm --ignore sepal*,petal_width_cm -o m.nb");
    for (row, expected) in [(51, 0.96948), (71, 0.38180), (107, 2.08392)] {
        let explained = json(&folder, &format!("explain m.nb @iris --row {row} --json"));
        assert_eq!(explained["against"], "virginica");
        let found = explained["features"][0]["log_odds"].as_f64().unwrap();
        assert!((found - expected).abs() < 5e-3, "{row}: {found}, not {expected}");
    }
    folder.ok("plot m.nb @iris --feature petal_length_cm -o densities.svg");
    let picture = String::from_utf8(folder.read("densities.svg")).unwrap();
    assert!(picture.contains("kernel density in each class"), "the family is named once");
}

/// SciPy 1.17.1:
/// where the sum of `yeojohnson_llf` over the classes of the standardised column is largest.
#[test]
fn powers_are_those_of_scipy() {
    let folder = Folder::new();
    let trained = json(&folder, "train @iris --all power -o m.nb --json");
    for (column, expected) in [0.892_393, 0.994_989, 1.180_13, 0.725_91].iter().enumerate() {
        let family = trained["columns"][column]["family"].as_str().unwrap();
        let found: f64 = family.strip_prefix("power, λ = ").unwrap().parse().unwrap();
        assert!((found - expected).abs() < 6e-5, "{family}");
    }
}

#[test]
fn classes_that_are_constant_in_a_column_have_densities() {
    let folder = Folder::new();
    let mut rows = String::from("x,y\n");
    for row in 0..60_u32 {
        let x = if row % 2 == 0 { 5.0 } else { f64::from(row * 7 % 60) / 4.0 };
        writeln!(rows, "{x},{}", ["a", "b"][row as usize % 2]).unwrap();
    }
    folder.write("rows.csv", rows);
    folder.ok("train rows.csv --label y --kernel x -o m.nb");
    folder.write("near.csv", "x\n5.4\n14\n");
    // A bandwidth of next to nothing would give "a" no value but 5.
    assert_eq!(folder.ok("predict m.nb near.csv"), "predicted_y\na\nb\n");
}

/// Class b is skewed and far from class a: nearly all its powers vanish next to the 1 that is subtracted.
#[test]
fn powers_that_doubles_cut_off_are_said() {
    let folder = Folder::new();
    let mut text = String::from("far,size,y\n");
    for row in 0..20 {
        let far = 1e6 * f64::from(1 + row).powf(-1.0 / 3.0);
        writeln!(text, "0.000001,{},a\n{far},{},b", row % 7, row % 5 + 2).unwrap();
    }
    folder.write("rows.csv", text);
    let train =
        "train rows.csv --label y --gaussian size --power far --transform box-cox -o m.nb --sums-only";
    let run = folder.nbayes(train);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let note = "--power: for column \"far\" (λ = -1.2";
    assert!(run.stderr.contains(note) && !run.stderr.contains("\"size\" (λ"), "{}", run.stderr);
    let text = folder.ok("compare @lymphography -v power --folds 3 --repeats 1");
    let named = "power on lymphography: the power of column \"lym_nodes_dimin\" is cut off in ";
    assert!(text.contains(named) && text.contains(" of 3 splits (λ = -"), "{text}");
}
