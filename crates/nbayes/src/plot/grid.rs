//! What naive Bayes on two features says at the nodes of a grid.

use nb_discriminative::PairCorrection;
use nb_report::Ink;

use super::{
    effect::jumps,
    feature::{Fitted, Law, PlottedColumn},
};

/// A part of an axis on which nothing jumps: all of the numbers, or one category.
pub(crate) struct Strip {
    /// Where the nodes are, in units of the axis.
    pub(crate) at: Vec<f64>,
    /// The values at the nodes.
    values: Vec<f64>,
    /// For every class the log-likelihood at every node.
    scores: Vec<Vec<f64>>,
}

impl Strip {
    /// The strips of an axis; numbers between the limits get this many nodes, at equal distances if there are
    /// too many classes for colours of their own, else some more.
    pub(crate) fn all(
        classifier: &Fitted,
        feature: &PlottedColumn,
        (low, high): (f64, f64),
        n_nodes: usize,
    ) -> Vec<Self> {
        let n_classes = classifier.classes().len();
        let scores = |values: &[f64]| -> Vec<Vec<f64>> {
            let of_class = |class| {
                values.iter().map(|&value| feature.log_likelihood(classifier, class, value)).collect()
            };
            (0..n_classes).map(of_class).collect()
        };
        if let Law::Categories { levels, .. } = &feature.law {
            let strip = |(place, value): (usize, f64)| Self {
                at: vec![place as f64, place as f64 + 1.0],
                values: vec![value, value],
                scores: scores(&[value, value]),
            };
            return levels.iter().map(|level| level.value).enumerate().map(strip).collect();
        }
        let node = |i: usize| low + (high - low) * i as f64 / (n_nodes - 1) as f64;
        let mut at: Vec<f64> = (0..n_nodes).map(node).collect();
        if let Law::Density(parameters) = &feature.law
            && n_classes <= Ink::COLOURS
        {
            // A class that hardly varies could slip through between two nodes.
            for (mean, sd) in parameters {
                at.extend((-12..=12).map(|times| mean + f64::from(times) * sd));
            }
            at.retain(|value| (low..=high).contains(value));
            at.sort_by(f64::total_cmp);
            at.dedup();
        }
        if let Law::Bins { .. } = &feature.law {
            // Scores jump there: a node on either side.
            let cuts = jumps(classifier, feature);
            at.extend(cuts.iter().flat_map(|cut| [*cut, cut.next_up()]));
            at.retain(|value| (low..=high).contains(value));
            at.sort_by(f64::total_cmp);
            at.dedup();
        }
        vec![Self { scores: scores(&at), values: at.clone(), at }]
    }
}

/// Leads beyond this are all the same; they must be finite to be interpolated.
const SURE: f64 = 1e300;

