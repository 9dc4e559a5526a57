//! A vector of exact sums, stored as planes of doubles.

use std::collections::BTreeMap;

use super::{Exact, two_prod, two_sum};

/// The number of planes; what they cannot hold goes to the tail.
pub(super) const PLANES: usize = 3;

/// How long the tail of one sum may grow before it is brought into canonical form.
const TAIL_LIMIT: usize = 8;

/// A vector of exact sums.
///
/// Each sum is an unevaluated sum of doubles. The first plane holds the rounded sums; a second and a third plane are
/// added when rounding errors appear (counts never need them, so that a text model costs 8 bytes a sum), and the
/// bits that leave even the third go to a sparse tail. Nothing is rounded away: a sum depends on what was added,
/// not on the order.
///
/// Two vectors are equal if their sums are equal as numbers; a longer vector whose extra sums are zero equals the
/// shorter one.
///
/// ```
/// use nb_core::ExactSums;
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
    tail: BTreeMap<usize, Vec<f64>>,
}

impl ExactSums {
    /// `len` sums, all zero. Allocates nothing until something is added.
    pub fn new(len: usize) -> Self {
        Self { len, values: Vec::new(), tail: BTreeMap::new() }
    }

    /// The number of sums.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no sums at all.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Makes room for at least `len` sums; the new ones are zero.
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

