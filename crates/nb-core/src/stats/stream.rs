//! Adding rows one at a time.

use crate::{
    data::{Block, Dense},
    model::{Accumulator, ClassRows, FeatureModel, MismatchError, UpdateError, Weights},
    stats::{SufficientStats, class_index::ClassIndex},
};

/// Statistics that rows are added to one by one, as they come.
///
/// Rows are checked at once, wait until there are some (16 to 256 of them, as many as fit 16 KiB), and are
/// then added together, which takes a third of the time that adding each would take. All of them have reached
/// the statistics when the stream is [finished](Self::finish) or dropped. The statistics are then the very
/// same as after [`SufficientStats::update`] with all the rows.
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
    /// The rows that wait, and their classes.
    cells: Vec<f64>,
    waiting: ClassIndex,
    /// How many rows are added together.
    most_waiting: usize,
    /// The number of the next row.
    row: usize,
}

impl<L: Ord + Clone> SufficientStats<L> {
    /// Rows to be added one by one; see [`Stream`].
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # let gaussian = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&gaussian, 1)?;
    /// stats.stream(&gaussian)?.add(&[1.5], &"a")?;
    /// assert_eq!(stats.class_weights()[0].to_f64(), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MismatchError`] if the family is not that of the statistics.
    pub fn stream<'a, M: FeatureModel + ?Sized>(
        &'a mut self,
        model: &'a M,
    ) -> Result<Stream<'a, L, M>, MismatchError> {
        const WAITING_BYTES: usize = 16 * 1024;
        self.check_model(model)?;
        let accumulator = model.accumulator(self.n_columns());
        let row_bytes = size_of::<f64>() * self.n_columns().max(1);
        Ok(Stream {
            stats: self,
            model,
            accumulator,
            labels: Vec::new(),
            gathered: Vec::new(),
            cells: Vec::new(),
            waiting: ClassIndex::default(),
            most_waiting: (WAITING_BYTES / row_bytes).clamp(16, 256),
            row: 0,
        })
    }
}

impl<L: Ord + Clone, M: FeatureModel + ?Sized> Stream<'_, L, M> {
    /// Adds a row of `n_columns` cells.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # let gaussian = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&gaussian, 1)?;
    /// let mut stream = stats.stream(&gaussian)?;
    /// stream.add(&[1.5], &"a")?;
    /// assert!(stream.add(&[f64::INFINITY], &"a").is_err()); // not added
    /// stream.add(&[2.5], &"a")?;
    /// stream.finish();
    /// assert_eq!(stats.class_weights()[0].to_f64(), 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UpdateError`] names what is wrong, and the number of the row in this stream; the row was not added
    /// then.
    pub fn add(&mut self, row: &[f64], label: &L) -> Result<(), UpdateError> {
        let n_columns = self.stats.n_columns();
        let Some(dense) = Dense::new(row, 1, n_columns) else {
            return Err(UpdateError::Columns { expected: n_columns, found: row.len() });
        };
        let block = Block::F64(dense);
        self.model.check(&block).map_err(|mut error| {
            error.row = self.row;
            error
        })?;
        let class = self.number(label);
        self.cells.extend_from_slice(row);
        self.waiting.numbers.push(class as u32);
        self.row += 1;
        if self.waiting.numbers.len() >= self.most_waiting {
            self.add_waiting();
        }
        Ok(())
    }

    /// The number of a label, a new one if it was not seen before.
    fn number(&mut self, label: &L) -> usize {
        let place = self.labels.partition_point(|(known, _)| known < label);
        match self.labels.get(place) {
            Some((known, class)) if known == label => *class,
            _ => {
                let class = self.labels.len();
                self.labels.insert(place, (label.clone(), class));
                class
            }
        }
    }

    /// Adds the rows that wait. All of them were checked, so that an accumulator finds nothing wrong with
    /// them.
    fn add_waiting(&mut self) {
        let Self { stats, model, accumulator, labels, gathered, cells, waiting, .. } = self;
        let n_columns = stats.n_columns();
        waiting.arrange(labels.len());
        let gather = |accumulator: &mut Box<dyn Accumulator + '_>| {
            let block = Block::F64(Dense::new(cells, waiting.numbers.len(), n_columns)?);
            let (order, ends) = (&waiting.order, &waiting.ends);
            accumulator.add(&ClassRows { block, order, ends, continues: false }).ok()
        };
        if accumulator.as_mut().and_then(gather) == Some(true) {
            waiting.count(gathered);
        } else {
            for (label, class) in &*labels {
                let rows = waiting.of_class(*class);
                if rows.is_empty() {
                    continue;
                }
                let evidence = stats.class_mut(label);
                for &row in rows {
                    let row = &cells[row as usize * n_columns..][..n_columns];
                    if let Some(dense) = Dense::new(row, 1, n_columns) {
                        evidence.weight.add(0, 1.0);
                        model.update(&Block::F64(dense), Weights::Unit, &mut evidence.parts);
                    }
                }
            }
        }
        cells.clear();
        waiting.numbers.clear();
    }

    /// Moves all that was added to the statistics.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # let gaussian = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&gaussian, 1)?;
    /// let mut stream = stats.stream(&gaussian)?;
    /// stream.add(&[1.5], &"a")?;
    /// stream.finish();
    /// assert!(stats.classes().eq(&["a"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish(self) {
        // Dropping does it.
    }
}

