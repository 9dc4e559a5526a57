//! The rows that weights and corrections are learnt from: all, or some of large tables.

use std::collections::BTreeMap;

use nb_core::error::{ValueError, ValueProblem};
use nb_io::{
    Kind,
    read::{Inferred, SparseTable, Table},
};
use ndarray::Array2;

use crate::{Source, TrainerError, Watch, WhyPlain, attempt::sampled, keys::random};

/// The rows of a class that are kept, if there are that many.
const ALWAYS: usize = 100;
/// About how many terms a text has.
const TERMS: usize = 50;

/// Rows in memory, with their labels.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The rows.
    pub(crate) rows: Table,
    /// The place of the class of each row.
    pub(crate) labels: Vec<usize>,
    /// How much each row counts, if rows have weights.
    pub(crate) weights: Option<Vec<f64>>,
    /// The classes, in order.
    pub(crate) classes: Vec<String>,
    /// Whether these are all rows.
    pub(crate) is_all: bool,
}

impl Sample {
    /// The rows of a table that weights and corrections are learnt from, of which about `most_cells` cells are kept. The table has these
    /// classes.
    pub(crate) fn read<S: Source>(
        source: &S,
        inferred: &Inferred,
        classes: &[String],
        most_cells: usize,
    ) -> Result<Self, S::Error> {
        let mut watch = Watch::new(&inferred.schema).without_record();
        let sampler = Sampler::new(inferred, most_cells);
        let (sampler, _) = sampled(source, inferred, sampler, &mut watch, classes)?;
        let plain = |why| source.explain(TrainerError::Plain { n_rows: None, why }, &inferred.schema);
        sampler.finish().map_err(plain)
    }

    /// How much a row counts.
    pub(crate) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// The mean of a number of each row; rows of weight 0 have no part in it.
    pub(crate) fn mean(&self, of_rows: &[f64]) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (row, of_row) in of_rows.iter().enumerate().filter(|(row, _)| self.weight(*row) > 0.0) {
            sum += self.weight(row) * of_row;
            total += self.weight(row);
        }
        sum / total
    }
}

/// Takes all rows of a table, chunk by chunk, and keeps those that weights and corrections are to be learnt from: all of them, or
/// a hundred of each class and others by their number, which makes the choice the same each time.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    n_columns: usize,
    has_texts: bool,
    /// One of how many rows is kept.
    one_of: usize,
    values: Vec<f64>,
    indptr: Vec<usize>,
    indices: Vec<usize>,
    is_sparse: bool,
    labels: Vec<u32>,
    /// One for each label, if some rows have weights.
    weights: Vec<f64>,
    is_weighted: bool,
    /// The number of each class in the order of their first rows, and how many rows it has.
    seen: BTreeMap<String, (u32, usize)>,
    n_rows: u64,
}

impl Sampler {
    /// For rows of these columns, of which about `most_cells` cells are kept.
    pub(crate) fn new(inferred: &Inferred, most_cells: usize) -> Self {
        let columns = inferred.schema.columns.iter();
        let has_texts = columns.clone().any(|column| matches!(column.kind, Kind::Text(_)));
        let cells_of_row = columns.map(|column| match &column.kind {
            Kind::Text(_) => TERMS,
            _ => 1,
        });
        let n_rows = inferred.n_rows;
        let one_of = n_rows.saturating_mul(cells_of_row.sum()).div_ceil(most_cells.max(1)).max(1);
        let expected = (n_rows.div_ceil(one_of) + 10 * ALWAYS).min(most_cells);
        let n_columns = inferred.schema.n_features();
        Self {
            n_columns,
            has_texts,
            one_of,
            values: Vec::with_capacity(expected * n_columns.min(TERMS)),
            indptr: vec![0],
            indices: Vec::new(),
            is_sparse: false,
            labels: Vec::with_capacity(expected),
            weights: Vec::new(),
            is_weighted: false,
            seen: BTreeMap::new(),
            n_rows: 0,
        }
    }

    /// The classes so far, in order.
    pub(crate) fn classes(&self) -> Vec<String> {
        self.seen.keys().cloned().collect()
    }

    /// Looks at rows and their labels.
    pub(crate) fn add(&mut self, rows: &Table, labels: Vec<String>) -> Result<(), ValueError> {
        self.add_rows(rows, labels, None)
    }

    /// The same for rows with weights, one for each; a row with the weight 0 is absent.
    pub(crate) fn add_weighted(
        &mut self,
        rows: &Table,
        labels: Vec<String>,
        weights: &[f64],
    ) -> Result<(), ValueError> {
        if !self.is_weighted {
            self.is_weighted = true;
            self.weights = vec![1.0; self.labels.len()];
        }
        self.add_rows(rows, labels, Some(weights))
    }

    fn add_rows(
        &mut self,
        rows: &Table,
        labels: Vec<String>,
        weights: Option<&[f64]>,
    ) -> Result<(), ValueError> {
        if let Some((row, column, value)) = first_infinite(rows) {
            return Err(ValueError { row, column, value, reason: ValueProblem::Infinite });
        }
        self.is_sparse |= matches!(rows, Table::Sparse(_));
        if self.is_sparse && !self.has_texts {
            return Ok(());
        }
        for (row, label) in labels.into_iter().enumerate() {
            let weight = weights.map_or(1.0, |weights| weights[row]);
            if weight == 0.0 {
                continue;
            }
            let next = self.seen.len() as u32;
            let (class, count) = self.seen.entry(label).or_insert((next, 0));
            *count += 1;
            if *count <= ALWAYS || random(self.n_rows).is_multiple_of(self.one_of as u64) {
                self.labels.push(*class);
                if self.is_weighted {
                    self.weights.push(weight);
                }
                self.keep(rows, row);
            }
            self.n_rows += 1;
        }
        Ok(())
    }

