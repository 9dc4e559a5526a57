//! `nbayes profile`: what it says of columns is what `train` makes of them.

use std::fmt::Write;

use crate::folder::Folder;

/// Two hundred rows with columns of every kind.
fn rows() -> String {
    let mut text = String::from("id,day,code,zeros,income,mark,copy,note,only_a,y\n");
    for row in 0..200_usize {
        let day = format!("2024-{:02}-{:02}", 1 + row / 28 % 12, 1 + row % 28);
        let zeros = if row % 3 == 0 { (row % 37) as f64 / 4.0 } else { 0.0 };
        let income = (row as f64 / 20.0).exp().round();
        let mark = if row % 4 == 0 { "99".into() } else { format!("{}", row % 50) };
        let note = format!("the {row} th note of several words number {}", row * row);
        let class = ["a", "b"][row % 2];
        let only = if row % 2 == 0 { format!("{}", row % 17) } else { String::new() };
        let copy = ["no", "yes"][row % 2];
        let code = if row == 7 { "n.a.".into() } else { format!("{}", row * 7 % 41) };
        writeln!(
            text,
            "{},{day},{code},{zeros},{income},{mark},{copy},{note},{only},{class}",
            5000 + 3 * row
        )
        .unwrap();
    }
    text
}

/// The lines of a number of rows.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(|row| line(row) + "\n").collect::<Vec<_>>().concat()
}

/// All that a command writes.
fn run(folder: &Folder, command: &str) -> String {
    let run = folder.nbayes(command);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout + &run.stderr
}

fn json(folder: &Folder, command: &str) -> serde_json::Value {
    serde_json::from_str(&folder.ok(command)).unwrap()
}

fn column<'a>(profile: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    profile["columns"].as_array().unwrap().iter().find(|column| column["column"] == name).unwrap()
}

#[test]
fn families_are_those_of_train() {
    let folder = Folder::new();
    folder.write("rows.csv", rows());
    for options in ["", " --categorical mark", " --all gaussian --ignore note,copy,day"] {
        let profile = json(&folder, &format!("profile rows.csv --label y --json{options}"));
        let trained = json(&folder, &format!("train --plain rows.csv --label y -o m.nb --json{options}"));
        for line in trained["columns"].as_array().unwrap() {
            let found = column(&profile, line["name"].as_str().unwrap());
            assert!(!found["left_out"].as_bool().unwrap(), "{line} {found}");
            let family = found["plain_family"].as_str().unwrap().split(", ").next().unwrap();
            assert_eq!((family, &found["why"]), (line["family"].as_str().unwrap(), &line["why"]));
        }
        let refined = json(&folder, &format!("train rows.csv --label y -o m.nb --json{options}"));
        for line in refined["columns"].as_array().unwrap() {
            let found = column(&profile, line["name"].as_str().unwrap());
            let families = [found, line].map(|of| of["family"].as_str().unwrap().split(", ").next().unwrap());
            assert_eq!(families[0], families[1], "{line}");
        }
        for line in trained["left_out"].as_array().into_iter().flatten() {
            let found = column(&profile, line["name"].as_str().unwrap());
            assert_eq!(found["plain_family"], "left out", "{line} {found}");
            if found["left_out"].as_bool().unwrap() {
                assert_eq!(found["why"], line["why"]);
            }
        }
    }
}

#[test]
fn columns_are_counted_and_judged() {
    let folder = Folder::new();
    folder.write("rows.csv", rows());
    let profile = json(&folder, "profile rows.csv --label y --json");
    assert_eq!((profile["rows"].as_u64(), profile["label"]["distinct"]["n"].as_u64()), (Some(200), Some(2)));
    let kinds = |name: &str| -> Vec<String> {
        let findings = column(&profile, name)["findings"].as_array().unwrap();
        findings.iter().map(|finding| finding["kind"].as_str().unwrap().to_owned()).collect()
    };
    for (name, kind) in [
        ("id", "identifier"),
        ("day", "date"),
        ("code", "mixed_types"),
        ("zeros", "zero_inflated"),
        ("income", "long_tailed"),
        ("mark", "spiky"),
        ("copy", "duplicates_label"),
        ("note", "free_text"),
        ("only_a", "mostly_missing"),
    ] {
        assert!(kinds(name).iter().any(|found| found == kind), "{name}: {:?}", kinds(name));
    }
    let code = column(&profile, "code");
    assert_eq!(
        (code["n_numbers"].as_u64(), code["n_texts"].as_u64(), code["n_missing"].as_u64()),
        (Some(199), Some(1), Some(0))
    );
    let only = column(&profile, "only_a");
    assert_eq!((only["n_missing"].as_u64(), only["class_without_values"].as_str()), (Some(100), Some("b")));
    let copy = &column(&profile, "copy")["information"];
    assert!((copy["nats"].as_f64().unwrap() - std::f64::consts::LN_2).abs() < 1e-12);
    assert_eq!(column(&profile, "income")["numbers"]["order"], "non_decreasing");
    assert_eq!(column(&profile, "zeros")["numbers"]["n_zero"].as_u64(), Some(135));
}

