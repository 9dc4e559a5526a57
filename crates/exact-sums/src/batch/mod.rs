//! Sums of columns by additions that are exact beforehand: the fast way to the same sums.
//!
//! # Idea
//! Nearly all values of a column lie in one *bin*: at most `T = 2^e` in size and, unless zero, not far below
//! it, so that their last bits are known to be multiples of one number. A few sums then take all bits of a
//! thousand values or more without rounding; `split` has the arithmetic, this file keeps the books. What is
//! got is exact.
//!
//! ```text
//!  rows ──parts──▶ bins (sums that do not round) ──empty──▶ ExactSums
//!    ├─ few values outside the bin ──one by one──▶ ExactSums
//!    ├─ many that are too small ──parts──▶ the bin below ──empty──▶ ExactSums
//!    ├─ many others ──▶ copy of the column group ──bins moved, or error-free chains──▶ ExactSums
//!    └─ outside the domain ──one by one──▶ wide terms of ExactSums
//! ```
//!
//! Without the bin below, long-tailed columns (cubes of normal values, or log-normal ones) took fifty times
//! as long as others; with it they take five times as long.
//!
//! `PROOFS.md` proves it: lemmas 9 to 14 for the bins, 15 and 16 for the books.
//!
//! The technique is that of reproducible summation: Rump, Ogita and Oishi (2008), *Accurate floating-point
//! summation*, SIAM J. Sci. Comput. 31; Demmel and Nguyen (2015), *Parallel reproducible summation*, IEEE
//! Trans. Comput. 64.

mod all_groups;
mod bounds;
mod deferred;
mod group;
mod kernels;
mod one_group;
mod prefetch;
mod row_view;
mod split;
#[cfg(test)]
mod tests;
mod totals;

pub use row_view::{Cell, PrefetchHint, RowView};
pub use split::{BinnedCounts, BinnedMoments, BinnedMomentsF32, FixedMoments, FixedMomentsF32, Split};
pub use totals::Totals;

use std::{iter, ops::Range};

use crate::{
    batch::{
        all_groups::BATCH,
        bounds::BinBounds,
        deferred::AddDeferred,
        group::{ColumnGroup, MANY_OUTLIERS, Outliers},
        kernels::{AddAllGroups, Empty, EmptyAll, Sizes},
        one_group::MOST_BATCHES_PER_CHECK,
    },
    domain::{self, Nan},
    sums::ExactSums,
};

use nb_simd::{InstructionSet, Isa, Kernel, LANES};

/// One value of each column of a column group.
pub(crate) type Lanes = [f64; LANES];

/// How many rows to walk through, column group after column group.
fn most_rows<S: Split>(rows: &RowView<'_, S::Cell>) -> usize {
    if rows.has_cache_set_conflicts() { BATCH } else { S::MOST_ROWS }
}

/// Rows needed before a bin is moved down.
pub(crate) const MANY_ROWS: usize = 32;

/// The sums of one column group of columns.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Bin<P> {
    bounds: BinBounds,
    planes: P,
    /// Rows added since the bin was last emptied.
    rows: usize,
}

impl<P: Default> Bin<P> {
    /// Without rows, and not at any place yet.
    fn unplaced() -> Self {
        Self { bounds: BinBounds::NONE, planes: P::default(), rows: 0 }
    }
}

impl<P> Bin<P> {
    /// At `edges`, without rows.
    fn at<S: Split<Planes = P>>(bounds: BinBounds) -> Self {
        debug_assert!(bounds.are_valid(), "PROOFS.md, lemma 12: {bounds:?}");
        Self { bounds, planes: S::starts(&bounds), rows: 0 }
    }

    /// Stores the sums of the planes and a batch of `n_rows` rows, if all its values fit the bin; whether
    /// they do.
    #[inline(always)]
    fn take<C: Isa, S: Split<Planes = P>>(&mut self, sums: &S::Registers<C::Vector>, n_rows: usize) -> bool {
        let fits = S::all_fitted(sums, &self.bounds, self.rows + n_rows);
        if fits {
            S::store(sums, &mut self.planes);
            self.rows += n_rows;
            debug_assert!(self.rows <= S::MOST_ROWS, "PROOFS.md, lemma 15: {} rows", self.rows);
        }
        fits
    }
}

