//! Noised sums travel as whatever serde writes.

use nb_core::NaiveBayes;
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
    // Other numbers, of the right lengths.
    let changed = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        change(&mut value);
        serde_json::from_value::<NoisedSums<String>>(value).unwrap_err().to_string()
    };
    assert!(changed(&|value| value["sums"][1][2] = i64::MIN.into()).contains("at most 2^62"));
    assert!(changed(&|value| value["variances"][2] = 1e41.into()).contains("at most 1e40"));
    assert!(changed(&|value| value["releases"] = serde_json::json!([])).contains("there is no release"));
}

/// The largest numbers that are read still have a model.
#[test]
fn extreme_sums_have_a_model() {
    let columns = [Column::Number { low: -1.0, high: 1.0 }, Column::Categories { n: 2 }];
    let design = Design::new([0, 1], columns).unwrap();
    let budget = Budget::Pure { epsilon: 0.3 };
    let sums = design.release(&array![[0.2, 1.0]], &[0], budget, &mut rng(1)).unwrap();
    for sum in [1_i64 << 62, -(1 << 62), 0] {
        for variance in [1e-300, 1e40] {
            let mut value = serde_json::to_value(&sums).unwrap();
            value["sums"] = vec![vec![sum; 5], vec![-sum; 5]].into();
            value["variances"] = vec![variance; 5].into();
            let sums: NoisedSums<i32> = serde_json::from_value(value).unwrap();
            let classifier = NaiveBayes::new(sums.model()).fit_stats(&sums.stats().unwrap()).unwrap();
            let posteriors = classifier.predict_proba(&array![[0.5, 0.0], [-1.0, 1.0]]).unwrap();
            assert!(posteriors.iter().all(|p| (0.0..=1.0).contains(p)), "{sum}, {variance}: {posteriors}");
        }
    }
}
