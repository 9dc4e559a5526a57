//! A vector of exact sums, stored as planes of doubles.

use std::collections::BTreeMap;

use nb_simd::error_free::{two_prod, two_sum};

use crate::{chains::add_sums, domain, dyadic::Dyadic, number::Exact};
use nb_simd::prefetch::prefetch;

mod multiple;
mod planes;
mod read;
#[cfg(test)]
mod tests;
mod wide;

pub use planes::{PlanesError, SumPlanes};
use wide::Wide;

/// The number of planes; what they cannot hold goes to the overflow components.
pub(crate) const PLANES: usize = 3;

/// The largest size of a value that is not a wide term: `2^970`, so that sums of up to `2^50` of them stay
/// below `2^1021`.
const LARGEST_NARROW: f64 = f64::from_bits((1023 + 970) << 52);

/// How long the overflow components of one sum may grow before it is brought into canonical form.
const OVERFLOW_LIMIT: usize = 8;

/// A vector of exact sums.
///
/// Each sum is an unevaluated sum of doubles. The first plane holds the rounded sums; a second and a third
/// plane are added when rounding errors appear (counts never need them, so that a text model costs 8 bytes a
/// sum), and the bits that leave even the third go to sparse overflow components. Nothing is rounded away: a
/// sum depends on what was added, not on the order. Terms beyond the range in which products of doubles are
/// exact go to a sparse part of [`Dyadic`] numbers, and may have any size: see
/// [`add_weighted`](Self::add_weighted).
///
/// Two vectors are equal if their sums are equal as numbers; a longer vector whose extra sums are zero equals
/// the shorter one.
///
/// ```
/// use exact_sums::ExactSums;
///
/// let mut a = ExactSums::new(1);
/// for value in [1e16, 1.0, -1e16] {
///     a.add(0, value);
/// }
/// let mut b = ExactSums::new(1);
/// b.add(0, 1.0);
/// assert_eq!(a, b);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ExactSums {
    len: usize,
    /// Plane after plane, each of `len` doubles; as many planes as were needed so far.
    values: Vec<f64>,
    /// What left the last plane, by index.
    overflow: BTreeMap<usize, Vec<f64>>,
    /// The sums of the terms that are [wide](Self::add_wide), by index, except for those that are zero.
    wide: Wide,
}

impl ExactSums {
    /// `len` sums, all zero. Allocates nothing until something is added.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let sums = ExactSums::new(3);
    /// assert!(sums.len() == 3 && sums.is_zero());
    /// ```
    #[inline]
    pub fn new(len: usize) -> Self {
        Self { len, ..Self::default() }
    }

    /// The sums of vectors, one vector after the other.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut part = ExactSums::new(2);
    /// part.add(1, 5.0);
    /// let both = ExactSums::concatenated(&[part.clone(), part]);
    /// assert_eq!((both.len(), both.get(3).to_f64()), (4, 5.0));
    /// ```
    pub fn concatenated(parts: &[Self]) -> Self {
        let (len, n_planes) = parts
            .iter()
            .fold((0, 0), |(len, n_planes), part| (len + part.len, n_planes.max(part.n_planes())));
        let mut values = Vec::with_capacity(n_planes * len);
        let (mut overflow, mut wide) = (BTreeMap::new(), Wide::default());
        for plane in 0..n_planes {
            for part in parts {
                let end = values.len() + part.len;
                values.extend(part.values.chunks_exact(part.len.max(1)).nth(plane).unwrap_or_default());
                values.resize(end, 0.0);
            }
        }
        let mut first = 0;
        for part in parts {
            overflow
                .extend(part.overflow.iter().map(|(&index, components)| (first + index, components.clone())));
            part.wide.iter().for_each(|(index, sum)| wide.add(first + index, sum));
            first += part.len;
        }
        Self { len, values, overflow, wide }
    }

    /// The number of sums.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// assert_eq!(ExactSums::new(3).len(), 3);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no sums at all.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// assert!(ExactSums::new(0).is_empty());
    /// assert!(!ExactSums::new(1).is_empty()); // one sum, which is zero
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Makes room for at least `len` sums; the new ones are zero.
    ///
    /// A vector that is longer already stays as it is.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.grow(4);
    /// assert_eq!(sums.len(), 4);
    /// ```
    #[inline]
    pub fn grow(&mut self, len: usize) {
        if len <= self.len {
            return;
        }
        if self.len == 0 || self.values.is_empty() {
            self.len = len;
            return;
        }
        let mut values = Vec::with_capacity(self.n_planes() * len);
        for plane in self.values.chunks_exact(self.len) {
            values.extend_from_slice(plane);
            values.resize(values.len() + len - self.len, 0.0);
        }
        (self.len, self.values) = (len, values);
    }

