//! Batches that do not fit their window as a whole.

use super::{
    Window,
    batches::BATCH,
    strip::{FEW_STRAYS, Stray, Strip},
};
use nb_simd::{Code, Kernel, Vector};

use crate::exact::{
    row_set::{Cell, RowSet},
    slices::Slices,
};

/// Adds batches of one strip but for strays, which are noted. Of batches with many values that do not fit the window, those
/// that are too small go to the one below it; what has many strays all the same is left out again.
pub(super) struct AddLeftOut<'a, S: Slices, T> {
    pub(super) rows: &'a RowSet<'a, T>,
    /// Where the strip starts in each row.
    pub(super) first: usize,
    pub(super) strip: Strip,
    pub(super) window: &'a mut Window<S::Planes>,
    pub(super) below: Option<&'a mut Window<S::Planes>>,
    pub(super) strays: &'a mut Vec<Stray>,
    /// The numbers of the batches.
    pub(super) left_out: &'a mut Vec<usize>,
}

/// The lanes of a row that do not fit.
#[derive(Clone, Copy, Default)]
struct Misfits {
    /// The window.
    outside: u8,
    /// Either window.
    nowhere: u8,
}

impl<S: Slices, T: Cell> Kernel for AddLeftOut<'_, S, T> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { rows, first, strip, window, mut below, strays, left_out } = self;
        let own = strip.own_bits();
        let (lowest, highest) = window.edges.limits::<S, C::Vector>();
        let mut sums = S::load::<C::Vector>(&window.planes, &window.edges);
        // Without a window below, the same once more: nothing is added to it.
        let under = below.as_deref().unwrap_or(window);
        let (least, most) = under.edges.limits::<S, C::Vector>();
        let mut sums_below = S::load::<C::Vector>(&under.planes, &under.edges);
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let (mut n_left_out, mut rows_below) = (0, 0);
        for place in 0..left_out.len() {
            let number = left_out[place];
            let batch = &rows.rows[number * BATCH..rows.rows.len().min((number + 1) * BATCH)];
            let mut misfits = [Misfits::default(); BATCH];
            let (mut n_outside, mut n_nowhere) = (0, 0);
            for (&row, misfits) in batch.iter().zip(&mut misfits) {
                let values = T::load::<C::Vector>(rows.strip(row, first));
                let sizes = if S::SIGNED { values.size() } else { values };
                let outside = sizes.strays(lowest, highest);
                let nowhere = outside & sizes.strays(least, most);
                *misfits = Misfits { outside, nowhere };
                n_outside += usize::from(outside & own != 0);
                n_nowhere += usize::from(nowhere & own != 0);
            }
            let takes_below = n_outside > FEW_STRAYS;
            if takes_below && (below.is_none() || n_nowhere > FEW_STRAYS) {
                left_out[n_left_out] = number;
                n_left_out += 1;
                continue;
            }
            for (&row, &Misfits { outside, nowhere }) in batch.iter().zip(&misfits) {
                let values = T::load::<C::Vector>(rows.strip(row, first));
                S::add(&mut sums, values.without(outside), one);
                let mut lanes = outside;
                if takes_below {
                    S::add(&mut sums_below, values.without(!outside | nowhere), one);
                    lanes = nowhere;
                }
                if lanes & own != 0 {
                    strays.push(Stray::of(strip, lanes, values));
                }
            }
            window.rows += batch.len();
            rows_below += if takes_below { batch.len() } else { 0 };
        }
        left_out.truncate(n_left_out);
        S::store(&sums, &mut window.planes);
        if let Some(below) = &mut below {
            S::store(&sums_below, &mut below.planes);
            below.rows += rows_below;
        }
    }
}
