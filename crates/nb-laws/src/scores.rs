//! Laws of the scores.

use nb_core::{
    Blocks, Classifier, CsrView, FeatureModel, Likelihood, NaiveBayes, Prior, SufficientStats,
    error::PredictError,
    family::{BoxedModel, ClassSums, SumForm},
};
use ndarray::{Array2, Axis, concatenate};
use proptest::{prop_assert, prop_assert_eq, test_runner::TestCaseError};

use crate::{
    Case, Outcome,
    statistics::{csr, fail, with_and_without_zeros},
};

type Law<M> = fn(&M, &Case) -> Outcome;

/// All laws, by name.
pub(crate) fn laws<M: FeatureModel>() -> Vec<(&'static str, Law<M>)> {
    vec![
        ("scores are the sum of their explanation, or have none", explanations_add_up),
        ("posteriors are distributions, never NaN", posteriors_are_distributions),
        ("sparse rows, and the zeros that they do not store, score as dense rows", sparse_scores_as_dense),
        ("renaming the classes renames the answers", relabelling_relabels),
        ("sums score as the rows behind them", sums_score_as_rows),
    ]
}

/// A classifier, unless the rows do not determine one, which is not what these laws are about.
fn fit<M: FeatureModel>(model: &M, case: &Case) -> Option<Classifier<u8, M::Fitted>>
where
    M::Fitted: Likelihood,
{
    NaiveBayes { model, prior: Prior::Uniform }.fit(&case.rows, &case.labels).ok()
}

/// What rounding may do to a score: a few units in the last place of its terms.
fn tolerance<F: Likelihood>(
    classifier: &Classifier<u8, F>,
    rows: &Array2<f64>,
    row: usize,
) -> Result<f64, TestCaseError> {
    if !classifier.likelihood().is_additive() {
        let joint =
            classifier.joint_log_likelihood(&rows.select(Axis(0), &[row])).map_err(|error| fail(&error))?;
        let scores = joint.iter().filter(|score| score.is_finite());
        return Ok(1e-13 * (1.0 + scores.map(|score| score.abs()).sum::<f64>()));
    }
    let explanation = classifier.explain(rows, row).map_err(|error| fail(&error))?;
    let of_columns = explanation.interactions.iter().flat_map(|interaction| &interaction.contributions);
    let terms = explanation.contributions.iter().chain(&explanation.log_prior).chain(of_columns);
    Ok(1e-14 * (1.0 + terms.filter(|term| term.is_finite()).map(|term| term.abs()).sum::<f64>()))
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance
}

fn explanations_add_up<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let Some(classifier) = fit(model, case) else { return Ok(()) };
    if !classifier.likelihood().is_additive() {
        let refused = classifier.explain(&case.rows, 0).map(|_| ());
        prop_assert!(refused == Err(PredictError::NotAdditive) || case.n_rows() == 0, "{refused:?}");
        return Ok(());
    }
    let joint = classifier.joint_log_likelihood(&case.rows).map_err(|error| fail(&error))?;
    for row in 0..case.n_rows() {
        let explanation = classifier.explain(&case.rows, row).map_err(|error| fail(&error))?;
        let tolerance = tolerance(&classifier, &case.rows, row)?;
        for class in 0..explanation.classes.len() {
            let together =
                explanation.interactions.iter().map(|interaction| interaction.contributions[class]);
            let by_column = explanation.contributions.row(class).sum();
            let sum = explanation.log_prior[class] + by_column + together.sum::<f64>();
            prop_assert!(close(sum, joint[[row, class]], tolerance), "{sum} is not {}", joint[[row, class]]);
            prop_assert_eq!(explanation.joint_log_likelihood[class], joint[[row, class]]);
        }
    }
    Ok(())
}

/// But for a term of the rows alone, which is the same for all classes.
fn sums_score_as_rows<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let Some(classifier) = fit(model, case) else { return Ok(()) };
    let n_columns = case.rows.ncols();
    let mut stats = SufficientStats::new(model, n_columns).map_err(|error| fail(&error))?;
    let labels = vec![(); case.n_rows()];
    stats.update_weighted(model, &case.rows, &labels, &case.weights).map_err(|error| fail(&error))?;
    let form = classifier.likelihood().of_sums();
    if let Some(layout) = form.and_then(SumForm::sum_layout) {
        prop_assert_eq!(&layout, stats.layout());
    }
    if !classifier.likelihood().is_additive() {
        prop_assert!(form.is_none());
        return Ok(());
    }
    let weights = stats.class_weights();
    let (Some(weight), Some(parts)) = (weights.first(), stats.class_sums().next()) else { return Ok(()) };
    let mut of_rows = vec![(0.0, 0.0); classifier.classes().len()];
    for (row, &weight) in case.weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        let explanation = classifier.explain(&case.rows, row).map_err(|error| fail(&error))?;
        for (class, (score, size)) in of_rows.iter_mut().enumerate() {
            for term in explanation.contributions.row(class) {
                *score += weight * term;
                *size += weight * term.abs();
            }
        }
    }
    let mut first: Option<(f64, f64)> = None;
    for (class, &(score, size)) in of_rows.iter().enumerate() {
        let sums = ClassSums::new(weight, parts);
        let Some(of_sums) = form.and_then(|form| form.log_likelihood_of_sums(class, &sums)) else { break };
        if score.is_infinite() {
            prop_assert_eq!(of_sums, score);
            continue;
        }
        let (base, base_size) = *first.get_or_insert((score - of_sums, size));
        // Terms below the normal numbers have few digits.
        let tolerance = 1e-13 * (size + base_size + of_sums.abs() + base.abs()) + f64::MIN_POSITIVE;
        prop_assert!(close(of_sums + base, score, tolerance), "{of_sums} + {base} is not {score}");
    }
    Ok(())
}