    /// Adds the finite number `value` to sum `index`, exactly.
    ///
    /// A value beyond `2^970` in size is kept as a [wide](Self::add_wide) term, so that no sum of others
    /// overflows.
    ///
    /// ```
    /// use exact_sums::ExactSums;
    ///
    /// let mut sums = ExactSums::new(1);
    /// sums.add(0, 1e308);
    /// sums.add(0, 1e308);
    /// assert_eq!(sums.get(0).to_f64(), f64::INFINITY);
    /// assert_eq!(sums.get_dyadic(0).times_power_of_two(-1).to_f64(), 1e308);
    /// sums.add(0, -1e308);
    /// assert_eq!(sums.get(0).to_f64(), 1e308);
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline]
    pub fn add(&mut self, index: usize, value: f64) {
        if value.abs() > LARGEST_NARROW && value.is_finite() {
            self.add_wide(index, &Dyadic::from(value));
        } else {
            self.add_narrow(index, value);
        }
    }

    /// [`add`](Self::add) for a value that is not too large, or a part of such a sum.
    #[inline]
    pub(crate) fn add_narrow(&mut self, index: usize, value: f64) {
        assert!(index < self.len, "sum {index} of {}", self.len);
        let mut carry = value;
        for plane in 0..PLANES {
            if carry == 0.0 {
                return;
            }
            self.ensure_planes(plane + 1);
            let cell = &mut self.values[plane * self.len + index];
            (*cell, carry) = two_sum(*cell, carry);
        }
        if carry != 0.0 {
            self.overflow(index, carry);
        }
    }

    /// Asks the memory for a sum.
    #[inline]
    pub(crate) fn ask_for(&self, index: usize) {
        (0..self.n_planes()).for_each(|plane| prefetch(&self.values, plane * self.len + index));
    }

    /// Adds the product `a * b` to sum `index`, exactly. Both must be less than `2^996` in size, and their
    /// product less than `2^970` and without bits below `2^-1074`, as in the [`domain`];
    /// [`add_weighted`](Self::add_weighted) takes any numbers.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// let a = 1.0 + 2.0_f64.powi(-30);
    /// sums.add_product(0, a, a); // 1 + 2^-29 + 2^-60, more bits than a double has
    /// sums.add(0, -1.0 - 2.0_f64.powi(-29));
    /// assert_eq!(sums.get(0).to_f64(), 2.0_f64.powi(-60));
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline]
    pub fn add_product(&mut self, index: usize, a: f64, b: f64) {
        let (product, error) = two_prod(a, b);
        self.add_narrow(index, product);
        self.add_narrow(index, error);
    }

    /// Adds the product `a * b * c` to sum `index`, exactly, within the limits of
    /// [`add_product`](Self::add_product).
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.add_triple_product(0, 3.0, 3.0, 0.5); // a square with a weight
    /// assert_eq!(sums.get(0).to_f64(), 4.5);
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline]
    pub fn add_triple_product(&mut self, index: usize, a: f64, b: f64, c: f64) {
        let (product, error) = two_prod(a, b);
        self.add_product(index, product, c);
        self.add_product(index, error, c);
    }

    /// Adds the product `weight * value`, exactly, whatever the sizes of these two finite numbers.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.add_weighted(0, 1e200, 1e200);
    /// sums.add_weighted(0, 0.5, 3.0);
    /// sums.add_weighted(0, -1e200, 1e200);
    /// assert_eq!(sums.get(0).to_f64(), 1.5);
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline]
    pub fn add_weighted(&mut self, index: usize, weight: f64, value: f64) {
        if domain::is_term(weight, value) {
            self.add_product(index, weight, value);
        } else {
            self.add_wide(index, &(&Dyadic::from(weight) * &Dyadic::from(value)));
        }
    }

    /// Adds the product `weight * value * value`, exactly, whatever the sizes of these two finite numbers.
    ///
    /// ```
    /// use exact_sums::ExactSums;
    ///
    /// let mut squares = ExactSums::new(1);
    /// squares.add_weighted_square(0, 1.0, 1e-200);
    /// squares.add_weighted_square(0, 1.0, 1e200);
    /// squares.add_weighted_square(0, -1.0, 1e200);
    /// let tenth = squares.get_dyadic(0).times_power_of_two(1400);
    /// assert!(tenth.to_f64() > 0.0 && !squares.is_zero());
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline]
    pub fn add_weighted_square(&mut self, index: usize, weight: f64, value: f64) {
        if domain::is_term(weight, value) {
            self.add_triple_product(index, value, value, weight);
        } else {
            let value = Dyadic::from(value);
            self.add_wide(index, &(&Dyadic::from(weight) * &(&value * &value)));
        }
    }

    /// Adds a term of any size to sum `index`, exactly, and keeps it apart from the others: no bit of it
    /// needs to be one of a double. Equal vectors have the same such terms, however they were added.
    ///
    /// ```
    /// # use exact_sums::{Dyadic, ExactSums};
    /// let mut sums = ExactSums::new(1);
    /// let tiny = &Dyadic::from(1e-200) * &Dyadic::from(1e-200);
    /// sums.add_wide(0, &tiny);
    /// assert_eq!(sums.get_dyadic(0), tiny);
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[cold]
    pub fn add_wide(&mut self, index: usize, term: &Dyadic) {
        assert!(index < self.len, "sum {index} of {}", self.len);
        self.wide.add(index, term);
    }

    /// Adds `sign` (1 or -1) times the other vector, sum by sum; grows if the other is longer.
    fn accumulate(&mut self, other: &Self, sign: f64) {
        if self.values.is_empty() && !self.has_wide() && sign == 1.0 && other.len >= self.len {
            self.clone_from(other);
            return;
        }
        self.grow(other.len);
        if other.has_wide() {
            self.accumulate_wide(other, sign);
        }
        let is_plain = other.n_planes() == 1 && self.add_if_exact(&other.values, sign);
        if !is_plain {
            add_sums(self, other, sign);
        }
        for (&index, parts) in &other.overflow {
            for &part in parts {
                self.add_narrow(index, sign * part);
            }
        }
    }

    /// The wide terms of [`accumulate`](Self::accumulate).
    #[cold]
    fn accumulate_wide(&mut self, other: &Self, sign: f64) {
        for (index, sum) in other.wide() {
            if sign < 0.0 {
                self.add_wide(index, &-sum);
            } else {
                self.add_wide(index, sum);
            }
        }
    }

    /// Adds one sum of another vector to sum `index`.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let (mut wide, mut one) = (ExactSums::new(5), ExactSums::new(1));
    /// one.add(0, 0.5);
    /// wide.add_sum(4, &one, 0);
    /// assert_eq!(wide.get(4).to_f64(), 0.5);
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    pub fn add_sum(&mut self, index: usize, other: &Self, other_index: usize) {
        for &component in other.get_narrow(other_index).components() {
            self.add_narrow(index, component);
        }
        if let Some(sum) = other.wide.get(other_index) {
            self.add_wide(index, sum);
        }
    }

    /// Adds one value to each sum.
    ///
    /// The values must be below `2^970` in size. If there are more of them than sums, the vector grows.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(2);
    /// sums.add_plane(vec![1.0, 2.0]);
    /// sums.add_plane(vec![0.5, 0.5]);
    /// assert_eq!(sums.as_plain(), Some(&[1.5, 2.5][..]));
    /// ```
    #[inline]
    pub fn add_plane(&mut self, values: Vec<f64>) {
        if self.values.is_empty() && values.len() == self.len {
            self.values = values;
        } else {
            self.merge(&Self { len: values.len(), values, ..Self::default() });
        }
    }

    /// Adds `values` to the first plane if no addition rounds, as with counts; otherwise changes nothing.
    fn add_if_exact(&mut self, values: &[f64], sign: f64) -> bool {
        self.ensure_planes(1);
        let first = &mut self.values[..values.len()];
        let exact = first.iter().zip(values).all(|(&a, &b)| two_sum(a, sign * b).1 == 0.0);
        if exact {
            first.iter_mut().zip(values).for_each(|(a, &b)| *a += sign * b);
        }
        exact
    }

    /// Adds another vector, sum by sum.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.add(0, 1.0);
    /// let part = sums.clone();
    /// sums.merge(&part);
    /// assert_eq!(sums.get(0).to_f64(), 2.0);
    /// ```
    #[inline]
    pub fn merge(&mut self, other: &Self) {
        self.accumulate(other, 1.0);
    }

    /// Adds another vector, sum by sum, by taking its place if there is nothing here yet.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let (mut sums, mut part) = (ExactSums::default(), ExactSums::new(1));
    /// part.add(0, 1.0);
    /// sums.merge_owned(part);
    /// assert_eq!(sums.get(0).to_f64(), 1.0);
    /// ```
    #[inline]
    pub fn merge_owned(&mut self, other: Self) {
        if self.values.is_empty() && !self.has_wide() && other.len >= self.len {
            *self = other;
        } else {
            self.merge(&other);
        }
    }

    /// Subtracts another vector, sum by sum: the exact inverse of [`merge`](Self::merge).
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.add(0, 0.1);
    /// let before = sums.clone();
    /// sums.add(0, 1e300);
    /// let mut part = ExactSums::new(1);
    /// part.add(0, 1e300);
    /// sums.subtract(&part);
    /// assert_eq!(sums, before);
    /// ```
    #[inline]
    pub fn subtract(&mut self, other: &Self) {
        self.accumulate(other, -1.0);
    }

    /// Multiplies every sum by `factor`.
    ///
    /// Exact for a power of two. Otherwise each product is rounded to three components, about 159 bits, and
    /// depends only on the value of the sum.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.add(0, 3.0);
    /// sums.scale(0.5);
    /// assert_eq!(sums.get(0).to_f64(), 1.5);
    /// ```
    pub fn scale(&mut self, factor: f64) {
        let is_power_of_two =
            factor.is_normal() && factor.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 1;
        let n_components = if is_power_of_two { usize::MAX } else { PLANES };
        let scaled: Vec<Exact> = (0..self.len).map(|index| self.get_narrow(index).times(factor)).collect();
        let scale_wide = |sum: &Dyadic| {
            let sum = sum * &Dyadic::from(factor);
            if is_power_of_two { sum } else { sum.rounded() }
        };
        let wide = self.wide.iter().map(|(index, sum)| (index, scale_wide(sum))).collect();
        *self = Self { len: self.len, wide, ..Self::default() };
        for (index, sum) in scaled.iter().enumerate() {
            for &part in sum.components().iter().take(n_components) {
                self.add_narrow(index, part);
            }
        }
    }

    #[inline]
    pub(crate) fn n_planes(&self) -> usize {
        self.values.len().checked_div(self.len).unwrap_or(0)
    }

    #[inline]
    pub(crate) fn ensure_planes(&mut self, planes: usize) {
        if self.values.len() < planes * self.len {
            if planes > 1 {
                // The third is seldom long in coming.
                self.values.reserve_exact(PLANES * self.len - self.values.len());
            }
            self.values.resize(planes * self.len, 0.0);
        }
    }

    /// Whether more than the first plane is in use, so that rounding errors occur.
    #[inline]
    pub(crate) fn has_rounding_planes(&self) -> bool {
        self.n_planes() > 1
    }

    /// The planes in use.
    #[inline]
    pub(crate) fn planes(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.len.max(1))
    }

    /// The planes in use, for the column kernels.
    #[inline]
    pub(crate) fn planes_mut(&mut self) -> std::slice::ChunksExactMut<'_, f64> {
        self.values.chunks_exact_mut(self.len.max(1))
    }

    #[cold]
    fn overflow(&mut self, index: usize, value: f64) {
        let overflow = self.overflow.entry(index).or_default();
        overflow.push(value);
        if overflow.len() < OVERFLOW_LIMIT {
            return;
        }
        // Canonical components take 53 bits each: at most 40 of them cover the whole range of doubles.
        let sum = self.get_narrow(index);
        let components = sum.components();
        for plane in 0..PLANES {
            self.values[plane * self.len + index] = components.get(plane).copied().unwrap_or(0.0);
        }
        match components.get(PLANES..) {
            Some(rest) if !rest.is_empty() => self.overflow.insert(index, rest.to_vec()),
            _ => self.overflow.remove(&index),
        };
    }
}

impl PartialEq for ExactSums {
    fn eq(&self, other: &Self) -> bool {
        let mut indices = 0..self.len.max(other.len);
        if self.wide == other.wide {
            return indices.all(|index| self.get_narrow(index) == other.get_narrow(index));
        }
        indices.all(|index| self.get_dyadic(index) == other.get_dyadic(index))
    }
}
