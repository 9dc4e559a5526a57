//! The rows that weights and corrections are learnt from: all, or some of large tables.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BinaryHeap},
};

use nb_core::error::{ValueError, ValueProblem};
use nb_io::{
    Kind,
    read::{Inferred, SparseTable, Table},
};
use nb_table::hash::{fnv_1a, mix};
use ndarray::Array2;

use crate::{Source, TrainerError, Watch, WhyPlain, attempt::sampled, times::Times};

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
    /// The number of the group of each row, if rows have groups.
    pub(crate) groups: Option<Vec<usize>>,
    /// The classes, in order.
    pub(crate) classes: Vec<String>,
    /// Whether these are all rows.
    pub(crate) is_all: bool,
}

impl Sample {
    /// The rows of a table that weights and corrections are learnt from, of which about `most_cells` cells
    /// are kept. The table has these classes.
    pub(crate) fn read<S: Source>(
        source: &S,
        inferred: &Inferred,
        classes: &[String],
        most_cells: usize,
    ) -> Result<Self, S::Error> {
        let mut watch = Watch::new(&inferred.schema);
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

/// Takes all rows of a table, chunk by chunk, and keeps those from which weights and corrections are learnt:
/// all of them, or a hundred of each class and others. Which rows these are, and in which order, depends on
/// what they hold, and not on their order in the table.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    n_columns: usize,
    has_texts: bool,
    /// One of how many rows is kept.
    one_of: usize,
    is_sparse: bool,
    is_weighted: bool,
    kept: Kept,
    classes: BTreeMap<String, Class>,
    groups: BTreeMap<String, u32>,
    times: Times,
    n_rows: u64,
}

/// Rows that are kept.
#[derive(Clone, Debug, Default)]
struct Kept {
    keys: Vec<u64>,
    classes: Vec<u32>,
    groups: Vec<u32>,
    weights: Vec<f64>,
    /// Where the cells of each row end.
    ends: Vec<usize>,
    /// The places of cells, if not all are stored.
    indices: Vec<usize>,
    values: Vec<f64>,
}

/// A row that may be kept, in the order of their keys.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    key: u64,
    /// The number of its group.
    group: u32,
    weight: f64,
    /// The number of its class.
    class: u32,
    /// The places of its cells, if not all are stored.
    indices: Option<Box<[usize]>>,
    values: Box<[f64]>,
}

impl Eq for Row {}

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Row {
    /// By key, which is a hash of the cells and the label, then by group and weight: cells need not be
    /// compared.
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |row: &Self| (row.key, row.group);
        rest(self).cmp(&rest(other)).then(self.weight.total_cmp(&other.weight))
    }
}

/// What is known of a class.
#[derive(Clone, Debug, Default)]
struct Class {
    /// Its number, in the order of their first rows.
    number: u32,
    n_kept: usize,
    /// The first of its other rows by their keys, for a class that keeps too few.
    others: BinaryHeap<Row>,
}

