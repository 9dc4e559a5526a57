//! `nbayes importance`: what columns are worth to a model.

use std::fmt::Write;

use serde_json::Value;

use crate::folder::Folder;

/// A column that tells the class, one that tells a little, one that tells nothing, and missing cells.
fn rows(n: usize) -> String {
    let mut text = String::from("strong,weak,noise,y\n");
    for row in 0..n {
        let class = (row * row / 7 + row) % 3 % 2;
        let strong = if row % 9 == 4 { String::new() } else { (row * 31 % 50 + 40 * class).to_string() };
        let weak = ["red", "green", "blue"][(row * 5 % 7 / 2 + class) % 3];
        writeln!(text, "{strong},{weak},{},{}", row * 17 % 23, ["no", "yes"][class]).unwrap();
    }
    text
}

fn json(folder: &Folder, command: &str) -> Value {
    serde_json::from_str(&folder.ok(&format!("{command} --json"))).unwrap()
}

/// The rows with the cells of a column left empty.
fn blanked(text: &str, column: usize) -> String {
    let mut lines = text.lines();
    let mut blanked = format!("{}\n", lines.next().unwrap());
    for line in lines {
        let cells = line.split(',').enumerate().map(|(place, cell)| if place == column { "" } else { cell });
        writeln!(blanked, "{}", cells.collect::<Vec<_>>().join(",")).unwrap();
    }
    blanked
}

#[test]
fn a_missing_column_costs_what_evaluate_says() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(400));
    for option in ["", "--plain"] {
        folder.ok(&format!("train rows.csv --label y {option} -o m.nb"));
        let found = json(&folder, "importance m.nb rows.csv");
        let before = json(&folder, "evaluate m.nb rows.csv");
        let number = |value: &Value, name: &str| value[name].as_f64().unwrap();
        assert!((number(&found, "log_loss") - number(&before, "log_loss")).abs() < 1e-9);
        assert!((number(&found, "error_rate") - (1.0 - number(&before, "accuracy"))).abs() < 1e-9);
        let columns = found["columns"].as_array().unwrap();
        assert_eq!(columns[0]["column"], "strong", "{found}");
        for column in columns {
            let place =
                ["strong", "weak", "noise"].iter().position(|name| column["column"] == *name).unwrap();
            folder.write("blank.csv", blanked(&rows(400), place));
            let after = json(&folder, "evaluate m.nb blank.csv");
            let rise = number(&after, "log_loss") - number(&before, "log_loss");
            assert!((number(column, "log_loss_if_missing") - rise).abs() < 1e-9, "{option} {column}");
            let rise = number(&before, "accuracy") - number(&after, "accuracy");
            assert!((number(column, "error_rate_if_missing") - rise).abs() < 1e-9, "{option} {column}");
        }
        let (first, last) = (&columns[0]["log_loss"], &columns[columns.len() - 1]["log_loss"]);
        assert!(number(first, "mean") > 5.0 * number(first, "standard_error"), "{first}");
        assert!(number(first, "mean") > number(last, "mean"), "{found}");
    }
}

#[test]
fn it_is_a_table_a_picture_and_the_same_for_a_seed() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(200));
    folder.ok("train rows.csv --label y -o m.nb");
    let text = folder.ok("importance m.nb rows.csv --top 2 -o a.svg");
    for wanted in
        ["200 rows of rows.csv", "log-loss if permuted", "strong", "... and 1 more column", "wrote a.svg"]
    {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let svg = String::from_utf8(folder.read("a.svg")).unwrap();
    assert!(svg.contains("Importance of the columns") && svg.contains("noise"), "{svg}");
    let twice = || folder.ok("importance m.nb rows.csv --seed 3 --repeats 2");
    assert_eq!(twice(), twice());
    assert_ne!(twice(), folder.ok("importance m.nb rows.csv --seed 4 --repeats 2"));

    folder.write("new.csv", "strong,weak,noise,y\n1,red,3,maybe\n");
    let error = folder.fails(1, "importance m.nb new.csv");
    assert!(
        error.contains("new.csv") && error.contains("no rows with a label that the model knows"),
        "{error}"
    );
    let error = folder.fails(2, "importance m.nb rows.csv --repeats 0");
    assert!(error.contains("at least 1"), "{error}");
    let error = folder.fails(2, "importance m.nb rows.csv -o a.pdf");
    assert!(error.contains(".svg or .png"), "{error}");
}

#[test]
fn texts_are_columns() {
    let folder = Folder::new();
    folder.ok("train --plain @sms -o sms.nb");
    let found = json(&folder, "importance sms.nb @sms --repeats 1");
    let columns = found["columns"].as_array().unwrap();
    assert_eq!((columns.len(), &columns[0]["column"]), (1, &"message".into()));
    let before = json(&folder, "evaluate sms.nb @sms");
    let (loss, known) = (found["log_loss"].as_f64().unwrap(), before["log_loss"].as_f64().unwrap());
    assert!((loss - known).abs() < 1e-9, "{loss} {known}");
    // Without any word the prior is left.
    let rows = [4827.0_f64, 747.0];
    let entropy: f64 = rows.iter().map(|n| n / 5574.0).map(|share| -share * share.ln()).sum();
    let rise = columns[0]["log_loss_if_missing"].as_f64().unwrap();
    assert!((loss + rise - entropy).abs() < 1e-9, "{rise} {entropy}");
}
