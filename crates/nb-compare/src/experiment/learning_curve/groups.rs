//! Training sets that grow by whole groups of rows.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::Table;

/// Of how many groups the next one is chosen: enough for every beginning to have its share of the classes,
/// and few enough for tables in which nearly every row is a group.
const CANDIDATES: usize = 50;

/// The training rows in an order in which groups follow one another. Groups and the rows of each are
/// shuffled; of the next [`CANDIDATES`] groups that one comes first after which the shares of the classes are
/// nearest to those of all training rows.
pub(super) fn order(
    table: &Table,
    group_of_row: &[usize],
    train: &[usize],
    random: &mut ChaCha8Rng,
) -> Vec<usize> {
    let n_groups = group_of_row.iter().max().map_or(0, |last| last + 1);
    let n_classes = table.classes.len();
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); n_groups];
    let mut shares = vec![0.0; n_classes];
    for &row in train {
        rows[group_of_row[row]].push(row);
        shares[table.labels[row]] += 1.0 / train.len() as f64;
    }
    rows.retain(|rows| !rows.is_empty());
    for rows in &mut rows {
        rows.shuffle(random);
    }
    rows.shuffle(random);
    let counts = |rows: &[usize]| {
        let mut counts = vec![0.0; n_classes];
        for &row in rows {
            counts[table.labels[row]] += 1.0;
        }
        counts
    };
    let with_counts = |rows: Vec<usize>| {
        let counts = counts(&rows);
        (rows, counts)
    };
    let mut left: Vec<(Vec<usize>, Vec<f64>)> = rows.into_iter().map(with_counts).collect();
    let (mut found, mut have) = (Vec::with_capacity(train.len()), vec![0.0; n_classes]);
    while !left.is_empty() {
        let distance = |counts: &[f64]| -> f64 {
            let n: f64 = have.iter().chain(counts).sum();
            let of_class = have.iter().zip(counts).zip(&shares);
            of_class.map(|((have, more), share)| ((have + more) / n - share).powi(2)).sum()
        };
        let distances = left.iter().take(CANDIDATES).map(|(_, counts)| distance(counts)).enumerate();
        let nearest = distances.min_by(|one, other| one.1.total_cmp(&other.1));
        // The last group takes the place of the chosen one; the order stays random.
        let (rows, counts) = left.swap_remove(nearest.map_or(0, |(place, _)| place));
        for (have, more) in have.iter_mut().zip(counts) {
            *have += more;
        }
        found.extend(rows);
    }
    found
}

/// The number of rows of this order after which every class that has two rows has two.
pub(super) fn with_two(table: &Table, order: &[usize]) -> usize {
    let mut n_of_class = vec![0_usize; table.classes.len()];
    let mut needed = 2;
    for (place, &row) in order.iter().enumerate() {
        let n = &mut n_of_class[table.labels[row]];
        *n += 1;
        if *n == 2 {
            needed = place + 1;
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dealing, plan::generator};

    #[test]
    fn groups_stay_whole_and_beginnings_have_their_share_of_the_classes() {
        // Patients of three visits, whose diagnosis is that of all their visits, as it mostly is.
        let table = Table::embedded("pima").unwrap();
        let (mut of_row, mut n_of_class) = (Vec::new(), [0; 2]);
        for &label in &table.labels {
            of_row.push(2 * (n_of_class[label] / 3) + label);
            n_of_class[label] += 1;
        }
        let table =
            table.with_dealing(Dealing::Groups { column: "p".into(), of_row: of_row.clone() }).unwrap();
        let train: Vec<usize> = (0..table.n_rows()).filter(|&row| !of_row[row].is_multiple_of(5)).collect();
        let order = |number| order(&table, &of_row, &train, &mut generator(3, "groups", number));
        let found = order(0);
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, train);
        assert_ne!(found, order(1));
        let groups: Vec<usize> = found.iter().map(|&row| of_row[row]).collect();
        let changes = groups.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let mut distinct = groups;
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(changes + 1, distinct.len());
        let share = |rows: &[usize]| {
            rows.iter().filter(|&&row| table.labels[row] == 1).count() as f64 / rows.len() as f64
        };
        let all = share(&train);
        for n in [30, 60, 120, 240] {
            assert!((share(&found[..n]) - all).abs() <= 3.0 / n as f64, "{n}: {}", share(&found[..n]));
        }
        let needed = with_two(&table, &found);
        assert!((3..=9).contains(&needed), "{needed}");
    }
}
