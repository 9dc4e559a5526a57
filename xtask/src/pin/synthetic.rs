//! Tables that are hard for the code: sizes at which it changes its way, and numbers that do not fit the
//! usual way.

use ndarray::Array2;

use super::table::Table;
use crate::splitmix::SplitMix64;

/// The widths around those of registers, strips and tiles.
const WIDTHS: [usize; 14] = [1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 37];

/// All of them.
pub(super) fn tables() -> Vec<Table> {
    let mut tables =
        vec![offsets(), sizes(), tiny(), missing(), bits(), wide(), wide_counts(), few(), one_class()];
    tables.extend([
        ties(),
        bytes(),
        many_rows(),
        many_counts(),
        many_classes(),
        many_categories(),
        fractions(),
    ]);
    tables.extend([one_row(), not_observable(), any_size(), any_count()]);
    tables.extend(WIDTHS.map(|n_columns| real(&format!("width_{n_columns}"), 333, n_columns, 3)));
    tables.extend(WIDTHS.map(|n_columns| counts(&format!("counts_width_{n_columns}"), 333, n_columns, 4, 9)));
    tables
}

/// Draws the labels first, then row after row.
fn drawn(
    name: &str,
    (n_rows, n_columns): (usize, usize),
    n_classes: usize,
    mut cell: impl FnMut(&mut SplitMix64, usize, usize) -> f64,
) -> Table {
    let mut random =
        SplitMix64(name.bytes().fold(1, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))));
    let labels: Vec<usize> = (0..n_rows).map(|_| below(&mut random, n_classes)).collect();
    let cells =
        Array2::from_shape_fn((n_rows, n_columns), |(row, column)| cell(&mut random, labels[row], column));
    Table::new(name, cells, &labels)
}

fn below(random: &mut SplitMix64, n: usize) -> usize {
    (random.next_u64() % n as u64) as usize
}

/// Normal numbers with a mean that depends on class and column.
fn real(name: &str, n_rows: usize, n_columns: usize, n_classes: usize) -> Table {
    drawn(name, (n_rows, n_columns), n_classes, |random, class, column| {
        0.3 * ((class * 7 + column) % 5) as f64 + random.normal()
    })
}

/// Whole numbers from 0 to below `most`, larger ones in some classes and columns.
fn counts(name: &str, n_rows: usize, n_columns: usize, n_classes: usize, most: usize) -> Table {
    drawn(name, (n_rows, n_columns), n_classes, |random, class, column| {
        let (first, second) = (below(random, most), below(random, most));
        if (class + column).is_multiple_of(3) { first.min(second) as f64 } else { first as f64 }
    })
}

/// Means far from zero, of either sign, so that squares lose all digits that matter.
fn offsets() -> Table {
    drawn("offsets", (700, 12), 3, |random, class, column| {
        // From 10^3 to 10^14, all of them exact; what `powi` gives is not laid down.
        let size = (0..column + 3).fold(1.0, |size, _| size * 10.0);
        let offset = if column % 2 == 0 { size } else { -size };
        offset + 0.1 * class as f64 + random.normal()
    })
}

/// Values of very different sizes in one column: most add up fast, and some do not.
fn sizes() -> Table {
    drawn("sizes", (1500, 10), 3, |random, class, _| {
        let value = random.normal() + class as f64;
        match below(random, 97) {
            0 => value * 1e60,
            1 => value * 1e-60,
            2..5 => value * 1e-7,
            5 => 0.0,
            _ => value,
        }
    })
}

/// Variances near the least that there are.
fn tiny() -> Table {
    drawn("tiny", (400, 6), 2, |random, class, _| 1e-100 * (class as f64 + random.normal()))
}

/// Every tenth cell is missing, and a column has no value in one class.
fn missing() -> Table {
    drawn("missing", (600, 11), 3, |random, class, column| {
        let value = below(random, 6) as f64;
        if below(random, 10) == 0 || (class, column) == (1, 4) { f64::NAN } else { value }
    })
}

