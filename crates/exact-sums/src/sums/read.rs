//! Reading sums: one, all, and what the planes hold of them.

use std::ops::Range;

use super::{ExactSums, PLANES};
use crate::{dyadic::Dyadic, number::Exact};

impl ExactSums {
    /// Whether a sum has [wide](Self::add_wide) terms that do not cancel.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.add(0, 1e308);
    /// assert!(sums.has_wide());
    /// sums.add(0, -1e308);
    /// assert!(!sums.has_wide());
    /// ```
    #[inline]
    pub fn has_wide(&self) -> bool {
        !self.wide.is_empty()
    }

    /// The sums with wide terms that do not cancel, in order.
    ///
    /// ```
    /// # use exact_sums::{Dyadic, ExactSums};
    /// let mut sums = ExactSums::new(2);
    /// sums.add(0, 1.0);
    /// sums.add(1, 1e308);
    /// assert_eq!(sums.wide().collect::<Vec<_>>(), [(1, &Dyadic::from(1e308))]);
    /// ```
    #[inline]
    pub fn wide(&self) -> impl Iterator<Item = (usize, &Dyadic)> {
        self.wide.iter()
    }

    /// The value of sum `index`; zero beyond the length.
    ///
    /// Of a sum with [wide](Self::add_wide) terms, what is below `2^-1074` is rounded off, and beyond the
    /// largest double it is infinite; [`get_dyadic`](Self::get_dyadic) has all of it.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.add(0, 0.5);
    /// assert_eq!(sums.get(0).to_f64(), 0.5);
    /// assert!(sums.get(7).is_zero());
    /// ```
    #[inline]
    pub fn get(&self, index: usize) -> Exact {
        if self.has_wide() { self.get_wide(index) } else { self.get_narrow(index) }
    }

    /// [`get`](Self::get) where some sums have wide terms.
    #[cold]
    fn get_wide(&self, index: usize) -> Exact {
        if self.wide.get(index).is_some() {
            self.get_dyadic(index).to_exact()
        } else {
            self.get_narrow(index)
        }
    }

    /// The value of sum `index`, whatever its size.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// sums.add(0, 1e308);
    /// sums.add(0, 1e308);
    /// assert_eq!(sums.get(0).to_f64(), f64::INFINITY);
    /// assert_eq!(sums.get_dyadic(0).times_power_of_two(-1).to_f64(), 1e308);
    /// ```
    pub fn get_dyadic(&self, index: usize) -> Dyadic {
        let narrow = Dyadic::from(&self.get_narrow(index));
        self.wide.get(index).map_or_else(|| narrow.clone(), |sum| sum + &narrow)
    }

    /// Sum `index` without its wide terms.
    #[inline]
    pub(super) fn get_narrow(&self, index: usize) -> Exact {
        if index >= self.len || self.values.is_empty() {
            return Exact::ZERO;
        }
        if self.values.len() == self.len {
            return Exact::from(self.values[index]);
        }
        let planes = (0..self.n_planes()).map(|plane| self.values[plane * self.len + index]);
        Exact::sum(planes.chain(self.overflow.get(&index).into_iter().flatten().copied()))
    }

    /// All sums, in order.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(2);
    /// sums.add(1, 0.5);
    /// assert_eq!(sums.iter().map(|sum| sum.to_f64()).collect::<Vec<_>>(), [0.0, 0.5]);
    /// ```
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Exact> + '_ {
        (0..self.len).map(|index| self.get(index))
    }

    /// The total of all sums.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(3);
    /// sums.add_plane(vec![1e100, 1.0, -1e100]);
    /// assert_eq!(sums.total().to_f64(), 1.0);
    /// ```
    #[inline]
    pub fn total(&self) -> Exact {
        if self.has_wide() {
            let sums = (0..self.len).map(|index| self.get_dyadic(index));
            return sums.fold(Dyadic::ZERO, |total, sum| &total + &sum).to_exact();
        }
        Exact::sum(self.values.iter().chain(self.overflow.values().flatten()).copied())
    }

    /// Whether every sum is zero.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// for value in [1e100, 0.1, -1e100, -0.1] {
    ///     sums.add(0, value);
    /// }
    /// assert!(sums.is_zero());
    /// ```
    #[inline]
    pub fn is_zero(&self) -> bool {
        if self.has_wide() {
            return (0..self.len).all(|index| self.get_dyadic(index).is_zero());
        }
        self.values.iter().all(|&value| value == 0.0) && self.overflow.is_empty()
            || self.iter().all(|sum| sum.is_zero())
    }

    /// The sums as plain doubles, if each is one and they are stored.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut counts = ExactSums::new(2);
    /// counts.add(0, 3.0);
    /// assert_eq!(counts.as_plain(), Some(&[3.0, 0.0][..]));
    /// counts.add(0, 0.1); // rounds, so that a second double holds the rest
    /// assert_eq!(counts.as_plain(), None);
    /// ```
    #[inline]
    pub fn as_plain(&self) -> Option<&[f64]> {
        (self.values.len() == self.len && !self.has_wide()).then_some(&self.values)
    }

    /// Of the sums in a range, those that the planes do not hold as a whole, and how much is left at most;
    /// infinity stands for wide terms, of whatever size.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(1);
    /// for value in [1e200, 1e100, 1.0, 1e-100] {
    ///     sums.add(0, value);
    /// }
    /// assert_eq!(sums.overflows(0..1).collect::<Vec<_>>(), [(0, 1e-100)]); // three planes hold the others
    /// ```
    #[inline]
    pub fn overflows(&self, range: Range<usize>) -> impl Iterator<Item = (usize, f64)> + '_ {
        let size = |parts: &[f64]| parts.iter().map(|part| part.abs()).sum();
        let wide = self.wide.range(range.clone()).map(|(index, _)| (index, f64::INFINITY));
        self.overflow.range(range).map(move |(&index, parts)| (index, size(parts))).chain(wide)
    }

    /// The sums in a range that may differ from zero, some of them more than once.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(4);
    /// sums.add(2, 1.0);
    /// assert_eq!(sums.occupied(0..4).collect::<Vec<_>>(), [2]);
    /// ```
    #[inline]
    pub fn occupied(&self, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let cells = range.clone();
        let in_planes = self.planes().flat_map(move |plane| {
            let cells = plane.iter().enumerate().take(cells.end).skip(cells.start);
            cells.filter(|&(_, &value)| value != 0.0).map(|(index, _)| index)
        });
        let wide = self.wide.range(range.clone()).map(|(index, _)| index);
        in_planes.chain(self.overflow.range(range).map(|(&index, _)| index)).chain(wide)
    }

    /// Copies the planes of the sums from `first` on, as far as there are sums; zeros for planes that are not
    /// in use.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let mut sums = ExactSums::new(2);
    /// sums.add(0, 1e20);
    /// sums.add(0, 1.0);
    /// let [mut first, mut second, mut third] = [[0.0; 2]; 3];
    /// sums.copy_planes(0, [&mut first, &mut second, &mut third]);
    /// assert_eq!([first, second, third], [[1e20, 0.0], [1.0, 0.0], [0.0, 0.0]]);
    /// ```
    pub fn copy_planes<const N: usize>(&self, first: usize, out: [&mut [f64; N]; PLANES]) {
        let width = N.min(self.len.saturating_sub(first));
        let mut planes = self.values.chunks_exact(self.len.max(1));
        for out in out {
            match planes.next() {
                Some(plane) => out[..width].copy_from_slice(&plane[first..first + width]),
                None => out[..width].fill(0.0),
            }
        }
    }
}
