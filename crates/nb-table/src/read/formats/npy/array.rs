//! Whole arrays in memory.

use std::{fs::File, io::BufReader, io::Read, path::Path};

use ndarray::{ArrayD, IxDyn, ShapeBuilder};

use super::header::Header;
use crate::{
    Limits,
    read::{FileProblem, Place, ReadError},
};

/// An array of any shape.
#[derive(Clone, Debug, PartialEq)]
pub struct NpyArray {
    /// The lengths of its dimensions; empty for a single value.
    pub shape: Vec<usize>,
    /// Its elements, the last dimension fastest, whatever the order in the file.
    pub values: NpyValues,
}

/// The elements of an array.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NpyValues {
    /// Numbers; truth values are 0 and 1.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
}

impl NpyArray {
    /// The elements, if they are numbers.
    ///
    /// ```
    /// use nb_table::{Limits, read::read_npy_from};
    ///
    /// # /// What `numpy.save` writes of 2 rows and 3 columns.
    /// # fn saved() -> Vec<u8> {
    /// #     let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
    /// #     let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    /// #     bytes.extend(118_u16.to_le_bytes());
    /// #     bytes.extend(format!("{header:<117}\n").bytes());
    /// #     bytes.extend([1.0, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|value: &f64| value.to_le_bytes()));
    /// #     bytes
    /// # }
    /// let array = read_npy_from(&saved()[..], "rows", Limits::default())?;
    /// assert_eq!((array.shape.as_slice(), array.numbers().unwrap()[5]), (&[2, 3][..], 6.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numbers(&self) -> Option<&[f64]> {
        match &self.values {
            NpyValues::Numbers(numbers) => Some(numbers),
            NpyValues::Texts(_) => None,
        }
    }

    /// The elements, if they are texts.
    ///
    /// ```
    /// use nb_table::{Limits, read::read_npy_from};
    ///
    /// # /// What `numpy.save` writes of 2 rows and 3 columns.
    /// # fn saved() -> Vec<u8> {
    /// #     let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
    /// #     let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    /// #     bytes.extend(118_u16.to_le_bytes());
    /// #     bytes.extend(format!("{header:<117}\n").bytes());
    /// #     bytes.extend([1.0, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|value: &f64| value.to_le_bytes()));
    /// #     bytes
    /// # }
    /// let array = read_npy_from(&saved()[..], "rows", Limits::default())?;
    /// assert_eq!(array.texts(), None); // they are numbers
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn texts(&self) -> Option<&[String]> {
        match &self.values {
            NpyValues::Numbers(_) => None,
            NpyValues::Texts(texts) => Some(texts),
        }
    }
}

/// The array in a `.npy` file, if it takes no more memory than the limit.
///
/// # Errors
/// [`ReadError`] names what is wrong with the file.
pub fn read_npy(path: impl AsRef<Path>, limits: Limits) -> Result<NpyArray, ReadError> {
    let name = path.as_ref().display().to_string();
    let file = File::open(path).map_err(|error| ReadError::io(&name, error))?;
    read_npy_from(BufReader::new(file), &name, limits)
}

/// The array in a stream in the format of `.npy` files. Messages call it `name`.
///
/// # Errors
/// [`ReadError`] names what is wrong with the stream.
pub fn read_npy_from(mut input: impl Read, name: &str, limits: Limits) -> Result<NpyArray, ReadError> {
    let header = Header::read(&mut input, name, "")?;
    read_array(&mut input, &header, name, "", limits)
}

/// The array behind a header.
pub(super) fn read_array(
    input: &mut (impl Read + ?Sized),
    header: &Header,
    file: &str,
    array: &str,
    limits: Limits,
) -> Result<NpyArray, ReadError> {
    let (dtype, shape) = (header.dtype, header.shape.clone());
    let bytes = read_bytes(input, header, file, array, limits)?;
    let refuse = |element: usize, problem| ReadError::cell(file, Place::Row(element), array, "", problem);
    let n_elements = header.n_elements().unwrap_or(0);
    // Elements without bytes are empty texts.
    let elements = (0..n_elements).map(|element| (element, &bytes[element * dtype.size..][..dtype.size]));
    let values = if dtype.is_text() {
        let texts = elements.map(|(n, bytes)| dtype.text(bytes).map_err(|problem| refuse(n, problem)));
        NpyValues::Texts(in_row_order(header, texts.collect::<Result<_, _>>()?))
    } else {
        let shown = |bytes: &[u8]| dtype.text(bytes).unwrap_or_default();
        let numbers = elements.map(|(element, bytes)| {
            dtype
                .number(bytes)
                .map_err(|problem| ReadError::cell(file, Place::Row(element), array, &shown(bytes), problem))
        });
        NpyValues::Numbers(in_row_order(header, numbers.collect::<Result<_, _>>()?))
    };
    Ok(NpyArray { shape, values })
}

/// The bytes of the array behind a header, all of them and no more.
pub(super) fn read_bytes(
    input: &mut (impl Read + ?Sized),
    header: &Header,
    file: &str,
    array: &str,
    limits: Limits,
) -> Result<Vec<u8>, ReadError> {
    let too_large =
        |size: u64| FileProblem::TooLarge { what: "the array takes", size, limit: limits.max_bytes };
    let in_memory = header.n_elements().and_then(|n| n.checked_mul(header.dtype.size_in_memory()));
    let size = in_memory.map_or(u64::MAX, |size| size as u64);
    if size > limits.max_bytes {
        return Err(ReadError::of_file(file, too_large(size)));
    }
    let expected = header.n_elements().unwrap_or(0) * header.dtype.size;
    let mut bytes = Vec::new();
    let mut input = input.take(expected as u64 + 1);
    input.read_to_end(&mut bytes).map_err(|error| ReadError::io(file, error))?;
    if bytes.len() != expected {
        let (more, less) = ("bytes follow its elements", "it ends within its elements");
        let what = if bytes.len() > expected { more } else { less };
        let reason = format!("array {array:?}: {what}");
        return Err(ReadError::of_file(file, FileProblem::Format { format: "npy", reason }));
    }
    Ok(bytes)
}

/// The elements with the last dimension fastest.
fn in_row_order<T: Clone>(header: &Header, values: Vec<T>) -> Vec<T> {
    if !header.fortran_order || header.shape.len() < 2 {
        return values;
    }
    // The number of elements is that of the shape, so that the array can always be made.
    match ArrayD::from_shape_vec(IxDyn(&header.shape).f(), values) {
        Ok(array) => array.iter().cloned().collect(),
        Err(_) => Vec::new(),
    }
}
