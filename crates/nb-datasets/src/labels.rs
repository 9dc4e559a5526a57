//! Class names turned into indices.

use crate::catalogue::Info;
use crate::error::ContentError;
use crate::rows::bad_value;

/// Collects the class of each row.
pub(crate) struct Labels<'a> {
    info: &'a Info,
    /// Class names, sorted as byte strings.
    pub(crate) classes: Vec<String>,
    /// Index into `classes` of each row.
    pub(crate) rows: Vec<usize>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new(info: &'a Info) -> Self {
        let mut classes: Vec<String> = info.classes.iter().map(|class| class.name.clone()).collect();
        classes.sort_unstable();
        Self { info, classes, rows: Vec::with_capacity(info.rows) }
    }

    pub(crate) fn push(&mut self, row: usize, class: &str) -> Result<(), ContentError> {
        let index = self.classes.binary_search_by(|known| known.as_str().cmp(class)).map_err(|_| {
            bad_value(row, &self.info.target, class, "a class of this set (`Info::classes` lists them)")
        })?;
        self.rows.push(index);
        Ok(())
    }

    /// Compares the frequency of each class with the catalogue.
    pub(crate) fn check_counts(&self) -> Result<(), ContentError> {
        let mut counts = vec![0; self.classes.len()];
        for &label in &self.rows {
            counts[label] += 1;
        }
        let mut expected: Vec<_> = self.info.classes.iter().collect();
        expected.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        match expected.into_iter().zip(counts).find(|(class, found)| class.count != *found) {
            None => Ok(()),
            Some((class, found)) => {
                Err(ContentError::ClassCount { class: class.name.clone(), expected: class.count, found })
            }
        }
    }
}
