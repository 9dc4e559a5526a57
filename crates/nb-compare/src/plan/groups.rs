//! Rows dealt by groups, each as a whole.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::{Folds, Plan, PlanError};
use crate::Table;

/// How many orders of the groups are tried, and how many groups all of them may have together.
const ORDERS: usize = 100;
const MOST: usize = 10_000_000;

/// Of how many orders the best one is taken. The best of many is nearly always the same where groups are few,
/// and repeats would be copies of one another: up to ten groups have the first order that does.
fn best_of(n_groups: usize) -> usize {
    n_groups.saturating_sub(10).saturating_pow(2).clamp(1, ORDERS)
}

/// The part of each row, so that rows of a group are in one part and parts come near to their shares of every
/// class; `None` if no order of the groups fills all parts.
///
/// `groups` and `classes` are numbers of each row, `shares` the part of the rows that each part is to have,
/// and `order` is an order of all groups, another one for each number. In such an order groups are dealt,
/// each to the part that lacks most of what the group has, and of several such parts to the one that lacks
/// most rows. Of up to `best_of` orders that fill all parts it is the one after which the parts are nearest
/// to their shares: by the sum over parts and classes of the squared differences, relative to the size of the
/// class.
///
/// ```
/// let groups = [0, 0, 1, 2, 2, 2];
/// let parts = nb_compare::deal_groups(&groups, &[0; 6], &[0.5, 0.5], 10, |order| match order % 2 {
///     0 => vec![0, 1, 2],
///     _ => vec![2, 1, 0],
/// });
/// // The group of three rows against the two others.
/// let parts = parts.expect("two parts can be filled");
/// assert_eq!(parts[0], parts[2]);
/// assert_ne!(parts[0], parts[3]);
/// ```
pub fn deal_groups(
    groups: &[usize],
    classes: &[usize],
    shares: &[f64],
    best_of: usize,
    mut order: impl FnMut(u64) -> Vec<usize>,
) -> Option<Vec<usize>> {
    let n_groups = groups.iter().max().map_or(0, |last| last + 1);
    let counts = counts(n_groups, groups, classes);
    let mut of_class = vec![0.0; classes.iter().max().map_or(0, |last| last + 1)];
    for &class in classes {
        of_class[class] += 1.0;
    }
    let orders = (MOST / n_groups.max(1)).clamp(1, ORDERS) as u64;
    let mut best: Option<(f64, Vec<usize>)> = None;
    let mut n_filled = 0;
    for number in 0..orders {
        // What each part lacks of each class.
        let mut lacking: Vec<Vec<f64>> =
            shares.iter().map(|share| of_class.iter().map(|n| share * n).collect()).collect();
        let mut parts = vec![0; n_groups];
        let mut filled = vec![false; shares.len()];
        for group in order(number) {
            let need = |lacking: &Vec<f64>| -> f64 {
                counts[group].iter().map(|&(class, n)| n * lacking[class] / of_class[class]).sum()
            };
            let needs: Vec<(f64, f64)> =
                lacking.iter().map(|lacking| (need(lacking), lacking.iter().sum())).collect();
            let part =
                (1..needs.len()).fold(0, |best, part| if needs[part] > needs[best] { part } else { best });
            for &(class, n) in &counts[group] {
                lacking[part][class] -= n;
            }
            parts[group] = part;
            filled[part] = true;
        }
        let distance: f64 = lacking
            .iter()
            .flat_map(|lacking| lacking.iter().zip(&of_class))
            .map(|(d, n)| d * d / n.max(1.0))
            .sum();
        if !filled.iter().all(|&filled| filled) {
            continue;
        }
        if best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, parts));
        }
        n_filled += 1;
        if n_filled >= best_of {
            break;
        }
    }
    let (_, of_group) = best?;
    Some(groups.iter().map(|&group| of_group[group]).collect())
}

/// How many rows of each class a group has, without classes of which it has none.
fn counts(n_groups: usize, groups: &[usize], classes: &[usize]) -> Vec<Vec<(usize, f64)>> {
    let mut counts: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n_groups];
    for (&group, &class) in groups.iter().zip(classes) {
        match counts[group].iter_mut().find(|(known, _)| *known == class) {
            Some((_, n)) => *n += 1.0,
            None => counts[group].push((class, 1.0)),
        }
    }
    counts
}

/// The folds of a table whose rows are in groups.
pub(super) fn deal(
    plan: Plan,
    table: &Table,
    column: &str,
    groups: &[usize],
    random: &mut ChaCha8Rng,
) -> Result<Folds, PlanError> {
    let n_groups = groups.iter().max().map_or(0, |last| last + 1);
    let refused = |parts| PlanError::Groups {
        table: table.name.clone(),
        column: column.to_owned(),
        groups: n_groups,
        parts,
    };
    let shares = match plan {
        Plan::LeaveOneOut {} if n_groups < 2 => return Err(refused(2)),
        Plan::LeaveOneOut {} => {
            return Ok(Folds { of_row: groups.iter().copied().map(Some).collect(), n_folds: n_groups });
        }
        Plan::CrossValidation { folds, .. } => vec![1.0 / folds as f64; folds],
        Plan::HeldOut { test, .. } => vec![1.0 - test, test],
    };
    let order = |_| {
        let mut order: Vec<usize> = (0..n_groups).collect();
        order.shuffle(random);
        order
    };
    let parts = deal_groups(groups, &table.labels, &shares, best_of(n_groups), order)
        .ok_or_else(|| refused(shares.len()))?;
    Ok(match plan {
        Plan::HeldOut { .. } => {
            Folds { of_row: parts.iter().map(|&part| (part == 1).then_some(0)).collect(), n_folds: 1 }
        }
        _ => Folds { of_row: parts.into_iter().map(Some).collect(), n_folds: shares.len() },
    })
}
