use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// The criterion of Boullé (2006), theorem 1, in plain arithmetic: for each interval its counts by class.
fn criterion(intervals: &[Vec<usize>]) -> f64 {
    let ln_factorial = |n: usize| (1..=n).map(|k| (k as f64).ln()).sum::<f64>();
    let ln_binomial = |n: usize, k: usize| ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    let n: usize = intervals.iter().flatten().sum();
    let of_interval = |counts: &Vec<usize>| {
        let (n, n_classes) = (counts.iter().sum::<usize>(), counts.len());
        let arrangements = ln_factorial(n) - counts.iter().map(|&count| ln_factorial(count)).sum::<f64>();
        ln_binomial(n + n_classes - 1, n_classes - 1) + arrangements
    };
    let n_intervals = intervals.len();
    (n as f64).ln()
        + ln_binomial(n + n_intervals - 1, n_intervals - 1)
        + intervals.iter().map(of_interval).sum::<f64>()
}

/// The runs of values with classes.
fn runs(cells: &[(u8, usize)]) -> Vec<Run> {
    let mut counts = BTreeMap::<(u8, usize), usize>::new();
    for &cell in cells {
        *counts.entry(cell).or_insert(0) += 1;
    }
    let run = |((value, class), count)| Run { value: f64::from(value), class, count };
    counts.into_iter().map(run).collect()
}

/// The counts of the intervals between cuts.
fn intervals(runs: &[Run], cuts: &[f64], n_classes: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![0; n_classes]; cuts.len() + 1];
    for run in runs {
        all[cuts.partition_point(|&cut| cut < run.value)][run.class] += run.count;
    }
    all
}

/// The least criterion over all subsets of cuts between different values.
fn optimum(runs: &[Run], n_classes: usize) -> f64 {
    let mut values: Vec<f64> = runs.iter().map(|run| run.value).collect();
    values.dedup();
    let all: Vec<f64> = values.windows(2).map(|pair| between(pair[0], pair[1])).collect();
    let of_subset = |subset: u32| {
        let cuts: Vec<f64> =
            (0..all.len()).filter(|place| subset & (1 << place) != 0).map(|place| all[place]).collect();
        criterion(&intervals(runs, &cuts, n_classes))
    };
    (0..1_u32 << all.len()).map(of_subset).fold(f64::INFINITY, f64::min)
}

/// The same by dynamic programming over the number of intervals, up to twelve, for runs of different values.
fn by_layers(runs: &[Run], n_classes: usize) -> f64 {
    let n = runs.len();
    let own = |begin: usize, end: usize| {
        let mut counts = vec![0; n_classes];
        runs[begin..end].iter().for_each(|run| counts[run.class] += run.count);
        // All terms of the criterion but that of the bounds.
        criterion(&[counts]) - (end as f64 - begin as f64).ln()
    };
    let costs: Vec<Vec<f64>> = (1..=n).map(|end| (0..end).map(|begin| own(begin, end)).collect()).collect();
    let mut least = vec![f64::INFINITY; n + 1];
    least[0] = 0.0;
    let of_bounds = |n_intervals: usize| {
        let term = |k: usize| ((n + k) as f64 / k as f64).ln();
        (n as f64).ln() + (1..n_intervals).map(term).sum::<f64>()
    };
    let mut best = f64::INFINITY;
    for n_intervals in 1..=12 {
        let up_to = |end: usize| {
            let sums = (0..end).map(|begin| least[begin] + costs[end - 1][begin]);
            sums.fold(f64::INFINITY, f64::min)
        };
        least = (0..=n).map(up_to).collect();
        best = best.min(least[n] + of_bounds(n_intervals));
    }
    best
}

/// The cuts that the search of the paper finds.
fn greedy_cuts(modl: &Modl, runs: &[Run]) -> Vec<f64> {
    let column = Column::new(modl, runs);
    column.cuts_at(&column.greedy())
}

proptest! {
    #[test]
    fn cuts_are_the_optimum(
        cells in prop::collection::vec((0_u8..12, 0_usize..4), 1..60),
        n_classes in 1_usize..5,
    ) {
        let cells: Vec<_> = cells.into_iter().map(|(value, class)| (value, class % n_classes)).collect();
        let runs = runs(&cells);
        let modl = Modl::new(cells.len(), n_classes);
        let least = optimum(&runs, n_classes);
        let cost = |cuts: &[f64]| criterion(&intervals(&runs, cuts, n_classes));
        let (found, greedy) = (cost(&modl.cuts(&runs)), cost(&greedy_cuts(&modl, &runs)));
        prop_assert!((found - least).abs() < 2e-6, "{found}, not {least}");
        prop_assert!(found <= greedy + 1e-9 && greedy <= least + 0.02 * least.abs(), "{greedy} is far from {least}");
    }

    /// Values with clear intervals, of which the search of the paper sometimes finds too few.
    #[test]
    fn cuts_are_never_worse_than_those_of_the_paper(
        bounds in prop::collection::vec(0_usize..120, 1..8),
        noise in prop::collection::vec(0_usize..12, 120),
    ) {
        let class = |row: usize| match noise[row] {
            class @ 0..4 => class,
            _ => bounds.iter().filter(|&&bound| bound <= row).count() % 4,
        };
        let runs: Vec<Run> = (0..120).map(|row| Run { value: row as f64, class: class(row), count: 1 }).collect();
        let modl = Modl::new(120, 4);
        let cost = |cuts: &[f64]| criterion(&intervals(&runs, cuts, 4));
        let cuts = modl.cuts(&runs);
        let (found, greedy) = (cost(&cuts), cost(&greedy_cuts(&modl, &runs)));
        prop_assert!(found <= greedy + 1e-9, "{found} is above {greedy}");
        let least = by_layers(&runs, 4);
        prop_assert!((found - least).abs() < 2e-6, "{found}, not {least}");
    }

    #[test]
    fn nothing_is_cheaper_nearby(cells in prop::collection::vec((0_u8..30, 0_usize..2), 2..120)) {
        let runs = runs(&cells);
        let cuts = Modl::new(cells.len(), 2).cuts(&runs);
        let cost = |cuts: &[f64]| criterion(&intervals(&runs, cuts, 2));
        let found = cost(&cuts);
        for place in 0..cuts.len() {
            let mut fewer = cuts.clone();
            fewer.remove(place);
            prop_assert!(cost(&fewer) > found - 1e-5);
        }
        for value in 0_u8..30 {
            let mut more = cuts.clone();
            more.push(f64::from(value) + 0.5);
            more.sort_by(f64::total_cmp);
            more.dedup();
            prop_assert!(cost(&more) > found - 1e-5);
        }
    }
}

#[test]
fn separate_classes_are_separated_once_there_are_enough() {
    let cells = |n: u8| (0..2 * n).map(|value| (value, usize::from(value >= n))).collect::<Vec<_>>();
    // ln 2 + ln 6 + ln 2 ... : with two rows of each class the bound costs more than it tells.
    for (n, expected) in [(2, vec![]), (10, vec![9.5])] {
        let cells = cells(n);
        assert_eq!(Modl::new(cells.len(), 2).cuts(&runs(&cells)), expected, "{n}");
    }
    assert_eq!(Modl::new(0, 2).cuts(&[]), Vec::<f64>::new());
}
