//! Rows that are kept in memory to choose hyper-parameters by: how probable their labels are for models that
//! have not seen them.

use nb_io::read::{Chunk, SparseTable, Table};
use ndarray::Array2;

/// Maximum number of rows kept. The log-loss of as many has a standard error below a hundredth.
const MAX_ROWS: usize = 1 << 14;
/// Maximum number of cells kept, for wide tables: 128 MiB.
const MAX_CELLS: usize = 1 << 24;

/// Rows, evenly spread over all files, with their folds.
#[derive(Debug)]
pub(super) struct KeptRows {
    n_folds: usize,
    n_columns: usize,
    n_seen: usize,
    /// Every such row is kept.
    every: usize,
    n_cells: usize,
    kept: Vec<Kept>,
}

#[derive(Debug)]
struct Kept {
    number: usize,
    fold: usize,
    label: String,
    weight: f64,
    cells: Cells,
}

#[derive(Debug)]
enum Cells {
    Dense(Vec<f64>),
    Sparse(Vec<usize>, Vec<f64>),
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Self::Dense(cells) | Self::Sparse(_, cells) => cells.len(),
        }
    }
}

/// The rows of a fold that were kept.
#[derive(Debug)]
pub(super) struct FoldRows {
    pub(super) rows: Table,
    pub(super) labels: Vec<String>,
    pub(super) weights: Vec<f64>,
}

impl KeptRows {
    pub(super) fn new(n_folds: usize, n_columns: usize) -> Self {
        Self { n_folds, n_columns, n_seen: 0, every: 1, n_cells: 0, kept: Vec::new() }
    }

    /// Keeps some of the next rows, which are in these folds.
    pub(super) fn add(&mut self, chunk: &Chunk, folds: &[usize]) {
        let labels = chunk.labels.as_deref().unwrap_or_default();
        for (row, (label, &fold)) in labels.iter().zip(folds).enumerate() {
            let number = self.n_seen;
            self.n_seen += 1;
            if !number.is_multiple_of(self.every) {
                continue;
            }
            let weight = chunk.weights.as_ref().map_or(1.0, |weights| weights[row]);
            let cells = cells(&chunk.rows, row);
            self.n_cells += cells.len();
            self.kept.push(Kept { number, fold, label: label.clone(), weight, cells });
            while self.kept.len() > MAX_ROWS || (self.n_cells > MAX_CELLS && self.kept.len() > 1) {
                self.thin();
            }
        }
    }

    /// Drops every second row.
    fn thin(&mut self) {
        self.every *= 2;
        let every = self.every;
        self.kept.retain(|row| row.number.is_multiple_of(every));
        self.n_cells = self.kept.iter().map(|row| row.cells.len()).sum();
    }

    /// The rows of each fold.
    pub(super) fn folds(&self) -> Vec<FoldRows> {
        (0..self.n_folds).map(|fold| self.fold(fold)).collect()
    }

    fn fold(&self, fold: usize) -> FoldRows {
        let rows: Vec<&Kept> = self.kept.iter().filter(|row| row.fold == fold).collect();
        FoldRows {
            rows: table(&rows, self.n_columns),
            labels: rows.iter().map(|row| row.label.clone()).collect(),
            weights: rows.iter().map(|row| row.weight).collect(),
        }
    }
}

fn cells(rows: &Table, row: usize) -> Cells {
    match rows {
        Table::Dense(rows) => Cells::Dense(rows.row(row).to_vec()),
        Table::Sparse(rows) => {
            let range = rows.indptr()[row]..rows.indptr()[row + 1];
            Cells::Sparse(rows.indices()[range.clone()].to_vec(), rows.values()[range].to_vec())
        }
    }
}

/// Rows as a table: dense if they all are.
fn table(rows: &[&Kept], n_columns: usize) -> Table {
    let (mut dense, mut indptr, mut indices, mut values) = (Vec::new(), vec![0], Vec::new(), Vec::new());
    for row in rows {
        match &row.cells {
            Cells::Dense(cells) => dense.extend_from_slice(cells),
            Cells::Sparse(columns, cells) => {
                indices.extend_from_slice(columns);
                values.extend_from_slice(cells);
            }
        }
        indptr.push(values.len());
    }
    let as_dense = Array2::from_shape_vec((rows.len(), n_columns), dense);
    match (as_dense, SparseTable::new(n_columns, indptr, indices, values)) {
        (Ok(dense), _) if !rows.is_empty() => Table::Dense(dense),
        (_, Ok(sparse)) => Table::Sparse(sparse),
        (_, Err(error)) => unreachable!("rows that were read are rows: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use nb_core::Rows;

    use super::*;

    fn chunk(rows: Table, labels: &[&str]) -> Chunk {
        let labels = Some(labels.iter().map(|&label| label.to_owned()).collect());
        Chunk {
            first_row: 0,
            rows,
            labels,
            weights: None,
            ids: Vec::new(),
            n_non_numeric: 0,
            places: Vec::new(),
        }
    }

    #[test]
    fn rows_come_back_by_their_folds() {
        let mut rows = KeptRows::new(3, 1);
        let dense = |n: usize| Table::Dense(Array2::from_shape_fn((n, 1), |(row, _)| row as f64));
        let labels = ["a", "a", "a", "b", "b", "b", "a"];
        rows.add(&chunk(dense(7), &labels), &[0, 1, 2, 1, 2, 0, 0]);
        rows.add(&chunk(dense(1), &["a"]), &[1]);
        let held_out = rows.folds();
        assert_eq!(held_out[0].labels, ["a", "b", "a"]);
        assert_eq!(held_out[0].rows, Table::Dense(ndarray::array![[0.0], [5.0], [6.0]]));
        assert_eq!(held_out.iter().map(|fold| fold.labels.len()).sum::<usize>(), rows.kept.len());
    }

    #[test]
    fn many_rows_are_thinned_evenly() {
        let mut rows = KeptRows::new(2, 2);
        let labels = vec!["a"; 1000];
        for _ in 0..50 {
            let sparse = SparseTable::new(2, (0..=1000).collect(), vec![1; 1000], vec![3.0; 1000]).unwrap();
            rows.add(&chunk(Table::Sparse(sparse), &labels), &vec![0; labels.len()]);
        }
        assert_eq!((rows.n_seen, rows.every, rows.kept.len()), (50_000, 4, 12_500));
        assert!(rows.kept.iter().all(|row| row.number % 4 == 0));
        assert_eq!(rows.folds()[0].rows.n_columns(), 2);
    }
}