/// What is known of the rows of a chunk beside their cells.
#[derive(Clone, Debug)]
pub(crate) struct Known<'a> {
    pub(crate) labels: Vec<String>,
    /// One for each row, if rows have weights; a row with the weight 0 is absent.
    pub(crate) weights: Option<&'a [f64]>,
    /// The group of each row, if rows have groups.
    pub(crate) groups: Option<&'a [String]>,
    /// Hashes of what the rows hold.
    pub(crate) keys: &'a [u64],
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
        let one_of = inferred.n_rows.saturating_mul(cells_of_row.sum()).div_ceil(most_cells.max(1)).max(1);
        Self {
            n_columns: inferred.schema.n_features(),
            has_texts,
            one_of,
            is_sparse: false,
            is_weighted: false,
            kept: Kept::default(),
            classes: BTreeMap::new(),
            groups: BTreeMap::new(),
            times: Times::default(),
            n_rows: 0,
        }
    }

    /// The classes so far, in order.
    pub(crate) fn classes(&self) -> Vec<String> {
        self.classes.keys().cloned().collect()
    }

    /// Looks at rows.
    pub(crate) fn add(&mut self, rows: &Table, known: Known<'_>) -> Result<(), ValueError> {
        let Known { labels, weights, groups, keys } = known;
        if let Some((row, column, value)) = first_infinite(rows) {
            return Err(ValueError { row, column, value, reason: ValueProblem::Infinite });
        }
        self.is_weighted |= weights.is_some();
        self.is_sparse |= matches!(rows, Table::Sparse(_));
        if self.is_sparse && !self.has_texts {
            return Ok(());
        }
        for (row, label) in labels.into_iter().enumerate() {
            let weight = weights.map_or(1.0, |weights| weights[row]);
            if weight == 0.0 {
                continue;
            }
            self.n_rows += 1;
            let number = self.classes.len() as u32;
            let class = self.classes.entry(label).or_insert_with(|| Class { number, ..Class::default() });
            // Rows of a group are kept together; one without a group is its own group.
            let group_name = groups.map(|groups| match groups[row].as_str() {
                "" => format!("\0{:016x} {}", keys[row], self.groups.len()),
                group => group.to_owned(),
            });
            let key = mix(match groups {
                _ if self.one_of == 1 => 0,
                Some(groups) if !groups[row].is_empty() => fnv_1a(groups[row].as_bytes()),
                _ => keys[row].wrapping_add(self.times.next(keys[row])),
            });
            let group = group_name.map_or(0, |name| {
                let next = self.groups.len() as u32;
                *self.groups.entry(name).or_insert(next)
            });
            let is_kept = key.is_multiple_of(self.one_of as u64);
            let (indices, values) = cells(rows, row);
            let row = Row { key: keys[row], group, weight, class: class.number, indices, values };
            if is_kept {
                class.n_kept += 1;
                self.kept.push(&row);
            } else if class.others.len() < ALWAYS || class.others.peek().is_some_and(|last| row < *last) {
                class.others.push(row);
                if class.others.len() > ALWAYS {
                    class.others.pop();
                }
            }
        }
        Ok(())
    }

    /// The rows that were kept.
    pub(crate) fn finish(self) -> Result<Sample, WhyPlain> {
        if self.is_sparse && !self.has_texts {
            return Err(WhyPlain::Sparse);
        }
        let mut kept = self.kept;
        let mut places = vec![0; self.classes.len()];
        let mut names = Vec::with_capacity(places.len());
        for (place, (name, class)) in self.classes.into_iter().enumerate() {
            places[class.number as usize] = place;
            names.push(name);
            let n_more = ALWAYS.saturating_sub(class.n_kept);
            class.others.into_sorted_vec().iter().take(n_more).for_each(|row| kept.push(row));
        }
        // The numbers of groups in the order of their names.
        let mut numbers = vec![0; self.groups.len()];
        for (number, &first) in self.groups.values().enumerate() {
            numbers[first as usize] = number;
        }
        let group = |row: usize| numbers.get(kept.groups[row] as usize).copied().unwrap_or(0);
        let mut order: Vec<usize> = (0..kept.keys.len()).collect();
        order.sort_unstable_by(|&a, &b| {
            let of_keys = (kept.keys[a], group(a)).cmp(&(kept.keys[b], group(b)));
            of_keys.then(kept.weights[a].total_cmp(&kept.weights[b]))
        });
        let labels: Vec<usize> = order.iter().map(|&row| places[kept.classes[row] as usize]).collect();
        let weights = self.is_weighted.then(|| order.iter().map(|&row| kept.weights[row]).collect());
        let groups = (!numbers.is_empty()).then(|| order.iter().map(|&row| group(row)).collect());
        let is_all = labels.len() as u64 == self.n_rows;
        // Chunks that are now dense, now sparse are no table.
        let rows = kept.table(&order, self.n_columns, self.is_sparse).ok_or(WhyPlain::Sparse)?;
        Ok(Sample { rows, labels, weights, groups, classes: names, is_all })
    }
}

impl Kept {
    fn push(&mut self, row: &Row) {
        self.keys.push(row.key);
        self.classes.push(row.class);
        self.groups.push(row.group);
        self.weights.push(row.weight);
        self.indices.extend(row.indices.iter().flatten());
        self.values.extend(&row.values);
        self.ends.push(self.values.len());
    }

    /// The cells of the rows in another order.
    fn table(&self, order: &[usize], n_columns: usize, is_sparse: bool) -> Option<Table> {
        let cells = |row: usize| self.ends[..row].last().copied().unwrap_or(0)..self.ends[row];
        let mut values = Vec::with_capacity(self.values.len());
        for &row in order {
            values.extend(&self.values[cells(row)]);
        }
        if !is_sparse {
            return Array2::from_shape_vec((order.len(), n_columns), values).ok().map(Table::Dense);
        }
        if self.indices.len() != self.values.len() {
            return None;
        }
        let (mut indptr, mut indices) = (vec![0], Vec::with_capacity(self.indices.len()));
        for &row in order {
            indices.extend(&self.indices[cells(row)]);
            indptr.push(indices.len());
        }
        SparseTable::new(n_columns, indptr, indices, values).ok().map(Table::Sparse)
    }
}

fn cells(rows: &Table, row: usize) -> (Option<Box<[usize]>>, Box<[f64]>) {
    match rows {
        Table::Dense(rows) => (None, rows.row(row).iter().copied().collect()),
        Table::Sparse(rows) => {
            let cells = rows.indptr()[row]..rows.indptr()[row + 1];
            (Some(rows.indices()[cells.clone()].into()), rows.values()[cells].into())
        }
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
            let keys: Vec<u64> = (first..first + 1000).map(|row| mix(row as u64)).collect();
            let known = Known { labels: labels.collect(), weights: None, groups: None, keys: &keys };
            sampler.add(&Table::Dense(rows), known).unwrap();
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
        let known = |labels: [&str; 2], weights| Known {
            labels: labels.map(String::from).into(),
            weights,
            groups: None,
            keys: if weights.is_none() { &[1, 2] } else { &[3, 4] },
        };
        sampler.add(&rows([1.0, 2.0]), known(["b", "a"], None)).unwrap();
        sampler.add(&rows([3.0, 4.0]), known(["c", "a"], Some(&[0.0, 0.5]))).unwrap();
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
        let labels = vec!["a".into(), "b".into()];
        let known = Known { labels, weights: None, groups: None, keys: &[1, 2] };
        let error = Sampler::new(&inferred, 100).add(&rows, known).unwrap_err();
        assert_eq!((error.row, error.column), (1, 1));
    }
}
