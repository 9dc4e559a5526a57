//! Learning a schema in passes over a file.

use std::collections::BTreeSet;

use super::{Csv, CsvHeader, CsvReader, Records, plain::Slot, slots, total::TotalFinder};
use crate::read::{
    BadRows, FileProblem, Inferred, NonNumeric, Overrides, ReadChunks, ReadError, Unlabeled,
    bad_rows::Skipped,
    cells::cell::Missing,
    columns::{Columns, Profiles},
    file::source::Source,
};

impl Csv {
    /// Learns a schema from the first `most_rows` rows; from all of them if bad rows are skipped.
    pub(in crate::read) fn infer_passes<'a>(
        &self,
        mut open: impl FnMut() -> Result<Source<'a>, ReadError>,
        label: &str,
        given: &Overrides,
        most_rows: usize,
    ) -> Result<Inferred, ReadError> {
        match self.table.bad_rows {
            BadRows::Error => self.infer_without(&Skipped::default(), &mut open, label, given, most_rows),
            BadRows::Skip => self.infer_skipping(&mut open, label, given),
        }
    }

    /// Learns a schema from the rows that can be read with it.
    fn infer_skipping<'a>(
        &self,
        open: &mut impl FnMut() -> Result<Source<'a>, ReadError>,
        label: &str,
        given: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let skipped = Skipped::default();
        let is_strict = given.non_numeric == NonNumeric::Error;
        let mut overrides = given.clone();
        if is_strict {
            overrides.non_numeric = NonNumeric::Missing;
        }
        loop {
            let n_before = skipped.len();
            let inferred = self.infer_without(&skipped, open, label, &overrides, usize::MAX);
            if skipped.len() > n_before {
                // What was learnt is from rows that are left out, too.
                continue;
            }
            let inferred = inferred?;
            let non_numeric = if is_strict { BTreeSet::default() } else { inferred.mostly_numeric() };
            let table = self.table.clone().with_unlabeled(Unlabeled::Keep);
            let table = table.with_non_numeric(non_numeric).with_date_orders(inferred.date_orders());
            let mut reader = CsvReader::new(open()?, &self.clone().with_table(table), &inferred.schema)?;
            let unreadable = Skipped::default();
            reader.skip_those(&unreadable);
            while reader.next_chunk()?.is_some() {}
            let n_unreadable = unreadable.len();
            skipped.append(&unreadable)?;
            if skipped.len() == n_before {
                return match skipped.take_first_error() {
                    // A row that the schema can read must not be missing from what it is learnt from.
                    Some(error) if n_unreadable < n_before => Err(error),
                    _ => Ok(inferred),
                };
            }
        }
    }

    /// Learns a schema from the first `most_rows` rows without those of the list `skipped`. Rows that cannot
    /// be read are added to the list; what was learnt from them before their bad cell is then part of the
    /// schema, so that it must be learnt again.
    fn infer_without<'a>(
        &self,
        skipped: &Skipped,
        open: &mut impl FnMut() -> Result<Source<'a>, ReadError>,
        label: &str,
        given: &Overrides,
        most_rows: usize,
    ) -> Result<Inferred, ReadError> {
        let mut last_pass: Option<Profiles> = None;
        loop {
            let mut records = Records::new(open()?, self);
            records.skip_those(skipped);
            let missing = Missing::of_text(&self.table).with_decimal(records.format.decimal);
            let CsvHeader { names: header, orange, .. } = records.header(self.header)?;
            let of_header = orange.as_ref().map(|orange| orange.overrides(given, label));
            let overrides = of_header.as_ref().unwrap_or(given);
            let columns = Columns::to_learn(&records.file, &header, label, overrides, &self.table)
                .map_err(|error| records.with_place_below(error))?;
            let mut profiles = match last_pass.take() {
                Some(profiles) => profiles,
                None => Profiles::new(&header, &columns, overrides, |_| false)
                    .map_err(|problem| ReadError::of_file(&records.file, problem))?,
            };
            records.expect(slots(header.len(), &columns.features, |column| {
                let is_number = !missing.needs_texts() && profiles.expects_number(column);
                if is_number { Slot::Number(column) } else { Slot::Text }
            }));
            let mut numbers = vec![0.0; columns.features.len()];
            let mut total = TotalFinder::default();
            'rows: while profiles.n_rows() < most_rows && records.advance(&mut numbers)? {
                for (column, &place) in columns.features.iter().enumerate() {
                    if records.is_number(place) {
                        profiles.look_at_number(column, numbers[column]);
                        continue;
                    }
                    let text = records.text(place, &header[place])?;
                    let look = profiles.look(column, text, || records.line(), &missing);
                    if let Err(problem) = look {
                        let error = records.refuse_cell(&header[place], text, problem);
                        records.skip_row(error)?;
                        continue 'rows;
                    }
                    if !profiles.expects_number(column) {
                        records.expect_text(place);
                    }
                }
                if let Some(place) = columns.label
                    && place > 0
                {
                    let first = records.text(0, &header[0]).unwrap_or_default();
                    let is_missing = || records.text(place, label).is_ok_and(|text| missing.contains(text));
                    total.look(first, records.bytes(place), is_missing, || records.place());
                }
                profiles.end_row();
            }
            if profiles.n_rows() == 0 {
                let no_rows = || ReadError::of_file(&records.file, FileProblem::NoRows);
                return Err(records.take_first_skipped().unwrap_or_else(no_rows));
            }
            let refuse = |problem| ReadError::of_file(&records.file, problem);
            if !profiles.needs_another_pass().map_err(refuse)? {
                let mut inferred = profiles.finish(label).map_err(refuse)?;
                if let Some(orange) = &orange {
                    orange.give_reasons(&mut inferred, given);
                }
                let repeated_header = records.repeated_header();
                return Ok(Inferred { repeated_header, total_row: total.finish(), ..inferred });
            }
            last_pass = Some(profiles);
        }
    }
}
