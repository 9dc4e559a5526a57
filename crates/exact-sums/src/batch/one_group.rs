//! Additions to the bin of one column group, whose sums stay in the registers.

use crate::batch::{
    Bin, BinnedSums,
    all_groups::{BATCH, add_row},
    group::{ColumnGroup, FEW_OUTLIERS, Outliers},
    prefetch::PrefetchCursor,
    row_view::{Cell, RowView, strip_of},
    split::Split,
};
use nb_simd::{Isa, Kernel, Vector};

/// Maximum number of batches per check.
pub(crate) const MOST_BATCHES_PER_CHECK: usize = 8;

/// Adds rows to the planes of one bin, except for batches that do not fit. For wide rows, which have many
/// sums and are far apart, and wherever registers are few.
pub(crate) struct AddOneGroup<'a, S: Split> {
    rows: &'a RowView<'a, S::Cell>,
    walk: PrefetchCursor,
    group: ColumnGroup,
    bin: &'a mut Bin<S::Planes>,
    outliers: &'a mut Vec<Outliers>,
    /// Gets the numbers of the batches that are deferred.
    deferred: &'a mut Vec<usize>,
    /// How many batches to ask about together.
    batches_per_check: &'a mut usize,
}

impl<'a, S: Split> AddOneGroup<'a, S> {
    pub(crate) fn of(
        binned: &'a mut BinnedSums<S>,
        group: ColumnGroup,
        rows: &'a RowView<'a, S::Cell>,
    ) -> Self {
        let walk = PrefetchCursor::of(rows, binned.n_groups(), group);
        let BinnedSums { bins, outliers, deferred, batches_per_check, .. } = binned;
        deferred.clear();
        Self { rows, walk, group, bin: &mut bins[group.number], outliers, deferred, batches_per_check }
    }
}

impl<S: Split> Kernel for AddOneGroup<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        if C::HAS_32_REGISTERS { self.by_batches::<C>() } else { self.by_rows::<C>() }
    }
}

impl<S: Split> AddOneGroup<'_, S> {
    /// Asks whether the values fit after each batch, or after several together as long as they do: the sums
    /// need not go to memory and back so often, and wide tables take a twentieth less time.
    #[inline(always)]
    fn by_batches<C: Isa>(self) {
        let Self { rows, mut walk, group, bin, deferred, batches_per_check, .. } = self;
        let RowView { values, n_columns, rows, .. } = *rows;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let mut done = 0;
        while done < rows.len() {
            let some = &rows[done..rows.len().min(done + *batches_per_check * BATCH)];
            let mut sums = S::load(&bin.planes, &bin.bounds);
            for &row in some {
                let place = row as usize * n_columns + group.first;
                walk.ask(values, place);
                add_row::<C, S>(&mut sums, strip_of(values, place), one);
            }
            if bin.take::<C, S>(&sums, some.len()) {
                *batches_per_check = MOST_BATCHES_PER_CHECK.min(2 * *batches_per_check);
            } else {
                deferred.extend((done / BATCH..).take(some.len().div_ceil(BATCH)));
                *batches_per_check = 1;
            }
            done += some.len();
        }
    }

    /// Looks at each row, which takes a quarter less time where sizes and sums do not fit the registers
    /// together. Strays are noted; with many of them, all is deferred.
    #[inline(always)]
    fn by_rows<C: Isa>(self) {
        let Self { rows, mut walk, group, bin, outliers, deferred, .. } = self;
        let RowView { values, n_columns, rows, .. } = *rows;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let (lowest, highest) = bin.bounds.limits::<S, C::Vector>();
        let mut sums = S::load(&bin.planes, &bin.bounds);
        let n_batches = rows.len().div_ceil(BATCH);
        let (n_outliers, most_outliers) = (outliers.len(), outliers.len() + n_batches * FEW_OUTLIERS);
        for &row in rows {
            let place = row as usize * n_columns + group.first;
            walk.ask(values, place);
            let mut values = S::Cell::load::<C::Vector>(strip_of(values, place));
            let sizes = if S::SIGNED { values.abs() } else { values };
            let lanes = sizes.out_of_range_mask(lowest, highest);
            if lanes != 0 {
                if outliers.len() == most_outliers {
                    outliers.truncate(n_outliers);
                    deferred.extend(0..n_batches);
                    return;
                }
                outliers.push(Outliers::of(group, lanes, values));
                values = values.zero_lanes(lanes);
            }
            S::add(&mut sums, values, one);
        }
        S::store(&sums, &mut bin.planes);
        bin.rows += rows.len();
        debug_assert!(bin.rows <= S::MOST_ROWS, "PROOFS.md, lemma 15: {} rows", bin.rows);
    }
}
