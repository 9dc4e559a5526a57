//! Sums of cells of any size are in files of format version 4, and in no other file.

use nb_core::{Gaussian, Prior};
use nb_io::{Family, Model, Schema};
use ndarray::{Array2, array};

use crate::examples::labels;

fn rows() -> Array2<f64> {
    array![[1.0, 2e-310], [2.5, -1e-320], [1e160, 3e-310], [0.5, 1e308]]
}

/// A model of two columns whose cells are of every size.
pub(crate) fn of_any_size() -> Model {
    let schema = Schema::numeric(["x", "y"], "label");
    let mut model =
        Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical).expect("a model");
    model.update(&rows(), &labels(["a", "b", "a", "b"])).expect("finite cells");
    model
}

#[test]
fn files_keep_every_bit() {
    let model = of_any_size();
    let bytes = model.to_bytes().expect("encodes");
    assert_eq!((bytes[8], model.format_version()), (4, 4));
    let loaded = Model::from_bytes(&bytes).expect("decodes");
    assert_eq!(loaded, model);
    assert_eq!(loaded.to_bytes().expect("encodes"), bytes);
    let json = model.to_json().expect("encodes");
    assert!(json.contains("\"version\": 4") && json.contains("\"wide\""));
    assert_eq!(Model::from_json(&json).expect("decodes"), model);
    let probe = array![[1.0, 1e-310], [1e159, 0.0]];
    let classifier = |model: &Model| model.classifier().expect("fits");
    assert_eq!(classifier(&loaded).predict_proba(&probe), classifier(&model).predict_proba(&probe));
}

#[test]
fn files_of_parts_merge_to_the_file_of_all_rows() {
    let whole = of_any_size();
    let mut empty = whole.clone();
    empty.retract(&rows(), &labels(["a", "b", "a", "b"])).expect("they were added");
    assert_eq!(empty.format_version(), 1);
    let part = |range: std::ops::Range<usize>| {
        let mut part = empty.clone();
        let own = labels(["a", "b", "a", "b"])[range.clone()].to_vec();
        part.update(&rows().slice(ndarray::s![range, ..]), &own).expect("finite cells");
        Model::from_bytes(&part.to_bytes().expect("encodes")).expect("decodes")
    };
    for cut in 1..4 {
        let mut merged = part(cut..4);
        merged.merge(&part(0..cut)).expect("the same schema");
        assert_eq!(merged.to_bytes().expect("encodes"), whole.to_bytes().expect("encodes"));
    }
}

#[test]
fn numbers_that_no_writer_makes_are_refused() {
    let json = of_any_size().to_json().expect("encodes");
    let refused = |from: &str, to: &str| {
        assert!(json.contains(from), "{from} in {json}");
        Model::from_json(&json.replacen(from, to, 1)).expect_err("damaged").to_string()
    };
    let older = refused("\"version\": 4", "\"version\": 3");
    assert!(older.contains("numbers in digits are not of version 3"), "{older}");
    let far = refused(
        "\"wide\": [\n            {\n              \"index\": ",
        "\"wide\": [\n            {\n              \"index\": 99999999",
    );
    assert!(far.contains("of memory, more than the limit"), "{far}");
    let zero = refused("\"digits\": [", "\"digits\": [0,");
    assert!(zero.contains("not in canonical form"), "{zero}");
}