/// Exact sums of all columns under construction, for the rows of one class.
///
/// ```
/// use exact_sums::{batch::{BinnedMoments, BinnedSums, PrefetchHint, RowView}, domain::Nan};
/// use nb_simd::InstructionSet;
///
/// let table = [1.0, 0.5, 3.0, f64::NAN]; // two rows of two columns
/// let rows = RowView { values: &table, n_columns: 2, rows: &[0, 1], ahead: PrefetchHint::Nothing };
/// let mut binned = BinnedSums::<BinnedMoments>::new(InstructionSet::current(), 2);
/// assert!(binned.add(&rows, Nan::Count));
/// let ([sums, squares], missing) = binned.finish();
/// assert_eq!((sums.get(0).to_f64(), squares.get(0).to_f64(), missing.get(1).to_f64()), (4.0, 10.0, 1.0));
/// ```
#[derive(Clone, Debug)]
pub struct BinnedSums<S: Split> {
    set: InstructionSet,
    n_columns: usize,
    /// Made column group by column group when the first rows come: the bins of wide tables would have left
    /// the caches by then.
    bins: Vec<Bin<S::Planes>>,
    /// The bins below those, where each begins where the other ends; none until values of too many sizes
    /// turn up.
    below: Vec<Bin<S::Planes>>,
    /// What full bins were emptied into, and what did not fit any.
    sums: S::Sums,
    /// The number of missing cells of each column, if there were any.
    nan: ExactSums,
    /// Memory for the copy of a column group.
    copy: Vec<Lanes>,
    /// What did not fit a bin and is still to be added.
    outliers: Vec<Outliers>,
    /// The batches that did not fit their bins as a whole, each as the number of its column group and its
    /// own.
    rejected_batches: Vec<(usize, usize)>,
    /// Those of the column group that is worked on.
    deferred: Vec<usize>,
    /// How many batches of a column group to ask about together.
    batches_per_check: usize,
}

impl<S: Split> BinnedSums<S> {
    /// All sums zero.
    pub fn new(set: InstructionSet, n_columns: usize) -> Self {
        Self {
            set,
            n_columns,
            bins: Vec::new(),
            below: Vec::new(),
            sums: S::Sums::of_columns(n_columns),
            nan: ExactSums::new(n_columns),
            copy: Vec::new(),
            outliers: Vec::new(),
            rejected_batches: Vec::new(),
            deferred: Vec::new(),
            batches_per_check: MOST_BATCHES_PER_CHECK,
        }
    }

    fn n_groups(&self) -> usize {
        self.n_columns.div_ceil(LANES)
    }

    fn group(&self, number: usize) -> ColumnGroup {
        ColumnGroup::of(number, self.n_columns)
    }

    /// Adds rows; whether all their values can be observed (a missing one, where that is an error, cannot).
    /// If not, the sums are invalid and must be dropped.
    pub fn add(&mut self, rows: &RowView<'_, S::Cell>, nan: Nan) -> bool {
        rows.parts(most_rows::<S>(rows)).all(|rows| {
            let (rows, last) = rows.split_last();
            S::run(self.set, AddAllGroups { binned: self, rows: &rows, nan })
                && self.add_outliers(nan)
                && (last.rows.is_empty() || self.add_last(&last, nan))
        })
    }

    /// Adds the last rows of a narrow table; whether all their values can be observed.
    #[cold]
    fn add_last(&mut self, rows: &RowView<'_, S::Cell>, nan: Nan) -> bool {
        let group = self.group(0);
        self.make_room(group, rows.rows.len());
        self.add_strip(group, rows, nan)
    }

    /// Makes room for rows in the bin of a column group, and places it where the first of them are if it has
    /// no place yet.
    #[inline(always)]
    fn make_ready<C: Isa>(&mut self, group: ColumnGroup, rows: &RowView<'_, S::Cell>) {
        self.make_room(group, rows.rows.len());
        if !self.bins[group.number].bounds.are_set() && !rows.rows.is_empty() {
            let sizes = Sizes { rows, group }.run::<C>();
            self.place(group, BinBounds::covering(&sizes));
        }
    }

    /// Creates the bin of a column group if there is none, and empties it if it has no room for `n_rows` more
    /// rows.
    #[inline(always)]
    fn make_room(&mut self, group: ColumnGroup, n_rows: usize) {
        if group.number >= self.bins.len() {
            self.bins.reserve_exact(self.n_groups() - self.bins.len());
            self.bins.resize(group.number + 1, Bin::unplaced());
        }
        if self.bins[group.number].rows + n_rows > S::MOST_ROWS {
            self.empty(group);
        }
    }

