//! Cuts by the MODL criterion: the most probable discretisation under a prior over all of them (Boullé 2006).
//!
//! Costs are minus logarithms of probabilities in fixed point, so that moving rows between intervals is exact, and equal
//! intervals have equal costs in whatever order they came about.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    ops::Range,
};

use super::columns::{Run, between};
use crate::ln_factorial::{LEAST_GAIN, LnFactorials, fixed};

/// How often the intervals are improved by one move, at most.
const MOST_MOVES: usize = 200;

/// What the search shares between columns.
pub(super) struct Modl {
    /// `ln k!` for every count up to the number of rows and classes.
    ln_factorial: LnFactorials,
    n_classes: usize,
}

/// The rows of an interval: what its cost depends on.
#[derive(Clone, Default)]
struct Counts {
    by_class: BTreeMap<usize, usize>,
    n_rows: usize,
    /// `Σ_j ln n_j!`.
    sum: i128,
}

/// The runs of a column, and where the elementary intervals begin.
struct Column<'a> {
    modl: &'a Modl,
    runs: &'a [Run],
    /// The first run of each elementary interval, and the number of runs.
    starts: Vec<usize>,
    n_rows: usize,
}

/// Two neighbours that may be merged: what it costs, and the number and age of each. The cheapest is the largest.
type Pair = Reverse<(i128, usize, u32, usize, u32)>;

/// A change of neighbouring intervals: those with numbers in `replaced` get these boundaries between them.
struct Move {
    gain: i128,
    replaced: Range<usize>,
    boundary: Option<usize>,
}

impl Modl {
    pub(super) fn new(n_rows: usize, n_classes: usize) -> Self {
        Self { ln_factorial: LnFactorials::up_to(n_rows.max(1) * 2 + n_classes), n_classes }
    }

    /// The cuts of a column, increasing.
    pub(super) fn cuts(&self, runs: &[Run]) -> Vec<f64> {
        let column = Column::new(self, runs);
        let boundaries = column.improved(column.merged());
        let cut = |&boundary: &usize| {
            let run = column.starts[boundary];
            between(runs[run - 1].value, runs[run].value)
        };
        boundaries.iter().map(cut).collect()
    }

    /// `ln C(n_i + J - 1, J - 1) + ln n_i! - Σ_j ln n_ij!`.
    fn cost(&self, n_rows: usize, sum: i128) -> i128 {
        let others = self.n_classes.saturating_sub(1);
        self.ln_factorial.ln_binomial(n_rows + others, others) + self.ln_factorial.of(n_rows) - sum
    }

    /// `ln C(n + I - 1, I - 1)`: which bounds the intervals have, given how many there are.
    fn cost_of_bounds(&self, n_rows: usize, n_intervals: usize) -> i128 {
        self.ln_factorial.ln_binomial(n_rows + n_intervals - 1, n_intervals - 1)
    }

    fn add(&self, counts: &mut Counts, class: usize, n: usize) {
        let count = counts.by_class.entry(class).or_insert(0);
        counts.sum += self.ln_factorial.of(*count + n) - self.ln_factorial.of(*count);
        *count += n;
        counts.n_rows += n;
    }

    fn take(&self, counts: &mut Counts, class: usize, n: usize) {
        if let Some(count) = counts.by_class.get_mut(&class) {
            counts.sum += self.ln_factorial.of(*count - n) - self.ln_factorial.of(*count);
            *count -= n;
            counts.n_rows -= n;
        }
    }

    fn cost_of(&self, counts: &Counts) -> i128 {
        self.cost(counts.n_rows, counts.sum)
    }
}

impl<'a> Column<'a> {
    fn new(modl: &'a Modl, runs: &'a [Run]) -> Self {
        let mut starts = Vec::new();
        // The class of all rows of the elementary interval so far, if they are of one.
        let mut pure = None;
        let mut first = 0;
        while first < runs.len() {
            let value = runs[first].value;
            let end = first + runs[first..].iter().take_while(|run| run.value == value).count();
            let own = (end == first + 1).then_some(runs[first].class);
            if starts.is_empty() || own.is_none() || own != pure {
                starts.push(first);
            }
            (pure, first) = (own, end);
        }
        starts.push(runs.len());
        Self { modl, runs, starts, n_rows: runs.iter().map(|run| run.count).sum() }
    }

    fn n_elementary(&self) -> usize {
        self.starts.len() - 1
    }

