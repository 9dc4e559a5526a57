//! Exact sums as they are stored: in canonical form, plane after plane.

use std::fmt;

use crate::{
    dyadic::Dyadic,
    number::{Exact, canonical},
    sums::{ExactSums, PLANES},
};

/// Exact sums in the canonical form of [`ExactSums::to_planes`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SumPlanes {
    /// The number of sums; those beyond the last that is not zero are left out.
    pub len: usize,
    /// At most three planes of `len` doubles: the sums rounded, the rests rounded, and so on.
    pub planes: Vec<Vec<f64>>,
    /// By index, in order: the components beyond the third, of the few sums that have them.
    pub overflow: Vec<(usize, Vec<f64>)>,
    /// By index, in order: the [wide](ExactSums::add_wide) terms, of the few sums that have some, which are
    /// not in the planes and may be of sums beyond `len`.
    pub wide: Vec<(usize, Dyadic)>,
}

impl ExactSums {
    /// The sums in canonical form, for storage: equal sums have equal planes, bit for bit.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.add(0, 1e20);
    /// sums.add(0, 1.0);
    /// assert_eq!(sums.to_planes().planes, [[1e20], [1.0]]); // their sum is 1e20 + 1
    /// ```
    pub fn to_planes(&self) -> SumPlanes {
        let mut found = match self.n_planes() {
            0 => SumPlanes::default(),
            1 => {
                // Adding zero makes a negative zero positive.
                let only = self.values.iter().map(|value| value + 0.0).collect();
                SumPlanes { len: self.len, planes: vec![only], ..SumPlanes::default() }
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
        found.wide = self.wide().map(|(index, sum)| (index, sum.clone())).collect();
        found
    }

    /// The canonical components of all sums, without leaving out zeros.
    fn three_planes(&self) -> SumPlanes {
        let mut planes = vec![vec![0.0; self.len]; PLANES];
        let mut overflow = Vec::new();
        for index in 0..self.len {
            let cell = |plane: usize| self.values.get(plane * self.len + index).copied().unwrap_or(0.0);
            let found =
                canonical([cell(0), cell(1), cell(2)]).filter(|_| !self.overflow.contains_key(&index));
            let components = found.unwrap_or_else(|| {
                let sum = self.get_narrow(index);
                if let Some(rest) = sum.components().get(PLANES..).filter(|rest| !rest.is_empty()) {
                    overflow.push((index, rest.to_vec()));
                }
                of_exact(&sum)
            });
            for (plane, component) in planes.iter_mut().zip(components) {
                plane[index] = component;
            }
        }
        SumPlanes { len: self.len, planes, overflow, ..SumPlanes::default() }
    }

    /// The sums that [`to_planes`](Self::to_planes) gave.
    ///
    /// ```
    /// # use exact_sums::{ExactSums, PlanesError, SumPlanes};
    /// let mut sums = ExactSums::new(1);
    /// sums.add(0, 0.1);
    /// assert_eq!(ExactSums::from_planes(&sums.to_planes()), Ok(sums));
    /// let twice = SumPlanes { len: 1, planes: vec![vec![1.0], vec![1.0]], ..SumPlanes::default() };
    /// assert_eq!(ExactSums::from_planes(&twice), Err(PlanesError::NotCanonical)); // 1 + 1 is 2
    /// ```
    ///
    /// # Errors
    /// [`PlanesError`] if the planes are not in canonical form, so that they cannot come from there.
    pub fn from_planes(planes: &SumPlanes) -> Result<Self, PlanesError> {
        Self::try_from(planes.clone())
    }
}

/// The sums that [`ExactSums::to_planes`] gave, without copying the first plane.
impl TryFrom<SumPlanes> for ExactSums {
    type Error = PlanesError;

    fn try_from(mut planes: SumPlanes) -> Result<Self, PlanesError> {
        let wide = std::mem::take(&mut planes.wide);
        if !wide.is_sorted_by_key(|(index, _)| *index)
            || wide.windows(2).any(|pair| pair[0].0 == pair[1].0)
            || wide.iter().any(|(_, sum)| sum.is_zero())
        {
            return Err(PlanesError::NotCanonical);
        }
        let mut sums = Self::narrow(planes)?;
        if let Some((last, _)) = wide.last() {
            sums.grow(last.checked_add(1).ok_or(PlanesError::Shape)?);
            sums.wide = wide.into_iter().collect();
        }
        Ok(sums)
    }
}

impl ExactSums {
    /// The sums of planes without wide terms.
    fn narrow(planes: SumPlanes) -> Result<Self, PlanesError> {
        let SumPlanes { len, planes: stored, overflow, .. } = &planes;
        if stored.len() > PLANES || stored.iter().any(|plane| plane.len() != *len) {
            return Err(PlanesError::Shape);
        }
        if stored.is_empty() && *len > 0 {
            // Zeros at the end are left out, so that a length without planes to show for it is none.
            return Err(PlanesError::NotCanonical);
        }
        let mut parts = stored.iter().chain(overflow.iter().map(|(_, rest)| rest));
        // Without a branch for each value, the compiler looks at several at a time.
        if !parts.all(|values| values.iter().filter(|value| !value.is_finite()).count() == 0) {
            return Err(PlanesError::NotFinite);
        }
        if !overflow.is_empty() {
            let sums = Self {
                len: *len,
                values: stored.concat(),
                overflow: overflow.iter().cloned().collect(),
                ..Self::default()
            };
            // Adding up what was read and writing it again must give the same; this also finds an index out
            // of range.
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
        Ok(Self { len: planes.len, values, ..Self::default() })
    }
}

/// The first components of a number, with zeros for those that it does not have.
fn of_exact(number: &Exact) -> [f64; PLANES] {
    std::array::from_fn(|plane| number.components().get(plane).copied().unwrap_or(0.0))
}

/// What keeps planes from being sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanesError {
    /// There are more than three planes, or one of another length.
    Shape,
    /// A number is infinite or NaN.
    NotFinite,
    /// The components of a sum are not those of its canonical form.
    NotCanonical,
}

impl fmt::Display for PlanesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shape => "there must be at most three planes, each as long as there are sums",
            Self::NotFinite => "a sum is not a finite number",
            Self::NotCanonical => "a sum is not in canonical form",
        })
    }
}

