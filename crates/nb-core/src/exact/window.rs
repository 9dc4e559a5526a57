//! Sums of columns by additions that are exact beforehand: the fast way to the same sums.
//!
//! # Idea
//! Nearly all values of a column lie in one *window*: at most `T = 2^e` in size and, unless zero, not far below it, so
//! that their last bits are known to be multiples of one number. A few sums then take all bits of a thousand values or
//! more without rounding; [`slices`](super::slices) has the arithmetic, this file keeps the books. What is got is exact.
//!
//! ```text
//!  rows ──slices──▶ windows (sums that do not round) ──empty──▶ ExactSums
//!    ├─ few values outside the window ──one by one──▶ ExactSums
//!    ├─ many that are too small ──slices──▶ the window below ──empty──▶ ExactSums
//!    └─ many others ──▶ copy of the strip ──windows moved, or error-free chains──▶ ExactSums
//! ```
//!
//! Without the window below, long-tailed columns (cubes of normal values, or log-normal ones) took fifty times as long as
//! others; with it they take five times as long.
//!
//! The technique is that of reproducible summation: Rump, Ogita and Oishi (2008), *Accurate floating-point summation*,
//! SIAM J. Sci. Comput. 31; Demmel and Nguyen (2015), *Parallel reproducible summation*, IEEE Trans. Comput. 64.

mod batches;
mod kernels;
mod left_out;
mod one_strip;
mod strip;
#[cfg(test)]
mod tests;
mod walk;

use std::{iter, ops::Range};

use batches::BATCH;
use kernels::{AddStrips, Empty, EmptyAll, Sizes};
use left_out::AddLeftOut;
use one_strip::MOST_TOGETHER;
use strip::{MANY_STRAYS, Stray, Strip};

use super::{
    ExactSums,
    edges::Edges,
    row_set::{Ahead, Cell, RowSet},
    slices::Slices,
    totals::Totals,
};
use nb_simd::{Code, InstructionSet, Kernel, LANES};

use crate::{Element, Missing, observable};

/// One value of each column of a strip.
pub(super) type Lanes = [f64; LANES];

/// How many rows to walk through, strip after strip.
fn most_rows<S: Slices>(rows: &RowSet<'_, S::Cell>) -> usize {
    if rows.are_crowded() { BATCH } else { S::MOST_ROWS }
}

/// So many rows are believed when they say that a window should be moved down.
pub(super) const MANY_ROWS: usize = 32;

/// The sums of one strip of columns.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Window<P> {
    edges: Edges,
    planes: P,
    /// Rows added since the window was last emptied.
    rows: usize,
}

impl<P: Default> Window<P> {
    /// Without rows, and not at any place yet.
    fn unplaced() -> Self {
        Self { edges: Edges::NONE, planes: P::default(), rows: 0 }
    }
}

impl<P> Window<P> {
    /// At `edges`, without rows.
    fn at<S: Slices<Planes = P>>(edges: Edges) -> Self {
        Self { edges, planes: S::starts(&edges), rows: 0 }
    }

    /// Takes sums of the planes and a batch of so many rows, if all its values fit; whether they do.
    #[inline(always)]
    fn take<C: Code, S: Slices<Planes = P>>(
        &mut self,
        sums: &S::Registers<C::Vector>,
        n_rows: usize,
    ) -> bool {
        let fits = S::all_fitted(sums, &self.edges, self.rows + n_rows);
        if fits {
            S::store(sums, &mut self.planes);
            self.rows += n_rows;
        }
        fits
    }
}

