//! Hive partitions: a table in folders such as `day=1` is the table with the column `day` written out.

#![expect(clippy::format_push_string, reason = "the tables are small")]

use std::{fs, fs::File, io::Seek, path::Path, process::Command, sync::Arc};

use datafusion::{
    arrow::csv::{ReaderBuilder, reader::Format},
    parquet::arrow::ArrowWriter,
};

use crate::nbayes::nbayes;

const PROGRAM: &str = env!("CARGO_BIN_EXE_nb-datafusion");

/// Runs the program: whether it succeeds, and what it says.
pub(crate) fn run(folder: &Path, arguments: &str) -> (bool, String) {
    let output = Command::new(PROGRAM).args(arguments.split(' ')).current_dir(folder).output().unwrap();
    (output.status.success(), String::from_utf8(output.stderr).unwrap())
}

/// Writes the CSV files of a folder and its subfolders to another one, as Parquet.
pub(crate) fn as_parquet(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let written = to.join(path.file_name().unwrap());
        if path.is_dir() {
            as_parquet(&path, &written);
        } else if path.extension().is_some_and(|ending| ending == "csv") {
            let mut file = File::open(&path).unwrap();
            let format = Format::default().with_header(true);
            let schema = Arc::new(format.infer_schema(&mut file, None).unwrap().0);
            file.rewind().unwrap();
            let reader = ReaderBuilder::new(schema.clone()).with_format(format).build(file).unwrap();
            let file = File::create(written.with_extension("parquet")).unwrap();
            let mut writer = ArrowWriter::try_new(file, schema, None).unwrap();
            reader.for_each(|batch| writer.write(&batch.unwrap()).unwrap());
            writer.close().unwrap();
        }
    }
}

/// A table in the folders `tree`, and as the file `all.csv`, with columns of the values in folders and in
/// files.
pub(crate) fn written(folder: &Path, columns: &[(&str, &[(&str, &str)])]) {
    let names: Vec<&str> = ["x", "y"].into_iter().chain(columns.iter().map(|(name, _)| *name)).collect();
    let mut all = format!("{}\n", names.join(","));
    for part in 0..12 {
        let (mut path, mut cells) = (folder.join("tree"), String::new());
        for (place, (name, values)) in columns.iter().enumerate() {
            let (in_folder, in_file) = values[(part >> place) % values.len()];
            path.push(format!("{name}={in_folder}"));
            cells.extend([",", in_file]);
        }
        fs::create_dir_all(&path).unwrap();
        let mut rows = String::from("x,y\n");
        for row in 0..20 {
            let row =
                format!("{}.{},{}", row % 7, row * part % 10, ["no", "yes"][(row * row + part) % 3 % 2]);
            rows += &format!("{row}\n");
            all += &format!("{row}{cells}\n");
        }
        fs::write(path.join(format!("{part:02}.csv")), rows).unwrap();
    }
    fs::write(folder.join("all.csv"), all).unwrap();
}

#[test]
fn a_tree_trains_the_model_of_the_table_written_out() {
    let same =
        |values: &'static [&'static str]| values.iter().map(|&value| (value, value)).collect::<Vec<_>>();
    let missing = vec![("1", "1"), ("__HIVE_DEFAULT_PARTITION__", ""), ("NA", "NA"), ("4", "4")];
    for (name, values) in [
        ("hour", same(&["1", "2", "3", "10", "11", "12", "13", "14", "15", "16", "17", "18"])),
        ("few", same(&["1", "2", "3"])),
        ("share", same(&["0.5", "-1e3", "2.25"])),
        ("day", same(&["2024-01-31", "2024-02-01", "2024-02-02"])),
        ("day", same(&["20240131", "20240201", "20240202", "20240203"])),
        ("region", same(&["eu", "us"])),
        ("place", vec![("a%20b%3A%2F", "a b:/"), ("c", "c")]),
        ("n", missing),
    ] {
        let folder = tempfile::tempdir().unwrap();
        written(folder.path(), &[(name, &values), ("size", &[("1", "1"), ("2", "2"), ("30", "30")])]);
        for (files, model) in [("all.csv", "all.nb"), ("tree", "tree.nb"), ("tree/**/*.csv", "pattern.nb")] {
            let (is_done, said) = run(folder.path(), &format!("train {files} --label y -o {model}"));
            assert!(is_done, "{name}, {files}: {said}");
            let is_said =
                said.contains(&format!("the columns {name:?}, \"size\" come from the names of folders"));
            assert_eq!(is_said, files != "all.csv", "{said}");
            let bytes = |model: &str| fs::read(folder.path().join(model)).unwrap();
            assert!(bytes(model) == bytes("all.nb"), "{name} {values:?}, {files}: {said}");
        }
        // The labels that the model gives, without order.
        let labels = |files: &str| {
            let (is_done, said) = run(folder.path(), &format!("predict all.nb {files} -o out.csv"));
            assert!(is_done, "{said}");
            let out = fs::read_to_string(folder.path().join("out.csv")).unwrap();
            let mut lines: Vec<String> = out.lines().map(String::from).collect();
            lines.sort();
            lines
        };
        assert_eq!(labels("tree"), labels("all.csv"), "{name}");
    }
}

#[test]
fn a_tree_of_parquet_files_trains_the_model_of_nbayes() {
    let folder = tempfile::tempdir().unwrap();
    let regions = [("eu", ""), ("a%20b", ""), ("__HIVE_DEFAULT_PARTITION__", "")];
    written(folder.path(), &[("region", &regions), ("day", &[("3", ""), ("10", "")])]);
    as_parquet(&folder.path().join("tree"), &folder.path().join("parquets"));
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for (nbayes_options, options) in
        [("--sums-only", ""), ("--sums-only --hive-partitions off", " --hive-partitions off")]
    {
        let by_nbayes = format!("train parquets --label y -o nbayes.nb {nbayes_options}");
        let output =
            Command::new(nbayes()).args(by_nbayes.split(' ')).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (is_done, said) = run(folder.path(), &format!("train parquets --label y -o engine.nb{options}"));
        assert!(is_done, "{said}");
        assert!(bytes("engine.nb") == bytes("nbayes.nb"), "{options}: other bytes\n{said}");
    }
}

#[test]
fn folders_without_one_meaning_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, header) in [
        ("own/day=1/a.csv", "day,y"),
        ("keys/day=1/a.csv", "x,y"),
        ("keys/hour=2/a.csv", "x,y"),
        ("some/day=1/a.csv", "x,y"),
        ("some/a.csv", "x,y"),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{header}\n1.5,a\n2.5,b\n3.5,a\n4.5,b\n")).unwrap();
    }
    for (files, expected) in [
        ("own", "the files have a column \"day\" of their own"),
        ("keys", "have the columns {\"hour\"}, and those of"),
        ("some", "have the columns {\"day\"}, and those of"),
    ] {
        let (is_done, said) = run(folder.path(), &format!("train {files} --label y -o m.nb"));
        assert!(!is_done && said.contains(expected), "{files}: {said}");
        assert!(said.contains("--hive-partitions off"), "{said}");
        let (is_done, said) =
            run(folder.path(), &format!("train {files} --label y -o m.nb --hive-partitions off"));
        assert!(is_done && !said.contains("folders"), "{files}: {said}");
    }
}