impl std::error::Error for PlanesError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::doubles;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

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
        SumPlanes {
            len,
            planes,
            overflow: sums.iter().enumerate().filter_map(rest).collect(),
            ..SumPlanes::default()
        }
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
            let overflow: BTreeMap<usize, Vec<f64>> = rests.iter().map(|&(index, rest)| (index, vec![rest])).collect();
            let mut sums = ExactSums { len: cells.len(), values: planes.concat(), overflow, ..ExactSums::default() };
            let bits = |planes: &SumPlanes| -> Vec<Vec<u64>> {
                planes.planes.iter().map(|plane| plane.iter().map(|value| value.to_bits()).collect()).collect()
            };
            let slow = slow_planes(&sums);
            prop_assert_eq!(&sums.to_planes(), &slow);
            prop_assert_eq!(bits(&sums.to_planes()), bits(&slow));
            prop_assert_eq!(&ExactSums::from_planes(&slow).unwrap().to_planes(), &slow);
            // The same cells as if they had been stored: accepted if the slow way gives them back.
            let overflow = sums.overflow.clone().into_iter().collect();
            let stored = SumPlanes { len: cells.len(), planes, overflow, ..SumPlanes::default() };
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
        let planes = |planes: &[&[f64]], overflow: &[(usize, Vec<f64>)]| {
            let planes: Vec<Vec<f64>> = planes.iter().map(|plane| plane.to_vec()).collect();
            let planes = SumPlanes { len: 1, planes, overflow: overflow.to_vec(), ..SumPlanes::default() };
            ExactSums::from_planes(&planes).map(|_| ())
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
        let wide = |wide: &[(usize, f64)]| {
            let wide = wide.iter().map(|&(index, value)| (index, Dyadic::from(value))).collect();
            let planes = SumPlanes { wide, ..SumPlanes::default() };
            ExactSums::from_planes(&planes).map(|sums| (sums.len(), sums.get(3).to_f64()))
        };
        assert_eq!(wide(&[(1, 1e300), (3, 1e-310)]), Ok((4, 1e-310)));
        for bad in [[(3, 1.0), (1, 1.0)], [(1, 1.0), (1, 1.0)], [(1, 0.0), (2, 1.0)]] {
            assert_eq!(wide(&bad), Err(PlanesError::NotCanonical));
        }
        assert_eq!(wide(&[(usize::MAX, 1.0)]), Err(PlanesError::Shape));
    }
}
