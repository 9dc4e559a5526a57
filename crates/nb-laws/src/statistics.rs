//! Laws of the sufficient statistics. All hold bit for bit.

use nb_core::{
    CsrView, FeatureModel, NaiveBayes, SufficientStats,
    error::{FamilyError, FamilyProblem, FitError},
};
use ndarray::{Array2, Axis, ShapeBuilder, s};
use proptest::{prop_assert, prop_assert_eq, test_runner::TestCaseError};

use crate::{Case, Outcome};

type Law<M> = fn(&M, &Case) -> Outcome;

/// All laws, by name.
pub(crate) fn laws<M: FeatureModel>() -> Vec<(&'static str, Law<M>)> {
    vec![
        ("no rows change nothing", identity),
        ("merging is concatenation", merge_is_concatenation),
        ("merging is commutative and associative", merge_is_commutative_and_associative),
        ("the order of rows does not matter", order_does_not_matter),
        ("one row at a time is all rows at once", streaming_is_batch),
        ("retracting restores", retract_restores),
        ("a weight of 2 is twice, of 0 not at all", weights_count),
        ("powers of two scale exactly", scaling_is_exact),
        ("scaling does not make sums impossible", scaling_keeps_sums_possible),
        (
            "removing other rows is refused, or leaves what rows could have left",
            removing_other_rows_is_refused,
        ),
        ("memory order does not matter", memory_order_does_not_matter),
        ("single precision input is its value in double", f32_is_f64),
        ("sparse rows, and the zeros that they do not store, are dense rows", sparse_is_dense),
        ("what is refused changes nothing", refusal_changes_nothing),
    ]
}

pub(crate) fn fail(error: &impl std::error::Error) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

fn empty<M: FeatureModel>(model: &M, case: &Case) -> Result<SufficientStats<u8>, TestCaseError> {
    SufficientStats::new(model, case.rows.ncols()).map_err(|error| fail(&error))
}

/// The weighted statistics of the rows with these numbers.
fn stats_of<M: FeatureModel>(
    model: &M,
    case: &Case,
    rows: &[usize],
) -> Result<SufficientStats<u8>, TestCaseError> {
    let mut stats = empty(model, case)?;
    add(&mut stats, model, case, rows)?;
    Ok(stats)
}

fn add<M: FeatureModel>(stats: &mut SufficientStats<u8>, model: &M, case: &Case, rows: &[usize]) -> Outcome {
    let (labels, weights) = pick(case, rows);
    let rows = case.rows.select(Axis(0), rows);
    stats.update_weighted(model, &rows, &labels, &weights).map_err(|error| fail(&error))
}

fn pick(case: &Case, rows: &[usize]) -> (Vec<u8>, Vec<f64>) {
    rows.iter().map(|&row| (case.labels[row], case.weights[row])).unzip()
}

fn all(case: &Case) -> Vec<usize> {
    (0..case.n_rows()).collect()
}

fn merged(a: &SufficientStats<u8>, b: &SufficientStats<u8>) -> Result<SufficientStats<u8>, TestCaseError> {
    let mut sum = a.clone();
    sum.merge(b).map_err(|error| fail(&error))?;
    Ok(sum)
}

fn identity<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let stats = stats_of(model, case, &all(case))?;
    let nothing = empty(model, case)?;
    prop_assert_eq!(&merged(&stats, &nothing)?, &stats);
    prop_assert_eq!(&merged(&nothing, &stats)?, &stats);
    let mut updated = stats.clone();
    add(&mut updated, model, case, &[])?;
    prop_assert_eq!(updated, stats);
    Ok(())
}

fn merge_is_concatenation<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let rows = all(case);
    let (head, tail) = rows.split_at(case.cut);
    let merged = merged(&stats_of(model, case, head)?, &stats_of(model, case, tail)?)?;
    prop_assert_eq!(merged, stats_of(model, case, &rows)?);
    Ok(())
}

