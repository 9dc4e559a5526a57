//! Documents as counts of terms.

use std::ops::Range;

use nb_core::{CsrView, error::CsrError};

use crate::TableError;

/// Counts of terms by document, in compressed rows.
///
/// The terms are those of all documents. What a method learns its vocabulary from are the training rows
/// alone: [`vocabulary`](Self::vocabulary) and [`of_vocabulary`](Self::of_vocabulary) are for that.
#[derive(Clone, Debug, PartialEq)]
pub struct Documents {
    terms: Vec<String>,
    indptr: Vec<usize>,
    indices: Vec<usize>,
    counts: Vec<f64>,
}

/// Documents as a matrix in compressed rows, for [`CsrView`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The number of columns.
    pub n_columns: usize,
    /// Where each row begins.
    pub indptr: Vec<usize>,
    /// The columns of the counts.
    pub indices: Vec<usize>,
    /// The counts.
    pub counts: Vec<f64>,
}

impl Documents {
    /// Documents from compressed rows: document `i` has the counts `indptr[i]..indptr[i + 1]`, for the terms
    /// in `indices`, which increase.
    ///
    /// # Errors
    /// [`TableError::Documents`] says what is wrong with the rows.
    pub fn new(
        terms: Vec<String>,
        indptr: Vec<usize>,
        indices: Vec<usize>,
        counts: Vec<f64>,
    ) -> Result<Self, TableError> {
        CsrView::new(terms.len(), &indptr, &indices, &counts)
            .map_err(|error| TableError::Documents(error.to_string()))?;
        Ok(Self { terms, indptr, indices, counts })
    }

    /// The number of documents.
    pub fn n_rows(&self) -> usize {
        self.indptr.len() - 1
    }

    /// The number of different terms.
    pub fn n_terms(&self) -> usize {
        self.terms.len()
    }

    /// The terms.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// The documents of these numbers, in this order, over the same terms.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let matrix = self.of_vocabulary(rows, &(0..self.n_terms()).map(Some).collect::<Vec<_>>());
        let Matrix { indptr, indices, counts, .. } = matrix;
        Self { terms: self.terms.clone(), indptr, indices, counts }
    }

    /// Which terms occur in these documents: for each term its position among those that do.
    pub fn vocabulary(&self, rows: &[usize]) -> Vec<Option<usize>> {
        let mut occurs = vec![false; self.n_terms()];
        for &row in rows {
            for &term in &self.indices[self.cells(row)] {
                occurs[term] = true;
            }
        }
        let mut next = 0..;
        occurs.into_iter().map(|occurs| if occurs { next.next() } else { None }).collect()
    }

    /// These documents as counts of the terms of a vocabulary. Other terms are left out.
    pub fn of_vocabulary(&self, rows: &[usize], vocabulary: &[Option<usize>]) -> Matrix {
        let n_columns = vocabulary.iter().flatten().max().map_or(0, |last| last + 1);
        let mut matrix = Matrix { n_columns, indptr: vec![0], ..Matrix::default() };
        for &row in rows {
            for cell in self.cells(row) {
                if let Some(column) = vocabulary[self.indices[cell]] {
                    matrix.indices.push(column);
                    matrix.counts.push(self.counts[cell]);
                }
            }
            matrix.indptr.push(matrix.indices.len());
        }
        matrix
    }

    /// Writes everything, for a checksum.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.terms.len() as u64).to_le_bytes());
        for term in &self.terms {
            bytes.extend((term.len() as u64).to_le_bytes());
            bytes.extend(term.as_bytes());
        }
        let numbers = self.indptr.iter().chain(&self.indices);
        bytes.extend(numbers.flat_map(|&number| (number as u64).to_le_bytes()));
        bytes.extend(self.counts.iter().flat_map(|count| count.to_le_bytes()));
    }

    fn cells(&self, row: usize) -> Range<usize> {
        self.indptr[row]..self.indptr[row + 1]
    }
}

impl Matrix {
    /// The matrix as rows of nb-core.
    ///
    /// # Errors
    /// [`CsrError`] if its parts were changed and do not fit together any more.
    pub fn view(&self) -> Result<CsrView<'_, f64, usize>, CsrError> {
        CsrView::new(self.n_columns, &self.indptr, &self.indices, &self.counts)
    }
}
