//! Exported models give the same answers in onnxruntime.

use nb_core::{
    Bernoulli, Categorical, Gaussian, Missing, Multinomial, NaiveBayes, Poisson, Prior, Smoothing,
};
use nb_io::{Family, Model, Schema, onnx};
use nb_linear::{LinearForm, LogisticRegression, SharedGaussian};
use ndarray::{Array2, array};

use crate::{
    examples::{labels, models},
    python,
};

/// Labels and log-posteriors of the rows in a CSV file, one line a row.
const SCRIPT: &str = r"
import sys, numpy, onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1])
rows = numpy.loadtxt(sys.argv[2], delimiter=',', ndmin=2)
label, log_proba = session.run(['label', 'log_proba'], {'X': rows})
for name, logs in zip(label, log_proba):
    print(name, *(repr(float(log)) for log in logs), sep='\t')
";

fn compare(model: &Model, rows: &Array2<f64>) {
    let classifier = model.classifier().expect("fits");
    let logs = classifier.predict_log_proba(rows).expect("scores");
    compare_answers(
        &model.to_onnx(onnx::Inputs::Matrix).expect("exports"),
        rows,
        &classifier.predict(rows).expect("scores"),
        &logs,
    );
}

/// Runs the graph on rows and compares labels and log-posteriors.
fn compare_answers(graph: &[u8], rows: &Array2<f64>, names: &[String], logs: &Array2<f64>) {
    let Some(python) = python::python("numpy, onnxruntime") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (model, table) = (folder.path().join("model.onnx"), folder.path().join("rows.csv"));
    std::fs::write(&model, graph).expect("writes");
    let line =
        |row: ndarray::ArrayView1<'_, f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let text: Vec<String> = rows.rows().into_iter().map(line).collect();
    std::fs::write(&table, text.join("\n")).expect("writes");

    let output = python::run(&python, SCRIPT, &[&model, &table]);
    assert_eq!(output.lines().count(), rows.nrows(), "{output}");
    for ((line, name), logs) in output.lines().zip(names).zip(logs.rows()) {
        let mut fields = line.split('\t');
        assert_eq!(fields.next(), Some(name.as_str()), "{line}");
        for (field, log) in fields.zip(logs) {
            let found: f64 = field.parse().expect("a number");
            let bound = 1e-12 * (1.0 + log.abs());
            assert!((found - log).abs() <= bound, "{found} is not {log}");
        }
    }
}

/// Every linear family by way of its linear form, and logistic regression.
#[test]
fn linear_forms_score_alike() {
    let rows = array![[0.0, 1.0], [3.0, 0.0], [1.0, 2.0], [2.0, 0.0]];
    let names = ["left", "right"].map(String::from);
    let compare = |form: &LinearForm<String>| {
        let graph = onnx::from_linear_form(form, &names).expect("exports");
        let logs = form.predict_log_proba(&rows).expect("scores");
        compare_answers(&graph, &rows, &form.predict(&rows).expect("scores"), &logs);
    };
    let y = labels(["a", "b", "a", "b", "a"]);
    let x = array![[0.0, 1.0], [1.0, 2.0], [3.0, 0.0], [2.0, 2.0], [1.0, 0.0]];
    compare(&LogisticRegression::default().fit(&x, &y).expect("fits"));
    let three = labels(["a", "b", "c", "b", "a"]);
    compare(&LogisticRegression::default().fit(&x, &three).expect("fits"));
    compare(&LinearForm::new(&NaiveBayes::new(SharedGaussian::default()).fit(&x, &three).expect("fits")));
    compare(&LinearForm::new(&NaiveBayes::new(Bernoulli::default()).fit(&x, &three).expect("fits")));
    compare(&LinearForm::new(&NaiveBayes::new(Poisson::default()).fit(&x, &three).expect("fits")));
    compare(&LinearForm::new(&NaiveBayes::new(Categorical::default()).fit(&x, &three).expect("fits")));
    let form = LogisticRegression::default().fit(&x, &y).expect("fits");
    assert_eq!(
        onnx::from_linear_form(&form, &names[..1]),
        Err(onnx::OnnxError::Names { found: 1, n_columns: 2 })
    );
}

#[test]
fn every_family_scores_alike() {
    for model in models() {
        compare(&model, &array![[0.0, 1.0], [3.0, 0.0], [1.0, 2.0], [2.0, 0.0]]);
    }
}

#[test]
fn missing_cells_are_skipped_alike() {
    let mut skipping = models();
    skipping.retain(|model| match model.family() {
        Family::Gaussian(family) => family.missing == Missing::Skip,
        Family::Multinomial(family) => family.missing == Missing::Skip,
        Family::Complement(family) => family.missing == Missing::Skip,
        Family::Bernoulli(family) => family.missing == Missing::Skip,
        Family::Poisson(family) => family.missing == Missing::Skip,
        _ => false,
    });
    assert_eq!(skipping.len(), 5);
    let categorical = Categorical { missing: Missing::Skip, ..Categorical::default() };
    let schema = Schema::numeric(["a", "b"], "y");
    let mut model =
        Model::new(schema, Family::Categorical(categorical), Prior::Empirical).expect("they fit together");
    model.update(&array![[0.0, 2.0], [1.0, 0.0]], &labels(["x", "y"])).expect("valid rows");
    for model in skipping.into_iter().chain([model]) {
        compare(&model, &array![[f64::NAN, 2.0], [1.0, f64::NAN], [f64::NAN, f64::NAN]]);
    }
}

#[test]
fn pairs_lines_and_absent_texts_score_alike() {
    let nothing = f64::NAN;
    let rows = array![
        [9.0, 2.0, 1.0, 0.0],
        [-3.0, 0.0, 0.0, 0.0],
        [40.0, 1.0, 0.0, 2.0],
        [nothing, 2.0, 1.0, 1.0],
        [4.0, nothing, 0.0, 0.0],
        [nothing, nothing, 0.0, 0.0],
        // A colour that was never seen.
        [4.0, 3.0, 1.0, 0.0]
    ];
    compare(&crate::together::model(["blue", "red", "white"]), &rows);
}

#[test]
fn huge_offsets_keep_their_digits() {
    let schema = Schema::numeric(["x"], "y");
    let mut model =
        Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Uniform).expect("they fit together");
    let x = array![[1e9], [1e9 + 1.0], [1e9 + 3.0], [1e9 + 5.0]];
    model.update(&x, &labels(["a", "a", "b", "b"])).expect("valid rows");
    compare(&model, &array![[1e9 + 0.25], [1e9 + 2.0], [1e9 + 4.5]]);
}

#[test]
fn impossible_rows_cannot_be_exported() {
    let exact = Smoothing::MAXIMUM_LIKELIHOOD;
    let families = [
        Family::Multinomial(Multinomial { smoothing: exact.clone(), ..Multinomial::default() }),
        Family::Poisson(Poisson { smoothing: exact, ..Poisson::default() }),
    ];
    for family in families {
        let mut model =
            Model::new(Schema::numeric(["a", "b"], "y"), family, Prior::Uniform).expect("they fit together");
        model.update(&array![[1.0, 0.0], [0.0, 1.0]], &labels(["x", "y"])).expect("valid rows");
        assert!(matches!(model.to_onnx(onnx::Inputs::Matrix), Err(onnx::OnnxError::Impossible { .. })));
    }
}
