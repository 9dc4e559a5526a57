//! Batches that do not fit their bin as a whole.

use crate::batch::{
    Bin,
    all_groups::BATCH,
    group::{ColumnGroup, FEW_OUTLIERS, Outliers},
    row_view::{Cell, RowView},
    split::Split,
};
use nb_simd::{Isa, Kernel, Vector};

/// Adds batches of one column group except for outliers, which are noted. Of batches with many values that do
/// not fit the bin, those that are too small go to the one below it; what has many outliers all the same is
/// deferred again.
pub(crate) struct AddDeferred<'a, S: Split, T> {
    pub(crate) rows: &'a RowView<'a, T>,
    /// Where the column group starts in each row.
    pub(crate) first: usize,
    pub(crate) group: ColumnGroup,
    pub(crate) bin: &'a mut Bin<S::Planes>,
    pub(crate) below: Option<&'a mut Bin<S::Planes>>,
    pub(crate) outliers: &'a mut Vec<Outliers>,
    /// The numbers of the batches.
    pub(crate) deferred: &'a mut Vec<usize>,
}

/// The lanes of a row that do not fit.
#[derive(Clone, Copy, Default)]
struct Misfits {
    /// The bin.
    outside: u8,
    /// Either bin.
    nowhere: u8,
}

impl<S: Split, T: Cell> Kernel for AddDeferred<'_, S, T> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { rows, first, group, bin, mut below, outliers, deferred } = self;
        let own = group.own_bits();
        let (lowest, highest) = bin.bounds.limits::<S, C::Vector>();
        let mut sums = S::load::<C::Vector>(&bin.planes, &bin.bounds);
        // Without a bin below, the same once more: nothing is added to it.
        let under = below.as_deref().unwrap_or(bin);
        let (least, most) = under.bounds.limits::<S, C::Vector>();
        let mut sums_below = S::load::<C::Vector>(&under.planes, &under.bounds);
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let (mut n_left_out, mut rows_below) = (0, 0);
        for place in 0..deferred.len() {
            let number = deferred[place];
            let batch = &rows.rows[number * BATCH..rows.rows.len().min((number + 1) * BATCH)];
            let mut misfits = [Misfits::default(); BATCH];
            let (mut n_outside, mut n_nowhere) = (0, 0);
            for (&row, misfits) in batch.iter().zip(&mut misfits) {
                let values = T::load::<C::Vector>(rows.group(row, first));
                let sizes = if S::SIGNED { values.abs() } else { values };
                let outside = sizes.out_of_range_mask(lowest, highest);
                let nowhere = outside & sizes.out_of_range_mask(least, most);
                *misfits = Misfits { outside, nowhere };
                n_outside += usize::from(outside & own != 0);
                n_nowhere += usize::from(nowhere & own != 0);
            }
            let takes_below = n_outside > FEW_OUTLIERS;
            if takes_below && (below.is_none() || n_nowhere > FEW_OUTLIERS) {
                deferred[n_left_out] = number;
                n_left_out += 1;
                continue;
            }
            for (&row, &Misfits { outside, nowhere }) in batch.iter().zip(&misfits) {
                let values = T::load::<C::Vector>(rows.group(row, first));
                S::add(&mut sums, values.zero_lanes(outside), one);
                let mut lanes = outside;
                if takes_below {
                    S::add(&mut sums_below, values.zero_lanes(!outside | nowhere), one);
                    lanes = nowhere;
                }
                if lanes & own != 0 {
                    outliers.push(Outliers::of(group, lanes, values));
                }
            }
            bin.rows += batch.len();
            rows_below += if takes_below { batch.len() } else { 0 };
        }
        deferred.truncate(n_left_out);
        S::store(&sums, &mut bin.planes);
        if let Some(below) = &mut below {
            S::store(&sums_below, &mut below.planes);
            below.rows += rows_below;
        }
        let below_rows = below.map_or(0, |below| below.rows);
        debug_assert!(
            below_rows <= bin.rows && bin.rows <= S::MOST_ROWS,
            "PROOFS.md, lemma 15: {below_rows} rows below, {} rows",
            bin.rows
        );
    }
}
