//! Records that cannot be read and are left out.

use super::Records;
use crate::read::{BadRows, ReadError, RecordProblem, SkippedRows, bad_rows::Skipped};

/// What is left out.
pub(super) struct Skipping {
    of_records: Skipped,
    /// What was left out before the text was made.
    of_source: Option<Skipped>,
    n_records: u64,
}

impl Skipping {
    pub(super) fn new(bad_rows: BadRows, of_source: Option<Skipped>) -> Option<Self> {
        let skips = bad_rows == BadRows::Skip;
        skips.then(|| Self { of_records: Skipped::default(), of_source, n_records: 0 })
    }
}

impl Records<'_> {
    /// Leaves rows out from now on that cannot be read, and those that are on the list.
    pub(in super::super) fn skip_those(&mut self, skipped: &Skipped) {
        if let Some(skipping) = &mut self.skipping {
            skipping.of_records = skipped.clone();
        }
    }

    /// Whether rows that cannot be read are left out.
    pub(in super::super) fn is_skipping(&self) -> bool {
        self.skipping.is_some()
    }

    /// The rows that were left out so far; `n_read` is the number of those that were read.
    pub(in super::super) fn skipped_rows(&self, n_read: u64) -> Option<SkippedRows> {
        let Skipping { of_records, of_source, .. } = self.skipping.as_ref()?;
        let lists: Vec<&Skipped> = of_source.iter().chain([of_records]).collect();
        Some(Skipped::report(&lists, n_read))
    }

    /// Takes the error about the first row that was left out, of the source before those of the text.
    pub(in super::super) fn take_first_skipped(&self) -> Option<ReadError> {
        let Skipping { of_records, of_source, .. } = self.skipping.as_ref()?;
        of_source.as_ref().and_then(Skipped::take_first_error).or_else(|| of_records.take_first_error())
    }

    /// Leaves the record at hand out, in which something is wrong.
    ///
    /// # Errors
    /// The error itself, if such records may not be left out.
    #[cold]
    pub(in super::super) fn skip_row(&mut self, error: ReadError) -> Result<(), ReadError> {
        match &self.skipping {
            Some(skipping) => skipping.of_records.add(skipping.n_records, error),
            None => Err(error),
        }
    }

    /// Whether the record at hand is on the list of those that are left out.
    pub(super) fn is_on_list(&self) -> bool {
        self.skipping.as_ref().is_some_and(|skipping| skipping.of_records.contains(skipping.n_records))
    }

    /// Whether the record at hand is one to be left out.
    pub(super) fn is_skipped(&mut self) -> Result<bool, ReadError> {
        let Some(skipping) = &mut self.skipping else { return Ok(false) };
        skipping.n_records += 1;
        // Whatever the columns are that are read, the same records are left out.
        let record = &self.window.bytes()[..self.length];
        let has_odd_quotes = self.fields.odd_quotes && record.contains(&b'\n');
        let problem = if has_odd_quotes {
            RecordProblem::OpenQuote
        } else if std::str::from_utf8(record).is_err() {
            RecordProblem::NotUtf8
        } else {
            return Ok(self.is_on_list());
        };
        let error = self.refuse(problem);
        self.skip_row(error)?;
        if has_odd_quotes {
            self.leave_line()?;
        }
        Ok(true)
    }

    /// Leaves a record out that does not end, or has not as many fields as the first.
    #[cold]
    pub(super) fn skip_record(&mut self, error: ReadError) -> Result<(), ReadError> {
        let Some(skipping) = &mut self.skipping else { return Err(error) };
        skipping.n_records += 1;
        let is_whole = matches!(
            error,
            ReadError::Record {
                problem: RecordProblem::Fields { .. } | RecordProblem::FieldsOfRow { .. },
                ..
            }
        );
        self.skip_row(error)?;
        if is_whole && !self.fields.odd_quotes {
            return Ok(());
        }
        self.leave_line()
    }

    /// Leaves the line in which the record begins.
    fn leave_line(&mut self) -> Result<(), ReadError> {
        (self.length, self.fields.quoted) = (0, false);
        loop {
            let bytes = self.window.bytes();
            let (n_bytes, end) = (bytes.len(), bytes.iter().position(|&byte| byte == b'\n' || byte == b'\r'));
            self.leave(end.unwrap_or(n_bytes));
            if end.is_some() || !self.fill()? {
                return Ok(());
            }
        }
    }
}
