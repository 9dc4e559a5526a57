//! Every number of the engine is that of the library, bit for bit.

use nb_core::{
    Bernoulli, Categorical, Gaussian, Multinomial, NaiveBayes, Smoothing, VarianceEstimator,
    VarianceSmoothing, selection::FoldAssignment,
};
use nb_io::Model;
use nb_linear::{LinearForm, SharedGaussian};
use nb_metrics::Evaluation;
use ndarray::{Array2, Axis, array};
use playground::Playground;
use serde_json::{Value, json};

use crate::support::{ask, doubles, numbers, well, with_table};

#[test]
fn means_deviations_and_explanations_of_iris() {
    let iris = nb_datasets::load("iris").unwrap();
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&iris.x(), &iris.y()).unwrap();
    let mut playground = with_table("iris", "species");
    let fit = well(&mut playground, &json!({"do": "fit"}));
    for column in 0..4 {
        let normal = &fit["columns"][column]["normal"];
        assert_eq!(numbers(&normal[0]), classifier.likelihood().means().column(column).to_vec());
        let deviations = classifier.likelihood().standard_deviations();
        assert_eq!(numbers(&normal[1]), deviations.column(column).to_vec());
    }
    let x = iris.x();
    for row in [0, 70, 106, 149] {
        let request = json!({"do": "explain", "row": x.row(row).to_vec()});
        let answer = well(&mut playground, &request);
        assert_eq!(numbers(&answer["posteriors"]), classifier.predict_proba(&x).unwrap().row(row).to_vec());
        let logs = classifier.predict_log_proba(&x).unwrap().row(row).to_vec();
        assert_eq!(numbers(&answer["log_posteriors"]), logs);
        let [class, against] = ["class", "against"].map(|name| answer[name].as_u64().unwrap() as usize);
        let terms = answer["terms"].as_array().unwrap().iter().map(|term| term["log_odds"].as_f64().unwrap());
        let log_odds = classifier.explain(&x, row).unwrap().log_odds(class, against);
        assert_eq!(terms.collect::<Vec<f64>>(), log_odds);
    }
    let (predicted, bytes) = ask(&mut playground, &json!({"do": "predict"}), b"");
    let labels = classifier.predict(&x).unwrap();
    let n_right = labels.iter().zip(iris.y()).filter(|(label, truth)| **label == *truth).count();
    assert_eq!(predicted["n_right"], n_right);
    assert_eq!(doubles(&bytes).len(), 300);
}

#[test]
fn held_out_measures_are_those_of_folds() {
    let wine = nb_datasets::load("wine").unwrap();
    let (x, y) = (wine.x(), wine.y());
    let folds = FoldAssignment::Stratified.deal(&y, 5);
    let mut evaluation = Evaluation::new(3);
    for fold in 0..5 {
        let (test, train): (Vec<usize>, Vec<usize>) = (0..y.len()).partition(|&row| folds[row] == fold);
        let labels: Vec<&str> = train.iter().map(|&row| y[row]).collect();
        let classifier =
            NaiveBayes::new(Gaussian::default()).fit(&x.select(Axis(0), &train), &labels).unwrap();
        let rows = x.select(Axis(0), &test);
        let logs = classifier.predict_log_proba(&rows).unwrap();
        let predicted = classifier.predict(&rows).unwrap();
        for (place, &row) in test.iter().enumerate() {
            let class = |label: &str| classifier.classes().iter().position(|own| *own == label).unwrap();
            let logs = logs.row(place).to_vec();
            evaluation.add(class(y[row]), class(predicted[place]), &logs, 1.0).unwrap();
        }
    }
    let measures = evaluation.measures();
    let mut playground = with_table("wine", "cultivar");
    let answer = well(&mut playground, &json!({"do": "measure"}));
    assert_eq!(answer["model"]["accuracy"].as_f64(), measures.accuracy);
    assert_eq!(answer["model"]["log_loss"].as_f64(), measures.log_loss);
    assert_eq!(answer["model"]["brier"].as_f64(), measures.brier);
    assert_eq!(answer["model"]["auc"].as_f64(), measures.auc);
    let total: f64 = (0..3).flat_map(|row| numbers(&answer["confusion"][row])).sum();
    assert_eq!(total, 178.0);
    assert!(answer["prior"]["log_loss"].as_f64().unwrap() > 1.0);
}