fn merge_is_commutative_and_associative<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let parts: Vec<_> = (0..3)
        .map(|part| {
            stats_of(model, case, &all(case).into_iter().filter(|row| row % 3 == part).collect::<Vec<_>>())
        })
        .collect::<Result<_, _>>()?;
    prop_assert_eq!(merged(&parts[0], &parts[1])?, merged(&parts[1], &parts[0])?);
    let left = merged(&merged(&parts[0], &parts[1])?, &parts[2])?;
    let right = merged(&parts[0], &merged(&parts[1], &parts[2])?)?;
    prop_assert_eq!(left, right);
    Ok(())
}

fn order_does_not_matter<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    prop_assert_eq!(stats_of(model, case, &case.order)?, stats_of(model, case, &all(case))?);
    Ok(())
}

fn streaming_is_batch<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let mut stats = empty(model, case)?;
    for row in all(case) {
        add(&mut stats, model, case, &[row])?;
    }
    prop_assert_eq!(stats, stats_of(model, case, &all(case))?);
    Ok(())
}

fn retract_restores<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let (kept, gone) = case.order.split_at(case.cut);
    let expected = stats_of(model, case, kept)?;
    let mut stats = expected.clone();
    add(&mut stats, model, case, gone)?;
    let both = stats.clone();

    let (labels, weights) = pick(case, gone);
    let rows = case.rows.select(Axis(0), gone);
    stats.retract_weighted(model, &rows, &labels, &weights).map_err(|error| fail(&error))?;
    prop_assert_eq!(&stats, &expected);

    let mut stats = both;
    stats.subtract(&stats_of(model, case, gone)?).map_err(|error| fail(&error))?;
    prop_assert_eq!(stats, expected);
    Ok(())
}

fn weights_count<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let twice: Vec<usize> = all(case).into_iter().flat_map(|row| vec![row; row % 3]).collect();
    let weights: Vec<f64> = all(case).into_iter().map(|row| (row % 3) as f64).collect();
    let mut weighted = empty(model, case)?;
    weighted.update_weighted(model, &case.rows, &case.labels, &weights).map_err(|error| fail(&error))?;
    let mut repeated = empty(model, case)?;
    let (labels, _) = pick(case, &twice);
    repeated.update(model, &case.rows.select(Axis(0), &twice), &labels).map_err(|error| fail(&error))?;
    prop_assert_eq!(weighted, repeated);
    Ok(())
}

fn scaling_is_exact<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let stats = stats_of(model, case, &all(case))?;
    let mut scaled = stats.clone();
    scaled.scale(0.25).map_err(|error| fail(&error))?;
    scaled.scale(8.0).map_err(|error| fail(&error))?;
    prop_assert_eq!(scaled, merged(&stats, &stats)?);
    Ok(())
}

/// Fits, and fails if the reason for an error is that no rows can have the sums.
fn fit_possible<M: FeatureModel>(model: &M, stats: &SufficientStats<u8>) -> Outcome {
    match NaiveBayes::new(model).fit_stats(stats) {
        Err(error @ FitError::Family(FamilyError { problem: FamilyProblem::Impossible { .. }, .. })) => {
            Err(fail(&error))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

fn scaling_keeps_sums_possible<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let mut stats = stats_of(model, case, &all(case))?;
    for step in 0..12 {
        stats.scale(0.9 + 0.007 * f64::from(step)).map_err(|error| fail(&error))?;
        fit_possible(model, &stats)?;
    }
    // Sums that went through rounding can be stored and taken apart like others.
    let gone = stats.clone();
    stats.merge(&gone).map_err(|error| fail(&error))?;
    stats.subtract(&gone).map_err(|error| fail(&error))?;
    prop_assert_eq!(stats, gone);
    Ok(())
}

fn removing_other_rows_is_refused<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let (added, others) = case.order.split_at(case.cut);
    let (before, strangers) = (stats_of(model, case, added)?, stats_of(model, case, others)?);
    let mut stats = before.clone();
    if stats.subtract(&strangers).is_ok() {
        fit_possible(model, &stats)?;
        stats.merge(&strangers).map_err(|error| fail(&error))?;
    }
    prop_assert_eq!(stats, before);
    Ok(())
}

fn memory_order_does_not_matter<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let expected = stats_of(model, case, &all(case))?;
    let mut by_column = Array2::zeros(case.rows.raw_dim().f());
    by_column.assign(&case.rows);
    let mut wide = Array2::zeros((case.n_rows() * 2, case.rows.ncols() + 3));
    wide.slice_mut(s![..;2, 1..=case.rows.ncols()]).assign(&case.rows);
    for view in [by_column.view(), wide.slice(s![..;2, 1..=case.rows.ncols()])] {
        let mut stats = empty(model, case)?;
        stats.update_weighted(model, &view, &case.labels, &case.weights).map_err(|error| fail(&error))?;
        prop_assert_eq!(&stats, &expected);
    }
    Ok(())
}

