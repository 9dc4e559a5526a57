//! Additions to the window of one strip, whose sums stay in the registers.

use super::{
    Window, Windows,
    batches::{BATCH, add_row},
    strip::{FEW_STRAYS, Stray, Strip},
    walk::Walk,
};
use nb_simd::{Code, Kernel, Vector};

use crate::exact::{
    row_set::{Cell, RowSet, strip_of},
    slices::Slices,
};

/// So many batches are asked about together at most.
pub(super) const MOST_TOGETHER: usize = 8;

/// Adds rows to the planes of one window, but for batches that do not fit. For wide rows, which have many sums and are far
/// apart, and wherever registers are few.
pub(super) struct AddStrip<'a, S: Slices> {
    rows: &'a RowSet<'a, S::Cell>,
    walk: Walk,
    strip: Strip,
    window: &'a mut Window<S::Planes>,
    strays: &'a mut Vec<Stray>,
    /// Gets the numbers of the batches that are left out.
    left_out: &'a mut Vec<usize>,
    /// How many batches to ask about together.
    together: &'a mut usize,
}

impl<'a, S: Slices> AddStrip<'a, S> {
    pub(super) fn of(windows: &'a mut Windows<S>, strip: Strip, rows: &'a RowSet<'a, S::Cell>) -> Self {
        let walk = Walk::of(rows, windows.n_strips(), strip);
        let Windows { strips, strays, left_out, together, .. } = windows;
        left_out.clear();
        Self { rows, walk, strip, window: &mut strips[strip.number], strays, left_out, together }
    }
}

impl<S: Slices> Kernel for AddStrip<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        if C::MANY_REGISTERS { self.by_batches::<C>() } else { self.by_rows::<C>() }
    }
}

impl<S: Slices> AddStrip<'_, S> {
    /// Asks whether the values fit after each batch, or after several together as long as they do: the sums need not go to
    /// memory and back so often, and wide tables take a twentieth less time.
    #[inline(always)]
    fn by_batches<C: Code>(self) {
        let Self { rows, mut walk, strip, window, left_out, together, .. } = self;
        let RowSet { values, n_columns, rows, .. } = *rows;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let mut done = 0;
        while done < rows.len() {
            let some = &rows[done..rows.len().min(done + *together * BATCH)];
            let mut sums = S::load(&window.planes, &window.edges);
            for &row in some {
                let place = row as usize * n_columns + strip.first;
                walk.ask(values, place);
                add_row::<C, S>(&mut sums, strip_of(values, place), one);
            }
            if window.take::<C, S>(&sums, some.len()) {
                *together = MOST_TOGETHER.min(2 * *together);
            } else {
                left_out.extend((done / BATCH..).take(some.len().div_ceil(BATCH)));
                *together = 1;
            }
            done += some.len();
        }
    }

    /// Looks at each row, which takes a quarter less time where sizes and sums do not fit the registers together. Strays are
    /// noted; with many of them, all is left out.
    #[inline(always)]
    fn by_rows<C: Code>(self) {
        let Self { rows, mut walk, strip, window, strays, left_out, .. } = self;
        let RowSet { values, n_columns, rows, .. } = *rows;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let (lowest, highest) = window.edges.limits::<S, C::Vector>();
        let mut sums = S::load(&window.planes, &window.edges);
        let n_batches = rows.len().div_ceil(BATCH);
        let (n_strays, most_strays) = (strays.len(), strays.len() + n_batches * FEW_STRAYS);
        for &row in rows {
            let place = row as usize * n_columns + strip.first;
            walk.ask(values, place);
            let mut values = S::Cell::load::<C::Vector>(strip_of(values, place));
            let sizes = if S::SIGNED { values.size() } else { values };
            let lanes = sizes.strays(lowest, highest);
            if lanes != 0 {
                if strays.len() == most_strays {
                    strays.truncate(n_strays);
                    left_out.extend(0..n_batches);
                    return;
                }
                strays.push(Stray::of(strip, lanes, values));
                values = values.without(lanes);
            }
            S::add(&mut sums, values, one);
        }
        S::store(&sums, &mut window.planes);
        window.rows += rows.len();
    }
}