    /// The runs of elementary intervals.
    fn runs_of(&self, elementary: Range<usize>) -> &'a [Run] {
        &self.runs[self.starts[elementary.start]..self.starts[elementary.end]]
    }

    fn counts(&self, elementary: Range<usize>) -> Counts {
        let mut counts = Counts::default();
        for run in self.runs_of(elementary) {
            self.modl.add(&mut counts, run.class, run.count);
        }
        counts
    }

    /// Merges neighbours, the cheapest pair first, until one interval is left; the boundaries, as numbers of elementary
    /// intervals, of the cheapest discretisation on this way, the one with the fewest intervals if there are several.
    fn merged(&self) -> Vec<usize> {
        let n = self.n_elementary();
        if n < 2 {
            return Vec::new();
        }
        let modl = self.modl;
        let mut intervals: Vec<Counts> = (0..n).map(|place| self.counts(place..place + 1)).collect();
        let (mut next, mut previous): (Vec<usize>, Vec<usize>) =
            ((1..=n).collect(), (0..n).map(|place| place.wrapping_sub(1)).collect());
        // How often an interval was merged; entries of the queue with another number are out of date.
        let mut age = vec![0_u32; n];
        let merged_cost = |a: &Counts, b: &Counts| {
            let common = |(class, &count): (&usize, &usize)| {
                let own = a.by_class.get(class).copied().unwrap_or(0);
                modl.ln_factorial.of(own + count) - modl.ln_factorial.of(own) - modl.ln_factorial.of(count)
            };
            let sum = a.sum + b.sum + b.by_class.iter().map(common).sum::<i128>();
            modl.cost(a.n_rows + b.n_rows, sum)
        };
        let change = |intervals: &[Counts], left: usize, right: usize| {
            let (a, b) = (&intervals[left], &intervals[right]);
            merged_cost(a, b) - modl.cost_of(a) - modl.cost_of(b)
        };
        let mut queue: BinaryHeap<Pair> = (0..n - 1)
            .map(|left| Reverse((change(&intervals, left, left + 1), left, 0, left + 1, 0)))
            .collect();
        let mut cost: i128 = intervals.iter().map(|counts| modl.cost_of(counts)).sum();
        let mut best = (cost + modl.cost_of_bounds(self.n_rows, n), 0);
        let mut removed = Vec::with_capacity(n);
        while let Some(Reverse((change_of_cost, left, age_left, right, age_right))) = queue.pop() {
            if age[left] != age_left || age[right] != age_right {
                continue;
            }
            let other = std::mem::take(&mut intervals[right]);
            for (class, count) in other.by_class {
                modl.add(&mut intervals[left], class, count);
            }
            cost += change_of_cost;
            age[left] += 1;
            age[right] = u32::MAX;
            removed.push(right);
            next[left] = next[right];
            if next[left] < n {
                previous[next[left]] = left;
                let right = next[left];
                queue.push(Reverse((change(&intervals, left, right), left, age[left], right, age[right])));
            }
            let before = previous[left];
            if before < n {
                queue.push(Reverse((change(&intervals, before, left), before, age[before], left, age[left])));
            }
            let total = cost + modl.cost_of_bounds(self.n_rows, n - removed.len());
            if total <= best.0 {
                best = (total, removed.len());
            }
        }
        let mut is_boundary = vec![true; n];
        is_boundary[0] = false;
        removed[..best.1].iter().for_each(|&place| is_boundary[place] = false);
        (0..n).filter(|&place| is_boundary[place]).collect()
    }

    /// Divides, merges and moves boundaries, the best of all these moves first, until none makes it cheaper.
    fn improved(&self, mut boundaries: Vec<usize>) -> Vec<usize> {
        for _ in 0..MOST_MOVES {
            let Some(best) = self.best_move(&boundaries) else { break };
            // Interval `i` is between boundaries `i - 1` and `i`.
            boundaries.splice(best.replaced.start..best.replaced.end - 1, best.boundary);
        }
        boundaries
    }

    /// The move with the largest gain, if there is any.
    fn best_move(&self, boundaries: &[usize]) -> Option<Move> {
        let n_intervals = boundaries.len() + 1;
        let bounds = |n| self.modl.cost_of_bounds(self.n_rows, n);
        let edge = |place: usize| match place {
            0 => 0,
            place => boundaries.get(place - 1).copied().unwrap_or(self.n_elementary()),
        };
        let costs: Vec<i128> = (0..n_intervals)
            .map(|place| self.modl.cost_of(&self.counts(edge(place)..edge(place + 1))))
            .collect();
        let mut best: Option<Move> = None;
        // One interval is divided; of two the boundary is moved, or removed; three become two.
        for width in 1..=3.min(n_intervals) {
            for first in 0..=n_intervals - width {
                let replaced = first..first + width;
                let span = edge(first)..edge(first + width);
                let before = costs[replaced.clone()].iter().sum::<i128>() + bounds(n_intervals);
                let mut consider = |cost: i128, n_parts: usize, boundary: Option<usize>| {
                    let gain = before - cost - bounds(n_intervals - width + n_parts);
                    if gain > best.as_ref().map_or(fixed(LEAST_GAIN), |best| best.gain) {
                        best = Some(Move { gain, replaced: replaced.clone(), boundary });
                    }
                };
                if width == 2 {
                    consider(self.modl.cost_of(&self.counts(span.clone())), 1, None);
                }
                if let Some((cost, boundary)) = self.divided(span) {
                    consider(cost, 2, Some(boundary));
                }
            }
        }
        best
    }

    /// The cheapest two intervals that elementary ones can be divided into: their cost, and the boundary between them.
    fn divided(&self, span: Range<usize>) -> Option<(i128, usize)> {
        let (mut below, mut above) = (Counts::default(), self.counts(span.clone()));
        let mut best: Option<(i128, usize)> = None;
        for boundary in span.start + 1..span.end {
            for run in self.runs_of(boundary - 1..boundary) {
                self.modl.add(&mut below, run.class, run.count);
                self.modl.take(&mut above, run.class, run.count);
            }
            let cost = self.modl.cost_of(&below) + self.modl.cost_of(&above);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, boundary));
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        /// The search is greedy, as that of the paper: it finds the optimum but for few samples, and is near it then.
        #[test]
        fn cuts_are_near_the_optimum(
            cells in prop::collection::vec((0_u8..10, 0_usize..3), 1..40),
            n_classes in 1_usize..4,
        ) {
            let cells: Vec<_> = cells.into_iter().map(|(value, class)| (value, class % n_classes)).collect();
            let runs = runs(&cells);
            let cuts = Modl::new(cells.len(), n_classes).cuts(&runs);
            let (found, least) = (criterion(&intervals(&runs, &cuts, n_classes)), optimum(&runs, n_classes));
            prop_assert!(found >= least - 1e-9, "{found} below {least}");
            prop_assert!(found <= least + 0.02 * least.abs(), "{found} is far from {least}");
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
}
