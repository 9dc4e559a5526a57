//! Hive partitions: a table in folders such as `day=1` is the table with the column `day` written out.

use std::collections::BTreeMap;

use crate::folder::Folder;

/// The columns in the names of folders: their names, and their values in turn, as in folders and as in files.
type Columns = &'static [(&'static str, &'static [(&'static str, &'static str)])];

/// What writes rows as a file.
type Written<'a> = &'a dyn Fn(&mut dyn Iterator<Item = Vec<String>>) -> String;

/// The rows of a table by their folders, and all of them with the cells of the folders written out.
fn tables(columns: Columns, n_rows: usize) -> (BTreeMap<String, Vec<String>>, Vec<String>) {
    let (mut parts, mut all) = (BTreeMap::<String, Vec<String>>::new(), Vec::new());
    let mut cells_of = BTreeMap::new();
    for row in 0..n_rows {
        let (mut folder, mut cells) = (String::new(), String::new());
        for (place, (name, values)) in columns.iter().enumerate() {
            let (in_folder, in_file) = values[(row / 3 + place * row * row) % values.len()];
            folder.extend([*name, "=", in_folder, "/"]);
            cells.extend([",", in_file]);
        }
        let label = ["no", "yes"][(row * row / 5 + row / 7) % 2];
        parts.entry(folder.clone()).or_default().push(format!("{}.{:03},{label}", row % 7, row * 37 % 1000));
        cells_of.insert(folder, cells);
    }
    // In the order in which files are found.
    for (folder, rows) in &parts {
        all.extend(rows.iter().map(|row| format!("{row}{}", cells_of[folder])));
    }
    (parts, all)
}

fn run(folder: &Folder, words: &str) -> (i32, String, String) {
    let run = folder.nbayes(words);
    (run.code, run.stdout, run.stderr)
}

/// The tree `tree` and the file `all.csv` of a table.
fn written(columns: Columns) -> Folder {
    let folder = Folder::new();
    let (parts, all) = tables(columns, 180);
    for (name, rows) in parts {
        std::fs::create_dir_all(folder.path(&format!("tree/{name}"))).unwrap();
        folder.write(&format!("tree/{name}part.csv"), format!("x,y\n{}\n", rows.join("\n")));
    }
    let names: Vec<&str> = ["x", "y"].into_iter().chain(columns.iter().map(|(name, _)| *name)).collect();
    folder.write("all.csv", format!("{}\n{}\n", names.join(","), all.join("\n")));
    folder
}

/// Values that are the same in folders and in files.
macro_rules! same {
    ($($value:literal),*) => { &[$(($value, $value)),*] };
}

const KINDS: &[Columns] = &[
    &[("hour", same!["1", "2", "3", "10", "11", "12", "13", "14", "15", "16", "17", "18"])],
    &[("few", same!["1", "2", "3"])],
    &[("flag", same!["0", "1"])],
    &[("share", same!["0.5", "-1e3", "2.25"])],
    &[("month", same!["01", "02", "10", "11"])],
    &[("day", same!["2024-01-31", "2024-02-01", "2024-02-02"])],
    &[("day", same!["20240131", "20240201", "20240202", "20240203"])],
    &[("region", same!["eu", "us"]), ("size", same!["1", "2", "30"])],
    &[("region", same!["eu", "7", "us"])],
    &[("customer_id", same!["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"])],
    &[("place", &[("a%20b%3A%2F", "a b:/"), ("__HIVE_DEFAULT_PARTITION__", ""), ("c", "c")])],
    &[("n", &[("1", "1"), ("__HIVE_DEFAULT_PARTITION__", ""), ("NA", "NA"), ("4", "4")])],
    &[("same", same!["1"])],
];

#[test]
fn a_tree_trains_the_model_of_the_table_written_out() {
    for &columns in KINDS {
        let folder = written(columns);
        let (code, out, notes) = run(&folder, "train all.csv -l y -o all.nb");
        assert_eq!(code, 0, "{columns:?}: {notes}");
        for files in ["tree", "tree/**/*.csv"] {
            let (code, tree_out, tree_notes) = run(&folder, &format!("train {files} -l y -o tree.nb"));
            assert_eq!(code, 0, "{columns:?}: {tree_notes}");
            assert_eq!(folder.read("tree.nb"), folder.read("all.nb"), "{columns:?}:\n{notes}\n{tree_notes}");
            assert_eq!(tree_out.replace("tree.nb", "all.nb"), out);
            assert_eq!(tree_notes.matches("from the names of folders").count(), 1, "{tree_notes}");
        }
    }
}