    fn keep(&mut self, rows: &Table, row: usize) {
        match rows {
            Table::Dense(rows) => self.values.extend(rows.row(row)),
            Table::Sparse(rows) => {
                let cells = rows.indptr()[row]..rows.indptr()[row + 1];
                self.values.extend(&rows.values()[cells.clone()]);
                self.indices.extend(&rows.indices()[cells]);
                self.indptr.push(self.values.len());
            }
        }
    }

    /// The rows that were kept.
    pub(crate) fn finish(self) -> Result<Sample, WhyPlain> {
        if self.is_sparse && !self.has_texts {
            return Err(WhyPlain::Sparse);
        }
        let mut places = vec![0; self.seen.len()];
        for (place, (class, _)) in self.seen.values().enumerate() {
            places[*class as usize] = place;
        }
        let labels: Vec<usize> = self.labels.into_iter().map(|class| places[class as usize]).collect();
        let rows = if self.is_sparse {
            SparseTable::new(self.n_columns, self.indptr, self.indices, self.values).ok().map(Table::Sparse)
        } else {
            Array2::from_shape_vec((labels.len(), self.n_columns), self.values).ok().map(Table::Dense)
        };
        let is_all = labels.len() as u64 == self.n_rows;
        // Chunks that are now dense, now sparse are no table.
        let rows = rows.ok_or(WhyPlain::Sparse)?;
        let weights = self.is_weighted.then_some(self.weights);
        Ok(Sample { rows, labels, weights, classes: self.seen.into_keys().collect(), is_all })
    }
}

fn first_infinite(rows: &Table) -> Option<(usize, usize, f64)> {
    match rows {
        Table::Dense(rows) => {
            let infinite = rows.indexed_iter().find(|(_, value)| value.is_infinite());
            infinite.map(|((row, column), &value)| (row, column, value))
        }
        Table::Sparse(rows) => {
            let infinite = rows.values().iter().position(|value| value.is_infinite());
            infinite.map(|place| {
                let row = rows.indptr().partition_point(|&start| start <= place) - 1;
                (row, rows.indices()[place], rows.values()[place])
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use nb_io::Schema;

    use super::*;

    fn of(n_rows: usize, most_cells: usize) -> Sample {
        let inferred = Inferred::new(Schema::numeric(["x"], "class"), Vec::new(), n_rows);
        let mut sampler = Sampler::new(&inferred, most_cells);
        for first in (0..n_rows).step_by(1000) {
            let rows = Array2::from_shape_fn((1000, 1), |(row, _)| (first + row) as f64);
            let labels =
                (first..first + 1000).map(|row| if row % 500 == 0 { "rare" } else { "usual" }.into());
            sampler.add(&Table::Dense(rows), labels.collect()).unwrap();
        }
        sampler.finish().unwrap()
    }

    #[test]
    fn all_rows_of_small_tables_and_some_of_large_ones_are_kept() {
        let all = of(5000, 10_000);
        assert!(all.is_all && all.labels.len() == 5000);
        let some = of(50_000, 5000);
        assert!(!some.is_all && (4500..6000).contains(&some.labels.len()), "{}", some.labels.len());
        // A class with few rows has them all.
        assert_eq!(some.labels.iter().filter(|&&class| some.classes[class] == "rare").count(), 100);
        let Table::Dense(rows) = &some.rows else { panic!("dense rows stay dense") };
        assert!(
            rows.iter()
                .zip(&some.labels)
                .all(|(value, &class)| { (value % 500.0 == 0.0) == (some.classes[class] == "rare") })
        );
    }

    #[test]
    fn rows_of_weight_zero_are_absent() {
        let inferred = Inferred::new(Schema::numeric(["x"], "class"), Vec::new(), 4);
        let mut sampler = Sampler::new(&inferred, 100);
        let rows = |values: [f64; 2]| Table::Dense(Array2::from_shape_fn((2, 1), |(row, _)| values[row]));
        sampler.add(&rows([1.0, 2.0]), vec!["b".into(), "a".into()]).unwrap();
        sampler.add_weighted(&rows([3.0, 4.0]), vec!["c".into(), "a".into()], &[0.0, 0.5]).unwrap();
        let sample = sampler.finish().unwrap();
        assert_eq!(sample.classes, ["a", "b"]);
        assert_eq!((sample.labels, sample.weights), (vec![1, 0, 0], Some(vec![1.0, 1.0, 0.5])));
        assert_eq!(sample.rows, Table::Dense(ndarray::array![[1.0], [2.0], [4.0]]));
        assert!(sample.is_all);
    }

    #[test]
    fn infinite_cells_are_named() {
        let inferred = Inferred::new(Schema::numeric(["x", "y"], "class"), Vec::new(), 2);
        let rows = Table::Dense(ndarray::array![[1.0, 2.0], [3.0, f64::INFINITY]]);
        let error = Sampler::new(&inferred, 100).add(&rows, vec!["a".into(), "b".into()]).unwrap_err();
        assert_eq!((error.row, error.column), (1, 1));
    }
}
