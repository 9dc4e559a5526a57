//! The values of options about reading, as they are written.

use nb_io::read::{Encoding, UnknownEncoding};

use crate::design::toml_quoted;

pub(super) fn encoding(text: &str) -> Result<Encoding, String> {
    text.parse().map_err(|error: UnknownEncoding| error.to_string())
}

pub(super) fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("it must be on or off".into()),
    }
}

pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        b"\\t" | b"tab" => Ok(b'\t'),
        _ => Err("it must be one ASCII character, or \\t".into()),
    }
}

pub(super) fn comment(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_punctuation() => Ok(*byte),
        _ => Err("it must be one ASCII punctuation character, such as #".into()),
    }
}

/// One byte as it is written in schema files.
pub(super) fn byte_text(byte: u8) -> String {
    toml_quoted(&char::from(byte).to_string())
}

pub(super) fn decimal(text: &str) -> Result<u8, String> {
    match text {
        "," => Ok(b','),
        "." => Ok(b'.'),
        _ => Err("it must be a comma or a point".into()),
    }
}
