//! The search against brute force, and what it does not depend on.

use ndarray::{Array2, Axis};
use proptest::prelude::*;

use super::*;

/// The criterion in plain arithmetic, `B` by the recurrence of Stirling numbers.
fn criterion(counts: &Array2<f64>, groups: &[Vec<usize>]) -> f64 {
    fn partitions(n: usize, at_most: usize) -> f64 {
        let mut row = vec![1.0];
        for _ in 0..n {
            let next = |k: usize| {
                let stays = if k < row.len() { k as f64 * row[k] } else { 0.0 };
                stays + if k > 0 { row[k - 1] } else { 0.0 }
            };
            row = (0..=row.len()).map(next).collect();
        }
        row.iter().take(at_most + 1).sum()
    }
    let ln_factorial = |n: f64| (1..=n as usize).map(|k| (k as f64).ln()).sum::<f64>();
    let n_values: usize = groups.iter().map(Vec::len).sum();
    let n_classes = counts.ncols() as f64;
    let of_group = |group: &Vec<usize>| {
        let own = counts.select(Axis(0), group).sum_axis(Axis(0));
        let n = own.sum();
        let binomial = ln_factorial(n + n_classes - 1.0) - ln_factorial(n) - ln_factorial(n_classes - 1.0);
        binomial + ln_factorial(n) - own.iter().map(|&count| ln_factorial(count)).sum::<f64>()
    };
    let n_values_f = n_values as f64;
    n_values_f.ln() + partitions(n_values, groups.len()).ln() + groups.iter().map(of_group).sum::<f64>()
}

/// The least criterion over all partitions of the categories with rows.
fn optimum(counts: &Array2<f64>) -> f64 {
    fn visit(counts: &Array2<f64>, rest: &[usize], groups: &mut Vec<Vec<usize>>, least: &mut f64) {
        let Some((&first, rest)) = rest.split_first() else {
            *least = least.min(criterion(counts, groups));
            return;
        };
        for place in 0..groups.len() {
            groups[place].push(first);
            visit(counts, rest, groups, least);
            groups[place].pop();
        }
        groups.push(vec![first]);
        visit(counts, rest, groups, least);
        groups.pop();
    }
    let known: Vec<usize> = (0..counts.nrows()).filter(|&row| counts.row(row).sum() > 0.0).collect();
    let mut least = f64::INFINITY;
    visit(counts, &known, &mut Vec::new(), &mut least);
    least
}

/// Counts from a generator of our own, so that the share of optima found is the same in every run.
fn table(seed: u64, n_categories: usize, n_classes: usize, largest: u64) -> Array2<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..8 {
        next();
    }
    Array2::from_shape_fn((n_categories, n_classes), |_| {
        let limit = [1, 3, largest][(next() % 3) as usize];
        (next() % (limit + 1)) as f64
    })
}

#[test]
fn groups_are_those_of_brute_force() {
    let (mut n_tables, mut n_optimal) = (0, 0);
    for (n_categories, n_classes, largest) in [(5, 2, 12), (6, 2, 40), (6, 3, 12), (6, 4, 30), (5, 3, 100)] {
        for seed in 0..30 {
            let counts = table(seed * 31 + n_categories as u64, n_categories, n_classes, largest);
            if counts.sum() == 0.0 {
                continue;
            }
            let (found, least) = (criterion(&counts, &modl_groups(&counts.view())), optimum(&counts));
            assert!(found > least - 1e-9, "{found} below {least}: {counts}");
            assert!(found < least * 1.02 + 1e-9, "{found} is far from {least}: {counts}");
            n_tables += 1;
            n_optimal += usize::from(found < least + 1e-6);
        }
    }
    // All but two of them; the search is greedy.
    assert_eq!((n_optimal, n_tables), (148, 150));
}

