//! Codes of one byte: made of other numbers, and counted in a table of small integers.
//!
//! Nothing is computed for a cell but its place. A row is read once, and the table for 20 columns of 16
//! categories fits into the first-level cache: a count takes about one step of the processor.

use nb_simd::{InstructionSet, Isa, Kernel, LANES, Vector};

use exact_sums::ExactSums;

use crate::data::Dense;

/// The most bytes that a table may take.
pub(crate) const LARGEST_TABLE: usize = 1 << 24;

/// How often each class has each code in each column.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    n_columns: usize,
    /// Places for this many codes lie between the columns: 16, 64 or 256.
    stride: usize,
    n_rows: u64,
    /// By class.
    counts: Vec<Vec<u32>>,
}

impl Histogram {
    pub(crate) fn new(n_columns: usize) -> Self {
        Self { n_columns, stride: 16, ..Self::default() }
    }

    /// Adds the rows of all classes; whether there was room.
    pub(crate) fn add<'a>(
        &mut self,
        codes: &Dense<'_, u8>,
        n_classes: usize,
        rows_of_class: impl Fn(usize) -> &'a [u32],
    ) -> bool {
        let largest = usize::from(InstructionSet::current().run(Largest { codes }));
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
    pub(crate) fn take(&mut self, class: usize, sums: &mut [ExactSums]) {
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

/// Adds rows whose codes are below `S`, a power of two. Neighbouring cells have their own counts, so that one
/// addition does not wait for another.
fn count<const S: usize>(counts: &mut [u32], codes: &Dense<'_, u8>, rows: &[u32]) {
    let (counts, _) = counts.as_chunks_mut::<S>();
    for &row in rows {
        for (counts, &code) in counts.iter_mut().zip(codes.row(row as usize)) {
            counts[usize::from(code) & (S - 1)] += 1;
        }
    }
}

/// Turns values into codes of one byte, if all are such.
pub(crate) struct ToCodes<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) codes: &'a mut Vec<u8>,
}

impl Kernel for ToCodes<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Isa>(self) -> bool {
        /// Adding it rounds to whole numbers, and leaves them in the lowest bits.
        const SHIFTER: f64 = (1_u64 << 52) as f64;
        let Self { values, codes } = self;
        codes.resize(values.len(), 0);
        let shifter = C::Vector::splat(SHIFTER);
        let zero = C::Vector::splat(0.0);
        let (mut most, mut wrong) = (zero, zero);
        let (strips, rest) = values.as_chunks::<LANES>();
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        for strip in strips.iter().chain([&last]) {
            let value = C::Vector::load(strip);
            let (size, whole) = (value.abs(), value.add(shifter).sub(shifter));
            most = most.max(size);
            // Nothing for whole numbers of at least zero, else more; not a number for what is none.
            wrong = wrong.add(whole.sub(value).abs()).add(size.sub(value));
        }
        // In its own loop: where integers and doubles are in one, the compiler takes them one by one.
        for (code, &value) in codes.iter_mut().zip(values) {
            *code = (value + SHIFTER).to_bits() as u8;
        }
        most.all_le(C::Vector::splat(255.0)) && wrong.all_le(zero)
    }
}

/// The largest code.
pub(crate) struct Largest<'a> {
    pub(crate) codes: &'a Dense<'a, u8>,
}

impl Kernel for Largest<'_> {
    type Output = u8;

    #[inline(always)]
    fn run<C: Isa>(self) -> u8 {
        let mut largest = 0;
        for &code in self.codes.values() {
            largest = u8::max(largest, code);
        }
        largest
    }
}
