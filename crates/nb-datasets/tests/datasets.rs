//! Every embedded set agrees with its description, and files that do not are refused.

use std::collections::BTreeMap;

use nb_datasets::{
    ColumnKind, ContentError, Dataset, DatasetError, Group, Info, Part, TextDataset, Values, catalogue, csv,
    csv_file, info, load, load_text, sha256_hex,
};

/// The four files of the corpus in the order of `Info::files`.
fn corpus_files() -> Vec<Vec<u8>> {
    let files = &info("sms").unwrap().files;
    files.iter().map(|file| csv_file(&file.file).unwrap()).collect()
}

/// The description of `name` changed to have `bytes` as its file, so that checks behind the checksum are
/// reached.
fn with_checksum_of(name: &str, bytes: &[u8]) -> Info {
    let mut changed = info(name).unwrap().clone();
    changed.files[0].sha256 = sha256_hex(bytes);
    changed
}

/// The content error for the file of `name` after replacing `from` by `to`.
fn content_error(name: &str, from: &str, to: &str) -> ContentError {
    let text = String::from_utf8(csv(name).unwrap()).unwrap();
    assert!(text.contains(from), "{from:?} is not in {name}");
    let changed = text.replacen(from, to, 1);
    let description = Box::leak(Box::new(with_checksum_of(name, changed.as_bytes())));
    match Dataset::from_csv(description, changed.as_bytes()).unwrap_err() {
        DatasetError::Content { set, problem, .. } => {
            assert_eq!(set, name);
            problem
        }
        other => panic!("{other}"),
    }
}

#[test]
fn every_table_agrees_with_its_description() {
    for info in catalogue().iter().filter(|info| info.group != Group::Text) {
        let name = info.name.as_str();
        let set = load(name).unwrap();
        assert_eq!(sha256_hex(&csv(name).unwrap()), info.files[0].sha256, "{name}");
        assert_eq!((set.n_rows(), set.labels.len()), (info.rows, info.files[0].rows), "{name}");

        let kinds = |id: bool| info.columns.iter().filter(|c| (c.kind == ColumnKind::Id) == id).count();
        assert_eq!(set.n_features(), kinds(false), "{name}");
        assert_eq!(set.columns_of(ColumnKind::Id).len(), kinds(true), "{name}");
        assert_eq!(set.x().dim(), (info.rows, set.n_features()), "{name}");
        assert_eq!(set.columns.iter().map(nb_datasets::Column::missing).sum::<usize>(), info.missing_cells);

        let mut counts = BTreeMap::new();
        for class in set.y() {
            *counts.entry(class).or_insert(0) += 1;
        }
        let expected: Vec<(&str, usize)> = info.classes.iter().map(|c| (c.name.as_str(), c.count)).collect();
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected, "{name}");
        assert!(set.classes.is_sorted(), "{name}");

        for column in &set.columns {
            match (&column.values, column.kind) {
                (Values::Numbers(numbers), ColumnKind::Numeric | ColumnKind::Count) => {
                    assert_eq!(numbers.len(), info.rows, "{name}");
                }
                (Values::Categories { levels, codes }, ColumnKind::Categorical | ColumnKind::Id) => {
                    assert_eq!(codes.len(), info.rows, "{name}");
                    assert!(levels.is_sorted_by(|a, b| a < b), "{name}, {}", column.name);
                    assert!(codes.iter().flatten().all(|&code| (code as usize) < levels.len()), "{name}");
                }
                _ => panic!("{name}, {}: values do not fit the kind", column.name),
            }
        }

        let is_hard = info.group == Group::Hard;
        assert_eq!((info.has_split, set.split.is_some(), info.why.is_some()), (is_hard, is_hard, is_hard));
        if is_hard {
            let (train, test) = (set.rows_of(Part::Train), set.rows_of(Part::Test));
            assert!(!train.is_empty() && !test.is_empty(), "{name}");
            assert_eq!(train.len() + test.len(), info.rows, "{name}");
        }
    }
}