#[test]
fn a_shared_variance_has_the_plane_of_the_library() {
    let iris = nb_datasets::load("iris").unwrap();
    let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&iris.x(), &iris.y()).unwrap();
    let plane = LinearForm::new(&classifier).hyperplane(2, 1).unwrap();
    let mut playground = with_table("iris", "species");
    well(&mut playground, &json!({"do": "fit", "shared_variance": true}));
    let answer = well(&mut playground, &json!({"do": "boundary", "class": 2, "against": 1}));
    let terms = answer["terms"].as_array().unwrap();
    let weights: Vec<f64> = terms.iter().map(|term| term["linear"].as_f64().unwrap()).collect();
    assert_eq!(weights, plane.coef().to_vec());
    assert_eq!(answer["constant"].as_f64(), Some(plane.intercept()));
    assert_eq!(answer["kind"], "linear");
}

#[test]
fn the_polynomial_of_the_boundary_is_the_log_odds() {
    let iris = nb_datasets::load("iris").unwrap();
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&iris.x(), &iris.y()).unwrap();
    let mut playground = with_table("iris", "species");
    well(&mut playground, &json!({"do": "fit"}));
    let answer = well(&mut playground, &json!({"do": "boundary", "class": 0, "against": 2}));
    assert_eq!(answer["kind"], "quadratic");
    let joint = classifier.joint_log_likelihood(&iris.x()).unwrap();
    for (cells, joint) in iris.x().rows().into_iter().zip(joint.rows()) {
        let terms = answer["terms"].as_array().unwrap().iter().zip(cells);
        let sum: f64 = terms
            .map(|(term, &x)| term["square"].as_f64().unwrap() * x * x + term["linear"].as_f64().unwrap() * x)
            .sum();
        let log_odds = joint[0] - joint[2];
        let error = sum + answer["constant"].as_f64().unwrap() - log_odds;
        assert!(error.abs() < 1e-9 * log_odds.abs().max(1.0), "{error:e}");
    }
}

#[test]
fn smoothing_of_the_tennis_days() {
    let days = nb_datasets::load("playtennis").unwrap();
    let row = array![[2.0, 0.0, 0.0, 0.0]];
    let mut playground = with_table("playtennis", "play");
    well(&mut playground, &json!({"do": "fit", "settings": {"smoothing": "3"}}));
    let values = [0.0, 0.5, 1.0, 10.0];
    let request = json!({"do": "smoothing", "row": [2.0, 0.0, 0.0, 0.0], "values": values});
    let answer = well(&mut playground, &request);
    for (place, l) in values.into_iter().enumerate() {
        let categorical = Categorical { smoothing: Smoothing::new(l).unwrap(), ..Categorical::default() };
        let classifier = NaiveBayes::new(categorical).fit(&days.x(), &days.y()).unwrap();
        let posteriors = classifier.predict_proba(&row).unwrap().row(0).to_vec();
        assert_eq!(numbers(&answer["posteriors"][place]), posteriors, "{l}");
    }
    assert!((answer["posteriors"][0][0].as_f64().unwrap() - 0.795).abs() < 5e-4); // Mitchell (1997), section 6.9.1
}

#[test]
fn words_of_the_textbook() {
    // Manning, Raghavan and Schütze (2008), example 13.1: multinomial yes, example 13.2: Bernoulli no.
    let china = nb_datasets::load("iir_china").unwrap();
    let names = ["Beijing", "Chinese", "Japan", "Macao", "Shanghai", "Tokyo"];
    let families = |family: &str| names.map(|name| (name.to_owned(), Value::from(family)));
    let row = [0.0, 3.0, 1.0, 0.0, 0.0, 1.0];
    let rows = Array2::from_shape_vec((1, 6), row.to_vec()).unwrap();
    let mut playground = with_table("iir_china", "in_china");
    let (x, y) = (china.x(), china.y());
    let multinomial = NaiveBayes::new(Multinomial::default()).fit(&x, &y).unwrap();
    let bernoulli = NaiveBayes::new(Bernoulli::default()).fit(&x, &y).unwrap();
    for (family, posteriors, label) in [
        ("multinomial", multinomial.predict_proba(&rows).unwrap(), 1),
        ("bernoulli", bernoulli.predict_proba(&rows).unwrap(), 0),
    ] {
        let families: serde_json::Map<String, Value> = families(family).into_iter().collect();
        well(&mut playground, &json!({"do": "fit", "families": families}));
        let answer = well(&mut playground, &json!({"do": "explain", "row": row}));
        assert_eq!(numbers(&answer["posteriors"]), posteriors.row(0).to_vec());
        assert_eq!(answer["class"], label, "{family}");
    }
}

