//! What cannot be released is named.

use nb_private::{Budget, Column, Design};
use ndarray::array;

use crate::rng;

const AGE: Column = Column::Number { low: 0.0, high: 110.0 };

#[test]
fn designs_are_checked() {
    let message = |classes: &[&'static str], columns: &[Column]| {
        Design::new(classes.iter().copied(), columns.iter().copied()).unwrap_err().to_string()
    };
    assert_eq!(message(&[], &[AGE]), "there are no classes; name all that a row can have");
    assert_eq!(message(&["b", "a", "b"], &[AGE]), "class 1 of the list is there twice");
    assert_eq!(message(&["a"], &[]), "there are no columns");
    for (low, high) in [(1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-1e308, 1e308)] {
        let found = message(&["a"], &[AGE, Column::Number { low, high }]);
        assert!(found.starts_with("column 1: bounds"), "{found}");
    }
    let none = message(&["a"], &[Column::Categories { n: 0 }]);
    assert_eq!(none, "column 0: 0 categories; there must be from 1 to 1048576");
}

#[test]
fn rows_are_checked_and_nothing_is_spent() {
    let design = Design::new(["a", "b"], [AGE, Column::Categories { n: 2 }]).unwrap();
    let budget = Budget::Pure { epsilon: 1.0 };
    let message = |rows: ndarray::Array2<f64>, labels: &[&str], budget| {
        design.release(&rows, labels, budget, &mut rng(1)).unwrap_err().to_string()
    };
    assert_eq!(message(array![[1.0, 0.0]], &[], budget), "rows: 1, labels: 0; give one label per row");
    let columns = message(array![[1.0]], &["a"], budget);
    assert_eq!(columns, "the design has 2 columns, and the rows have 1");
    let label = message(array![[1.0, 0.0], [1.0, 1.0]], &["a", "c"], budget);
    assert!(label.starts_with("row 1: its label is no class"), "{label}");
    for (cells, column) in [([f64::NAN, 0.0], 0), ([1.0, 2.0], 1), ([1.0, 0.5], 1), ([1.0, -1.0], 1)] {
        let found = message(array![[1.0, 0.0], cells], &["a", "a"], budget);
        assert!(found.starts_with(&format!("row 1, column {column}: ")), "{found}");
    }
    for budget in [0.0, -1.0, f64::NAN, f64::INFINITY, 1025.0] {
        for budget in [Budget::Pure { epsilon: budget }, Budget::Concentrated { rho: budget }] {
            let found = message(array![[1.0, 0.0]], &["a"], budget);
            assert!(found.ends_with("must be above 0 and at most 1024"), "{found}");
        }
    }
    for budget in [Budget::Pure { epsilon: 1e-7 }, Budget::Concentrated { rho: 1e-7 }] {
        let found = message(array![[1.0, 0.0]], &["a"], budget);
        assert!(found.contains("too small for 4 sums"), "{found}");
    }
}