/// Exact sums of all columns under construction, for the rows of one class.
#[derive(Clone, Debug)]
pub(crate) struct Windows<S: Slices> {
    set: InstructionSet,
    n_columns: usize,
    /// Made strip by strip when the first rows come: the windows of wide tables would have left the caches by then.
    strips: Vec<Window<S::Planes>>,
    /// The windows below those, where each begins where the other ends; none until values of too many sizes turn up.
    below: Vec<Window<S::Planes>>,
    /// What full windows were emptied into, and what did not fit any.
    sums: S::Sums,
    /// The number of missing cells of each column, if there were any.
    missing: ExactSums,
    /// Memory for the copy of a strip.
    copy: Vec<Lanes>,
    /// What did not fit a window and is still to be added.
    strays: Vec<Stray>,
    /// The batches that did not fit their windows as a whole, each as the number of its strip and its own.
    failed: Vec<(usize, usize)>,
    /// Those of the strip that is worked on.
    left_out: Vec<usize>,
    /// How many batches of a strip to ask about together.
    together: usize,
}

impl<S: Slices> Windows<S> {
    /// All sums zero.
    pub(crate) fn new(set: InstructionSet, n_columns: usize) -> Self {
        Self {
            set,
            n_columns,
            strips: Vec::new(),
            below: Vec::new(),
            sums: S::Sums::of_columns(n_columns),
            missing: ExactSums::new(n_columns),
            copy: Vec::new(),
            strays: Vec::new(),
            failed: Vec::new(),
            left_out: Vec::new(),
            together: MOST_TOGETHER,
        }
    }

    fn n_strips(&self) -> usize {
        self.n_columns.div_ceil(LANES)
    }

    fn strip(&self, number: usize) -> Strip {
        Strip::of(number, self.n_columns)
    }

    /// Adds rows; whether all their values can be observed (a missing one, where that is an error, cannot). If not,
    /// what is in here is of no use any more.
    pub(crate) fn add(&mut self, rows: &RowSet<'_, S::Cell>, missing: Missing) -> bool {
        rows.parts(most_rows::<S>(rows)).all(|rows| {
            let (rows, last) = rows.split_last();
            S::run(self.set, AddStrips { windows: self, rows: &rows, missing })
                && self.add_strays(missing)
                && (last.rows.is_empty() || self.add_last(&last, missing))
        })
    }

    /// Adds the last rows of a narrow table; whether all their values can be observed.
    #[cold]
    fn add_last(&mut self, rows: &RowSet<'_, S::Cell>, missing: Missing) -> bool {
        let strip = self.strip(0);
        self.make_room(strip, rows.rows.len());
        self.add_strip(strip, rows, missing)
    }

    /// Makes room for rows in the window of a strip, and places it where the first of them are if it has no place yet.
    #[inline(always)]
    fn make_ready<C: Code>(&mut self, strip: Strip, rows: &RowSet<'_, S::Cell>) {
        self.make_room(strip, rows.rows.len());
        if !self.strips[strip.number].edges.are_set() && !rows.rows.is_empty() {
            let sizes = Sizes { rows, strip }.run::<C>();
            self.place(strip, Edges::around(&sizes));
        }
    }

    /// Sees to it that there is a window of a strip, and that it can take so many more rows.
    #[inline(always)]
    fn make_room(&mut self, strip: Strip, n_rows: usize) {
        if strip.number >= self.strips.len() {
            self.strips.reserve_exact(self.n_strips() - self.strips.len());
            self.strips.resize(strip.number + 1, Window::unplaced());
        }
        if self.strips[strip.number].rows + n_rows > S::MOST_ROWS {
            self.empty(strip);
        }
    }

