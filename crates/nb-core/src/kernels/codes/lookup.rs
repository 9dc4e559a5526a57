//! Codes of one byte, looked up in a table of logarithms, eight classes at a time.
//!
//! Nothing is computed for a cell but its place. A row is read once, and the table for 20 columns of 16
//! categories fits into the first-level cache: a look-up for eight classes takes about one step of the
//! processor.

use crate::kernels::codes::{
    column::Column,
    histogram::{LARGEST_TABLE, Largest},
    registers::InRegisters,
};
use nb_simd::{InstructionSet, Isa, Kernel, LANES, LANES_F32, Vector, add_compensated};

use crate::{
    data::Dense,
    kernels::{
        amortized::AmortizedLazy,
        by_class_vectors::{RowTerms, Sums},
    },
    model::Estimates,
};

/// What a code adds to eight classes. One line of the cache, as reading two halves would take twice the time.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Entry([f64; LANES]);

/// What each code of each column adds to the classes, eight classes at a time.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    n_classes: usize,
    n_columns: usize,
    /// Entries of each column: 16, 32, 64 or 256.
    stride: usize,
    /// By vector of classes, column and code. Not a number where a code is refused.
    entries: Vec<Entry>,
    /// Number of codes, from zero on, that every column accepts.
    n_known: usize,
    /// What the largest sizes of an entry of each column add up to.
    sizes: f64,
    /// How wrong a plain sum of one entry of each column can be.
    error: f64,
    /// The same in single precision, if that is good enough.
    in_registers: AmortizedLazy<Option<InRegisters>>,
}

impl Lookup {
    /// From the columns of a fitted family, which may refuse categories not seen in training; `None` if the
    /// table would be too large.
    pub(crate) fn new(columns: &[Column], refuses_unseen: bool) -> Option<Self> {
        let n_columns = columns.len();
        let n_classes = columns.first()?.log_probabilities.ncols();
        let n_codes = columns.iter().map(|column| column.categories.len()).max()?;
        let stride = [16, 32, 64].into_iter().find(|&stride| n_codes <= stride).unwrap_or(256);
        let vectors = n_classes.div_ceil(LANES);
        if vectors.checked_mul(n_columns)?.checked_mul(stride)? > LARGEST_TABLE / size_of::<Entry>() {
            return None;
        }
        let mut entries = Vec::with_capacity(vectors * n_columns * stride);
        for first in (0..n_classes).step_by(LANES) {
            for column in columns {
                for code in 0..stride {
                    let entry = match column.category(code as f64) {
                        Some(category) => std::array::from_fn(|lane| {
                            column.log_probabilities.get([category, first + lane]).map_or(0.0, |&log| log)
                        }),
                        None if refuses_unseen => [f64::NAN; LANES],
                        // No sum changes, not even that of negative zeros.
                        None => [-0.0; LANES],
                    };
                    entries.push(Entry(entry));
                }
            }
        }
        let known = |entries: &[Entry]| entries.iter().take_while(|entry| !entry.0[0].is_nan()).count();
        let n_known = entries.chunks_exact(stride).map(known).min().unwrap_or(0);
        // Each addition rounds by half a unit of the largest size that sums can have; twice as much covers
        // what is added to them and how the scores round.
        let size = |entries: &[Entry]| {
            let finite = entries.iter().flat_map(|entry| entry.0).filter(|entry| entry.is_finite());
            finite.fold(0.0, |largest, entry| f64::max(largest, entry.abs()))
        };
        let sizes: f64 = entries.chunks_exact(stride).map(size).sum();
        let error = (n_columns as f64 + 16.0) * f64::EPSILON * sizes;
        let in_registers = AmortizedLazy::default();
        Some(Self { n_classes, n_columns, stride, entries, n_known, sizes, error, in_registers })
    }

    /// The tables in registers for this many rows, where they are worth making, and registers wide enough to
    /// hold them. A row alone takes as long as sixteen.
    pub(crate) fn in_registers(&self, set: InstructionSet, n_rows: usize) -> Option<&InRegisters> {
        if set < InstructionSet::Avx512 || n_rows < LANES_F32 / 2 {
            return None;
        }
        let cost = 4 * self.stride;
        self.in_registers.get(n_rows, cost, || InRegisters::new(self))?.as_ref()
    }

    /// The number of classes and of columns.
    pub(crate) fn dim(&self) -> (usize, usize) {
        (self.n_classes, self.n_columns)
    }

    /// The number of codes for which there are entries.
    pub(crate) fn n_codes(&self) -> usize {
        self.stride
    }

    /// What the codes of a column, from zero on, add to a class.
    pub(crate) fn entries(&self, class: usize, column: usize) -> impl Iterator<Item = f64> {
        let start = (class / LANES * self.n_columns + column) * self.stride;
        self.entries[start..start + self.stride].iter().map(move |entry| entry.0[class % LANES])
    }

