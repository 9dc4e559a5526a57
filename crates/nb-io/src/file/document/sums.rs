//! Exact sums on the wire: all of them, or, where most are zero, the others and their places.

use nb_core::exact::{Dyadic, ExactSums, SumPlanes};
use serde::{Deserialize, Serialize};

use super::super::doubles::Doubles;

/// The most sums that are left out of a file because they are zero: readers take memory for them all the
/// same.
const MOST_ZEROS: usize = 1 << 27;

/// Exact sums in canonical form.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct SumsDocument {
    /// How many sums there are, if all are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::file) len: Option<u64>,
    /// The places of the sums that are not zero, if only they are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::file) places: Option<Vec<u32>>,
    pub(in crate::file) planes: Vec<Doubles>,
    pub(in crate::file) tail: Vec<TailDocument>,
    /// The terms of sums that are too large or too small for the planes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::file) wide: Vec<WideDocument>,
}

/// The terms of a sum that are too large or too small for the planes, added up: a whole number in base
/// `2^32`, its lowest digit first, times `2^(32 lowest)`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct WideDocument {
    pub(in crate::file) index: u64,
    pub(in crate::file) negative: bool,
    pub(in crate::file) lowest: i64,
    pub(in crate::file) digits: Vec<u32>,
}

impl WideDocument {
    fn of((index, sum): (usize, Dyadic)) -> Self {
        let (negative, lowest) = (sum.is_negative(), sum.lowest());
        Self { index: index as u64, negative, lowest, digits: sum.digits().to_vec() }
    }

    fn into_sum(self) -> Result<(usize, Dyadic), &'static str> {
        let sum = Dyadic::from_digits(self.negative, self.lowest, self.digits);
        Ok((to_index(self.index), sum.ok_or("a number in digits is not in canonical form")?))
    }
}

/// A number beyond `usize` is beyond any sum, too, and is refused as such.
fn to_index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The components of a sum beyond those in the planes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct TailDocument {
    pub(in crate::file) index: u64,
    pub(in crate::file) rest: Doubles,
}

impl SumsDocument {
    /// All sums.
    pub(super) fn of(sums: &ExactSums) -> Self {
        let SumPlanes { len, planes, overflow: tail, wide } = sums.to_planes();
        Self {
            len: Some(len as u64),
            places: None,
            planes: planes.into_iter().map(Doubles).collect(),
            tail: tail
                .into_iter()
                .map(|(index, rest)| TailDocument { index: index as u64, rest: Doubles(rest) })
                .collect(),
            wide: wide.into_iter().map(WideDocument::of).collect(),
        }
    }

    /// How many doubles the planes have.
    pub(super) fn n_doubles(&self) -> usize {
        self.planes.iter().map(|plane| plane.0.len()).sum()
    }

    /// How many bytes fewer it takes to write the places and values of the sums that are not zero; none if
    /// that takes as many or more, or a place does not fit.
    pub(super) fn saving(&self) -> Option<usize> {
        let (n_planes, first) = (self.planes.len(), &self.planes.first()?.0);
        let filled = first.iter().filter(|&&sum| sum != 0.0).count();
        let (all, those) = (8 * n_planes * first.len(), filled * (8 * n_planes + 4));
        (u32::try_from(first.len()).is_ok() && those < all).then(|| all - those)
    }

    /// Leaves out the sums that are zero.
    pub(super) fn leave_out_zeros(&mut self) {
        let Some(first) = self.planes.first() else { return };
        let places = first.0.iter().zip(0_u32..).filter(|(sum, _)| **sum != 0.0);
        let places: Vec<u32> = places.map(|(_, place)| place).collect();
        for plane in &mut self.planes {
            plane.0 = places.iter().map(|&place| plane.0[place as usize]).collect();
        }
        (self.len, self.places) = (None, Some(places));
    }

    /// About how many bytes of memory the sums take, the zeros that were left out among them.
    pub(super) fn memory(&self) -> u64 {
        let len = match self.places.as_deref() {
            Some(places) => places.last().map_or(0, |&last| u64::from(last) + 1),
            None => self.planes.first().map_or(0, |plane| plane.0.len() as u64),
        };
        // Sums that only have wide terms may be behind all others.
        let end = self.wide.iter().map(|wide| wide.index.saturating_add(1)).max();
        8_u64.saturating_mul(len.max(end.unwrap_or(0))).saturating_mul(self.planes.len().max(1) as u64)
    }

    /// The sums as nb-core takes them, which are yet to be checked.
    pub(super) fn into_planes(self) -> Result<SumPlanes, &'static str> {
        let tail = self.tail.into_iter().map(|tail| (to_index(tail.index), tail.rest.0)).collect();
        let wide = self.wide.into_iter().map(WideDocument::into_sum).collect::<Result<_, _>>()?;
        let planes = self.planes.into_iter().map(|plane| plane.0);
        let (len, planes) = match (self.len, self.places) {
            (Some(len), None) => (to_index(len), planes.collect()),
            (None, Some(places)) => {
                let planes: Vec<Vec<f64>> = planes.collect();
                check_places(&places, &planes)?;
                let len = places.last().map_or(0, |&last| last as usize + 1);
                let fill = |plane: Vec<f64>| {
                    let mut all = vec![0.0; len];
                    places.iter().zip(plane).for_each(|(&place, value)| all[place as usize] = value);
                    all
                };
                (len, planes.into_iter().map(fill).collect())
            }
            _ => return Err("sums have either a length or places"),
        };
        Ok(SumPlanes { len, planes, overflow: tail, wide })
    }
}

