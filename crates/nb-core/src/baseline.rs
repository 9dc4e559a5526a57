//! Scoring sparse rows in families where a zero is evidence, too.

use ndarray::Array2;

use crate::{Exact, Scores, SparseBlock};

/// The scores of a row of zeros, per class; a sparse row starts from them and corrects the cells that are not zero.
///
/// The corrections take back the very doubles that went into the baseline, and sums are compensated, so that nothing
/// is lost where a large baseline is all but cancelled.
#[derive(Clone, Debug)]
pub(crate) struct Baseline {
    /// `log p(0 | class)`, `n_classes × n_columns`.
    log_zeros: Array2<f64>,
    /// Per class the sum of the finite entries and its rounding error.
    sums: Vec<(f64, f64)>,
    /// Per class the number of columns in which a zero is impossible.
    impossible: Vec<usize>,
}

impl Baseline {
    /// The baseline for these `log p(0 | class)`, `n_classes × n_columns`.
    pub(crate) fn new(log_zeros: &Array2<f64>) -> Self {
        let rows = || log_zeros.rows().into_iter();
        Self {
            sums: rows()
                .map(|row| Exact::sum(row.iter().copied().filter(|log| log.is_finite())).to_pair())
                .collect(),
            impossible: rows().map(|row| row.iter().filter(|log| log.is_infinite()).count()).collect(),
            log_zeros: log_zeros.clone(),
        }
    }

    /// Adds the scores of sparse rows. `term(class, column, value)` is the log-likelihood of a stored cell, or `None`
    /// where the cell counts as a zero.
    pub(crate) fn add_sparse(
        &self,
        rows: &SparseBlock<'_>,
        scores: &mut Scores<'_>,
        term: impl Fn(usize, usize, f64) -> Option<f64>,
    ) {
        for (row, (columns, values)) in rows.rows().enumerate() {
            for (class, &(sum, rest)) in self.sums.iter().enumerate() {
                scores.add(row, class, sum);
                scores.add(row, class, rest);
                let mut impossible = self.impossible[class];
                for (&column, &value) in columns.iter().zip(values) {
                    let Some(term) = term(class, column, value) else {
                        continue;
                    };
                    let log_zero = self.log_zeros[[class, column]];
                    if log_zero.is_finite() {
                        scores.add(row, class, -log_zero);
                    } else {
                        impossible -= 1;
                    }
                    scores.add(row, class, term);
                }
                if impossible > 0 {
                    scores.add(row, class, f64::NEG_INFINITY);
                }
            }
        }
    }
}