/// The answers at all nodes where a strip of each axis cross.
pub(crate) struct Grid<'a> {
    pub(crate) xs: &'a [f64],
    pub(crate) ys: &'a [f64],
    log_prior: &'a [f64],
    scores: [&'a [Vec<f64>]; 2],
    /// What the two features add together.
    together: Option<&'a PairCorrection>,
    values: [&'a [f64]; 2],
    nodes: Vec<Node>,
}

/// What the scores of all classes at a node come to.
#[derive(Clone, Copy)]
struct Node {
    /// The class with the best score, the first of equals; none if no class is possible.
    label: Option<usize>,
    best: f64,
    second: f64,
}

impl Node {
    fn new(scores: &[f64]) -> Self {
        let mut node = Self { label: None, best: f64::NEG_INFINITY, second: f64::NEG_INFINITY };
        for (class, &score) in scores.iter().enumerate() {
            if score > node.best {
                (node.label, node.second, node.best) = (Some(class), node.best, score);
            } else if score > node.second {
                node.second = score;
            }
        }
        node
    }

    /// By how much a class leads, given its score; of equals the first leads.
    fn lead(&self, class: usize, score: f64) -> f64 {
        const TIE: f64 = 1e-12;
        match self.label {
            Some(label) if label == class => (score - self.second).clamp(TIE, SURE),
            Some(_) => (score - self.best).clamp(-SURE, -TIE),
            None => -SURE,
        }
    }
}

impl<'a> Grid<'a> {
    pub(crate) fn new(
        log_prior: &'a [f64],
        x: &'a Strip,
        y: &'a Strip,
        together: Option<&'a PairCorrection>,
    ) -> Self {
        let scores = [x.scores.as_slice(), y.scores.as_slice()];
        let nodes = Vec::with_capacity(x.at.len() * y.at.len());
        let values = [x.values.as_slice(), y.values.as_slice()];
        let mut grid = Self { xs: &x.at, ys: &y.at, log_prior, scores, together, values, nodes };
        let mut scores = vec![0.0; log_prior.len()];
        for j in 0..y.at.len() {
            for i in 0..x.at.len() {
                for (class, score) in scores.iter_mut().enumerate() {
                    *score = grid.score(class, i, j);
                }
                grid.nodes.push(Node::new(&scores));
            }
        }
        grid
    }

    fn n_classes(&self) -> usize {
        self.log_prior.len()
    }

    fn score(&self, class: usize, i: usize, j: usize) -> f64 {
        let together = self.together.map(|pair| pair.at([self.values[0][i], self.values[1][j]]));
        let together = together.and_then(|scores| scores.get(class)).copied().unwrap_or(0.0);
        self.log_prior[class] + (self.scores[0][class][i] + self.scores[1][class][j]) + together
    }

    fn node(&self, i: usize, j: usize) -> Node {
        self.nodes[j * self.xs.len() + i]
    }

    /// By how much the score of a class is above the best of the others; positive where its label is given.
    pub(crate) fn lead(&self, class: usize, i: usize, j: usize) -> f64 {
        self.node(i, j).lead(class, self.score(class, i, j))
    }

    /// The classes whose label is given at some node, in order.
    pub(crate) fn present(&self) -> Vec<usize> {
        let mut is_present = vec![false; self.n_classes()];
        self.nodes.iter().filter_map(|node| node.label).for_each(|class| is_present[class] = true);
        (0..self.n_classes()).filter(|&class| is_present[class]).collect()
    }

    /// The class of a node, if one is possible.
    pub(crate) fn label(&self, i: usize, j: usize) -> Option<usize> {
        self.node(i, j).label
    }

    /// For every class the node that lies farthest inside its region, with the distance to the
    /// border in nodes of the first axis.
    pub(crate) fn inmost(&self) -> Vec<Option<(usize, usize, f64)>> {
        let (width, height) = (self.xs.len(), self.ys.len());
        let labels: Vec<Option<usize>> = self.nodes.iter().map(|node| node.label).collect();
        // How far the nodes of the same class reach, in each direction: the smallest counts, as in a
        // chessboard.
        let mut depth = vec![0_u32; width * height];
        let mut pass = |order: &mut dyn Iterator<Item = usize>, step: isize| {
            for node in order {
                let (i, j) = (node % width, node / width);
                let beside =
                    |at: usize, step: isize, n: usize| at.checked_add_signed(step).filter(|&at| at < n);
                let behind = |di: isize, dj: isize| {
                    let other = beside(i, di, width).zip(beside(j, dj, height)).map(|(i, j)| j * width + i);
                    other.filter(|&other| labels[other] == labels[node]).map_or(0, |other| depth[other])
                };
                let around = [behind(step, 0), behind(0, step), behind(step, step), behind(-step, step)];
                let reached = around.into_iter().min().unwrap_or(0) + 1;
                depth[node] = if step < 0 { reached } else { depth[node].min(reached) };
            }
        };
        pass(&mut (0..width * height), -1);
        pass(&mut (0..width * height).rev(), 1);
        let mut best = vec![None; self.n_classes()];
        for (node, label) in labels.iter().enumerate() {
            let Some(class) = *label else { continue };
            let depth = f64::from(depth[node]);
            if best[class].is_none_or(|(_, _, deepest)| depth > deepest) {
                best[class] = Some((node % width, node / width, depth));
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_are_differences_of_scores() {
        let scores = [0.6_f64.ln(), 0.3_f64.ln(), 0.1_f64.ln()];
        let node = Node::new(&scores);
        assert!((node.lead(0, scores[0]) - 2.0_f64.ln()).abs() < 1e-12);
        assert!((node.lead(2, scores[2]) + 6.0_f64.ln()).abs() < 1e-12);
        // Also where exponentials vanish.
        let scores = [-5e6, -7e6, -9e6];
        let node = Node::new(&scores);
        assert_eq!((node.lead(0, scores[0]), node.lead(1, scores[1])), (2e6, -2e6));
    }

    #[test]
    fn the_first_of_equals_leads_and_the_impossible_does_not() {
        let never = f64::NEG_INFINITY;
        let node = Node::new(&[1.0, 1.0]);
        assert!(node.lead(0, 1.0) > 0.0 && node.lead(1, 1.0) < 0.0);
        let node = Node::new(&[never, never]);
        assert_eq!(node.label, None);
        assert_eq!([node.lead(0, never), node.lead(1, never)], [-SURE; 2]);
        let node = Node::new(&[0.0, never]);
        assert_eq!([node.lead(0, 0.0), node.lead(1, never)], [SURE, -SURE]);
    }
}
