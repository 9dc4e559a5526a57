//! What a comparison says: measures by data set and variant, and tests.

mod common;
mod conclusion;
mod decomposition;
mod grid;
mod hints;
mod overall;
mod pair;
mod practical;

pub use decomposition::Decomposition;
pub use grid::{Cell, LossSpread, Summary};
pub use overall::Overall;
pub(crate) use overall::better;
pub use pair::Pair;
pub(crate) use practical::POWER;
pub use practical::{Practical, PracticalOutcome, PracticalTest};

use std::sync::OnceLock;

use nb_significance::pairs;

use crate::{Comparison, Measure, Unit};

/// What a comparison says.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    /// The comparison.
    pub comparison: &'a Comparison,
    /// What came of each variant on each data set: a row for each data set, in the order of the design.
    pub cells: Vec<Vec<Cell>>,
    /// For each data set the pairs of variants that both gave results.
    pub pairs: Vec<Vec<Pair>>,
    /// For each measure all variants over all data sets, where that can be said.
    pub overall: Vec<Overall>,
    /// Computed once it is wanted, as it takes long.
    practical: OnceLock<Practical>,
}

impl<'a> Analysis<'a> {
    /// Analyses a comparison, of an experiment what came of it without a condition.
    pub fn new(comparison: &'a Comparison) -> Self {
        let design = &comparison.design;
        let units_of = |set: &str, variant: &str| -> Vec<&Unit> {
            let is_of =
                |unit: &&Unit| unit.set == set && unit.variant == variant && unit.condition.is_plain();
            comparison.units.iter().filter(is_of).collect()
        };
        let cells: Vec<Vec<Cell>> = comparison
            .data
            .iter()
            .map(|data| {
                let variants = design.variants.iter();
                variants.map(|variant| Cell::new(data, &units_of(&data.name, &variant.name))).collect()
            })
            .collect();
        let pairs_of = |(data, row): (_, &Vec<Cell>)| -> Vec<Pair> {
            let both = |(first, second): (usize, usize)| {
                Some(((first, row[first].summary()?), (second, row[second].summary()?)))
            };
            let done = pairs(row.len()).filter_map(both);
            done.map(|(one, other)| Pair::new(comparison, data, one, other)).collect()
        };
        let pairs = comparison.data.iter().zip(&cells).map(pairs_of).collect();
        let ranked = Measure::ALL.into_iter().filter(|measure| measure.is_ranked());
        let overall = ranked.filter_map(|measure| Overall::new(design, &cells, measure));
        let overall = overall.collect();
        Self { comparison, cells, pairs, overall, practical: OnceLock::new() }
    }

    /// The measures that some variant has on some data set, in the order of [`Measure::ALL`].
    pub fn measures(&self) -> Vec<Measure> {
        let has = |measure: &Measure| self.cells.iter().flatten().any(|cell| cell.mean(*measure).is_some());
        Measure::ALL.into_iter().filter(has).collect()
    }

    /// The probabilities that variants are practically the same as the baseline, by the measure that the
    /// design ranks by.
    pub fn practical(&self) -> &Practical {
        self.practical.get_or_init(|| Practical::new(self))
    }

    /// All variants over all data sets, by the measure that the design ranks by.
    pub fn ranking(&self) -> Option<&Overall> {
        self.overall.iter().find(|overall| overall.measure == self.comparison.design.measure)
    }

    /// Baseline variant: the one that the design names, or the first.
    pub fn baseline(&self) -> usize {
        let design = &self.comparison.design;
        let named = design.baseline.as_ref();
        named
            .and_then(|name| design.variants.iter().position(|variant| variant.name == *name))
            .unwrap_or_default()
    }

    /// The measures by which the design ranks, of all folds of a data set; none if a fold has none.
    pub(crate) fn folds(&self, set: usize, variant: usize) -> Option<Vec<f64>> {
        let folds = &self.cells[set][variant].summary()?.folds;
        folds.iter().map(|fold| fold.get(self.comparison.design.measure)).collect()
    }

    /// Whether two variants have the same measure on every fold of a data set: there they are most likely the
    /// same model, and the data set says nothing of how they differ.
    pub fn agree(&self, set: usize, first: usize, second: usize) -> bool {
        self.folds(set, first).is_some_and(|folds| Some(folds) == self.folds(set, second))
    }

    /// The test of two variants on a data set, and whether they stand the other way round in it.
    pub fn pair(&self, set: usize, first: usize, second: usize) -> Option<(&Pair, bool)> {
        let of_both = |pair: &&Pair| {
            (pair.first, pair.second) == (first, second) || (pair.first, pair.second) == (second, first)
        };
        let pair = self.pairs.get(set)?.iter().find(of_both)?;
        Some((pair, pair.first != first))
    }
}
