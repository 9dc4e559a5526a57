//! The sampler of a hierarchy of distributions.

use rand_chacha::ChaCha8Rng;

use super::{
    counts::Counts,
    draws::{ln_beta_variate, ln_gamma_variate, tables},
};

/// The concentration of the distribution at the top around the uniform one, and of all others at the start:
/// the mean of the prior.
const CONCENTRATION: f64 = 2.0;

/// Shape and rate of the gamma prior of the other concentrations.
const PRIOR: (f64, f64) = (2.0, 1.0);

/// The state of the chain.
pub(super) struct Sampler {
    n_values: usize,
    /// The distributions under the same number of conditions, none first.
    levels: Vec<Level>,
}

/// The distributions under one number of conditions.
struct Level {
    /// Those with counts.
    nodes: Vec<Node>,
    concentration: f64,
    /// Where each distribution is among `nodes`; `None` without counts.
    places: Vec<Option<usize>>,
}

/// A distribution with counts.
struct Node {
    /// Its place in the level above.
    parent: usize,
    /// The customers of each value: rows at the last level, else the tables of the level below.
    counts: Vec<u64>,
    total: u64,
    /// The tables of each value, which are customers of the parent.
    tables: Vec<u64>,
    /// A draw of the distribution; none is needed at the last level.
    drawn: Vec<f64>,
    /// The expected distribution with all tables.
    expected: Vec<f64>,
    /// The sum of those.
    sum: Vec<f64>,
}

impl Sampler {
    /// Starts with one table for each value that occurs.
    pub(super) fn new(counts: &Counts) -> Self {
        let n_values = counts.n_values;
        let mut own = counts.of.clone();
        let mut levels = Vec::with_capacity(counts.conditions.len() + 1);
        for depth in (0..=counts.conditions.len()).rev() {
            let n_children = depth.checked_sub(1).map_or(1, |above| counts.conditions[above]).max(1);
            let is_seated = |row: &[u64]| row.iter().any(|&count| count > 0);
            let mut places = Vec::new();
            let mut nodes = Vec::new();
            for (number, row) in own.chunks_exact(n_values.max(1)).enumerate() {
                places.push(is_seated(row).then_some(nodes.len()));
                if is_seated(row) {
                    nodes.push(Node {
                        parent: number / n_children,
                        counts: row.to_vec(),
                        total: row.iter().sum(),
                        tables: row.iter().map(|&count| count.min(1)).collect(),
                        drawn: vec![0.0; n_values],
                        expected: vec![0.0; n_values],
                        sum: vec![0.0; n_values],
                    });
                }
            }
            let n_above = places.len() / n_children;
            own = vec![0; n_above * n_values];
            for node in &nodes {
                let above = &mut own[node.parent * n_values..][..n_values];
                above.iter_mut().zip(&node.tables).for_each(|(sum, tables)| *sum += tables);
            }
            levels.push(Level { nodes, concentration: CONCENTRATION, places });
        }
        levels.reverse();
        for above in 1..levels.len() {
            let (before, from) = levels.split_at_mut(above);
            for node in &mut from[0].nodes {
                // A distribution with counts has a parent with counts.
                node.parent = before[above - 1].places[node.parent].unwrap_or(0);
            }
        }
        let mut sampler = Self { n_values, levels };
        sampler.expect();
        for node in sampler.levels.iter_mut().flat_map(|level| &mut level.nodes) {
            node.drawn.clone_from(&node.expected);
        }
        sampler
    }

    /// One sweep: tables upwards, concentrations, distributions downwards.
    pub(super) fn sweep(&mut self, random: &mut ChaCha8Rng) {
        for depth in (1..self.levels.len()).rev() {
            let (before, from) = self.levels.split_at_mut(depth);
            let (above, level) = (&mut before[depth - 1].nodes, &mut from[0]);
            for parent in &mut *above {
                parent.counts.fill(0);
            }
            for node in &mut level.nodes {
                let parent = &mut above[node.parent];
                for value in 0..self.n_values {
                    let concentration = level.concentration * parent.drawn[value];
                    let own = tables(node.counts[value], concentration, random);
                    node.tables[value] = own;
                    parent.counts[value] += own;
                }
            }
            for parent in above {
                parent.total = parent.counts.iter().sum();
            }
            level.draw_concentration(random);
        }
        let is_above_others = self.levels.len() - 1;
        for depth in 0..is_above_others {
            let (before, from) = self.levels.split_at_mut(depth);
            let above = before.last().map(|level| &level.nodes);
            let level = &mut from[0];
            for node in &mut level.nodes {
                let parent = above.map(|nodes| &nodes[node.parent].drawn);
                node.draw(parent, level.concentration, random);
            }
        }
    }