#[test]
fn klar_truncates_row_177() {
    let spam = nb_datasets::load("spam").unwrap();
    let mut playground = with_table("spam", "type");
    let answer = well(&mut playground, &json!({"do": "truncation", "row": 176}));
    let truncated = answer["truncated"].as_array().unwrap();
    let names: Vec<&str> = spam.features().map(|column| column.name.as_str()).collect();
    assert_eq!(truncated.len(), 1);
    assert_eq!(names[truncated[0]["place"].as_u64().unwrap() as usize], "credit");
    assert_eq!(spam.classes[truncated[0]["class"].as_u64().unwrap() as usize], "nonspam");
    let [klar, exact] = ["klar", "exact"].map(|name| numbers(&answer[name]));
    assert!(klar[0] > 0.5 && exact[0] < 1e-3, "{klar:?} {exact:?}");
    let exact_model = Gaussian {
        estimator: VarianceEstimator::Unbiased,
        smoothing: VarianceSmoothing::None,
        ..Gaussian::default()
    };
    let classifier = NaiveBayes::new(exact_model).fit(&spam.x(), &spam.y()).unwrap();
    assert_eq!(exact, classifier.predict_proba(&spam.x()).unwrap().row(176).to_vec());
    assert_eq!(answer["n_lost"], 1); // row 1754, published
    assert!(answer["n_flipped"].as_u64().unwrap() > 100);
}

#[test]
fn a_removed_row_leaves_nothing() {
    let mut playground = with_table("iris", "species");
    well(&mut playground, &json!({"do": "fit"}));
    let mut n_remembered = 0;
    for row in 0..150 {
        let answer = well(&mut playground, &json!({"do": "forget", "row": row}));
        assert_eq!(answer["n_different"], 0, "row {row}");
        assert_eq!(answer["removed"], answer["never"]);
        assert!(answer["removed"] != answer["whole"] && answer["n_changed"].as_u64().unwrap() > 0);
        let running = answer["running"].as_array().unwrap();
        n_remembered += usize::from(running.iter().any(|one| one["bits"][0] != one["bits"][1]));
    }
    assert!(n_remembered > 100, "running moments forgot {} rows", 150 - n_remembered);
}

#[test]
fn a_model_file_is_one_of_the_library() {
    let mut playground = with_table("titanic", "Survived");
    well(&mut playground, &json!({"do": "fit", "prior": "uniform"}));
    let (_, bytes) = ask(&mut playground, &json!({"do": "save"}), b"");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("titanic.nb");
    std::fs::write(&file, &bytes).unwrap();
    let model = Model::load(&file).unwrap();
    let rows = array![[0.0, 0.0, 0.0], [2.0, 1.0, 1.0]];
    let expected = model.classifier().unwrap().predict_proba(&rows).unwrap();
    let mut other = Playground::default();
    let (loaded, cells) = ask(&mut other, &json!({"do": "load"}), &bytes);
    assert_eq!(loaded["model"]["classes"], json!(["No", "Yes"]));
    assert_eq!(doubles(&cells).len(), 400 * 4);
    for (row, expected) in rows.rows().into_iter().zip(expected.rows()) {
        let answer = well(&mut other, &json!({"do": "explain", "row": row.to_vec()}));
        assert_eq!(numbers(&answer["posteriors"]), expected.to_vec());
    }
    let (again, _) = ask(&mut other, &json!({"do": "save"}), b"");
    assert!(again.get("error").is_none());
}

