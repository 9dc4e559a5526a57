//! Families of columns that depend on one another, on tables of columns, numbers discretised.

use nb_core::{Classifier, FeatureModel, Likelihood, Missing, NaiveBayes, Smoothing, Unseen};
use nb_variants::{Aode, Aodesr, Codings, Cuts, Hnb, PairCounts, PseudoCounts, Tan, Waode};
use ndarray::Array2;

use crate::{
    Features, Fitted, Folds, Kind, Method, MethodError, Table,
    method::{
        Growing, Retracting,
        columns::{Discretisation, Training},
        parts::{columns_of, labels_of, spread},
        summed::{Stats, Summable},
    },
};

/// On which columns others depend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dependence {
    /// On each in turn: [`Aode`].
    Each {
        /// How many training rows must have a value so that it is a parent.
        minimum_count: f64,
    },
    /// Each on one other: [`Tan`].
    Tree,
    /// Each on all others, mixed in a hidden parent: [`Hnb`].
    Hidden,
    /// On each in turn, but for values that others of the row imply: [`Aodesr`].
    Subsumed {
        /// How many training rows must have a value so that it is a parent.
        minimum_count: f64,
        /// How many training rows must have a value so that it implies others.
        critical_count: f64,
    },
    /// On each in turn, weighted by what it says of the class: [`Waode`].
    Weighted,
}

/// [`Aode`], [`Tan`] or a relative of them, with numbers and counts discretised in each training part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DependentMethod {
    /// How numbers become categories.
    pub discretisation: Discretisation,
    /// The pseudo-count of all estimates.
    pub l: f64,
    /// What it is given to.
    pub pseudo_counts: PseudoCounts,
    /// On which columns others depend.
    pub dependence: Dependence,
}

/// The evidence, with cut points that are learnt from the training part.
pub(super) fn learn(
    discretisation: Discretisation,
    (l, pseudo_counts): (f64, PseudoCounts),
    table: &Table,
    training: Training<'_>,
) -> Result<PairCounts, MethodError> {
    let (columns, _) = columns_of(table)?;
    let n_categories: Vec<usize> = columns.iter().map(|column| column.kind.n_levels()).collect();
    let numbers: Vec<usize> = (0..columns.len()).filter(|&column| n_categories[column] == 0).collect();
    let mut cuts = vec![Vec::new(); columns.len()];
    if !numbers.is_empty() {
        let own = discretisation.cuts(&training.block(&numbers), training.labels)?;
        for (place, &column) in numbers.iter().enumerate() {
            cuts[column] = own.column(place).to_vec();
        }
    }
    let cuts = Cuts::new(cuts).map_err(MethodError::failed)?;
    let counts = PairCounts {
        codings: Codings::new(n_categories, cuts).map_err(MethodError::failed)?,
        smoothing: Smoothing::new(l).map_err(MethodError::failed)?,
        pseudo_counts,
        missing: Missing::Skip,
        unseen: Unseen::Error,
    };
    // Refuses too many categories before anything is allocated.
    counts.layout(columns.len()).map_err(MethodError::failed)?;
    let n_classes = table.classes.len();
    check_memory("every two values", counts.memory(n_classes), n_classes, "another method")?;
    Ok(counts)
}

/// The most bytes that counts and tables may take.
pub(super) const MOST_BYTES: u64 = 1 << 30;

/// Refuses counts that take more memory; `of` is what they count, and `instead` what may be done but for taking fewer bins.
pub(super) fn check_memory(of: &str, bytes: u64, n_classes: usize, instead: &str) -> Result<(), MethodError> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(MethodError::failed(format!(
        "counts of {of} take {:.1} GiB of memory in {n_classes} classes, and may take 1 GiB; take fewer bins (such as \
         bins.equal-frequency=5), leave out columns with many categories, or take {instead}",
        bytes as f64 / MOST_BYTES as f64
    )))
}

impl DependentMethod {
    /// The model, if it learns nothing before rows are summed.
    fn summable<'a>(&'a self, table: &'a Table) -> Result<Option<Summable<'a, PairCounts>>, MethodError> {
        let Some(x) = categories_of(table) else { return Ok(None) };
        let rows: Vec<usize> = (0..table.n_rows()).collect();
        let model = learn(
            self.discretisation,
            (self.l, self.pseudo_counts),
            table,
            Training { x, rows: &rows, labels: &table.labels },
        )?;
        let n_classes = table.classes.len();
        let finish = move |counts: &PairCounts, stats: &Stats| self.finish(counts, stats, n_classes);
        Ok(Some(Summable { model, x, table, finish: Box::new(finish) }))
    }

