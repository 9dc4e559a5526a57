//! The types of input.

use nb_core::{CsrView, Rows};
use ndarray::Array2;

use super::table::{Cells, Sparse};

/// How cells lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    F64,
    F32,
    U8,
    /// Sparse, with numbers of columns as `SciPy` has them.
    CsrI32,
    CsrUsize,
    /// As `F64` or, of sparse tables, `CsrUsize`, with weights.
    Weighted,
}

/// Rows that own their memory.
pub(super) enum Stored {
    F64(Array2<f64>),
    F32(Array2<f32>),
    U8(Array2<u8>),
    I32(Sparse<i32>),
    Usize(Sparse<usize>),
}

impl Form {
    pub(super) const ALL: [Self; 6] =
        [Self::F64, Self::F32, Self::U8, Self::CsrI32, Self::CsrUsize, Self::Weighted];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::U8 => "u8",
            Self::CsrI32 => "csr-i32",
            Self::CsrUsize => "csr-usize",
            Self::Weighted => "weighted",
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// The cells in this form; `None` if it has no place for them. Floats are rounded, and have their own
    /// pins then.
    pub(super) fn store(self, cells: &Cells) -> Option<Stored> {
        match (self, cells) {
            (Self::F64 | Self::Weighted, Cells::Dense(cells)) => Some(Stored::F64(cells.clone())),
            (Self::F32, Cells::Dense(cells)) => Some(Stored::F32(cells.mapv(|value| value as f32))),
            (Self::U8, Cells::Dense(cells)) => {
                let is_byte = |&value: &f64| f64::from(value as u8) == value;
                cells.iter().all(is_byte).then(|| Stored::U8(cells.mapv(|value| value as u8)))
            }
            (Self::CsrI32, cells) => {
                Some(Stored::I32(sparse(cells, |number| i32::try_from(number).unwrap_or(i32::MAX))))
            }
            (Self::CsrUsize, cells) | (Self::Weighted, cells @ Cells::Sparse(_)) => {
                Some(Stored::Usize(sparse(cells, |number| number)))
            }
            (Self::F64 | Self::F32 | Self::U8, Cells::Sparse(_)) => None,
        }
    }
}

/// The cells that are not zero.
fn sparse<I>(cells: &Cells, index: impl Fn(usize) -> I) -> Sparse<I> {
    match cells {
        Cells::Sparse(cells) => Sparse {
            n_columns: cells.n_columns,
            indptr: cells.indptr.iter().map(|&number| index(number)).collect(),
            indices: cells.indices.iter().map(|&number| index(number)).collect(),
            values: cells.values.clone(),
        },
        Cells::Dense(cells) => {
            let (mut indptr, mut indices, mut values) = (vec![index(0)], Vec::new(), Vec::new());
            for row in cells.rows() {
                for (column, &value) in row.iter().enumerate() {
                    if value != 0.0 {
                        indices.push(index(column));
                        values.push(value);
                    }
                }
                indptr.push(index(values.len()));
            }
            Sparse { n_columns: cells.ncols(), indptr, indices, values }
        }
    }
}

impl Stored {
    /// The rows as the library takes them.
    pub(super) fn rows(&self) -> Result<Box<dyn Rows + '_>, String> {
        Ok(match self {
            Self::F64(cells) => Box::new(cells.view()),
            Self::F32(cells) => Box::new(cells.view()),
            Self::U8(cells) => Box::new(cells.view()),
            Self::I32(cells) => Box::new(csr(cells)?),
            Self::Usize(cells) => Box::new(csr(cells)?),
        })
    }
}

fn csr<I: nb_core::rows::Index>(cells: &Sparse<I>) -> Result<CsrView<'_, f64, I>, String> {
    CsrView::new(cells.n_columns, &cells.indptr, &cells.indices, &cells.values)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_hold_the_cells_or_say_that_they_cannot() {
        let cells = Cells::Dense(ndarray::array![[0.0, 2.0], [255.0, 0.0]]);
        let shapes = Form::ALL.map(|form| {
            form.store(&cells).map(|stored| {
                let rows = stored.rows().expect("valid rows");
                (rows.n_rows(), rows.n_columns())
            })
        });
        assert_eq!(shapes, [Some((2, 2)); 6]);
        for other in [256.0, -1.0, 0.5, f64::NAN] {
            assert!(Form::U8.store(&Cells::Dense(ndarray::array![[other]])).is_none(), "{other}");
        }
        let Some(Stored::I32(sparse)) = Form::CsrI32.store(&cells) else { panic!("no sparse rows") };
        assert_eq!(
            (sparse.indptr, sparse.indices, sparse.values),
            (vec![0, 1, 2], vec![1, 0], vec![2.0, 255.0])
        );
    }
}