#[test]
fn pictures_have_the_posteriors_of_their_cells() {
    let iris = nb_datasets::load("iris").unwrap();
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&iris.x(), &iris.y()).unwrap();
    let mut playground = with_table("iris", "species");
    well(&mut playground, &json!({"do": "fit"}));
    let row = [5.5, 3.0, 0.0, 0.0];
    let request = json!({"do": "picture", "row": row,
        "x": {"column": 2, "from": 1.0, "to": 7.0, "n_cells": 6}, "y": {"column": 3, "from": 0.0, "to": 2.0, "n_cells": 4}});
    let (_, bytes) = ask(&mut playground, &request, b"");
    assert_eq!(bytes.len(), 48);
    for (cell, pair) in bytes.as_chunks::<2>().0.iter().enumerate() {
        let (across, down) = ((cell % 6) as f64, (cell / 6) as f64);
        let at = array![[row[0], row[1], 1.5 + across, 1.75 - 0.5 * down]];
        let posteriors = classifier.predict_proba(&at).unwrap();
        let most = posteriors.row(0).iter().copied().fold(0.0, f64::max);
        assert_eq!(posteriors[[0, usize::from(pair[0])]], most);
        assert_eq!(pair[1], (255.0 * most).round() as u8);
    }
    let request = json!({"do": "densities", "column": 2, "from": 1.0, "to": 7.0, "n_points": 7});
    let (_, bytes) = ask(&mut playground, &request, b"");
    let fitted = classifier.likelihood();
    let (mean, deviation) = (fitted.means()[[1, 2]], fitted.standard_deviations()[[1, 2]]);
    let expected =
        (-0.5 * ((4.0 - mean) / deviation).powi(2)).exp() / (3.0 * deviation * std::f64::consts::TAU.sqrt());
    assert!((doubles(&bytes)[7 + 3] / expected - 1.0).abs() < 1e-12);
}

#[test]
fn products_end_where_doubles_end() {
    let mut playground = with_table("spam", "type");
    well(&mut playground, &json!({"do": "fit"}));
    let row: Vec<f64> = nb_datasets::load("spam").unwrap().x().row(0).to_vec();
    let answer = well(&mut playground, &json!({"do": "products", "row": row, "n_copies": 100}));
    for class in 0..2 {
        let steps = &answer["classes"][class];
        let (products, sums) = (numbers(&steps["products"]), numbers(&steps["sums"]));
        assert_eq!((products.len(), sums.len()), (5701, 5701));
        assert!((products[3].ln() - sums[3]).abs() < 1e-12);
        assert!(products[5700] == 0.0 || products[5700].is_nan(), "{}", products[5700]);
        assert!(sums[5700].is_finite());
    }
}

#[test]
fn learning_curves_and_samples_are_the_same_for_a_seed() {
    let mut playground = with_table("pima", "diabetes");
    let request = json!({"do": "learning", "sizes": [10, 100, 400], "n_repeats": 5, "seed": 3});
    let answer = well(&mut playground, &request);
    assert_eq!(answer, well(&mut playground, &request));
    let (naive, logistic) = (numbers(&answer["naive_bayes"]), numbers(&answer["logistic"]));
    assert!(naive[2] < naive[0] && logistic[2] < logistic[0] && naive[2] < 0.35, "{answer}");
    well(&mut playground, &json!({"do": "fit"}));
    let sample = |playground: &mut Playground, seed: u64| {
        let request = json!({"do": "sample", "n_rows": 50, "seed": seed});
        ask(playground, &request, b"").1
    };
    let first = sample(&mut playground, 1);
    assert_eq!(doubles(&first).len(), 50 * 9);
    assert_eq!(first, sample(&mut playground, 1));
    assert!(first != sample(&mut playground, 2));
}

#[test]
fn weights_mend_copies_of_a_column() {
    let iris = nb_datasets::load("iris").unwrap();
    let cells: Vec<f64> = (50..150)
        .flat_map(|row| {
            let row_cells = iris.x().row(row).to_vec();
            let copies = [row_cells[1]; 6];
            row_cells.into_iter().chain(copies).chain([(row / 50 - 1) as f64]).collect::<Vec<f64>>()
        })
        .collect();
    let bytes: Vec<u8> = cells.into_iter().flat_map(f64::to_le_bytes).collect();
    let columns: Vec<String> = (0..10).map(|column| format!("x{column}")).collect();
    let request = json!({"do": "points", "columns": columns, "label": "species", "classes": ["versicolor", "virginica"]});
    let mut playground = Playground::default();
    let (value, _) = ask(&mut playground, &request, &bytes);
    assert!(value.get("error").is_none(), "{value}");
    let plain = well(&mut playground, &json!({"do": "measure"}));
    let refined = well(&mut playground, &json!({"do": "measure", "refined": true}));
    let loss = |answer: &Value| answer["model"]["log_loss"].as_f64().unwrap();
    assert!(loss(&refined) < loss(&plain), "{} {}", loss(&refined), loss(&plain));
    let fit = well(&mut playground, &json!({"do": "fit", "refined": true}));
    assert_eq!(fit["refined"], true, "{fit}");
    assert!(fit["columns"][0]["weight"].is_number());
}