impl<L: Ord + Clone, M: FeatureModel + ?Sized> Drop for Stream<'_, L, M> {
    fn drop(&mut self) {
        self.add_waiting();
        let Some(accumulator) = &mut self.accumulator else { return };
        for (label, class) in &self.labels {
            let gathered = self.gathered.get(*class).copied().unwrap_or(0);
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
    use crate::{
        families::{Bernoulli, Categorical, Gaussian, Multinomial},
        model::LayoutError,
    };
    use ndarray::{Array2, s};

    /// Few rows and many, of few columns and of so many that sixteen rows wait; few classes and many.
    #[test]
    fn rows_one_by_one_equal_all_at_once() -> Result<(), LayoutError> {
        for (n_columns, n_classes) in [(4, 5), (11, 40), (700, 3)] {
            let number = |row: usize, column: usize| (row * 7919 + column * 31) % 1009;
            let x = Array2::from_shape_fn((300, n_columns), |(row, column)| number(row, column) as f64 / 7.0);
            let labels: Vec<String> = (0..300).map(|row| format!("{}", row * row % n_classes)).collect();
            same(&Gaussian::default(), &x, &labels)?;
            same(&Multinomial::default(), &x, &labels)?;
            let codes = Array2::from_shape_fn(x.dim(), |(row, column)| (number(row, column) % 5) as f64);
            same(&Categorical::default(), &codes, &labels)?;
            same(&Bernoulli::default(), &codes.mapv(|code| f64::from(code > 1.0)), &labels)?;
        }
        Ok(())
    }

    fn same(model: &impl FeatureModel, x: &Array2<f64>, labels: &[String]) -> Result<(), LayoutError> {
        let mut at_once = SufficientStats::new(model, x.ncols())?;
        at_once.update(model, x, labels).expect("valid rows");
        let mut one_by_one = SufficientStats::new(model, x.ncols())?;
        // The second stream adds to what the first one has added.
        for (first, end) in [(0, 21), (21, x.nrows())] {
            let mut stream = one_by_one.stream(model).expect("the same family");
            for (row, label) in labels.iter().enumerate().take(end).skip(first) {
                let cells = x.slice(s![row, ..]).to_vec();
                stream.add(&cells, label).expect("a valid row");
                let mut bad = cells.clone();
                bad[3] = f64::NAN;
                let error = stream.add(&bad, label).expect_err("a cell that is no number").to_string();
                assert!(error.contains(&format!("row {}", row - first + 1)), "{error}");
                assert!(stream.add(&cells[1..], label).is_err());
            }
            stream.finish();
        }
        assert_eq!(one_by_one, at_once);
        Ok(())
    }
}