#[test]
fn all_commands_read_the_columns_of_folders() {
    let columns: Columns = &[("region", same!["eu", "us"]), ("size", same!["1", "2", "30"])];
    let folder = written(columns);
    folder.ok("train all.csv -l y -o m.nb");
    for command in
        ["predict m.nb FILES --id size", "evaluate m.nb FILES --json", "predict m.nb FILES --proba"]
    {
        let of = |files: &str| folder.ok(&format!("{} --quiet", command.replace("FILES", files)));
        assert_eq!(of("tree"), of("all.csv"), "{command}");
    }
    for command in [
        "update m.nb FILES -o OUT.nb",
        "calibrate m.nb FILES --force -o OUT.nb",
        "train FILES -l region -o OUT.nb",
        "train FILES -l y --weights size -o OUT.nb",
        "train FILES -l y --ignore region -o OUT.nb",
        "train FILES -l y --categorical size -o OUT.nb",
    ] {
        let of = |files: &str, out: &str| {
            let (code, _, notes) = run(&folder, &command.replace("FILES", files).replace("OUT", out));
            assert_eq!(code, 0, "{command}: {notes}");
            folder.read(&format!("{out}.nb"))
        };
        assert_eq!(of("tree", "tree-made"), of("all.csv", "all-made"), "{command}");
    }
    let profile = folder.ok("profile tree -l y --quiet");
    assert!(profile.contains("region") && profile.contains("size"), "{profile}");
    // A single file has the columns of its folders, too.
    let one = "tree/region=eu/size=1/part.csv";
    assert!(folder.ok(&format!("predict m.nb {one} --id region --quiet")).contains("eu"));
}

#[test]
fn formats_read_the_columns_of_folders_alike() {
    let columns: Columns = &[
        ("n", &[("1", "1"), ("__HIVE_DEFAULT_PARTITION__", ""), ("4", "4")]),
        ("region", same!["eu", "us"]),
    ];
    let folder = written(columns);
    let (_, all) = tables(columns, 180);
    folder.ok("train all.csv -l y -o all.nb");
    let joined = |rows: Vec<String>| rows.join("\n");
    let json = |rows: &mut dyn Iterator<Item = Vec<String>>| {
        joined(rows.map(|cells| format!("{{\"x\": {}, \"y\": {:?}}}", cells[0], cells[1])).collect())
    };
    let semicolons = |rows: &mut dyn Iterator<Item = Vec<String>>| {
        let rows = rows.map(|cells| format!("{};{}", cells[0].replace('.', ","), cells[1]));
        "x;y\n".to_owned() + &joined(rows.collect())
    };
    let arff = |rows: &mut dyn Iterator<Item = Vec<String>>| {
        let head = "@relation r\n@attribute x numeric\n@attribute y {no,yes}\n@data\n".to_owned();
        head + &joined(rows.map(|cells| format!("{},{}", cells[0], cells[1])).collect())
    };
    let formats: [(&str, Written<'_>); 3] = [("jsonl", &json), ("csv", &semicolons), ("arff", &arff)];
    let answers = |files: &str| folder.ok(&format!("predict all.nb {files} --proba --quiet"));
    for (ending, written) in formats {
        let tree = format!("of-{ending}");
        let mut parts = BTreeMap::<String, Vec<Vec<String>>>::new();
        for row in &all {
            let cells: Vec<String> = row.split(',').map(String::from).collect();
            let n = if cells[2].is_empty() { "__HIVE_DEFAULT_PARTITION__" } else { &cells[2] };
            parts.entry(format!("{tree}/n={n}/region={}", cells[3])).or_default().push(cells);
        }
        for (name, rows) in parts {
            std::fs::create_dir_all(folder.path(&name)).unwrap();
            folder.write(&format!("{name}/part.{ending}"), written(&mut rows.into_iter()));
        }
        assert_eq!(answers(&tree), answers("all.csv"), "{ending}");
        folder.ok(&format!("train {tree} -l y -o {tree}.nb"));
        let rows = |model: &str| folder.ok(&format!("predict {model} all.csv --proba --quiet"));
        assert_eq!(rows(&format!("{tree}.nb")), rows("all.nb"), "{ending}");
    }
}

#[test]
fn folders_without_one_meaning_are_refused() {
    let folder = Folder::new();
    let rows = "x,y\n1.5,a\n2.5,b\n3.5,a\n4.5,b\n";
    for name in ["own/day=1/a.csv", "keys/day=1/a.csv", "keys/hour=2/a.csv", "some/day=1/a.csv", "some/a.csv"]
    {
        std::fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
        folder.write(name, rows);
    }
    folder.write("own/day=1/a.csv", rows.replace('x', "day"));
    let fails = |files: &str| {
        let (code, _, error) = run(&folder, &format!("train {files} -l y -o m.nb"));
        assert_eq!(code, 1, "{error}");
        assert!(error.contains("(`--hive-partitions off`)"), "{error}");
        error
    };
    let error = fails("own");
    assert!(error.contains("own/day=1/a.csv: the file has a column \"day\" of its own"), "{error}");
    let error = fails("keys");
    assert!(
        error.contains("keys/hour=2/a.csv: the names of its folders have the column \"hour\", and those of keys/day=1/a.csv have the column \"day\""),
        "{error}"
    );
    let error = fails("some");
    assert!(error.contains("have the column \"day\", and those of some/a.csv have no columns"), "{error}");
    for files in ["own", "keys", "some"] {
        let (code, _, notes) = run(&folder, &format!("train {files} -l y -o m.nb --hive-partitions off"));
        assert_eq!(code, 0, "{notes}");
        assert!(!notes.contains("names of folders"), "{notes}");
    }
    // An own column is compared when rows are read, too.
    folder.ok("train own -l y -o m.nb --hive-partitions off");
    let error = folder.fails(1, "predict m.nb own");
    assert!(error.contains("column \"day\" of its own"), "{error}");
}