    /// Adds `value` to sum `index`, exactly.
    ///
    /// # Panics
    /// If `index` is not below the length.
    pub fn add(&mut self, index: usize, value: f64) {
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
            self.spill(index, carry);
        }
    }

    /// Adds the product `a * b` to sum `index`, exactly.
    ///
    /// # Panics
    /// If `index` is not below the length.
    pub fn add_product(&mut self, index: usize, a: f64, b: f64) {
        let (product, error) = two_prod(a, b);
        self.add(index, product);
        self.add(index, error);
    }

    /// Adds the product `a * b * c` to sum `index`, exactly.
    ///
    /// # Panics
    /// If `index` is not below the length.
    pub fn add_triple_product(&mut self, index: usize, a: f64, b: f64, c: f64) {
        let (product, error) = two_prod(a, b);
        self.add_product(index, product, c);
        self.add_product(index, error, c);
    }

    /// The value of sum `index`; zero beyond the length.
    pub fn get(&self, index: usize) -> Exact {
        if index >= self.len || self.values.is_empty() {
            return Exact::ZERO;
        }
        if self.values.len() == self.len {
            return Exact::from(self.values[index]);
        }
        let planes = (0..self.n_planes()).map(|plane| self.values[plane * self.len + index]);
        Exact::sum(planes.chain(self.tail.get(&index).into_iter().flatten().copied()))
    }

    /// All sums, in order.
    pub fn iter(&self) -> impl Iterator<Item = Exact> + '_ {
        (0..self.len).map(|index| self.get(index))
    }

    /// The total of all sums.
    pub fn total(&self) -> Exact {
        Exact::sum(self.values.iter().chain(self.tail.values().flatten()).copied())
    }

    /// Whether every sum is zero.
    pub fn is_zero(&self) -> bool {
        self.values.iter().all(|&value| value == 0.0) && self.tail.is_empty()
            || self.iter().all(|sum| sum.is_zero())
    }

    /// The sums in canonical form, for storage: equal sums have equal planes, bit for bit.
    pub fn to_planes(&self) -> SumPlanes {
        let mut found = match self.n_planes() {
            0 => SumPlanes::default(),
            1 => {
                // Adding zero makes a negative zero positive.
                let only = self.values.iter().map(|value| value + 0.0).collect();
                SumPlanes { len: self.len, planes: vec![only], tail: Vec::new() }
            }
            _ => self.three_planes(),
        };
        // Where the first component is zero, so are all; what is zero everywhere is left out.
        let SumPlanes { len, planes, .. } = &mut found;
        let last = planes.first().and_then(|first| first.iter().rposition(|&component| component != 0.0));
        *len = last.map_or(0, |last| last + 1);
        while planes.pop_if(|plane| plane.iter().all(|&component| component == 0.0)).is_some() {}
        for plane in planes {
            plane.truncate(*len);
        }
        found
    }

    /// The canonical components of all sums, without leaving out zeros.
    fn three_planes(&self) -> SumPlanes {
        let mut planes = vec![vec![0.0; self.len]; PLANES];
        let mut tail = Vec::new();
        for index in 0..self.len {
            let cell = |plane: usize| self.values.get(plane * self.len + index).copied().unwrap_or(0.0);
            let found = canonical([cell(0), cell(1), cell(2)]).filter(|_| !self.tail.contains_key(&index));
            let components = found.unwrap_or_else(|| {
                let sum = self.get(index);
                if let Some(rest) = sum.components().get(PLANES..).filter(|rest| !rest.is_empty()) {
                    tail.push((index, rest.to_vec()));
                }
                of_exact(&sum)
            });
            for (plane, component) in planes.iter_mut().zip(components) {
                plane[index] = component;
            }
        }
        SumPlanes { len: self.len, planes, tail }
    }

    /// The sums that [`to_planes`](Self::to_planes) gave.
    ///
    /// # Errors
    /// [`PlanesError`] if the planes are not in canonical form, so that they cannot come from there.
    pub fn from_planes(planes: &SumPlanes) -> Result<Self, PlanesError> {
        Self::try_from(planes.clone())
    }

    /// Adds `sign` (1 or -1) times the other vector, sum by sum; grows if the other is longer.
    fn accumulate(&mut self, other: &Self, sign: f64) {
        if self.values.is_empty() && sign == 1.0 && other.len >= self.len {
            self.clone_from(other);
            return;
        }
        self.grow(other.len);
        for (plane, values) in other.values.chunks_exact(other.len.max(1)).enumerate() {
            if plane == 0 && self.add_if_exact(values, sign) {
                continue;
            }
            for (index, &value) in values.iter().enumerate() {
                self.add(index, sign * value);
            }
        }
        for (&index, parts) in &other.tail {
            for &part in parts {
                self.add(index, sign * part);
            }
        }
    }

    /// Adds one value to each sum.
    pub(crate) fn add_plane(&mut self, values: Vec<f64>) {
        if self.values.is_empty() && values.len() == self.len {
            self.values = values;
        } else {
            self.merge(&Self { len: values.len(), values, tail: BTreeMap::new() });
        }
    }

    /// The sums as plain doubles, if each is one and they are stored.
    pub(crate) fn as_plain(&self) -> Option<&[f64]> {
        (self.values.len() == self.len).then_some(&self.values)
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
    pub fn merge(&mut self, other: &Self) {
        self.accumulate(other, 1.0);
    }

    /// Subtracts another vector, sum by sum: the exact inverse of [`merge`](Self::merge).
    pub fn subtract(&mut self, other: &Self) {
        self.accumulate(other, -1.0);
    }

    /// Multiplies every sum by `factor`.
    ///
    /// Exact for a power of two. Otherwise each product is rounded to three components, about 159 bits, and
    /// depends only on the value of the sum.
    pub fn scale(&mut self, factor: f64) {
        let is_power_of_two =
            factor.is_normal() && factor.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 1;
        let n_components = if is_power_of_two { usize::MAX } else { PLANES };
        let scaled: Vec<Exact> = self.iter().map(|sum| sum.times(factor)).collect();
        *self = Self::new(self.len);
        for (index, sum) in scaled.iter().enumerate() {
            for &part in sum.components().iter().take(n_components) {
                self.add(index, part);
            }
        }
    }

    fn n_planes(&self) -> usize {
        self.values.len().checked_div(self.len).unwrap_or(0)
    }

    pub(super) fn ensure_planes(&mut self, planes: usize) {
        if self.values.len() < planes * self.len {
            self.values.resize(planes * self.len, 0.0);
        }
    }

    /// Whether more than the first plane is in use, so that rounding errors are to be expected.
    pub(super) fn has_rounding_planes(&self) -> bool {
        self.n_planes() > 1
    }

    /// The planes in use, for the column kernels.
    pub(super) fn planes_mut(&mut self) -> std::slice::ChunksExactMut<'_, f64> {
        self.values.chunks_exact_mut(self.len.max(1))
    }

    /// Whether all sums are within the planes.
    pub(crate) fn has_no_tail(&self) -> bool {
        self.tail.is_empty()
    }

    /// Copies the planes of the sums from `first` on, as far as there are sums; zeros for planes that are not in use.
    pub(crate) fn copy_planes<const N: usize>(&self, first: usize, out: [&mut [f64; N]; PLANES]) {
        let width = N.min(self.len.saturating_sub(first));
        let mut planes = self.values.chunks_exact(self.len.max(1));
        for out in out {
            match planes.next() {
                Some(plane) => out[..width].copy_from_slice(&plane[first..first + width]),
                None => out[..width].fill(0.0),
            }
        }
    }

    #[cold]
    fn spill(&mut self, index: usize, value: f64) {
        let tail = self.tail.entry(index).or_default();
        tail.push(value);
        if tail.len() < TAIL_LIMIT {
            return;
        }
        // Canonical components take 53 bits each: at most 40 of them cover the whole range of doubles.
        let sum = self.get(index);
        let components = sum.components();
        for plane in 0..PLANES {
            self.values[plane * self.len + index] = components.get(plane).copied().unwrap_or(0.0);
        }
        match components.get(PLANES..) {
            Some(rest) if !rest.is_empty() => self.tail.insert(index, rest.to_vec()),
            _ => self.tail.remove(&index),
        };
    }
}

