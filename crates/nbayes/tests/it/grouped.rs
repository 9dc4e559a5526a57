//! Groups of categories.

use std::fmt::Write;

use crate::folder::Folder;

/// 90 towns with about ten rows each, of which the last digit says how the classes are divided.
fn rows(range: std::ops::Range<usize>) -> String {
    let mut text = String::from("town,x,y\n");
    for row in range {
        let hash = row * 7919 % 10_007;
        let town = hash % 90;
        let is_yes = if town % 10 < 5 { hash / 90 % 5 > 0 } else { hash / 90 % 5 == 0 };
        writeln!(text, "town {town},{},{}", hash % 17, if is_yes { "yes" } else { "no" }).unwrap();
    }
    text
}

fn trained(option: &str) -> Folder {
    let folder = Folder::new();
    folder.write("rows.csv", rows(0..900));
    folder.write("more.csv", rows(900..1800));
    folder.ok(&format!("train rows.csv --label y {option} -o m.nb"));
    folder
}

fn log_loss(folder: &Folder) -> f64 {
    let measured: serde_json::Value =
        serde_json::from_str(&folder.ok("evaluate m.nb more.csv --json")).unwrap();
    measured["log_loss"].as_f64().unwrap()
}

#[test]
fn rare_categories_are_told_apart_by_their_groups() {
    let (grouped, single) =
        (trained("--grouped town --ignore x"), trained("--categorical town --ignore x --plain"));
    assert!(log_loss(&grouped) < log_loss(&single) - 0.02, "{} {}", log_loss(&grouped), log_loss(&single));
    let inspected = grouped.ok("inspect m.nb --feature town");
    assert!(
        inspected.contains("p(group of town 0, town 1, ") && inspected.contains(" and 33 more)"),
        "{inspected}"
    );
}

#[test]
fn what_takes_categories_takes_groups_of_them() {
    let folder = trained("--grouped town");
    folder.ok("evaluate m.nb rows.csv --leave-one-out");
    folder.ok("explain m.nb more.csv --row 2");
    folder.ok("importance m.nb more.csv");
    folder.ok("plot m.nb -o a.svg");
    folder.ok("report m.nb more.csv -o report.html");
    folder.ok("convert m.nb m.onnx");
    let sql = folder.ok("sql --predict m.nb --dialect duckdb --table rows");
    assert!(sql.contains("'town 7'"), "{sql}");
    assert_eq!(folder.ok("sample m.nb -n 5").lines().count(), 6);
    folder.write("new.csv", "town,x\nelsewhere,3\n");
    assert_eq!(folder.ok("predict m.nb new.csv").lines().count(), 2);
}

#[test]
fn sums_are_those_of_categories_and_stay_exact() {
    let folder = trained("--grouped town --sums-only");
    folder.ok("update m.nb more.csv -o both.nb");
    folder.ok("forget both.nb more.csv -o back.nb");
    folder.ok("decay m.nb --factor 0.5 -o half.nb");
    folder.ok("merge half.nb half.nb -o whole.nb");
    folder.ok("convert m.nb m.json");
    folder.ok("convert m.json again.nb");
    assert_eq!(folder.read("whole.nb"), folder.read("m.nb"));
    assert_eq!(folder.read("again.nb"), folder.read("m.nb"));
    folder.ok("train more.csv --label y --grouped town --sums-only -o more.nb");
    folder.ok("merge m.nb more.nb -o merged.nb");
    folder.ok("train rows.csv more.csv --label y --grouped town --sums-only -o all.nb");
    for model in ["both.nb", "merged.nb", "all.nb"] {
        assert_eq!(
            folder.ok(&format!("predict {model} more.csv")),
            folder.ok("predict all.nb more.csv"),
            "{model}"
        );
    }
    assert_eq!(folder.ok("predict back.nb more.csv"), folder.ok("predict m.nb more.csv"));
}
