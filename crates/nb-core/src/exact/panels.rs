//! Windows of all classes, in panels of columns: threads share the columns of wide tables, and have no sums to merge.

use std::ops::Range;

use super::{ExactSums, row_set::RowSet, slices::Slices, totals::Totals, window::Windows};
use crate::{
    Missing,
    instructions::{InstructionSet, LANES},
    threads,
};

/// Fewer rows are not worth the waking of threads: rows that come one by one took twice the time.
const FEWEST_ROWS: usize = 256;

/// Exact sums of all columns under construction, class by class.
///
/// With two threads a fit of 2,000 rows of 20,000 columns takes four fifths of the time that it takes if they share the
/// rows.
pub(crate) struct Panels<S: Slices> {
    set: InstructionSet,
    n_columns: usize,
    /// How many threads may share the columns.
    n_threads: usize,
    /// None before there are rows.
    all: Vec<Panel<S>>,
    /// The classes that were finished together, until they are asked for.
    finished: Vec<Option<Finished<S>>>,
}

/// The sums of a class, and the number of missing cells of each column.
type Finished<S> = (<S as Slices>::Sums, ExactSums);

/// The same for some columns.
struct Panel<S: Slices> {
    set: InstructionSet,
    columns: Range<usize>,
    classes: Vec<Windows<S>>,
}

impl<S: Slices> Panels<S> {
    /// Without classes; threads share the columns of rows that are wide and many.
    pub(crate) fn new(set: InstructionSet, n_columns: usize) -> Self {
        /// A thread should get so many columns at least.
        const FEWEST: usize = 2048;
        let n_threads = threads::count().min(n_columns / FEWEST).max(1);
        Self { n_threads, ..Self::undivided(set, n_columns) }
    }

    /// The same for a single thread.
    pub(crate) fn undivided(set: InstructionSet, n_columns: usize) -> Self {
        Self { set, n_columns, n_threads: 1, all: Vec::new(), finished: Vec::new() }
    }

    /// How many threads [`add`](Self::add) keeps busy if there are many rows.
    pub(crate) fn n_threads(&self) -> usize {
        self.n_threads
    }

    /// Makes so many panels of about as many strips of columns.
    fn divide(&mut self, n_panels: usize) {
        let n_strips = self.n_columns.div_ceil(LANES);
        let start = |panel: usize| self.n_columns.min(panel * n_strips / n_panels * LANES);
        let panel =
            |panel| Panel { set: self.set, columns: start(panel)..start(panel + 1), classes: Vec::new() };
        self.all = (0..n_panels).map(panel).collect();
    }

    /// Adds the rows of so many classes; whether all their values can be observed (a missing one, where that is an error,
    /// cannot). If not, what is in here is of no use any more.
    pub(crate) fn add<'a>(
        &mut self,
        n_classes: usize,
        rows_of_class: impl Fn(usize) -> RowSet<'a, S::Cell>,
        missing: Missing,
    ) -> bool {
        if self.all.is_empty() {
            let n_rows = || (0..n_classes).map(|class| rows_of_class(class).rows.len()).sum::<usize>();
            let are_many = self.n_threads > 1 && n_rows() >= FEWEST_ROWS;
            self.divide(if are_many { self.n_threads } else { 1 });
        }
        if let [only] = &mut self.all[..] {
            return only.add(n_classes, rows_of_class, missing);
        }
        let classes: Vec<_> = (0..n_classes).map(rows_of_class).collect();
        let panels = self.all.iter_mut().collect();
        let add = |panel: &mut Panel<S>| panel.add(n_classes, |class| classes[class], missing);
        threads::map(panels, add).into_iter().all(|are_observable| are_observable)
    }

    /// The sums of a class, and the number of missing cells of each column, if it had rows; it has none afterwards. Nothing
    /// may be added any more.
    pub(crate) fn finish(&mut self, class: usize) -> Option<Finished<S>> {
        match &mut self.all[..] {
            [] => None,
            [only] => only.finish(class),
            _ => {
                if self.finished.is_empty() {
                    self.finished = self.finish_all();
                }
                self.finished.get_mut(class)?.take()
            }
        }
    }

    /// All classes of several panels, as threads had better not wait for each other after each.
    fn finish_all(&mut self) -> Vec<Option<Finished<S>>> {
        let panels = self.all.iter_mut().collect();
        let mut panels = threads::map(panels, |panel: &mut Panel<S>| panel.finish_all().into_iter());
        let next = || panels.iter_mut().map(Iterator::next).collect::<Option<Vec<_>>>();
        let classes = std::iter::from_fn(next).collect();
        threads::map(classes, |parts: Vec<Finished<S>>| {
            let (sums, missing): (_, Vec<_>) = parts.into_iter().unzip();
            Some((S::Sums::concatenated(sums), ExactSums::concatenated(&missing)))
        })
    }
}

impl<S: Slices> Panel<S> {
    fn add<'a>(
        &mut self,
        n_classes: usize,
        rows_of_class: impl Fn(usize) -> RowSet<'a, S::Cell>,
        missing: Missing,
    ) -> bool {
        let Self { set, columns, classes } = self;
        classes.resize_with(n_classes.max(classes.len()), || Windows::new(*set, columns.len()));
        let mut classes = classes.iter_mut().enumerate();
        classes.all(|(class, windows)| {
            windows.add(&rows_of_class(class).without_columns(columns.start), missing)
        })
    }

    fn finish_all(&mut self) -> Vec<Finished<S>> {
        std::mem::take(&mut self.classes).into_iter().map(|mut windows| windows.finish()).collect()
    }

    fn finish(&mut self, class: usize) -> Option<Finished<S>> {
        let windows = self.classes.get_mut(class)?;
        Some(std::mem::replace(windows, Windows::new(self.set, 0)).finish())
    }
}
