//! The values of options about reading, as they are written.

use nb_io::{
    DateOrder, UnknownDateOrder,
    read::{Encoding, UnknownEncoding},
};

use crate::design::toml_quoted;

pub(super) fn encoding(text: &str) -> Result<Encoding, String> {
    text.parse().map_err(|error: UnknownEncoding| error.to_string())
}

/// What to do with rows without a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum UnlabeledArg {
    /// Leave such rows out, and say how many there are.
    #[default]
    Skip,
    /// Refuse the file.
    Error,
}

/// What to do with rows that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum BadRowsArg {
    /// Refuse the file.
    #[default]
    Error,
    /// Leave such rows out, and say how many there are and what is wrong with the first. `predict` gives them
    /// an empty label.
    Skip,
}

/// How dates are written, in a column or where the cells do not settle it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DateOrderArg {
    pub(super) column: Option<String>,
    pub(super) order: DateOrder,
}

/// An order, or a column and its order.
pub(super) fn date_order(text: &str) -> Result<DateOrderArg, String> {
    let (column, order) = match text.rsplit_once('=') {
        Some((column, order)) => (Some(column.to_owned()), order),
        None => (None, text),
    };
    let order = order.parse().map_err(|error: UnknownDateOrder| error.to_string())?;
    Ok(DateOrderArg { column, order })
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
