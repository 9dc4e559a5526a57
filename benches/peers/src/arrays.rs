//! The arrays of a data set in memory, the same for every contender.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use ndarray::Array2;

use crate::data::{Cells, Meta, file};

/// The features.
#[derive(Debug)]
pub(crate) enum Table {
    /// Double precision, whatever the numbers mean.
    F64(Array2<f64>),
    /// Single precision.
    F32(Array2<f32>),
    /// Bytes.
    U8(Array2<u8>),
    /// Compressed sparse rows.
    Csr {
        /// Where each row starts; one more entry than rows.
        indptr: Vec<i32>,
        /// Column numbers.
        indices: Vec<i32>,
        /// The stored values.
        values: Vec<f64>,
    },
}

/// A data set.
#[derive(Debug)]
pub(crate) struct Data {
    /// Where it is, and where models of it are saved.
    pub(crate) folder: PathBuf,
    /// What it is.
    pub(crate) meta: Meta,
    /// The features.
    pub(crate) table: Table,
    /// The labels.
    pub(crate) y: Vec<i64>,
}

impl Data {
    /// Reads a data set that [`generate`](crate::data::generate) wrote.
    pub(crate) fn read(folder: &Path, name: &str) -> io::Result<Self> {
        let meta: Meta = serde_json::from_slice(&fs::read(folder.join(format!("{name}.json")))?)?;
        let shape = (meta.rows, meta.columns);
        let bytes = |array| fs::read(file(folder, name, array));
        let table = match meta.cells {
            Cells::F64 | Cells::Counts | Cells::Codes => {
                Table::F64(matrix(shape, numbers(&bytes("x")?, f64::from_le_bytes))?)
            }
            Cells::F32 => Table::F32(matrix(shape, numbers(&bytes("x")?, f32::from_le_bytes))?),
            Cells::Bytes => Table::U8(matrix(shape, bytes("x")?)?),
            Cells::Sparse | Cells::Binary => Table::Csr {
                indptr: numbers(&bytes("indptr")?, i32::from_le_bytes),
                indices: numbers(&bytes("indices")?, i32::from_le_bytes),
                values: numbers(&bytes("values")?, f64::from_le_bytes),
            },
        };
        Ok(Self { folder: folder.into(), table, y: numbers(&bytes("y")?, i64::from_le_bytes), meta })
    }

    /// How many rows the answers of a fitted model are compared on.
    pub(crate) fn head(&self) -> usize {
        self.meta.rows.min(10_000)
    }

    /// The features, where they are in double precision.
    pub(crate) fn f64(&self) -> Result<&Array2<f64>, String> {
        match &self.table {
            Table::F64(x) => Ok(x),
            Table::F32(_) => Err("takes no single precision".into()),
            Table::U8(_) => Err("takes no bytes".into()),
            Table::Csr { .. } => Err("takes no sparse rows".into()),
        }
    }
}

fn matrix<T>(shape: (usize, usize), values: Vec<T>) -> io::Result<Array2<T>> {
    Array2::from_shape_vec(shape, values).map_err(io::Error::other)
}

fn numbers<T, const N: usize>(bytes: &[u8], from: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|&bytes| from(bytes)).collect()
}
