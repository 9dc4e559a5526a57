//! Exact sums of all classes, in panels of columns: threads share the columns of wide tables, and have no
//! sums to merge.

use exact_sums::{
    ExactSums,
    batch::{BinnedSums, RowView, Split, Totals},
    domain::Nan,
};
use nb_simd::{InstructionSet, LANES};

use crate::model::threads;

/// Fewer rows are not worth the waking of threads: rows that come one by one took twice the time.
const FEWEST_ROWS: usize = 256;

/// Exact sums of all columns under construction, class by class.
///
/// With two threads a fit of 2,000 rows of 20,000 columns takes four fifths of the time that it takes if they
/// share the rows.
pub(crate) struct Panels<S: Split> {
    set: InstructionSet,
    n_columns: usize,
    /// How many threads may share the columns.
    n_threads: usize,
    /// How many panels each class has; zero before there are rows.
    per_class: usize,
    /// The panels of the first class, those of the second, and so on.
    binned: Vec<BinnedSums<S>>,
    /// The classes that were finished together, until they are asked for.
    finished: Vec<Option<Finished<S>>>,
}

/// The sums of a class, and the number of missing cells of each column.
type Finished<S> = (<S as Split>::Sums, ExactSums);

impl<S: Split> Panels<S> {
    /// Without classes; threads share the columns of rows that are wide and many.
    pub(crate) fn new(set: InstructionSet, n_columns: usize) -> Self {
        /// A thread should get this many columns at least.
        const FEWEST: usize = 2048;
        let n_threads = threads::count().min(n_columns / FEWEST).max(1);
        Self { n_threads, ..Self::undivided(set, n_columns) }
    }

    /// The same for a single thread.
    pub(crate) fn undivided(set: InstructionSet, n_columns: usize) -> Self {
        Self { set, n_columns, n_threads: 1, per_class: 0, binned: Vec::new(), finished: Vec::new() }
    }

    /// How many threads [`add`](Self::add) keeps busy if there are many rows.
    pub(crate) fn n_threads(&self) -> usize {
        self.n_threads
    }

    /// The first column of a panel; all have about as many strips.
    fn first_column(&self, panel: usize) -> usize {
        let n_strips = self.n_columns.div_ceil(LANES);
        self.n_columns.min(panel * n_strips / self.per_class * LANES)
    }

    /// Sees to it that there are binned for this many classes.
    fn make_binned(&mut self, n_classes: usize) {
        for number in self.binned.len()..n_classes * self.per_class {
            let panel = number % self.per_class;
            let n_columns = self.first_column(panel + 1) - self.first_column(panel);
            self.binned.push(BinnedSums::new(self.set, n_columns));
        }
    }

    /// Adds the rows of this many classes; whether all their values can be observed (a missing one, where
    /// that is an error, cannot). If not, the contents are unspecified.
    pub(crate) fn add<'a>(
        &mut self,
        n_classes: usize,
        rows_of_class: impl Fn(usize) -> RowView<'a, S::Cell>,
        nan: Nan,
    ) -> bool {
        if self.per_class == 0 {
            let n_rows = || (0..n_classes).map(|class| rows_of_class(class).rows.len()).sum::<usize>();
            let are_many = self.n_threads > 1 && n_rows() >= FEWEST_ROWS;
            self.per_class = if are_many { self.n_threads } else { 1 };
        }
        self.make_binned(n_classes);
        if self.per_class == 1 {
            let mut classes = self.binned.iter_mut().enumerate();
            return classes.all(|(class, binned)| binned.add(&rows_of_class(class), nan));
        }
        // A thread that is done earlier takes a class of the other's.
        let firsts: Vec<_> = (0..self.per_class).map(|panel| self.first_column(panel)).collect();
        let rows = (0..n_classes).flat_map(|class| {
            let rows = rows_of_class(class);
            firsts.iter().map(move |&first| rows.without_columns(first))
        });
        let parts = self.binned.iter_mut().zip(rows).collect();
        threads::map(parts, |(binned, rows)| binned.add(&rows, nan))
            .into_iter()
            .all(|are_observable| are_observable)
    }

    /// The sums of a class, and the number of missing cells of each column, if it had rows; it has none
    /// afterwards. Nothing may be added any more.
    pub(crate) fn finish(&mut self, class: usize) -> Option<Finished<S>> {
        if self.per_class > 1 {
            if self.finished.is_empty() {
                self.finished = self.finish_all();
            }
            return self.finished.get_mut(class)?.take();
        }
        let binned = self.binned.get_mut(class)?;
        Some(std::mem::replace(binned, BinnedSums::new(self.set, 0)).finish())
    }

    /// All classes of several panels, as threads had better not wait for each other after each.
    fn finish_all(&mut self) -> Vec<Option<Finished<S>>> {
        let classes = self.binned.chunks_mut(self.per_class).collect();
        threads::map(classes, |panels: &mut [BinnedSums<S>]| {
            let (sums, nan): (_, Vec<_>) = panels.iter_mut().map(BinnedSums::finish).unzip();
            Some((S::Sums::concatenated(sums), ExactSums::concatenated(&nan)))
        })
    }
}
