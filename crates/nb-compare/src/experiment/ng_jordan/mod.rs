//! Learning curves of naive Bayes and logistic regression, after Ng and Jordan (2002).
//!
//! # The paper
//! Ng and Jordan (2002), *On discriminative vs. generative classifiers: a comparison of logistic regression
//! and naive Bayes*, NIPS 14. Section 3 says that with `n` inputs logistic regression has the lower error in
//! the limit of many training rows (Proposition 1), but needs a number of rows of order `n` to come near its
//! limit (Proposition 2), and naive Bayes a number of order `log n` (Lemma 3, Corollary 6). Section 4 looks
//! at 15 problems: naive Bayes should be ahead at first and be caught up with. In its Figure 1 logistic
//! regression is the dashed line and naive Bayes the solid one. The text says that the predictions are borne
//! out, except for a few cases, mostly small sets, in which logistic regression does not catch up.
//!
//! # What cannot be compared
//! The panels are pictures: there are no numbers of errors or of the sizes at which curves cross, neither in
//! them nor in the text, which speaks of no single panel. So neither is compared, and what is ours below may
//! move a crossing; how far the penalty and the number of splits do is in [`Curve::sensitivity`].
//!
//! # What is the paper's
//! The problems, none of which mixes continuous and discrete inputs; normal distributions whose variances are
//! common to both classes for continuous inputs, smoothed frequencies (`l = 1`) for discrete ones; test
//! errors averaged over 1000 random splits.
//!
//! # What is ours
//! - Continuous inputs are rescaled: the training rows of a split (those of its largest training set) are
//!   from 0 to 1. The tested rows have no part in it. A column that is constant in them is left out.
//! - Logistic regression has a small penalty ([`NgJordan::l2`]). The likelihood of separable classes has no
//!   maximum, and a small penalty finds nearly the separating plane of the widest margin (Rosset, Zhu and
//!   Hastie 2004, *Margin maximizing loss functions*, NIPS 16). That helps logistic regression.
//! - A floor under the variances ([`NgJordan::variance_floor`]).
//! - A third of the rows, at most 1000, is tested; the rest, in random order, is what training sets are the
//!   first rows of, so that those of a split are nested. A training set of one class is left out at that
//!   size, and counted.
//! - A missing category is its own level, for both learners. Categories of more than two levels stay one
//!   input of naive Bayes and become one indicator per level for logistic regression; the two search the same
//!   linear functions.
//! - `boston` is split at the median price; of `lymphography` the two large classes are kept, and its codes
//!   are categories; `breast cancer` is that of Ljubljana; `adult` has the rows of its training file.
//!
//! A critical repetition is Xue and Titterington (2008), *Comment on "On discriminative vs. generative
//! classifiers"*, Neural Processing Letters 28.

mod crossing;
mod curve;
mod learner;
mod problem;
pub(super) mod report;
mod sensitivity;
mod span;
mod summary;

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

pub use super::Place;
pub use crossing::Crossing;
pub use problem::Inputs;
pub use sensitivity::Setting;
pub use summary::{Curve, Mean, NEAR, Pattern, Point};

use crate::experiment::{ExperimentError, Progress, tasks};

/// The options of the experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NgJordan {
    /// The number of random splits of each problem, at least 2. The default is the paper's 1000.
    pub splits: usize,
    /// The largest training set. The default is 500.
    pub largest: usize,
    /// The most rows that a split tests. The default is 1000.
    pub most_tested: usize,
    /// The pseudo-count of categories and classes. The default is the paper's 1.
    pub l: f64,
    /// The penalty of logistic regression on squares of weights, for inputs from 0 to 1. The default is
    /// 0.001, next to none. Crossings move with it: a larger one helps where inputs are many and harms
    /// where they are few.
    pub l2: f64,
    /// Other penalties, with which the crossings are counted as well. The default is 0.00001, 0.0001, 0.01
    /// and 0.1.
    pub other_l2: Vec<f64>,
    /// The number of splits with other penalties; as many as there are if that is fewer. The default is 100.
    pub other_splits: usize,
    /// The least variance of a continuous input, for inputs from 0 to 1. The default is 0.001.
    pub variance_floor: f64,
    /// Names of problems to leave all others out; all if empty.
    pub problems: Vec<String>,
}

impl Default for NgJordan {
    fn default() -> Self {
        Self {
            splits: 1000,
            largest: 500,
            most_tested: 1000,
            l: 1.0,
            l2: 1e-3,
            other_l2: vec![1e-5, 1e-4, 1e-2, 1e-1],
            other_splits: 100,
            variance_floor: 1e-3,
            problems: Vec::new(),
        }
    }
}

