//! Columns in the names of folders.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::Result;
use nb_io::read::{Inferred, Overrides, PartitionFile, TableOptions, infer_partitions, partition_columns};

use super::{ReadArgs, readers::NO_LABEL};
use crate::{
    data::{Format, Input},
    output::{Screen, quoted_list},
};

/// Whether it was written that columns come from the names of folders, of this file or another.
static PARTITIONS_NOTED: AtomicBool = AtomicBool::new(false);

impl ReadArgs {
    /// The columns in the names of the folders of a file, and their cells, of which missing ones are empty.
    pub(crate) fn constants(&self, input: &Input) -> Vec<(String, String)> {
        if self.hive_partitions == Some(false) || !self.has_named_columns(input) {
            return Vec::new();
        }
        let mut columns = partition_columns(input.name());
        let missing = if columns.is_empty() { BTreeSet::new() } else { self.missing(Format::Csv) };
        let of_missing = columns.iter_mut().filter(|(_, cell)| missing.contains(cell));
        of_missing.for_each(|(_, cell)| cell.clear());
        columns
    }

    /// What the columns in the names of folders hold, of files with these numbers of rows.
    pub(crate) fn infer_partitions<'a>(
        &self,
        files: impl Iterator<Item = (&'a Input, usize)>,
        label: Option<&str>,
        weight: Option<&str>,
        overrides: &Overrides,
    ) -> Result<Option<Inferred>> {
        let files = files.map(|(input, n_rows)| PartitionFile {
            name: input.name().into(),
            n_rows,
            columns: self.constants(input),
        });
        let table = TableOptions::default()
            .with_missing(Some(self.missing(Format::Csv)))
            .with_weight(weight.map(String::from));
        Ok(infer_partitions(&files.collect::<Vec<_>>(), label.unwrap_or(NO_LABEL), overrides, &table)?)
    }

    /// Says, once, which columns come from the names of folders.
    pub(super) fn note_partitions(&self, input: &Input, screen: Screen) {
        let columns = self.constants(input);
        let names: Vec<String> = columns.into_iter().map(|(name, _)| name).collect();
        if names.is_empty() || screen.quiet() || PARTITIONS_NOTED.swap(true, Ordering::Relaxed) {
            return;
        }
        let columns = if names.len() == 1 { "the column" } else { "the columns" };
        let come = if names.len() == 1 { "comes" } else { "come" };
        screen.note(&format!(
            "{columns} {} {come} from the names of folders (`--hive-partitions off` reads the files alone)",
            quoted_list(&names)
        ));
    }
}
