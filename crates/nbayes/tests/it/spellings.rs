//! Values that programs spell in different ways: categories, labels and missing cells.

use crate::folder::Folder;

/// What pandas makes of whole numbers and truth values beside a missing cell.
const BY_PANDAS: [(&str, &str); 4] = [("1,", "1.0,"), ("2,", "2.0,"), (",yes", ",True"), (",no", ",False")];

fn passengers() -> String {
    let row = |row: usize| {
        let class = [1, 2, 2, 1, 2][row % 5];
        format!("{class},{},{}\n", ["c", "s"][row % 2], ["yes", "no"][(row + class) % 2])
    };
    format!("class,port,label\n{}", (0..40).map(row).collect::<String>())
}

#[test]
fn categories_and_labels_are_the_same_however_they_are_spelt() {
    let folder = Folder::new();
    let lower = passengers().replace(",yes", ",true").replace(",no", ",false");
    let by_pandas = BY_PANDAS.iter().fold(passengers(), |text, (from, to)| text.replace(from, to));
    folder.write("plain.csv", &lower);
    folder.write("pandas.csv", &by_pandas);
    folder.ok("train --sums-only plain.csv --label label --categorical class");
    let evaluated = |model: &str, file: &str| folder.ok(&format!("evaluate {model} {file}"));
    assert_eq!(evaluated("plain.nb", "pandas.csv"), evaluated("plain.nb", "plain.csv"));
    assert_eq!(
        folder.ok("predict plain.nb pandas.csv --proba"),
        folder.ok("predict plain.nb plain.csv --proba")
    );

    // The first file names the classes, and the categories are the same anyway.
    folder.ok("train --sums-only plain.csv pandas.csv --label label --categorical class -o both.nb");
    folder.ok("train --sums-only plain.csv plain.csv --label label --categorical class -o twice.nb");
    assert_eq!(folder.read("both.nb"), folder.read("twice.nb"));
    folder.ok("update plain.nb pandas.csv");
    assert_eq!(folder.read("plain.nb"), folder.read("twice.nb"));
    folder.ok("forget plain.nb pandas.csv");

    // A file alone keeps the spelling of its labels.
    folder.ok("train --plain pandas.csv --label label");
    let labels = folder.ok("predict pandas.nb pandas.csv");
    assert!(labels.lines().skip(1).all(|label| ["True", "False"].contains(&label)), "{labels}");
}

#[test]
fn identifiers_with_zeros_before_them_stay_texts() {
    let folder = Folder::new();
    folder.write("a.csv", "zip,y\n007,a\n7,b\n007,a\n7,b\n7.0,b\n");
    folder.ok("train --plain a.csv --label y --categorical zip");
    let shown = folder.ok("inspect a.nb --feature zip");
    assert!(shown.contains("p(007)") && shown.contains("p(7)") && !shown.contains("p(7.0)"), "{shown}");
}

#[test]
fn na_can_be_a_category_and_a_label() {
    let folder = Folder::new();
    folder.write("gdp.csv", "continent,label\nNA,rich\nEU,rich\nNA,rich\nAF,poor\nAS,poor\nAF,poor\n");
    folder.ok("train --plain gdp.csv --label label");
    assert!(!folder.ok("inspect gdp.nb --feature continent").contains("p(NA)"));
    folder.ok("train --plain gdp.csv --label label --no-missing -o all.nb");
    assert!(folder.ok("inspect all.nb --feature continent").contains("p(NA)"));
    folder.write("region.csv", "x,region\n1.5,NA\n2.5,EU\n0.5,NA\n2.25,EU\n");
    let run = folder.nbayes("train --plain region.csv --label region");
    assert!(run.stderr.contains("2 rows have no label (\"NA\")"), "{}", run.stderr);
    assert!(run.stderr.contains("all rows have the label \"EU\""), "{}", run.stderr);
    folder.ok("train --plain region.csv --label region --no-missing -o region.nb");
    assert!(folder.ok("predict region.nb region.csv").contains("NA"));
    // What was not said to be missing is a text, and an empty cell is always missing.
    folder.write("dash.csv", "x,y\n1.5,a\n-,a\n,a\n2.5,b\n3.5,b\n");
    let error = folder.fails(1, "train --plain dash.csv --label y --gaussian x");
    assert!(error.contains("line 3, column \"x\": \"-\" is not a number"), "{error}");
    folder.ok("train --plain dash.csv --label y --gaussian x --missing - --no-missing");
}

#[test]
fn markers_of_pandas_and_r_are_missing_cells() {
    let folder = Folder::new();
    let markers = ["", "NA", "N/A", "n/a", "NaN", "nan", "-nan", "null", "NULL", "None", "<NA>", "#N/A", "?"];
    for marker in markers {
        folder.write("a.csv", format!("x,y\n1.5,a\n{marker},a\n2.5,a\n3.5,b\n4.5,b\n"));
        let trained = folder.ok("train --plain a.csv --label y -o a.nb");
        assert!(trained.contains("gaussian"), "{marker}: {trained}");
    }
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let folder = Folder::new();
    let prices = [1234.5, 980.0, 15_000.25, 2750.0, 1_199_999.0, 40.0];
    let table = |price: &dyn Fn(f64) -> String, delimiter: char| {
        let row =
            |(row, &value): (usize, &f64)| format!("{}{delimiter}{}\n", price(value), ["a", "b"][row % 2]);
        format!("price{delimiter}y\n{}", prices.iter().enumerate().map(row).collect::<String>())
    };
    let grouped = |value: f64, group: char, decimal: char| {
        let (whole, cents) = (format!("{}", value.trunc()), (value.fract() * 100.0).round());
        let mut text = String::new();
        for (place, digit) in whole.chars().enumerate() {
            if place > 0 && (whole.len() - place) % 3 == 0 {
                text.push(group);
            }
            text.push(digit);
        }
        format!("{text}{decimal}{cents:02}")
    };
    folder.write("plain.csv", table(&|value| value.to_string(), ','));
    folder.ok("train --plain plain.csv --label y");
    let forms: [(&dyn Fn(f64) -> String, char); 4] = [
        (&|value| format!("\"${}\"", grouped(value, ',', '.')), ','),
        (&|value| format!("{} €", grouped(value, '.', ',')), ';'),
        (&|value| grouped(value, ' ', ','), '\t'),
        (&|value| format!("{value}%"), ','),
    ];
    for (number, (form, delimiter)) in forms.into_iter().enumerate() {
        folder.write("marked.csv", table(form, delimiter));
        let trained = folder.ok("train --plain marked.csv --label y -o marked.nb");
        assert!(trained.contains("written like"), "{number}: {trained}");
        assert_eq!(folder.read("marked.nb"), folder.read("plain.nb"), "{number}");
        assert_eq!(folder.ok("predict plain.nb marked.csv"), folder.ok("predict plain.nb plain.csv"));
    }
}
