//! What is known of a table without its rows, and the release of its sums.

use std::collections::BTreeSet;

use nb_core::{Rows, family::BlockBuffer};
use rand::CryptoRng;

use crate::{Budget, Column, DesignError, NoisedSums, ReleaseError};

/// How many rows are copied at a time.
const CHUNK: usize = 1024;
/// The most rows: their sums have room for noise in 64 bits.
const MOST_ROWS: usize = 1 << 40;

/// What is known of a table without its rows: its classes and columns. All who release sums that are to be
/// merged agree on one design.
#[derive(Clone, Debug, PartialEq)]
pub struct Design<L> {
    pub(crate) classes: Vec<L>,
    pub(crate) columns: Vec<Column>,
}

impl<L: Ord + Clone> Design<L> {
    /// A design of classes, in any order, and columns.
    ///
    /// ```
    /// # use nb_private::{Column, Design};
    /// let age = Column::Number { low: 0.0, high: 110.0 };
    /// let sex = Column::Categories { n: 2 };
    /// assert!(Design::new(["well", "ill"], [age, sex]).is_ok());
    /// assert!(Design::new(["ill", "ill"], [age, sex]).is_err());
    /// ```
    ///
    /// # Errors
    /// [`DesignError`] says what is wrong.
    pub fn new(
        classes: impl IntoIterator<Item = L>,
        columns: impl IntoIterator<Item = Column>,
    ) -> Result<Self, DesignError> {
        let mut classes: Vec<L> = classes.into_iter().collect();
        classes.sort();
        let columns: Vec<Column> = columns.into_iter().collect();
        if classes.is_empty() {
            return Err(DesignError::NoClasses);
        }
        if let Some(class) = classes.windows(2).position(|pair| pair[0] == pair[1]) {
            return Err(DesignError::ClassTwice { class });
        }
        if columns.is_empty() {
            return Err(DesignError::NoColumns);
        }
        columns.iter().enumerate().try_for_each(|(place, column)| column.check(place))?;
        Ok(Self { classes, columns })
    }

    /// The classes, sorted.
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// By how much one row changes each sum of its class: its weight, then the sums of the columns.
    pub(crate) fn sensitivities(&self) -> Vec<i64> {
        let of_columns = self.columns.iter().flat_map(Column::sensitivities);
        std::iter::once(1).chain(of_columns).collect()
    }

    /// How many sums a class has.
    pub(crate) fn n_sums(&self) -> usize {
        1 + self.columns.iter().map(Column::n_sums).sum::<usize>()
    }

    /// The sums of rows, `n_rows × n_columns`, with noise that the budget asks for. A row is in one class, and
    /// changes its weight, two sums of each column of numbers, and one of each column of categories; all of
    /// these have the same share of the budget.
    ///
    /// Every sum has noise, those of classes without rows too. Numbers beyond their bounds count as the
    /// bounds; how many there were is not said, since that was not paid for.
    ///
    /// `rng` must be unpredictable: seed it from the system, and use no seed twice.
    ///
    /// # Errors
    /// [`ReleaseError`] names what is wrong with rows, labels or budget. The error itself is about the rows:
    /// it is for their owner alone.
    pub fn release(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        budget: Budget,
        rng: &mut impl CryptoRng,
    ) -> Result<NoisedSums<L>, ReleaseError> {
        let noise = budget.noise(1 + self.columns.iter().map(Column::n_changed).sum::<usize>())?;
        let mut sums = self.exact_sums(rows, labels)?;
        let sensitivities = self.sensitivities();
        for class in &mut sums {
            for (sum, &sensitivity) in class.iter_mut().zip(&sensitivities) {
                *sum = sum.saturating_add(noise.draw(sensitivity, rng));
            }
        }
        Ok(NoisedSums {
            design: self.clone(),
            sums,
            variances: sensitivities.iter().map(|&sensitivity| noise.variance(sensitivity)).collect(),
            spent: budget.spent(),
            releases: BTreeSet::from([u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())]),
        })
    }

    /// The sums of each class without noise, in steps of the grid.
    pub(crate) fn exact_sums(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Vec<Vec<i64>>, ReleaseError> {
        let (n_rows, n_columns) = (rows.n_rows(), self.columns.len());
        if n_rows != labels.len() {
            return Err(ReleaseError::Labels { rows: n_rows, labels: labels.len() });
        }
        if rows.n_columns() != n_columns {
            return Err(ReleaseError::Columns { expected: n_columns, found: rows.n_columns() });
        }
        if n_rows > MOST_ROWS {
            return Err(ReleaseError::Rows { rows: n_rows });
        }
        let mut sums = vec![vec![0; self.n_sums()]; self.classes.len()];
        let mut buffer = BlockBuffer::default();
        for first in (0..n_rows).step_by(CHUNK) {
            let mut outcome = Ok(());
            buffer.read(rows, first..n_rows.min(first + CHUNK)).for_each_row(|row, cells| {
                if outcome.is_ok() {
                    outcome = self.add(first + row, cells, &labels[first + row], &mut sums);
                }
            });
            outcome?;
        }
        Ok(sums)
    }

    fn add(&self, row: usize, cells: &[f64], label: &L, sums: &mut [Vec<i64>]) -> Result<(), ReleaseError> {
        let class = self.classes.binary_search(label).map_err(|_| ReleaseError::Label { row })?;
        let Some((weight, mut rest)) = sums[class].split_first_mut() else { return Ok(()) };
        *weight += 1;
        for (place, (column, &value)) in self.columns.iter().zip(cells).enumerate() {
            let (own, others) = rest.split_at_mut(column.n_sums());
            if !column.add(value, own) {
                return Err(ReleaseError::Value { row, column: place, value });
            }
            rest = others;
        }
        Ok(())
    }
}
