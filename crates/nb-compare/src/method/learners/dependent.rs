//! Families of columns that depend on one another, on tables of columns, numbers discretised.

use nb_core::{
    Classifier, FeatureModel, NaiveBayes,
    description::{Value, parameters},
};
use nb_io::{Family, FittedFamily, Preparation};
use nb_variants::Variant;
use ndarray::{Array2, Axis};

use crate::{
    Features, Fitted, Folds, Kind, Method, MethodError, Table,
    method::{
        Growing, Retracting,
        learners::Training,
        rows::{
            parts::{columns_of, labels_of, spread},
            summed::{Stats, Summable},
        },
    },
};

/// A family of columns that depend on one another, which learns in each training part what it must know
/// before rows are summed.
///
/// Counts and tables of all classes that take more than 1 GiB are refused.
#[derive(Clone, Debug, PartialEq)]
pub struct DependentMethod {
    /// The family with its hyper-parameters.
    pub family: Family,
    /// How it learns.
    pub rules: Preparation,
}

/// The most bytes that counts and tables may take.
const MOST_BYTES: u64 = 1 << 30;

/// Refuses counts that take more memory; `of` is what they count, and `instead` what may be done except for
/// taking fewer bins.
fn check_memory(of: &str, bytes: u64, n_classes: usize, instead: &str) -> Result<(), MethodError> {
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
    /// The family with all that it learns from the training part.
    fn learn(&self, table: &Table, training: Training<'_>) -> Result<Family, MethodError> {
        let (columns, _) = columns_of(table)?;
        let n_classes = table.classes.len();
        let mut family = self.family.clone();
        let levels = columns.iter().map(|column| column.kind.n_levels() as f64).collect();
        family.set(parameters::CATEGORIES.name, &Value::Numbers(levels)).map_err(MethodError::failed)?;
        let rows = training.x.select(Axis(0), training.rows);
        let variant = family.variant_mut().ok_or_else(|| MethodError::failed("the family learns nothing"))?;
        variant.learn(&self.rules, &rows, training.labels).map_err(MethodError::failed)?;
        // Too many categories are refused before anything is allocated.
        if let (Some(counts), Some(_)) = (variant.pairs(), variant.code_counts(n_classes)) {
            counts.layout(columns.len()).map_err(MethodError::failed)?;
            check_memory("every two values", counts.memory(n_classes), n_classes, "another method")?;
        }
        variant.learn_dependences(&self.rules, &rows, training.labels).map_err(MethodError::failed)?;
        let counts = variant.code_counts(n_classes);
        family.layout(columns.len()).map_err(MethodError::failed)?;
        if let Some(counts) = counts {
            check_memory(counts.values, counts.bytes, n_classes, counts.instead)?;
        }
        Ok(family)
    }

    /// The family, if it learns nothing before rows are summed.
    fn summable<'a>(&'a self, table: &'a Table) -> Result<Option<Summable<'a, Family>>, MethodError> {
        let Some(x) = categories_of(table) else { return Ok(None) };
        if self.family.variant().is_none_or(Variant::learns_dependences) {
            return Ok(None);
        }
        let rows: Vec<usize> = (0..table.n_rows()).collect();
        let model = self.learn(table, Training { x, rows: &rows, labels: &table.labels })?;
        let n_classes = table.classes.len();
        let finish = move |family: &Family, stats: &Stats| finish(family, stats, n_classes);
        Ok(Some(Summable { model, x, table, finish: Box::new(finish) }))
    }
}

impl Method for DependentMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let labels = labels_of(table, train)?;
        let (_, x) = columns_of(table)?;
        let family = self.learn(table, Training { x, rows: train, labels: &labels })?;
        let stats = sums(&family, &x.select(Axis(0), train), &labels)?;
        finish(&family, &stats, table.classes.len())
    }

    fn fold<'a>(
        &'a self,
        table: &'a Table,
        folds: &'a Folds,
    ) -> Result<Option<Box<dyn Retracting + 'a>>, MethodError> {
        let Some(summable) = self.summable(table)? else { return Ok(None) };
        let counts = summable.model.variant().and_then(|variant| variant.code_counts(table.classes.len()));
        // Counts of each fold are kept beside those of all rows.
        let bytes = counts.map_or(0, |counts| counts.bytes).saturating_mul(folds.n_folds as u64);
        if bytes > MOST_BYTES {
            return Ok(None);
        }
        summable.fold(folds).map(Some)
    }

    fn grow<'a>(&'a self, table: &'a Table) -> Result<Option<Box<dyn Growing + 'a>>, MethodError> {
        self.summable(table)?.map(Summable::grow).transpose()
    }
}

/// The cells of a table all of whose columns are categories, so that no cut points are learnt from training
/// rows, and rows can be taken out of the sums of all.
fn categories_of(table: &Table) -> Option<&Array2<f64>> {
    let Features::Columns { columns, x } = &table.features else { return None };
    columns.iter().all(|column| matches!(column.kind, Kind::Categorical { .. })).then_some(x)
}

/// The statistics of rows.
fn sums(model: &Family, rows: &Array2<f64>, labels: &[usize]) -> Result<Stats, MethodError> {
    let mut stats = Stats::new(model, rows.ncols()).map_err(MethodError::failed)?;
    stats.update(model, rows, labels).map_err(MethodError::failed)?;
    Ok(stats)
}

/// A family of these statistics as a method.
fn finish(family: &Family, stats: &Stats, n_classes: usize) -> Result<Box<dyn Fitted>, MethodError> {
    let classifier = NaiveBayes::new(family).fit_stats(stats).map_err(MethodError::failed)?;
    let n_parameters = stats.class_sums().flatten().map(nb_core::exact::ExactSums::len).sum();
    Ok(Box::new(FittedMethod { classifier, n_classes, n_parameters }))
}

struct FittedMethod {
    classifier: Classifier<usize, FittedFamily>,
    n_classes: usize,
    n_parameters: usize,
}

impl Fitted for FittedMethod {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let own = columns_of(table)?.1.select(Axis(0), rows);
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
