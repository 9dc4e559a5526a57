//! Files of every version are read forever, and they are what `docs/format.md` says.

use nb_io::{Column, DateOrder, DatePart, DateParts, Family, Kind, Model, Reading, Schema};

use crate::{
    any_size::of_any_size,
    examples::{flowers, labels, mails, posts},
};

/// The model in the fixtures: three flowers.
fn expected() -> Model {
    let mut model = flowers(["red", "white"]);
    let rows = ndarray::array![[1.0, 0.0], [2.0, 1.0], [1.5, 0.0]];
    model.update_weighted(&rows, &labels(["rose", "lily", "rose"]), &[1.0, 0.1, 2.5]).expect("valid rows");
    model
}

#[test]
fn version_1() {
    let bytes = include_bytes!("../fixtures/version-1.nb");
    assert_eq!(Model::from_bytes(bytes).expect("reads"), expected());
    assert_eq!(Model::from_json(include_str!("../fixtures/version-1.json")).expect("reads"), expected());
    // What has nothing newer is still written as version 1.
    assert_eq!(expected().to_bytes().expect("encodes"), bytes);
}

#[test]
fn version_3() {
    let bytes = include_bytes!("../fixtures/version-3.nb");
    assert_eq!(Model::from_bytes(bytes).expect("reads"), mails(1 << 16));
    assert_eq!(Model::from_json(include_str!("../fixtures/version-3.json")).expect("reads"), mails(1 << 16));
    assert_eq!(mails(1 << 16).to_bytes().expect("encodes"), bytes);
}

#[test]
fn version_4() {
    let bytes = include_bytes!("../fixtures/version-4.nb");
    assert_eq!(Model::from_bytes(bytes).expect("reads"), of_any_size());
    assert_eq!(Model::from_json(include_str!("../fixtures/version-4.json")).expect("reads"), of_any_size());
    assert_eq!(of_any_size().to_bytes().expect("encodes"), bytes);
}

#[test]
fn version_5() {
    let bytes = include_bytes!("../fixtures/version-5.nb");
    assert_eq!(Model::from_bytes(bytes).expect("reads"), posts());
    assert_eq!(Model::from_json(include_str!("../fixtures/version-5.json")).expect("reads"), posts());
    assert_eq!(posts().to_bytes().expect("encodes"), bytes);
}

/// The flowers of version 1 in files that are read in their own way.
fn read_specially() -> Model {
    let reading = Reading::default()
        .with_encoding(Some("windows-1252".into()))
        .with_decimal(Some(b','))
        .with_no_header(true)
        .with_missing(Some([String::new(), "-".into()].into()))
        .with_non_numeric(["petal".into()].into());
    expected().with_reading(reading)
}

#[test]
fn version_6() {
    let bytes = include_bytes!("../fixtures/version-6.nb");
    assert_eq!(Model::from_bytes(bytes).expect("reads"), read_specially());
    let json = include_str!("../fixtures/version-6.json");
    assert_eq!(Model::from_json(json).expect("reads"), read_specially());
    assert_eq!(read_specially().to_bytes().expect("encodes"), bytes);
    assert_eq!(read_specially().to_json().expect("encodes"), json.trim_end());
    let older = json.replace("\"version\": 6", "\"version\": 5");
    let error = Model::from_json(&older).expect_err("not of version 5").to_string();
    assert!(error.contains("decisions about reading are not of version 5"), "{error}");
    // It is kept by everything that makes a model of a model.
    let model = read_specially().with_prior(nb_core::Prior::Uniform).expect("a prior");
    assert_eq!(model.reading(), read_specially().reading());
}

