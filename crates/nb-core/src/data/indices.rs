//! Whole numbers of either of the types in which other software keeps them.

use std::ops::Range;

use crate::data::number;

/// Positions, or column numbers, of sparse rows as they lie in memory. Other integers than these are copied.
///
/// ```
/// use nb_core::{family::Block, CsrView, Rows};
///
/// // [[0, 2, 0], [1, 0, 3]]
/// let x = CsrView::new(3, &[0, 1, 3], &[1, 0, 2], &[2.0, 1.0, 3.0])?;
/// let Some(Block::Sparse(rows)) = x.block(0..2) else { unreachable!("`i32` needs no copy") };
/// let (columns, values) = rows.rows().nth(1).expect("two rows");
/// assert_eq!(columns.iter().zip(values).collect::<Vec<_>>(), [(0, &1.0), (2, &3.0)]);
/// assert_eq!((columns.find(2), columns.find(1)), (Some(1), None));
/// # Ok::<(), nb_core::error::CsrError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Indices<'a> {
    /// As Rust counts.
    Usize(&'a [usize]),
    /// As SciPy and Arrow mostly do: half the memory to read. None is negative.
    I32(&'a [i32]),
}

/// Does the same to either kind of slice.
macro_rules! either {
    ($indices:expr, $slice:ident => $work:expr) => {
        match $indices {
            Self::Usize($slice) => $work,
            Self::I32($slice) => $work,
        }
    };
}

impl<'a> Indices<'a> {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        either!(self, slice => slice.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at a place, if there is such a place.
    #[inline(always)]
    pub fn get(&self, place: usize) -> Option<usize> {
        either!(self, slice => slice.get(place).map(|&index| number(index)))
    }

    /// The numbers in order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = usize> + use<'a> {
        let indices = *self;
        (0..self.len()).map(move |place| indices.at(place))
    }

    /// The place of a number among numbers that increase.
    pub fn find(&self, number: usize) -> Option<usize> {
        let place = self.first_from(number);
        (self.get(place) == Some(number)).then_some(place)
    }

    /// The first place of a number that is not below this one, among numbers that increase.
    pub(crate) fn first_from(&self, least: usize) -> usize {
        either!(self, slice => slice.partition_point(|&index| number(index) < least))
    }

    /// The number at a place.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline(always)]
    pub(crate) fn at(&self, place: usize) -> usize {
        either!(self, slice => number(slice[place]))
    }

    /// Those at some places.
    ///
    /// # Panics
    /// If there are no such places.
    #[inline]
    pub(crate) fn slice(&self, places: Range<usize>) -> Self {
        match self {
            Self::Usize(slice) => Self::Usize(&slice[places]),
            Self::I32(slice) => Self::I32(&slice[places]),
        }
    }
}
