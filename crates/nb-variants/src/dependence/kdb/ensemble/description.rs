//! What users and programs know of ensembles of k-dependence Bayes.

use nb_core::{
    description::{Columns, Described, Description, Hyper, Inspect, Parameter},
    error::LayoutError,
};
use ndarray::Array2;

use super::{
    super::super::{PairCounts, description::inspect_as_naive_bayes},
    FittedKdbEnsemble, Kdb, KdbEnsemble,
};
use crate::{
    CodeCounts, Cuts, LearntError, LearntList, Parents, Preparation, PreparationError, Variant,
    dependence::kdb::description::RIDGE,
};

static MEMBERS: Parameter = Parameter::new(
    "members",
    "How many orders of the columns an ensemble of kDB averages over; the first is that of kDB, the others are random",
)
.called("", "COUNT");

static SEED: Parameter =
    Parameter::new("order_seed", "The seed of the random orders of an ensemble of kDB").called("", "SEED");

/// For each column and member the number of parents, and the parents.
const PARENTS: LearntList = LearntList::of_some(
    ("parents", "for each column and each member the number of parents and the parents"),
    ("parent_counts", "the length of the list of each column"),
);

impl Described for KdbEnsemble {
    fn describe() -> Description {
        Description::new("ekdb", Columns::Mixed)
            .titled("kDB ensemble")
            .about(
                "Categories and bins, each column with up to --parents others as its parents, averaged over orders of the columns (ensembles of kDB)",
                "Columns of numbers and categories that depend on each other, each on up to --parents others, averaged over orders of the columns (ensembles of kDB)",
            )
            .learnt_by(&["bins", "parents"])
            .method("ensembles of k-dependence Bayes")
            .cited(
                "Zhang et al. 2020",
                "Zhang, Petitjean and Buntine (2020). Bayesian network classifiers using ensembles and smoothing. Knowledge and Information Systems 62, 3457-3480.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&MEMBERS, &mut self.n_members));
        all.push(Hyper::new(&SEED, &mut self.seed));
        all.push(Hyper::new(&RIDGE, &mut self.ridge));
        all
    }
}

impl Variant for KdbEnsemble {
    /// Columns have no parents then.
    fn learn(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        self.check_numbers()?;
        self.counts = self.counts.learnt(rules, rows, classes)?;
        let none = vec![Vec::new(); self.counts.codings.n_columns()];
        self.members = vec![none; self.n_members as usize];
        Ok(())
    }

    /// Only with a number of parents: trees and selection have one order.
    fn learn_dependences(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        let Parents::Most(k) = rules.parents else {
            let must_be = "0 for a tree or selected parents; take a number of parents";
            return Err(LayoutError::Parameter {
                name: "the number of members",
                value: self.n_members,
                must_be,
            }
            .into());
        };
        *self = self.learn_from(self.counts.clone(), k, rows, classes)?;
        Ok(())
    }

    fn learns_dependences(&self) -> bool {
        true
    }

    fn lists(&self) -> &'static [LearntList] {
        &[LearntList::CUTS, PARENTS]
    }

    fn learnt(&self) -> Vec<Vec<Vec<f64>>> {
        let of_column = |column: usize| {
            let members = self.members.iter().flat_map(move |member| {
                let own = &member[column];
                std::iter::once(own.len()).chain(own.iter().copied())
            });
            members.map(|number| number as f64).collect()
        };
        let n_columns = self.counts.codings.n_columns();
        vec![self.counts.codings.cuts().to_columns(), (0..n_columns).map(of_column).collect()]
    }

    fn set_learnt(&mut self, learnt: Vec<Vec<Vec<f64>>>) -> Result<(), LearntError> {
        let Ok([cuts, columns]) = <[_; 2]>::try_from(learnt) else { return Ok(()) };
        self.check_numbers()?;
        let mut members = vec![Vec::new(); self.n_members as usize];
        for numbers in &columns {
            let mut rest = numbers.as_slice();
            for member in &mut members {
                let own = split_list(&mut rest)
                    .ok_or(LearntError::Number { name: PARENTS.name, must_be: PARENTS.must_be })?;
                member.push(own);
            }
            if !rest.is_empty() {
                return Err(LearntError::Number { name: PARENTS.name, must_be: PARENTS.must_be });
            }
        }
        let counts = self.counts.with_cuts(Cuts::new(cuts)?)?;
        let n_columns = counts.codings.n_columns();
        let new = Self { counts, members, ..self.clone() };
        nb_core::FeatureModel::layout(&new, n_columns)?;
        *self = new;
        Ok(())
    }

    fn pairs(&self) -> Option<&PairCounts> {
        Some(&self.counts)
    }

    fn set_pairs(&mut self, counts: PairCounts) -> Result<(), LayoutError> {
        let n_columns = counts.codings.n_columns();
        let new = Self { counts, ..self.clone() };
        nb_core::FeatureModel::layout(&new, n_columns)?;
        *self = new;
        Ok(())
    }

    fn code_places(&self, new: &PairCounts, codes: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
        self.each().flat_map(|member| member.places_in(new, codes)).collect()
    }

    fn code_counts(&self, n_classes: usize) -> Option<CodeCounts> {
        let words = ("combinations", "values with their parents", "fewer members or parents");
        let bytes = self.each().map(|member| member.memory(n_classes)).fold(0, u64::saturating_add);
        Some(CodeCounts::new(words, (self.n_counts(), Kdb::MOST_COUNTS), bytes))
    }
}

/// Takes a number and as many whole numbers from the front of a list.
fn split_list(rest: &mut &[f64]) -> Option<Vec<usize>> {
    let place =
        |number: &f64| (number.fract() == 0.0 && (0.0..1e9).contains(number)).then_some(*number as usize);
    let (length, behind) = rest.split_first()?;
    let (own, behind) = behind.split_at_checked(place(length)?)?;
    *rest = behind;
    own.iter().map(place).collect()
}

impl Inspect for FittedKdbEnsemble {
    inspect_as_naive_bayes!();
}
