//! The element types of NumPy arrays.

use crate::read::CellProblem;

/// The type of the elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dtype {
    kind: Kind,
    /// Bytes of an element.
    pub(super) size: usize,
    big_endian: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Float,
    Signed,
    Unsigned,
    Bool,
    Bytes,
    Unicode,
}

impl Dtype {
    /// The type that NumPy writes as, say, `<f8`; `None` if elements of it are neither numbers nor texts.
    pub(super) fn parse(descr: &str) -> Option<Self> {
        let mut chars = descr.chars();
        let big_endian = match chars.next()? {
            '<' | '|' => false,
            '>' => true,
            _ => return None,
        };
        let letter = chars.next()?;
        let size: usize = chars.as_str().parse().ok()?;
        let kind = match (letter, size) {
            ('f', 4 | 8) => Kind::Float,
            ('i', 1 | 2 | 4 | 8) => Kind::Signed,
            ('u', 1 | 2 | 4 | 8) => Kind::Unsigned,
            ('b', 1) => Kind::Bool,
            ('S' | 'a', _) => Kind::Bytes,
            ('U', _) => Kind::Unicode,
            _ => return None,
        };
        let size = if kind == Kind::Unicode { size.checked_mul(4)? } else { size };
        Some(Self { kind, size, big_endian })
    }

    pub(super) fn is_text(self) -> bool {
        matches!(self.kind, Kind::Bytes | Kind::Unicode)
    }

    /// How many bytes an element takes in memory, at least.
    pub(super) fn size_in_memory(self) -> usize {
        let least = if self.is_text() { size_of::<String>() } else { size_of::<f64>() };
        self.size.max(least)
    }

    /// The bytes of a number in little-endian order.
    fn little_endian(self, bytes: &[u8]) -> [u8; 8] {
        let mut little = [0; 8];
        for (place, &byte) in bytes.iter().take(8).enumerate() {
            little[if self.big_endian { self.size - 1 - place } else { place }] = byte;
        }
        little
    }

    fn integer(self, bytes: &[u8]) -> i128 {
        let bits = u64::from_le_bytes(self.little_endian(bytes));
        if self.kind == Kind::Signed {
            // Shifting to the top and back repeats the sign.
            let unused = 64 - 8 * self.size as u32;
            i128::from((bits << unused).cast_signed() >> unused)
        } else {
            i128::from(bits)
        }
    }

    /// The number in the bytes of an element, exactly.
    pub(super) fn number(self, bytes: &[u8]) -> Result<f64, CellProblem> {
        if self.is_text() {
            return Err(CellProblem::NotANumber);
        }
        let little = self.little_endian(bytes);
        match (self.kind, self.size) {
            (Kind::Float, 4) => {
                Ok(f64::from(f32::from_le_bytes([little[0], little[1], little[2], little[3]])))
            }
            (Kind::Float, _) => Ok(f64::from_le_bytes(little)),
            (Kind::Bool, _) => Ok(f64::from(u8::from(little[0] != 0))),
            _ => {
                let integer = self.integer(bytes);
                let value = integer as f64;
                if value as i128 == integer { Ok(value) } else { Err(CellProblem::Inexact) }
            }
        }
    }

    /// The text in the bytes of an element; a number as people write it.
    pub(super) fn text(self, bytes: &[u8]) -> Result<String, CellProblem> {
        match self.kind {
            Kind::Signed | Kind::Unsigned => Ok(self.integer(bytes).to_string()),
            Kind::Float | Kind::Bool => self.number(bytes).map(|number| (number + 0.0).to_string()),
            Kind::Bytes => {
                let length = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                let text = std::str::from_utf8(&bytes[..length]).map_err(|_| CellProblem::NotUtf8)?;
                Ok(text.into())
            }
            Kind::Unicode => {
                let unit = |unit: &[u8]| {
                    let unit = [unit[0], unit[1], unit[2], unit[3]];
                    if self.big_endian { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) }
                };
                let chars = bytes.chunks_exact(4).map(|bytes| char::from_u32(unit(bytes)));
                let text: String = chars.collect::<Option<_>>().ok_or(CellProblem::NotUtf8)?;
                Ok(text.trim_end_matches('\0').into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(descr: &str, bytes: &[u8]) -> Result<f64, CellProblem> {
        Dtype::parse(descr).unwrap().number(bytes)
    }

    #[test]
    fn numbers_are_exact_or_refused() {
        assert_eq!(number("<f8", &1.5_f64.to_le_bytes()), Ok(1.5));
        assert_eq!(number(">f8", &1.5_f64.to_be_bytes()), Ok(1.5));
        assert_eq!(number("<f4", &0.1_f32.to_le_bytes()), Ok(f64::from(0.1_f32)));
        assert_eq!(number(">f4", &0.1_f32.to_be_bytes()), Ok(f64::from(0.1_f32)));
        assert_eq!(number("<i2", &(-2_i16).to_le_bytes()), Ok(-2.0));
        assert_eq!(number(">i4", &(-70_000_i32).to_be_bytes()), Ok(-70_000.0));
        assert_eq!(number("|i1", &[0xFF]), Ok(-1.0));
        assert_eq!(number("|u1", &[0xFF]), Ok(255.0));
        assert_eq!(number("|b1", &[1]), Ok(1.0));
        assert_eq!(number("<i8", &i64::MIN.to_le_bytes()), Ok(-(2_f64.powi(63))));
        assert_eq!(number("<i8", &((1_i64 << 53) + 1).to_le_bytes()), Err(CellProblem::Inexact));
        assert_eq!(number("<u8", &u64::MAX.to_le_bytes()), Err(CellProblem::Inexact));
    }

    #[test]
    fn texts_lose_their_padding() {
        let text = |descr: &str, bytes: &[u8]| Dtype::parse(descr).unwrap().text(bytes);
        assert_eq!(text("|S4", b"ab\0\0"), Ok("ab".into()));
        assert_eq!(text("<U2", &[0xE9, 0, 0, 0, 0, 0, 0, 0]), Ok("é".into()));
        assert_eq!(text(">U1", &[0, 0, 0, 0x78]), Ok("x".into()));
        assert_eq!(text("<U1", &[0, 0xD8, 0, 0]), Err(CellProblem::NotUtf8));
        assert_eq!(text("<u8", &u64::MAX.to_le_bytes()), Ok("18446744073709551615".into()));
        assert_eq!(text("<f8", &(-0.0_f64).to_le_bytes()), Ok("0".into()));
    }

    #[test]
    fn other_types_are_none() {
        for descr in ["|O", "<c16", "<f2", "<f16", "<M8[ns]", "<i3", "f8", "", "<U99999999999999999999", "é"]
        {
            assert_eq!(Dtype::parse(descr), None, "{descr}");
        }
    }
}
