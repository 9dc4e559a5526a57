//! The sums of sparse rows under construction: integers of 32 bits, class after class.
//!
//! The sums of one class, 400 kB in a text model of 100,000 words, stay in the second-level cache while its
//! rows of a chunk are added, where a table of all classes would not, nor everywhere one of doubles. The rows
//! of a class lie apart, so that each is prefetched while those before it are added.

use crate::kernels::linear::scores::{Above, Count, Value};
use nb_simd::{InstructionSet, Isa, Kernel};

use crate::{
    data::{Index, Indices, Sparse, ask_for, number},
    model::ClassRows,
};

/// Whole numbers below this are gathered.
const COUNTS_BELOW: u64 = 1 << 20;

/// Number of rows gathered, each with at most one value in a column: a sum stays below `2^20 2^32`, and
/// doubles that are whole numbers below `2^53` do not round.
const MOST_ROWS: u64 = 1 << 32;

/// What fits into 32 bits.
const MOST: u64 = u32::MAX as u64;

/// With more classes than this, few rows of a chunk share one, and the sums themselves are as good.
const MOST_CLASSES: usize = 256;

/// How many rows ahead cells are prefetched.
const AHEAD: usize = 2;

/// What is counted of cells as a whole number.
pub(crate) trait CellCount: Count {
    /// Zero if the number is below [`COUNTS_BELOW`], else some bits.
    fn defects(self, value: f64) -> u64;

    /// The number, if there are no defects.
    fn whole(self, value: f64) -> u32;
}

/// Adding `2^52` rounds to whole numbers, and leaves them in the last bits.
const SHIFTER: f64 = (1_u64 << 52) as f64;

impl CellCount for Value {
    #[inline(always)]
    fn defects(self, value: f64) -> u64 {
        // What is negative, too large, or not a number changes some of the first bits.
        let shifted = value + SHIFTER;
        let whole = shifted - SHIFTER;
        (whole.to_bits() ^ value.to_bits()) | ((shifted.to_bits() ^ SHIFTER.to_bits()) & !(COUNTS_BELOW - 1))
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the bits that are cut off are those of 2^52")]
    fn whole(self, value: f64) -> u32 {
        (value + SHIFTER).to_bits() as u32
    }
}

impl CellCount for Above {
    #[inline(always)]
    fn defects(self, value: f64) -> u64 {
        u64::from(!value.is_finite())
    }

    #[inline(always)]
    fn whole(self, value: f64) -> u32 {
        u32::from(self.count(value) > 0.0)
    }
}

/// Whether all cells can be counted.
#[inline(always)]
pub(crate) fn are_countable(values: &[f64], count: impl CellCount) -> bool {
    values.iter().fold(0, |defects, &value| defects | count.defects(value)) == 0
}

/// Whole counts by class and column.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    n_columns: usize,
    n_rows: u64,
    classes: Vec<Class>,
    filled: SumBound,
}

/// The sums of a class, in two parts; both are empty for a class without rows, and the first until the second
/// was moved there.
#[derive(Debug, Default)]
struct Class {
    moved: Vec<f64>,
    sums: Vec<u32>,
}

/// How large integer sums can have become: no larger than the rows times the bits.
#[derive(Clone, Copy, Debug, Default)]
struct SumBound {
    n_rows: u64,
    /// All bits of all numbers, which together are no less than each of them.
    bits: u32,
}

impl SumBound {
    /// With one row more; whether there is room for it.
    #[inline(always)]
    fn add(&mut self, bits: u32) -> bool {
        let filled = Self { n_rows: self.n_rows + 1, bits: self.bits | bits };
        let has_room = filled.n_rows * u64::from(filled.bits) <= MOST;
        if has_room {
            *self = filled;
        }
        has_room
    }
}

/// Why rows were not added.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stop {
    /// A cell cannot be counted.
    Uncountable,
    /// Sums could become too large.
    Full,
}

impl Cells {
    pub(crate) fn new(n_columns: usize) -> Self {
        Self { n_columns, ..Self::default() }
    }

