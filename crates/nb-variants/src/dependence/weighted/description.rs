//! What users and programs know of attribute weighted naive Bayes.

use nb_core::{
    description::{Columns, Described, Description, Hyper},
    error::LayoutError,
};
use ndarray::Array2;

use super::{super::PairCounts, AttributeWeighted, AttributeWeights, CommonWeights};
use crate::{CodeCounts, Cuts, LearntError, LearntList, Preparation, PreparationError, Variant};

const WEIGHTS: LearntList = LearntList::of_some(
    ("weights", "the weights of all columns"),
    ("weight_counts", "the number of weights of each column: one, or one for each class"),
);
const COMMON: LearntList = LearntList::of_some(
    ("common_weights", "the common weight of each column and the share of all of these, or none"),
    ("common_weight_counts", "two for each column, or 0"),
);
const VALUES: LearntList = LearntList::of_some(
    ("value_weights", "what the values of all columns add to the weights of rows"),
    ("value_weight_counts", "the number of categories and bins of each column, or 0"),
);

impl Described for AttributeWeighted {
    fn describe() -> Description {
        Description::new("awnb", Columns::Mixed)
            .titled("AWNB")
            .about(
                "Categories and bins, each column with a weight by --column-weights (AWNB)",
                "Columns of numbers and categories, each with a weight, or one for each class, by --column-weights (AWNB)",
            )
            .learnt_by(&["bins", "column_weights"])
            .method("attribute weighted naive Bayes")
            .cited(
                "Jiang et al. 2019",
                "Jiang, Zhang, Yu and Wang (2019). Class-specific attribute weighted naive Bayes. Pattern Recognition 88.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.counts.hyper_parameters()
    }
}

/// Beside cut points it learns the weights.
impl Variant for AttributeWeighted {
    /// All weights are 1 then.
    fn learn(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        *self = Self::unweighted(self.counts.learnt(rules, rows, classes)?);
        Ok(())
    }

    fn learn_dependences(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        *self = Self::learn(self.counts.clone(), rules.column_weights, rows, classes)?;
        Ok(())
    }

    fn learns_dependences(&self) -> bool {
        true
    }

    fn lists(&self) -> &'static [LearntList] {
        &[LearntList::CUTS, WEIGHTS, COMMON, VALUES]
    }

    fn learnt(&self) -> Vec<Vec<Vec<f64>>> {
        let none = || vec![Vec::new(); self.n_columns()];
        let AttributeWeights { columns, common, values } = &self.weights;
        let common = common.as_ref().map_or_else(none, |CommonWeights { columns, share }| {
            columns.iter().map(|weight| vec![*weight, *share]).collect()
        });
        let values = if values.is_empty() { none() } else { values.clone() };
        vec![self.counts.codings.cuts().to_columns(), columns.clone(), common, values]
    }

    fn set_learnt(&mut self, learnt: Vec<Vec<Vec<f64>>>) -> Result<(), LearntError> {
        let Ok([cuts, columns, common, values]) = <[_; 4]>::try_from(learnt) else { return Ok(()) };
        let counts = self.counts.with_cuts(Cuts::new(cuts)?)?;
        let is_none = |columns: &[Vec<f64>]| columns.iter().all(Vec::is_empty);
        let common = if is_none(&common) { None } else { Some(common_weights(&common)?) };
        let values = if is_none(&values) { Vec::new() } else { values };
        *self = Self::new(counts, AttributeWeights { columns, common, values })?;
        Ok(())
    }

    fn pairs(&self) -> Option<&PairCounts> {
        Some(&self.counts)
    }

    fn set_pairs(&mut self, counts: PairCounts) -> Result<(), LayoutError> {
        // Weights of values are those of the codes that were learnt from; others are refused.
        *self = Self::new(counts, self.weights.clone())?;
        Ok(())
    }

    fn code_places(&self, _: &PairCounts, codes: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
        self.places(codes)
    }

    /// None of several columns.
    fn code_counts(&self, _: usize) -> Option<CodeCounts> {
        None
    }
}

/// The common weights from their list: for each column its weight, and the share of all.
fn common_weights(list: &[Vec<f64>]) -> Result<CommonWeights, LearntError> {
    let LearntList { name, must_be, .. } = COMMON;
    let of_column = |own: &Vec<f64>| match own[..] {
        [weight, share] => Ok((weight, share)),
        _ => Err(LearntError::Number { name, must_be }),
    };
    let (columns, shares): (Vec<f64>, Vec<f64>) =
        list.iter().map(of_column).collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    let share = shares.first().copied().unwrap_or_default();
    if shares.iter().any(|other| *other != share) {
        return Err(LearntError::Number { name, must_be });
    }
    Ok(CommonWeights { columns, share })
}