fn posteriors_are_distributions<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let Some(classifier) = fit(model, case) else { return Ok(()) };
    let joint = classifier.joint_log_likelihood(&case.rows).map_err(|error| fail(&error))?;
    let logs = classifier.predict_log_proba(&case.rows).map_err(|error| fail(&error))?;
    let probabilities = classifier.predict_proba(&case.rows).map_err(|error| fail(&error))?;
    let labels = classifier.try_predict_each(&case.rows).map_err(|error| fail(&error))?;
    prop_assert!(joint.iter().chain(&logs).chain(&probabilities).all(|value| !value.is_nan()));
    for (row, label) in labels.iter().enumerate() {
        let total = probabilities.row(row).sum();
        prop_assert!(close(total, if label.is_some() { 1.0 } else { 0.0 }, 1e-14), "they add up to {total}");
        for (log, probability) in logs.row(row).iter().zip(probabilities.row(row)) {
            prop_assert!(close(log.exp(), *probability, 1e-14 * (1.0 + log.abs()) * probability + 1e-300));
        }
        if let Some(label) = label {
            let class = classifier.classes().iter().position(|known| known == label);
            let most = probabilities.row(row).fold(0.0_f64, |most, &p| most.max(p));
            prop_assert_eq!(class.map(|class| probabilities[[row, class]]), Some(most));
        }
    }
    Ok(())
}

fn sparse_scores_as_dense<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let Some(classifier) = fit(model, case) else { return Ok(()) };
    for rows in with_and_without_zeros(case) {
        let (indptr, indices, values) = csr(&rows);
        let view = CsrView::new(rows.ncols(), &indptr, &indices, &values).map_err(|error| fail(&error))?;
        let sparse = classifier.joint_log_likelihood(&view);
        let dense = match classifier.joint_log_likelihood(&rows) {
            Ok(dense) => dense,
            refused => {
                prop_assert_eq!(sparse, refused);
                continue;
            }
        };
        let sparse = sparse.map_err(|error| fail(&error))?;
        for row in 0..case.n_rows() {
            let tolerance = tolerance(&classifier, &rows, row)?;
            for (a, b) in sparse.row(row).iter().zip(dense.row(row)) {
                prop_assert!(close(*a, *b, tolerance), "sparse {a}, dense {b}");
            }
        }
    }
    Ok(())
}

fn relabelling_relabels<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let Some(classifier) = fit(model, case) else { return Ok(()) };
    // A name that reverses the order.
    let renamed = Case { labels: case.labels.iter().map(|label| 100 - label).collect(), ..case.clone() };
    let Some(other) = fit(model, &renamed) else {
        return Err(TestCaseError::fail("renamed rows cannot be fitted"));
    };
    let joint = classifier.joint_log_likelihood(&case.rows).map_err(|error| fail(&error))?;
    let mut reversed = other.joint_log_likelihood(&case.rows).map_err(|error| fail(&error))?;
    reversed.invert_axis(Axis(1));
    prop_assert_eq!(joint, reversed);
    Ok(())
}

/// One block with all columns scores as the family itself.
pub(crate) fn one_block<M: FeatureModel>(model: &M, boxed: &BoxedModel, case: &Case) -> Outcome {
    let Some(alone) = fit(model, case) else { return Ok(()) };
    let blocks = Blocks::new().with(0..case.rows.ncols(), boxed.clone());
    let Some(block) = fit(&blocks, case) else {
        return Err(TestCaseError::fail("the block cannot be fitted"));
    };
    prop_assert_eq!(alone.joint_log_likelihood(&case.rows), block.joint_log_likelihood(&case.rows));
    Ok(())
}

/// Two blocks score as the sum of their families, also with their columns interleaved.
pub(crate) fn blocks_add_up<M: FeatureModel>(model: &M, boxed: &BoxedModel, case: &Case) -> Outcome {
    let Some(alone) = fit(model, case) else { return Ok(()) };
    let n_columns = case.rows.ncols();
    let doubled =
        concatenate(Axis(1), &[case.rows.view(), case.rows.view()]).map_err(|error| fail(&error))?;
    // Column `j` of the family stands at `2j` in one block and, reordered, at `2j + 1` in the other.
    let order: Vec<usize> = (0..2 * n_columns).map(|column| column / 2 + (column % 2) * n_columns).collect();
    let doubled = doubled.select(Axis(1), &order);
    let blocks = Blocks::new()
        .with((0..n_columns).map(|column| 2 * column), boxed.clone())
        .with((0..n_columns).map(|column| 2 * column + 1), boxed.clone());
    let both = Case { rows: doubled, ..case.clone() };
    let Some(blocks) = fit(&blocks, &both) else {
        return Err(TestCaseError::fail("the blocks cannot be fitted"));
    };
    let once = alone.joint_log_likelihood(&case.rows).map_err(|error| fail(&error))?;
    let twice = blocks.joint_log_likelihood(&both.rows).map_err(|error| fail(&error))?;
    for row in 0..case.n_rows() {
        let tolerance = 2.0 * tolerance(&alone, &case.rows, row)?;
        for class in 0..alone.classes().len() {
            let expected = 2.0 * (once[[row, class]] - alone.log_prior()[class]) + alone.log_prior()[class];
            prop_assert!(
                close(twice[[row, class]], expected, tolerance),
                "{} is not {expected}",
                twice[[row, class]]
            );
        }
    }
    Ok(())
}
