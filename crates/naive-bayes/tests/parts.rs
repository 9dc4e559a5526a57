//! Each part is there under its feature, and all have the types of one library.

use naive_bayes::{Gaussian, NaiveBayes, ndarray::array};

#[test]
fn the_root_is_enough_for_a_classifier() {
    let x = array![[1.0, 5.0], [2.0, 6.0], [8.0, 1.0], [9.0, 2.0]];
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["a", "a", "b", "b"]).unwrap();
    assert_eq!(classifier.predict(&array![[1.5, 5.0]]).unwrap(), ["a"]);
}

#[cfg(feature = "linear")]
#[test]
fn a_shared_gaussian_is_linear() {
    use naive_bayes::linear::{LinearForm, SharedGaussian};

    let x = array![[1.0, 5.0], [2.0, 6.0], [8.0, 1.0], [9.0, 2.0]];
    let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &["a", "a", "b", "b"]).unwrap();
    assert_eq!(LinearForm::new(&classifier).predict(&x).unwrap(), classifier.predict(&x).unwrap());
}

#[cfg(feature = "io")]
#[test]
fn models_take_families_of_the_root() {
    use naive_bayes::{
        Prior,
        io::{Family, Model, Schema},
    };

    let schema = Schema::numeric(["length"], "species");
    let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical).unwrap();
    let labels = ["a", "a", "b", "b"].map(String::from);
    model.update(&array![[1.0], [2.0], [8.0], [9.0]], &labels).unwrap();
    assert_eq!(model.classifier().unwrap().predict(&array![[1.5]]).unwrap(), ["a"]);
}

#[cfg(all(feature = "calibration", feature = "datasets", feature = "variants"))]
#[test]
fn a_variant_on_a_data_set_is_calibrated() {
    use naive_bayes::{
        Missing,
        calibration::{Calibrated, Calibration},
        datasets,
        variants::KernelDensity,
    };

    let iris = datasets::load("iris").unwrap();
    let kernel = KernelDensity::for_rows(&iris.x(), KernelDensity::POINTS, Missing::Error).unwrap();
    let calibrated = Calibrated::new(NaiveBayes::new(kernel), Calibration::Temperature, 5);
    let classifier = calibrated.fit(&iris.x(), &iris.y()).unwrap();
    assert_eq!(classifier.predict_proba(&iris.x()).unwrap().dim(), (150, 3));
}
