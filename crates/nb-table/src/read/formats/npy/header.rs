//! The header of a `.npy` file: magic, version, and a Python dictionary with element type, memory order and
//! shape.

use std::io::{self, Read};

use super::dtype::Dtype;
use crate::read::{FileProblem, ReadError};

/// What the header says of the array behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) dtype: Dtype,
    /// Whether columns follow each other instead of rows.
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<usize>,
    /// Where the array begins.
    pub(super) length: u64,
}

/// NumPy refuses headers beyond 10,000 bytes, too.
const LONGEST: usize = 1 << 16;

impl Header {
    /// Reads the header of an array called `array` in messages.
    pub(super) fn read(input: &mut (impl Read + ?Sized), file: &str, array: &str) -> Result<Self, ReadError> {
        let refuse = |reason: &str| {
            let reason = format!("array {array:?}: {reason}");
            ReadError::of_file(file, FileProblem::Format { format: "npy", reason })
        };
        let mut exact = |bytes: &mut [u8]| {
            input.read_exact(bytes).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => refuse("it ends within its header"),
                _ => ReadError::io(file, error),
            })
        };
        let mut start = [0; 8];
        exact(&mut start)?;
        if start[..6] != *b"\x93NUMPY" {
            return Err(refuse("it does not begin with the magic bytes"));
        }
        let mut length = [0; 4];
        let size_of_length = match start[6] {
            1 => 2,
            2 | 3 => 4,
            _ => return Err(refuse("its format version is not 1, 2 or 3")),
        };
        exact(&mut length[..size_of_length])?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST {
            return Err(refuse("its header is longer than 65536 bytes"));
        }
        let mut text = vec![0; length];
        exact(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        let dictionary = Dictionary::parse(&text).ok_or_else(|| refuse("its header cannot be understood"))?;
        let dtype = Dtype::parse(&dictionary.descr).ok_or_else(|| {
            let (array, found) = (array.into(), dictionary.descr.clone());
            let expected = "float64, int64, bool or text";
            ReadError::of_file(file, FileProblem::ArrayType { array, found, expected })
        })?;
        let length = (8 + size_of_length + length) as u64;
        Ok(Self { dtype, fortran_order: dictionary.fortran_order, shape: dictionary.shape, length })
    }

    /// The number of elements; `None` if it is beyond all measure.
    pub(super) fn n_elements(&self) -> Option<usize> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        self.shape.iter().try_fold(1_usize, |product, &length| product.checked_mul(length))
    }
}

/// The dictionary, a Python literal.
#[derive(Debug, PartialEq, Eq)]
struct Dictionary {
    descr: String,
    fortran_order: bool,
    shape: Vec<usize>,
}

impl Dictionary {
    fn parse(text: &str) -> Option<Self> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        let mut literal = Literal(text);
        literal.take("{")?;
        while literal.take("}").is_none() {
            let key = literal.quoted()?;
            literal.take(":")?;
            match key {
                "descr" => descr = Some(literal.descr()?),
                "fortran_order" => fortran_order = Some(literal.boolean()?),
                "shape" => shape = Some(literal.tuple()?),
                _ => return None,
            }
            if literal.take(",").is_none() {
                literal.take("}")?;
                break;
            }
        }
        literal.0.trim().is_empty().then_some(())?;
        Some(Self { descr: descr?, fortran_order: fortran_order?, shape: shape? })
    }
}

/// What is left of a text.
struct Literal<'a>(&'a str);

impl<'a> Literal<'a> {
    /// Goes past a token, if it comes next.
    fn take(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(token)?;
        Some(())
    }

    fn quoted(&mut self) -> Option<&'a str> {
        let quote = ["'", "\""].into_iter().find(|quote| self.take(quote).is_some())?;
        let (text, rest) = self.0.split_once(quote)?;
        self.0 = rest;
        Some(text)
    }

    /// A type: a text, or, for records, a list, which is passed on for the message.
    fn descr(&mut self) -> Option<String> {
        if !self.0.trim_start().starts_with('[') {
            return self.quoted().map(String::from);
        }
        let end = self.0.rfind(']')? + 1;
        let (list, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(list.trim().into())
    }

    fn boolean(&mut self) -> Option<bool> {
        self.take("True").map(|()| true).or_else(|| self.take("False").map(|()| false))
    }

    fn tuple(&mut self) -> Option<Vec<usize>> {
        /// More than NumPy allows.
        const MOST: usize = 64;
        let mut numbers = Vec::new();
        self.take("(")?;
        while self.take(")").is_none() {
            let text = self.0.trim_start();
            let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
            numbers.push(text[..end].parse().ok()?);
            self.0 = &text[end..];
            // Python 2 marked long numbers.
            let _ = self.take("L");
            if self.take(",").is_none() {
                self.take(")")?;
                break;
            }
            (numbers.len() <= MOST).then_some(())?;
        }
        Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_as_numpy_writes_them() {
        let parse =
            |text: &str| Dictionary::parse(text).map(|found| (found.descr, found.fortran_order, found.shape));
        let expected = Some(("<f8".to_owned(), false, vec![3, 4]));
        assert_eq!(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }    \n"), expected);
        assert_eq!(parse("{\"shape\":(3L,4L),\"fortran_order\":False,\"descr\":\"<f8\"}"), expected);
        let scalar = parse("{'descr': '|b1', 'fortran_order': True, 'shape': ()}");
        assert_eq!(scalar, Some(("|b1".to_owned(), true, vec![])));
        let vector = parse("{'descr': '<U3', 'fortran_order': False, 'shape': (5,)}");
        assert_eq!(vector, Some(("<U3".to_owned(), false, vec![5])));
        let record = parse("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (5,)}");
        assert_eq!(record, Some(("[('a', '<f8')]".to_owned(), false, vec![5])));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "{",
            "{}",
            "{'descr': '<f8'}",
            "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}",
            "{'descr': '<f8', 'fortran_order': True, 'shape': (-1,)}",
            "{'descr': '<f8', 'fortran_order': True, 'shape': (99999999999999999999,)}",
            "{'descr': '<f8', 'fortran_order': True, 'shape': (1,)} import os",
            "{'descr': '<f8', 'fortran_order': True, 'shape': (1,), 'more': 1}",
            "{'descr': [, 'fortran_order': True, 'shape': (1,)}",
        ] {
            assert_eq!(Dictionary::parse(text), None, "{text}");
        }
    }
}