/// Dates and numbers, in files with their own lines.
fn visits() -> Model {
    let kind = Kind::Dates(DateParts::from_iter([DatePart::Year, DatePart::Weekday, DatePart::Hour]));
    let mut schema = Schema::numeric(["amount"], "kind");
    schema.columns.push(Column { name: "visit".into(), kind });
    let family = Family::for_schema(&schema);
    let mut model = Model::new(schema, family, nb_core::Prior::Empirical).expect("they fit together");
    let rows = ndarray::array![[1.0, 2024.0, 3.0, 23.0], [0.5, 1970.0, 0.0, 0.0], [3.0, 2000.0, 6.0, 1.0]];
    model.update(&rows, &labels(["a", "a", "b"])).expect("valid rows");
    let reading = Reading::default().with_skip_lines(3).with_comment(Some(b'#')).with_quoting(Some(false));
    model.with_reading(reading)
}

#[test]
fn version_7() {
    let bytes = include_bytes!("../fixtures/version-7.nb");
    assert_eq!(Model::from_bytes(bytes).expect("reads"), visits());
    let json = include_str!("../fixtures/version-7.json");
    assert_eq!(Model::from_json(json).expect("reads"), visits());
    assert_eq!(visits().to_bytes().expect("encodes"), bytes);
    assert_eq!(visits().to_json().expect("encodes"), json.trim_end());
    let older = json.replace("\"version\": 7", "\"version\": 6");
    let error = Model::from_json(&older).expect_err("not of version 6").to_string();
    assert!(error.contains("decisions about lines are not of version 6"), "{error}");
    let model = visits().with_reading(Reading::default());
    assert_eq!(model.format_version(), 7);
    assert_eq!(Model::from_bytes(&model.to_bytes().expect("encodes")).expect("reads"), model);
    let older = model.to_json().expect("encodes").replace("\"version\": 7", "\"version\": 6");
    let error = Model::from_json(&older).expect_err("not of version 6").to_string();
    assert!(error.contains("dates are not of version 6"), "{error}");
    let mixed = json.replace("\"year\",", "\"hour\",");
    let error = Model::from_json(&mixed).expect_err("twice").to_string();
    assert!(error.contains("parts of dates are not in order"), "{error}");
}

#[test]
fn orders_of_dates() {
    let orders = [("visit", DateOrder::DayMonthYear), ("amount", DateOrder::MonthDayYear)];
    let orders = orders.map(|(column, order)| (column.to_owned(), order));
    let model = visits().with_reading(visits().reading().clone().with_date_orders(orders.clone().into()));
    assert_eq!(model.format_version(), 12);
    assert_eq!(Model::from_bytes(&model.to_bytes().expect("encodes")).expect("reads"), model);
    let json = model.to_json().expect("encodes");
    assert_eq!(Model::from_json(&json).expect("reads"), model);
    let older = json.replace("\"version\": 12", "\"version\": 11");
    let error = Model::from_json(&older).expect_err("not of version 11").to_string();
    assert!(error.contains("orders of dates are not of version 11"), "{error}");
    // Nothing else changes, so that files without orders are those of version 7.
    let without = model.with_reading(visits().reading().clone());
    assert_eq!(without.to_bytes().expect("encodes"), include_bytes!("../fixtures/version-7.nb"));
    // What is read in both ways has the order.
    let [visit, _] = orders;
    let written = visits().with_reading(Reading::default().with_date_orders([visit].into()));
    let mut both = visits();
    both.merge(&written).expect("the same columns");
    assert_eq!(both.reading().date_orders["visit"], DateOrder::DayMonthYear);
}

