//! Columns in which the probability of a class never falls.

use nb_core::{NaiveBayes, Prior};
use nb_discriminative::{ColumnKind, Correction, LabelledRows, LearnError, Learner, Learnt, Refined};
use nb_variants::{Binned, Cuts};
use ndarray::Array2;

fn pima() -> (Array2<f64>, Vec<usize>) {
    let data = nb_datasets::load("pima").expect("embedded");
    (data.x(), data.labels.clone())
}

fn learn(x: &Array2<f64>, y: &[usize], rising: &[Option<usize>]) -> Learnt {
    let features = vec![ColumnKind::Numbers; x.ncols()];
    let rows = LabelledRows::new(x, &features, y, 2).with_rising(rising);
    Learner::default().learn_from(&rows).expect("numbers")
}

/// What a correction adds to the log-odds of a class at each of its bins.
fn log_odds(correction: &Correction, class: usize) -> Vec<f64> {
    correction.levels().chunks_exact(2).map(|bin| bin[class] - bin[1 - class]).collect()
}

#[test]
fn what_a_column_adds_never_falls_for_its_class() {
    let (x, y) = pima();
    let free = learn(&x, &y, &[None; 8]);
    let is_monotone = |values: &[f64], class: usize| {
        let of_class = |pair: &[f64]| if class == 1 { pair[0] <= pair[1] } else { pair[0] >= pair[1] };
        values.windows(2).all(of_class)
    };
    for class in [0, 1] {
        let bound = learn(&x, &y, &[Some(class); 8]);
        assert!(free.refinement.corrections.iter().any(|free| !is_monotone(&log_odds(free, 1), class)));
        for (column, correction) in bound.refinement.corrections.iter().enumerate() {
            assert_eq!(correction.rising(), Some(class));
            assert_eq!(bound.refinement.weights[column], 0.0);
            assert!(is_monotone(&log_odds(correction, 1), class), "{column}: {correction:?}");
            assert!(correction.line().is_none());
        }
        assert!(bound.refinement.pairs.is_empty());
    }
}

#[test]
fn columns_that_do_rise_lose_nothing_and_columns_that_fall_say_nothing() {
    let (x, y) = pima();
    let free = learn(&x, &y, &[None; 8]).summary;
    // Glucose, body mass and pedigree are known to raise the risk.
    let risks = [None, Some(1), None, None, None, Some(1), Some(1), None];
    let rising = learn(&x, &y, &risks).summary;
    assert!(rising.held_out < free.held_out + 0.01, "{free:?} {rising:?}");
    let against = learn(&x, &y, &risks.map(|class| class.map(|_| 0)));
    assert!(against.summary.held_out > free.held_out + 0.03, "{free:?} {:?}", against.summary);
    // The probability of the class falls with glucose as far as rows say anything; a constant remains.
    let glucose = log_odds(&against.refinement.corrections[1], 0);
    let span = glucose.last().unwrap() - glucose[0];
    assert!((0.0..0.2).contains(&span), "{glucose:?}");
}

#[test]
fn posteriors_never_fall_whatever_the_other_cells_are() {
    let (x, y) = pima();
    let rising = [None, Some(1), None, None, None, Some(1), None, Some(0)];
    let learnt = learn(&x, &y, &rising);
    let cuts = Cuts::new(learnt.cuts.clone()).expect("cuts");
    let model = Refined { model: Binned::new(cuts), refinement: learnt.refinement };
    let classifier = NaiveBayes { model, prior: Prior::Empirical }.fit(&x, &y).expect("rows");
    for (column, class) in [(1, 1), (5, 1), (7, 0)] {
        for row in (0..768).step_by(97) {
            let mut rows = Array2::from_shape_fn((200, 8), |(_, other)| x[[row, other]]);
            for (number, cell) in rows.column_mut(column).iter_mut().enumerate() {
                *cell = number as f64;
            }
            let odds = classifier.predict_log_proba(&rows).expect("rows");
            let odds = odds.rows().into_iter().map(|row| row[class] - row[1 - class]).collect::<Vec<_>>();
            assert!(odds.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12), "{column}: {odds:?}");
        }
    }
}

#[test]
fn only_numbers_rise_and_only_for_one_of_two_classes() {
    let (x, y) = pima();
    let of = |features: &[ColumnKind], rising: &[Option<usize>], n_classes| {
        let rows = LabelledRows::new(&x, features, &y, n_classes).with_rising(rising);
        Learner::default().learn_from(&rows).unwrap_err()
    };
    let numbers = [ColumnKind::Numbers; 8];
    let mut rising = [None; 8];
    assert!(matches!(of(&numbers, &rising[1..], 2), LearnError::Features { columns: 8, features: 7 }));
    rising[3] = Some(1);
    assert!(matches!(of(&numbers, &rising, 3), LearnError::RisingClasses { column: 3, n_classes: 3 }));
    let mut others = numbers;
    others[3] = ColumnKind::Ignored;
    assert!(matches!(of(&others, &rising, 2), LearnError::RisingKind { column: 3 }));
    rising[3] = Some(2);
    assert!(matches!(of(&numbers, &rising, 2), LearnError::RisingClasses { column: 3, .. }));
}
