//! The rows of a data file that a picture shows.

use std::collections::BTreeMap;

use anyhow::Result;
use nb_core::{Rows, family::BlockBuffer};
use nb_io::read::{Chunk, ReadChunks};

use super::feature::{Law, PlottedColumn};

/// Maximum number of rows kept; of more, every second, fourth, eighth and so on.
const MOST: usize = 200_000;

/// `1 row` or `2 rows`.
pub(crate) fn count(n_rows: usize) -> String {
    if n_rows == 1 { "1 row".into() } else { format!("{n_rows} rows") }
}

/// Rows, evenly spread over a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// What messages call the file.
    pub(crate) name: String,
    /// The values of the features that are drawn, row by row.
    pub(crate) values: Vec<Vec<f64>>,
    /// The number of the class of every row; the number of classes if its label is not known.
    pub(crate) classes: Vec<usize>,
    /// Every which row is here.
    pub(crate) every: usize,
    /// How many rows the file has.
    pub(crate) n_rows: usize,
    /// For every class, and for rows without: the sum of the first feature, and that of its whole block.
    pub(crate) events: Vec<(f64, f64)>,
}

impl Sample {
    /// Reads a file, and shows each chunk of it.
    pub(crate) fn read(
        reader: &mut dyn ReadChunks,
        features: &[PlottedColumn],
        classes: &[String],
        mut look: impl FnMut(&Chunk),
    ) -> Result<Self> {
        let numbers: BTreeMap<&str, usize> =
            classes.iter().enumerate().map(|(number, label)| (label.as_str(), number)).collect();
        let mut sample = Self {
            name: reader.name().to_owned(),
            every: 1,
            events: vec![(0.0, 0.0); classes.len() + 1],
            ..Self::default()
        };
        while let Some(chunk) = reader.next_chunk()? {
            let number = |row: usize| {
                let label = chunk.labels.as_ref().and_then(|labels| labels.get(row));
                label.and_then(|label| numbers.get(label.as_str())).copied().unwrap_or(classes.len())
            };
            look(&chunk);
            sample.add(&chunk, features, &number);
        }
        Ok(sample)
    }

    fn add(&mut self, chunk: &Chunk, features: &[PlottedColumn], class: &dyn Fn(usize) -> usize) {
        let n_rows = chunk.rows.n_rows();
        let mut buffer = BlockBuffer::default();
        let block: &[usize] = match features {
            [PlottedColumn { law: Law::Share { block, .. }, .. }] => block,
            _ => &[],
        };
        let mut values = vec![vec![0.0; features.len()]; n_rows];
        buffer.read(&chunk.rows, 0..n_rows).for_each_stored(|row, column, value| {
            for (place, feature) in features.iter().enumerate() {
                if feature.column == column {
                    values[row][place] = value;
                }
            }
            if !value.is_nan() && block.binary_search(&column).is_ok() {
                let events = &mut self.events[class(row)];
                events.1 += value;
                if features[0].column == column {
                    events.0 += value;
                }
            }
        });
        for (row, values) in values.into_iter().enumerate() {
            if self.n_rows.is_multiple_of(self.every) {
                self.values.push(values);
                self.classes.push(class(row));
            }
            self.n_rows += 1;
            if self.values.len() > MOST {
                self.thin();
            }
        }
    }

    /// Leaves every second row out.
    fn thin(&mut self) {
        let mut keep = [true, false].into_iter().cycle();
        self.values.retain(|_| keep.next() == Some(true));
        let mut keep = [true, false].into_iter().cycle();
        self.classes.retain(|_| keep.next() == Some(true));
        self.every *= 2;
    }

    /// Of a feature: the finite values of every class, and of rows without.
    pub(crate) fn by_class(&self, place: usize, n_classes: usize) -> Vec<Vec<f64>> {
        let mut groups = vec![Vec::new(); n_classes + 1];
        for (values, &class) in self.values.iter().zip(&self.classes) {
            if values[place].is_finite() {
                groups[class].push(values[place]);
            }
        }
        groups
    }

    /// In how many rows a value is missing.
    pub(crate) fn n_missing(&self) -> usize {
        self.values.iter().filter(|values| values.iter().any(|value| !value.is_finite())).count()
    }

    /// Whether some rows have no label that is known.
    pub(crate) fn has_unlabelled(&self, n_classes: usize) -> bool {
        self.classes.contains(&n_classes)
    }

    /// What a caption says of the file.
    pub(crate) fn said(&self) -> String {
        let every = match self.every {
            1 => String::new(),
            every => format!(", of which every {every}th is drawn"),
        };
        format!("{}: {}{every}.", self.name, count(self.n_rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_rows_are_evenly_spread() {
        let mut sample = Sample { every: 1, ..Sample::default() };
        sample.values = (0..9).map(|row| vec![f64::from(row)]).collect();
        sample.classes = (0..9).collect();
        sample.thin();
        sample.thin();
        assert_eq!((sample.every, &sample.classes[..]), (4, &[0, 4, 8][..]));
        assert_eq!(sample.values, [[0.0], [4.0], [8.0]]);
    }
}
