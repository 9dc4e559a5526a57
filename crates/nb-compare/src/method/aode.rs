//! Averaged one-dependence estimators on tables of columns, numbers discretised.

use nb_core::{FeatureModel, Missing, Smoothing, Unseen};
use nb_variants::{Aode, AodeClassifier, Cuts, PairCounts};
use ndarray::Array2;

use crate::{
    Features, Fitted, Folds, Kind, Method, MethodError, Table,
    method::{
        Retracting,
        columns::{Discretisation, Training},
        parts::{columns_of, labels_of, spread},
        summed::{Stats, Summed},
    },
};

/// [`Aode`], with numbers and counts discretised in each training part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AodeMethod {
    /// How numbers become categories.
    pub discretisation: Discretisation,
    /// The pseudo-count of all estimates.
    pub l: f64,
    /// How many training rows must have a value so that it is a parent.
    pub minimum_count: f64,
}

impl AodeMethod {
    /// Codes for columns, and the estimators of them.
    fn learn(&self, table: &Table, training: Training<'_>) -> Result<(Coding, Aode), MethodError> {
        let (columns, _) = columns_of(table)?;
        let numbers: Vec<usize> =
            (0..columns.len()).filter(|&column| columns[column].kind.n_levels() == 0).collect();
        let cuts = if numbers.is_empty() {
            None
        } else {
            Some(self.discretisation.cuts(&training.block(&numbers), training.labels)?)
        };
        let mut n_categories: Vec<usize> = columns.iter().map(|column| column.kind.n_levels()).collect();
        for (place, &column) in numbers.iter().enumerate() {
            n_categories[column] = cuts.as_ref().map_or(1, |cuts| cuts.n_bins(place));
        }
        let counts = PairCounts {
            smoothing: Smoothing::new(self.l).map_err(MethodError::failed)?,
            missing: Missing::Skip,
            unseen: Unseen::Error,
            ..PairCounts::new(n_categories)
        };
        // Refuses too many categories before anything is allocated.
        counts.layout(columns.len()).map_err(MethodError::failed)?;
        let aode = Aode { minimum_count: self.minimum_count, ..Aode::new(counts) };
        Ok((Coding { numbers, cuts }, aode))
    }
}

impl Method for AodeMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let labels = labels_of(table, train)?;
        let (_, x) = columns_of(table)?;
        let (coding, aode) = self.learn(table, Training { x, rows: train, labels: &labels })?;
        let mut stats = Stats::new(&aode.counts, x.ncols()).map_err(MethodError::failed)?;
        stats.update(&aode.counts, &coding.codes(x, train)?, &labels).map_err(MethodError::failed)?;
        finish(&aode, &stats, coding, table.classes.len())
    }

    fn fold<'a>(
        &'a self,
        table: &'a Table,
        folds: &'a Folds,
    ) -> Result<Option<Box<dyn Retracting + 'a>>, MethodError> {
        let Features::Columns { columns, x } = &table.features else { return Ok(None) };
        // Cut points are learnt from each training part alone.
        if !columns.iter().all(|column| matches!(column.kind, Kind::Categorical { .. })) {
            return Ok(None);
        }
        let rows: Vec<usize> = (0..table.n_rows()).collect();
        let (_, aode) = self.learn(table, Training { x, rows: &rows, labels: &table.labels })?;
        let n_classes = table.classes.len();
        let counts = aode.counts.clone();
        let fit = move |_: &PairCounts, stats: &Stats| finish(&aode, stats, Coding::default(), n_classes);
        Ok(Some(Box::new(Summed::new(counts, x, table, folds, fit)?)))
    }
}

fn finish(
    aode: &Aode,
    stats: &Stats,
    coding: Coding,
    n_classes: usize,
) -> Result<Box<dyn Fitted>, MethodError> {
    let classifier = aode.fit_stats(stats).map_err(MethodError::failed)?;
    let n_parameters = stats.class_sums().flatten().map(nb_core::exact::ExactSums::len).sum();
    Ok(Box::new(OfCodes { classifier, coding, n_classes, n_parameters }))
}

/// How cells become codes: numbers by cut points, categories as they are.
#[derive(Default)]
struct Coding {
    numbers: Vec<usize>,
    cuts: Option<Cuts>,
}

impl Coding {
    fn codes(&self, x: &Array2<f64>, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let mut codes = x.select(ndarray::Axis(0), rows);
        let Some(cuts) = &self.cuts else { return Ok(codes) };
        let bins = cuts.bins(&codes.select(ndarray::Axis(1), &self.numbers)).map_err(MethodError::failed)?;
        for (bins, &column) in bins.columns().into_iter().zip(&self.numbers) {
            codes.column_mut(column).assign(&bins);
        }
        Ok(codes)
    }
}

struct OfCodes {
    classifier: AodeClassifier<usize>,
    coding: Coding,
    n_classes: usize,
    n_parameters: usize,
}

impl Fitted for OfCodes {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let codes = self.coding.codes(columns_of(table)?.1, rows)?;
        let found = self.classifier.predict_log_proba(&codes).map_err(MethodError::failed)?;
        Ok(spread(&found, self.classifier.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.n_parameters
    }
}
