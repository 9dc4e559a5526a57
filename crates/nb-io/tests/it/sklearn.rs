//! Classifiers of scikit-learn predict the same here.

use ndarray::Array2;

use crate::python;

/// Fits all five estimators to digits, cut to few levels, writes the archives by the documented lines, the
/// rows, and the answers of scikit-learn.
const SCRIPT: &str = r#"
import sys, numpy
from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB, MultinomialNB, BernoulliNB, ComplementNB, CategoricalNB
folder = sys.argv[1]
x, y = load_digits(return_X_y=True)
x, y = (x[:400] // 3)[:, 8:24], y[:400] + 5
numpy.savetxt(f"{folder}/rows.csv", x, delimiter=",")
for model in [GaussianNB(), MultinomialNB(alpha=0.3), BernoulliNB(binarize=1.5), ComplementNB(norm=True), CategoricalNB()]:
    model.fit(x, y)
    lists = {f"feature_log_prob_.{i}": t for i, t in enumerate(getattr(model, "feature_log_prob_", [])) if isinstance(model.feature_log_prob_, list)}
    numpy.savez(f"{folder}/{type(model).__name__}.npz", estimator=type(model).__name__, labels=model.classes_.astype(str), binarize=getattr(model, "binarize", None) or 0.0, **lists, **{k: v for k, v in vars(model).items() if isinstance(v, numpy.ndarray) and v.dtype != object})
    numpy.savetxt(f"{folder}/{type(model).__name__}.csv", model.predict_log_proba(x), delimiter=",", fmt="%.17g")
    numpy.savetxt(f"{folder}/{type(model).__name__}.labels", model.predict(x), fmt="%d")
"#;

fn table(path: &std::path::Path) -> Array2<f64> {
    let text = std::fs::read_to_string(path).expect("reads");
    let rows: Vec<Vec<f64>> = text
        .lines()
        .map(|line| line.split(',').map(|cell| cell.trim().parse().expect("a number")).collect())
        .collect();
    Array2::from_shape_fn((rows.len(), rows[0].len()), |(row, column)| rows[row][column])
}

#[test]
fn fitted_estimators_predict_the_same() {
    let Some(python) = python::python("numpy, sklearn") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    python::run(&python, SCRIPT, &[folder.path()]);
    let rows = table(&folder.path().join("rows.csv"));
    for estimator in ["GaussianNB", "MultinomialNB", "BernoulliNB", "ComplementNB", "CategoricalNB"] {
        let path = |ending: &str| folder.path().join(format!("{estimator}.{ending}"));
        let classifier = nb_io::sklearn::read(path("npz"), nb_io::Limits::default()).expect("reads");
        // As texts, 10 to 14 come before 5 to 9.
        assert_eq!(classifier.classes()[0], "10");
        let labels = std::fs::read_to_string(path("labels")).expect("reads");
        assert_eq!(
            classifier.predict(&rows).expect("scores"),
            labels.lines().collect::<Vec<_>>(),
            "{estimator}"
        );
        let (found, expected) = (classifier.predict_log_proba(&rows).expect("scores"), table(&path("csv")));
        for ((row, class), found) in found.indexed_iter() {
            let expected = expected[[row, (class + 5) % 10]];
            let bound = 1e-10 * (1.0 + expected.abs());
            assert!((found - expected).abs() <= bound, "{estimator}: {found} is not {expected}");
        }
    }
}

#[test]
fn other_archives_are_refused() {
    let Some(python) = python::python("numpy") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"
import sys, numpy
numpy.savez(f"{sys.argv[1]}/other.npz", estimator="SVC", labels=numpy.array(["a"]))
numpy.savez(f"{sys.argv[1]}/short.npz", estimator="GaussianNB", labels=numpy.array(["a", "b"]), theta_=numpy.zeros((1, 2)), var_=numpy.ones((2, 2)))
numpy.savez(f"{sys.argv[1]}/zero.npz", estimator="GaussianNB", labels=numpy.array(["a"]), theta_=numpy.zeros((1, 2)), var_=numpy.zeros((1, 2)), class_prior_=numpy.ones(1))
numpy.savez(f"{sys.argv[1]}/none.npz", x=numpy.zeros(3))
"#;
    python::run(&python, script, &[folder.path()]);
    let error = |name: &str| {
        let read = nb_io::sklearn::read(folder.path().join(name), nb_io::Limits::default());
        read.map(|_| ()).expect_err("no classifier").to_string()
    };
    assert!(error("other.npz").starts_with("\"SVC\" is not one of GaussianNB"));
    assert_eq!(
        error("short.npz"),
        "the array \"theta_\" is not a table of numbers with one row for each class"
    );
    assert!(error("zero.npz").starts_with("a variance is 0 in row 0, column 0; it must be"));
    assert!(error("none.npz").starts_with("the archive has no array \"estimator\""));
}
