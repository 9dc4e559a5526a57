//! Arrays of Python as rows, where they lie.

use nb_core::{CsrView, Rows};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{exceptions::PyTypeError, prelude::*};

use crate::errors;

/// Holds an array while rows are read from it.
pub(crate) enum Table<'py> {
    F64(PyReadonlyArray2<'py, f64>),
    F32(PyReadonlyArray2<'py, f32>),
    U8(PyReadonlyArray2<'py, u8>),
    I8(PyReadonlyArray2<'py, i8>),
    I16(PyReadonlyArray2<'py, i16>),
    I32(PyReadonlyArray2<'py, i32>),
    U16(PyReadonlyArray2<'py, u16>),
    U32(PyReadonlyArray2<'py, u32>),
    Sparse(usize, Box<Csr<'py>>),
}

/// The arrays of a sparse matrix, with cells and positions of one of two types each.
pub(crate) enum Csr<'py> {
    F64I32(Parts<'py, f64, i32>),
    F64I64(Parts<'py, f64, i64>),
    F32I32(Parts<'py, f32, i32>),
    F32I64(Parts<'py, f32, i64>),
}

/// The arrays of a sparse matrix.
pub(crate) struct Parts<'py, T: Element, I: Element> {
    indptr: PyReadonlyArray1<'py, I>,
    indices: PyReadonlyArray1<'py, I>,
    cells: PyReadonlyArray1<'py, T>,
}

impl<'py> FromPyObject<'_, 'py> for Table<'py> {
    type Error = PyErr;

    fn extract(any: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        // A sparse matrix comes as (number of columns, indptr, indices, cells).
        if let Ok((n_columns, indptr, indices, cells)) =
            any.extract::<(usize, Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)>()
        {
            let arrays = (&indptr, &indices, &cells);
            let none = || PyTypeError::new_err("a sparse matrix has cells of float32 or float64");
            let csr = None
                .or_else(|| parts(arrays).map(Csr::F64I32))
                .or_else(|| parts(arrays).map(Csr::F64I64))
                .or_else(|| parts(arrays).map(Csr::F32I32))
                .or_else(|| parts(arrays).map(Csr::F32I64));
            return Ok(Self::Sparse(n_columns, Box::new(csr.ok_or_else(none)?)));
        }
        macro_rules! one_of {
            ($($variant:ident),*) => {$(
                if let Ok(array) = any.extract() {
                    return Ok(Self::$variant(array));
                }
            )*};
        }
        one_of!(F64, F32, U8, I8, I16, I32, U16, U32);
        Err(PyTypeError::new_err("expected a two-dimensional array of numbers"))
    }
}

fn parts<'py, T: Element, I: Element>(
    (indptr, indices, cells): (&Bound<'py, PyAny>, &Bound<'py, PyAny>, &Bound<'py, PyAny>),
) -> Option<Parts<'py, T, I>> {
    Some(Parts {
        indptr: indptr.extract().ok()?,
        indices: indices.extract().ok()?,
        cells: cells.extract().ok()?,
    })
}

impl Table<'_> {
    /// The rows.
    pub(crate) fn rows(&self) -> PyResult<Box<dyn Rows + Send + '_>> {
        Ok(match self {
            Self::F64(array) => Box::new(array.as_array()),
            Self::F32(array) => Box::new(array.as_array()),
            Self::U8(array) => Box::new(array.as_array()),
            Self::I8(array) => Box::new(array.as_array()),
            Self::I16(array) => Box::new(array.as_array()),
            Self::I32(array) => Box::new(array.as_array()),
            Self::U16(array) => Box::new(array.as_array()),
            Self::U32(array) => Box::new(array.as_array()),
            Self::Sparse(n_columns, csr) => match &**csr {
                Csr::F64I32(parts) => Box::new(parts.view(*n_columns)?),
                Csr::F64I64(parts) => Box::new(parts.view(*n_columns)?),
                Csr::F32I32(parts) => Box::new(parts.view(*n_columns)?),
                Csr::F32I64(parts) => Box::new(parts.view(*n_columns)?),
            },
        })
    }
}

impl<T, I> Parts<'_, T, I>
where
    T: Element + nb_core::rows::Element,
    I: Element + nb_core::rows::Index,
{
    fn view(&self, n_columns: usize) -> PyResult<CsrView<'_, T, I>> {
        let (indptr, indices) = (slice(&self.indptr)?, slice(&self.indices)?);
        CsrView::new(n_columns, indptr, indices, slice(&self.cells)?).map_err(errors::value)
    }
}

/// The numbers of an array that are next to each other in memory.
pub(crate) fn slice<'a, T: Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(errors::value)
}

/// How many cells there are.
pub(crate) fn n_cells(rows: &dyn Rows) -> usize {
    rows.n_rows().saturating_mul(rows.n_columns())
}
