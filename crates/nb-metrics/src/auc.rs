//! The area under the ROC curve, by ranks.

use crate::sum::{Sum, mean, ratio};

/// The scores of all rows, which ranks need, by true class: for two classes one number a row, else one per
/// class; then the weight.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    rows: Vec<Vec<f64>>,
}

/// What ranks say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Areas {
    /// Each class against all others.
    pub(crate) classes: Vec<Option<f64>>,
    /// The mean of these.
    pub(crate) macro_average: Option<f64>,
    /// Hand and Till's M.
    pub(crate) pairwise: Option<f64>,
}

/// A row by its score for one class.
struct Scored {
    score: f64,
    truth: usize,
    weight: f64,
}

/// Twice the weight of the pairs of rows that one class wins against another, and that it loses; a tie is
/// half of each.
#[derive(Clone, Debug, Default)]
struct Contest {
    won: Sum,
    lost: Sum,
}

impl Contest {
    fn merge(&mut self, other: &Self) {
        self.won.merge(&other.won);
        self.lost.merge(&other.lost);
    }

    /// The part that was won: exactly 1 or 0 where nothing was lost or won, exactly a half where all are
    /// ties.
    fn area(&self) -> Option<f64> {
        let (won, lost) = (self.won.value(), self.lost.value());
        ratio(won, won + lost)
    }
}

impl Ranks {
    pub(crate) fn new(n_classes: usize) -> Self {
        // With one class there is nothing to rank.
        Self { rows: vec![Vec::new(); if n_classes > 1 { n_classes } else { 0 }] }
    }