#[test]
fn every_set_is_documented() {
    let groups: Vec<Group> = catalogue().iter().map(|info| info.group).collect();
    assert_eq!(groups.iter().filter(|group| **group == Group::Classic).count(), 28);
    assert_eq!(groups.iter().filter(|group| **group == Group::Hard).count(), 25);
    assert!(groups.is_sorted_by_key(|group| *group as u8), "classic, text, hard");
    for info in catalogue() {
        for text in [&info.source, &info.licence, &info.citation, &info.target] {
            assert!(!text.is_empty(), "{}", info.name);
        }
        let readme = include_str!("../data/README.md");
        assert!(readme.contains(&format!("| `{}` |", info.name)), "{} is not in data/README.md", info.name);
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = catalogue().iter().map(|info| info.name.as_str()).collect();
    names.sort_unstable();
    assert!(names.is_sorted_by(|a, b| a < b));
}

#[test]
fn iris_as_published() {
    let iris = load("iris").unwrap();
    assert_eq!(iris.x().row(0).to_vec(), [5.1, 3.5, 1.4, 0.2]);
    assert_eq!(iris.classes, ["setosa", "versicolor", "virginica"]);
    assert_eq!((iris.y()[0], iris.labels[149]), ("setosa", 2));
    // The two rows in which the UCI file is known to deviate from the article.
    assert_eq!(iris.x().row(34).to_vec(), [4.9, 3.1, 1.5, 0.2]);
    assert_eq!(iris.x().row(37).to_vec(), [4.9, 3.6, 1.4, 0.1]);
}

#[test]
fn play_tennis_as_published() {
    let tennis = load("playtennis").unwrap();
    assert_eq!(tennis.columns_of(ColumnKind::Categorical), ["outlook", "temperature", "humidity", "wind"]);
    let Values::Categories { levels, codes } = &tennis.column("outlook").unwrap().values else {
        panic!("outlook is categorical");
    };
    assert_eq!(levels, &["overcast", "rain", "sunny"]);
    assert_eq!(codes[..3], [Some(2), Some(2), Some(0)]);
    let expected = "no no yes yes yes no yes no yes yes yes yes yes no";
    assert_eq!(tennis.y().join(" "), expected);
}

#[test]
fn missing_cells_are_nan() {
    let votes = load("housevotes84").unwrap();
    assert_eq!(votes.x().iter().filter(|value| value.is_nan()).count(), 392);
    assert_eq!(load("sick").unwrap().column("TBG").unwrap().missing(), 3_772);
}

#[test]
fn numbers_are_correctly_rounded() {
    let set = load("subnormal_values").unwrap();
    assert_eq!(set.x()[[0, 0]].to_bits(), 5.900_073_109_525_3e-311_f64.to_bits());
    assert!(set.x().iter().all(|value| value.is_subnormal()));
}

#[test]
fn columns_are_chosen_by_name() {
    let iris = load("iris").unwrap();
    let chosen = iris.matrix(&["petal_width_cm", "sepal_length_cm"]).unwrap();
    assert_eq!(chosen.row(0).to_vec(), [0.2, 5.1]);
    assert_eq!(iris.matrix(&[]).unwrap().dim(), (150, 0));

    let error = iris.matrix(&["petal_width"]).unwrap_err();
    let expected = r#"data set "iris" has no column "petal_width": did you mean "petal_width_cm"? (see `Info::columns`)"#;
    assert_eq!(error.to_string(), expected);
}

#[test]
fn sms_agrees_with_its_description() {
    let sms = load_text().unwrap();
    assert_eq!((sms.n_rows(), sms.n_terms(), sms.values.len()), (5_574, 8_709, 74_168));
    assert_eq!(sms.y().iter().filter(|class| **class == "spam").count(), 747);
    for (file, bytes) in sms.info.files.iter().zip(corpus_files()) {
        assert_eq!(sha256_hex(&bytes), file.sha256, "{}", file.file);
    }
}

#[test]
fn sms_counts_follow_from_the_messages() {
    let sms = load_text().unwrap();
    for (i, text) in sms.texts.iter().enumerate() {
        let mut expected: BTreeMap<&str, f64> = BTreeMap::new();
        let lower = text.to_lowercase();
        for token in lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|token| token.len() > 1) {
            *expected.entry(token).or_default() += 1.0;
        }
        let row = sms.indptr[i]..sms.indptr[i + 1];
        let terms = sms.indices[row.clone()].iter().map(|&term| sms.vocabulary[term].as_str());
        let found: BTreeMap<&str, f64> = terms.zip(sms.values[row].iter().copied()).collect();
        assert_eq!(found, expected, "message {i}");
    }
}

#[test]
fn an_unknown_name_suggests_the_nearest() {
    for (name, nearest) in [("whine", "wine"), ("Iris", "iris"), ("house-votes84", "housevotes84")] {
        let error = load(name).unwrap_err();
        assert_eq!(error, DatasetError::UnknownSet { name: name.into(), nearest: nearest.into() });
    }
    assert!(info("").is_err() && csv("iris.csv").is_err());
    let error = csv_file("sets/iris.csv").unwrap_err();
    assert!(matches!(error, DatasetError::UnknownFile { nearest, .. } if nearest == "sets/iris.csv.gz"));
}

#[test]
fn table_and_corpus_are_not_mixed_up() {
    assert_eq!(load("sms").unwrap_err(), DatasetError::NotATable { set: "sms".into() });
    let error = TextDataset::from_csv(info("iris").unwrap(), [b""; 4]).unwrap_err();
    assert_eq!(error, DatasetError::NotText { set: "iris".into() });
}

