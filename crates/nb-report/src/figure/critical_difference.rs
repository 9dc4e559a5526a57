//! Average ranks and what does not differ.

/// A side of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The left one.
    Left,
    /// The right one.
    #[default]
    Right,
}

/// The diagram of Demšar (2006), *Statistical comparisons of classifiers over multiple data sets*, JMLR 7,
/// section 3.2.2 and figure 1: average ranks on an axis, methods that do not differ significantly joined by a
/// bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CriticalDifference {
    /// Methods and their average ranks; 1 is best.
    pub ranks: Vec<(String, f64)>,
    /// The difference of average ranks from which on methods differ, drawn as a bar above the axis.
    pub difference: Option<f64>,
    /// Sets of methods that do not differ, by their places in `ranks`; each is joined by a bar.
    pub groups: Vec<Vec<usize>>,
    /// Where the best rank is. The paper has it at the right.
    pub best: Side,
}

impl CriticalDifference {
    /// The diagram for one critical difference, as after the test of Nemenyi: methods are joined when their
    /// average ranks differ by less (the paper: they differ when the ranks differ "by at least the
    /// critical difference").
    ///
    /// ```
    /// use nb_report::CriticalDifference;
    ///
    /// let ranks = [("A", 1.5), ("B", 2.0), ("C", 2.75), ("D", 3.75)].map(|(name, rank)| (name.into(), rank));
    /// let diagram = CriticalDifference::new(ranks, 1.3);
    /// assert_eq!(diagram.groups, [vec![0, 1, 2], vec![2, 3]]);
    /// ```
    pub fn new(ranks: impl IntoIterator<Item = (String, f64)>, difference: f64) -> Self {
        let ranks: Vec<(String, f64)> = ranks.into_iter().collect();
        let mut order: Vec<usize> = (0..ranks.len()).filter(|&i| ranks[i].1.is_finite()).collect();
        order.sort_by(|&a, &b| ranks[a].1.total_cmp(&ranks[b].1));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut covered = 0;
        for (start, &first) in order.iter().enumerate() {
            let near = |&&i: &&usize| ranks[i].1 - ranks[first].1 < difference;
            let end = start + order[start..].iter().take_while(near).count();
            // A group inside the one before says nothing new.
            if end > covered && end > start + 1 {
                groups.push(order[start..end].to_vec());
            }
            covered = covered.max(end);
        }
        Self { ranks, difference: Some(difference), groups, best: Side::Right }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(ranks: &[f64], difference: f64) -> Vec<Vec<usize>> {
        CriticalDifference::new(ranks.iter().map(|&rank| (String::new(), rank)), difference).groups
    }

    #[test]
    fn only_the_largest_groups_are_kept() {
        assert_eq!(groups(&[1.0, 2.0, 3.0, 4.0], 1.0), Vec::<Vec<usize>>::new());
        assert_eq!(groups(&[4.0, 3.0, 2.0, 1.0], 1.5), [vec![3, 2], vec![2, 1], vec![1, 0]]);
        assert_eq!(groups(&[1.0, 1.5, 2.0, 5.0], 2.0), [vec![0, 1, 2]]);
        assert_eq!(groups(&[2.0, 2.0], 0.5), [vec![0, 1]]);
        assert_eq!(groups(&[1.0, f64::NAN, 1.5], 1.0), [vec![0, 2]]);
        assert_eq!(groups(&[1.0, 2.0], f64::NAN), Vec::<Vec<usize>>::new());
    }
}