    /// Adds the count of every stored cell. If one cannot be counted, or there is no room, nothing is added,
    /// and the answer is `false`.
    pub(crate) fn add(
        &mut self,
        set: InstructionSet,
        block: &Sparse<'_>,
        rows: &ClassRows<'_>,
        count: impl CellCount,
    ) -> bool {
        self.n_rows += rows.order.len() as u64;
        if rows.n_classes() > MOST_CLASSES || self.n_rows > MOST_ROWS {
            return false;
        }
        self.classes.resize_with(rows.n_classes(), Class::default);
        for (number, class) in self.classes.iter_mut().enumerate() {
            if class.sums.is_empty() && !rows.of_class(number).is_empty() {
                class.sums = vec![0; self.n_columns];
            }
        }
        let mut added = self.add_once(set, block, rows, count);
        if added == Err(Stop::Full) && self.filled.n_rows > 0 {
            self.move_all();
            added = self.add_once(set, block, rows, count);
        }
        added.is_ok()
    }

    fn add_once(
        &mut self,
        set: InstructionSet,
        block: &Sparse<'_>,
        rows: &ClassRows<'_>,
        count: impl CellCount,
    ) -> Result<(), Stop> {
        match block.columns {
            Indices::Usize(columns) => self.add_all(set, block, columns, rows, count),
            Indices::I32(columns) => self.add_all(set, block, columns, rows, count),
        }
    }

    fn add_all<I: Index>(
        &mut self,
        set: InstructionSet,
        block: &Sparse<'_>,
        columns: &[I],
        rows: &ClassRows<'_>,
        count: impl CellCount,
    ) -> Result<(), Stop> {
        let mut filled = self.filled;
        let classes = &mut self.classes[..];
        let (added, stop) = set.run(AddRows { classes, block, columns, rows, count, filled: &mut filled });
        let Some(stop) = stop else {
            self.filled = filled;
            return Ok(());
        };
        // Exact like the additions, so that nothing stays behind.
        let classes = &mut self.classes[..];
        take_off(classes, block, columns, rows, count, added);
        Err(stop)
    }

    /// Moves all sums to where there is more room.
    fn move_all(&mut self) {
        for class in &mut self.classes {
            class.moved = class.take();
            class.sums = vec![0; class.moved.len()];
        }
        self.filled = SumBound::default();
    }

    /// The sums of a class, once; `None` if it has none.
    pub(crate) fn take(&mut self, class: usize) -> Option<Vec<f64>> {
        self.classes.get_mut(class).map(Class::take).filter(|sums| !sums.is_empty())
    }
}

impl Class {
    /// All sums; none are left.
    fn take(&mut self) -> Vec<f64> {
        let (mut moved, sums) = (std::mem::take(&mut self.moved), std::mem::take(&mut self.sums));
        if moved.is_empty() {
            return sums.into_iter().map(f64::from).collect();
        }
        for (moved, sum) in moved.iter_mut().zip(sums) {
            *moved += f64::from(sum);
        }
        moved
    }
}

/// Adds rows, up to one that has a cell that cannot be counted or for which there is no room; how many were
/// added, and why not all.
struct AddRows<'a, I, K> {
    classes: &'a mut [Class],
    block: &'a Sparse<'a>,
    /// The column numbers of the block.
    columns: &'a [I],
    rows: &'a ClassRows<'a>,
    count: K,
    filled: &'a mut SumBound,
}

impl<I: Index, K: CellCount> Kernel for AddRows<'_, I, K> {
    type Output = (usize, Option<Stop>);

    #[inline(always)]
    fn run<C: Isa>(self) -> Self::Output {
        let Self { classes, block, columns, rows, count, filled } = self;
        let mut place = 0;
        for (class, sums) in classes.iter_mut().enumerate() {
            let sums = &mut sums.sums[..];
            for &row in rows.of_class(class) {
                if let Some(&next) = rows.order.get(place + AHEAD) {
                    ask_for(columns, block.values, block.cells(next as usize));
                }
                let cells = block.cells(row as usize);
                let (columns, values) = (&columns[cells.clone()], &block.values[cells]);
                if !are_countable(values, count) {
                    return (place, Some(Stop::Uncountable));
                }
                if !filled.add(values.iter().fold(0, |bits, &value| bits | count.whole(value))) {
                    return (place, Some(Stop::Full));
                }
                for (&column, &value) in columns.iter().zip(values) {
                    sums[number(column)] += count.whole(value);
                }
                place += 1;
            }
        }
        (place, None)
    }
}