/// What older versions can say of texts is written as ever.
#[test]
fn texts_of_older_versions_keep_their_version() {
    let json = include_str!("../fixtures/version-5.json");
    let without =
        |field: &str| json.lines().filter(|line| !line.contains(field)).collect::<Vec<_>>().join("\n");
    // As the first of two fields or as the last the line has a comma that is one too many.
    let without_emoji =
        without("\"emoji\"").replace("\"nfkc\",", "\"nfkc\"").replace("\"none\",", "\"none\"");
    let model = Model::from_json(&without_emoji).expect("an absent field is that of older files");
    assert_eq!(model.format_version(), 5);
    let older = without_emoji.replace("\"version\": 5", "\"version\": 4");
    let error = Model::from_json(&older).expect_err("not of version 4").to_string();
    assert!(error.contains("normalization and emoji are not of version 4"), "{error}");
    let plain = without_emoji.replace("nfkc", "none");
    let model = Model::from_json(&plain).expect("reads");
    assert_eq!(model.format_version(), 4);
    let bytes = model.to_bytes().expect("encodes");
    assert_eq!(Model::from_bytes(&bytes).expect("reads"), model);
    let written = model.to_json().expect("encodes");
    assert!(!written.contains("normalization") && !written.contains("emoji"));
    assert_eq!(Model::from_json(&written).expect("reads"), model);
}

/// A reader of a few lines, written from the documentation alone, finds its way to the first class.
#[test]
fn the_documentation_is_enough_to_read_a_file() {
    struct Bytes<'a>(&'a [u8]);
    impl<'a> Bytes<'a> {
        fn take(&mut self, length: usize) -> &'a [u8] {
            let (taken, rest) = self.0.split_at(length);
            self.0 = rest;
            taken
        }
        fn u32(&mut self) -> u32 {
            u32::from_le_bytes(self.take(4).try_into().expect("four bytes"))
        }
        fn u64(&mut self) -> usize {
            u64::from_le_bytes(self.take(8).try_into().expect("eight bytes")) as usize
        }
        fn f64(&mut self) -> f64 {
            f64::from_le_bytes(self.take(8).try_into().expect("eight bytes"))
        }
        fn string(&mut self) -> &'a str {
            let length = self.u64();
            std::str::from_utf8(self.take(length)).expect("UTF-8")
        }
        fn doubles(&mut self) -> Vec<f64> {
            let length = self.u64();
            self.take(length)
                .chunks(8)
                .map(|bytes| f64::from_le_bytes(bytes.try_into().expect("eight")))
                .collect()
        }
    }
    let mut bytes = Bytes(&include_bytes!("../fixtures/version-1.nb")[24..]);
    // Schema: a numeric column, a categorical one with two levels, the label.
    assert_eq!((bytes.u64(), bytes.string(), bytes.u32()), (2, "petal", 0));
    assert_eq!((bytes.string(), bytes.u32(), bytes.u64()), ("colour", 2, 2));
    assert_eq!((bytes.string(), bytes.string(), bytes.string()), ("red", "white", "species"));
    // Family: two blocks; Gaussian on column 0 with a relative floor, categorical on column 1.
    assert_eq!((bytes.u32(), bytes.u64()), (7, 2));
    assert_eq!((bytes.u64(), bytes.u64(), bytes.u32()), (1, 0, 0));
    assert_eq!((bytes.u32(), bytes.u32(), bytes.f64(), bytes.u32()), (0, 0, 1e-9, 0));
    assert_eq!((bytes.u64(), bytes.u64(), bytes.u32()), (1, 1, 2));
    assert_eq!((bytes.u32(), bytes.u32(), bytes.f64(), bytes.u32(), bytes.u32()), (0, 0, 1.0, 0, 0));
    assert_eq!(bytes.u64(), 0);
    // Prior: empirical. Classes: two; the first is the lily of weight 0.1.
    assert_eq!((bytes.u32(), bytes.u64(), bytes.string()), (0, 2, "lily"));
    assert_eq!((bytes.u64(), bytes.u64(), bytes.doubles(), bytes.u64()), (1, 1, vec![0.1], 0));
    // Its parts: sum, sum of squares, missing, colours.
    assert_eq!(bytes.u64(), 4);
    assert_eq!((bytes.u64(), bytes.u64(), bytes.doubles(), bytes.u64()), (1, 1, vec![0.2], 0));
}

