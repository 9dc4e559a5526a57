//! Codes of one byte: counted in a table of small integers, and looked up in one of logarithms.
//!
//! Nothing is computed for a cell but its place. A row is read once, and the tables of 20 columns of 16 categories fit
//! into the first-level cache: a count takes about one step of the processor, a look-up for eight classes two.

use super::{FittedCategorical, Unseen};
use crate::{
    Codes, Estimates, ExactSums,
    instructions::{Code, Kernel, LANES},
};

/// The most bytes that a table may take.
const LARGEST_TABLE: usize = 1 << 24;

/// How often each class has each code in each column.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    n_columns: usize,
    /// Places for so many codes lie between the columns: 16, 64 or 256.
    stride: usize,
    n_rows: u64,
    /// By class.
    counts: Vec<Vec<u32>>,
}

impl Histogram {
    pub(super) fn new(n_columns: usize) -> Self {
        Self { n_columns, stride: 16, ..Self::default() }
    }

    /// Adds the rows of all classes; whether there was room.
    pub(super) fn add<'a>(
        &mut self,
        codes: &Codes<'_>,
        n_classes: usize,
        rows_of_class: impl Fn(usize) -> &'a [u32],
    ) -> bool {
        let largest = usize::from(largest(codes));
        let stride = [16, 64].into_iter().find(|&stride| largest < stride).unwrap_or(256);
        let stride = stride.max(self.stride);
        self.n_rows += codes.n_rows() as u64;
        if self.n_rows > u64::from(u32::MAX) || self.n_columns * stride * n_classes > LARGEST_TABLE / 4 {
            return false;
        }
        if stride > self.stride {
            for counts in &mut self.counts {
                let mut wider = vec![0; self.n_columns * stride];
                let columns = wider.chunks_exact_mut(stride).zip(counts.chunks_exact(self.stride));
                columns.for_each(|(to, from)| to[..from.len()].copy_from_slice(from));
                *counts = wider;
            }
            self.stride = stride;
        }
        self.counts.resize_with(n_classes, || vec![0; self.n_columns * stride]);
        for (class, counts) in self.counts.iter_mut().enumerate() {
            let rows = rows_of_class(class);
            match stride {
                16 => count::<16>(counts, codes, rows),
                64 => count::<64>(counts, codes, rows),
                _ => count::<256>(counts, codes, rows),
            }
        }
        true
    }

    /// Moves the counts of a class to its sums, one vector for each column.
    pub(super) fn take(&mut self, class: usize, sums: &mut [ExactSums]) {
        let Some(counts) = self.counts.get_mut(class) else { return };
        let counts = std::mem::take(counts);
        for (sums, counts) in sums.iter_mut().zip(counts.chunks_exact(self.stride)) {
            let len = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
            sums.grow(len);
            for (code, &count) in counts[..len].iter().enumerate() {
                sums.add(code, f64::from(count));
            }
        }
    }
}

/// Adds rows whose codes are below `S`, a power of two. Neighbouring cells have counts of their own, so that one
/// addition does not wait for another.
fn count<const S: usize>(counts: &mut [u32], codes: &Codes<'_>, rows: &[u32]) {
    let (counts, _) = counts.as_chunks_mut::<S>();
    for &row in rows {
        for (counts, &code) in counts.iter_mut().zip(codes.row(row as usize)) {
            counts[usize::from(code) & (S - 1)] += 1;
        }
    }
}

/// Turns values into codes of one byte, if all are such.
pub(super) struct ToCodes<'a> {
    pub(super) values: &'a [f64],
    pub(super) codes: &'a mut Vec<u8>,
}

impl Kernel for ToCodes<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Code>(self) -> bool {
        /// Adding it rounds to whole numbers, and leaves them in the lowest bits.
        const SHIFTER: f64 = (1_u64 << 52) as f64;
        let Self { values, codes } = self;
        codes.resize(values.len(), 0);
        let mut wrong = [0.0; LANES];
        let mut turn = |lane: usize, value: f64| {
            let shifted = value + SHIFTER;
            let is_code = shifted - SHIFTER == value && (0.0..=255.0).contains(&value);
            wrong[lane] = if is_code { wrong[lane] } else { 1.0 };
            shifted.to_bits() as u8
        };
        let (strips, rest) = values.as_chunks::<LANES>();
        let (codes, rest_of_codes) = codes.as_chunks_mut::<LANES>();
        for (values, codes) in strips.iter().zip(codes) {
            for lane in 0..LANES {
                codes[lane] = turn(lane, values[lane]);
            }
        }
        for (&value, code) in rest.iter().zip(rest_of_codes) {
            *code = turn(0, value);
        }
        wrong == [0.0; LANES]
    }
}

/// What each code of each column adds to the classes, eight classes at a time.
#[derive(Clone, Debug)]
pub(super) struct Lookup {
    n_classes: usize,
    n_columns: usize,
    /// Entries of each column: 16, 32, 64 or 256.
    stride: usize,
    /// By vector of classes, column and code. Not a number where a code is refused.
    entries: Vec<[f64; LANES]>,
    /// How wrong a plain sum of one entry of each column can be.
    error: f64,
}