/// Exact sums in the canonical form of [`ExactSums::to_planes`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SumPlanes {
    /// The number of sums; those beyond the last that is not zero are left out.
    pub len: usize,
    /// At most three planes of `len` doubles: the sums rounded, the rests rounded, and so on.
    pub planes: Vec<Vec<f64>>,
    /// By index, in order: the components beyond the third, of the few sums that have them.
    pub tail: Vec<(usize, Vec<f64>)>,
}

/// The sums that [`ExactSums::to_planes`] gave, without copying the first plane.
impl TryFrom<SumPlanes> for ExactSums {
    type Error = PlanesError;

    fn try_from(planes: SumPlanes) -> Result<Self, PlanesError> {
        let SumPlanes { len, planes: stored, tail } = &planes;
        if stored.len() > PLANES || stored.iter().any(|plane| plane.len() != *len) {
            return Err(PlanesError::Shape);
        }
        if stored.is_empty() && *len > 0 {
            // Zeros at the end are left out, so that a length without planes to show for it is none.
            return Err(PlanesError::NotCanonical);
        }
        let mut parts = stored.iter().chain(tail.iter().map(|(_, rest)| rest));
        // Without a branch for each value, the compiler looks at several at a time.
        if !parts.all(|values| values.iter().filter(|value| !value.is_finite()).count() == 0) {
            return Err(PlanesError::NotFinite);
        }
        if !tail.is_empty() {
            let sums = Self { len: *len, values: stored.concat(), tail: tail.iter().cloned().collect() };
            // Adding up what was read and writing it again must give the same; this also finds an index out of range.
            return if sums.to_planes() == planes { Ok(sums) } else { Err(PlanesError::NotCanonical) };
        }
        // No plane is there for nothing, and every sum is its own canonical form.
        let is_needed = stored.last().is_none_or(|last| last.iter().any(|&component| component != 0.0))
            && stored.first().is_none_or(|first| first.last().is_some_and(|&component| component != 0.0));
        let is_canonical = match &stored[..] {
            [] | [_] => true,
            [first, second] => {
                first.iter().zip(second).filter(|&(&first, &second)| first + second != first).count() == 0
            }
            _ => (0..*len).all(|index| {
                let components = [stored[0][index], stored[1][index], stored[2][index]];
                canonical(components).unwrap_or_else(|| of_exact(&Exact::sum(components))) == components
            }),
        };
        if !(is_needed && is_canonical) {
            return Err(PlanesError::NotCanonical);
        }
        let mut stored = planes.planes.into_iter();
        let mut values = stored.next().unwrap_or_default();
        stored.for_each(|plane| values.extend_from_slice(&plane));
        Ok(Self { len: planes.len, values, tail: BTreeMap::new() })
    }
}

/// The canonical components of a sum of three doubles, if a few additions without error find them: then the first is the
/// sum rounded, also with what is below, and so is the second. No negative zeros.
///
/// This is what almost all sums need; the general way takes twenty times as long.
#[inline(always)]
fn canonical([first, second, third]: [f64; PLANES]) -> Option<[f64; PLANES]> {
    let (second, third) = two_sum(second, third);
    let (first, second) = two_sum(first, second);
    let (second, third) = two_sum(second, third);
    // Where the rest is exactly half a unit of the first, what is below decides how the first is rounded.
    let is_half = second != 0.0 && (first + 2.0 * second) - first == 2.0 * second;
    let is_rounded = first + second == first && second + third == second && (!is_half || third == 0.0);
    if is_rounded { Some([first + 0.0, second + 0.0, third + 0.0]) } else { None }
}

/// The first components of a number, with zeros for those that it does not have.
fn of_exact(number: &Exact) -> [f64; PLANES] {
    std::array::from_fn(|plane| number.components().get(plane).copied().unwrap_or(0.0))
}

/// What keeps planes from being sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanesError {
    /// There are more than three planes, or one of another length.
    #[error("there must be at most three planes, each as long as there are sums")]
    Shape,
    /// A number is infinite or NaN.
    #[error("a sum is not a finite number")]
    NotFinite,
    /// The components of a sum are not those of its canonical form.
    #[error("a sum is not in canonical form")]
    NotCanonical,
}