#[test]
fn a_label_is_not_needed_and_may_be_missing() {
    let folder = Folder::new();
    folder.write("rows.csv", rows());
    let profile = json(&folder, "profile rows.csv --json");
    assert!(profile.get("label").is_none());
    assert_eq!(column(&profile, "y")["distinct"]["n"].as_u64(), Some(2));
    assert!(column(&profile, "copy")["information"].is_null());
    folder.write("some.csv", "x,y\n1.5,a\n2.5,\n3.5,b\n4.5,NA\n");
    let some = json(&folder, "profile some.csv --label y --json");
    assert_eq!(some["label"]["n_missing"].as_u64(), Some(2));
    let failed = folder.fails(1, "profile some.csv --label z");
    assert!(failed.contains("\"z\""), "{failed}");
}

#[test]
fn several_files_and_formats_make_one_profile() {
    let folder = Folder::new();
    let whole = rows();
    let lines: Vec<&str> = whole.lines().collect();
    folder.write("rows.csv", &whole);
    folder.write("a.csv", lines[..=90].join("\n"));
    folder.write("b.csv", [&lines[..1], &lines[91..]].concat().join("\n"));
    let mut parts = json(&folder, "profile a.csv b.csv --label y --json");
    let mut all = json(&folder, "profile rows.csv --label y --json");
    for profile in [&mut parts, &mut all] {
        profile["files"].take();
        // Reasons count cells of the first file with such cells only.
        for column in profile["columns"].as_array_mut().unwrap() {
            column["why"].take();
            column["findings"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .for_each(|finding| drop(finding["why"].take()));
        }
    }
    assert!(parts == all, "{parts:#}\n{all:#}");
    // The same rows as JSON records.
    let names: Vec<&str> = lines[0].split(',').collect();
    let mut records = String::new();
    for line in &lines[1..] {
        let cells = names.iter().zip(line.split(','));
        let cells: Vec<String> = cells
            .filter(|(name, _)| **name != "code")
            .map(|(name, cell)| match cell.parse::<f64>() {
                _ if cell.is_empty() => format!("\"{name}\": null"),
                Ok(_) => format!("\"{name}\": {cell}"),
                Err(_) => format!("\"{name}\": \"{cell}\""),
            })
            .collect();
        writeln!(records, "{{{}}}", cells.join(", ")).unwrap();
    }
    folder.write("rows.jsonl", records);
    let records = json(&folder, "profile rows.jsonl --label y --json");
    for name in names.iter().filter(|name| !["code", "y"].contains(name)) {
        let (one, other) = (column(&all, name), column(&records, name));
        assert_eq!(one["numbers"], other["numbers"], "{name}");
        assert_eq!(one["distinct"], other["distinct"], "{name}");
        assert_eq!(one["information"], other["information"], "{name}");
    }
}

#[test]
fn sparse_rows_count_their_zeros() {
    let folder = Folder::new();
    folder.write("few.svm", "a 1:0.5 3:1\nb 1:4\nb 1:5 3:-1\na 2:2\n");
    let profile = json(&folder, "profile few.svm --json");
    let first = column(&profile, "x1");
    assert_eq!((first["n_numbers"].as_u64(), first["numbers"]["n_zero"].as_u64()), (Some(4), Some(1)));
    assert_eq!(first["numbers"]["max"].as_f64(), Some(5.0));
    assert_eq!(column(&profile, "x3")["numbers"]["n_negative"].as_u64(), Some(1));
    assert_eq!(profile["label"]["classes"].as_array().unwrap().len(), 2);
}

#[test]
fn the_screen_is_not_flooded_and_the_page_has_all() {
    let folder = Folder::new();
    let header: Vec<String> = (0..60).map(|column| format!("c{column}")).collect();
    let rows = lines(30, |row| {
        let cells: Vec<String> = (0..60).map(|column| format!("{}.5", (row * column) % 29)).collect();
        format!("{},{}", cells.join(","), row % 2)
    });
    folder.write("wide.csv", format!("{},y\n{rows}", header.join(",")));
    let shown = folder.ok("profile wide.csv --label y --top 3 --html wide.html");
    assert!(shown.contains("c2 ") && !shown.contains("c3 ") && shown.contains("... and 57 more"), "{shown}");
    let page = String::from_utf8(folder.read("wide.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("c59") && page.contains("<svg"));
    let failed = folder.fails(2, "profile wide.csv --html wide.csv");
    assert!(failed.contains("input"), "{failed}");
}

#[test]
fn copies_of_the_label_are_left_out_of_models() {
    let folder = Folder::new();
    let class = |row: usize| ["a", "b", "c"][row % 3];
    let rows = lines(60, |row| format!("{}.5,{},{},{}", row * 7 % 11, row % 3, 10 * (row % 3), class(row)));
    folder.write("rows.csv", format!("x,code,tens,y\n{rows}"));
    let output = run(&folder, "train --plain rows.csv --label y -o m.nb");
    for text in ["column \"code\" is left out, as it repeats the label", "column \"tens\" is left out"] {
        assert!(output.contains(text), "{output}");
    }
    assert!(output.contains("left out   it repeats the label: one value for each class"), "{output}");
    let tuned = folder.ok("train --plain rows.csv --label y -o t.nb --tune --folds 5");
    assert!(tuned.contains("tens     left out"), "{tuned}");
    // A family by option keeps it, and a note reports it.
    let output = run(&folder, "train --plain rows.csv --label y -o k.nb --categorical code --ignore tens");
    assert!(output.contains("column \"code\" repeats the label, and is kept"), "{output}");
    // One exception, and it says something of its own.
    folder.write("other.csv", format!("x,code,tens,y\n{rows}1.5,0,20,b\n"));
    assert!(!run(&folder, "train --plain other.csv --label y -o o.nb").contains("repeats"));
    folder.write("only.csv", format!("tens,y\n{}", lines(30, |row| format!("{},{0}", row % 2))));
    let failed = folder.fails(1, "train --plain only.csv --label y -o f.nb");
    assert!(failed.contains("no column is left to learn from: \"tens\" repeats the label"), "{failed}");
}

#[test]
fn variances_on_the_floor_are_named() {
    let folder = Folder::new();
    let rows = lines(40, |row| {
        let still = if row % 2 == 0 { 3 } else { row };
        format!("{still},{}.25,{}", row * 5 % 13, ["a", "b"][row % 2])
    });
    folder.write("rows.csv", format!("still,moves,y\n{rows}"));
    let output = run(&folder, "train --plain rows.csv --label y -o m.nb");
    assert!(
        output.contains("1 Gaussian variance is raised to the floor")
            && output.contains("\"still\" (class \"a\")"),
        "{output}"
    );
    assert!(!output.contains("\"moves\" (class"), "{output}");
    assert!(!run(&folder, "train --plain rows.csv --label y -o n.nb --ignore still").contains("floor"));
}

#[test]
fn labels_with_decimals_look_like_regression() {
    let folder = Folder::new();
    let rows = lines(400, |row| format!("{},{}.5", row % 7, row % 60));
    folder.write("rows.csv", format!("x,y\n{rows}"));
    let failed = folder.fails(2, "train --plain rows.csv --label y -o m.nb");
    assert!(failed.contains("60 different numbers in 400 rows, which looks like regression"), "{failed}");
    folder.ok("train --plain rows.csv --label y -o m.nb --numeric-labels");
    // Whole numbers in few rows each are codes of classes.
    folder.write("codes.csv", format!("x,y\n{}", rows.replace(".5\n", "\n")));
    folder.ok("train --plain codes.csv --label y -o c.nb");
}

#[test]
fn parquet_files_have_the_profile_of_the_same_rows_in_text() {
    let folder = Folder::new();
    folder.ok("train --plain @adult -o m.nb");
    for file in ["rows.csv", "rows.parquet"] {
        folder.ok(&format!("sample m.nb -n 500 --seed 1 -o {file}"));
    }
    let [text, typed] =
        ["csv", "parquet"].map(|end| json(&folder, &format!("profile rows.{end} --label income --json")));
    for (one, other) in text["columns"].as_array().unwrap().iter().zip(typed["columns"].as_array().unwrap()) {
        for part in ["column", "family", "n_missing", "distinct", "commonest", "numbers", "information"] {
            assert_eq!(one[part], other[part], "{}", one["column"]);
        }
    }
    assert_eq!(text["label"], typed["label"]);
}

/// Sixty patients with twelve visits each, who differ much from one another.
fn visits(id: &str) -> String {
    let rows = lines(720, |row| {
        let patient = row / 12;
        let pulse = patient * 37 % 61 * 10 + row % 3;
        let weight = patient * 29 % 67 * 10 + row % 7;
        format!(
            "{id}{patient},{pulse}.5,{weight}.25,{},{}",
            row * 7 % 11,
            ["well", "sick"][(patient * 5 + row % 12 / 9) % 7 / 4]
        )
    });
    format!("patient,pulse,weight,noise,y\n{rows}")
}

#[test]
fn columns_that_look_like_groups_are_named() {
    let folder = Folder::new();
    for id in ["p", "7"] {
        folder.write("visits.csv", visits(id));
        let output = run(&folder, "train --plain visits.csv --label y -o m.nb");
        assert!(
            output.contains(
                "column \"patient\" looks like a group (60 values, 12 rows each; rows of a value are alike)"
            ) && output.contains("use `--group patient`"),
            "{output}"
        );
        let trained = json(&folder, "train --plain visits.csv --label y -o m.nb --json");
        assert_eq!(trained["warnings"][0]["kind"], "group");
        assert_eq!(trained["warnings"][0]["columns"][0], "patient");
        // A label is not needed.
        for label in ["", " --label y"] {
            let profile = json(&folder, &format!("profile visits.csv{label} --json"));
            let groups = profile["columns"].as_array().unwrap().iter().filter(|column| {
                column["findings"].as_array().unwrap().iter().any(|finding| finding["kind"] == "group")
            });
            assert_eq!(groups.map(|column| &column["column"]).collect::<Vec<_>>(), ["patient"]);
        }
    }
}

#[test]
fn columns_that_determine_the_label_are_named() {
    let folder = Folder::new();
    let class = |row: usize| usize::from(row * 37 % 211 > 100);
    let rows = lines(211, |row| {
        let code =
            ["open", "paid", "late", "sued", "sold"][if class(row) == 0 { row % 2 } else { 2 + row % 3 }];
        format!("{code},{},{},{}", row * 37 % 211, row % 7, ["no", "yes"][class(row)])
    });
    folder.write("rows.csv", format!("status,amount,x,y\n{rows}"));
    let output = run(&folder, "train rows.csv --label y -o m.nb");
    for text in [
        "column \"status\" determines the label: each of its 5 values has rows of one class only",
        "leave it out (`--ignore status`)",
        "column \"amount\" determines the label: each of 2 intervals of its numbers has rows of one class only (cut at 101)",
    ] {
        assert!(output.contains(text), "{text}: {output}");
    }
    assert!(!output.contains("left out") && !output.contains("is rare"), "{output}");
    let profile = folder.ok("profile rows.csv --label y");
    assert!(profile.contains("status   determines the label   each of its 5 values"), "{profile}");
    // Two columns together.
    let rows = lines(240, |row| {
        format!("{},{},{}", row % 4, ["a", "b", "c"][row / 4 % 3], (row % 4 + row / 4 % 3) % 2)
    });
    folder.write("pairs.csv", format!("one,two,y\n{rows}"));
    let output = run(&folder, "train pairs.csv --label y -o p.nb");
    assert!(
        output.contains(
            "columns \"one\" and \"two\" together determine the label: each of 12 pairs of their values"
        ),
        "{output}"
    );
}
