//! Which rows files have.

use anyhow::Result;
use nb_io::{Model, RowFingerprint, RowFingerprinter};

use crate::{
    data::{Input, Purpose, ReadArgs, Wanted},
    output::Screen,
};

/// The fingerprint of the rows of a file, whose categories may be new.
pub(super) fn fingerprint(
    model: &Model,
    input: &Input,
    read: &ReadArgs,
    weights: Option<&str>,
) -> Result<RowFingerprint> {
    let classes = model.stats().classes().cloned().collect();
    let wanted = Wanted { weight: weights, classes, ..Wanted::default() };
    let silent = Screen::new(false, true);
    let mut reader = read.open(input, model.schema(), wanted, Purpose::Learn, silent)?;
    let mut fingerprinter = RowFingerprinter::new(model.schema());
    while let Some(chunk) = reader.next_chunk()? {
        let labels = chunk.labels.as_deref().unwrap_or_default();
        fingerprinter.add(reader.schema(), &chunk.rows, labels);
    }
    Ok(fingerprinter.finish())
}
