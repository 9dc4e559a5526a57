//! Columns whose terms are monotone: bins between which they would fall are pooled, and learnt again as one.

use super::{coding::Coding, columns::Columns};

/// How often terms are learnt again; the last ones are pooled without.
pub(super) const ROUNDS: usize = 8;

/// The bins that have terms in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pools {
    /// The first level of the pool of each level of all columns.
    pub(super) first: Vec<usize>,
}

impl Pools {
    /// Each level by itself.
    pub(super) fn new(n_levels: usize) -> Self {
        Self { first: (0..n_levels).collect() }
    }

    /// The same levels, as those of their pools.
    pub(super) fn levels(&self, levels: &[u32]) -> Vec<u32> {
        levels.iter().map(|&level| self.first[level as usize] as u32).collect()
    }

    /// Neighbouring levels, as those of their pools.
    pub(super) fn neighbours(&self, neighbours: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let of_pools = neighbours.iter().map(|&(below, above)| (self.first[below], self.first[above]));
        of_pools.filter(|(below, above)| below != above).collect()
    }

    /// Pools neighbouring bins of each monotone column as long as the terms of its class fall, with `weights`
    /// of the levels, and makes the terms of the two classes of a pool the same number with both signs.
    /// Says whether there are new pools.
    ///
    /// This is the algorithm of pooling adjacent violators: Barlow, Bartholomew, Bremner and Brunk (1972),
    /// *Statistical inference under order restrictions*.
    pub(super) fn pool(
        &mut self,
        (columns, coding): (&Columns, &Coding),
        weights: &[f64],
        terms: &mut [f64],
    ) -> bool {
        let before = self.first.clone();
        for (column, class) in columns.rising.iter().enumerate() {
            let Some(class) = *class else { continue };
            let levels = coding.of_column(column);
            let mut blocks: Vec<Block> = Vec::new();
            for level in levels.clone() {
                let of_pool = 2 * self.first[level];
                let mut block = Block {
                    first: level,
                    weight: weights[level],
                    term: 0.5 * (terms[of_pool + class] - terms[of_pool + 1 - class]),
                };
                while let Some(last) = blocks.pop_if(|last| {
                    self.first[block.first] == self.first[last.first] || last.term > block.term
                }) {
                    block = last.with(&block);
                }
                blocks.push(block);
            }
            let ends = blocks.iter().skip(1).map(|block| block.first).chain([levels.end]).collect::<Vec<_>>();
            for (block, end) in blocks.iter().zip(ends) {
                for level in block.first..end {
                    self.first[level] = block.first;
                    terms[2 * level + class] = block.term;
                    terms[2 * level + 1 - class] = -block.term;
                }
            }
        }
        self.first != before
    }
}

/// Neighbouring levels with a term in common.
struct Block {
    first: usize,
    weight: f64,
    term: f64,
}

impl Block {
    fn with(&self, next: &Self) -> Self {
        let weight = self.weight + next.weight;
        let share = if weight > 0.0 { next.weight / weight } else { 0.5 };
        Self { first: self.first, weight, term: self.term + share * (next.term - self.term) }
    }
}