impl Lookup {
    /// `None` if the table would be too large.
    pub(super) fn new(fitted: &FittedCategorical) -> Option<Self> {
        let n_columns = fitted.columns.len();
        let n_classes = fitted.columns.first()?.log_probabilities.ncols();
        let n_codes = fitted.columns.iter().map(|column| column.categories.len()).max()?;
        let stride = [16, 32, 64].into_iter().find(|&stride| n_codes <= stride).unwrap_or(256);
        let vectors = n_classes.div_ceil(LANES);
        if vectors.checked_mul(n_columns)?.checked_mul(stride)? > LARGEST_TABLE / size_of::<[f64; LANES]>() {
            return None;
        }
        let mut entries = Vec::with_capacity(vectors * n_columns * stride);
        for first in (0..n_classes).step_by(LANES) {
            for column in &fitted.columns {
                for code in 0..stride {
                    let entry = match column.category(code as f64) {
                        Some(category) => std::array::from_fn(|lane| {
                            column.log_probabilities.get([category, first + lane]).map_or(0.0, |&log| log)
                        }),
                        None if fitted.unseen == Unseen::Error => [f64::NAN; LANES],
                        None => [0.0; LANES],
                    };
                    entries.push(entry);
                }
            }
        }
        // Each addition rounds by half a unit of the largest size that sums can have; twice as much covers what is added
        // to them and how the scores round.
        let size = |entries: &[[f64; LANES]]| {
            let finite = entries.as_flattened().iter().filter(|entry| entry.is_finite());
            finite.fold(0.0, |largest, entry| f64::max(largest, entry.abs()))
        };
        let sizes: f64 = entries.chunks_exact(stride).map(size).sum();
        let error = (n_columns as f64 + 16.0) * f64::EPSILON * sizes;
        Some(Self { n_classes, n_columns, stride, entries, error })
    }
}

impl Lookup {
    /// Whether there are entries for all codes.
    pub(super) fn has_all(&self, codes: &Codes<'_>) -> bool {
        usize::from(largest(codes)) < self.stride
    }
}

/// The largest code.
fn largest(codes: &Codes<'_>) -> u8 {
    codes.cells().iter().fold(0, |largest, &code| largest.max(code))
}

/// Estimates the scores of rows of codes for which there are entries.
pub(super) struct Estimate<'a, 'b> {
    pub(super) lookup: &'a Lookup,
    pub(super) codes: &'a Codes<'a>,
    pub(super) estimates: &'a mut Estimates<'b>,
}

impl Kernel for Estimate<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { lookup, codes, estimates } = self;
        match lookup.stride {
            16 => add_all::<16>(lookup, codes, estimates),
            32 => add_all::<32>(lookup, codes, estimates),
            64 => add_all::<64>(lookup, codes, estimates),
            _ => add_all::<256>(lookup, codes, estimates),
        }
        // The sums were added to what was there before.
        estimates.add_rounding(1);
    }
}

/// Adds the sums of all rows, eight rows and eight classes at a time. `S` is the stride.
#[inline(always)]
fn add_all<const S: usize>(lookup: &Lookup, codes: &Codes<'_>, estimates: &mut Estimates<'_>) {
    let Lookup { n_classes, n_columns, error, .. } = *lookup;
    let (entries, _) = lookup.entries.as_chunks::<S>();
    for (vector, entries) in entries.chunks_exact(n_columns).enumerate() {
        let classes = vector * LANES..n_classes.min((vector + 1) * LANES);
        for first_row in (0..codes.n_rows()).step_by(LANES) {
            // Rows beyond the last are the last once more.
            let row = |row: usize| codes.row((first_row + row).min(codes.n_rows() - 1));
            let first_half = sum_rows([row(0), row(1), row(2), row(3)], entries);
            let second_half = sum_rows([row(4), row(5), row(6), row(7)], entries);
            let mut turned = [[0.0; LANES]; LANES];
            for lane in 0..LANES {
                for row in 0..4 {
                    turned[lane][row] = first_half[row][lane];
                    turned[lane][4 + row] = second_half[row][lane];
                }
            }
            add_turned(estimates, first_row, classes.clone(), &turned, error);
        }
    }
}

/// The sums of the entries of four rows: so many that additions need not wait for each other, and so few that the loop
/// stays in registers.
#[inline(always)]
fn sum_rows<const S: usize>([a, b, c, d]: [&[u8]; 4], entries: &[[[f64; LANES]; S]]) -> [[f64; LANES]; 4] {
    let mut sums = [[0.0; LANES]; 4];
    for ((((entries, &a), &b), &c), &d) in entries.iter().zip(a).zip(b).zip(c).zip(d) {
        let mut add = |row: usize, code: u8| {
            let entry = &entries[usize::from(code) & (S - 1)];
            for lane in 0..LANES {
                sums[row][lane] += entry[lane];
            }
        };
        add(0, a);
        add(1, b);
        add(2, c);
        add(3, d);
    }
    // The compiler shall not see that the sums are turned next, or it pairs up rows instead of classes (twice the time).
    std::hint::black_box(sums)
}

/// Adds the sums of eight rows, class by class, to the estimates.
#[inline(always)]
fn add_turned(
    estimates: &mut Estimates<'_>,
    first_row: usize,
    classes: std::ops::Range<usize>,
    sums: &[[f64; LANES]; LANES],
    error: f64,
) {
    for (class, sums) in classes.zip(sums) {
        let values = estimates.class_mut(class);
        let values = &mut values[first_row..];
        match values.first_chunk_mut::<LANES>() {
            Some(full) => {
                let mut totals = *full;
                totals.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
                *full = totals;
            }
            None => values.iter_mut().zip(sums).for_each(|(value, sum)| *value += sum),
        }
    }
    // A code that is refused makes all classes not a number.
    let errors = sums[0].map(|sum| if sum.is_nan() { f64::INFINITY } else { error });
    estimates.add_errors(first_row, &errors);
}
