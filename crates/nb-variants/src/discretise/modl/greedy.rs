//! The search of the paper, which is near the optimum: merges, then moves.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    iter,
    ops::Range,
};

use super::{Cell, Column, Modl};
use crate::ln_factorial::{LEAST_GAIN, fixed};

/// How often the intervals are improved by one move, at most.
const MOST_MOVES: usize = 200;

/// The rows of an interval: what its cost depends on.
#[derive(Clone, Default)]
struct Counts {
    by_class: BTreeMap<usize, usize>,
    n_rows: usize,
    /// `Σ_j ln n_j!`.
    sum: i128,
}

/// Two neighbours that may be merged: what it costs, and the number and age of each. The cheapest is the
/// largest.
type Pair = Reverse<(i128, usize, u32, usize, u32)>;

/// A change of neighbouring intervals: those with numbers in `replaced` get these boundaries between them.
struct Move {
    gain: i128,
    replaced: Range<usize>,
    boundary: Option<usize>,
}

impl Modl {
    fn add(&self, counts: &mut Counts, Cell { class, count: n }: Cell) {
        let count = counts.by_class.entry(class).or_insert(0);
        counts.sum += self.ln_factorial.of(*count + n) - self.ln_factorial.of(*count);
        *count += n;
        counts.n_rows += n;
    }

    fn take(&self, counts: &mut Counts, Cell { class, count: n }: Cell) {
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

impl Column<'_> {
    /// The boundaries between intervals, as numbers of elementary intervals.
    pub(super) fn greedy(&self) -> Vec<usize> {
        self.improved(self.merged())
    }

    /// What a discretisation costs.
    pub(super) fn total_cost(&self, boundaries: &[usize]) -> i128 {
        self.cost_of_bounds(boundaries.len() + 1) + self.costs(boundaries).iter().sum::<i128>()
    }

    /// What each interval costs.
    fn costs(&self, boundaries: &[usize]) -> Vec<i128> {
        let begins = iter::once(0).chain(boundaries.iter().copied());
        let ends = boundaries.iter().copied().chain(iter::once(self.n_elementary()));
        begins.zip(ends).map(|(begin, end)| self.modl.cost_of(&self.counts(begin..end))).collect()
    }

    fn counts(&self, elementary: Range<usize>) -> Counts {
        let mut counts = Counts::default();
        for &cell in self.cells_of(elementary) {
            self.modl.add(&mut counts, cell);
        }
        counts
    }

    /// Merges neighbours, the cheapest pair first, until one interval is left; the boundaries, as numbers of
    /// elementary intervals, of the cheapest discretisation on this way, the one with the fewest
    /// intervals if there are several.
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
        let mut best = (cost + self.cost_of_bounds(n), 0);
        let mut removed = Vec::with_capacity(n);
        while let Some(Reverse((change_of_cost, left, age_left, right, age_right))) = queue.pop() {
            if age[left] != age_left || age[right] != age_right {
                continue;
            }
            let other = std::mem::take(&mut intervals[right]);
            for (class, count) in other.by_class {
                modl.add(&mut intervals[left], Cell { class, count });
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
            let total = cost + self.cost_of_bounds(n - removed.len());
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
        let edge = |place: usize| match place {
            0 => 0,
            place => boundaries.get(place - 1).copied().unwrap_or(self.n_elementary()),
        };
        let costs = self.costs(boundaries);
        let mut best: Option<Move> = None;
        // One interval is divided; of two the boundary is moved, or removed; three become two.
        for width in 1..=3.min(n_intervals) {
            for first in 0..=n_intervals - width {
                let replaced = first..first + width;
                let span = edge(first)..edge(first + width);
                let before = costs[replaced.clone()].iter().sum::<i128>() + self.cost_of_bounds(n_intervals);
                let mut consider = |cost: i128, n_parts: usize, boundary: Option<usize>| {
                    let gain = before - cost - self.cost_of_bounds(n_intervals - width + n_parts);
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

    /// The cheapest two intervals that elementary ones can be divided into: their cost, and the boundary
    /// between them.
    fn divided(&self, span: Range<usize>) -> Option<(i128, usize)> {
        let (mut below, mut above) = (Counts::default(), self.counts(span.clone()));
        let mut best: Option<(i128, usize)> = None;
        for boundary in span.start + 1..span.end {
            for &cell in self.cells_of(boundary - 1..boundary) {
                self.modl.add(&mut below, cell);
                self.modl.take(&mut above, cell);
            }
            let cost = self.modl.cost_of(&below) + self.modl.cost_of(&above);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, boundary));
            }
        }
        best
    }
}
