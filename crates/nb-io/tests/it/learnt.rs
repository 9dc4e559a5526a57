//! Families that learn something from rows before these are summed.

use nb_core::{Blocks, Gaussian, Missing, Prior};
use nb_io::{
    BinRule, Family, Kind, MergeError, Model, Parents, PowerRule, Preparation, PreparationError, Schema,
    WeightRule,
};
use nb_variants::{
    A2de, Aode, Aodesr, Asaode, AttributeWeighted, AttributeWeights, Binned, Codings, Cuts,
    HierarchicalDirichlet, Hnb, Kdb, KdbEnsemble, KernelDensity, PairCounts, Tan, Transformed, Waode,
};
use ndarray::{Array2, array, s};

use crate::examples::labels;

/// Three skewed columns of two classes.
fn rows() -> (Array2<f64>, Vec<usize>, Vec<String>) {
    let x = Array2::from_shape_fn((80, 3), |(row, column)| {
        let spread = ((row * (column + 7)) % 31) as f64 / 31.0;
        0.1 + spread.powi(3) * 9.0 + 2.5 * (row % 2) as f64
    });
    let classes: Vec<usize> = (0..80).map(|row| row % 2).collect();
    let names = classes.iter().map(|&class| ["oak", "yew"][class].to_owned()).collect();
    (x, classes, names)
}

fn schema() -> Schema {
    Schema::numeric(["height", "width", "age"], "tree")
}

/// A family for each column, and rules that differ from the default ones.
fn all_rules() -> Vec<(Family, Preparation)> {
    let (binned, kernel, power) = (Binned::default(), KernelDensity::default(), Transformed::default());
    let rules = Preparation::default();
    let mut all: Vec<(Family, Preparation)> =
        [BinRule::Mdl, BinRule::Modl, BinRule::EqualWidth(4), BinRule::EqualFrequency(5)]
            .map(|bins| (binned.clone().into(), rules.with_bins(bins)))
            .into();
    all.push((kernel.clone().into(), rules));
    all.extend(
        [PowerRule::YeoJohnson, PowerRule::BoxCox, PowerRule::Log]
            .map(|rule| (power.clone().into(), rules.with_power(rule))),
    );
    all.push((Aode { minimum_count: 5.0, ..Aode::default() }.into(), rules));
    all.push((Tan::default().into(), rules.with_bins(BinRule::EqualWidth(3))));
    all.push((Hnb::default().into(), rules.with_bins(BinRule::EqualFrequency(4))));
    all.push((Waode::default().into(), rules));
    all.push((Aodesr::default().into(), rules));
    all.push((Asaode::default().into(), rules));
    all.push((A2de::default().into(), rules));
    all.push((Kdb::default().into(), rules));
    all.push((KdbEnsemble::default().with_members(3).with_seed(5).into(), rules));
    let hierarchical =
        Kdb::default().with_hierarchical(HierarchicalDirichlet::default().with_iterations(50).with_seed(9));
    all.push((hierarchical.into(), rules.with_parents(Parents::Tree)));
    all.push((Kdb::default().with_ridge(2.0).into(), rules.with_parents(Parents::Selective(2))));
    let mixed = Blocks::default()
        .with_same([2], Family::from(kernel))
        .with_same([0], Family::from(Gaussian::default()))
        .with_same([1], Family::from(power));
    all.push((Family::Blocks(mixed), rules));
    all
}

/// Weights of columns, which depend on all columns.
fn column_weights() -> impl Iterator<Item = (Family, Preparation)> {
    let rules = [
        WeightRule::Cll,
        WeightRule::Mse,
        WeightRule::Regularized,
        WeightRule::Correlation,
        WeightRule::CorrelationAndInstances,
    ];
    let family = |rule| {
        let rules = Preparation::default().with_bins(BinRule::EqualWidth(3)).with_column_weights(rule);
        (AttributeWeighted::default().into(), rules)
    };
    rules.into_iter().map(family)
}

fn model(family: &Family, rules: Preparation, part: std::ops::Range<usize>) -> Model {
    let (x, classes, names) = rows();
    let family = family.prepared(rules, &x, &classes).expect("learns");
    let mut model = Model::new(schema(), family, Prior::Empirical).expect("they fit together");
    model.update(&x.slice(s![part.clone(), ..]), &names[part]).expect("valid rows");
    model
}

#[test]
fn bytes_and_json_restore_what_was_learnt() {
    for (family, rules) in all_rules().into_iter().chain(column_weights()) {
        let model = model(&family, rules, 0..80);
        let bytes = model.to_bytes().expect("encodes");
        assert_eq!(Model::from_bytes(&bytes).expect("decodes"), model);
        let json = model.to_json().expect("encodes");
        let loaded = Model::from_json(&json).expect("decodes");
        assert_eq!(loaded, model, "{json}");
        assert_eq!(loaded.to_bytes().expect("encodes"), bytes);
        let (x, _, _) = rows();
        let scores =
            |model: &Model| model.classifier().expect("fits").joint_log_likelihood(&x).expect("scores");
        assert_eq!(scores(&loaded), scores(&model));
    }
}

