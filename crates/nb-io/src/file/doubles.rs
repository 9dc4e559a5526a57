//! Vectors of doubles: a block of little-endian bytes in binary, an array of numbers in text.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, SeqAccess, Visitor},
};

/// Doubles that are copied as one block where the codec is binary.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Doubles(pub(super) Vec<f64>);

impl Serialize for Doubles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return self.0.serialize(serializer);
        }
        let mut bytes = vec![0; 8 * self.0.len()];
        let (eights, _) = bytes.as_chunks_mut::<8>();
        eights.iter_mut().zip(&self.0).for_each(|(bytes, value)| *bytes = value.to_le_bytes());
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for Doubles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_seq(Numbers)
        } else {
            deserializer.deserialize_bytes(Bytes)
        }
    }
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Doubles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("doubles of eight bytes each")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Doubles, E> {
        let (doubles, rest) = bytes.as_chunks::<8>();
        if rest.is_empty() {
            Ok(Doubles(doubles.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect()))
        } else {
            Err(E::invalid_length(bytes.len(), &self))
        }
    }
}

struct Numbers;

impl<'de> Visitor<'de> for Numbers {
    type Value = Doubles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Doubles, A::Error> {
        let mut doubles = Vec::new();
        while let Some(value) = sequence.next_element()? {
            doubles.push(value);
        }
        Ok(Doubles(doubles))
    }
}
