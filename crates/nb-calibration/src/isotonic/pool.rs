//! Pooling adjacent violators, in `O(n log n)` for the sorting; comparisons and sums are exact.

use nb_core::exact::{Exact, ExactSums};

use super::{Ends, IsotonicStep};
use crate::one_against_rest::Case;

/// Rows with neighbouring scores, pooled.
struct Block {
    first: f64,
    last: f64,
    weight: Exact,
    weight_of_class: Exact,
}

impl Block {
    /// Whether the mean of this block is not below that of the one above, so that they are one. Weights are
    /// positive; cross-multiplied, the comparison is exact.
    fn reaches(&self, above: &Self) -> bool {
        &self.weight_of_class * &above.weight >= &above.weight_of_class * &self.weight
    }

    fn absorb(&mut self, above: &Self) {
        self.last = above.last;
        self.weight = &self.weight + &above.weight;
        self.weight_of_class = &self.weight_of_class + &above.weight_of_class;
    }
}

/// The blocks of the isotonic regression, upwards. There is at least one case.
pub(super) fn steps(cases: &[Case], ends: Ends) -> Vec<IsotonicStep> {
    let mut blocks: Vec<Block> = Vec::new();
    for mut block in groups(cases, ends) {
        while let Some(below) = blocks.pop_if(|below| below.reaches(&block)) {
            let above = std::mem::replace(&mut block, below);
            block.absorb(&above);
        }
        blocks.push(block);
    }
    let step = |block: Block| IsotonicStep {
        first: block.first,
        last: block.last,
        probability: block.weight_of_class.divided_by(&block.weight).0,
    };
    blocks.into_iter().map(step).collect()
}

/// The rows of each score, upwards.
fn groups(cases: &[Case], ends: Ends) -> Vec<Block> {
    let mut sorted: Vec<&Case> = cases.iter().collect();
    // Zeros of both signs are one score, and of an unstable order nothing shows in exact sums.
    sorted.sort_unstable_by(|a, b| (a.log_odds + 0.0).total_cmp(&(b.log_odds + 0.0)));
    let runs: Vec<&[&Case]> = sorted.chunk_by(|a, b| a.log_odds == b.log_odds).collect();
    let (mut weights, mut weights_of_class) = (ExactSums::new(runs.len()), ExactSums::new(runs.len()));
    for (group, run) in runs.iter().enumerate() {
        for case in *run {
            weights.add(group, case.weight);
            if case.is_class {
                weights_of_class.add(group, case.weight);
            }
        }
    }
    if ends == Ends::Smoothed {
        for end in [0, runs.len() - 1] {
            weights.add(end, 2.0);
            weights_of_class.add(end, 1.0);
        }
    }
    let block = |(group, run): (usize, &&[&Case])| Block {
        first: run[0].log_odds + 0.0,
        last: run[0].log_odds + 0.0,
        weight: weights.get(group),
        weight_of_class: weights_of_class.get(group),
    };
    runs.iter().enumerate().map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(log_odds: f64, is_class: bool, weight: f64) -> Case {
        Case { log_odds, is_class, weight }
    }

    fn blocks(cases: &[Case], ends: Ends) -> Vec<(f64, f64, f64)> {
        steps(cases, ends).iter().map(|step| (step.first, step.last, step.probability)).collect()
    }

    #[test]
    fn ties_are_pooled_before_violators() {
        let cases =
            [case(1.0, true, 1.0), case(-0.0, false, 1.0), case(0.0, true, 3.0), case(2.0, false, 1.0)];
        assert_eq!(blocks(&cases, Ends::Exact), [(0.0, 2.0, 4.0 / 6.0)]);
        assert_eq!(blocks(&cases[..3], Ends::Exact), [(0.0, 0.0, 0.75), (1.0, 1.0, 1.0)]);
    }

    #[test]
    fn the_ends_follow_the_rule_of_succession() {
        let mut cases: Vec<Case> = (0..8).map(|row| case(f64::from(row), row >= 4, 1.0)).collect();
        assert_eq!(blocks(&cases, Ends::Smoothed), [(0.0, 3.0, 1.0 / 6.0), (4.0, 7.0, 5.0 / 6.0)]);
        // A short end does not rise above its neighbour, but is pooled with it.
        cases[1].is_class = true;
        assert_eq!(blocks(&cases, Ends::Smoothed), [(0.0, 3.0, 2.0 / 6.0), (4.0, 7.0, 5.0 / 6.0)]);
        assert_eq!(blocks(&cases[..1], Ends::Smoothed), [(0.0, 0.0, 2.0 / 5.0)]);
    }
}
