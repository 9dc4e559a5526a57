//! What is said about results.

use nb_significance::{
    Better, ConclusionError, PairwisePValues, Zeros, corrected_resampled_t, friedman, mcnemar, nemenyi,
    rank_p_values, wilcoxon,
};

use crate::demsar;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const NAMES: [&str; 4] = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"];

#[test]
fn of_the_example_of_demsar() -> Outcome {
    let test = demsar::test()?;
    let pairs = nemenyi(&test, 0.10)?.p_values;
    assert_eq!(
        test.conclusion(&NAMES, &pairs, "Nemenyi's test", 0.10)?,
        "Over 14 data sets the ranks of 4 classifiers differ (Friedman χ² = 10.228, p = 0.017); at α = 0.1, by Nemenyi's \
         test, C4.5+m+cf ranks above C4.5; C4.5+m ranks above C4.5; no other pair differs significantly."
    );
    assert_eq!(
        test.conclusion(&NAMES, &rank_p_values(&test), "Holm's procedure", 0.05)?,
        "Over 14 data sets the ranks of 4 classifiers differ (Friedman χ² = 10.228, p = 0.017); at α = 0.05 Holm's \
         procedure does not show between which of them."
    );
    assert_eq!(
        test.conclusion(&NAMES, &pairs, "Nemenyi's test", 0.01)?,
        "Over 14 data sets the data do not show that the ranks of 4 classifiers differ (Friedman χ² = 10.228, p = 0.017)."
    );
    Ok(())
}

#[test]
fn of_pairs_that_all_differ() -> Outcome {
    let test = friedman(&[[0.9, 0.7, 0.8]; 9], Better::Larger)?;
    let all = PairwisePValues::new(3, vec![0.001; 3])?;
    let text = test.conclusion(&["A", "B", "C"], &all, "Wilcoxon's test", 0.05)?;
    assert!(
        text.ends_with(
            "p < 0.001); at α = 0.05, by Wilcoxon's test, A ranks above C and B; C ranks above B."
        ),
        "{text}"
    );
    Ok(())
}

#[test]
fn of_folds() -> Outcome {
    let (first, second) = ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.77, 0.80, 0.79, 0.78]);
    let test = corrected_resampled_t(&first, &second, 1.0 / 9.0, 0.95)?;
    let end = "(corrected resampled t-test over 5 splits, p = 0.018); the 95 % interval of the difference, A less B, is from \
               0.008 to 0.048.";
    assert_eq!(
        test.conclusion(["A", "B"], "accuracy", Better::Larger),
        format!("At α = 0.05 A is better than B in accuracy {end}")
    );
    assert_eq!(
        test.conclusion(["A", "B"], "log-loss", Better::Smaller),
        format!("At α = 0.05 B is better than A in log-loss {end}")
    );
    Ok(())
}

#[test]
fn of_folds_without_variance() -> Outcome {
    let same = corrected_resampled_t(&[0.5, 0.6], &[0.5, 0.6], 0.1, 0.95)?;
    assert_eq!(
        same.conclusion(["A", "B"], "accuracy", Better::Larger),
        "A and B have the same accuracy on all 2 splits; this shows no difference, and it does not show that they are equal."
    );
    let moved = corrected_resampled_t(&[0.5, 0.6], &[0.4, 0.5], 0.1, 0.95)?;
    assert_eq!(
        moved.conclusion(["A", "B"], "accuracy", Better::Larger),
        "All 2 differences in accuracy, A less B, are 0.100; without any variance among them the t-test has nothing to judge \
         by."
    );
    Ok(())
}

#[test]
fn of_rows() -> Outcome {
    assert_eq!(
        mcnemar(3, 4, 0.95)?.conclusion(["A", "B"]),
        "The data do not show a difference between A and B in accuracy: of 7 rows that only one of them got right, A got 3 \
         and B 4 (McNemar's test, mid-p-value, p = 0.727)."
    );
    assert!(mcnemar(1, 0, 0.95)?.conclusion(["A", "B"]).contains("of 1 row that"));
    assert!(mcnemar(0, 0, 0.95)?.conclusion(["A", "B"]).contains("does not show that they are equal"));
    let second = mcnemar(2, 30, 0.99)?.conclusion(["A", "B"]);
    assert!(second.starts_with("At α = 0.01 B is right more often than A: of 32 rows"), "{second}");
    Ok(())
}

#[test]
fn of_data_sets() -> Outcome {
    let column = |classifier: usize| demsar::AUC.iter().map(|scores| scores[classifier]).collect::<Vec<_>>();
    let test = wilcoxon(&column(0), &column(1), Zeros::Split)?;
    let figures = "(Wilcoxon signed-rank test over 14 data sets, p = 0.008)";
    assert_eq!(
        test.conclusion(["C4.5", "C4.5+m"], "AUC", Better::Larger, 0.05)?,
        format!(
            "At α = 0.05 C4.5+m is better than C4.5 in AUC {figures}: C4.5+m is better on 10, worse on 2 and as good on 2."
        )
    );
    assert_eq!(
        test.conclusion(["C4.5", "C4.5+m"], "loss", Better::Smaller, 0.05)?,
        format!(
            "At α = 0.05 C4.5 is better than C4.5+m in loss {figures}: C4.5 is better on 10, worse on 2 and as good on 2."
        )
    );
    assert_eq!(
        test.conclusion(["C4.5", "C4.5+m"], "AUC", Better::Larger, 0.001)?,
        format!(
            "The data do not show a difference between C4.5 and C4.5+m in AUC {figures}: C4.5 is better on 2, worse on 10 and \
             as good on 2."
        )
    );
    Ok(())
}

#[test]
fn refused() -> Outcome {
    let test = friedman(&[[0.9, 0.7], [0.6, 0.5]], Better::Larger)?;
    let pairs = rank_p_values(&test);
    let names = test.conclusion(&["A"], &pairs, "a test", 0.05);
    assert_eq!(names, Err(ConclusionError::Names { found: 1, n_classifiers: 2 }));
    let others = PairwisePValues::new(3, vec![0.5; 3])?;
    let refused = test.conclusion(&["A", "B"], &others, "a test", 0.05);
    assert_eq!(refused, Err(ConclusionError::PValues { found: 3, n_classifiers: 2 }));
    assert!(test.conclusion(&["A", "B"], &pairs, "a test", f64::NAN).is_err());
    assert!(
        wilcoxon(&[1.0], &[2.0], Zeros::Split)?.conclusion(["A", "B"], "AUC", Better::Larger, 1.0).is_err()
    );
    Ok(())
}