    /// The expected distributions with the tables and concentrations as they are.
    fn expect(&mut self) {
        let uniform = 1.0 / self.n_values as f64;
        for depth in 0..self.levels.len() {
            let (before, from) = self.levels.split_at_mut(depth);
            let above = before.last().map(|level| &level.nodes);
            let level = &mut from[0];
            for node in &mut level.nodes {
                let total = node.total as f64 + level.concentration;
                for value in 0..self.n_values {
                    let base = above.map_or(uniform, |nodes| nodes[node.parent].expected[value]);
                    node.expected[value] = (node.counts[value] as f64 + level.concentration * base) / total;
                }
            }
        }
    }

    /// Adds the expected distributions to the averages.
    pub(super) fn record(&mut self) {
        self.expect();
        for node in self.levels.iter_mut().flat_map(|level| &mut level.nodes) {
            node.sum.iter_mut().zip(&node.expected).for_each(|(sum, expected)| *sum += expected);
        }
    }

    /// The average distributions under all conditions, which add up to one each; one without counts is that
    /// above it.
    pub(super) fn averages(&self) -> Vec<f64> {
        let mut above = vec![1.0 / self.n_values as f64; self.n_values];
        let mut n_above = 1;
        for level in &self.levels {
            let n_children = level.places.len() / n_above;
            let mut own = Vec::with_capacity(level.places.len() * self.n_values);
            for (number, place) in level.places.iter().enumerate() {
                if let Some(place) = *place {
                    let sum = &level.nodes[place].sum;
                    let total: f64 = sum.iter().sum();
                    own.extend(sum.iter().map(|sum| sum / total));
                } else {
                    let parent = number / n_children;
                    own.extend_from_slice(&above[parent * self.n_values..][..self.n_values]);
                }
            }
            (above, n_above) = (own, level.places.len());
        }
        above
    }
}

impl Level {
    /// Draws the concentration, given the tables: with `q ~ Beta(c, N)` for each distribution with `N`
    /// customers and `T` tables, its posterior is a gamma distribution of shape `a + Σ T` and rate `b - Σ
    /// ln q`.
    fn draw_concentration(&mut self, random: &mut ChaCha8Rng) {
        let (mut shape, mut rate) = PRIOR;
        for node in &self.nodes {
            shape += node.tables.iter().sum::<u64>() as f64;
            rate -= ln_beta_variate(self.concentration, node.total as f64, random);
        }
        self.concentration = libm::exp(ln_gamma_variate(shape, random)) / rate;
    }
}

impl Node {
    /// Draws the distribution, given its customers: `Dirichlet(c · parent + counts)`; the parent of the one
    /// at the top is uniform.
    fn draw(&mut self, parent: Option<&Vec<f64>>, concentration: f64, random: &mut ChaCha8Rng) {
        let uniform = 1.0 / self.counts.len() as f64;
        let mut largest = f64::NEG_INFINITY;
        for (value, drawn) in self.drawn.iter_mut().enumerate() {
            let base = parent.map_or(uniform, |parent| parent[value]);
            let shape = concentration * base + self.counts[value] as f64;
            *drawn = if shape > 0.0 { ln_gamma_variate(shape, random) } else { f64::NEG_INFINITY };
            largest = drawn.max(largest);
        }
        self.drawn.iter_mut().for_each(|drawn| *drawn = libm::exp(*drawn - largest));
        let total: f64 = self.drawn.iter().sum();
        self.drawn.iter_mut().for_each(|drawn| *drawn /= total);
    }
}