/// Refuses places that are not in order, and planes that have not one value for each, of which the first is
/// not zero.
fn check_places(places: &[u32], planes: &[Vec<f64>]) -> Result<(), &'static str> {
    if !places.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err("places are not in order");
    }
    if planes.is_empty() || planes.iter().any(|plane| plane.len() != places.len()) {
        return Err("there is not one value per place");
    }
    if planes[0].contains(&0.0) { Err("a sum that is zero has a place") } else { Ok(()) }
}

/// Bytes that a newer version, which older readers do not know, must save to be written.
const WORTH: usize = 4096;

/// Leaves zeros out of the sums of a file where that makes it much smaller: whether it does.
///
/// Each choice between the two ways of writing takes four bytes, and it is made for none or all sums of a
/// file.
pub(super) fn leave_out_zeros<'a>(sums: impl Iterator<Item = &'a mut SumsDocument>) -> bool {
    let (mut n_sums, mut n_zeros, mut saved, mut sparse) = (0, 0, 0, Vec::new());
    for sums in sums {
        n_sums += 1;
        let Some(saving) = sums.saving() else { continue };
        n_zeros += sums.planes[0].0.iter().filter(|&&sum| sum == 0.0).count();
        if n_zeros > MOST_ZEROS {
            continue;
        }
        saved += saving;
        sparse.push(sums);
    }
    if saved < 4 * n_sums + WORTH {
        return false;
    }
    sparse.into_iter().for_each(SumsDocument::leave_out_zeros);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sparse(places: &[u32], planes: &[&[f64]]) -> SumsDocument {
        let planes = planes.iter().map(|plane| Doubles(plane.to_vec())).collect();
        SumsDocument { len: None, places: Some(places.to_vec()), planes, tail: Vec::new(), wide: Vec::new() }
    }

    #[test]
    fn zeros_are_left_out_and_come_back() {
        let mut sums = ExactSums::new(1000);
        sums.add(7, 0.1);
        sums.add(7, 0.2);
        sums.add(900, 3.0);
        let mut document = SumsDocument::of(&sums);
        let planes = document.clone().into_planes();
        assert!(leave_out_zeros(std::iter::once(&mut document)));
        assert_eq!(document.places.as_deref(), Some(&[7, 900][..]));
        assert_eq!(document.memory(), 8 * 901 * 2);
        assert_eq!(document.into_planes(), planes);
    }

    #[test]
    fn sums_of_any_size_come_back() {
        let mut sums = ExactSums::new(9);
        sums.add(2, 0.1);
        for (index, value) in [(1, 1e-300), (2, -1e300), (7, 5e-324)] {
            sums.add_weighted_square(index, -1.0, value);
        }
        let document = SumsDocument::of(&sums);
        assert_eq!((document.len, document.memory(), document.wide.len()), (Some(3), 8 * 8, 3));
        assert_eq!(ExactSums::try_from(document.clone().into_planes().unwrap()).unwrap(), sums);
        let mut far = document.clone();
        far.wide[2].index = u64::MAX;
        assert_eq!(far.memory(), u64::MAX);
        let mut padded = document;
        padded.wide[0].digits.push(0);
        assert_eq!(padded.into_planes(), Err("a number in digits is not in canonical form"));
    }

    #[test]
    fn what_would_grow_is_written_whole() {
        let mut full = ExactSums::new(8);
        (0..8).for_each(|place| full.add(place, 1.0));
        let mut document = SumsDocument::of(&full);
        assert!(!leave_out_zeros(std::iter::once(&mut document)) && document.places.is_none());
        assert!(!leave_out_zeros(std::iter::once(&mut SumsDocument::of(&ExactSums::new(5)))));
    }

    #[test]
    fn memory_is_that_of_all_places() {
        assert_eq!(sparse(&[u32::MAX], &[&[1.0]]).memory(), 8 << 32);
        assert_eq!(sparse(&[1 << 26], &[&[1.0], &[0.5]]).memory(), 16 * ((1 << 26) + 1));
        assert_eq!(SumsDocument::of(&ExactSums::new(5)).memory(), 0);
    }

    #[test]
    fn broken_places_are_named() {
        for (document, reason) in [
            (sparse(&[2, 1], &[&[1.0, 1.0]]), "places are not in order"),
            (sparse(&[1, 1], &[&[1.0, 1.0]]), "places are not in order"),
            (sparse(&[1, 2], &[&[1.0]]), "there is not one value per place"),
            (sparse(&[], &[]), "there is not one value per place"),
            (sparse(&[1], &[&[0.0]]), "a sum that is zero has a place"),
            (SumsDocument { len: Some(2), ..sparse(&[1], &[&[1.0]]) }, "sums have either a length or places"),
        ] {
            assert_eq!(document.into_planes(), Err(reason));
        }
    }
}
