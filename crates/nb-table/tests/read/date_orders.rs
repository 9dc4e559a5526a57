//! Dates in delimited text that are not as ISO 8601 writes them.

use std::{collections::BTreeMap, fmt::Write};

use nb_io::{
    DateOrder, DatePart, Kind, Schema,
    read::{Csv, Inferred, KindChoice, Overrides, ReadError, Reason, TableOptions},
};
use ndarray::array;

use crate::{assert_same, chunks, dense, only_chunk};

fn infer(text: &str, overrides: &Overrides) -> Result<Inferred, ReadError> {
    Csv::default().infer_from(|| Ok(text.as_bytes()), "t.csv", "y", overrides)
}

fn of_cells(cells: &[&str], overrides: &Overrides) -> Result<Inferred, ReadError> {
    let mut text = String::from("x,y\n");
    for cell in cells {
        writeln!(text, "\"{cell}\",a").unwrap();
    }
    infer(&text, overrides)
}

/// The reason for a column in words.
fn reason(cells: &[&str]) -> String {
    of_cells(cells, &Overrides::default()).unwrap().columns[0].reason.to_string()
}

fn chosen(kind: KindChoice) -> Overrides {
    Overrides::default().with("x", kind)
}

fn ordered(order: DateOrder) -> Overrides {
    Overrides::default().with_date_orders(BTreeMap::from([("x".into(), order)]))
}

#[test]
fn the_order_is_found_from_all_cells() {
    for (cells, expected) in [
        (&["03/04/2020", "27/09/2020"][..], "its cells are dates, day first: line 3 has \"27/09/2020\""),
        (&["03/04/2020", "", "09/27/2020"], "its cells are dates, month first: line 4 has \"09/27/2020\""),
        (&["Sep 27, 2020", "Oct 1, 2020"], "its cells are dates, month first: line 2 has \"Sep 27, 2020\""),
        (&["2020/09/27", "2020/1/2"], "its cells are dates, year first: line 2 has \"2020/09/27\""),
        (&["2020-01-02", "27 Sep 2020"], "its cells are dates, day first: line 3 has \"27 Sep 2020\""),
        (
            &["03/04/2020", "05/06/2020"],
            "its cells are dates, day or month first is not settled by the cells: read as month first; line 2 has \"03/04/2020\"",
        ),
        (
            &["03.04.2020 12:30", "05.06.2020 1:05 pm"],
            "its cells are dates, day or month first is not settled by the cells: read as day first; line 2 has \"03.04.2020 \
             12:30\"",
        ),
        (
            &["03/04/2020", "27/09/2020", "09/27/2020"],
            "dates in different orders: line 3 has \"27/09/2020\" and line 4 has \"09/27/2020\"",
        ),
        (
            &["03/04/2020", "2020/01/02"],
            "dates in different orders: line 2 has \"03/04/2020\" and line 3 has \"2020/01/02\"",
        ),
        (
            &["27/09/2020", "27/09/2020", "Sep 27, 2020"],
            "dates in different orders: line 2 has \"27/09/2020\" and line 4 has \"Sep 27, 2020\"",
        ),
        // All are ISO 8601, one is no date, a number is among them, there is one date only.
        (&["2020-01-02", "2020-01-03"], "its cells are dates"),
        (&["27/09/2020", "31/02/2020"], "no cell is a number"),
        (&["27/09/2020", "soon"], "no cell is a number"),
        (&["27/09/2020", "28/09/2020", "7"], "not all cells are numbers: line 2 has \"27/09/2020\""),
        (&["27/09/2020", "NA"], "all values are \"27/09/2020\""),
        // Two-digit years may be codes, except for three different ones.
        (&["27/09/20", "28/09/20"], "no cell is a number"),
        (&["27/09/20", "28/09/20", "1/9/20"], "its cells are dates, day first: line 2 has \"27/09/20\""),
        (&["1.10.12", "3.11.14", "3.12.10"], "no cell is a number"),
    ] {
        assert_eq!(reason(cells), expected, "{cells:?}");
    }
}

