//! Text columns as terms of the training rows.
//!
//! A table keeps each text as the terms that it has, split once ([`Corpus`](nb_io::text::Corpus)). What is
//! learnt from texts (which terms there are, and their inverse document frequencies) is learnt in every call
//! of [`Method::fit`](crate::Method::fit) from the training rows alone, which costs a count of their terms
//! and no reading; so that no fold, and no fold within a fold for tuning or calibration, knows terms of the
//! rows that it is tested on. Methods then see sparse rows: the columns that are no texts, in their
//! order, and behind them the terms of each text column.

use std::ops::Range;

use nb_core::Rows;
use nb_io::text::LearntTerms;
use ndarray::Array2;

use crate::{
    Column, Kind, Matrix, MethodError, Table,
    method::rows::parts::{all_columns_of, chosen},
};

/// The features of a table, of which some may be terms.
#[derive(Debug)]
pub(in crate::method) struct Terms {
    /// The columns that are no texts.
    others: Vec<usize>,
    /// The columns that are, and what was learnt of them.
    texts: Vec<(usize, LearntTerms)>,
}

impl Terms {
    /// Learns the terms of training rows.
    ///
    /// # Errors
    /// [`MethodError::Failed`] names the column whose texts have no term that is kept.
    pub(in crate::method) fn learn(table: &Table, train: &[usize]) -> Result<Self, MethodError> {
        let (columns, x) = all_columns_of(table)?;
        let (mut others, mut texts) = (Vec::new(), Vec::new());
        for (place, Column { name, kind }) in columns.iter().enumerate() {
            let Kind::Text { texts: corpus } = kind else {
                others.push(place);
                continue;
            };
            let learnt = corpus.learn(train.iter().map(|&row| text_at(x, row, place))).map_err(|error| {
                MethodError::failed(format!(
                    "column `{name}`, in the {} training rows of a split: {error}",
                    train.len()
                ))
            })?;
            texts.push((place, learnt));
        }
        Ok(Self { others, texts })
    }

    /// Whether there are texts: if not, the features are the columns.
    pub(in crate::method) fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// The columns that are no texts: features from 0 on, in their order.
    pub(in crate::method) fn others(&self) -> &[usize] {
        &self.others
    }

    /// The feature of a column that is no text.
    pub(in crate::method) fn feature(&self, column: usize) -> usize {
        self.others.partition_point(|&other| other < column)
    }

    /// The features of each text column.
    pub(in crate::method) fn of_texts(&self) -> Vec<Range<usize>> {
        let mut first = self.others.len();
        let range = |(_, learnt): &(usize, LearntTerms)| {
            let own = first..first + learnt.n_terms();
            first = own.end;
            own
        };
        self.texts.iter().map(range).collect()
    }

    /// The number of features.
    pub(in crate::method) fn n_features(&self) -> usize {
        self.others.len() + self.texts.iter().map(|(_, learnt)| learnt.n_terms()).sum::<usize>()
    }

    /// Hands over the features of some rows: the columns themselves, without a copy, if there are no texts.
    pub(in crate::method) fn with_rows<T>(
        &self,
        table: &Table,
        rows: &[usize],
        take: impl FnOnce(&dyn Rows) -> Result<T, MethodError>,
    ) -> Result<T, MethodError> {
        if self.has_texts() {
            take(&self.matrix(table, rows)?.view().map_err(MethodError::failed)?)
        } else {
            take(&chosen(all_columns_of(table)?.1, rows)?)
        }
    }

    /// The features of some rows, sparse.
    fn matrix(&self, table: &Table, rows: &[usize]) -> Result<Matrix, MethodError> {
        let (_, x) = all_columns_of(table)?;
        let cells = |row: usize| self.others.iter().map(move |&column| x[[row, column]]);
        self.rows_behind(table, rows, self.others.len(), cells)
    }

    /// The terms of some rows behind other features, `n_first` for each row.
    pub(in crate::method) fn rows_behind<I: Iterator<Item = f64>>(
        &self,
        table: &Table,
        rows: &[usize],
        n_first: usize,
        first: impl Fn(usize) -> I,
    ) -> Result<Matrix, MethodError> {
        let (columns, x) = all_columns_of(table)?;
        let n_columns = n_first + self.n_features() - self.others.len();
        let mut matrix = Matrix { n_columns, indptr: vec![0], ..Matrix::default() };
        let mut counts = Vec::new();
        for &row in rows {
            let stored = first(row).enumerate().filter(|(_, value)| *value != 0.0);
            matrix.extend(stored);
            let mut before = n_first;
            for (column, learnt) in &self.texts {
                if let Kind::Text { texts } = &columns[*column].kind {
                    texts.count(learnt, text_at(x, row, *column), &mut counts);
                }
                matrix.extend(counts.drain(..).map(|(term, value)| (before + term, value)));
                before += learnt.n_terms();
            }
            matrix.indptr.push(matrix.indices.len());
        }
        Ok(matrix)
    }
}

impl Matrix {
    fn extend(&mut self, cells: impl Iterator<Item = (usize, f64)>) {
        for (column, value) in cells {
            self.indices.push(column);
            self.counts.push(value);
        }
    }
}

/// The position of a text; `None` if it is missing.
fn text_at(x: &Array2<f64>, row: usize, column: usize) -> Option<usize> {
    let cell = x[[row, column]];
    (!cell.is_nan()).then_some(cell as usize)
}