    /// How wrong a sum of one entry of each column can be, and what the largest sizes of these add up to.
    pub(crate) fn error_and_sizes(&self) -> (f64, f64) {
        (self.error, self.sizes)
    }
}

impl Lookup {
    /// Whether there are entries for all codes.
    pub(crate) fn has_all(&self, codes: &Dense<'_, u8>) -> bool {
        usize::from(InstructionSet::current().run(Largest { codes })) < self.stride
    }

    /// Whether surely no code is refused.
    pub(crate) fn knows_all(&self, codes: &Dense<'_, u8>) -> bool {
        usize::from(InstructionSet::current().run(Largest { codes })) < self.n_known
    }
}

/// Estimates the scores of rows of codes for which there are entries.
pub(crate) struct Estimate<'a, 'b> {
    pub(crate) lookup: &'a Lookup,
    pub(crate) codes: &'a Dense<'a, u8>,
    pub(crate) estimates: &'a mut Estimates<'b>,
}

impl Kernel for Estimate<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { lookup, codes, estimates } = self;
        match lookup.stride {
            16 => estimate_all::<C, 16>(lookup, codes, estimates),
            32 => estimate_all::<C, 32>(lookup, codes, estimates),
            64 => estimate_all::<C, 64>(lookup, codes, estimates),
            _ => estimate_all::<C, 256>(lookup, codes, estimates),
        }
        // The sums were added to what was there before.
        estimates.add_rounding(1);
    }
}

/// Adds the sums of all rows, eight rows and eight classes at a time. `S` is the stride.
#[inline(always)]
fn estimate_all<C: Isa, const S: usize>(
    lookup: &Lookup,
    codes: &Dense<'_, u8>,
    estimates: &mut Estimates<'_>,
) {
    let Lookup { n_classes, n_columns, error, .. } = *lookup;
    let (entries, _) = lookup.entries.as_chunks::<S>();
    for (vector, entries) in entries.chunks_exact(n_columns).enumerate() {
        let classes = vector * LANES..n_classes.min((vector + 1) * LANES);
        for first_row in (0..codes.n_rows()).step_by(LANES) {
            // The last row is repeated to fill the tile.
            let row = |row: usize| codes.row((first_row + row).min(codes.n_rows() - 1));
            let mut sums = [[0.0; LANES]; LANES];
            sum_rows::<C::Vector, S>([row(0), row(1), row(2), row(3)], entries, &mut sums[..4]);
            sum_rows::<C::Vector, S>([row(4), row(5), row(6), row(7)], entries, &mut sums[4..]);
            let turned = C::transpose(&sums.each_ref());
            for (class, sums) in classes.clone().zip(&turned) {
                if let Some(values) = estimates.class_mut(class)[first_row..].first_chunk_mut() {
                    C::Vector::load(values).add(C::Vector::load(sums)).store(values);
                }
            }
            // A code that is refused makes all classes not a number.
            let mut errors = [error; LANES];
            for (error, sum) in errors.iter_mut().zip(&turned[0]) {
                *error = if sum.is_nan() { f64::INFINITY } else { *error };
            }
            estimates.add_errors(first_row, &errors);
        }
    }
}

/// The sums of the entries of four rows: so many that additions need not wait for each other, and so few that
/// the places of all of them are in registers.
#[inline(always)]
fn sum_rows<V: Vector, const S: usize>(
    [a, b, c, d]: [&[u8]; 4],
    entries: &[[Entry; S]],
    out: &mut [[f64; LANES]],
) {
    let mut sums = [V::splat(0.0); 4];
    for ((((entries, &a), &b), &c), &d) in entries.iter().zip(a).zip(b).zip(c).zip(d) {
        for (row, code) in [a, b, c, d].into_iter().enumerate() {
            sums[row] = sums[row].add(V::load(&entries[usize::from(code) & (S - 1)].0));
        }
    }
    for (out, sum) in out.iter_mut().zip(sums) {
        sum.store(out);
    }
}

/// Full scores of checked rows of codes for which there are entries.
pub(crate) struct Terms<'a> {
    pub(crate) lookup: &'a Lookup,
    pub(crate) codes: &'a Dense<'a, u8>,
}

impl RowTerms for Terms<'_> {
    #[inline(always)]
    fn add<V: Vector, const N: usize>(&self, row: usize, first_class: usize, sums: &mut Sums<V, N>, one: V) {
        let Lookup { n_columns, stride, entries, .. } = self.lookup;
        for vector in 0..N {
            let (mut high, mut low) = (sums.high[vector], sums.low[vector]);
            let first_column = (first_class / LANES + vector) * n_columns;
            let columns = entries[first_column * stride..].chunks_exact(*stride);
            for (entries, &code) in columns.zip(self.codes.row(row)) {
                if let Some(Entry(logs)) = entries.get(usize::from(code)) {
                    add_compensated(&mut high, &mut low, V::load(logs), one);
                }
            }
            (sums.high[vector], sums.low[vector]) = (high, low);
        }
    }
}