#[test]
fn eight_digits_are_dates_if_all_are_and_three_differ() {
    let dates = ["20240131", "20240229", "20240131", "19991231"];
    let inferred = of_cells(&dates, &Overrides::default()).unwrap();
    assert_eq!(
        inferred.columns[0].reason.to_string(),
        "its cells are dates, eight digits, such as \"20240131\""
    );
    // They are numbers as before, and dates where that is chosen.
    assert_eq!((&inferred.columns[0].kind, inferred.date_orders()), (&Kind::Numeric, BTreeMap::new()));
    assert_eq!(of_cells(&dates, &chosen(KindChoice::Numeric)).unwrap().columns[0].reason, Reason::Override);
    let chosen = of_cells(&dates, &chosen(KindChoice::Dates)).unwrap();
    assert_eq!(chosen.date_orders()["x"], DateOrder::Compact);
    assert_eq!(reason(&["20240131", "20240229", "20240131"]), "all cells are numbers");
    assert_eq!(reason(&["20240131", "20240230", "19991231", "20240130"]), "all cells are numbers");
    assert_eq!(reason(&["20240131", "20240229", "19991231", "7"]), "all cells are numbers");
    assert_eq!(
        infer("order_id,y\n20240131,a\n20240229,a\n19991231,b\n", &Overrides::default()).unwrap().columns[0]
            .reason,
        Reason::AllNumbers
    );
    // One day a file is a date of all of them.
    let days = |day: &str| infer(&format!("x,y\n{day},a\n{day},b\n"), &Overrides::default()).unwrap();
    let all = inferred.clone().union(days("20240301")).unwrap();
    assert!(matches!(all.columns[0].reason, Reason::WrittenDates(_)), "{:?}", all.columns[0]);
    for all in [inferred.clone().union(days("5")).unwrap(), days("5").union(inferred).unwrap()] {
        assert_eq!(all.columns[0].reason, Reason::AllNumbers);
    }
}

#[test]
fn dates_are_days_and_parts() {
    let text = "x,n,y\n02/01/1970,1,a\nNA,2,b\n\"27 Sep 1970, 6:00 pm\",3,a\n1970-01-03T12:00Z,4,a\n";
    let inferred = infer(text, &Overrides::default()).unwrap();
    assert_eq!(inferred.schema, Schema::numeric(["x", "n"], "y"));
    let expected = array![[1.0, 1.0], [f64::NAN, 2.0], [269.75, 3.0], [2.5, 4.0]];
    let csv = Csv::default().with_table(TableOptions::default().with_date_orders(inferred.date_orders()));
    let mut reader = csv.read_from(text.as_bytes(), "t.csv", &inferred.schema).unwrap();
    assert_same(dense(&only_chunk(&mut reader).rows), &expected);
    let loaded =
        Csv::default().load_from(|| Ok(text.as_bytes()), "t.csv", "y", &Overrides::default()).unwrap();
    assert_same(dense(&loaded.chunk.rows), &expected);
    assert_eq!(loaded.inferred, inferred);

    let overrides =
        chosen(KindChoice::Dates).with_dates([DatePart::Month, DatePart::Hour].into_iter().collect());
    let inferred = infer(text, &overrides).unwrap();
    assert_eq!(
        inferred.columns[0].reason.to_string(),
        "as requested; dates, day first: line 4 has \"27 Sep 1970, 6:00 pm\""
    );
    let loaded = Csv::default().load_from(|| Ok(text.as_bytes()), "t.csv", "y", &overrides).unwrap();
    let nan = f64::NAN;
    let expected = array![[0.0, 0.0, 1.0], [nan, nan, 2.0], [8.0, 18.0, 3.0], [0.0, 12.0, 4.0]];
    assert_same(dense(&loaded.chunk.rows), &expected);
}

/// What the first thousand rows say is not all.
#[test]
fn what_is_read_in_one_pass_is_what_is_read_in_two() {
    let missing = "NA,a\n".repeat(1500);
    for rest in
        ["27/09/2020,a\n", "27/09/2020,a\n09/27/2020,b\n", "20240131,a\n20240130,a\n20240129,b\n", "soon,a\n"]
    {
        for first in ["", "03/04/2020,a\n", "20240129,a\n20240127,b\n"] {
            let text = format!("x,y\n{first}{missing}{rest}");
            let open = || Ok(text.as_bytes());
            let loaded = Csv::default().load_from(open, "t.csv", "y", &Overrides::default()).unwrap();
            assert_eq!(loaded.inferred, infer(&text, &Overrides::default()).unwrap(), "{first:?}, {rest:?}");
        }
    }
}

