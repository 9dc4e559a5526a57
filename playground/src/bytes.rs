//! Doubles as bytes, little-endian.

use crate::Problem;

pub(crate) fn of_doubles(doubles: impl IntoIterator<Item = f64>) -> Vec<u8> {
    doubles.into_iter().flat_map(f64::to_le_bytes).collect()
}

pub(crate) fn to_doubles(bytes: &[u8]) -> Result<Vec<f64>, Problem> {
    let (doubles, rest) = bytes.as_chunks::<8>();
    if rest.is_empty() {
        Ok(doubles.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
    } else {
        Err(Problem::new("the bytes are no whole number of doubles"))
    }
}

/// A 64-bit hash of bytes (FNV-1a), to be read by people.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}
