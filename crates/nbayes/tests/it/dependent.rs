//! Columns that depend on each other: AODE, TAN and their relatives.

use std::fmt::Write;

use crate::folder::Folder;

const FAMILIES: [&str; 9] = ["aode", "tan", "hnb", "waode", "aodesr", "asaode", "a2de", "kdb", "ekdb"];

/// Whether two columns agree is what the class is about; colours come with the rows.
fn rows(range: std::ops::Range<usize>) -> String {
    let mut text = String::from("left,right,size,y\n");
    for row in range {
        let hash = row * 7919 % 1009;
        let (left, same) = (hash % 3, hash / 3 % 5 > 0);
        let class = ["no", "yes"][row % 2];
        let right = if same == (class == "yes") { left } else { (left + 1) % 3 };
        let colour = |code: usize| ["red", "green", "blue"][code];
        let size = if row % 13 == 4 {
            String::new()
        } else {
            format!("{}", (hash % 50 + 20 * (row % 2)) as f64 / 4.0)
        };
        writeln!(text, "{},{},{size},{class}", colour(left), colour(right)).unwrap();
    }
    text
}

fn trained(family: &str) -> Folder {
    let folder = Folder::new();
    folder.write("rows.csv", rows(0..400));
    folder.write("more.csv", rows(400..600));
    folder.ok(&format!("train rows.csv --label y --all {family} -o m.nb"));
    folder
}

fn accuracy(folder: &Folder, model: &str) -> f64 {
    let measured = folder.ok(&format!("evaluate {model} more.csv --json"));
    let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
    measured["accuracy"].as_f64().unwrap()
}

#[test]
fn they_know_what_naive_bayes_cannot() {
    for family in FAMILIES {
        let folder = trained(family);
        folder.ok("train rows.csv --label y --plain -o plain.nb");
        // WAODE has the parents that say most by themselves, which these columns do not.
        let gain = if family == "waode" { 0.0 } else { 0.05 };
        assert!(accuracy(&folder, "m.nb") >= accuracy(&folder, "plain.nb") + gain, "{family}");
        let inspected = folder.ok("inspect m.nb");
        let name = if family == "ekdb" { "kdb ensemble" } else { family };
        assert!(inspected.contains(name) && inspected.contains("green"), "{inspected}");
        folder.ok("evaluate m.nb rows.csv --leave-one-out");
        folder.ok("report m.nb more.csv -o report.html");
        folder.ok("decide m.nb --threshold 0.3 --positive yes");
        assert_eq!(folder.ok("predict m.nb more.csv").lines().count(), 201);
    }
}

#[test]
fn what_shows_the_part_of_a_column_is_refused() {
    for family in FAMILIES {
        let folder = trained(family);
        for command in [
            "explain m.nb more.csv --row 2",
            "importance m.nb more.csv",
            "plot m.nb -o a.svg",
            "sample m.nb -n 2",
        ] {
            let error = folder.fails(1, command);
            assert!(
                error.contains(
                    "depend on each other (--aode, --tan, --hnb, --waode, --aodesr, --asaode, --a2de, --kdb, --ekdb)"
                ),
                "{command}: {error}"
            );
        }
        folder.fails(1, "convert m.nb m.onnx");
        assert!(!folder.path("a.svg").exists() && !folder.path("m.onnx").exists());
        let error = folder.fails(2, &format!("train rows.csv --label y --{family} left,rihgt -o b.nb"));
        assert!(error.contains("column \"rihgt\"") && error.contains("did you mean \"right\"?"), "{error}");
        let error = folder
            .fails(2, &format!("train rows.csv --label y --{family} left --bandwidth silverman -o b.nb"));
        assert!(error.contains("--bandwidth is for kernel columns"), "{error}");
    }
}

/// The class is whether two columns of 0 and 1 differ, and each of them alone is half of either class.
fn exclusive_or() -> Folder {
    let folder = Folder::new();
    let rows = (0..200).map(|row| {
        let (a, b) = (row % 2, row / 2 % 2);
        format!("{a},{b},{},{}\n", (row * 7919 % 1009) as f64 / 1009.0, ["same", "other"][a ^ b])
    });
    folder.write("xor.csv", format!("a,b,noise,y\n{}", rows.collect::<String>()));
    folder
}

