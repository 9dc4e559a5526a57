//! Which values imply which others, by the rows of training.

use nb_core::{exact::ExactSums, family::ClassSums};

use super::{PairCounts, pair_counts::pair, tables::Tables};

/// For every two categories of different columns whether the first implies the second.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Generalisations {
    /// The number of categories of all columns.
    width: usize,
    /// A row for each category that may imply others.
    implied: Vec<bool>,
}

impl Generalisations {
    /// From the pair sums of all classes; a category needs this weight to imply another.
    pub(super) fn new(
        model: &PairCounts,
        tables: &Tables,
        classes: &[ClassSums<'_>],
        critical_count: f64,
    ) -> Self {
        let width = tables.width();
        let mut implied = vec![false; width * width];
        let declared = tables.declared(model);
        let mut total = ExactSums::new(pair(declared.len(), 0));
        for class in classes {
            total.merge(class.part(0));
        }
        for special in &declared {
            let weight = total.get(pair(special.sum, special.sum));
            let size = weight.to_f64();
            if !(size > 0.0 && size >= critical_count) {
                continue;
            }
            for general in declared.iter().filter(|general| general.column != special.column) {
                let both = pair(special.sum.max(general.sum), special.sum.min(general.sum));
                implied[special.category * width + general.category] = total.get(both) == weight;
            }
        }
        Self { width, implied }
    }

    /// Whether a category implies another.
    pub(super) fn implies(&self, special: usize, general: usize) -> bool {
        self.implied[special * self.width + general]
    }

    /// Whether one of the categories of a row implies this one; of two that imply each other the first stays.
    pub(super) fn is_implied(&self, general: usize, categories: &[usize]) -> bool {
        categories.iter().any(|&special| {
            self.implies(special, general) && (special < general || !self.implies(general, special))
        })
    }
}
