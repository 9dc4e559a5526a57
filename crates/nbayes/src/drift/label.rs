//! The drift of the label, and of the classes that the model predicts.

use std::collections::BTreeMap;

use nb_core::Prior;
use nb_io::Model;
use nb_significance::{SampleMoments, two_means};
use serde::Serialize;

use super::{
    groups::{Group, Grouped},
    posteriors::Posteriors,
    test::Test,
};

/// What is found of the shares of the classes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ClassDrift {
    pub(crate) test: Option<Test>,
    pub(crate) jensen_shannon: Option<f64>,
    pub(crate) classes: Vec<Group>,
    pub(crate) why_not_tested: Option<&'static str>,
}

/// The classes of labelled rows, with those that the model does not know together.
pub(crate) fn label_drift(model: &Model, labels: &BTreeMap<String, u64>) -> Option<ClassDrift> {
    if labels.is_empty() {
        return None;
    }
    let mut grouped = Grouped::default();
    let mut known = 0;
    for (class, weight) in model.stats().classes().zip(model.stats().class_weights()) {
        let n = labels.get(class).copied().unwrap_or(0);
        known += n;
        grouped.push(class.clone(), weight.to_f64(), n as f64);
    }
    let unknown = labels.values().sum::<u64>() - known;
    if unknown > 0 {
        grouped.push("(not seen in training)", 0.0, unknown as f64);
    }
    let p_value = grouped.homogeneity().map(|test| test.p_value);
    Some(ClassDrift {
        test: p_value.and_then(|p_value| grouped.test(p_value)),
        jensen_shannon: grouped.jensen_shannon(),
        classes: grouped.shares(),
        why_not_tested: None,
    })
}

/// The mean probability of each class, beside its share in the rows of the model. `is_tested`: the labels of
/// the rows are not known, which say more.
pub(crate) fn predicted_drift(model: &Model, posteriors: &Posteriors, is_tested: bool) -> ClassDrift {
    let rows = crate::model::weight(model);
    let of_classes = posteriors.classes();
    let mut grouped = Grouped::default();
    let mut least = 1.0_f64;
    let classes = model.stats().classes().zip(model.stats().class_weights()).zip(&of_classes);
    for ((class, weight), new) in classes {
        grouped.push(class.clone(), weight.to_f64(), new.mean * new.n);
        // The model does not keep how much its probabilities vary: taken to be as much as now.
        let before = SampleMoments { n: rows, mean: weight.to_f64() / rows, variance: new.variance };
        least = least.min(two_means(&before, new).map_or(1.0, |test| test.p_value));
    }
    // The probabilities of two classes are one number.
    let n_tests = if of_classes.len() <= 2 { 1.0 } else { of_classes.len() as f64 };
    let why_not_tested = match model.prior() {
        _ if !is_tested => Some("the labels are known"),
        Prior::Empirical if of_classes.iter().any(|new| new.n < 2.0) => Some("there are too few rows"),
        Prior::Empirical => None,
        _ => Some("the prior is given, and is not the share of the classes in the rows of the model"),
    };
    ClassDrift {
        test: if why_not_tested.is_none() { grouped.test((n_tests * least).min(1.0)) } else { None },
        jensen_shannon: grouped.jensen_shannon(),
        classes: if of_classes.iter().any(|new| new.n > 0.0) { grouped.shares() } else { Vec::new() },
        why_not_tested,
    }
}