#[test]
fn what_is_learnt_once_is_summed_exactly() {
    for (family, rules) in all_rules().into_iter().chain(column_weights()) {
        let whole = model(&family, rules, 0..80);
        let (mut first, rest) = (model(&family, rules, 0..33), model(&family, rules, 33..80));
        let before = first.clone();
        first.merge(&rest).expect("the same preparation");
        assert_eq!(first, whole);
        first.subtract(&rest).expect("it was added");
        assert_eq!(first, before);
        let (x, _, names) = rows();
        let mut retracted = whole.clone();
        retracted.retract(&x.slice(s![33.., ..]), &names[33..]).expect("they were added");
        assert_eq!(retracted, before);
    }
}

/// Weights of columns are those of two classes, and are refused for a third.
#[test]
fn weights_of_columns_are_of_the_classes_that_they_were_learnt_for() {
    let (x, _, _) = rows();
    for (family, rules) in column_weights() {
        let (mut own, other) =
            (model(&family, rules, 0..80), model(&family, rules.with_bins(BinRule::Mdl), 0..80));
        assert!(matches!(own.merge(&other), Err(MergeError::Learnt { .. })), "{rules:?}");
        let mut more = own.clone();
        more.update(&x.slice(s![..2, ..]), &["ash", "ash"]).expect("valid rows");
        let is_of_classes =
            matches!(rules.column_weights, WeightRule::Cll | WeightRule::Mse | WeightRule::Regularized);
        match more.classifier() {
            Ok(_) => assert!(!is_of_classes, "{rules:?}"),
            Err(error) => {
                assert!(is_of_classes && error.to_string().contains("learn the weights again"), "{error}");
            }
        }
    }
}

#[test]
fn models_that_learnt_something_else_are_not_merged() {
    let (x, classes, names) = rows();
    for (family, rules) in all_rules() {
        let mut own = model(&family, rules, 0..80);
        // Another last column.
        let mut others = x.clone();
        others.column_mut(2).mapv_inplace(|value| 1.0 / value);
        let family = family.prepared(rules, &others, &classes).expect("learns");
        let mut other = Model::new(schema(), family, Prior::Empirical).expect("they fit together");
        other.update(&others, &names).expect("valid rows");
        let is_fixed = rules.power == PowerRule::Log;
        let before = own.clone();
        match own.merge(&other) {
            Ok(()) => assert!(is_fixed, "{rules:?}"),
            Err(error) => {
                assert_eq!(error, MergeError::Learnt { column: "age".into() }, "{rules:?}");
                assert_eq!(own, before);
            }
        }
    }
}

#[test]
fn cells_that_cannot_be_learnt_from_are_named() {
    let (x, classes, _) = rows();
    let rules = Preparation::default();
    let blocks = Blocks::default()
        .with_same([0, 2], Family::from(Gaussian::default()))
        .with_same([1], Family::from(Transformed::default()));
    let mut negative = x.clone();
    negative[[7, 1]] = -2.0;
    let error =
        Family::Blocks(blocks).prepared(rules.with_power(PowerRule::Log), &negative, &classes).unwrap_err();
    assert_eq!(error.column(), Some(1));
    assert!(error.to_string().starts_with("column 1: -2 is not above 0"), "{error}");
    let empty = array![[f64::NAN], [f64::NAN]];
    let kernel = KernelDensity { missing: Missing::Skip, ..KernelDensity::default() };
    let error = Family::from(kernel).prepared(rules, &empty, &[0, 1]);
    assert_eq!(error, Err(PreparationError::NoValues { column: 0 }));
    let error = Family::from(Binned::default()).prepared(rules, &x, &[0]);
    assert_eq!(error, Err(PreparationError::Labels { rows: 80, labels: 1 }));
}

#[test]
fn documents_that_fit_no_columns_are_refused() {
    for (family, rules) in all_rules() {
        let json = model(&family, rules, 0..80).to_json().expect("encodes");
        let changes = [
            ("\"origins\"", "\"origin\""),
            ("\"steps\"", "\"scales\""),
            ("\"transforms\"", "\"powers\""),
            ("\"cuts\":[[", "\"cuts\":[[1e300,"),
            ("\"cut_counts\"", "\"counts\""),
            ("\"parents\"", "\"parent\""),
        ];
        for (from, to) in changes {
            if json.contains(from) {
                let refused = Model::from_json(&json.replace(from, to));
                assert!(refused.is_err(), "{from}");
            }
        }
    }
    let json =
        model(&KernelDensity::default().into(), Preparation::default(), 0..80).to_json().expect("encodes");
    let refused = Model::from_json(&json.replace("\"steps\"", "\"steep\"")).unwrap_err().to_string();
    assert!(refused.contains("steps of the family \"kernel\" must be one number per column"), "{refused}");
}