#[test]
fn a_flipped_bit_is_noticed_anywhere() {
    for info in catalogue().iter().filter(|info| info.group != Group::Text && info.rows < 200) {
        let mut bytes = csv(&info.name).unwrap();
        let position = bytes.len() / 2;
        bytes[position] ^= 1;
        let error = Dataset::from_csv(info, &bytes).unwrap_err();
        assert!(matches!(&error, DatasetError::Checksum { set, .. } if *set == info.name), "{error}");
        assert!(error.to_string().contains(&info.name), "{error}");
    }
}

#[test]
fn a_flipped_bit_in_any_file_of_the_corpus_is_noticed() {
    let info = info("sms").unwrap();
    for (i, file) in info.files.iter().enumerate() {
        let mut files = corpus_files();
        *files[i].last_mut().unwrap() ^= 1;
        let error = TextDataset::from_csv(info, [&files[0], &files[1], &files[2], &files[3]]).unwrap_err();
        assert!(matches!(&error, DatasetError::Checksum { file: changed, .. } if *changed == file.file));
    }
}

#[test]
fn content_that_contradicts_the_catalogue_is_refused() {
    let header = content_error("iris", "sepal_width_cm", "sepal_width");
    assert_eq!(header.to_string(), r#"the header has "sepal_width" at position 1, not "sepal_width_cm""#);
    assert!(matches!(content_error("iris", ",species", ""), ContentError::Header { position: 4, .. }));
    assert!(matches!(content_error("iris", ",setosa", ""), ContentError::Csv { .. }));

    let value = content_error("iris", "5.1,3.5", "5.1,3,5x");
    assert!(matches!(value, ContentError::Csv { .. }), "{value}");
    let value = content_error("iris", "5.1,3.5", "5.1,wide");
    assert_eq!(value.to_string(), r#"row 0, column "sepal_width_cm": "wide" is not a decimal number"#);
    assert!(matches!(content_error("iris", "5.1,3.5", "5.1,inf"), ContentError::Value { row: 0, .. }));
    assert!(matches!(content_error("iir_china", "\n1,2,", "\n1,-2,"), ContentError::Value { .. }));
    assert!(matches!(content_error("iir_china", "\n1,2,", "\n1,2.5,"), ContentError::Value { .. }));
    assert!(matches!(content_error("near_ties", "\ntrain,", "\nfit,"), ContentError::Value { .. }));
    assert!(matches!(content_error("iris", ",setosa", ",rose"), ContentError::Value { row: 0, .. }));

    let missing = content_error("iris", "5.1,3.5", "5.1,");
    assert_eq!(missing, ContentError::MissingCells { expected: 0, found: 1 });
    let rows = content_error("iris", "5.1,3.5,1.4,0.2,setosa\n", "");
    assert_eq!(rows, ContentError::RowCount { expected: 150, found: 149 });
    let class = content_error("iris", ",setosa", ",virginica");
    assert_eq!(class, ContentError::ClassCount { class: "setosa".into(), expected: 50, found: 49 });
}

#[test]
fn a_corpus_that_contradicts_itself_is_refused() {
    let changes = [
        (
            0,
            "\n1,ham,",
            "\n1,spam,",
            r#"row 1, column "label": "spam" is not the label in the file of labels"#,
        ),
        (1, "\n1,ham\n", "\n1,eggs\n", "is not a class of this set"),
        (1, "\n1,ham\n", "\n7,ham\n", r#"row 1, column "doc": "7" is not the number of the row"#),
        (2, "\n1,000,27\n", "\n1,000,28\n", r#"term "000" is in 27 documents, not 28"#),
        (2, "\n1,000,27\n", "\n1,/,27\n", "is not after the token before it in byte order"),
        (3, "\n0,1081,1\n", "\n0,8709,1\n", r#"column "term": "8709" is not a term of the vocabulary"#),
        (3, "\n0,1081,1\n", "\n9,1081,1\n", r#"column "doc": "0" is not a document of the corpus"#),
        (3, "\n0,1081,1\n", "\n0,1081,0\n", r#"column "count": "0" is not a positive count"#),
        (3, "\n0,1081,1\n", "\n99999999,1081,1\n", "is not a document of the corpus"),
    ];
    for (i, from, to, message) in changes {
        let mut files = corpus_files();
        let text = String::from_utf8(files[i].clone()).unwrap();
        assert!(text.contains(from), "{from:?}");
        files[i] = text.replacen(from, to, 1).into_bytes();
        let mut description = info("sms").unwrap().clone();
        description.files[i].sha256 = sha256_hex(&files[i]);
        let description = Box::leak(Box::new(description));
        let error =
            TextDataset::from_csv(description, [&files[0], &files[1], &files[2], &files[3]]).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}
