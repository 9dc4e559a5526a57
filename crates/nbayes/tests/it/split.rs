//! Files for training and testing from one file.

use std::collections::BTreeSet;

use crate::folder::Folder;

fn text(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

/// The lines behind the header.
fn rows(folder: &Folder, name: &str) -> Vec<String> {
    text(folder, name).split_inclusive('\n').skip(1).map(String::from).collect()
}

/// `n` rows with the classes `a`, `b` and `c`, of which there are 70, 20 and 10 in a hundred.
fn table(n: usize) -> String {
    let label = |row: usize| match row % 10 {
        0..=6 => "a",
        7..=8 => "b",
        _ => "c",
    };
    let rows = (0..n).map(|row| {
        let (label, group, value) = (label(row), row * row % 23, row * 7919 % 1000);
        format!("{value},\"t {row}\",g{group},2024-{:02}-01,{label}\n", 1 + row % 12)
    });
    format!("x,t,g,day,y\n{}", rows.collect::<String>())
}

fn count(rows: &[String], label: &str) -> usize {
    rows.iter().filter(|row| row.trim_end().ends_with(&format!(",{label}"))).count()
}

#[test]
fn every_row_is_in_one_set_byte_for_byte() {
    let folder = Folder::new();
    let csv = table(100).replace('\n', "\r\n");
    folder.write("d.csv", &csv);
    folder.ok("split d.csv --label y --validation 15");
    assert_eq!(folder.names(), ["d.csv", "d.test.csv", "d.train.csv", "d.validation.csv"]);
    let sets = ["train", "test", "validation"].map(|set| rows(&folder, &format!("d.{set}.csv")));
    assert_eq!(sets.each_ref().map(Vec::len), [65, 20, 15]);
    let mut all: Vec<&String> = sets.iter().flatten().collect();
    let mut before: Vec<&str> = csv.split_inclusive('\n').skip(1).collect();
    all.sort();
    before.sort_unstable();
    assert_eq!(all, before);
    for set in ["train", "test", "validation"] {
        assert!(text(&folder, &format!("d.{set}.csv")).starts_with("x,t,g,day,y\r\n"));
    }
    // Exact shares: 14, 4 and 2 of 20.
    assert_eq!(["a", "b", "c"].map(|label| count(&sets[1], label)), [14, 4, 2]);
    // Rows keep their order.
    let place = |row: &String| csv.find(row.as_str()).unwrap();
    assert!(sets.iter().all(|set| set.is_sorted_by_key(place)));
}

#[test]
fn sets_depend_on_rows_and_seed_alone() {
    let folder = Folder::new();
    let csv = table(200);
    folder.write("d.csv", &csv);
    let (head, body) = csv.split_once('\n').unwrap();
    let mut reversed: Vec<&str> = body.lines().collect();
    reversed.reverse();
    folder.write("r.csv", format!("{head}\n{}\n", reversed.join("\n")));
    folder.ok("split d.csv --label y");
    folder.ok("split r.csv --label y");
    let set = |name: &str| rows(&folder, name).into_iter().collect::<BTreeSet<_>>();
    assert_eq!(set("d.test.csv"), set("r.test.csv"));
    folder.ok("split d.csv --label y --seed 1 --train-file a.csv --test-file b.csv");
    assert_ne!(set("d.test.csv"), set("b.csv"));
    // By another way to the same bytes.
    let run = folder.nbayes_with("split - --label y --train-file p.csv --test-file q.csv", csv);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(folder.read("q.csv"), folder.read("d.test.csv"));
}

#[test]
fn groups_stay_together() {
    let folder = Folder::new();
    folder.write("d.csv", table(230));
    let out = folder.ok("split d.csv --label y --group g");
    let groups = |name: &str| {
        rows(&folder, name)
            .iter()
            .map(|row| row.split(',').nth(2).unwrap().to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert!(groups("d.train.csv").is_disjoint(&groups("d.test.csv")));
    let n_test = rows(&folder, "d.test.csv").len();
    assert!((36..=56).contains(&n_test), "{n_test}");
    assert!(out.contains("by whole groups of \"g\""), "{out}");
    folder.write("e.csv", "x,g,y\n1,u,a\n2,,b\n3,v,b\n");
    let error = folder.fails(1, "split e.csv --group g");
    assert!(error.contains("row 2, column \"g\": the row is in no group"), "{error}");
    folder.write("f.csv", "x,g,y\n1,u,a\n2,u,b\n3,u,b\n");
    assert!(folder.fails(2, "split f.csv --group g").contains("1 group in 3 rows"));
}

#[test]
fn the_last_rows_in_time_are_the_test_set() {
    let folder = Folder::new();
    folder.write("d.csv", table(120));
    let out = folder.ok("split d.csv --time day");
    assert!(out.contains("from 2024-11-01 to 2024-12-01"), "{out}");
    // A fifth of 120 is 24; ten rows have the same day, so that it is 20.
    let test = rows(&folder, "d.test.csv");
    assert_eq!(test.len(), 20);
    assert!(test.iter().all(|row| row.contains("2024-11-01") || row.contains("2024-12-01")));
    assert!(!text(&folder, "d.train.csv").contains("2024-12-01"));
    folder.write("e.csv", "day,y\n2024-01-01,a\nsoon,b\n");
    let error = folder.fails(1, "split e.csv --time day");
    assert!(error.contains("line 3, column \"day\": \"soon\""), "{error}");
    folder.write("f.csv", "day,y\n1,a\n1,b\n");
    assert!(folder.fails(2, "split f.csv --time day").contains("too few different times"));
    folder.write("g.csv", "day,y\n1,a\n,b\n");
    assert!(folder.fails(1, "split g.csv --time day").contains("row 2, column \"day\": the row has no time"));
}

#[test]
fn nothing_is_overwritten_unless_it_is_named() {
    let folder = Folder::new();
    folder.write("d.csv", table(20));
    folder.write("d.test.csv", "mine");
    let error = folder.fails(2, "split d.csv");
    assert!(error.contains("d.test.csv exists; to replace it, use --test-file d.test.csv"), "{error}");
    assert_eq!((text(&folder, "d.test.csv").as_str(), folder.names().len()), ("mine", 2));
    folder.ok("split d.csv --test-file d.test.csv");
    for wrong in [
        "--test-file d.csv",
        "--test-file a.csv --train-file a.csv",
        "--test 20",
        "--test 1.5",
        "--time x --seed 2",
    ] {
        folder.fails(
            2,
            &format!("split d.csv --train-file new.csv {wrong}")
                .replace("--train-file new.csv --test-file a.csv", ""),
        );
    }
    assert!(folder.fails(1, "split d.csv --train-file no/a.csv --test-file b.csv").contains("no folder no"));
    assert!(!folder.path("new.csv").exists());
}

#[test]
fn a_class_is_never_held_out_as_a_whole() {
    let folder = Folder::new();
    folder.write("d.csv", "x,y\n1,a\n2,a\n3,a\n4,b\n5,b\n6,c\n7,\n");
    let out = folder.ok("split d.csv --label y --test 0.4");
    assert!(out.contains("(missing)"), "{out}");
    let train = rows(&folder, "d.train.csv");
    assert!(["a", "b", "c"].iter().all(|label| count(&train, label) > 0));
    folder.write("e.csv", "x,y\n1,0.5\n2,1.5\n3,2.5\n");
    let error = folder.fails(2, "split e.csv --label y");
    assert!(error.contains("3 different values in 3 rows"), "{error}");
}

#[test]
fn parquet_files_stay_such_and_others_are_refused() {
    let folder = Folder::new();
    folder.ok("train --plain @iris -o m.nb");
    folder.ok("sample m.nb -n 100 -o d.parquet");
    folder.ok("split d.parquet --label species --test 30");
    for (file, n_rows) in [("d.train.parquet", 70), ("d.test.parquet", 30)] {
        assert_eq!(&folder.read(file)[..4], b"PAR1");
        assert!(
            folder
                .ok(&format!("profile {file} --label species --json"))
                .contains(&format!("\"rows\": {n_rows},"))
        );
    }
    folder.ok("split d.parquet --time petal_width_cm --train-file a.parquet --test-file b.parquet");
    folder.write("d.jsonl", "{\"x\": 1, \"y\": \"a\"}\n{\"x\": 2, \"y\": \"b\"}\n");
    assert!(folder.fails(2, "split d.jsonl --label y").contains("save the table as CSV or Parquet"));
}

#[test]
fn compressed_files_are_split_into_plain_ones() {
    use std::io::Write;
    let folder = Folder::new();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(table(50).as_bytes()).unwrap();
    folder.write("d.csv.gz", gz.finish().unwrap());
    folder.ok("split d.csv.gz --label y");
    assert_eq!((rows(&folder, "d.train.csv").len(), rows(&folder, "d.test.csv").len()), (40, 10));
    // Titles and a byte order mark are in both.
    folder.write("e.tsv", format!("\u{FEFF}A title\n{}", table(50).replace(',', "\t")));
    folder.ok("split e.tsv --label y --skip-lines 1");
    assert!(text(&folder, "e.test.tsv").starts_with("\u{FEFF}A title\nx\tt\tg"));
    folder.ok("train --plain e.train.tsv --label y --skip-lines 1 -o m.nb");
}
