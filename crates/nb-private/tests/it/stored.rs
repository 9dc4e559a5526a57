//! Noised sums travel as whatever serde writes.

use nb_private::{Budget, Column, Design, NoisedSums};
use ndarray::array;

use crate::rng;

#[test]
fn what_is_read_is_what_was_written_or_an_error() {
    let columns = [Column::Number { low: 0.0, high: 1.0 }, Column::Categories { n: 2 }];
    let design = Design::new(["a".to_owned(), "b".to_owned()], columns).unwrap();
    let labels = ["a", "b"].map(str::to_owned);
    let budget = Budget::Pure { epsilon: 0.3 };
    let sums = design.release(&array![[0.2, 1.0], [0.9, 0.0]], &labels, budget, &mut rng(1)).unwrap();
    let text = serde_json::to_string(&sums).unwrap();
    assert_eq!(serde_json::from_str::<NoisedSums<String>>(&text).unwrap(), sums);
    let broken = |from: &str, to: &str| {
        let text = text.replacen(from, to, 1);
        serde_json::from_str::<NoisedSums<String>>(&text).unwrap_err().to_string()
    };
    assert!(broken(r#"["a","b"]"#, r#"["b","a"]"#).contains("not sorted"));
    assert!(broken(r#"["a","b"]"#, r#"["a"]"#).contains("there must be 1 lists of 5 sums"));
    assert!(broken(r#""high":1.0"#, r#""high":0.0"#).contains("column 0: bounds"));
    assert!(broken(r#""variances":["#, r#""variances":[-1.0,"#).contains("5 variances"));
    assert!(broken(r#""epsilon":0.3"#, r#""epsilon":-0.3"#).contains("what was spent"));
    assert!(broken(r#""spent""#, r#""rows":[],"spent""#).contains("unknown field"));
}
