//! The outcomes on one group of data sets: means, ranks, comparisons and times.

use super::{
    Outcomes,
    answers::Times,
    contenders::{BASELINE, Contender},
    data::{Data, Group},
    measure::{LOG_LOSS, Measure},
    score::{Score, difference, mean},
};

/// What is known of a contender on a data set.
#[derive(Debug)]
pub(super) enum Cell {
    /// It was not run.
    Absent,
    /// It gave no answer, for this reason.
    Failed(String),
    /// The means over its repeats.
    Score(Score),
}

impl Cell {
    pub(super) fn score(&self) -> Option<&Score> {
        if let Self::Score(score) = self { Some(score) } else { None }
    }
}

/// A contender on the data sets of a group.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) contender: Contender,
    /// One for each data set.
    pub(super) cells: Vec<Cell>,
    /// The mean times of a repeat, for each data set.
    pub(super) times: Vec<Times>,
    /// The least and the largest number of repeats.
    pub(super) repeats: (usize, usize),
}

impl Row {
    /// Whether it was run on all data sets, so that its ranks mean something.
    pub(super) fn is_complete(&self) -> bool {
        !self.cells.iter().any(|cell| matches!(cell, Cell::Absent))
    }
}

/// At how many data sets the baseline is better or worse than a contender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wins {
    /// The data sets that both answer.
    pub(super) n: usize,
    /// Where the baseline is at least as good.
    pub(super) no_worse: usize,
    /// Where its log-loss is smaller by more than two standard errors.
    pub(super) clearly_better: usize,
    /// Where it is larger by more than two standard errors.
    pub(super) clearly_worse: usize,
}

/// The outcomes on a group.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) sets: Vec<&'a Data>,
    pub(super) rows: Vec<Row>,
    baseline: usize,
}

impl<'a> View<'a> {
    /// Those of a group; contenders that were run on none of its data sets are left out. Nothing if the
    /// baseline is one of them.
    pub(super) fn new(group: Group, sets: &'a [Data], outcomes: &[Outcomes]) -> Option<Self> {
        let places: Vec<usize> = (0..sets.len()).filter(|&set| sets[set].group == group).collect();
        let rows = outcomes.iter().map(|outcome| {
            let of_sets = || places.iter().map(|&set| outcome.of_sets[set].as_slice());
            let repeats = || of_sets().map(<[_]>::len);
            Row {
                contender: outcome.contender,
                cells: of_sets().map(cell).collect(),
                times: of_sets().map(mean_times).collect(),
                repeats: (repeats().min().unwrap_or(0), repeats().max().unwrap_or(0)),
            }
        });
        let rows: Vec<Row> = rows.filter(|row| row.repeats.1 > 0).collect();
        let baseline =
            rows.iter().position(|row| row.contender.key == BASELINE && row.contender.ours.is_some())?;
        Some(Self { sets: places.into_iter().map(|set| &sets[set]).collect(), rows, baseline })
    }

    pub(super) fn baseline(&self) -> &Row {
        &self.rows[self.baseline]
    }

    /// The contender with this name.
    pub(super) fn named(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.contender.name == name)
    }

    /// The contenders that are ranked.
    pub(super) fn ranked(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.is_complete())
    }

    /// The ranks of a contender among those that are ranked, one for each data set: 1 is the best, ties by
    /// halves, and no answer is worst.
    pub(super) fn ranks(&self, row: &Row, measure: Measure) -> Vec<f64> {
        let rank = |set: usize| {
            let own = measure.of(&row.cells[set]);
            let others = self.ranked().map(|other| measure.of(&other.cells[set]));
            // One half of it is its own.
            others.fold(0.5, |rank, other| {
                rank + if other == own {
                    0.5
                } else if measure.is_no_worse(own, other) {
                    0.0
                } else {
                    1.0
                }
            })
        };
        (0..self.sets.len()).map(rank).collect()
    }

    /// The mean of the measures of a contender over the data sets that all ranked contenders answer.
    pub(super) fn mean(&self, row: &Row, measure: Measure) -> f64 {
        let is_answered = |set: &usize| self.ranked().all(|row| row.cells[*set].score().is_some());
        let sets: Vec<usize> = (0..self.sets.len()).filter(is_answered).collect();
        let values = sets.iter().map(|&set| measure.of(&row.cells[set]));
        values.sum::<f64>() / sets.len() as f64
    }

    /// How the baseline compares with a contender on the data sets that it was run on.
    pub(super) fn wins(&self, row: &Row, measure: Measure) -> Wins {
        let mut wins = Wins::default();
        for (own, other) in self.baseline().cells.iter().zip(&row.cells) {
            let Some(score) = own.score() else { continue };
            if matches!(other, Cell::Absent) {
                continue;
            }
            wins.n += 1;
            wins.no_worse += usize::from(measure.is_no_worse(measure.of(own), measure.of(other)));
            if let Some(other) = other.score() {
                let (mean, error) = difference(&score.losses, &other.losses);
                wins.clearly_better += usize::from(mean < -2.0 * error);
                wins.clearly_worse += usize::from(mean > 2.0 * error);
            }
        }
        wins
    }

    /// The names of the data sets at which the log-loss of the baseline is larger than that of a contender by
    /// more than a standard error.
    pub(super) fn worse_than(&self, row: &Row) -> Vec<&str> {
        let pairs = self.baseline().cells.iter().zip(&row.cells).zip(&self.sets);
        let worse = pairs.filter(|((own, other), _)| {
            own.score().zip(other.score()).is_some_and(|(own, other)| {
                let (mean, error) = difference(&own.losses, &other.losses);
                mean > error
            })
        });
        worse.map(|(_, set)| set.table.name.as_str()).collect()
    }

    /// The times of a contender over the data sets that it was run on, and those of the baseline over the
    /// same ones.
    pub(super) fn times(&self, row: &Row) -> (Times, Times) {
        let (mut own, mut baseline) = (Times::default(), Times::default());
        for (set, cell) in row.cells.iter().enumerate() {
            if cell.score().is_some() {
                own += row.times[set];
                baseline += self.baseline().times[set];
            }
        }
        (own, baseline)
    }

    /// The best contender on a data set by log-loss, the first of several.
    pub(super) fn best(&self, set: usize) -> &Row {
        let of = |row: &Row| LOG_LOSS.of(&row.cells[set]);
        self.rows.iter().min_by(|a, b| of(a).total_cmp(&of(b))).unwrap_or_else(|| self.baseline())
    }
}

