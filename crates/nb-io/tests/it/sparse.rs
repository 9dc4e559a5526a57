//! Sums that are mostly zero, as those of words, take the room of the others in a file (format version 3).

use nb_core::{Multinomial, Prior};
use nb_io::{Family, Model, Schema, Text};
use ndarray::Array2;

use crate::examples::{as_written, mails, models, wide};

/// The version in the header of a file.
fn version(bytes: &[u8]) -> u8 {
    bytes[8]
}

#[test]
fn four_mails_are_a_small_file() {
    let model = mails(1 << 16);
    let bytes = model.to_bytes().expect("encodes");
    assert_eq!(version(&bytes), 3);
    assert_eq!(model.format_version(), 3);
    assert!(bytes.len() < 1_000, "{} bytes", bytes.len());
    let loaded = Model::from_bytes(&bytes).expect("decodes");
    assert_eq!(loaded, model);
    assert_eq!(loaded.to_bytes().expect("encodes"), bytes);

    let json = model.to_json().expect("encodes");
    assert!(json.len() < 10_000 && json.contains("\"version\": 3"), "{} bytes", json.len());
    assert_eq!(Model::from_json(&json).expect("decodes"), model);
}

#[test]
fn a_sparse_file_goes_on() {
    let model = mails(1 << 16);
    let mut loaded = Model::from_bytes(&model.to_bytes().expect("encodes")).expect("decodes");
    let rows = loaded.schema().count_terms(&["a prize for lunch"]).expect("only texts");
    loaded.update(&rows, &["spam"]).expect("valid rows");
    assert_ne!(loaded, model);
    loaded.retract(&rows, &["spam"]).expect("they were added");
    assert_eq!(loaded, model);
}

#[test]
fn files_that_would_not_shrink_are_of_version_1() {
    for model in models().into_iter().chain([wide()]) {
        assert_eq!(version(&model.to_bytes().expect("encodes")), 1);
        assert!(model.to_json().expect("encodes").contains("\"version\": 1"));
    }
}

/// Between nothing and everything, zeros are left out as long as that saves a page.
#[test]
fn the_smaller_encoding_is_taken() {
    let n_columns = 4096;
    let text = Text { tokens: as_written(), ..Text::hashed(n_columns) };
    let family = Family::Multinomial(Multinomial::default());
    let mut model = Model::new(Schema::of_text("mail", text, "label"), family, Prior::Empirical)
        .expect("they fit together");
    let mut largest = 0;
    for filled in (1..=n_columns as usize).step_by(61) {
        let row = Array2::from_shape_fn((1, n_columns as usize), |(_, column)| {
            // The last is always there, so that all sums before it are in a file of version 1.
            f64::from(u8::from(column + 1 == n_columns as usize || column + 1 < filled))
        });
        let mut model = model.clone();
        model.update(&row, &["a"]).expect("valid rows");
        let bytes = model.to_bytes().expect("encodes");
        assert_eq!(Model::from_bytes(&bytes).expect("decodes"), model);
        // Twelve bytes a sum against eight, and four bytes for each of two vectors.
        let is_sparse = 12 * filled + 2 * 4 + 4096 <= 8 * n_columns as usize;
        assert_eq!(version(&bytes), if is_sparse { 3 } else { 1 }, "{filled}");
        assert!(bytes.len() >= largest, "{filled}");
        largest = bytes.len();
    }
    model.update(&Array2::<f64>::ones((1, n_columns as usize)), &["a"]).expect("valid rows");
    assert_eq!(version(&model.to_bytes().expect("encodes")), 1);
}

#[test]
fn places_are_not_of_version_1() {
    let json = mails(1 << 16).to_json().expect("encodes").replacen("\"version\": 3", "\"version\": 1", 1);
    let error = Model::from_json(&json).expect_err("not of this version");
    assert_eq!(error.to_string(), "a vector of sums is invalid: places are not of version 1");
}
