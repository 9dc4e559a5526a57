//! Sums of columns by additions that are exact beforehand: the fast way to the same sums.
//!
//! # Idea
//! Nearly all values of a column lie in one *window*: at most `T = 2^e` in size and, unless zero, not far below it, so
//! that their last bits are known to be multiples of one number. A few plain sums then take all bits of [`MOST_ROWS`]
//! values without rounding; [`slices`](super::slices) has the arithmetic, this file keeps the books. What is got is
//! exact.
//!
//! ```text
//!  rows ──slices──▶ windows (plain sums, exact for 2048 rows) ──empty──▶ ExactSums
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
mod walk;

use std::ops::Range;

use batches::BATCH;
use kernels::{AddStrips, Empty, Sizes};
use left_out::AddLeftOut;
use strip::{MANY_STRAYS, Stray, Strip};

use super::{
    ExactSums,
    row_set::{Ahead, Cell, RowSet},
    slices::{Edges, Slices},
};
use crate::{
    Element, Missing,
    instructions::{Code, InstructionSet, Kernel, LANES},
    observable,
};

/// One value of each column of a strip.
pub(super) type Lanes = [f64; LANES];

/// How many rows can be added before a plain sum could round.
pub(super) const MOST_ROWS: usize = 1 << 11;

/// How many rows to walk through, strip after strip. Where they are far apart by a multiple of 512 bytes, the cells of one
/// column belong to a few sets of the nearest cache and drive each other out; a batch of rows has room there. Tables of
/// 4,096 columns take three fifths of the time that way.
fn most_rows<T: Cell>(rows: &RowSet<'_, T>) -> usize {
    const APART: usize = 512;
    let row_bytes = size_of::<T>() * rows.n_columns;
    let is_crowded = matches!(rows.ahead, Ahead::InRow) && row_bytes.is_multiple_of(APART);
    if is_crowded { BATCH } else { MOST_ROWS }
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

impl<P> Window<P> {
    /// At `edges`, without rows.
    fn at<S: Slices<Planes = P>>(edges: Edges) -> Self {
        Self { edges, planes: S::starts(&edges), rows: 0 }
    }
}

/// Exact sums of all columns under construction, for the rows of one class.
#[derive(Clone, Debug)]
pub(crate) struct Windows<S: Slices> {
    set: InstructionSet,
    n_columns: usize,
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
}

impl<S: Slices> Windows<S> {
    /// All sums zero.
    pub(crate) fn new(set: InstructionSet, n_columns: usize) -> Self {
        let window = Window { edges: Edges::NONE, planes: S::Planes::default(), rows: 0 };
        Self {
            set,
            n_columns,
            strips: vec![window; n_columns.div_ceil(LANES)],
            below: Vec::new(),
            sums: S::sums(n_columns),
            missing: ExactSums::new(n_columns),
            copy: Vec::new(),
            strays: Vec::new(),
            failed: Vec::new(),
            left_out: Vec::new(),
        }
    }

    fn strip(&self, number: usize) -> Strip {
        Strip::of(number, self.n_columns)
    }

    /// Adds rows; whether all their values can be observed (a missing one, where that is an error, cannot). If not,
    /// what is in here is of no use any more.
    pub(crate) fn add(&mut self, rows: &RowSet<'_, S::Cell>, missing: Missing) -> bool {
        rows.parts(most_rows(rows)).all(|rows| {
            let (rows, last) = rows.split_last();
            self.set.run(AddStrips { windows: self, rows: &rows, missing })
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

    /// Empties the window of a strip if it has had too many rows for so many more.
    #[inline(always)]
    fn make_room(&mut self, strip: Strip, n_rows: usize) {
        if self.strips[strip.number].rows + n_rows > MOST_ROWS {
            self.empty(strip);
        }
    }

    /// Adds the strays that were noted, and raises windows that are a little too low; whether all strays can be observed.
    fn add_strays(&mut self, missing: Missing) -> bool {
        let strays = std::mem::take(&mut self.strays);
        for &Stray { strip, lanes, values } in &strays {
            for (lane, value) in values.into_iter().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1) {
                if S::problem(value, missing).is_some() {
                    return false;
                }
                if value.is_nan() {
                    self.missing.add(strip.first + lane, 1.0);
                    continue;
                }
                S::add_one(&mut self.sums, strip.first + lane, value);
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
            self.below =
                self.strips.iter().map(|window| Window::at::<S>(window.edges.below::<S>())).collect();
            self.add_to_windows(strip, first, rows);
        }
    }

    /// The same with the windows that there are.
    fn add_to_windows<T: Cell>(&mut self, strip: Strip, first: usize, rows: &RowSet<'_, T>) {
        let Self { set, strips, below, strays, left_out, .. } = self;
        let (window, below) = (&mut strips[strip.number], below.get_mut(strip.number));
        set.run(AddLeftOut::<S, _> { rows, first, strip, window, below, strays, left_out });
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
        let edges = self.strips[strip.number].edges.moved_to::<S>(&copy);
        if edges != self.strips[strip.number].edges {
            self.empty(strip);
            self.place(strip, edges);
        }
        self.add_copy(strip, &mut copy);
        if !copy.is_empty() {
            S::add_slowly(&mut self.sums, first + own.start, copy.iter().map(|lanes| &lanes[own.clone()]));
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
            let start = row as usize * self.n_columns + first;
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
            if let Some(window) = windows.get_mut(strip.number).filter(|window| window.rows > 0) {
                self.set.run(Empty::<S> { window, sums: &mut self.sums, strip });
            }
        }
    }

    /// The sums, and the number of missing cells of each column; all are zero afterwards.
    pub(crate) fn finish(&mut self) -> (S::Sums, ExactSums) {
        for strip in 0..self.strips.len() {
            self.empty(self.strip(strip));
        }
        let sums = std::mem::replace(&mut self.sums, S::sums(self.n_columns));
        (sums, std::mem::replace(&mut self.missing, ExactSums::new(self.n_columns)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Counts, MomentSlices, SingleMoments, value::tests::doubles};
    use proptest::prelude::*;

    fn values() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => doubles(),
            4 => (-1000..1000_i32).prop_map(f64::from),
            4 => (-1.0..1.0_f64).prop_map(|x| 1e12 + x),
            4 => -1.0..1.0_f64,
            1 => Just(f64::NAN),
            1 => Just(-0.0),
        ]
    }

    /// Up to one, less a power of two of `n` that are `apart`.
    fn scaled(n: i32, apart: i32) -> impl Strategy<Value = f64> {
        (-1.0..1.0_f64, 0..n).prop_map(move |(value, times)| value * 2.0_f64.powi(-times * apart))
    }

    /// The sums, the sums of squares and the numbers of missing cells, one value at a time.
    fn slowly(rows: &[f64], n_columns: usize) -> [ExactSums; 3] {
        let mut sums = [(); 3].map(|()| ExactSums::new(n_columns));
        for row in rows.chunks_exact(n_columns) {
            for (column, &value) in row.iter().enumerate() {
                if value.is_nan() {
                    sums[2].add(column, 1.0);
                } else {
                    sums[0].add(column, value);
                    sums[1].add_product(column, value, value);
                }
            }
        }
        sums
    }

    /// Every set of instructions, with every order in which strips are added.
    fn ways() -> impl Iterator<Item = (InstructionSet, Ahead)> {
        InstructionSet::ALL.into_iter().flat_map(|set| {
            [Ahead::Nothing, Ahead::Following(3), Ahead::InRow].map(move |ahead| (set, ahead))
        })
    }

    proptest! {
        #[test]
        fn windows_equal_one_addition_at_a_time(
            n_columns in 1..20_usize,
            cells in prop_oneof![
                prop::collection::vec(values(), 20 * 90),
                prop::collection::vec(-1.0..1.0_f64, 20 * 90),
                prop::collection::vec((0..100_u32).prop_map(f64::from), 20 * 90),
                // Of two windows, of many, and of windows that move down.
                prop::collection::vec(scaled(3, 10), 20 * 90),
                prop::collection::vec(scaled(8, 25), 20 * 90),
                prop::collection::vec(-1.0..1.0_f64, 20 * 90).prop_map(|mut cells| {
                    cells.iter_mut().zip(0..).for_each(|(cell, place)| *cell *= 2.0_f64.powi(place / 300 * -12));
                    cells
                }),
            ],
            n_rows in 0..90_u32,
            cut in 0..90_u32,
        ) {
            let cells = &cells[..n_rows as usize * n_columns];
            let [sums, squares, missing] = slowly(cells, n_columns);
            let numbers: Vec<u32> = (0..n_rows).collect();
            let (first, second) = numbers.split_at(cut.min(n_rows) as usize);
            for (set, ahead) in ways() {
                let of = |rows| RowSet { values: cells, n_columns, rows, ahead };
                let mut windows = Windows::<MomentSlices>::new(set, n_columns);
                prop_assert!(windows.add(&of(second), Missing::Skip));
                prop_assert!(windows.add(&of(first), Missing::Skip));
                prop_assert_eq!(windows.finish(), ([sums.clone(), squares.clone()], missing.clone()));
                // After that they are empty.
                prop_assert!(windows.add(&of(second), Missing::Skip));
                prop_assert!(windows.add(&of(first), Missing::Skip));
                prop_assert_eq!(windows.finish(), ([sums.clone(), squares.clone()], missing.clone()));
                if !missing.is_zero() {
                    prop_assert!(!windows.add(&of(&numbers), Missing::Error));
                }

                // What is in other rows does not matter.
                let some_missing = cells[..first.len() * n_columns].iter().any(|value| value.is_nan());
                let mut windows = Windows::<MomentSlices>::new(set, n_columns);
                prop_assert_eq!(windows.add(&of(first), Missing::Error), !some_missing);

                let mut windows = Windows::<Counts>::new(set, n_columns);
                let negative = cells.iter().any(|&value| value < 0.0);
                prop_assert_eq!(windows.add(&of(&numbers), Missing::Skip), !negative);
                if !negative {
                    prop_assert_eq!(windows.finish(), (sums.clone(), missing.clone()));
                }
            }
        }
    }

    fn singles() -> impl Strategy<Value = f32> {
        prop_oneof![
            8 => (any::<u32>(), -20..3_i32).prop_map(|(bits, exponent)| {
                (1.0 + (bits >> 9) as f32 * f32::EPSILON) * 2.0_f32.powi(exponent)
            }),
            8 => -1.0..1.0_f32,
            2 => (-1000..1000_i16).prop_map(f32::from),
            1 => prop::sample::select(vec![f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -1e-45, 0.0, -0.0, f32::NAN]),
        ]
    }

    proptest! {
        #[test]
        fn windows_of_singles_equal_one_addition_at_a_time(
            n_columns in 1..20_usize,
            cells in prop_oneof![
                prop::collection::vec(singles(), 20 * 90),
                prop::collection::vec(0.01..1.0_f32, 20 * 90),
            ],
            n_rows in 0..90_u32,
        ) {
            let cells = &cells[..n_rows as usize * n_columns];
            let wide: Vec<f64> = cells.iter().map(|&value| f64::from(value)).collect();
            let [sums, squares, missing] = slowly(&wide, n_columns);
            let numbers: Vec<u32> = (0..n_rows).collect();
            for (set, ahead) in ways() {
                let of = |rows| RowSet { values: cells, n_columns, rows, ahead };
                let mut windows = Windows::<SingleMoments>::new(set, n_columns);
                prop_assert!(windows.add(&of(&numbers), Missing::Skip));
                prop_assert_eq!(windows.finish(), ([sums.clone(), squares.clone()], missing.clone()));
                if !missing.is_zero() {
                    prop_assert!(!windows.add(&of(&numbers), Missing::Error));
                }
            }
        }
    }

    /// Mantissas full of ones, `largest` being one at the top of the window, of all sizes that fit it, and in one column of
    /// all that fit the one below, too.
    fn full(row: u32, column: u32, largest: f64, sizes: u32) -> f64 {
        match column {
            0 => largest,
            1 if row.is_multiple_of(2) => largest,
            1 => -largest,
            2 => largest * 2.0_f64.powi(-(row % sizes).cast_signed()),
            3 if row == 0 => largest,
            3 => largest * 2.0_f64.powi(1 - sizes.cast_signed()),
            4 => largest * 2.0_f64.powi(-(15 * row % (2 * sizes)).cast_signed()),
            // The largest first, as a window is placed by what comes first.
            _ => f64::from(1000 - row % 1000) / 1024.0,
        }
    }

    /// Adds many more rows than fit a window, from a table of nine columns, and compares.
    fn check_full<S: Slices<Sums = [ExactSums; 2]>>(cells: &[S::Cell]) {
        let wide: Vec<f64> = cells.iter().map(|cell| cell.to_f64()).collect();
        let [sums, squares, _] = slowly(&wide, 9);
        let numbers: Vec<u32> = (0..cells.len() as u32 / 9).collect();
        for (set, ahead) in ways() {
            let of = |rows| RowSet { values: cells, n_columns: 9, rows, ahead };
            let mut windows = Windows::<S>::new(set, 9);
            assert!(windows.add(&of(&numbers[..MOST_ROWS]), Missing::Error));
            assert!(windows.sums.iter().all(ExactSums::is_zero), "{set:?}: all fits the windows");
            for some in numbers[MOST_ROWS..].chunks(999) {
                assert!(windows.add(&of(some), Missing::Error));
            }
            let ([found, found_squares], _) = windows.finish();
            assert!(found == sums && found_squares == squares, "{set:?}");
        }
    }

    #[test]
    fn full_windows_do_not_round() {
        let cells = |largest: f64, sizes: u32| {
            (0..3 * MOST_ROWS as u32 + 77)
                .flat_map(move |row| (0..9).map(move |column| full(row, column, largest, sizes)))
        };
        check_full::<MomentSlices>(&cells(2.0 - f64::EPSILON, 14).collect::<Vec<_>>());
        let largest = f64::from(2.0 - f32::EPSILON);
        check_full::<SingleMoments>(&cells(largest, 17).map(|value| value as f32).collect::<Vec<_>>());
    }

    #[test]
    fn windows_of_narrow_tables_are_never_too_full() {
        for n_columns in 1..LANES {
            let cells: Vec<f64> =
                (0..3 * MOST_ROWS * n_columns).map(|cell| (cell % 7) as f64 + 1.0).collect();
            let last = (cells.len() / n_columns) as u32;
            for (set, ahead) in ways() {
                let mut windows = Windows::<MomentSlices>::new(set, n_columns);
                let of = |rows| RowSet { values: &cells, n_columns, rows, ahead };
                // The last rows of the table are added apart, to a window that is full but for a few.
                let most: Vec<u32> = (0..MOST_ROWS as u32 - 3).collect();
                assert!(windows.add(&of(&most), Missing::Error));
                let few: Vec<u32> = (last - (LANES / n_columns) as u32..last).collect();
                for _ in 0..LANES {
                    assert!(windows.add(&of(&few), Missing::Error));
                    assert!(windows.strips[0].rows <= MOST_ROWS, "{n_columns} columns, {set:?}");
                }
            }
        }
    }

    #[test]
    fn whole_numbers_stay_in_one_plane() {
        let cells: Vec<f64> = (0..3000).map(|value| f64::from(value % 50)).collect();
        let numbers: Vec<u32> = (0..300).collect();
        let mut windows = Windows::<MomentSlices>::new(InstructionSet::current(), 10);
        let rows = RowSet { values: &cells, n_columns: 10, rows: &numbers, ahead: Ahead::Nothing };
        assert!(windows.add(&rows, Missing::Error));
        let ([sums, squares], _) = windows.finish();
        assert!(!sums.has_rounding_planes() && !squares.has_rounding_planes());
    }

    #[test]
    fn what_cannot_be_observed_is_refused() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200, 1e-200, -1e-310] {
            for column in [0, 7, 8, 12] {
                let mut cells = vec![0.5; 13 * 4];
                cells[13 * 2 + column] = value;
                for (set, ahead) in ways() {
                    let mut windows = Windows::<MomentSlices>::new(set, 13);
                    let rows = RowSet { values: &cells, n_columns: 13, rows: &[0, 1, 2, 3], ahead };
                    assert!(!windows.add(&rows, Missing::Error), "{value}");
                }
            }
        }
    }
}
