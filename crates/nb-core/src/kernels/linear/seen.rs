//! What is counted of values, and whether estimates may trust it: asked of all values of a row together.

use crate::kernels::linear::scores::{Count, Linear};
use nb_simd::{LANES, Vector};

/// What was seen of the values of eight rows.
#[derive(Clone, Copy)]
pub(crate) struct Seen<V, K> {
    count: K,
    most: V,
    least: V,
    wrong: V,
    total: V,
}

impl<V: Vector, K: Count> Seen<V, K> {
    #[inline(always)]
    pub(crate) fn empty(count: K) -> Self {
        let zero = V::splat(0.0);
        Self { count, most: zero, least: V::splat(f64::from_bits(u64::MAX)), wrong: zero, total: zero }
    }

    /// What is counted of the next value of each row.
    #[inline(always)]
    pub(crate) fn take_count(&mut self, values: &[f64; LANES]) -> V {
        let value = V::load(values);
        if K::SIGNED {
            let size = value.abs();
            self.most = self.most.max(size);
            self.least = self.least.min_bits_minus_one(size);
            // Nothing for a number, and not a number if it is none or infinite.
            self.wrong = self.wrong.add(size.sub(size));
        } else {
            // The bits of what is negative are above those of all others.
            self.least = self.least.min_bits_minus_one(value);
            // All signs together; that of a zero counts as well, as it does in `Count::is_wrong`.
            self.wrong = self.wrong.bitor(value);
        }
        let mut counts = *values;
        self.count.count_all(&mut counts);
        let counts = V::load(&counts);
        self.total = self.total.add(counts);
        counts
    }

    /// How wrong the sums of the rows can be: infinitely where a value may not be trusted.
    #[inline(always)]
    pub(crate) fn errors(&self, linear: &Linear) -> [f64; LANES] {
        // None is above a total of numbers that are not negative, which is not a number if one of them is
        // none.
        let most = if K::SIGNED { self.most } else { self.total };
        let mut lanes = [[0.0; LANES]; 4];
        for (lanes, values) in lanes.iter_mut().zip([most, self.least, self.wrong, self.total]) {
            values.store(lanes);
        }
        let mut errors = [f64::INFINITY; LANES];
        for (lane, error) in errors.iter_mut().enumerate() {
            let [most, least, wrong, total] =
                [lanes[0][lane], lanes[1][lane], lanes[2][lane], lanes[3][lane]];
            let is_wrong = if K::SIGNED { wrong != 0.0 } else { wrong.is_sign_negative() };
            // What is summed in other panels is in the sizes of estimates and base.
            if !is_wrong && most.to_bits() <= K::MOST && least.to_bits() >= K::LEAST - 1 {
                *error = linear.bound(linear.table().dim().1, total);
            }
        }
        errors
    }
}