fn f32_is_f64<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let narrow = case.rows.mapv(|value| value as f32);
    let wide = narrow.mapv(f64::from);
    let (mut from_narrow, mut from_wide) = (empty(model, case)?, empty(model, case)?);
    // Rounding can take a value out of the family's range; then both must refuse alike.
    let narrow = from_narrow.update(model, &narrow, &case.labels);
    prop_assert_eq!(narrow, from_wide.update(model, &wide, &case.labels));
    prop_assert_eq!(from_narrow, from_wide);
    Ok(())
}

/// The three slices of the rows in compressed sparse row form, zeros left out.
pub(crate) fn csr(rows: &Array2<f64>) -> (Vec<i32>, Vec<i32>, Vec<f64>) {
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in rows.rows() {
        for (column, &value) in row.iter().enumerate() {
            if value != 0.0 {
                indices.push(i32::try_from(column).unwrap_or(i32::MAX));
                values.push(value);
            }
        }
        indptr.push(i32::try_from(values.len()).unwrap_or(i32::MAX));
    }
    (indptr, indices, values)
}

/// The rows of a case, and those with zeros in place of some cells, which `values` need not have: what sparse
/// rows do not store.
pub(crate) fn with_and_without_zeros(case: &Case) -> [Array2<f64>; 2] {
    let mut zeroed = case.rows.clone();
    for ((row, column), cell) in zeroed.indexed_iter_mut() {
        // Also whole rows and whole columns of them.
        if row % 4 == 1 || column % 5 == 3 || (row + column) % 3 == 0 {
            *cell = 0.0;
        }
    }
    [case.rows.clone(), zeroed]
}

fn sparse_is_dense<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    for rows in with_and_without_zeros(case) {
        let (indptr, indices, values) = csr(&rows);
        let view = CsrView::new(rows.ncols(), &indptr, &indices, &values).map_err(|error| fail(&error))?;
        let (mut sparse, mut dense) = (empty(model, case)?, empty(model, case)?);
        // A family that refuses zeros must refuse those that are not stored, too.
        let of_sparse = sparse.update_weighted(model, &view, &case.labels, &case.weights);
        prop_assert_eq!(of_sparse, dense.update_weighted(model, &rows, &case.labels, &case.weights));
        prop_assert_eq!(sparse, dense);
    }
    Ok(())
}

fn refusal_changes_nothing<M: FeatureModel>(model: &M, case: &Case) -> Outcome {
    let mut stats = stats_of(model, case, &all(case))?;
    let before = stats.clone();
    let mut rows = case.rows.clone();
    rows.push_row(ndarray::Array1::from_elem(rows.ncols(), f64::INFINITY).view())
        .map_err(|error| fail(&error))?;
    let labels: Vec<u8> = case.labels.iter().copied().chain([200]).collect();
    let refused = stats.update(model, &rows, &labels);
    prop_assert!(refused.is_err(), "an infinite value was accepted");
    prop_assert_eq!(&stats, &before);
    prop_assert!(stats.retract(model, &rows, &labels).is_err());
    prop_assert!(stats.update(model, &case.rows, &labels).is_err(), "a label without a row was accepted");
    prop_assert_eq!(&stats, &before);
    Ok(())
}
