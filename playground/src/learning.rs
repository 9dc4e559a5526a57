//! Naive Bayes and logistic regression on training sets that grow: Ng and Jordan (2002), *On discriminative
//! vs. generative classifiers*, NIPS 14.

use nb_core::NaiveBayes;
use nb_io::Kind;
use nb_linear::{LinearForm, LogisticRegression, SharedGaussian};
use ndarray::{Array2, Axis};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::{Problem, table::Table};

const MOST_REPEATS: usize = 200;

/// For each size the mean share of wrong labels among rows that were held out (a third of them, dealt again
/// in each repeat). Both models are linear: naive Bayes has shared variances. Rows with missing cells are
/// left out.
pub(crate) fn learning(
    table: &Table,
    sizes: &[usize],
    n_repeats: usize,
    seed: u64,
) -> Result<Value, Problem> {
    let columns = table.schema.columns.iter().enumerate();
    let places: Vec<usize> = columns
        .filter(|(_, column)| !matches!(column.kind, Kind::Categorical { .. }))
        .map(|(place, _)| place)
        .collect();
    if places.is_empty() || table.classes.len() < 2 {
        return Err(Problem::new("a curve needs a column of numbers and two classes"));
    }
    let rows = table.rows.select(Axis(1), &places);
    let complete =
        rows.rows().into_iter().enumerate().filter(|(_, row)| row.iter().all(|cell| cell.is_finite()));
    let complete: Vec<usize> = complete.map(|(row, _)| row).collect();
    let n_test = complete.len() / 3;
    let mut errors = vec![[0.0; 2]; sizes.len()];
    let mut counts = vec![0.0_f64; sizes.len()];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..n_repeats.min(MOST_REPEATS) {
        let mut order = complete.clone();
        shuffle(&mut order, &mut rng);
        let (test, train) = order.split_at(n_test);
        let part = |numbers: &[usize]| -> (Array2<f64>, Vec<usize>) {
            (rows.select(Axis(0), numbers), numbers.iter().map(|&row| table.labels[row]).collect())
        };
        let test = part(test);
        for (place, &size) in sizes.iter().enumerate() {
            let own = part(&train[..size.min(train.len())]);
            // A sample without some class says nothing of it.
            if size > train.len() || (0..table.classes.len()).any(|class| !own.1.contains(&class)) {
                continue;
            }
            let naive = NaiveBayes::new(SharedGaussian::default()).fit(&own.0, &own.1);
            let logistic = LogisticRegression::default().fit(&own.0, &own.1);
            let (Ok(naive), Ok(logistic)) = (naive, logistic) else { continue };
            for (sum, form) in errors[place].iter_mut().zip([LinearForm::new(&naive), logistic]) {
                let labels = form.predict(&test.0)?;
                let n_wrong = labels.iter().zip(&test.1).filter(|(label, truth)| label != truth).count();
                *sum += n_wrong as f64 / n_test as f64;
            }
            counts[place] += 1.0;
        }
    }
    let mean = |which: usize| -> Vec<Option<f64>> {
        let all = errors.iter().zip(&counts);
        all.map(|(sums, &count)| (count > 0.0).then(|| sums[which] / count)).collect()
    };
    Ok(json!({"naive_bayes": mean(0), "logistic": mean(1), "counts": counts, "n_test": n_test}))
}

/// Fisher and Yates, by 64-bit products.
fn shuffle(order: &mut [usize], rng: &mut impl Rng) {
    for last in (1..order.len()).rev() {
        let drawn = (u128::from(rng.next_u64()) * (last as u128 + 1)) >> 64;
        order.swap(last, drawn as usize);
    }
}