    /// Adds the strays that were noted, and raises windows that are a little too low; whether all strays can be observed.
    fn add_strays(&mut self, missing: Missing) -> bool {
        /// How many strays ahead sums are asked for, which lie all over the memory.
        const AHEAD: usize = 8;
        let strays = std::mem::take(&mut self.strays);
        for (place, &Stray { strip, lanes, values }) in strays.iter().enumerate() {
            if let Some(later) = strays.get(place + AHEAD) {
                self.sums.ask_for(later.strip.first + later.lanes.trailing_zeros() as usize);
            }
            for (lane, value) in values.into_iter().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1) {
                if S::problem(value, missing).is_some() {
                    return false;
                }
                if value.is_nan() {
                    self.missing.add(strip.first + lane, 1.0);
                    continue;
                }
                self.sums.add_one(strip.first + lane, value);
                if let Some(edges) = self.strips[strip.number].edges.raised_to::<S>(lane, value.abs()) {
                    self.empty(strip);
                    self.place(strip, edges);
                }
            }
        }
        self.strays = strays;
        self.strays.clear();
        true
    }

    /// Adds the batches that were left out of strips; whether all values can be observed.
    #[cold]
    fn add_failed(&mut self, rows: &RowSet<'_, S::Cell>, missing: Missing) -> bool {
        let mut failed = std::mem::take(&mut self.failed);
        failed.sort_unstable();
        let is_observable = failed.chunk_by(|(strip, _), (next, _)| strip == next).all(|some| {
            self.left_out.clear();
            self.left_out.extend(some.iter().map(|(_, number)| number));
            self.add_left_out(self.strip(some[0].0), rows, missing)
        });
        failed.clear();
        self.failed = failed;
        is_observable
    }

    /// Adds the batches that were left out of a strip; whether all values can be observed.
    #[cold]
    fn add_left_out(&mut self, strip: Strip, rows: &RowSet<'_, S::Cell>, missing: Missing) -> bool {
        self.add_but_strays(strip, strip.first, rows);
        (self.strays.len() < MANY_STRAYS || self.add_strays(missing))
            && (self.left_out.is_empty() || self.add_by_copies(strip, rows, missing))
    }

    /// Adds the batches that were left out of a strip because they have many strays; whether all values can be observed.
    #[cold]
    fn add_by_copies(&mut self, strip: Strip, rows: &RowSet<'_, S::Cell>, missing: Missing) -> bool {
        let left_out = std::mem::take(&mut self.left_out);
        // Neighbours together, so that they can be many.
        let is_observable = left_out.chunk_by(|number, next| number + 1 == *next).all(|numbers| {
            let (start, len) = (numbers[0] * BATCH, numbers.len() * BATCH);
            let some = RowSet { rows: &rows.rows[start..rows.rows.len().min(start + len)], ..*rows };
            self.add_strip(strip, &some, missing)
        });
        self.left_out = left_out;
        is_observable
    }

    /// Adds what was left out of a strip, which starts at `first` in each row, and notes strays; what is still left out has
    /// many.
    fn add_but_strays<T: Cell>(&mut self, strip: Strip, first: usize, rows: &RowSet<'_, T>) {
        self.add_to_windows(strip, first, rows);
        if !self.left_out.is_empty() && self.below.is_empty() {
            let edges = |window: &Window<_>| window.edges;
            let all = self.strips.iter().map(edges).chain(iter::repeat(Edges::NONE)).take(self.n_strips());
            self.below = all.map(|edges| Window::at::<S>(edges.below::<S>())).collect();
            self.add_to_windows(strip, first, rows);
        }
    }

    /// The same with the windows that there are.
    fn add_to_windows<T: Cell>(&mut self, strip: Strip, first: usize, rows: &RowSet<'_, T>) {
        let Self { set, strips, below, strays, left_out, .. } = self;
        let (window, below) = (&mut strips[strip.number], below.get_mut(strip.number));
        S::run(*set, AddLeftOut::<S, _> { rows, first, strip, window, below, strays, left_out });
    }

    /// Adds one strip of the rows by way of a copy, in which missing cells are zero: into a window that is moved to
    /// where the values are, or else by error-free chains. Whether all values can be observed.
    #[cold]
    fn add_strip(&mut self, strip: Strip, rows: &RowSet<'_, S::Cell>, missing: Missing) -> bool {
        let (first, own) = (strip.first, strip.own());
        let copied = match LANES.min(self.n_columns) {
            1 => self.copy_strip::<1>(first, &own, rows, missing),
            2 => self.copy_strip::<2>(first, &own, rows, missing),
            3 => self.copy_strip::<3>(first, &own, rows, missing),
            4 => self.copy_strip::<4>(first, &own, rows, missing),
            5 => self.copy_strip::<5>(first, &own, rows, missing),
            6 => self.copy_strip::<6>(first, &own, rows, missing),
            7 => self.copy_strip::<7>(first, &own, rows, missing),
            _ => self.copy_strip::<LANES>(first, &own, rows, missing),
        };
        if !copied {
            return false;
        }
        let (mut copy, strays) = (std::mem::take(&mut self.copy), std::mem::take(&mut self.strays));
        let before = self.strips[strip.number].edges;
        let edges = before.moved_to::<S>(&copy);
        if edges != before {
            self.empty(strip);
            self.place(strip, edges);
        }
        self.add_copy(strip, &mut copy);
        if !copy.is_empty() {
            self.sums.add_slowly(first + own.start, copy.iter().map(|lanes| &lanes[own.clone()]));
        }
        (self.copy, self.strays) = (copy, strays);
        true
    }

    /// Adds the copy of a strip to its windows; what does not fit stays in the copy.
    fn add_copy(&mut self, strip: Strip, copy: &mut Vec<Lanes>) {
        self.left_out.clear();
        self.left_out.extend(0..copy.len().div_ceil(BATCH));
        let rows: Vec<u32> = (0..copy.len() as u32).collect();
        let table =
            RowSet { values: copy.as_flattened(), n_columns: LANES, rows: &rows, ahead: Ahead::Nothing };
        self.add_but_strays(strip, 0, &table);
        self.add_strays(Missing::Error);
        let mut kept = 0;
        for &number in &self.left_out {
            let batch = number * BATCH..copy.len().min((number + 1) * BATCH);
            copy.copy_within(batch.clone(), kept);
            kept += batch.len();
        }
        copy.truncate(kept);
    }

    /// Copies a strip of `WIDTH` columns, with zeros for missing cells, which are counted in the lanes `own`; whether
    /// all values can be observed. (A width that the compiler knows keeps rows in registers.)
    fn copy_strip<const WIDTH: usize>(
        &mut self,
        first: usize,
        own: &Range<usize>,
        rows: &RowSet<'_, S::Cell>,
        missing: Missing,
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
                is_plain &= observable::is_plain(*lane, S::SIGNED);
            }
            if !is_plain {
                for (lane, value) in lanes.iter_mut().enumerate().take(WIDTH) {
                    if S::problem(*value, missing).is_some() {
                        return false;
                    }
                    if value.is_nan() {
                        *value = 0.0;
                        // The columns of the strip before have edges here, too, so that this strip can be added in place.
                        if own.contains(&lane) {
                            self.missing.add(first + lane, 1.0);
                        }
                    }
                }
            }
            self.copy.push(lanes);
        }
        true
    }

    /// Gives the windows of a strip without rows their edges.
    fn place(&mut self, strip: Strip, edges: Edges) {
        self.strips[strip.number] = Window::at::<S>(edges);
        if let Some(below) = self.below.get_mut(strip.number) {
            *below = Window::at::<S>(edges.below::<S>());
        }
    }

    /// Moves what the windows of a strip have gathered to the sums.
    fn empty(&mut self, strip: Strip) {
        for windows in [&mut self.strips, &mut self.below] {
            if let Some(window) = windows.get_mut(strip.number) {
                S::run(self.set, Empty::<S> { window, sums: &mut self.sums, strip });
            }
        }
    }

    /// The sums, and the number of missing cells of each column; all are zero afterwards.
    pub(crate) fn finish(&mut self) -> (S::Sums, ExactSums) {
        S::run(self.set, EmptyAll { windows: self });
        let sums = std::mem::replace(&mut self.sums, S::Sums::of_columns(self.n_columns));
        (sums, std::mem::replace(&mut self.missing, ExactSums::new(self.n_columns)))
    }
}
