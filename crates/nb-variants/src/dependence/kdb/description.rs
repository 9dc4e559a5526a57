//! What users and programs know of k-dependence Bayes.

use nb_core::{
    description::{Columns, Described, Description, Hyper, Parameter},
    error::LayoutError,
};
use ndarray::Array2;

use super::{super::PairCounts, Kdb};
use crate::{
    CodeCounts, Cuts, HierarchicalDirichlet, LearntError, LearntList, Parents, Preparation, PreparationError,
    Variant,
};

/// How many sweeps the sampler of hierarchical smoothing makes.
static SWEEPS: Parameter = Parameter::new(
    "sweeps",
    "How many sweeps the sampler of hierarchical Dirichlet smoothing makes in kDB, such as 5000; 0 is additive smoothing",
)
.called("", "COUNT");

/// The penalty of hierarchical linear smoothing.
pub(super) static RIDGE: Parameter = Parameter::new(
    "ridge",
    "The ridge penalty of hierarchical linear smoothing in kDB, such as 1 (Cooper, Webb and Schmidt 2025); 0 is additive smoothing",
)
.called("", "PENALTY")
.tuned_over(&[0.1, 0.3, 1.0, 3.0, 10.0]);

const PARENTS: LearntList = LearntList::of_some(
    ("parents", "the parents of all columns"),
    ("parent_counts", "the number of parents of each column"),
);

impl Described for Kdb {
    fn describe() -> Description {
        Description::new("kdb", Columns::Mixed)
            .titled("kDB")
            .about(
                "Categories and bins, each column with up to --parents others as its parents (kDB)",
                "Columns of numbers and categories that depend on each other, each on up to --parents others (kDB)",
            )
            .learnt_by(&["bins", "parents"])
            .method("k-dependence Bayes")
            .cited(
                "Sahami 1996",
                "Sahami (1996). Learning limited dependence Bayesian classifiers. KDD, 335-338.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&SWEEPS, &mut self.hierarchical));
        all.push(Hyper::new(&RIDGE, &mut self.ridge));
        all
    }
}

/// Beside cut points it learns the parents.
impl Variant for Kdb {
    /// Columns have no parents then.
    fn learn(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        self.counts = self.counts.learnt(rules, rows, classes)?;
        self.parents = vec![Vec::new(); self.counts.codings.n_columns()];
        Ok(())
    }

    fn learn_dependences(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        let learnt = Self::with_learnt(self.counts.clone(), rules.parents, rows, classes)?;
        self.parents = learnt.parents;
        Ok(())
    }

    fn learns_dependences(&self) -> bool {
        true
    }

    fn lists(&self) -> &'static [LearntList] {
        &[LearntList::CUTS, PARENTS]
    }

    fn learnt(&self) -> Vec<Vec<Vec<f64>>> {
        let numbers = |own: &Vec<usize>| own.iter().map(|&parent| parent as f64).collect();
        vec![self.counts.codings.cuts().to_columns(), self.parents.iter().map(numbers).collect()]
    }

    fn set_learnt(&mut self, learnt: Vec<Vec<Vec<f64>>>) -> Result<(), LearntError> {
        let Ok([cuts, parents]) = <[_; 2]>::try_from(learnt) else { return Ok(()) };
        let place = |number: f64| {
            let is_place = number.fract() == 0.0 && (0.0..1e9).contains(&number);
            let LearntList { name, must_be, .. } = PARENTS;
            is_place.then_some(number as usize).ok_or(LearntError::Number { name, must_be })
        };
        let parents = parents.into_iter().map(|own: Vec<f64>| own.into_iter().map(place).collect());
        let counts = self.counts.with_cuts(Cuts::new(cuts)?)?;
        let new = Self::new(counts, parents.collect::<Result<_, _>>()?)?;
        *self = Self { hierarchical: self.hierarchical, ridge: self.ridge, ..new };
        Ok(())
    }

    fn pairs(&self) -> Option<&PairCounts> {
        Some(&self.counts)
    }

    fn set_pairs(&mut self, counts: PairCounts) -> Result<(), LayoutError> {
        *self = self.clone().with_counts(counts)?;
        Ok(())
    }

    fn code_places(&self, new: &PairCounts, codes: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
        self.places_in(new, codes)
    }

    fn code_counts(&self, n_classes: usize) -> Option<CodeCounts> {
        let words = ("combinations", "values with their parents", "fewer parents");
        Some(CodeCounts::new(words, (self.n_counts(), Self::MOST_COUNTS), self.memory(n_classes)))
    }

    fn hierarchical(&self) -> Option<HierarchicalDirichlet> {
        self.hierarchical.0
    }

    fn set_hierarchical(&mut self, smoothing: HierarchicalDirichlet) -> bool {
        self.hierarchical.0 = Some(smoothing);
        true
    }

    fn as_hierarchical(&self, rules: &Preparation) -> Option<(&'static str, Parents)> {
        Some(("kdb", rules.parents))
    }

    fn is_naive_bayes(&self, rules: &Preparation) -> bool {
        rules.parents == Parents::Most(0)
    }
}
