//! Every damage is noticed, and says what it is.

use nb_io::{Limits, LoadError, LoadProblem, Model};

use crate::examples::{mails, models, wide};

#[test]
fn every_changed_byte_is_noticed() {
    let bytes = wide().to_bytes().expect("encodes");
    for position in 0..bytes.len() {
        for change in 1..=255_u8 {
            let mut damaged = bytes.clone();
            damaged[position] ^= change;
            let error = Model::from_bytes(&damaged).expect_err("a damaged byte");
            let expected = match position {
                0..8 => matches!(error.problem, LoadProblem::NotAModel),
                8..10 => matches!(error.problem, LoadProblem::Version { .. } | LoadProblem::Checksum),
                10..12 => matches!(error.problem, LoadProblem::Codec { .. }),
                16..24 => {
                    matches!(error.problem, LoadProblem::Truncated { .. } | LoadProblem::TrailingBytes { .. })
                }
                _ => matches!(error.problem, LoadProblem::Checksum),
            };
            assert!(expected, "byte {position}: {error}");
        }
    }
}

#[test]
fn every_truncation_and_extension_is_noticed() {
    for model in models() {
        let mut bytes = model.to_bytes().expect("encodes");
        for length in 0..bytes.len() {
            assert!(Model::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
        }
        bytes.push(0);
        let error = Model::from_bytes(&bytes).expect_err("a byte too many");
        assert!(matches!(error.problem, LoadProblem::TrailingBytes { extra: 1 }), "{error}");
    }
}

/// The checksum is no defence against malice: with it made right again, nothing may panic, allocate without
/// bound, or come out as something else than a model.
#[test]
fn a_forged_checksum_does_not_help() {
    for model in [wide(), models().swap_remove(9), mails(1 << 8)] {
        let bytes = model.to_bytes().expect("encodes");
        let mut state = 1_u64;
        for round in 0..20_000_usize {
            let mut forged = bytes.clone();
            for _ in 0..=round % 3 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let position = 24 + (state >> 33) as usize % (forged.len() - 24);
                forged[position] = (state >> 20) as u8;
            }
            repair(&mut forged);
            if let Ok(model) = Model::from_bytes(&forged) {
                let bytes = model.to_bytes().expect("encodes");
                assert_eq!(Model::from_bytes(&bytes).expect("decodes"), model);
                let _ = model.classifier();
            }
        }
    }
}

/// Makes the checksum right.
pub(crate) fn repair(bytes: &mut [u8]) {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..12]);
    hasher.update(&bytes[16..]);
    let checksum = hasher.finalize();
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn lengths_are_not_believed() {
    let mut bytes = wide().to_bytes().expect("encodes");
    // The number of columns, the first eight bytes of the payload.
    bytes[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
    repair(&mut bytes);
    let error = Model::from_bytes(&bytes).expect_err("no memory is that large");
    assert!(matches!(error.problem, LoadProblem::Decode { what: "the schema", .. }), "{error}");
}

/// The prior is the one number in a file that no statistic and no hyper-parameter vouches for.
#[test]
fn a_prior_that_is_no_distribution_is_refused() {
    let given = |first: f64| {
        let model = models().swap_remove(2);
        model.with_prior(nb_core::Prior::Given(vec![first, 0.9]))
    };
    let mut bytes = given(0.1).expect("a distribution").to_bytes().expect("encodes");
    let place = bytes.windows(8).position(|window| window == 0.1_f64.to_le_bytes()).expect("it is in there");
    bytes[place..place + 8].copy_from_slice(&f64::NAN.to_le_bytes());
    repair(&mut bytes);
    let error = Model::from_bytes(&bytes).expect_err("no probability").to_string();
    assert_eq!(
        error,
        "the model is invalid: the prior of class 0 (in label order) is NaN; it must be a number from 0 to 1"
    );
    assert!(given(f64::NAN).is_err() && given(0.2).is_err());
}

#[test]
fn limits_bound_what_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.nb");
    wide().save(&path).expect("saves");
    let error =
        Model::load_within(&path, Limits::default().with_max_bytes(100)).expect_err("larger than that");
    assert!(matches!(error.problem, LoadProblem::TooLarge { limit: 100, .. }), "{error}");
    let missing = folder.path().join("missing.nb");
    let error = Model::load(&missing).expect_err("no such file");
    assert_eq!(error.file.as_deref(), Some(&*missing));
    assert!(error.to_string().contains("missing.nb"), "{error}");
}

#[test]
fn other_files_and_versions_are_named() {
    let text = |error: LoadError| error.to_string();
    assert_eq!(
        text(Model::from_bytes(b"PK\x03\x04").expect_err("a zip file")),
        "this is not a model file: it does not begin with the magic bytes"
    );
    let mut newer = wide().to_bytes().expect("encodes");
    newer[8] = 13;
    assert!(
        text(Model::from_bytes(&newer).expect_err("newer")).starts_with("the file has format version 13")
    );

    let json = wide().to_json().expect("encodes");
    let newer = json.replacen("\"version\": 1", "\"version\": 13", 1);
    assert!(text(Model::from_json(&newer).expect_err("newer")).starts_with("the file has format version 13"));
    let other = Model::from_json("{\"format\": \"other\", \"version\": 1}").expect_err("another format");
    assert!(matches!(other.problem, LoadProblem::NotAModel), "{other}");
    let surplus = json.replacen("\"label\"", "\"lable\"", 1);
    assert!(text(Model::from_json(&surplus).expect_err("misspelt")).contains("unknown field `lable`"));
    let sum = json.replacen("\"weight\": {\n        \"len\": 1", "\"weight\": {\n        \"len\": 3", 1);
    assert_ne!(sum, json);
    let error = text(Model::from_json(&sum).expect_err("three weights"));
    assert_eq!(
        error,
        "the weight of class \"a\" is invalid: there must be at most three planes, each as long as there are sums"
    );
}
