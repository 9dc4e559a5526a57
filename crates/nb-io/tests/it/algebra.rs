//! Models merge, also when they learnt their categories in another order.

use nb_io::{MergeError, Model};
use ndarray::array;

use crate::examples::{flowers, labels, models};

/// Rows of colour names.
fn train(model: &mut Model, rows: &[(f64, &str, &str)]) {
    let nb_io::Kind::Categorical { levels } = model.schema().columns[1].kind.clone() else {
        panic!("a category")
    };
    for (petal, colour, species) in rows {
        let code = levels.iter().position(|level| level == colour).expect("a known colour") as f64;
        model.update(&array![[*petal, code]], &labels([*species])).expect("a valid row");
    }
}

#[test]
fn categories_are_matched_by_name() {
    let monday = [(1.0, "red", "rose"), (2.0, "white", "lily"), (1.5, "red", "rose")];
    let tuesday = [(2.5, "white", "lily"), (1.25, "white", "rose")];
    let mut a = flowers(["red", "white"]);
    train(&mut a, &monday);
    let mut b = flowers(["white", "red"]);
    train(&mut b, &tuesday);
    let mut c = flowers(["white", "blue"]);
    train(&mut c, &[(9.0, "blue", "iris")]);

    let mut both = a.clone();
    both.merge(&b).expect("the same columns");
    let mut expected = flowers(["red", "white"]);
    train(&mut expected, &monday);
    train(&mut expected, &tuesday);
    assert_eq!(both, expected);

    // Commutative and associative, also with a category that only one of them knows.
    let mut left = both.clone();
    left.merge(&c).expect("the same columns");
    let mut right = c.clone();
    right.merge(&b).expect("the same columns");
    right.merge(&a).expect("the same columns");
    assert_eq!(left, right);

    left.subtract(&c).expect("it was merged");
    assert_eq!(left.stats().class_weights(), both.stats().class_weights());
    assert_eq!(left.classifier().expect("fits").predict(&array![[1.1, 1.0]]).expect("scores"), ["rose"]);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let models = models();
    let mut gaussian = models[0].clone();
    assert!(matches!(gaussian.merge(&models[5]), Err(MergeError::Mismatch(_))));
    assert!(matches!(gaussian.merge(&flowers(["a", "b"])), Err(MergeError::Schema(_))));
    let before = gaussian.clone();
    let mut twice = gaussian.clone();
    twice.merge(&gaussian).expect("the same model");
    assert!(matches!(gaussian.subtract(&twice), Err(MergeError::Removal(_))));
    assert_eq!(gaussian, before);
}