/// Bins and categories with weights and corrections. Both fixtures were written once by the learner, and are
/// read forever.
#[test]
fn version_8() {
    let bytes = include_bytes!("../fixtures/version-8.nb");
    let json = include_str!("../fixtures/version-8.json");
    let model = Model::from_bytes(bytes).expect("reads");
    assert_eq!(Model::from_json(json).expect("reads"), model);
    assert_eq!(model.to_bytes().expect("encodes"), bytes);
    assert_eq!(model.to_json().expect("encodes"), json.trim_end());
    assert_eq!(model.refinement().expect("refined").classes, labels(["lily", "rose"]));
}

/// A decision rule beside weights and corrections. Both fixtures were written once, and are read forever.
#[test]
fn version_9() {
    let bytes = include_bytes!("../fixtures/version-9.nb");
    let json = include_str!("../fixtures/version-9.json");
    let model = Model::from_bytes(bytes).expect("reads");
    assert_eq!(Model::from_json(json).expect("reads"), model);
    assert_eq!(model.to_bytes().expect("encodes"), bytes);
    assert_eq!(model.to_json().expect("encodes"), json.trim_end());
    let decision = model.decision().expect("a rule");
    assert_eq!(*decision.rule(), nb_calibration::DecisionRule::Threshold { positive: 1, threshold: 0.25 });
    let abstention = nb_calibration::Abstention { min_probability: 0.75, label: Some("unsure".into()) };
    assert_eq!(decision.abstention(), Some(&abstention));
    assert_eq!(decision.sets().expect("sets").n_rows(), 60);
}

/// Measures of held-out rows and a fingerprint of rows. Both fixtures were written once, by `nbayes train
/// --plain`, and are read forever.
#[test]
fn version_10() {
    let bytes = include_bytes!("../fixtures/version-10.nb");
    let json = include_str!("../fixtures/version-10.json");
    let model = Model::from_bytes(bytes).expect("reads");
    assert_eq!(Model::from_json(json).expect("reads"), model);
    assert_eq!(model.to_bytes().expect("encodes"), bytes);
    assert_eq!(model.to_json().expect("encodes"), json.trim_end());
    let held_out = model.held_out().expect("measures");
    assert_eq!((held_out.majority, held_out.auc.is_some()), (0.5, true));
    let rows = model.row_fingerprint().expect("a fingerprint");
    assert_eq!(rows.n_rows(), 40);
    // The rows have the hashes that they had when the file was written.
    let table: Vec<[f64; 2]> =
        (0..40).map(|row| [f64::from(row * 7 % 20) + 0.5, f64::from(row / 2 % 3)]).collect();
    let labels: Vec<String> =
        (0..40).map(|row| ["lily", "rose"][usize::from(row % 20 > 9)].to_owned()).collect();
    let mut fingerprinter = nb_io::RowFingerprinter::new(model.schema());
    fingerprinter.add(model.schema(), &nb_io::read::Table::Dense(table.into()), &labels);
    assert_eq!(rows.seen(&fingerprinter.finish()), nb_io::SeenRows::All);
    // No other number of counters, and none in an earlier version.
    let few = json.replacen("\"counters\": [", "\"counters\": [0, ", 1);
    let error = Model::from_json(&few).expect_err("too many").to_string();
    assert!(error.contains("512 counters"), "{error}");
    let error = Model::from_json(&json.replacen("\"version\": 10", "\"version\": 9", 1)).expect_err("older");
    assert!(error.to_string().contains("records of training are not of version 9"), "{error}");
}