#[test]
fn parents_that_are_no_network_are_refused() {
    let rules = Preparation::default().with_bins(BinRule::EqualWidth(2)).with_parents(Parents::Most(1));
    let model = model(&Kdb::default().into(), rules, 0..80);
    let json: serde_json::Value = serde_json::from_str(&model.to_json().expect("encodes")).expect("JSON");
    let with = |name: &str, numbers: &[f64]| {
        let mut json = json.clone();
        let parameters = &mut json["family"]["named"]["parameters"];
        let own = parameters.as_array_mut().expect("a list").iter_mut().find(|own| own["name"] == name);
        own.expect("stored")["value"]["numbers"] = numbers.into();
        Model::from_json(&json.to_string())
    };
    let parents = |model: &Model| match model.family() {
        Family::Kdb(kdb) => kdb.parents().iter().map(|own| own.first().copied()).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let own = parents(&model);
    assert_eq!(own.iter().flatten().count(), 2);
    let root = own.iter().position(Option::is_none).expect("one without parents");
    let of_others = |parent: f64| with("parents", &[parent, parent]);
    assert!(of_others(root as f64).is_ok());
    for (refused, part) in [
        (of_others(3.0), "is 3; it must be the number of a column"),
        (of_others(0.5), "the parents of all columns"),
        (of_others(-1.0), "the parents of all columns"),
        (of_others((root + 1) as f64 % 3.0), "it must be a column that is not left out"),
        (with("parents", &[root as f64]), "the number of parents of each column"),
        (with("parents", &[root as f64; 3]), "the parents of all columns"),
        (with("parent_counts", &[2.0]), "the list of parents has 1 entries for 3 columns"),
        (with("parent_counts", &[1.0, 1.0, f64::MAX]), "the number of parents of each column"),
    ] {
        let error = refused.expect_err(part).to_string();
        assert!(error.contains(part), "{part}: {error}");
    }
}

#[test]
fn names_of_learnt_families_are_taken() {
    let names: Vec<&str> = Family::learnt().iter().map(|family| family.description().name).collect();
    let expected = [
        "binned", "kernel", "power", "aode", "tan", "hnb", "waode", "aodesr", "asaode", "a2de", "kdb",
        "ekdb", "awnb",
    ];
    assert_eq!(names, expected);
    assert!(labels(names).iter().all(|name| nb_io::Registry::default().family(name).is_err()));
}

/// The rows with a category in place of the last number, whose names depend on which rows there are.
fn mixed(part: std::ops::Range<usize>) -> (Schema, Array2<f64>, Vec<String>) {
    let (mut x, _, names) = rows();
    let names_of = |row: usize| ["ash", "birch", "cedar", "elm"][(row * row + row / 9) % 4];
    let mut levels: Vec<String> = part.clone().map(|row| names_of(row).to_owned()).collect();
    levels.sort();
    levels.dedup();
    for row in part.clone() {
        let code = levels.iter().position(|level| level == names_of(row)).expect("listed");
        x[[row, 2]] = code as f64;
    }
    let mut schema = schema();
    schema.columns[2].kind = Kind::Categorical { levels };
    (schema, x.slice(s![part.clone(), ..]).to_owned(), names[part].to_vec())
}

#[test]
fn categories_of_pairs_are_united() {
    type WithCounts = fn(PairCounts) -> Family;
    const PAIRS: usize = 7 * 8 / 2;
    // Each with the number of sums of its first part for two categories.
    const FAMILIES: [(WithCounts, usize); 8] = [
        (|counts| Aode::new(counts).into(), PAIRS),
        (|counts| Tan::new(counts).into(), PAIRS),
        (|counts| Hnb::new(counts).into(), PAIRS),
        (|counts| Waode::new(counts).into(), PAIRS),
        (|counts| Aodesr::new(counts).into(), PAIRS),
        (|counts| A2de::new(counts).into(), PAIRS),
        (|counts| Kdb::new(counts, vec![vec![2, 1], vec![2], vec![]]).expect("no cycle").into(), 3 * 3 * 3),
        (
            |counts| {
                let columns = vec![vec![0.5, 0.75], vec![1.0, 2.0], vec![1.5, 1.25]];
                let weights = AttributeWeights { columns, ..AttributeWeights::default() };
                AttributeWeighted::new(counts, weights).expect("one for each column").into()
            },
            3,
        ),
    ];
    let cuts = || Cuts::new(vec![vec![1.0, 3.0], vec![2.0], vec![]]).expect("valid");
    for (family, n_sums) in FAMILIES {
        let model = |part: std::ops::Range<usize>| {
            let (schema, x, names) = mixed(part);
            let Kind::Categorical { levels } = &schema.columns[2].kind else { panic!("named") };
            let counts = PairCounts {
                codings: Codings::new(vec![0, 0, levels.len()], cuts()).expect("one for each column"),
                ..PairCounts::default()
            };
            let mut model = Model::new(schema, family(counts), Prior::Empirical).expect("they fit together");
            model.update(&x, &names).expect("valid rows");
            model
        };
        // The first rows have two of the categories.
        assert_eq!(model(0..2).stats().class_sums().next().map(|sums| sums[0].len()), Some(n_sums));
        let (mut first, rest, whole) = (model(0..2), model(2..80), model(0..80));
        first.merge(&rest).expect("the same cut points");
        assert_eq!(first, whole);
        let mut other = rest.clone();
        other.merge(&model(0..2)).expect("the same cut points");
        assert_eq!(other, whole);
    }
}