    /// Adds the outliers that were noted, and raises bins that are a little too low; whether all outliers can
    /// be observed.
    fn add_outliers(&mut self, nan: Nan) -> bool {
        /// How many outliers ahead sums are prefetched, since they are scattered in memory.
        const AHEAD: usize = 8;
        let outliers = std::mem::take(&mut self.outliers);
        for (place, &Outliers { group, lanes, values }) in outliers.iter().enumerate() {
            if let Some(later) = outliers.get(place + AHEAD) {
                self.sums.ask_for(later.group.first + later.lanes.trailing_zeros() as usize);
            }
            for (lane, value) in values.into_iter().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1) {
                if !S::accepts(value, nan) {
                    if !domain::is_wide(value, S::SIGNED) {
                        return false;
                    }
                    self.sums.add_wide(group.first + lane, value);
                    continue;
                }
                if value.is_nan() {
                    self.nan.add(group.first + lane, 1.0);
                    continue;
                }
                self.sums.add_one(group.first + lane, value);
                if let Some(bounds) = self.bins[group.number].bounds.widened_to::<S>(lane, value.abs()) {
                    self.empty(group);
                    self.place(group, bounds);
                }
            }
        }
        self.outliers = outliers;
        self.outliers.clear();
        true
    }

    /// Adds the batches that were deferred of column groups; whether all values can be observed.
    #[cold]
    fn add_rejected(&mut self, rows: &RowView<'_, S::Cell>, nan: Nan) -> bool {
        let mut rejected_batches = std::mem::take(&mut self.rejected_batches);
        rejected_batches.sort_unstable();
        let is_observable = rejected_batches.chunk_by(|(group, _), (next, _)| group == next).all(|some| {
            self.deferred.clear();
            self.deferred.extend(some.iter().map(|(_, number)| number));
            self.add_deferred(self.group(some[0].0), rows, nan)
        });
        rejected_batches.clear();
        self.rejected_batches = rejected_batches;
        is_observable
    }

    /// Adds the batches that were deferred of a column group; whether all values can be observed.
    #[cold]
    fn add_deferred(&mut self, group: ColumnGroup, rows: &RowView<'_, S::Cell>, nan: Nan) -> bool {
        self.add_in_range(group, group.first, rows);
        (self.outliers.len() < MANY_OUTLIERS || self.add_outliers(nan))
            && (self.deferred.is_empty() || self.add_by_copies(group, rows, nan))
    }

    /// Adds the batches that were deferred of a column group because they have many outliers; whether all
    /// values can be observed.
    #[cold]
    fn add_by_copies(&mut self, group: ColumnGroup, rows: &RowView<'_, S::Cell>, nan: Nan) -> bool {
        let deferred = std::mem::take(&mut self.deferred);
        // Neighbours together, so that they can be many.
        let is_observable = deferred.chunk_by(|number, next| number + 1 == *next).all(|numbers| {
            let (start, len) = (numbers[0] * BATCH, numbers.len() * BATCH);
            let some = RowView { rows: &rows.rows[start..rows.rows.len().min(start + len)], ..*rows };
            self.add_strip(group, &some, nan)
        });
        self.deferred = deferred;
        is_observable
    }

    /// Adds what was deferred of a column group, which starts at `first` in each row, and notes outliers;
    /// what is still deferred has many.
    fn add_in_range<T: Cell>(&mut self, group: ColumnGroup, first: usize, rows: &RowView<'_, T>) {
        self.add_to_windows(group, first, rows);
        if !self.deferred.is_empty() && self.below.is_empty() {
            let bounds = |bin: &Bin<_>| bin.bounds;
            let all = self.bins.iter().map(bounds).chain(iter::repeat(BinBounds::NONE)).take(self.n_groups());
            self.below = all.map(|bounds| Bin::at::<S>(bounds.below::<S>())).collect();
            self.add_to_windows(group, first, rows);
        }
    }

    /// The same with the bins that there are.
    fn add_to_windows<T: Cell>(&mut self, group: ColumnGroup, first: usize, rows: &RowView<'_, T>) {
        let Self { set, bins, below, outliers, deferred, .. } = self;
        let (bin, below) = (&mut bins[group.number], below.get_mut(group.number));
        S::run(*set, AddDeferred::<S, _> { rows, first, group, bin, below, outliers, deferred });
    }

    /// Adds one column group of the rows by way of a copy, in which missing cells are zero: into a bin that
    /// is moved to where the values are, or else by error-free chains. Whether all values can be
    /// observed.
    #[cold]
    fn add_strip(&mut self, group: ColumnGroup, rows: &RowView<'_, S::Cell>, nan: Nan) -> bool {
        let (first, own) = (group.first, group.own());
        let copied = match LANES.min(self.n_columns) {
            1 => self.copy_strip::<1>(first, &own, rows, nan),
            2 => self.copy_strip::<2>(first, &own, rows, nan),
            3 => self.copy_strip::<3>(first, &own, rows, nan),
            4 => self.copy_strip::<4>(first, &own, rows, nan),
            5 => self.copy_strip::<5>(first, &own, rows, nan),
            6 => self.copy_strip::<6>(first, &own, rows, nan),
            7 => self.copy_strip::<7>(first, &own, rows, nan),
            _ => self.copy_strip::<LANES>(first, &own, rows, nan),
        };
        if !copied {
            return false;
        }
        let (mut copy, outliers) = (std::mem::take(&mut self.copy), std::mem::take(&mut self.outliers));
        let before = self.bins[group.number].bounds;
        let bounds = before.refitted_to::<S>(&copy);
        if bounds != before {
            self.empty(group);
            self.place(group, bounds);
        }
        self.add_copy(group, &mut copy);
        if !copy.is_empty() {
            self.sums.add_slowly(first + own.start, copy.iter().map(|lanes| &lanes[own.clone()]));
        }
        (self.copy, self.outliers) = (copy, outliers);
        true
    }

    /// Adds the copy of a column group to its bins; what does not fit stays in the copy.
    fn add_copy(&mut self, group: ColumnGroup, copy: &mut Vec<Lanes>) {
        self.deferred.clear();
        self.deferred.extend(0..copy.len().div_ceil(BATCH));
        let rows: Vec<u32> = (0..copy.len() as u32).collect();
        let table = RowView {
            values: copy.as_flattened(),
            n_columns: LANES,
            rows: &rows,
            ahead: PrefetchHint::Nothing,
        };
        self.add_in_range(group, 0, &table);
        self.add_outliers(Nan::Refuse);
        let mut kept = 0;
        for &number in &self.deferred {
            let batch = number * BATCH..copy.len().min((number + 1) * BATCH);
            copy.copy_within(batch.clone(), kept);
            kept += batch.len();
        }
        copy.truncate(kept);
    }

    /// Copies a column group of `WIDTH` columns, with zeros for missing cells, which are counted in the lanes
    /// `own`, and for values outside the domain, which are added; whether all values can be observed. (A
    /// width that the compiler knows keeps rows in registers.)
    fn copy_strip<const WIDTH: usize>(
        &mut self,
        first: usize,
        own: &Range<usize>,
        rows: &RowView<'_, S::Cell>,
        nan: Nan,
    ) -> bool {
        self.copy.clear();
        self.copy.reserve(rows.rows.len());
        for &row in rows.rows {
            let start = row as usize * rows.n_columns + first;
            let Some(cells) = rows.values.get(start..).and_then(<[_]>::first_chunk::<WIDTH>) else {
                return false;
            };
            let mut lanes = [0.0; LANES];
            let mut is_plain = true;
            for (lane, cell) in lanes.iter_mut().zip(cells) {
                *lane = cell.to_f64();
                is_plain &= domain::is_number(*lane, S::SIGNED);
            }
            if !is_plain {
                for (lane, value) in lanes.iter_mut().enumerate().take(WIDTH) {
                    if !S::accepts(*value, nan) {
                        if !domain::is_wide(*value, S::SIGNED) {
                            return false;
                        }
                        if own.contains(&lane) {
                            self.sums.add_wide(first + lane, *value);
                        }
                        *value = 0.0;
                    } else if value.is_nan() {
                        *value = 0.0;
                        // The columns of the column group before have bounds here, too, so that this column
                        // group can be added in place.
                        if own.contains(&lane) {
                            self.nan.add(first + lane, 1.0);
                        }
                    }
                }
            }
            self.copy.push(lanes);
        }
        true
    }

    /// Gives the bins of a column group without rows their bounds.
    fn place(&mut self, group: ColumnGroup, bounds: BinBounds) {
        self.bins[group.number] = Bin::at::<S>(bounds);
        if let Some(below) = self.below.get_mut(group.number) {
            *below = Bin::at::<S>(bounds.below::<S>());
        }
    }

    /// Moves what the bins of a column group have gathered to the sums.
    fn empty(&mut self, group: ColumnGroup) {
        for binned in [&mut self.bins, &mut self.below] {
            if let Some(bin) = binned.get_mut(group.number) {
                S::run(self.set, Empty::<S> { bin, sums: &mut self.sums, group });
            }
        }
    }

    /// The sums, and the number of missing cells of each column; all are zero afterwards.
    pub fn finish(&mut self) -> (S::Sums, ExactSums) {
        S::run(self.set, EmptyAll { binned: self });
        let sums = std::mem::replace(&mut self.sums, S::Sums::of_columns(self.n_columns));
        (sums, std::mem::replace(&mut self.nan, ExactSums::new(self.n_columns)))
    }
}