    /// The classifier of some evidence.
    fn finish(
        &self,
        counts: &PairCounts,
        stats: &Stats,
        n_classes: usize,
    ) -> Result<Box<dyn Fitted>, MethodError> {
        match self.dependence {
            Dependence::Each { minimum_count } => {
                finish(&Aode { counts: counts.clone(), minimum_count }, stats, n_classes)
            }
            Dependence::Tree => finish(&Tan::new(counts.clone()), stats, n_classes),
            Dependence::Weighted => finish(&Waode::new(counts.clone()), stats, n_classes),
            Dependence::Subsumed { minimum_count, critical_count } => {
                finish(&Aodesr { counts: counts.clone(), minimum_count, critical_count }, stats, n_classes)
            }
            Dependence::Hidden => finish(&Hnb::new(counts.clone()), stats, n_classes),
        }
    }
}

impl Method for DependentMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let labels = labels_of(table, train)?;
        let (_, x) = columns_of(table)?;
        let counts = learn(
            self.discretisation,
            (self.l, self.pseudo_counts),
            table,
            Training { x, rows: train, labels: &labels },
        )?;
        let stats = sums(&counts, &x.select(ndarray::Axis(0), train), &labels)?;
        self.finish(&counts, &stats, table.classes.len())
    }

    fn fold<'a>(
        &'a self,
        table: &'a Table,
        folds: &'a Folds,
    ) -> Result<Option<Box<dyn Retracting + 'a>>, MethodError> {
        self.summable(table)?.map(|summable| summable.fold(folds)).transpose()
    }

    fn grow<'a>(&'a self, table: &'a Table) -> Result<Option<Box<dyn Growing + 'a>>, MethodError> {
        self.summable(table)?.map(Summable::grow).transpose()
    }
}

/// The cells of a table all of whose columns are categories, so that no cut points are learnt from training rows, and rows can be
/// taken out of the sums of all.
pub(super) fn categories_of(table: &Table) -> Option<&Array2<f64>> {
    let Features::Columns { columns, x } = &table.features else { return None };
    columns.iter().all(|column| matches!(column.kind, Kind::Categorical { .. })).then_some(x)
}

/// The statistics of rows.
pub(super) fn sums(
    model: &impl FeatureModel,
    rows: &Array2<f64>,
    labels: &[usize],
) -> Result<Stats, MethodError> {
    let mut stats = Stats::new(model, rows.ncols()).map_err(MethodError::failed)?;
    stats.update(model, rows, labels).map_err(MethodError::failed)?;
    Ok(stats)
}

/// A family of these statistics as a method.
pub(super) fn finish<M>(family: &M, stats: &Stats, n_classes: usize) -> Result<Box<dyn Fitted>, MethodError>
where
    M: FeatureModel,
    M::Fitted: 'static,
{
    let classifier = NaiveBayes::new(family).fit_stats(stats).map_err(MethodError::failed)?;
    let n_parameters = stats.class_sums().flatten().map(nb_core::exact::ExactSums::len).sum();
    Ok(Box::new(FittedMethod { classifier, n_classes, n_parameters }))
}

struct FittedMethod<F> {
    classifier: Classifier<usize, F>,
    n_classes: usize,
    n_parameters: usize,
}

impl<F: Likelihood> Fitted for FittedMethod<F> {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let own = columns_of(table)?.1.select(ndarray::Axis(0), rows);
        let found = self.classifier.predict_log_proba(&own).map_err(MethodError::failed)?;
        Ok(spread(&found, self.classifier.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.n_parameters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_take_too_much_memory_are_refused() {
        assert!(check_memory("every two values", 1 << 30, 2, "aode").is_ok());
        let error = check_memory("every two values", 3 << 29, 2, "aode").unwrap_err().to_string();
        assert!(
            error.contains("every two values take 1.5 GiB of memory in 2 classes")
                && error.ends_with("or take aode"),
            "{error}"
        );
    }
}