#[test]
fn a_column_that_needs_another_is_not_lost() {
    let folder = exclusive_or();
    for family in FAMILIES {
        let run = folder.nbayes(&format!("train xor.csv --label y --all {family} -o m.nb"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(
            run.stderr.contains(&format!("--{family}: column \"noise\" has one bin and adds nothing")),
            "{}",
            run.stderr
        );
        let measured = folder.ok("evaluate m.nb xor.csv --json");
        let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
        assert_eq!(measured["accuracy"], 1.0, "{family}");
    }
    folder.ok("train xor.csv --label y --all tan -o m.nb");
    let inspected = folder.ok("inspect m.nb");
    let words: Vec<Vec<&str>> = inspected.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(words.contains(&vec!["b", "a"]), "{inspected}");
    assert!(words.contains(&vec!["a", "the", "class", "only"]), "{inspected}");
    let json: serde_json::Value = serde_json::from_str(&folder.ok("inspect m.nb --json")).unwrap();
    assert_eq!(json["dependences"][1], serde_json::json!({"column": "b", "on": [{"column": "a"}]}));
}

#[test]
fn too_much_memory_is_refused_with_what_helps() {
    let folder = exclusive_or();
    let error = folder.fails(1, "train xor.csv --label y --all tan --max-memory 600 -o m.nb");
    // 2 classes, and 5 bins of 3 columns with 15 pairs: 2 * 15 sums and 2 * 25 table entries, as bounded.
    for part in [
        "--tan: 3 columns with 5",
        "2 classes",
        "30 pairs",
        "720 bytes",
        "--max-memory 720",
        "--ignore",
        "--bins",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    folder.ok("train xor.csv --label y --all tan --max-memory 720 --sums-only -o m.nb");
}

#[test]
fn a_model_that_grows_too_large_is_refused() {
    let folder = Folder::new();
    let rows =
        (0..200).map(|row| format!("a{},b{},{}\n", row % 20, row / 7 % 20, ["no", "yes"][row / 3 % 2]));
    folder.write("old.csv", format!("a,b,y\n{}", rows.collect::<String>()));
    folder.ok("train old.csv --label y --all tan --sums-only -o m.nb");
    // 2 classes with 40 · 41 / 2 = 820 pairs of 24 bytes each are 39360 bytes.
    let limit = "--max-memory 40000";
    folder.write("classes.csv", "a,b,y\na1,b1,perhaps\n");
    let error = folder.fails(1, &format!("update m.nb classes.csv {limit} -o u.nb"));
    for part in [
        "the rows of classes.csv",
        "3 classes, need counts of 2460 pairs in 59040 bytes",
        "--max-memory 59040",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    // Another category: 41 · 42 / 2 = 861 pairs.
    folder.write("categories.csv", "a,b,y\na1,b1,no\nnew,b2,yes\n");
    let error = folder.fails(1, &format!("update m.nb categories.csv {limit} -o u.nb"));
    for part in [
        "categories.csv",
        "\"a\" has 21",
        "2 classes, need counts of 1722 pairs in 41328 bytes",
        "--max-memory 41328",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(!folder.path("u.nb").exists());
    folder.ok("update m.nb categories.csv --max-memory 41328 -o u.nb");
    // A model that is that large already takes further rows.
    folder.ok("update m.nb old.csv --max-memory 30000 -o u.nb");
}

#[test]
fn errors_name_columns_and_rows() {
    for family in FAMILIES {
        let folder = trained(family);
        // What would be left are 50 rows of the class, and more of one category.
        let rows: String = (0..150).map(|_| "red,green,3,no\n").collect();
        folder.write("other.csv", format!("left,right,size,y\n{rows}"));
        let error = folder.fails(1, "forget m.nb other.csv -o back.nb");
        // kDB counts combinations, and there are fewer of the one that is taken out.
        let category = if ["kdb", "ekdb"].contains(&family) { "red" } else { "blue" };
        assert!(error.contains(&format!("column \"left\", category {category:?}, class \"no\"")), "{error}");
        folder.write("late.csv", "left,right,size,y\nred,red,2,no\nred,red,1e999,no\n");
        let error = folder.fails(1, "evaluate m.nb late.csv --leave-one-out");
        assert!(error.contains("late.csv") && !error.contains("row 0"), "{error}");
    }
}

#[test]
fn sums_of_pairs_stay_exact() {
    for family in [
        "aode --bins width:4",
        "tan --smoothing 0.5",
        "hnb --bins frequency:3",
        "a2de --minimum-pair-count 5",
        "kdb --parents 2",
        "kdb --parents tree --sweeps 60",
    ] {
        let folder = trained(&format!("{family} --sums-only"));
        folder.ok("update m.nb more.csv -o both.nb");
        folder.ok("forget both.nb more.csv -o back.nb");
        assert_eq!(folder.read("back.nb"), folder.read("m.nb"), "{family}");
        // Hierarchical smoothing takes no half rows.
        if !family.contains("--sweeps") {
            folder.ok("decay m.nb --factor 0.5 -o half.nb");
            folder.ok("merge half.nb half.nb -o whole.nb");
            assert_eq!(folder.read("whole.nb"), folder.read("m.nb"), "{family}");
        }
        folder.ok("convert m.nb m.json");
        folder.ok("convert m.json again.nb");
        assert_eq!(folder.read("again.nb"), folder.read("m.nb"), "{family}");
        // A category that no row had.
        folder.write("new.csv", "left,right,size,y\nviolet,red,3,no\n");
        folder.ok("update m.nb new.csv -o new.nb");
        assert!(folder.ok("inspect new.nb").contains("violet"), "{family}");
        folder.ok("predict new.nb new.csv");
        folder.ok("predict m.nb new.csv");
    }
}

#[test]
fn naive_bayes_with_hierarchical_smoothing_has_contributions() {
    let folder = trained("kdb --parents 0 --sweeps 200");
    let explained = folder.ok("explain m.nb more.csv --row 2");
    assert!(explained.contains("size") && explained.contains("log-odds"), "{explained}");
    folder.ok("plot m.nb -o a.svg");
    folder.ok("importance m.nb more.csv");
    let error = folder.fails(1, "sample m.nb -n 2");
    assert!(error.contains("binned or kdb columns"), "{error}");
    // A share of a row has no place in a sampler of counts.
    let error = folder.fails(1, "decay m.nb --factor 0.5 -o half.nb");
    assert!(error.contains("takes whole counts") && !folder.path("half.nb").exists(), "{error}");
    assert!(folder.ok("inspect m.nb").contains("hierarchical smoothing by 200 sweeps"));
    for option in ["--smoothing 0.5", "--pseudo-counts divided"] {
        let error =
            folder.fails(2, &format!("train rows.csv --label y --all kdb --sweeps 100 {option} -o b.nb"));
        assert!(error.contains("is of additive smoothing"), "{error}");
        let beside = "train rows.csv --label y --kdb left,right --gaussian size --sweeps 100";
        let error = folder.fails(2, &format!("{beside} {option} -o b.nb"));
        assert!(error.contains("is of additive smoothing"), "{error}");
    }
    let error = folder.fails(1, "train rows.csv --label y --all kdb --sweeps 2000000 -o b.nb");
    assert!(error.contains("the number of sweeps is 2000000; it must be at most 1000000"), "{error}");
    let error = folder.fails(2, "train rows.csv --label y --all tan --parents 3 -o b.nb");
    assert!(error.contains("--parents is for kdb or ekdb columns"), "{error}");
}

#[test]
fn kdb_with_a_tree_is_tan() {
    let folder = trained("tan --plain");
    folder.ok("train rows.csv --label y --all kdb --parents tree -o tree.nb");
    folder.ok("train rows.csv --label y --all kdb --parents 0 -o none.nb");
    let error = folder.fails(1, "merge tree.nb none.nb -o both.nb");
    assert!(error.contains("or other parents in the other model"), "{error}");
    let probabilities = |model: &str| {
        let rows = folder.ok(&format!("predict {model} more.csv --log-proba"));
        let numbers = rows
            .lines()
            .skip(1)
            .flat_map(|line| line.split(',').filter_map(|cell| cell.parse::<f64>().ok()).collect::<Vec<_>>());
        numbers.collect::<Vec<f64>>()
    };
    let (tan, kdb) = (probabilities("m.nb"), probabilities("tree.nb"));
    assert!(tan.len() >= 400 && tan.len() == kdb.len());
    let difference = tan.iter().zip(&kdb).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-12, "{difference}");
    let inspected = folder.ok("inspect tree.nb");
    assert!(inspected.contains("depends on"), "{inspected}");
}

/// Noise is left out of selective kDB, in the file, too; the model goes on as any other.
#[test]
fn selective_kdb_leaves_columns_out() {
    let folder = Folder::new();
    let with_noise = |range: std::ops::Range<usize>| {
        let rows = rows(range.clone());
        let (head, lines) = rows.split_once('\n').unwrap();
        let noisy = lines.lines().zip(range).map(|(line, row)| format!("{line},n{}\n", row * row % 7));
        format!("{head},noise\n{}", noisy.collect::<String>())
    };
    folder.write("rows.csv", with_noise(0..400));
    folder.write("more.csv", with_noise(400..600));
    folder.ok("train rows.csv --label y --all kdb --parents selective:3 -o m.nb");
    let inspected = folder.ok("inspect m.nb");
    assert!(inspected.contains("nothing: it is left out"), "{inspected}");
    let json: serde_json::Value = serde_json::from_str(&folder.ok("inspect m.nb --json")).unwrap();
    let text = json.to_string();
    assert!(text.contains("\"left_out\":true"), "{text}");
    folder.ok("train rows.csv --label y --all kdb --parents 3 -o all.nb");
    assert!(accuracy(&folder, "m.nb") >= accuracy(&folder, "all.nb"));
    let before = folder.ok("predict m.nb more.csv --proba");
    folder.ok("update m.nb more.csv");
    assert_ne!(folder.ok("predict m.nb more.csv --proba"), before);
    folder.ok("forget m.nb more.csv");
    assert_eq!(folder.ok("predict m.nb more.csv --proba"), before);
}