impl PartialEq for ExactSums {
    fn eq(&self, other: &Self) -> bool {
        (0..self.len.max(other.len)).all(|index| self.get(index) == other.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::value::tests::{doubles, rational, rational_sum};
    use proptest::prelude::*;

    fn sums_of(values: &[f64]) -> ExactSums {
        let mut sums = ExactSums::new(1);
        for &value in values {
            sums.add(0, value);
        }
        sums
    }

    proptest! {
        #[test]
        fn any_order_any_partition_gives_the_exact_sum(
            mut values in prop::collection::vec(doubles(), 0..60),
            cut in 0..60_usize,
        ) {
            let whole = sums_of(&values);
            let expected = rational_sum(values.iter().copied());
            prop_assert_eq!(rational_sum(whole.get(0).components().iter().copied()), expected);
            let cut = cut.min(values.len());
            let mut merged = sums_of(&values[cut..]);
            merged.merge(&sums_of(&values[..cut]));
            prop_assert_eq!(&merged, &whole);
            merged.subtract(&sums_of(&values[..cut]));
            prop_assert_eq!(&merged, &sums_of(&values[cut..]));
            values.reverse();
            prop_assert_eq!(&sums_of(&values), &whole);
        }

        #[test]
        fn products_are_added_exactly(triples in prop::collection::vec((doubles(), doubles(), 0..9_u8), 0..20)) {
            let mut sums = ExactSums::new(1);
            let mut expected = rational(0.0);
            for (a, b, c) in triples {
                sums.add_triple_product(0, a, b, f64::from(c));
                expected += rational(a) * rational(b) * rational(f64::from(c));
            }
            prop_assert_eq!(rational_sum(sums.get(0).components().iter().copied()), expected);
        }
    }

    proptest! {
        #[test]
        fn planes_restore_the_sums(values in prop::collection::vec((0..5_usize, doubles()), 0..60)) {
            let mut sums = ExactSums::new(6);
            for &(index, value) in &values {
                sums.add(index, value);
            }
            let planes = sums.to_planes();
            prop_assert_eq!(&ExactSums::from_planes(&planes).unwrap(), &sums);
            let mut reversed = ExactSums::new(5);
            for &(index, value) in values.iter().rev() {
                reversed.add(index, value);
            }
            prop_assert_eq!(reversed.to_planes(), planes);
        }
    }

    /// What [`ExactSums::to_planes`] says, by adding up every sum.
    fn slow_planes(sums: &ExactSums) -> SumPlanes {
        let sums: Vec<Exact> = sums.iter().collect();
        let len = sums.iter().rposition(|sum| !sum.is_zero()).map_or(0, |last| last + 1);
        let longest = sums.iter().map(|sum| sum.components().len()).max().unwrap_or(0);
        let component = |sum: &Exact, plane: usize| sum.components().get(plane).copied().unwrap_or(0.0);
        let planes = (0..longest.min(PLANES))
            .map(|plane| sums[..len].iter().map(|sum| component(sum, plane)).collect())
            .collect();
        let rest = |(index, sum): (usize, &Exact)| {
            sum.components().get(PLANES..).filter(|rest| !rest.is_empty()).map(|rest| (index, rest.to_vec()))
        };
        SumPlanes { len, planes, tail: sums.iter().enumerate().filter_map(rest).collect() }
    }

    /// Doubles around the halves of units of each other, where rounding is decided.
    fn delicate() -> impl Strategy<Value = f64> {
        (0..8_i32, 0..4_i32, any::<bool>(), -1..2_i32).prop_map(|(kind, power, negative, ulps)| {
            let power = 2_f64.powi(-53 * power);
            let value = match kind {
                0 => 0.0,
                1 | 2 => power,
                3 => power / 2.0,
                4 => power * 1.5,
                5 => power * (2.0 - f64::EPSILON),
                6 => power * 3.0,
                _ => power * (1.0 + f64::EPSILON * f64::from(ulps)),
            };
            if negative { -value } else { value }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn the_fast_ways_to_and_from_planes_are_the_slow_ones(
            cells in prop::collection::vec((delicate(), delicate(), delicate()), 0..4),
            n_planes in 0..4_usize,
            rests in prop::collection::vec((0..5_usize, delicate()), 0..2),
            doubles in prop::collection::vec((0..4_usize, doubles()), 0..30),
        ) {
            let planes: Vec<Vec<f64>> = (0..n_planes)
                .map(|plane| cells.iter().map(|cell| [cell.0, cell.1, cell.2][plane]).collect())
                .collect();
            let tail: BTreeMap<usize, Vec<f64>> = rests.iter().map(|&(index, rest)| (index, vec![rest])).collect();
            let mut sums = ExactSums { len: cells.len(), values: planes.concat(), tail };
            let bits = |planes: &SumPlanes| -> Vec<Vec<u64>> {
                planes.planes.iter().map(|plane| plane.iter().map(|value| value.to_bits()).collect()).collect()
            };
            let slow = slow_planes(&sums);
            prop_assert_eq!(&sums.to_planes(), &slow);
            prop_assert_eq!(bits(&sums.to_planes()), bits(&slow));
            prop_assert_eq!(&ExactSums::from_planes(&slow).unwrap().to_planes(), &slow);
            // The same cells as if they had been stored: accepted if the slow way gives them back.
            let tail = sums.tail.clone().into_iter().collect();
            let stored = SumPlanes { len: cells.len(), planes, tail };
            let accepted = ExactSums::from_planes(&stored).is_ok();
            prop_assert_eq!(accepted, slow == stored && (n_planes > 0 || cells.is_empty()));
            if n_planes == PLANES && !cells.is_empty() {
                for (index, value) in doubles {
                    sums.add(index % cells.len(), value);
                }
                prop_assert_eq!(sums.to_planes(), slow_planes(&sums));
            }
        }
    }

    #[test]
    fn planes_that_are_no_sums_are_refused() {
        let planes = |planes: &[&[f64]], tail: &[(usize, Vec<f64>)]| {
            let planes: Vec<Vec<f64>> = planes.iter().map(|plane| plane.to_vec()).collect();
            ExactSums::from_planes(&SumPlanes { len: 1, planes, tail: tail.to_vec() }).map(|_| ())
        };
        assert_eq!(planes(&[&[1.0]], &[]), Ok(()));
        assert_eq!(planes(&[&[1.0], &[1e-20]], &[]), Ok(()));
        assert_eq!(planes(&[&[1.0, 2.0]], &[]), Err(PlanesError::Shape));
        assert_eq!(planes(&[&[1.0], &[0.0], &[0.0], &[0.0]], &[]), Err(PlanesError::Shape));
        assert_eq!(planes(&[&[f64::NAN]], &[]), Err(PlanesError::NotFinite));
        assert_eq!(planes(&[&[1.0], &[1.0]], &[]), Err(PlanesError::NotCanonical));
        assert_eq!(planes(&[&[0.0]], &[]), Err(PlanesError::NotCanonical));
        assert_eq!(planes(&[], &[]), Err(PlanesError::NotCanonical));
        assert_eq!(planes(&[&[-0.0]], &[]), Err(PlanesError::NotCanonical));
        assert_eq!(planes(&[&[1.0]], &[(7, vec![1e-60])]), Err(PlanesError::NotCanonical));
        assert_eq!(planes(&[&[1.0]], &[(0, vec![])]), Err(PlanesError::NotCanonical));
    }

    #[test]
    fn the_tail_stays_short() {
        let mut sums = ExactSums::new(2);
        for step in 0..20_000_i32 {
            sums.add(1, 1.37 * 2.0_f64.powi(step * 7 % 600 - 300));
        }
        assert!(sums.tail[&1].len() < 40 + TAIL_LIMIT);
        assert!(sums.get(0).is_zero());
    }

    #[test]
    fn counts_need_one_plane() {
        let mut sums = ExactSums::new(3);
        for count in 0..1000 {
            sums.add(count % 3, 1.0);
        }
        assert_eq!(sums.n_planes(), 1);
        sums.add(0, 0.1);
        assert_eq!(sums.n_planes(), 2);
    }

    #[test]
    fn growing_keeps_the_sums() {
        let mut sums = ExactSums::new(2);
        sums.add(0, 1e300);
        sums.add(0, 1.0);
        sums.add(1, 0.5);
        let before = sums.clone();
        sums.grow(5);
        assert_eq!(sums, before);
        assert_eq!(sums.get(0).components(), [1e300, 1.0]);
        assert!(sums.get(4).is_zero());
    }

    #[test]
    fn scaling_by_a_power_of_two_is_exact() {
        let mut sums = sums_of(&[0.1, 1e-200, 3e99]);
        let before = sums.clone();
        sums.scale(0.125);
        sums.scale(8.0);
        assert_eq!(sums, before);
        sums.scale(0.0);
        assert!(sums.is_zero());
    }
}