/// Yes or no, often no.
fn bits() -> Table {
    drawn("bits", (900, 70), 4, |random, class, column| {
        f64::from(u8::from(random.uniform() < 0.1 + 0.2 * ((class + column) % 4) as f64))
    })
}

/// More columns than rows.
fn wide() -> Table {
    real("wide", 30, 2100, 3)
}

/// The same of counts, most of them zero.
fn wide_counts() -> Table {
    drawn("wide_counts", (50, 1700), 5, |random, class, column| {
        let is_there = random.uniform() < 0.03 + 0.01 * ((class + column) % 5) as f64;
        if is_there { 1.0 + below(random, 4) as f64 } else { 0.0 }
    })
}

/// Fewer rows than a tile has, and a class of one row.
fn few() -> Table {
    let cells =
        ndarray::array![[1.0, 2.0, 0.0], [2.0, 2.0, 1.0], [4.0, 0.0, 1.0], [0.0, 5.0, 0.0], [3.0, 1.0, 0.0]];
    Table::new("few", cells, &[0, 0, 1, 1, 2])
}

/// A single row.
fn one_row() -> Table {
    Table::new("one_row", ndarray::array![[1.0, 0.0, 2.0]], &[0])
}

/// A single class.
fn one_class() -> Table {
    counts("one_class", 200, 5, 1, 4)
}

/// Two classes with the same rows, and so the same scores.
fn ties() -> Table {
    let mut random = SplitMix64(77);
    let half = Array2::from_shape_fn((50, 9), |_| below(&mut random, 3) as f64);
    let cells = ndarray::concatenate![ndarray::Axis(0), half, half];
    let labels: Vec<usize> = (0..100).map(|row| row / 50).collect();
    Table::new("ties", cells, &labels)
}

/// All that a byte can be.
fn bytes() -> Table {
    counts("bytes", 1000, 33, 10, 256)
}

/// Rows enough for all that pays only for many.
fn many_rows() -> Table {
    real("many_rows", 9000, 18, 4)
}

/// The same of counts.
fn many_counts() -> Table {
    counts("many_counts", 7000, 18, 4, 16)
}

/// Classes enough for all that is done by class.
fn many_classes() -> Table {
    counts("many_classes", 700, 11, 100, 20)
}

/// Columns of up to a thousand categories, so that some tables are too long for registers and for bytes.
fn many_categories() -> Table {
    drawn("many_categories", (2500, 9), 4, |random, class, column| {
        let n = [2, 16, 17, 32, 33, 64, 65, 250, 1000][column];
        let first = below(random, n);
        if class % 2 == 0 { first as f64 } else { first.min(below(random, n)) as f64 }
    })
}

/// Counts that are not whole, as weighted terms are.
fn fractions() -> Table {
    drawn("fractions", (500, 40), 3, |random, class, column| {
        if below(random, 4) == 0 { 0.0 } else { random.uniform() * (1 + (class + column) % 3) as f64 }
    })
}

/// Real numbers whose squares, or sums, no double holds.
fn any_size() -> Table {
    drawn("any_size", (333, 11), 3, |random, class, column| {
        let unit = [1e-310, 1.0, 1e-160, 1e160, 1e307][column % 5];
        (0.3 * ((class * 7 + column) % 5) as f64 + random.normal()) * unit
    })
}

/// Counts of which sums leave the range of doubles.
fn any_count() -> Table {
    drawn("any_count", (333, 9), 3, |random, class, column| {
        let count = (below(random, 9) * (1 + (class + column) % 3)) as f64;
        count * [1.0, 2.0_f64.powi(500), 2.0_f64.powi(1018)][column % 3]
    })
}

/// A cell that no family takes.
fn not_observable() -> Table {
    let cells = ndarray::array![[1.0, 2.0], [2.0, f64::INFINITY], [0.0, 1.0]];
    Table::new("not_observable", cells, &[0, 1, 1])
}
