//! Adding rows one at a time.

use crate::{
    Accumulator, Block, ClassifiedRows, DenseBlock, FeatureModel, MismatchError, SufficientStats,
    UpdateError, Weights,
};

/// Statistics that rows are added to one by one, as they come.
///
/// What is added is gathered in a form that is quick to add to; it reaches the statistics when the stream is
/// [finished](Self::finish) or dropped. The statistics are then the very same as after
/// [`SufficientStats::update`] with all the rows.
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes, SufficientStats};
///
/// let gaussian = Gaussian::default();
/// let mut stats = SufficientStats::new(&gaussian, 2)?;
/// let mut stream = stats.stream(&gaussian)?;
/// for (row, label) in [([1.0, 5.0], "a"), ([2.0, 7.0], "a"), ([8.0, 1.0], "b"), ([9.0, 0.0], "b")] {
///     stream.add(&row, &label)?;
/// }
/// stream.finish();
/// let classifier = NaiveBayes::new(gaussian).fit_stats(&stats)?;
/// assert_eq!(*classifier.predictor().label(&[1.0, 6.0])?, "a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stream<'a, L: Ord + Clone, M: FeatureModel + ?Sized> {
    stats: &'a mut SufficientStats<L>,
    model: &'a M,
    accumulator: Option<Box<dyn Accumulator + 'a>>,
    /// The labels so far, in order, each with its number.
    labels: Vec<(L, usize)>,
    /// How many rows of each class the accumulator has.
    gathered: Vec<usize>,
    /// Where the rows of each class end in a block of one row, of the class last added.
    ends: Vec<usize>,
    last: usize,
    /// The number of the next row.
    row: usize,
}

impl<L: Ord + Clone> SufficientStats<L> {
    /// Rows to be added one by one; see [`Stream`].
    ///
    /// # Errors
    /// [`MismatchError`] if the family is not that of the statistics.
    pub fn stream<'a, M: FeatureModel + ?Sized>(
        &'a mut self,
        model: &'a M,
    ) -> Result<Stream<'a, L, M>, MismatchError> {
        self.check_model(model)?;
        let accumulator = model.accumulator(self.n_columns());
        Ok(Stream {
            stats: self,
            model,
            accumulator,
            labels: Vec::new(),
            gathered: Vec::new(),
            ends: Vec::new(),
            last: 0,
            row: 0,
        })
    }
}

impl<L: Ord + Clone, M: FeatureModel + ?Sized> Stream<'_, L, M> {
    /// Adds a row of `n_columns` cells.
    ///
    /// # Errors
    /// [`UpdateError`] names what is wrong, and the number of the row in this stream; the row was not added then.
    pub fn add(&mut self, row: &[f64], label: &L) -> Result<(), UpdateError> {
        let n_columns = self.stats.n_columns();
        let Some(dense) = DenseBlock::new(row, 1, n_columns) else {
            return Err(UpdateError::Columns { expected: n_columns, found: row.len() });
        };
        let block = Block::Dense(dense);
        self.model.check(&block).map_err(|mut error| {
            error.row = self.row;
            error
        })?;
        let class = self.number(label);
        let gathered = match &mut self.accumulator {
            Some(accumulator) => {
                let rows = ClassifiedRows { block, order: &[0], ends: &self.ends, continues: false };
                accumulator.add(&rows)?
            }
            None => false,
        };
        if gathered {
            self.gathered[class] += 1;
        } else {
            let evidence = self.stats.class_mut(label);
            evidence.weight.add(0, 1.0);
            self.model.update(&block, Weights::Unit, &mut evidence.parts);
        }
        self.row += 1;
        Ok(())
    }

    /// The number of a label, a new one if it was not seen before; `ends` then tell of a row of this class.
    fn number(&mut self, label: &L) -> usize {
        let place = self.labels.partition_point(|(known, _)| known < label);
        let class = match self.labels.get(place) {
            Some((known, class)) if known == label => *class,
            _ => {
                let class = self.labels.len();
                self.labels.insert(place, (label.clone(), class));
                self.gathered.push(0);
                self.ends.push(1);
                class
            }
        };
        // Rows of a class end at 1 if the one row is of it or of a class before it.
        match self.last {
            last if last < class => self.ends[last..class].fill(0),
            last => self.ends[class..=last].fill(1),
        }
        self.last = class;
        class
    }

    /// Moves what was gathered to the statistics.
    pub fn finish(self) {
        // Dropping does it.
    }
}

impl<L: Ord + Clone, M: FeatureModel + ?Sized> Drop for Stream<'_, L, M> {
    fn drop(&mut self) {
        let Some(accumulator) = &mut self.accumulator else { return };
        for (label, class) in &self.labels {
            let gathered = std::mem::take(&mut self.gathered[*class]);
            if gathered > 0 {
                let evidence = self.stats.class_mut(label);
                evidence.weight.add(0, gathered as f64);
                accumulator.finish(*class, &mut evidence.parts);
            }
        }
    }
}

impl<L: Ord + Clone, M: FeatureModel + ?Sized> std::fmt::Debug for Stream<'_, L, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("rows", &self.row)
            .field("classes", &self.labels.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gaussian, LayoutError, Multinomial};
    use ndarray::Array2;

    #[test]
    fn rows_one_by_one_equal_all_at_once() -> Result<(), LayoutError> {
        let x = Array2::from_shape_fn((300, 11), |(row, column)| {
            f64::from((row as u32 * 7919 + column as u32 * 31) % 1009) / 7.0
        });
        let labels: Vec<String> = (0..300).map(|row| format!("{}", row * row % 5)).collect();
        same(&Gaussian::default(), &x, &labels)?;
        same(&Multinomial::default(), &x, &labels)
    }

    fn same(model: &impl FeatureModel, x: &Array2<f64>, labels: &[String]) -> Result<(), LayoutError> {
        let mut at_once = SufficientStats::new(model, x.ncols())?;
        at_once.update(model, x, labels).expect("valid rows");
        let mut one_by_one = SufficientStats::new(model, x.ncols())?;
        let mut stream = one_by_one.stream(model).expect("the same family");
        for (row, label) in x.rows().into_iter().zip(labels) {
            let row = row.to_vec();
            stream.add(&row, label).expect("a valid row");
            let mut bad = row.clone();
            bad[3] = f64::NAN;
            assert!(stream.add(&bad, label).is_err());
            assert!(stream.add(&row[1..], label).is_err());
        }
        stream.finish();
        assert_eq!(one_by_one, at_once);
        Ok(())
    }
}
