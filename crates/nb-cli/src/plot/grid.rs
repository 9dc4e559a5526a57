//! What naive Bayes on two features says at the nodes of a grid.

use super::{
    feature::{Feature, Fitted, Law},
    font::width,
};

/// A part of an axis on which nothing jumps: all of the numbers, or one category.
pub(crate) struct Strip {
    /// Where the nodes are, in units of the axis.
    pub(crate) at: Vec<f64>,
    /// For every class the log-likelihood at every node.
    scores: Vec<Vec<f64>>,
}

impl Strip {
    /// The strips of an axis; numbers between the limits get so many nodes.
    pub(crate) fn all(
        classifier: &Fitted,
        feature: &Feature,
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
        match &feature.law {
            Law::Categories { levels, .. } => {
                let strip = |(place, value): (usize, f64)| Self {
                    at: vec![place as f64, place as f64 + 1.0],
                    scores: scores(&[value, value]),
                };
                levels.iter().map(|level| level.value).enumerate().map(strip).collect()
            }
            _ => {
                let node = |i: usize| low + (high - low) * i as f64 / (n_nodes - 1) as f64;
                let at: Vec<f64> = (0..n_nodes).map(node).collect();
                vec![Self { scores: scores(&at), at }]
            }
        }
    }
}

/// Log-odds beyond this are all the same; they must be finite to be interpolated.
const SURE: f64 = 1e6;

/// The answers at all nodes where a strip of each axis cross.
pub(crate) struct Grid<'a> {
    pub(crate) xs: &'a [f64],
    pub(crate) ys: &'a [f64],
    n_classes: usize,
    /// For every node and class: by how much its score is above the best of the others.
    leads: Vec<f64>,
    /// For every node and class: its posterior log-odds.
    log_odds: Vec<f64>,
}

impl<'a> Grid<'a> {
    pub(crate) fn new(log_prior: &[f64], x: &'a Strip, y: &'a Strip) -> Self {
        let n_classes = log_prior.len();
        let n = n_classes * x.at.len() * y.at.len();
        let mut grid = Self {
            xs: &x.at,
            ys: &y.at,
            n_classes,
            leads: Vec::with_capacity(n),
            log_odds: Vec::with_capacity(n),
        };
        let mut scores = vec![0.0; n_classes];
        for j in 0..y.at.len() {
            for i in 0..x.at.len() {
                for (class, score) in scores.iter_mut().enumerate() {
                    *score = log_prior[class] + (x.scores[class][i] + y.scores[class][j]);
                }
                grid.leads.extend((0..n_classes).map(|class| lead(&scores, class)));
                grid.log_odds.extend(log_odds(&scores));
            }
        }
        grid
    }

    fn node(&self, i: usize, j: usize) -> usize {
        j * self.xs.len() + i
    }

    /// By how much the score of a class is above the best of the others; positive where its label is given.
    pub(crate) fn lead(&self, class: usize, i: usize, j: usize) -> f64 {
        self.leads[self.node(i, j) * self.n_classes + class]
    }

    /// The posterior log-odds of a class.
    pub(crate) fn log_odds(&self, class: usize, i: usize, j: usize) -> f64 {
        self.log_odds[self.node(i, j) * self.n_classes + class]
    }

    /// The class of a node, if one is possible.
    pub(crate) fn label(&self, i: usize, j: usize) -> Option<usize> {
        (0..self.n_classes).find(|&class| self.lead(class, i, j) > 0.0)
    }

    /// For every class the node where a name of this size lies farthest inside its region, with the distance to the
    /// border in nodes of the first axis.
    pub(crate) fn inmost(&self) -> Vec<Option<(usize, usize, f64)>> {
        let (width, height) = (self.xs.len(), self.ys.len());
        let labels: Vec<Option<usize>> =
            (0..width * height).map(|node| self.label(node % width, node / width)).collect();
        // How far the nodes of the same class reach, in each direction: the smallest counts, as in a chessboard.
        let mut depth = vec![0_u32; width * height];
        let mut pass = |order: &mut dyn Iterator<Item = usize>, step: isize| {
            for node in order {
                let (i, j) = (node % width, node / width);
                let behind = |di: isize, dj: isize| {
                    let (i, j) = (i as isize + di, j as isize + dj);
                    if i < 0 || j < 0 || i >= width as isize || j >= height as isize {
                        return 0;
                    }
                    let other = j as usize * width + i as usize;
                    if labels[other] == labels[node] { depth[other] } else { 0 }
                };
                let around = [behind(step, 0), behind(0, step), behind(step, step), behind(-step, step)];
                let reached = around.into_iter().min().unwrap_or(0) + 1;
                depth[node] = if step < 0 { reached } else { depth[node].min(reached) };
            }
        };
        pass(&mut (0..width * height), -1);
        pass(&mut (0..width * height).rev(), 1);
        let mut best = vec![None; self.n_classes];
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

/// Whether a name fits into a square that reaches so far to all sides.
pub(crate) fn has_room(name: &str, size: f64, reach: f64) -> bool {
    width(name, size) / 2.0 <= reach && size * 0.6 <= reach
}

/// Of equal scores the first counts as the better one, as for labels.
fn lead(scores: &[f64], class: usize) -> f64 {
    const TIE: f64 = 1e-12;
    let others = scores.iter().enumerate().filter(|&(other, _)| other != class);
    let best = others.clone().map(|(_, &score)| score).fold(f64::NEG_INFINITY, f64::max);
    let lead = scores[class] - best;
    if scores[class] == f64::NEG_INFINITY || lead.is_nan() {
        return -SURE;
    }
    if lead == 0.0 {
        let is_first = others.clone().all(|(other, &score)| other > class || score < best);
        return if is_first { TIE } else { -TIE };
    }
    lead.clamp(-SURE, SURE)
}

/// The logarithm of `p / (1 - p)` of every class.
fn log_odds(scores: &[f64]) -> Vec<f64> {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if best == f64::NEG_INFINITY {
        return vec![-SURE; scores.len()];
    }
    let parts: Vec<f64> = scores.iter().map(|score| (score - best).exp()).collect();
    let all: f64 = parts.iter().sum();
    let of_class = |class: usize| {
        // Where a class has most of it, the rest is not to be had by subtraction.
        let others = if 2.0 * parts[class] < all {
            all - parts[class]
        } else {
            let others = parts.iter().enumerate().filter(|&(other, _)| other != class);
            others.map(|(_, part)| part).sum()
        };
        (scores[class] - best - others.ln()).clamp(-SURE, SURE)
    };
    (0..scores.len()).map(of_class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_and_log_odds() {
        let scores = [0.6_f64.ln(), 0.3_f64.ln(), 0.1_f64.ln()];
        assert!((lead(&scores, 0) - 2.0_f64.ln()).abs() < 1e-12 && lead(&scores, 1) < 0.0);
        let odds = log_odds(&scores);
        for (found, p) in odds.iter().zip([0.6_f64, 0.3, 0.1]) {
            assert!((found - (p / (1.0 - p)).ln()).abs() < 1e-12);
        }
    }

    #[test]
    fn the_first_of_equals_leads_and_the_impossible_does_not() {
        let never = f64::NEG_INFINITY;
        assert!(lead(&[1.0, 1.0], 0) > 0.0 && lead(&[1.0, 1.0], 1) < 0.0);
        assert_eq!([lead(&[never, never], 0), lead(&[never, never], 1)], [-SURE; 2]);
        assert_eq!(log_odds(&[never, never]), [-SURE; 2]);
        assert_eq!(log_odds(&[0.0, never]), [SURE, -SURE]);
    }
}
