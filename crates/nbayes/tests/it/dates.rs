//! Dates as features: their month, weekday, hour and days.

use std::fmt::Write;

use crate::folder::Folder;

/// Visits: mornings of weekdays, and evenings of weekends.
fn visits(n_days: i64) -> String {
    let mut text = String::from("visit,price,kind\n");
    for day in 0..n_days {
        // 2024-01-01 was a Monday.
        let date = format!("2024-{:02}-{:02}", 1 + day / 28, 1 + day % 28);
        let weekend = matches!((i64::from(day / 28 == 1) * 3 + day) % 7, 5 | 6);
        let (hour, kind) = if weekend { (18 + day % 3, "leisure") } else { (7 + day % 3, "work") };
        writeln!(text, "{date}T{hour:02}:30,{},{kind}", 10 + day % 4).unwrap();
    }
    text
}

#[test]
fn parts_of_dates_are_features_of_every_command() {
    let folder = Folder::new();
    folder.write("a.csv", visits(42));
    let report = folder.ok("train --plain a.csv --label kind --date visit -o a.nb");
    assert!(report.contains("visit    date: month, weekday, hour, days   as requested"), "{report}");
    let evaluated = folder.ok("evaluate a.nb a.csv");
    assert!(evaluated.contains("accuracy                     1 "), "{evaluated}");
    folder.write("new.csv", "price,visit\n11,2024-02-06T07:10\n11,2024-02-10T19:10\n11,\n");
    assert_eq!(folder.ok("predict a.nb new.csv"), "predicted_kind\nwork\nleisure\nwork\n");
    let explained = folder.ok("explain a.nb new.csv --row 2");
    let words: String = explained.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["visit: weekday Saturday 2.6124", "visit: hour 19 2.0149", "visit: month 2 -0.22884"] {
        assert!(words.contains(part), "{part}\n{explained}");
    }
    let inspected = folder.ok("inspect a.nb --feature visit");
    assert!(inspected.contains("p(Saturday)") && inspected.contains("mean"), "{inspected}");
    assert!(folder.ok("inspect a.nb").contains("format version 10"));
    // Other formats, and the JSON form of the model.
    folder.ok("convert a.nb a.json");
    assert_eq!(folder.ok("predict a.json new.csv"), folder.ok("predict a.nb new.csv"));
    folder.write("a.jsonl", json_lines(&visits(42)));
    folder.ok("train --plain a.jsonl --label kind --date visit -o json.nb");
    assert_eq!(folder.read("json.nb"), folder.read("a.nb"));
    // Generated rows can be learnt from.
    folder.ok("sample a.nb -n 20 -o more.csv");
    folder.ok("update a.nb more.csv -o updated.nb");
    folder.ok("forget updated.nb more.csv -o back.nb");
    assert_eq!(folder.read("back.nb"), folder.read("a.nb"));
    let error = folder.fails(1, "plot a.nb a.csv --feature visit -o a.svg");
    assert!(error.contains("\"visit: month\", \"visit: weekday\""), "{error}");
    let words = ["plot", "a.nb", "--feature", "visit: hour", "-o", "a.svg"].map(String::from);
    let run = folder.nbayes_with_words(&words, "");
    assert_eq!(run.code, 0, "{run:?}");
    let error = folder.fails(1, "sql --predict a.nb --dialect postgres --table t");
    assert!(error.contains("\"visit\" has dates"), "{error}");
}

fn json_lines(csv: &str) -> String {
    let rows = csv.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{{\"visit\":\"{}\",\"price\":{},\"kind\":\"{}\"}}\n", cells[0], cells[1], cells[2])
    });
    rows.collect()
}

#[test]
fn parts_are_chosen_by_option_or_schema_file() {
    let folder = Folder::new();
    folder.write("a.csv", visits(42));
    let report =
        folder.ok("train --plain a.csv --label kind --date visit --date-parts days,year,hour -o a.nb");
    assert!(report.contains("date: year, hour, days"), "{report}");
    folder.write("s.toml", folder.ok("schema a.csv --label kind --date visit --date-parts year,hour,days"));
    let schema = String::from_utf8(folder.read("s.toml")).unwrap();
    assert!(schema.contains("date_parts = [\"year\", \"hour\", \"days\"]"), "{schema}");
    assert!(schema.contains("\"visit\" = \"date\""), "{schema}");
    folder.ok("train --plain a.csv --schema s.toml -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
    folder.write("s.toml", schema.replace("\"hour\"", "\"hours\""));
    let error = folder.fails(1, "train --plain a.csv --schema s.toml -o b.nb");
    assert!(error.contains("\"hours\" is not a part of dates"), "{error}");
    let error = folder.fails(2, "train --plain a.csv --label kind --date visit --date-parts week -o b.nb");
    assert!(error.contains("the parts are year, month, weekday, hour, days"), "{error}");
    folder.ok("train --plain a.csv --label kind --date visit --date-parts month -o month.nb");
    let error = folder.fails(1, "sample month.nb -n 3");
    assert!(error.contains("does not have the days"), "{error}");
    let error = folder.fails(1, "merge a.nb month.nb -o both.nb");
    assert!(error.contains("visit, dates (month)"), "{error}");
}

#[test]
fn several_files_have_one_set_of_parts() {
    let folder = Folder::new();
    let whole = visits(42);
    let (header, rows) = whole.split_once('\n').unwrap();
    let plain: Vec<String> = rows.lines().map(|row| [&row[..10], &row[16..]].concat()).collect();
    let plain = plain.join("\n");
    folder.write("times.csv", &whole);
    folder.write("plain.csv", format!("{header}\n{plain}\n"));
    folder.write("all.csv", format!("{whole}{plain}\n"));
    folder.ok("train --sums-only all.csv --label kind --date visit -o all.nb");
    for files in ["times.csv plain.csv", "plain.csv times.csv"] {
        let report = folder.ok(&format!("train --sums-only {files} --label kind --date visit -o parts.nb"));
        assert!(report.contains("month, weekday, hour, days"), "{report}");
        assert_eq!(folder.read("parts.nb"), folder.read("all.nb"), "{files}");
    }
    let report = folder.ok("train --plain plain.csv --label kind --date visit -o plain.nb");
    assert!(report.contains("date: month, weekday, days"), "{report}");
}
