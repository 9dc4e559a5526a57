//! Where rows are in their file.

use nb_io::{Schema, read::Place};

use super::{Input, Purpose, ReadArgs, Wanted};
use crate::output::Screen;

/// A file whose rows are read with these columns for this purpose, so that the same rows are found again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    pub(crate) input: &'a Input,
    pub(crate) read: &'a ReadArgs,
    pub(crate) schema: &'a Schema,
    pub(crate) purpose: Purpose,
}

impl Origin<'_> {
    /// The file and the place of a row, counted from 0: the line where it has lines.
    pub(crate) fn at(&self, row: usize) -> String {
        let documents = self.input.documents().map(|(_, paths)| paths);
        let place = match self.find(row, None) {
            Some((Place::Document(document), _)) => {
                let place = usize::try_from(document).unwrap_or_default().checked_sub(1);
                let path = documents.zip(place).and_then(|(paths, place)| paths.get(place));
                return path.map_or_else(|| self.input.name().into(), |path| path.display().to_string());
            }
            Some((place @ (Place::Line(_) | Place::Record(_) | Place::SheetRow(_)), _)) => place.to_string(),
            // Rows of binary files are counted from 1.
            Some((Place::Row(row), _)) => format!("row {}", row + 1),
            _ => format!("row {}", row + 1),
        };
        format!("{}, {place}", self.input.name())
    }

    /// The text of a cell of a column with a name, in a row counted from 0.
    pub(crate) fn cell(&self, column: &str, row: usize) -> Option<String> {
        self.find(row, Some(column))?.1
    }

    /// Reads the file again, up to the row.
    fn find(&self, row: usize, column: Option<&str>) -> Option<(Place, Option<String>)> {
        let ids: Vec<String> = column.map(String::from).into_iter().collect();
        let wanted = Wanted { ids: &ids, places: true, ..Wanted::default() };
        let screen = Screen::new(false, true);
        let mut reader = self.read.open(self.input, self.schema, wanted, self.purpose, screen).ok()?;
        loop {
            let chunk = reader.next_chunk().ok()??;
            let row = row.checked_sub(chunk.first_row)?;
            if let Some(&place) = chunk.places.get(row) {
                return Some((place, chunk.ids.first().and_then(|cells| cells.get(row).cloned())));
            }
        }
    }
}
