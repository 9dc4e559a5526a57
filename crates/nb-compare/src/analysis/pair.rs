//! Two variants on one data set.

use nb_significance::{
    CorrectedT, FiveByTwo, McNemar, corrected_resampled_t, discordant, five_by_two, mcnemar,
};

use crate::{Comparison, Data, Design, Done, analysis::Summary};

/// Two variants on one data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The first variant, a position in the design.
    pub first: usize,
    /// The second variant.
    pub second: usize,
    /// The corrected resampled t-test of the measure that the design ranks by, over the folds of all
    /// repeats. None if there is one value only (leave-one-out), or a fold has none or an infinite one.
    pub t: Option<CorrectedT>,
    /// The combined F test of the same measure, over five repeats of two folds.
    pub five_by_two: Option<FiveByTwo>,
    /// McNemar's test of the labels of the first repeat.
    pub mcnemar: Option<McNemar>,
}

impl Pair {
    /// The t-test, if it has something to judge by: differences that vary.
    pub fn judged(&self) -> Option<&CorrectedT> {
        self.t.as_ref().filter(|t| t.standard_error > 0.0)
    }

    /// The t-test, if it finds a difference at this level.
    pub fn significant(&self, alpha: f64) -> Option<&CorrectedT> {
        self.judged().filter(|t| t.p <= alpha)
    }

    pub(super) fn new(
        comparison: &Comparison,
        data: &Data,
        (first, one): (usize, &Summary),
        (second, other): (usize, &Summary),
    ) -> Self {
        let design = &comparison.design;
        let labels = |variant: usize| first_repeat(comparison, data, variant);
        let mcnemar =
            labels(first).zip(labels(second)).and_then(|(one, other)| test_labels(design, data, one, other));
        let folds = |summary: &Summary| {
            summary.folds.iter().map(|fold| fold.get(design.measure)).collect::<Option<Vec<f64>>>()
        };
        // Too few folds and infinite measures are errors of the tests, and no test is what there is then.
        let (t, five_by_two) = match (folds(one), folds(other)) {
            (Some(one), Some(other)) => {
                let (ratio, level) = (data.splits.test_to_train, 1.0 - design.alpha);
                let is_5x2 = (data.splits.repeats, data.splits.folds) == (5, 2);
                (
                    corrected_resampled_t(&one, &other, ratio, level).ok(),
                    five_by_two(&one, &other).ok().filter(|_| is_5x2),
                )
            }
            _ => (None, None),
        };
        Self { first, second, t, five_by_two, mcnemar }
    }
}

fn test_labels(design: &Design, data: &Data, one: &Done, other: &Done) -> Option<McNemar> {
    let is_tested = |row: &usize| one.tested.get(*row).is_none_or(|tested| *tested);
    let is_right = |done: &Done| -> Vec<bool> {
        let rows = (0..data.labels.len()).filter(is_tested);
        rows.map(|row| done.labels.get(row).copied().flatten() == Some(data.labels[row] as u32)).collect()
    };
    let (only_first, only_second) = discordant(&is_right(one), &is_right(other)).ok()?;
    mcnemar(only_first, only_second, 1.0 - design.alpha).ok()
}

fn first_repeat<'a>(comparison: &'a Comparison, data: &Data, variant: usize) -> Option<&'a Done> {
    let name = &comparison.design.variants[variant].name;
    let of_pair = |unit: &&crate::Unit| unit.repeat == 0 && unit.set == data.name && unit.variant == *name;
    comparison.units.iter().find(of_pair)?.done()
}
