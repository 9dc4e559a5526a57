//! Dates as people write them: 27/09/2020, Sep 27, 2020, 20240131.

use std::fmt::Write;

use crate::folder::Folder;

/// Visits of 2024, work on weekdays and leisure at weekends, with dates that a function writes.
fn visits(n_days: i64, date: impl Fn(i64, i64) -> String) -> String {
    let mut text = String::from("visit,price,kind\n");
    for day in 0..n_days {
        // 2024-01-01 was a Monday.
        let (month, of_month) = (1 + day / 31, 1 + day % 31);
        assert!(month <= 1 || of_month <= 29);
        let kind = if day % 7 >= 5 { "leisure" } else { "work" };
        writeln!(text, "{},{},{kind}", date(month, of_month), 10 + day % 4).unwrap();
    }
    text
}

fn day_first(n_days: i64) -> String {
    visits(n_days, |month, day| format!("{day:02}/{month:02}/2024"))
}

/// 3 February is a Saturday, and 2 March, too; 6 February is a Tuesday, and 2 June a Sunday.
const AMBIGUOUS: &str = "visit,price\n03/02/2024,11\n06/02/2024,11\n";

#[test]
fn the_order_of_training_is_that_of_all_files() {
    let folder = Folder::new();
    folder.write("a.csv", day_first(60));
    folder.write("iso.csv", visits(60, |month, day| format!("2024-{month:02}-{day:02}")));
    let report = folder.ok("train --plain a.csv --label kind --date visit -o a.nb");
    let why = "as requested; dates, day first: line 14 has \"13/01/2024\"";
    assert!(report.contains(why), "{report}");
    folder.ok("train --plain iso.csv --label kind --date visit -o iso.nb");
    folder.write("new.csv", AMBIGUOUS);
    folder.write("new_iso.csv", "visit,price\n2024-02-03,11\n2024-02-06,11\n");
    let labels = "predicted_kind\nleisure\nwork\n";
    // A file of the model, in both forms.
    folder.ok("convert a.nb a.json");
    assert!(folder.ok("inspect a.nb").contains("format version 12"));
    for model in ["a.nb", "a.json"] {
        assert_eq!(folder.ok(&format!("predict {model} new.csv")), labels);
        // ISO 8601 is read in every column of dates.
        assert_eq!(folder.ok(&format!("predict {model} new_iso.csv")), labels);
    }
    // The model of the same dates in ISO 8601 has the same sums, and its files stay as they were.
    assert!(folder.ok("inspect iso.nb").contains("format version 10"));
    let error = folder.fails(1, "predict iso.nb new.csv");
    assert!(
        error.contains("new.csv, line 2, column \"visit\": \"03/02/2024\" is not a date as the other"),
        "{error}"
    );
    folder.ok("merge iso.nb a.nb -o both.nb");
    assert_eq!(folder.ok("predict both.nb new.csv"), labels);
    // What is no date in this order is refused by line.
    folder.write("bad.csv", "visit,price\n03/02/2024,11\n02/13/2024,11\n");
    let error = folder.fails(1, "predict a.nb bad.csv");
    assert!(
        error.contains("bad.csv, line 3, column \"visit\": \"02/13/2024\" is not a date with the day first"),
        "{error}"
    );
    assert!(error.contains("`--date-order`"), "{error}");
    // The option goes before what the model says.
    folder.ok("predict a.nb bad.csv --date-order visit=month-first");
    let error = folder.fails(2, "predict a.nb bad.csv --date-order visit=week-first");
    assert!(error.contains("the orders are day-first, month-first, year-first"), "{error}");
    // Rows that are added and taken out again, and all else that reads files.
    folder.write("more.csv", "visit,price,kind\n03/02/2024,11,leisure\n06/02/2024,11,work\n");
    folder.ok("update a.nb more.csv -o updated.nb");
    folder.ok("forget updated.nb more.csv -o back.nb");
    assert_eq!(folder.read("back.nb"), folder.read("a.nb"));
    let evaluated = folder.ok("evaluate a.nb more.csv");
    assert!(
        evaluated.split_whitespace().collect::<Vec<_>>().join(" ").contains("accuracy 1 "),
        "{evaluated}"
    );
    folder.ok("explain a.nb new.csv --row 2");
}

