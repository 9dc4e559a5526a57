//! Reading embedded, compressed JSON.

use std::io::Read as _;

use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;

use super::check::Problem;

/// Unpacks and parses gzip-compressed JSON.
pub(crate) fn from_gzip<T: DeserializeOwned>(name: &str, packed: &[u8]) -> Result<T, Problem> {
    let mut json = Vec::new();
    GzDecoder::new(packed)
        .read_to_end(&mut json)
        .map_err(|error| format!("{name} cannot be unpacked: {error}"))?;
    let value = serde_json::from_slice(&json).map_err(|error| format!("{name} cannot be read: {error}"))?;
    Ok(value)
}