proptest! {
    #[test]
    fn nothing_is_cheaper_nearby_and_order_does_not_matter(
        cells in prop::collection::vec(prop_oneof![0_u8..3, 0_u8..40], 36),
        shift in 0_usize..12,
    ) {
        let counts = Array2::from_shape_vec((12, 3), cells.iter().copied().map(f64::from).collect()).unwrap();
        let groups = modl_groups(&counts.view());
        let found = criterion(&counts, &groups);
        if groups.is_empty() {
            return Ok(());
        }
        for from in 0..groups.len() {
            for place in 0..groups[from].len() {
                for to in (0..=groups.len()).filter(|&to| to != from) {
                    let mut others = groups.clone();
                    others.push(Vec::new());
                    let category = others[from].remove(place);
                    others[to].push(category);
                    others.retain(|group| !group.is_empty());
                    prop_assert!(criterion(&counts, &others) > found - 1e-5, "{category} to {to}");
                }
            }
        }
        let order: Vec<usize> = (0..12).map(|row| (row * 7 + shift) % 12).collect();
        let mut again: Vec<Vec<usize>> = modl_groups(&counts.select(Axis(0), &order).view());
        for group in &mut again {
            for row in &mut *group {
                *row = order[*row];
            }
            group.sort_unstable();
        }
        prop_assert_eq!(again, groups);
    }
}

#[test]
fn proportional_categories_lose_nothing_as_one() {
    // ψ'(x), the trigamma function: 1 / ψ' is superadditive, on which the proof rests.
    let trigamma = |x: f64| {
        let (mut x, mut sum) = (x, 0.0);
        while x < 30.0 {
            sum += 1.0 / (x * x);
            x += 1.0;
        }
        let y = 1.0 / (x * x);
        sum + 1.0 / x + y / 2.0 + y / x * (1.0 / 6.0 - y * (1.0 / 30.0 - y / 42.0))
    };
    for a in 1..60 {
        for b in 1..60 {
            let (a, b) = (f64::from(a) / 4.0, f64::from(b) / 4.0);
            assert!(1.0 / trigamma(a) + 1.0 / trigamma(b) <= 1.0 / trigamma(a + b) + 1e-9, "{a} {b}");
        }
    }
    let counts = ndarray::array![[2.0, 1.0], [40.0, 1.0], [4.0, 2.0], [20.0, 10.0], [1.0, 60.0]];
    let groups = modl_groups(&counts.view());
    assert!(groups.iter().any(|group| [0, 2, 3].iter().all(|row| group.contains(row))), "{groups:?}");
}

#[test]
fn columns_that_tell_nothing_have_one_group() {
    for seed in 0..20 {
        // Both classes are about as frequent in every category.
        let noise = table(seed, 40, 1, 2);
        let counts = Array2::from_shape_fn((40, 2), |(row, class)| 6.0 + noise[[row, 0]] * class as f64);
        assert_eq!(modl_groups(&counts.view()).len(), 1, "{counts}");
    }
    assert!(modl_groups(&Array2::zeros((4, 3)).view()).is_empty());
    assert!(modl_groups(&Array2::zeros((0, 2)).view()).is_empty());
    assert_eq!(modl_groups(&ndarray::array![[1.0], [2.0], [0.0]].view()), [vec![0, 1]]);
}

#[test]
fn rare_categories_join_groups_of_their_kind() {
    // 3000 categories of one row to a few, whose class depends on which half they are of.
    let counts = Array2::from_shape_fn((3000, 2), |(row, class)| {
        let n = (1 + row % 4) as f64;
        if (row % 2 == class) == (row % 11 > 0) { n } else { 0.0 }
    });
    let groups = modl_groups(&counts.view());
    assert_eq!(groups.len(), 2);
    let wide =
        Array2::from_shape_fn((900, 2), |(row, class)| (1 + (row * (3 + 4 * class)) % (31 + class)) as f64);
    let all: usize = modl_groups(&wide.view()).iter().map(Vec::len).sum();
    assert_eq!(all, 900);
}

#[test]
fn weights_of_any_size_have_groups() {
    let counts =
        ndarray::array![[1e300, 1.0], [f64::INFINITY, 0.5], [f64::NAN, 2.0], [1e-300, 0.0], [-1.0, 0.0]];
    let all: usize = modl_groups(&counts.view()).iter().map(Vec::len).sum();
    assert!(all <= 5);
    let unit = ndarray::array![[0.25, 0.125], [30.5, 0.0], [0.5, 41.25]];
    assert_eq!(modl_groups(&unit.view()).len(), 2);
}
