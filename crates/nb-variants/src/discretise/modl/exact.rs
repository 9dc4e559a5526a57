//! The exact search, by dynamic programming.
//!
//! The cost of a discretisation is a sum over its intervals and `B(I) = ln C(n + I - 1, I - 1)`, which
//! depends on their number `I`. `B` is concave, so that it is the least of its tangents `B(t) + (I - t) b_t`
//! with `b_t = B(t + 1) - B(t)`. With a tangent in place of `B` the cost is a sum over intervals alone, each
//! with the penalty `b_t`, whose least value one pass over all pairs of boundary points finds (Jackson et al.
//! 2005). The least of these values over all `t` is that of the criterion.
//!
//! Few of the tangents need a pass. The least cost is a concave function of the penalty: between two that are
//! known it lies above their chord, and where that is not below the best discretisation so far there is no
//! better one.

use super::Column;
use crate::ln_factorial::{LEAST_GAIN, fixed};

/// A discretisation: what it costs, and its boundaries as numbers of elementary intervals.
struct Found {
    cost: i128,
    boundaries: Vec<usize>,
}

/// What a pass has found: the least cost with the tangent at `t` in place of `B`, without the constant of the
/// tangent.
#[derive(Clone, Copy)]
struct Pass {
    t: usize,
    least: i128,
}

impl Column<'_> {
    /// The boundaries of the best discretisation; these, unless others are better.
    pub(super) fn optimum(&self, boundaries: Vec<usize>) -> Vec<usize> {
        // The tangent at `t` touches at `t + 1`, too.
        let most = self.n_elementary().saturating_sub(1);
        if most == 0 {
            return boundaries;
        }
        let mut best = Found { cost: self.total_cost(&boundaries), boundaries };
        let mut open = vec![(self.pass(1, &mut best), self.pass(most, &mut best))];
        while let Some((first, last)) = open.pop() {
            let bound = |t: usize| self.bound(t, first, last);
            let lowest = (first.t + 1..last.t).map(|t| (bound(t), t)).min();
            if let Some((bound, t)) = lowest
                && bound < best.cost - fixed(LEAST_GAIN)
            {
                let between = self.pass(t, &mut best);
                open.extend([(first, between), (between, last)]);
            }
        }
        best.boundaries
    }

    /// What a discretisation with the tangent at `t` costs at least, by two passes on either side of it.
    fn bound(&self, t: usize, first: Pass, last: Pass) -> i128 {
        let from_first = |t| (self.penalty(t) - self.penalty(first.t)) as f64;
        let rise = (last.least - first.least) as f64 * (from_first(t) / from_first(last.t));
        self.cost_of_bounds(t) - t as i128 * self.penalty(t) + first.least + rise as i128
    }

    /// `b_t`.
    fn penalty(&self, t: usize) -> i128 {
        self.cost_of_bounds(t + 1) - self.cost_of_bounds(t)
    }

    /// Finds the best discretisation with the tangent at `t`, which takes the place of `best` if it is
    /// better.
    fn pass(&self, t: usize, best: &mut Found) -> Pass {
        let (penalty, modl) = (self.penalty(t), self.modl);
        // Of the elementary intervals before each place the least cost, and where the last interval of the
        // best discretisation begins.
        let mut least = vec![0];
        let mut begins = vec![0];
        let mut by_class = vec![0; modl.n_classes];
        for end in 1..=self.n_elementary() {
            by_class.fill(0);
            let (mut n_rows, mut sum) = (0, 0);
            let mut own = (i128::MAX, 0);
            for begin in (0..end).rev() {
                for cell in self.cells_of(begin..begin + 1) {
                    let count = &mut by_class[cell.class];
                    sum += modl.ln_factorial.of(*count + cell.count) - modl.ln_factorial.of(*count);
                    *count += cell.count;
                    n_rows += cell.count;
                }
                let cost = least[begin] + modl.cost(n_rows, sum);
                if cost < own.0 {
                    own = (cost, begin);
                }
            }
            least.push(own.0 + penalty);
            begins.push(own.1);
        }
        let mut boundaries = Vec::new();
        let mut end = begins[self.n_elementary()];
        while end > 0 {
            boundaries.push(end);
            end = begins[end];
        }
        boundaries.reverse();
        let least = least[self.n_elementary()];
        let n_intervals = boundaries.len() + 1;
        let cost = least - n_intervals as i128 * penalty + self.cost_of_bounds(n_intervals);
        if cost < best.cost - fixed(LEAST_GAIN) {
            *best = Found { cost, boundaries };
        }
        Pass { t, least }
    }
}
