//! How files are read, on the wire.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{DateOrder, Reading};

/// The first version of the format that says how files are read.
pub(in crate::file) const READING_VERSION: u16 = 6;
/// The first version of the format that says more of the lines of delimited text.
pub(in crate::file) const LINES_VERSION: u16 = 7;

/// Since version 6.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct ReadingDocument {
    encoding: Option<String>,
    delimiter: Option<u8>,
    decimal: Option<u8>,
    no_header: bool,
    missing: Option<BTreeSet<String>>,
    non_numeric: BTreeSet<String>,
}

/// Since version 7.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct LinesDocument {
    skip: u64,
    comment: Option<u8>,
    quoting: Option<bool>,
}

/// What there is to say of how files are read; nothing that is as it is by default.
pub(super) fn documents(reading: &Reading) -> (Option<ReadingDocument>, Option<LinesDocument>) {
    let Reading {
        encoding,
        delimiter,
        decimal,
        no_header,
        missing,
        non_numeric,
        skip_lines,
        comment,
        quoting,
        // The columns have them.
        date_orders: _,
    } = reading.clone();
    let reading = ReadingDocument { encoding, delimiter, decimal, no_header, missing, non_numeric };
    let lines = LinesDocument { skip: skip_lines, comment, quoting };
    (
        Some(reading).filter(|reading| *reading != ReadingDocument::default()),
        Some(lines).filter(|lines| *lines != LinesDocument::default()),
    )
}

pub(super) fn reading(
    reading: Option<ReadingDocument>,
    lines: Option<LinesDocument>,
    date_orders: BTreeMap<String, DateOrder>,
) -> Reading {
    let ReadingDocument { encoding, delimiter, decimal, no_header, missing, non_numeric } =
        reading.unwrap_or_default();
    let LinesDocument { skip, comment, quoting } = lines.unwrap_or_default();
    Reading {
        encoding,
        delimiter,
        decimal,
        no_header,
        missing,
        non_numeric,
        skip_lines: skip,
        comment,
        quoting,
        date_orders,
    }
}
