//! What is done with the bins of all column groups, and with one before and after rows are added to it.

use crate::{
    batch::{
        Bin, BinnedSums, Lanes, MANY_ROWS,
        all_groups::AddBatches,
        group::{ColumnGroup, MANY_OUTLIERS},
        one_group::AddOneGroup,
        row_view::{Cell, PrefetchHint, RowView},
        split::Split,
    },
    domain::Nan,
};
use nb_simd::{Isa, Kernel, LANES, Vector};

/// Adds at most [`MOST_ROWS`](Split::MOST_ROWS) rows in the order that suits them, and notes outliers;
/// whether all other values can be observed.
pub(crate) struct AddAllGroups<'a, S: Split> {
    pub(crate) binned: &'a mut BinnedSums<S>,
    pub(crate) rows: &'a RowView<'a, S::Cell>,
    pub(crate) nan: Nan,
}

impl<S: Split> Kernel for AddAllGroups<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Isa>(self) -> bool {
        let Self { binned, rows, nan } = self;
        let n_groups = binned.n_groups();
        let are_wide = matches!(rows.ahead, PrefetchHint::InRow);
        if C::HAS_32_REGISTERS && !are_wide {
            for group in 0..n_groups {
                binned.make_ready::<C>(binned.group(group), rows);
            }
            AddBatches::of(binned, rows).run::<C>();
            return binned.rejected_batches.is_empty() || binned.add_rejected(rows, nan);
        }
        for group in 0..n_groups {
            let group = binned.group(group);
            binned.make_ready::<C>(group, rows);
            AddOneGroup::of(binned, group, rows).run::<C>();
            let is_done = binned.deferred.is_empty() && binned.outliers.len() < MANY_OUTLIERS;
            if !is_done && !binned.add_deferred(group, rows, nan) {
                return false;
            }
        }
        true
    }
}

/// The largest size of each lane of a column group in the first rows; what is no number is deferred.
pub(crate) struct Sizes<'a, T> {
    pub(crate) rows: &'a RowView<'a, T>,
    pub(crate) group: ColumnGroup,
}

impl<T: Cell> Kernel for Sizes<'_, T> {
    type Output = Lanes;

    #[inline(always)]
    fn run<C: Isa>(self) -> Lanes {
        let mut largest = C::Vector::splat(0.0);
        for &row in self.rows.rows.iter().take(MANY_ROWS) {
            let values = T::load::<C::Vector>(self.rows.group(row, self.group.first));
            largest = largest.max(values.abs());
        }
        let mut sizes = [0.0; LANES];
        largest.store(&mut sizes);
        sizes
    }
}

/// Moves what all bins have gathered to the sums, which takes up to a quarter less time than to call for
/// each.
pub(crate) struct EmptyAll<'a, S: Split> {
    pub(crate) binned: &'a mut BinnedSums<S>,
}

impl<S: Split> Kernel for EmptyAll<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let BinnedSums { bins, below, sums, n_columns, .. } = self.binned;
        for binned in [bins, below] {
            for (number, bin) in binned.iter_mut().enumerate() {
                Empty::<S> { bin, sums, group: ColumnGroup::of(number, *n_columns) }.run::<C>();
            }
        }
    }
}

/// Moves what a bin has gathered to the sums.
pub(crate) struct Empty<'a, S: Split> {
    pub(crate) bin: &'a mut Bin<S::Planes>,
    pub(crate) sums: &'a mut S::Sums,
    pub(crate) group: ColumnGroup,
}

impl<S: Split> Kernel for Empty<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { bin, sums, group } = self;
        if bin.rows == 0 {
            return;
        }
        let Bin { planes, bounds, rows } = &*bin;
        S::empty::<C::Vector>(planes, bounds, *rows, sums, group.first, group.own());
        (bin.planes, bin.rows) = (S::starts(&bin.bounds), 0);
    }
}
