//! One error for everything, which keeps what, where and in which file.

use std::error::Error as _;
use std::path::Path;

use nb_core::{Gaussian, Prior};
use nb_io::read::{Place, Svmlight, train};
use nb_io::{Error, Family, Model, Schema};

fn learn(text: &str, path: &Path) -> Result<(), Error> {
    let schema = Schema::numbered(2, "label");
    let mut model = Model::new(schema.clone(), Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    train(&mut model, &mut Svmlight::default().read_from(text.as_bytes(), "few.svm", &schema)?)?;
    model.save(path)?;
    let loaded = Model::load(path)?;
    loaded.classifier()?.predict(&ndarray::array![[0.0, 0.0]])?;
    Ok(())
}

#[test]
fn every_step_has_the_same_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, nowhere) = (folder.path().join("model.nb"), folder.path().join("none").join("model.nb"));
    let good = "a 1:1\na 1:2 2:3\nb 1:7\nb 1:8 2:1\n";
    learn(good, &path).expect("works");

    let error = learn("a 1:1\nb 1:x\n", &path).expect_err("no number");
    assert_eq!((error.file(), error.place()), (Some(Path::new("few.svm")), Some(Place::Line(2))));
    let error = learn(good, &nowhere).expect_err("no folder");
    assert_eq!(error.file(), Some(&*nowhere));
    let error = Error::from(Model::load(&nowhere).expect_err("no file"));
    assert_eq!(error.file(), Some(&*nowhere));
    // A cause is in the text or in `source`, and not in both: a program that prints all causes repeats
    // nothing.
    let mut texts = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        assert!(!texts.concat().contains(&error.to_string()), "{texts:?} {error}");
        texts.push(error.to_string());
        cause = error.source();
    }
}
