//! What is added for the values of two columns together.

use nb_core::error::LayoutError;

/// What is added to the scores of the classes for the values of two columns together: a number per class for
/// each cell of a grid, and nothing where one of the values is missing, or a category that has no place.
#[derive(Clone, Debug, PartialEq)]
pub struct PairCorrection {
    /// The two columns, by their position.
    pub columns: [usize; 2],
    /// Where values go, by column.
    pub axes: [GridAxis; 2],
    /// `n_places × n_places × n_classes`, for the places of the first axis those of the second.
    pub cells: Vec<f64>,
}

/// The places of the values of a column in a grid.
#[derive(Clone, Debug, PartialEq)]
pub enum GridAxis {
    /// Bins between cut points; a value equal to one of these lies below it.
    Bins(Vec<f64>),
    /// The place of each category; one that is not below `n_places` is none.
    Categories {
        /// One for each code.
        places: Vec<usize>,
        /// The number of places.
        n_places: usize,
    },
}

impl GridAxis {
    /// The number of places.
    ///
    /// ```
    /// # use nb_discriminative::GridAxis;
    /// assert_eq!(GridAxis::Bins(vec![2.0, 5.0]).n_places(), 3);
    /// ```
    pub fn n_places(&self) -> usize {
        match self {
            Self::Bins(cuts) => cuts.len() + 1,
            Self::Categories { n_places, .. } => *n_places,
        }
    }

    /// The place of a value, if it has one.
    ///
    /// ```
    /// # use nb_discriminative::GridAxis;
    /// let bins = GridAxis::Bins(vec![2.0, 5.0]);
    /// assert_eq!([2.0, 9.0, f64::NAN].map(|value| bins.place(value)), [Some(0), Some(2), None]);
    /// let groups = GridAxis::Categories { places: vec![0, 1, 1], n_places: 2 };
    /// assert_eq!([2.0, 3.0].map(|code| groups.place(code)), [Some(1), None]);
    /// ```
    pub fn place(&self, value: f64) -> Option<usize> {
        match self {
            _ if value.is_nan() => None,
            Self::Bins(cuts) => Some(cuts.partition_point(|&cut| cut < value)),
            Self::Categories { places, n_places } if value >= 0.0 && value.fract() == 0.0 => {
                places.get(value as usize).copied().filter(|place| place < n_places)
            }
            Self::Categories { .. } => None,
        }
    }

    /// The same for categories with other codes, as
    /// [`Correction::with_codes`](crate::Correction::with_codes).
    fn with_codes(&self, codes: &[usize], n_codes: usize) -> Self {
        let Self::Categories { places: old, n_places } = self else { return self.clone() };
        let mut places = vec![*n_places; n_codes];
        for (place, &code) in old.iter().zip(codes) {
            if let Some(new) = places.get_mut(code) {
                *new = *place;
            }
        }
        Self::Categories { places, n_places: *n_places }
    }

    fn check(&self) -> Result<(), LayoutError> {
        let parameter = |name, value: f64, must_be| Err(LayoutError::Parameter { name, value, must_be });
        let Self::Bins(cuts) = self else {
            return if self.n_places() > 0 {
                Ok(())
            } else {
                parameter("the number of places", 0.0, "at least 1")
            };
        };
        if let Some(&cut) = cuts.iter().find(|cut| !cut.is_finite()) {
            return parameter("a cut", cut, "finite");
        }
        match cuts.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => parameter("a cut", pair[1], "above the one before it"),
            None => Ok(()),
        }
    }
}

impl PairCorrection {
    /// What is added to each class for the values of the two columns; empty if nothing is.
    ///
    /// ```
    /// # use nb_discriminative::{GridAxis, PairCorrection};
    /// let half = GridAxis::Bins(vec![0.5]);
    /// let cells = vec![1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0]; // "exclusive or", for two classes
    /// let pair = PairCorrection { columns: [0, 1], axes: [half.clone(), half], cells };
    /// assert_eq!(pair.at([0.0, 0.0]), [1.0, -1.0]);
    /// assert_eq!(pair.at([0.0, 1.0]), [-1.0, 1.0]);
    /// assert!(pair.at([0.0, f64::NAN]).is_empty());
    /// ```
    pub fn at(&self, values: [f64; 2]) -> &[f64] {
        let [first, second] = &self.axes;
        let (Some(row), Some(column)) = (first.place(values[0]), second.place(values[1])) else { return &[] };
        let n_cells = first.n_places() * second.n_places();
        let n_classes = self.cells.len() / n_cells.max(1);
        let start = (row * second.n_places() + column) * n_classes;
        self.cells.get(start..start + n_classes).unwrap_or(&[])
    }

    /// The same in columns at other places, whose categories may have other codes.
    ///
    /// `codes` has for each column `None`, or the new code of each old one and the number of codes, as in
    /// [`Correction::with_codes`](crate::Correction::with_codes).
    ///
    /// ```
    /// # use nb_discriminative::{GridAxis, PairCorrection};
    /// let axes = [GridAxis::Categories { places: vec![0, 1], n_places: 2 }, GridAxis::Bins(vec![])];
    /// let pair = PairCorrection { columns: [0, 1], axes, cells: vec![1.0, -1.0, 0.0, 0.0] };
    /// // The first column is now number 3, and its code 0 is 1.
    /// let moved = pair.moved([3, 1], [Some((vec![1, 0], 2)), None]);
    /// assert_eq!(moved.columns, [3, 1]);
    /// assert_eq!(moved.at([1.0, 7.0]), pair.at([0.0, 7.0]));
    /// ```
    #[must_use]
    pub fn moved(&self, columns: [usize; 2], codes: [Option<(Vec<usize>, usize)>; 2]) -> Self {
        let [first, second] = codes;
        let axis = |axis: &GridAxis, codes: Option<(Vec<usize>, usize)>| match codes {
            Some((codes, n_codes)) => axis.with_codes(&codes, n_codes),
            None => axis.clone(),
        };
        let axes = [axis(&self.axes[0], first), axis(&self.axes[1], second)];
        Self { columns, axes, cells: self.cells.clone() }
    }

    /// The same with other numbers for the classes of each cell.
    pub(super) fn mapped(&self, n_classes: usize, map: impl Fn(&[f64]) -> Vec<f64>) -> Self {
        let cells = self.cells.chunks_exact(n_classes.max(1)).flat_map(map).collect();
        Self { cells, ..self.clone() }
    }

    pub(super) fn check(&self, n_columns: usize, n_classes: usize) -> Result<(), LayoutError> {
        let parameter = |name, value: f64, must_be| Err(LayoutError::Parameter { name, value, must_be });
        let [first, second] = self.columns;
        if first == second || first.max(second) >= n_columns {
            return parameter(
                "a column of a pair",
                first.max(second) as f64,
                "one of the columns, and two of them",
            );
        }
        self.axes.iter().try_for_each(GridAxis::check)?;
        let n_cells = self.axes[0].n_places().checked_mul(self.axes[1].n_places());
        if n_cells.and_then(|n_cells| n_cells.checked_mul(n_classes)) != Some(self.cells.len()) {
            let found = self.cells.len() as f64;
            return parameter(
                "the number of corrections of a pair",
                found,
                "that of cells times that of classes",
            );
        }
        match self.cells.iter().find(|value| !value.is_finite()) {
            Some(&value) => parameter("a correction", value, "finite"),
            None => Ok(()),
        }
    }
}