#[test]
fn days_of_dates_are_numbers() {
    let folder = Folder::new();
    folder.write("a.csv", day_first(60));
    folder.write("iso.csv", visits(60, |month, day| format!("2024-{month:02}-{day:02}")));
    folder.write("new.csv", AMBIGUOUS);
    folder.write("new_iso.csv", "visit,price\n2024-02-03,11\n2024-02-06,11\n");
    folder.ok("train --plain a.csv --label kind --gaussian visit -o a.nb");
    folder.ok("train --plain iso.csv --label kind --gaussian visit -o iso.nb");
    let of_iso = folder.ok("predict iso.nb new_iso.csv --proba");
    assert_eq!(folder.ok("predict a.nb new.csv --proba"), of_iso);
    // Eight digits are dates where that is chosen, and else the numbers that they are.
    folder.write("digits.csv", visits(60, |month, day| format!("2024{month:02}{day:02}")));
    folder.ok("train --plain digits.csv --label kind --date visit --date-parts days -o digits.nb");
    folder.write("new_digits.csv", "visit,price\n20240203,11\n20240206,11\n");
    assert_eq!(folder.ok("predict digits.nb new_digits.csv --proba"), of_iso);
    let report = folder.ok("train --plain digits.csv --label kind -o plain.nb");
    assert!(report.contains("eight digits") && report.contains("`--gaussian visit` the numbers"), "{report}");
    // Rows dealt by time.
    let split = "split a.csv --label kind --test 20 --time visit --train-file train.csv --test-file test.csv";
    folder.ok(split);
    let test = String::from_utf8(folder.read("test.csv")).unwrap();
    assert!(test.contains("\n29/02/2024,") && !test.contains("/01/2024"), "{test}");
}

#[test]
fn what_the_cells_do_not_settle_is_said_and_can_be_overruled() {
    let folder = Folder::new();
    folder.write("a.csv", visits(60, |month, day| format!("{:02}.{month:02}.2024", 1 + day % 12)));
    let why = "its cells are dates, day or month first is not settled by the cells: read as day first; line 2 has \
               \"02.01.2024\" (else `--date-order visit=month-first`)";
    for command in ["train a.csv --label kind", "schema a.csv --label kind", "profile a.csv --label kind"] {
        let report = folder.ok(command);
        let words: String = report.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(why), "{report}");
    }
    let report = folder.ok("train --plain a.csv --label kind --date visit --date-order month-first -o a.nb");
    assert!(report.contains("read as month first as requested"), "{report}");
    // A schema file says it, and is read back.
    folder
        .write("s.toml", folder.ok("schema a.csv --label kind --date visit --date-order visit=month-first"));
    let schema = String::from_utf8(folder.read("s.toml")).unwrap();
    assert!(schema.contains("\ndate_orders = { \"visit\" = \"month-first\" }"), "{schema}");
    folder.ok("train --plain a.csv --schema s.toml -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
    folder.write("s.toml", schema.replace("month-first\" }", "weeks\" }"));
    let error = folder.fails(1, "train --plain a.csv --schema s.toml -o b.nb");
    assert!(error.contains("\"weeks\" is not an order of dates"), "{error}");
    let error = folder.fails(1, "train a.csv --label kind --date-order visits=day-first -o d.nb");
    assert!(error.contains("column \"visits\" not found"), "{error}");
    // One file of several settles it for all.
    folder.write("b.csv", "visit,price,kind\n27.02.2024,11,work\n28.02.2024,11,work\n");
    let report =
        folder.ok("train --plain a.csv b.csv --label kind --date visit --date-order month-first -o c.nb");
    assert!(report.contains("dates, day first: line 2 has \"27.02.2024\""), "{report}");
    // Dates in two orders are categories, and it is said where.
    folder.write("c.csv", "visit,price,kind\n27/02/2024,11,work\n02/28/2024,12,leisure\n27/02/2024,11,work\n02/28/2024,12,leisure\n");
    let report = folder.ok("schema c.csv --label kind");
    let why = "dates in different orders: line 2 has \"27/02/2024\" and line 3 has \"02/28/2024\"";
    assert!(report.contains(why), "{report}");
}
