//! The two learners: statistics that grow with the rows, and logistic regression on all of them.

use nb_core::{Classifier, NaiveBayes, Prior, RowSubset, SufficientStats, family::BoxedDensity};
use nb_linear::LogisticRegression;
use ndarray::Array1;

use super::{
    problem::{Problem, rows},
    span::Span,
};
use crate::experiment::error::LearnerError;

/// Naive Bayes of the first rows of an order. More rows are added to the sums; since these are exact, the
/// classifier has the same bits as one trained from scratch.
pub(super) struct Growing<'a> {
    problem: &'a Problem,
    stats: SufficientStats<usize>,
    /// The number of rows of each class.
    sizes: [usize; 2],
}

impl<'a> Growing<'a> {
    pub(super) fn new(problem: &'a Problem) -> Result<Self, LearnerError> {
        let stats = SufficientStats::new(&problem.model, problem.x.ncols())?;
        Ok(Self { problem, stats, sizes: [0; 2] })
    }

    /// Adds rows.
    pub(super) fn add(&mut self, numbers: &[usize]) -> Result<(), LearnerError> {
        let labels: Vec<usize> = numbers.iter().map(|&row| self.problem.labels[row]).collect();
        for &label in &labels {
            self.sizes[label] += 1;
        }
        let chosen = RowSubset::new(&self.problem.x, numbers).ok_or("a row number is not in the table")?;
        Ok(self.stats.update(&self.problem.model, &chosen, &labels)?)
    }

    /// Whether both classes have rows.
    pub(super) fn has_both(&self) -> bool {
        self.sizes.iter().all(|&size| size > 0)
    }

    /// The classifier of the rows so far. The prior is smoothed like the categories: `(n_c + l) / (m + 2 l)`.
    pub(super) fn fit(&self, l: f64) -> Result<Classifier<usize, BoxedDensity>, LearnerError> {
        let total = self.sizes.iter().sum::<usize>() as f64 + 2.0 * l;
        let prior = Prior::Given(self.sizes.iter().map(|&size| (size as f64 + l) / total).collect());
        Ok(NaiveBayes { model: &self.problem.model, prior }.fit_stats(&self.stats)?)
    }

    /// How many of these rows it gives the wrong class.
    pub(super) fn wrong(&self, test: &[usize], l: f64) -> Result<u32, LearnerError> {
        let chosen = RowSubset::new(&self.problem.x, test).ok_or("a row number is not in the table")?;
        let labels = self.fit(l)?.predict(&chosen)?;
        Ok(test.iter().zip(labels).filter(|(row, label)| self.problem.labels[**row] != *label).count() as u32)
    }
}

/// The linear rule of a logistic regression: the second class where `weights · (x - center) + intercept` is
/// positive.
#[derive(Debug)]
pub(super) struct Rule {
    weights: Array1<f64>,
    center: Array1<f64>,
    /// The log-odds at the center.
    intercept: f64,
}

impl Rule {
    /// Fits the rows of these numbers, which are of both classes.
    pub(super) fn fit(problem: &Problem, train: &[usize], l2: f64) -> Result<Self, LearnerError> {
        // Labels are all that is looked at, and digits that decide no label cost iterations.
        let logistic = LogisticRegression::default().with_l2(l2).with_tolerance(1e-5);
        let labels: Vec<usize> = train.iter().map(|&row| problem.labels[row]).collect();
        let x = rows(&problem.design, train);
        if x.nrows() > x.ncols() {
            let plane = logistic.fit(&x, &labels)?.hyperplane(1, 0)?;
            let intercept = plane.log_odds_at_center;
            return Ok(Self { weights: plane.normal, center: plane.center, intercept });
        }
        let span = Span::new(&x.view());
        if span.n_dimensions() == 0 {
            // All rows are alike: what is left is the intercept, whose likelihood is largest at the log-odds.
            let of_second = labels.iter().sum::<usize>() as f64;
            let intercept = libm::log(of_second / (labels.len() as f64 - of_second));
            return Ok(Self { weights: Array1::zeros(x.ncols()), center: span.origin, intercept });
        }
        let plane = logistic.fit(&span.coordinates(&x.view()), &labels)?.hyperplane(1, 0)?;
        let intercept = plane.log_odds_at_center - plane.normal.dot(&plane.center);
        Ok(Self { weights: span.weights(&plane.normal), center: span.origin, intercept })
    }

    fn score(&self, problem: &Problem, row: usize) -> f64 {
        self.weights.dot(&(&problem.design.row(row) - &self.center)) + self.intercept
    }

    /// How many of these rows it gives the wrong class.
    pub(super) fn wrong(&self, problem: &Problem, test: &[usize]) -> u32 {
        let is_wrong = |row: &&usize| usize::from(self.score(problem, **row) > 0.0) != problem.labels[**row];
        test.iter().filter(is_wrong).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ng_jordan::{NgJordan, problem::SOURCES};
    use nb_core::Likelihood;

    /// The promoters: 228 indicators, 106 rows.
    fn promoters() -> Option<Problem> {
        SOURCES.iter().find(|source| source.name == "promoters")?.load(&NgJordan::default()).ok()
    }

    #[test]
    fn statistics_that_grow_give_the_bits_of_a_new_fit() -> Result<(), LearnerError> {
        for source in SOURCES {
            let problem = source.load(&NgJordan::default()).map_err(|_| "the problem cannot be loaded")?;
            let order: Vec<usize> =
                (0..problem.labels.len()).map(|row| row * 7 % problem.labels.len()).collect();
            let (mut growing, mut at_once) = (Growing::new(&problem)?, Growing::new(&problem)?);
            let middle = order.len().min(100) / 2;
            growing.add(&order[..1])?;
            growing.add(&order[1..middle])?;
            at_once.add(&order[..middle])?;
            if !growing.has_both() {
                continue;
            }
            let (one, other) = (growing.fit(1.0)?, at_once.fit(1.0)?);
            assert_eq!(one.log_prior(), other.log_prior());
            for (row, class, column) in [(0, 0, 0), (3, 1, 2), (5, 1, 3)] {
                let value = problem.x[[row, column]];
                let densities =
                    [&one, &other].map(|fitted| fitted.likelihood().log_likelihood(class, column, value));
                assert_eq!(densities[0].to_bits(), densities[1].to_bits(), "{}", source.name);
            }
            let chosen = RowSubset::new(&problem.x, &order[middle..]).ok_or("rows")?;
            assert_eq!(one.predict_log_proba(&chosen)?, other.predict_log_proba(&chosen)?);
        }
        Ok(())
    }

    #[test]
    fn the_span_of_the_rows_has_the_same_minimum() -> Result<(), LearnerError> {
        let problem = promoters().ok_or("the problem cannot be loaded")?;
        let train: Vec<usize> = (0..40).map(|row| row * 5 % 106).collect();
        let in_span = Rule::fit(&problem, &train, 0.3)?;
        let labels: Vec<usize> = train.iter().map(|&row| problem.labels[row]).collect();
        let direct = LogisticRegression::default()
            .with_l2(0.3)
            .fit(&rows(&problem.design, &train), &labels)?
            .log_odds(&problem.design, 1, 0)?;
        for (row, &odds) in direct.iter().enumerate() {
            assert!((in_span.score(&problem, row) - odds).abs() < 1e-6, "row {row}");
        }
        Ok(())
    }
}