#[test]
fn cells_in_another_order_are_refused_by_line() {
    let refused = |text: &str, overrides: &Overrides| infer(text, overrides).unwrap_err().to_string();
    for kind in [KindChoice::Dates, KindChoice::Numeric] {
        let error = refused("x,y\n03/04/2020,a\n27/09/2020,a\n09/27/2020,b\n", &chosen(kind));
        assert_eq!(
            error,
            "t.csv, line 4, column \"x\": \"09/27/2020\" is a date with the month first, and line 3 has \"27/09/2020\" before is \
             one with the day first; write them in one order, or make the column categorical"
        );
        let error = refused("x,y\n27/09/2020,a\n31/02/2020,b\n", &chosen(kind));
        let expected =
            "t.csv, line 3, column \"x\": \"31/02/2020\" is not a date with the day first (31/01/2024, ";
        assert!(error.starts_with(expected), "{error}");
    }
    // An order that is given holds.
    let given = ordered(DateOrder::MonthDayYear);
    for (text, line) in
        [("x,y\n27/09/2020,a\n", 2), ("x,y\n03/04/2020,a\nsoon,a\n", 3), ("x,y\n03/04/2020,a\n7,a\n", 3)]
    {
        let error = refused(text, &given);
        assert!(error.starts_with(&format!("t.csv, line {line}, column \"x\":")), "{error}");
        assert!(error.contains("is not a date with the month first (01/31/2024, "), "{error}");
    }
    let inferred = infer("x,y\n03/04/2020,a\n", &given).unwrap();
    assert_eq!(inferred.columns[0].reason.to_string(), "its cells are dates, month first as requested");
    // A reader refuses what the order does not have.
    let schema = Schema::numeric(["x"], "y");
    let table =
        TableOptions::default().with_date_orders(BTreeMap::from([("x".into(), DateOrder::DayMonthYear)]));
    let csv = Csv::default().with_table(table);
    for (cells, cell) in [("27/09/2020,a\n09/27/2020,b\n", "09/27/2020"), ("27/09/2020,a\n7,b\n", "7")] {
        let text = format!("x,y\n{cells}");
        let error =
            chunks(&mut csv.read_from(text.as_bytes(), "t.csv", &schema).unwrap()).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!(
                "t.csv, line 3, column \"x\": \"{cell}\" is not a date with the day first"
            )),
            "{error}"
        );
    }
}

#[test]
fn an_order_is_wanted_where_the_cells_leave_a_choice() {
    let wanted = Overrides::default().with_date_order(Some(DateOrder::DayMonthYear));
    let order = |cells: &[&str]| of_cells(cells, &wanted).unwrap().date_orders()["x"];
    assert_eq!(order(&["03/04/2020", "05/06/2020"]), DateOrder::DayMonthYear);
    assert_eq!(order(&["03/04/2020", "05/16/2020"]), DateOrder::MonthDayYear);
    let inferred = of_cells(&["03/04/2020", "05/06/2020"], &wanted).unwrap();
    let reason = inferred.columns[0].reason.to_string();
    assert!(reason.contains("read as day first as requested"), "{reason}");
}

#[test]
fn several_files_have_one_order() {
    let open = |text: &str, overrides: &Overrides| infer(text, overrides).unwrap();
    let unsettled = "x,y\n03/04/2020,a\n05/06/2020,b\n";
    let settled = "x,y\n27/09/2020,a\n03/04/2020,b\n";
    let iso = "x,y\n2020-01-02,a\n2020-01-03,b\n";
    let other = "x,y\n09/27/2020,a\n03/04/2020,b\n";
    for overrides in [Overrides::default(), chosen(KindChoice::Dates)] {
        for files in [[unsettled, settled, iso], [iso, unsettled, settled], [settled, iso, unsettled]] {
            let all = files.map(|text| open(text, &overrides));
            assert_eq!(overrides.settled(&all), overrides);
            let [first, rest @ ..] = all;
            let all = rest.into_iter().try_fold(first, Inferred::union).unwrap();
            assert_eq!(all.date_orders()["x"], DateOrder::DayMonthYear, "{files:?}");
        }
        let both = [settled, other].map(|text| open(text, &overrides));
        let is_chosen = overrides.kinds.contains_key("x");
        let kind = if is_chosen { KindChoice::Dates } else { KindChoice::Categorical };
        assert_eq!(overrides.settled(&both).kinds["x"], kind);
        let [first, second] = both;
        let error = first.union(second).unwrap_err().to_string();
        assert!(error.contains("day first: line 2 has \"27/09/2020\"; in another, month first"), "{error}");
    }
}
