//! Copying rows to the files of their parts.

use std::{
    io::{Read, Write},
    ops::Range,
    path::PathBuf,
};

use anyhow::{Context, Result, anyhow, bail};
use nb_io::read::Arrow;

use crate::{
    data::{Input, ReadArgs},
    failure::usage,
    interrupt,
    output::{Replacement, Screen},
};
use nb_train::Keys;

/// A file whose rows can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Parquet,
}

impl Format {
    pub(crate) fn of(input: &Input, read: &ReadArgs) -> Result<Self> {
        Self::find(input, read).ok_or_else(|| {
            usage(format!(
                "{} is neither delimited text nor Parquet, which are the formats that `nbayes split` writes; save the table as CSV \
                 or Parquet",
                input.name()
            ))
        })
    }

    /// The format of a file; `None` if it is another one.
    pub(crate) fn find(input: &Input, read: &ReadArgs) -> Option<Self> {
        if read.is_csv(input) {
            return Some(Self::Csv);
        }
        let mut start = [0; 4];
        let starts = input.open().and_then(|mut bytes| bytes.read_exact(&mut start));
        (starts.is_ok() && &start == b"PAR1").then_some(Self::Parquet)
    }
}

/// The keys by which rows are dealt, made of their bytes, or of their numbers in a Parquet file.
pub(crate) fn keys(
    input: &Input,
    read: &ReadArgs,
    format: Format,
    seed: u64,
    n_rows: usize,
    screen: Screen,
) -> Result<Vec<u64>> {
    let mut keys = Keys::new(seed);
    if format == Format::Parquet {
        return Ok((0..n_rows as u64).map(|row| keys.of_row(&row.to_le_bytes())).collect());
    }
    let mut rows = read.rows(input)?;
    if rows.encoding().to_string() != "UTF-8" {
        screen.note(&format!("{}: the rows are written in UTF-8, not in {}", input.name(), rows.encoding()));
    }
    let mut all = Vec::with_capacity(n_rows);
    while let Some(row) = rows.next_row()? {
        interrupt::check()?;
        all.push(keys.of_row(row.record));
    }
    if all.len() != n_rows {
        bail!(
            "{} changed while it was being read; run the command again when nothing writes to it",
            input.name()
        );
    }
    Ok(all)
}

/// Writes the rows of each part to its file. All files are complete before the first one takes its place.
pub(crate) fn copy(
    input: &Input,
    read: &ReadArgs,
    format: Format,
    parts: &[u8],
    files: &[PathBuf],
) -> Result<()> {
    let mut outputs: Vec<Replacement> =
        files.iter().map(|file| Replacement::new(file)).collect::<Result<_>>()?;
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    write_parts(input, read, format, parts, &mut outputs, &names, OtherRows::LeftOut)?;
    outputs.into_iter().try_for_each(Replacement::finish)
}

/// What a part has in the place of rows of other parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherRows {
    LeftOut,
    /// Their line ends, in delimited text: blank lines are no rows, and lines keep their numbers.
    Blank,
}

/// Writes the rows of each part to its output. Messages call the outputs by their names.
pub(crate) fn write_parts(
    input: &Input,
    read: &ReadArgs,
    format: Format,
    parts: &[u8],
    outputs: &mut [impl Write + Send],
    names: &[String],
    others: OtherRows,
) -> Result<()> {
    if format == Format::Parquet {
        let path = input.path().ok_or_else(|| anyhow!("{} is no file", input.name()))?;
        for (part, output) in (0..).zip(outputs) {
            interrupt::check()?;
            Arrow::default().copy_parquet_rows(path, ranges(parts, part), output)?;
        }
    } else {
        let mut rows = read.rows(input)?;
        let mut write = |part: usize, bytes: &[u8]| {
            let written = outputs[part].write_all(bytes);
            written.with_context(|| format!("cannot write {}", names[part]))
        };
        for part in 0..names.len() {
            write(part, rows.head())?;
        }
        let mut parts = parts.iter();
        while let Some(row) = rows.next_row()? {
            interrupt::check()?;
            let Some(&part) = parts.next() else { break };
            write(usize::from(part), row.bytes)?;
            if others == OtherRows::Blank {
                let line_ends: Vec<u8> =
                    row.bytes.iter().copied().filter(|byte| b"\r\n".contains(byte)).collect();
                (0..names.len())
                    .filter(|&other| other != usize::from(part))
                    .try_for_each(|other| write(other, &line_ends))?;
            }
        }
    }
    // Whoever reads them sees them change together, as far as a file system allows.
    input.check_unchanged().with_context(|| format!("cannot read {}", input.name()))
}

/// The rows of a part, as ranges of neighbours.
fn ranges(parts: &[u8], part: u8) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for row in (0..parts.len()).filter(|&row| parts[row] == part) {
        match ranges.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            _ => ranges.push(row..row + 1),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_range() {
        assert_eq!(ranges(&[0, 0, 1, 0, 1, 1], 0), [0..2, 3..4]);
        assert_eq!(ranges(&[0, 0, 1, 0, 1, 1], 1), [2..3, 4..6]);
    }
}