fn cell(outcomes: &[super::Outcome]) -> Cell {
    if outcomes.is_empty() {
        return Cell::Absent;
    }
    let scores = outcomes.iter().map(|outcome| outcome.score.as_ref());
    match scores.collect::<Result<Vec<_>, _>>() {
        Ok(scores) => Cell::Score(mean(scores)),
        Err(reason) => Cell::Failed(reason.clone()),
    }
}

fn mean_times(outcomes: &[super::Outcome]) -> Times {
    let mut sum = Times::default();
    for outcome in outcomes {
        sum += outcome.times;
    }
    let n = outcomes.len().max(1) as f64;
    Times { train: sum.train / n, predict: sum.predict / n }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Outcome, contenders::CONTENDERS, measure::ACCURACY, tests::embedded},
        *,
    };

    /// An outcome whose rows alternate between two losses.
    fn outcome(loss: f64, spread: f64, n_rows: usize) -> Vec<Outcome> {
        let losses: Vec<f64> =
            (0..n_rows).map(|row| if row % 2 == 0 { loss - spread } else { loss + spread }).collect();
        let score = Score { accuracy: 1.0 - loss, log_loss: loss, losses, ..Score::default() };
        vec![Outcome { score: Ok(score), times: Times { train: loss, predict: 0.5 } }]
    }

    fn outcomes(name: &str, of_sets: Vec<Vec<Outcome>>) -> Outcomes {
        let contender = CONTENDERS.iter().find(|contender| contender.name == name).expect(name);
        Outcomes { contender: *contender, of_sets }
    }

    fn failure() -> Vec<Outcome> {
        vec![Outcome { score: Err("too few rows".into()), times: Times::default() }]
    }

    #[test]
    fn ranks_are_among_those_that_were_run_on_all_data_sets() {
        let sets = [embedded("iris"), embedded("zoo")];
        let all = [
            outcomes("refined", vec![outcome(0.2, 0.0, 150), outcome(0.3, 0.0, 101)]),
            outcomes("weighted", vec![outcome(0.2, 0.0, 150), outcome(0.1, 0.0, 101)]),
            outcomes("Khiops", vec![failure(), outcome(0.9, 0.0, 101)]),
            outcomes("EBM", vec![Vec::new(), outcome(0.05, 0.0, 101)]),
            outcomes("sk multinomial", vec![Vec::new(), Vec::new()]),
        ];
        let view = View::new(Group::Seen, &sets, &all).expect("refined is there");
        assert_eq!(view.rows.len(), 4);
        assert_eq!(view.ranked().count(), 3);
        let ranks = |name: &str| view.ranks(view.named(name).expect(name), LOG_LOSS);
        assert_eq!(ranks("refined"), [1.5, 2.0]);
        assert_eq!(ranks("weighted"), [1.5, 1.0]);
        assert_eq!(ranks("Khiops"), [3.0, 3.0]);
        // `zoo` only, which all that are ranked answer.
        assert!((view.mean(view.baseline(), LOG_LOSS) - 0.3).abs() < 1e-12);
        assert_eq!(view.best(1).contender.name, "EBM");
        // EBM is set against the data set that it was run on.
        let ebm = view.named("EBM").expect("EBM");
        let wins = view.wins(ebm, LOG_LOSS);
        assert_eq!((wins.n, wins.no_worse, wins.clearly_worse), (1, 0, 1));
        let (own, baseline) = view.times(ebm);
        assert_eq!((own.train, baseline.train), (0.05, 0.3));
        assert!(View::new(Group::Unseen, &sets, &all[1..]).is_none());
    }

    #[test]
    fn differences_within_two_standard_errors_are_not_clear() {
        let sets = [embedded("iris"), embedded("zoo")];
        let all = [
            outcomes("refined", vec![outcome(0.5, 0.0, 150), outcome(0.5, 0.0, 101)]),
            // Standard errors of 0.0082 and 0.2.
            outcomes("prior", vec![outcome(0.4, 0.1, 150), outcome(0.4, 2.0, 101)]),
        ];
        let view = View::new(Group::Seen, &sets, &all).expect("refined is there");
        let prior = view.named("prior").expect("prior");
        let wins = view.wins(prior, LOG_LOSS);
        assert_eq!((wins.n, wins.no_worse, wins.clearly_better, wins.clearly_worse), (2, 0, 0, 1));
        assert_eq!(view.wins(prior, ACCURACY).no_worse, 0);
        assert_eq!(view.worse_than(prior), ["iris"]);
    }
}