    pub(crate) fn add(&mut self, truth: usize, log_posteriors: &[f64], weight: f64) {
        let Some(rows) = self.rows.get_mut(truth) else {
            return;
        };
        match *log_posteriors {
            [first, second] => rows.extend([two_class_score(first, second), weight]),
            // The sum with 0 makes -0 the 0 with which it ties.
            _ => rows.extend(log_posteriors.iter().map(|score| score + 0.0).chain([weight])),
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (rows, theirs) in self.rows.iter_mut().zip(&other.rows) {
            rows.extend_from_slice(theirs);
        }
    }

    /// The areas that exist.
    pub(crate) fn areas(&self) -> Areas {
        let n_classes = self.rows.len();
        let places = self.places();
        if n_classes == 2 {
            // Both classes have the same area, as their scores are each other's opposites.
            let area = self.contests(1, &places).first().and_then(Contest::area);
            return Areas { classes: vec![area; 2], macro_average: area, pairwise: area };
        }
        let mut classes = Vec::with_capacity(n_classes);
        let mut pairs = Vec::new();
        for class in 0..n_classes {
            if self.rows[class].is_empty() {
                classes.push(None);
                continue;
            }
            let contests = self.contests(class, &places);
            let mut all = Contest::default();
            for contest in &contests {
                all.merge(contest);
            }
            classes.push(all.area());
            pairs.extend(contests.iter().filter_map(Contest::area));
        }
        Areas {
            macro_average: mean(classes.iter().copied().flatten()),
            pairwise: mean(pairs.iter().copied()),
            classes,
        }
    }

    /// How many numbers a row takes.
    fn width(&self) -> usize {
        if self.rows.len() == 2 { 2 } else { self.rows.len() + 1 }
    }

    /// The place of each class that has rows among those that have any.
    fn places(&self) -> Vec<usize> {
        let mut next = 0;
        let places = self.rows.iter().map(|rows| {
            let place = next;
            next += usize::from(!rows.is_empty());
            place
        });
        places.collect()
    }

    /// The rows of a class against those of each other class that has rows, at its place, by the score for
    /// that class; none against its own.
    ///
    /// One sort and one walk upwards: a row wins against all that lie below it.
    fn contests(&self, class: usize, places: &[usize]) -> Vec<Contest> {
        let column = if self.rows.len() == 2 { 0 } else { class };
        let mut rows = self.scored(column);
        // Tied rows in any order give the same sums, as these are exact, so that the sort need not be stable.
        rows.sort_unstable_by(|a, b| a.score.total_cmp(&b.score));
        let n_places = self.rows.iter().filter(|rows| !rows.is_empty()).count();
        let mut contests = vec![Contest::default(); n_places];
        let mut own_below = Sum::default();
        let mut below = vec![Sum::default(); n_places];
        for tied in rows.chunk_by(|a, b| a.score == b.score) {
            let own: Sum = tied.iter().filter(|row| row.truth == class).map(|row| row.weight).sum();
            let weight = own.value();
            if weight > 0.0 {
                for (contest, below) in contests.iter_mut().zip(&below) {
                    contest.won.add(weight * (2.0 * below.value()));
                }
            }
            let lost = 2.0 * own_below.value();
            for row in tied.iter().filter(|row| row.truth != class) {
                let place = places[row.truth];
                let contest = &mut contests[place];
                contest.won.add(row.weight * weight);
                contest.lost.add(row.weight * weight);
                contest.lost.add(row.weight * lost);
                below[place].add(row.weight);
            }
            own_below.merge(&own);
        }
        contests
    }

    /// All rows by one of their scores.
    fn scored(&self, column: usize) -> Vec<Scored> {
        let classes = self.rows.iter().enumerate();
        let rows = classes.flat_map(|(truth, rows)| {
            let rows = rows.chunks_exact(self.width());
            rows.map(move |row| Scored { score: row[column], truth, weight: row[row.len() - 1] })
        });
        rows.collect()
    }
}

/// A number that grows with the posterior of the second of two classes and keeps all its digits: the
/// logarithm of the smaller posterior, with the sign turned where that is the first one. In the middle, 0,
/// are rows that prefer neither, also those that are impossible under both.
fn two_class_score(first: f64, second: f64) -> f64 {
    if second < first {
        second
    } else if second > first {
        -first
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_without_rows_change_nothing() {
        let rows = [
            (0, [-0.1, -2.5, -4.0]),
            (1, [-0.7, -0.8, -3.0]),
            (2, [-1.0, -1.1, -1.2]),
            (0, [-1.2, -0.9, -1.3]),
        ];
        let (mut few, mut many) = (Ranks::new(3), Ranks::new(1000));
        for (truth, scores) in rows {
            few.add(truth, &scores, 1.0);
            // The same three classes at places 5, 500 and 999.
            let mut all = vec![f64::NEG_INFINITY; 1000];
            [5, 500, 999].into_iter().zip(scores).for_each(|(place, score)| all[place] = score);
            many.add([5, 500, 999][truth], &all, 1.0);
        }
        let (few, many) = (few.areas(), many.areas());
        assert_eq!((few.macro_average, few.pairwise), (many.macro_average, many.pairwise));
        assert_eq!(many.classes.iter().flatten().count(), 3);
        assert_eq!([5, 500, 999].map(|place| many.classes[place]).to_vec(), few.classes);
    }

    #[test]
    fn scores_of_two_classes_tell_sure_rows_apart() {
        let pairs = [
            (-0.0, f64::NEG_INFINITY),
            (0.0, -900.0),
            (0.0, -800.0),
            (-0.1, -2.35),
            (f64::NEG_INFINITY, f64::NEG_INFINITY),
            (-0.7, -0.69),
            (-800.0, 0.0),
        ];
        let scores: Vec<f64> = pairs.iter().map(|&(first, second)| two_class_score(first, second)).collect();
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
    }

    #[test]
    fn ties_are_won_by_half() {
        let mut ranks = Ranks::new(2);
        for (truth, second) in [(0, -2.0), (0, -1.0), (1, -1.0), (1, -0.8)] {
            ranks.add(truth, &[-0.1, second], 1.0);
        }
        assert_eq!(ranks.areas().macro_average, Some(3.5 / 4.0));
    }

    #[test]
    fn signs_of_zero_tie() {
        let mut ranks = Ranks::new(3);
        ranks.add(0, &[0.0, f64::NEG_INFINITY, f64::NEG_INFINITY], 1.0);
        ranks.add(1, &[-0.0, f64::NEG_INFINITY, f64::NEG_INFINITY], 1.0);
        assert_eq!(ranks.areas().classes, [Some(0.5), Some(0.5), None]);
    }
}
