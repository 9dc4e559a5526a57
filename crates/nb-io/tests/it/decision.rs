//! Decision rules in models and files.

use nb_calibration::{Abstention, Decision, DecisionRule, PredictionSets};
use nb_core::{Gaussian, Prior};
use nb_io::{Family, MergeError, Model, ModelError, Schema, onnx};
use ndarray::array;

use crate::examples::labels;

fn model() -> Model {
    let schema = Schema::numeric(["length"], "species");
    let mut model =
        Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical).expect("fits");
    model.update(&array![[1.0], [2.0], [6.0], [8.0]], &["a", "a", "b", "b"]).expect("numbers");
    model
}

/// Rules of all kinds.
pub(crate) fn decisions() -> Vec<Decision<String>> {
    let rules = [
        DecisionRule::Weights(vec![1.0, 2.5]),
        DecisionRule::Costs(vec![0.0, 3.0, 1.0, 0.25]),
        DecisionRule::Threshold { positive: 1, threshold: 0.3 },
    ];
    let new = |rule| Decision::new(labels(["a", "b"]), rule).expect("a rule");
    let mut decisions = rules.map(new).to_vec();
    let abstention =
        |label: Option<&str>| Abstention { min_probability: 0.8, label: label.map(String::from) };
    let sets = PredictionSets::calibrated(vec![0.5, 0.9, 0.95], 0.5).expect("probabilities");
    decisions
        .push(new(DecisionRule::MostProbable).with_abstention(Some(abstention(None))).expect("in range"));
    let both = new(DecisionRule::Weights(vec![2.0, 1.0])).with_abstention(Some(abstention(Some("unsure"))));
    decisions.push(both.expect("in range").with_sets(Some(sets)));
    decisions
}

#[test]
fn rules_come_back_from_files() {
    let plain = model();
    assert_eq!(plain.format_version(), 1);
    for decision in decisions() {
        let model = plain.clone().with_decision(Some(decision.clone())).expect("its classes");
        assert_eq!(model.format_version(), 9);
        let bytes = model.to_bytes().expect("encodes");
        assert_eq!(Model::from_bytes(&bytes).expect("reads"), model);
        assert_eq!(
            Model::from_json(&model.to_json().expect("encodes")).expect("reads").decision(),
            Some(&decision)
        );
        // Another prior keeps it.
        assert_eq!(model.clone().with_prior(Prior::Uniform).expect("a prior").decision(), Some(&decision));
        assert_eq!(
            model.with_decision(None).expect("none").to_bytes().expect("encodes"),
            plain.to_bytes().expect("encodes")
        );
    }
}

#[test]
fn damaged_rules_are_refused() {
    let decision = decisions().swap_remove(0);
    let json =
        model().with_decision(Some(decision)).map(|model| model.to_json()).expect("fits").expect("encodes");
    for (from, to, part) in
        [("2.5", "-2.5", "the decision rule"), ("\"version\": 9", "\"version\": 8", "not of version 8")]
    {
        let error = Model::from_json(&json.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn merging_keeps_one_rule_and_refuses_two() {
    let [first, second] =
        [0, 1].map(|place| model().with_decision(Some(decisions().swap_remove(place))).expect("its classes"));
    let mut merged = first.clone();
    merged.merge(&model()).expect("the same columns");
    assert_eq!(merged.decision(), first.decision());
    merged.merge(&first).expect("the same rule");
    merged.subtract(&first).expect("it is in there");
    assert_eq!(merged.decision(), first.decision());
    assert_eq!(merged.merge(&second), Err(MergeError::Decision));
    let mut other = model();
    other.merge(&first).expect("the same columns");
    assert_eq!(other.decision(), first.decision());
}

#[test]
fn rules_for_other_classes_are_refused() {
    let other = Decision::new(labels(["a", "c"]), DecisionRule::Weights(vec![1.0, 2.0])).expect("a rule");
    assert!(matches!(model().with_decision(Some(other)), Err(ModelError::Decision(_))));
    let mut grown = model().with_decision(Some(decisions().swap_remove(0))).expect("its classes");
    grown.update(&array![[3.0], [4.0]], &["c", "c"]).expect("numbers");
    let error = grown.to_onnx(onnx::Inputs::Matrix).unwrap_err().to_string();
    assert!(error.contains("for the classes \"a\", \"b\", and the model has \"a\", \"b\", \"c\""), "{error}");
    let sets = model().with_decision(decisions().pop()).expect("its classes");
    assert!(matches!(sets.to_onnx(onnx::Inputs::Matrix), Err(onnx::OnnxError::Sets)));
}
