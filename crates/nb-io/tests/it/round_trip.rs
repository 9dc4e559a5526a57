//! What is saved is loaded, to the last bit.

use nb_core::{Gaussian, Prior, VarianceSmoothing};
use nb_io::{Family, Model, ModelError};
use ndarray::array;

use crate::examples::{labels, models, wide};

#[test]
fn bytes_and_json_restore_every_family() {
    for model in models().into_iter().chain([wide()]) {
        let bytes = model.to_bytes().expect("encodes");
        let loaded = Model::from_bytes(&bytes).expect("decodes");
        assert_eq!(loaded, model);
        assert_eq!(loaded.to_bytes().expect("encodes"), bytes);

        let json = model.to_json().expect("encodes");
        let loaded = Model::from_json(&json).expect("decodes");
        assert_eq!(loaded, model, "{json}");
        assert_eq!(loaded.to_bytes().expect("encodes"), bytes);
    }
}

#[test]
fn a_loaded_model_answers_alike() {
    for model in models() {
        let loaded = Model::from_bytes(&model.to_bytes().expect("encodes")).expect("decodes");
        let rows = array![[0.0, 1.0], [1.0, 0.0]];
        let (before, after) = (model.classifier().expect("fits"), loaded.classifier().expect("fits"));
        assert_eq!(before.joint_log_likelihood(&rows), after.joint_log_likelihood(&rows));
    }
}

#[test]
fn a_loaded_model_goes_on() {
    for mut model in models() {
        let mut loaded = Model::from_bytes(&model.to_bytes().expect("encodes")).expect("decodes");
        let (rows, names) = (array![[2.0, 1.0], [3.0, 0.0]], labels(["c", "a"]));
        let before = model.clone();
        model.update(&rows, &names).expect("valid rows");
        loaded.update(&rows, &names).expect("valid rows");
        assert_eq!(loaded, model);
        loaded.retract(&rows, &names).expect("they were added");
        assert_eq!(loaded, before);
    }
}

#[test]
fn an_untrained_model_is_a_model() {
    let family = Family::Gaussian(Gaussian::default());
    let model =
        Model::new(nb_io::Schema::numeric(["x"], "y"), family, Prior::Uniform).expect("they fit together");
    assert_eq!(Model::from_bytes(&model.to_bytes().expect("encodes")).expect("decodes"), model);
    let error = model.classifier().expect_err("no evidence");
    assert_eq!(error.to_string(), "there are no rows with a positive weight; a model needs at least one");
}

#[test]
fn hyper_parameters_can_be_exchanged() {
    let model = wide();
    let smoother = Gaussian { smoothing: VarianceSmoothing::AbsoluteFloor(1.0), ..Gaussian::default() };
    let other = model
        .clone()
        .with_family(Family::Gaussian(smoother))
        .expect("the same sums")
        .with_prior(Prior::Uniform)
        .expect("a distribution");
    assert_eq!(other.stats(), model.stats());
    let wrong = model.with_family(Family::Poisson(nb_core::Poisson::default()));
    assert!(matches!(wrong, Err(ModelError::Mismatch(_))));
}

#[test]
fn files_of_both_forms_load() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = wide();
    let (binary, json) = (folder.path().join("model.nb"), folder.path().join("model.json"));
    model.save(&binary).expect("saves");
    model.save_json(&json).expect("saves");
    assert_eq!(Model::load(&binary).expect("loads"), model);
    assert_eq!(Model::load(&json).expect("loads"), model);
    // Nothing else is left in the folder.
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
}