/// The names of the problems, in the order of the paper's figure.
pub fn problems() -> impl ExactSizeIterator<Item = &'static str> {
    problem::SOURCES.iter().map(|source| source.name)
}

impl NgJordan {
    /// Draws the learning curves. Progress is counted in splits.
    ///
    /// ```
    /// use std::{num::NonZeroUsize, ops::ControlFlow};
    /// use nb_compare::experiment::ng_jordan::NgJordan;
    ///
    /// let options = NgJordan { splits: 10, problems: vec!["lenses".to_owned()], ..NgJordan::default() };
    /// let curves = options.run(1, NonZeroUsize::MIN, &mut |_, _| ControlFlow::Continue(()))?;
    /// assert_eq!((curves[0].n_rows, curves[0].n_columns), (9, 4));
    /// # Ok::<(), nb_compare::experiment::ExperimentError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExperimentError`] if an option is out of range, a learner fails or `progress` breaks off.
    pub fn run(
        &self,
        seed: u64,
        threads: NonZeroUsize,
        progress: Progress<'_>,
    ) -> Result<Vec<Curve>, ExperimentError> {
        self.check()?;
        let is_wanted =
            |name: &str| self.problems.is_empty() || self.problems.iter().any(|wanted| wanted == name);
        let sources = problem::SOURCES.into_iter().filter(|source| is_wanted(source.name));
        let problems = sources.map(|source| source.load(self)).collect::<Result<Vec<_>, _>>()?;
        let layouts: Vec<_> =
            problems.iter().map(|problem| curve::Layout::new(problem.labels.len(), self)).collect();
        let all: Vec<f64> = [self.l2].into_iter().chain(self.other_l2.iter().copied()).collect();
        let splits = tasks::each(problems.len() * self.splits, threads, progress, |task| {
            let (problem, number) = (task / self.splits, task % self.splits);
            let (problem, layout) = (&problems[problem], &layouts[problem]);
            let penalties = if number < self.other_splits { &all[..] } else { &all[..1] };
            curve::split(problem, layout, (self, penalties), seed, number)
                .map_err(ExperimentError::learner(format!("{}, split {number}", problem.source.name)))
        })?;
        let parts = problems.iter().zip(&layouts).zip(splits.chunks(self.splits));
        let curve =
            |((problem, layout), splits): ((&problem::Problem, &curve::Layout), &[Vec<curve::Wrong>])| {
                let of_penalty =
                    |at: usize| splits.iter().filter_map(|split| split.get(at).cloned()).collect();
                let others: Vec<(f64, Vec<curve::Wrong>)> =
                    (1..all.len()).map(|at| (all[at], of_penalty(at))).collect();
                let own: Vec<curve::Wrong> = of_penalty(0);
                Curve::new(problem, layout, &own, (self.l2, &others), seed).ok_or_else(|| {
                    ExperimentError::learner(problem.source.name)(
                        "too few splits have both classes; ask for more".into(),
                    )
                })
            };
        parts.map(curve).collect()
    }

    fn check(&self) -> Result<(), ExperimentError> {
        let error = |name, value, must_be| Err(ExperimentError::Option { name, value, must_be });
        if !(2..=1_000_000).contains(&self.splits) {
            return error("the number of splits", self.splits as f64, "from 2 to 1000000");
        }
        if self.largest < 2 {
            return error("the largest training set", self.largest as f64, "at least 2");
        }
        if self.most_tested == 0 {
            return error("the number of tested rows", 0.0, "at least 1");
        }
        let is_penalty = |l2: f64| l2 > 0.0 && l2 <= 1e6;
        let penalties = [("l2", self.l2)].into_iter().chain(self.other_l2.iter().map(|&l2| ("other-l2", l2)));
        if let Some((name, l2)) = penalties.into_iter().find(|&(_, l2)| !is_penalty(l2)) {
            let must_be = "above 0 (separable classes have no maximum of the likelihood) and at most 1e6";
            return error(name, l2, must_be);
        }
        if !(self.l > 0.0 && self.l <= 1e6) {
            return error("l", self.l, "above 0 and at most 1e6");
        }
        if !(self.variance_floor > 0.0 && self.variance_floor <= 1.0) {
            return error("the least variance", self.variance_floor, "above 0 and at most 1");
        }
        match self.problems.iter().find(|name| !problems().any(|problem| problem == name.as_str())) {
            Some(name) => {
                Err(ExperimentError::NoSuchProblem { name: name.clone(), names: problems().collect() })
            }
            None => Ok(()),
        }
    }
}