/// A calibration map. Both fixtures are that of version 10 with a map that was written by the specification,
/// by another program.
#[test]
fn version_11() {
    let bytes = include_bytes!("../fixtures/version-11.nb");
    let json = include_str!("../fixtures/version-11.json");
    let model = Model::from_bytes(bytes).expect("reads");
    assert_eq!(Model::from_json(json).expect("reads"), model);
    assert_eq!(model.to_bytes().expect("encodes"), bytes);
    assert_eq!(model.to_json().expect("encodes"), json.trim_end());
    let calibration = model.calibration().expect("a map");
    let blocks: Vec<_> =
        calibration.map().steps()[0].iter().map(|step| (step.first, step.last, step.probability)).collect();
    assert_eq!(blocks, [(f64::NEG_INFINITY, -2.5, 0.125), (-1.0, 0.5, 0.375), (0.75, 4.0, 0.875)]);
    assert_eq!(
        (calibration.n_rows(), model.held_out().and_then(|measures| measures.auc)),
        (24, Some(0.8125))
    );
    let version_10 = Model::from_bytes(include_bytes!("../fixtures/version-10.nb")).expect("reads");
    assert_eq!(model.uncalibrated_held_out(), version_10.held_out());
    assert_eq!(model.with_calibration(None).expect("none"), version_10);
}

/// A pair of columns, a line beside bins, a text, and a range. Both fixtures were written once by the
/// learner, and are read forever.
#[test]
fn version_12() {
    let bytes = include_bytes!("../fixtures/version-12.nb");
    let json = include_str!("../fixtures/version-12.json");
    let model = Model::from_bytes(bytes).expect("reads");
    assert_eq!(Model::from_json(json).expect("reads"), model);
    assert_eq!(model.to_bytes().expect("encodes"), bytes);
    assert_eq!(model.to_json().expect("encodes"), json.trim_end());
    let columns = &model.refinement().expect("refined").columns;
    assert_eq!((columns.pairs[0].columns, columns.absent_texts[0].terms.clone()), ([0, 1], 2..4));
    assert!(columns.corrections[0].line().is_some_and(|line| line.low < line.high));
    let ranges: Vec<_> = model.value_ranges().iter().collect();
    assert_eq!(ranges, [("petal", [-3.0, 4.0])]);
    // No other order, no range that ends before it begins, and none in an earlier version.
    for (from, to, problem) in [
        ("\"low\": -3.0", "\"low\": 5.0", "not in order, or one is no range"),
        ("\"version\": 12", "\"version\": 11", "are not of version 11"),
    ] {
        assert!(json.contains(from), "{from}");
        let error = Model::from_json(&json.replacen(from, to, 1)).expect_err("refused").to_string();
        assert!(error.contains(problem), "{error}");
    }
}

/// What is known of rows is added and subtracted with them, and forgotten where it is not known.
#[test]
fn fingerprints_follow_the_evidence() {
    let whole = Model::from_bytes(include_bytes!("../fixtures/version-10.nb")).expect("reads");
    let row = ndarray::array![[1.5, 0.0]];
    let label = ["rose".to_owned()];
    let mut other = Model::new(whole.schema().clone(), whole.family().clone(), nb_core::Prior::Empirical)
        .expect("a model");
    let mut fingerprinter = nb_io::RowFingerprinter::new(other.schema());
    fingerprinter.add(other.schema(), &nb_io::read::Table::Dense(row.clone()), &label);
    let empty = other.clone();
    other.update(&row, &label).expect("adds");
    let unknown = other.clone();
    let other = other.with_row_fingerprint(Some(fingerprinter.finish()));
    let own = whole.held_out().copied();
    let mut both = whole.clone();
    both.merge(&other).expect("merges");
    assert_eq!((both.row_fingerprint().expect("known").n_rows(), both.held_out()), (41, None));
    both.subtract(&other).expect("subtracts");
    assert_eq!(both.with_held_out(own).expect("measures"), whole);
    let mut same = whole.clone();
    same.merge(&empty).expect("merges");
    assert_eq!(same.row_fingerprint(), whole.row_fingerprint());
    for change in [Model::merge, Model::subtract] {
        let mut other_rows = whole.clone();
        other_rows.update(&row, &label).expect("adds");
        assert_eq!(other_rows.row_fingerprint(), None);
        let mut changed = whole.clone();
        if change(&mut changed, &unknown).is_ok() {
            assert_eq!(changed.row_fingerprint(), None);
        }
    }
}
