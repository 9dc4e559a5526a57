//! Model files made to do harm: each is an error before it takes memory or stack.

use nb_core::{Blocks, Categorical, Gaussian, Prior};
use nb_io::{Family, Limits, LoadProblem, Model, ModelError, Registry, Schema};

use crate::{
    damage::repair,
    examples::{mails, wide},
};

/// Gaussian blocks in this many blocks.
fn nested(depth: usize) -> Family {
    (0..depth).fold(Family::Gaussian(Gaussian::default()), |family, _| {
        Family::Blocks(Blocks::default().with_same([0], family))
    })
}

#[test]
fn blocks_are_nested_to_a_depth() {
    let model = |depth| Model::new(Schema::numeric(["x"], "y"), nested(depth), Prior::Empirical);
    let deepest = model(8).expect("a model");
    assert_eq!(Model::from_bytes(&deepest.to_bytes().expect("encodes")).expect("decodes"), deepest);
    assert_eq!(model(9), Err(ModelError::Depth));

    // In files, however deep: on the stack of a thread that has little.
    let json = deepest.to_json().expect("encodes");
    let family: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let innermost = serde_json::json!({"blocks": {"blocks": [{"columns": [0], "family": family["family"]}], "ignored": []}});
    let mut deeper = family.clone();
    deeper["family"] = innermost;
    let error = Model::from_json(&deeper.to_string()).expect_err("nine deep");
    assert!(error.to_string().contains("blocks are nested more than 8 deep"), "{error}");
    assert_eq!(nested_bytes(8), deepest.to_bytes().expect("encodes"));
    for depth in [9, 100, 30_000] {
        let bytes = nested_bytes(depth);
        let load = std::thread::Builder::new().stack_size(1 << 20).spawn(move || Model::from_bytes(&bytes));
        let error = load.expect("a thread").join().expect("no panic").expect_err("deep");
        assert_eq!(
            error.to_string(),
            "cannot decode the family: blocks are nested more than 8 deep",
            "{depth}"
        );
    }
}

/// The file of a model of blocks `depth` deep, with the right checksum.
fn nested_bytes(depth: usize) -> Vec<u8> {
    const HEADER: usize = 24;
    // One column named "x", and the label "y".
    const SCHEMA: usize = 8 + (8 + 1 + 4) + (8 + 1);
    // The variant, one block of one column, column 0; behind the family of the block no ignored columns.
    const OPEN: usize = 4 + 8 + 8 + 8;
    const CLOSE: [u8; 8] = [0; 8];
    // The variant of the prior, and no classes.
    const TAIL: usize = 4 + 8;
    let model = Model::new(Schema::numeric(["x"], "y"), nested(1), Prior::Empirical).expect("a model");
    let bytes = model.to_bytes().expect("encodes");
    let (front, family) = bytes.split_at(HEADER + SCHEMA);
    let (family, tail) = family.split_at(family.len() - TAIL);
    let mut all = front.to_vec();
    (1..depth).for_each(|_| all.extend_from_slice(&family[..OPEN]));
    all.extend_from_slice(family);
    (1..depth).for_each(|_| all.extend_from_slice(&CLOSE));
    all.extend_from_slice(tail);
    let length = (all.len() - HEADER) as u64;
    all[16..HEADER].copy_from_slice(&length.to_le_bytes());
    repair(&mut all);
    all
}

#[test]
fn a_wrong_checksum_is_found_before_anything_is_decoded() {
    let mut bytes = nested_bytes(50);
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let error = Model::from_bytes(&bytes).expect_err("damaged");
    assert!(matches!(error.problem, LoadProblem::Checksum), "{error}");
}

#[test]
fn memory_is_bounded() {
    let model = mails(1 << 20);
    let bytes = model.to_bytes().expect("encodes");
    assert!(bytes.len() < 2000, "{}", bytes.len());
    let load = |max_memory| {
        Model::from_bytes_with(&bytes, Limits::default().with_max_memory(max_memory), &Registry::default())
    };
    assert_eq!(load(1 << 30).expect("within the limit"), model);
    let error = load(1 << 24).expect_err("more than that");
    assert!(matches!(error.problem, LoadProblem::Memory { limit: 0x100_0000, .. }), "{error}");
}

#[test]
fn sums_that_no_rows_have_are_refused() {
    let json = wide().to_json().expect("encodes");
    let mut document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let classes = document["classes"].as_array_mut().expect("classes");
    assert!(classes.len() > 1);
    classes.swap(0, 1);
    let error = Model::from_json(&document.to_string()).expect_err("out of order");
    assert!(error.to_string().contains("not in the order of the labels"), "{error}");

    let json = cats().to_json().expect("encodes");
    let mut document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let weight = &mut document["classes"][0]["weight"]["planes"][0][0];
    assert!(weight.as_f64().expect("a number") > 1.0);
    *weight = serde_json::json!(0.5);
    let error = Model::from_json(&document.to_string()).expect_err("fewer rows than cells").to_string();
    assert!(
        error.contains("column \"coat\" of class \"cat\"") && error.contains("no rows have such sums"),
        "{error}"
    );
}

/// Two cats with a coat each.
fn cats() -> Model {
    let schema = Schema::numeric(["coat"], "animal");
    let mut model =
        Model::new(schema, Family::from(Categorical::default()), Prior::Empirical).expect("a model");
    model.update(&ndarray::array![[0.0], [1.0], [1.0]], &["cat", "cat", "dog"]).expect("valid rows");
    model
}