/// Takes rows off again, up to a place in their order.
fn take_off<I: Index>(
    classes: &mut [Class],
    block: &Sparse<'_>,
    columns: &[I],
    rows: &ClassRows<'_>,
    count: impl CellCount,
    end: usize,
) {
    let mut place = 0;
    for (class, Class { sums, .. }) in classes.iter_mut().enumerate() {
        for &row in rows.of_class(class) {
            if place == end {
                return;
            }
            let cells = block.cells(row as usize);
            for (&column, &value) in columns[cells.clone()].iter().zip(&block.values[cells]) {
                sums[number(column)] -= count.whole(value);
            }
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Block, CsrView, Rows};

    /// Adds three rows with one, two and three cells; whether they were added.
    fn add<I: Index>(cells: &mut Cells, set: InstructionSet, index: fn(u32) -> I, values: &[f64; 6]) -> bool {
        let indptr = [0, 1, 3, 6].map(index);
        let columns = [1, 0, 2, 0, 1, 2].map(index);
        let view = CsrView::new(3, &indptr, &columns, values).expect("three rows");
        let block = view.block(0..3).expect("a block can refer to such numbers");
        let Block::Sparse(sparse) = block else { unreachable!("the rows are sparse") };
        let rows = ClassRows { block, order: &[2, 0, 1], ends: &[1, 1, 3], continues: false };
        cells.add(set, &sparse, &rows, Value)
    }

    #[test]
    fn rows_are_added_together_or_not_at_all() {
        let good = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let odd = [0.5, -1.0, f64::NAN, f64::INFINITY, 1_048_576.0, 1e300];
        for set in InstructionSet::ALL {
            let mut cells = Cells::new(3);
            assert!(add(&mut cells, set, |index| index as usize, &good));
            for place in 0..6 {
                let mut bad = good;
                bad[place] = odd[place];
                assert!(!add(&mut cells, set, |index| index as usize, &bad));
                assert!(!add(&mut cells, set, |index| i32::try_from(index).expect("a small number"), &bad));
            }
            assert!(add(&mut cells, set, |index| i32::try_from(index).expect("a small number"), &good));
            assert_eq!(cells.take(0), Some(vec![8.0, 10.0, 12.0]));
            assert_eq!(cells.take(1), None);
            assert_eq!(cells.take(2), Some(vec![4.0, 2.0, 6.0]));
            assert_eq!([cells.take(2), cells.take(3)], [None, None]);
        }
    }

    #[test]
    fn sums_of_more_than_32_bits_are_as_good() {
        let set = InstructionSet::current();
        let index = |index: u32| index as usize;
        let (most, mut bad) = ([1_048_575.0; 6], [1_048_575.0; 6]);
        bad[3] = 0.5;
        let mut cells = Cells::new(3);
        for _ in 0..3000 {
            assert!(add(&mut cells, set, index, &most));
            assert!(!add(&mut cells, set, index, &bad));
        }
        // One of three rows a time is in class 0, and the other two in class 2.
        let once = 3000.0 * 1_048_575.0;
        assert_eq!(cells.take(0), Some(vec![once; 3]));
        assert_eq!(cells.take(2), Some(vec![once, once, once]));
        // Few rows with large numbers after many with small ones.
        let mut cells = Cells::new(3);
        cells.filled = SumBound { n_rows: 1 << 31, bits: 1 };
        assert!(add(&mut cells, set, index, &most));
        assert_eq!(cells.take(0), Some(vec![1_048_575.0; 3]));
        // More than there is ever room for.
        assert!(!SumBound { n_rows: 4096, bits: 0 }.add(1_048_576));
    }
}
