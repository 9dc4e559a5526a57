//! The boundary between two classes: hyperplane, distance, line in a plane of two columns.

use nb_core::{
    Missing, Rows,
    error::{PredictError, ValueError},
};
use ndarray::{Array1, ArrayView1};

use super::{EncodedColumn, LinearForm, posterior::difference};
use exact_sums::Compensated;

use crate::{ColumnTerm, FormError};

/// The boundary between two classes: the points `φ` with `coef · φ + intercept = 0`. On the side to which the
/// coefficients point the first of the classes is the more probable.
///
/// Stored is the equation around the center, `normal · (φ - center) + log_odds_at_center = 0`, which keeps
/// all digits where the features are far from zero. [`coef`](Self::coef) and [`intercept`](Self::intercept)
/// are those of raw coordinates.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hyperplane {
    /// The features that span the space.
    pub features: Vec<EncodedColumn>,
    /// The difference of the weights of the two classes, one entry per feature.
    pub normal: Array1<f64>,
    /// The center, one entry per feature.
    pub center: Array1<f64>,
    /// The log-odds where every feature is at its center. This is not the `b` of `w · φ + b`, which is
    /// [`intercept`](Self::intercept).
    pub log_odds_at_center: f64,
}

impl Hyperplane {
    /// The `w` of the log-odds `w · φ + b`, one entry per feature.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// assert_eq!(form.hyperplane(1, 0)?.coef(), array![2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coef(&self) -> ArrayView1<'_, f64> {
        self.normal.view()
    }

    /// The `b` of the log-odds `w · φ + b`, with the loss of digits far from zero that
    /// [`LinearForm::intercept`] documents.
    ///
    /// ```
    /// use nb_core::NaiveBayes;
    /// use nb_linear::{LinearForm, SharedGaussian};
    /// use ndarray::array;
    ///
    /// let x = array![[1.0], [3.0], [3.0], [5.0]];
    /// let form = LinearForm::new(&NaiveBayes::new(SharedGaussian::default()).fit(&x, &["a", "a", "b", "b"])?);
    /// let plane = form.hyperplane(1, 0)?;
    /// assert_eq!((plane.coef().to_vec(), plane.intercept()), (vec![2.0], -6.0)); // 2 x - 6 = 2 (x - 3)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn intercept(&self) -> f64 {
        let mut sum = Compensated::from(self.log_odds_at_center);
        for (&normal, &center) in self.normal.iter().zip(&self.center) {
            sum.add_product(-normal, center);
        }
        sum.value()
    }
}

/// The boundary between two classes in a plane of two columns: the points `(x, y)` with
/// `weights[0] (x - center[0]) + weights[1] (y - center[1]) + log_odds_at_center = 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BoundaryLine {
    /// The weights of the two columns in the log-odds.
    pub weights: [f64; 2],
    /// The centers of the two columns.
    pub center: [f64; 2],
    /// The log-odds at the center.
    pub log_odds_at_center: f64,
}

impl BoundaryLine {
    /// Where the boundary crosses the vertical line at `x`; `None` if it does nowhere or everywhere.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0, 0.0], [1.0, 1.0]]; // the log-odds are x + y - 6
    /// let form = LinearForm::from_parameters(vec!['a', 'b'], &[0.0, 0.0], &weights.view(), &[0.0, -6.0])?;
    /// let line = form.boundary_in(1, 0, [0, 1], &[0.0, 0.0])?;
    /// assert_eq!(line.y_at(2.0), Some(4.0)); // 2 + 4 = 6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn y_at(&self, x: f64) -> Option<f64> {
        self.solve(1, x)
    }

    /// Where the boundary crosses the horizontal line at `y`; `None` if it does nowhere or everywhere.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0, 0.0], [1.0, 1.0]]; // the log-odds are x + y - 6
    /// let form = LinearForm::from_parameters(vec!['a', 'b'], &[0.0, 0.0], &weights.view(), &[0.0, -6.0])?;
    /// let line = form.boundary_in(1, 0, [0, 1], &[0.0, 0.0])?;
    /// assert_eq!(line.x_at(1.0), Some(5.0)); // 5 + 1 = 6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn x_at(&self, y: f64) -> Option<f64> {
        self.solve(0, y)
    }

    /// The coordinate `unknown` of the point whose other coordinate is `known`.
    fn solve(&self, unknown: usize, known: f64) -> Option<f64> {
        let other = 1 - unknown;
        let log_odds = self.weights[other] * (known - self.center[other]) + self.log_odds_at_center;
        let solution = self.center[unknown] - log_odds / self.weights[unknown];
        (self.weights[unknown] != 0.0 && solution.is_finite()).then_some(solution)
    }

    /// The points at which the boundary crosses the frame of a plot that shows these ranges, by increasing
    /// `x`, then `y`: two as a rule, none if the boundary passes outside, one if it touches a corner.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0, 0.0], [1.0, 1.0]]; // the log-odds are x + y - 6
    /// let form = LinearForm::from_parameters(vec!['a', 'b'], &[0.0, 0.0], &weights.view(), &[0.0, -6.0])?;
    /// let line = form.boundary_in(1, 0, [0, 1], &[0.0, 0.0])?;
    /// assert_eq!(line.crossings([0.0, 4.0], [0.0, 6.0]), [[0.0, 6.0], [4.0, 2.0]]);
    /// assert!(line.crossings([0.0, 1.0], [0.0, 1.0]).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn crossings(&self, x: [f64; 2], y: [f64; 2]) -> Vec<[f64; 2]> {
        let within = |value: f64, [low, high]: [f64; 2]| value >= low && value <= high;
        let sides = x.into_iter().filter_map(|x| Some([x, self.y_at(x).filter(|&at| within(at, y))?]));
        let ends = y.into_iter().filter_map(|y| Some([self.x_at(y).filter(|&at| within(at, x))?, y]));
        let mut points: Vec<[f64; 2]> = sides.chain(ends).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        points.dedup();
        points
    }
}

impl<L> LinearForm<L> {
    /// The boundary between two classes.
    ///
    /// ```
    /// use nb_core::NaiveBayes;
    /// use nb_linear::{LinearForm, SharedGaussian};
    /// use ndarray::array;
    ///
    /// let x = array![[0.0, 1.0], [2.0, 3.0], [4.0, 1.0], [6.0, 3.0]];
    /// let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &['a', 'a', 'b', 'b'])?;
    /// let plane = LinearForm::new(&classifier).hyperplane(1, 0)?;
    /// assert_eq!(plane.normal, array![4.0, 0.0]); // (5 - 1)/1, and the second column says nothing
    /// assert_eq!((plane.center, plane.log_odds_at_center), (array![3.0, 2.0], 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError`] if there are no such two classes or one of them has infinite weights.
    pub fn hyperplane(&self, class: usize, against: usize) -> Result<Hyperplane, FormError> {
        self.check_pair(class, against)?;
        let normal =
            self.weighted_features().map(|feature| feature.weights[class] - feature.weights[against]);
        let normal: Array1<f64> = normal.collect();
        let log_odds_at_center = difference(self.score_at_center(class), self.score_at_center(against));
        if !log_odds_at_center.is_finite() || !normal.iter().all(|weight| weight.is_finite()) {
            return Err(FormError::Infinite);
        }
        Ok(Hyperplane { features: self.features(), normal, center: self.center(), log_odds_at_center })
    }

    /// The Euclidean distance of each row from the boundary between two classes, in the space of the features
    /// and in their units: `log-odds / |normal|`, positive on the side of `class`.
    ///
    /// A row with skipped cells is measured in the space of its observed features. Where the features say
    /// nothing there is no boundary: the distance is infinite, or zero if the classes are equally
    /// probable.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0, 0.0], [3.0, 4.0]]; // the log-odds are 3 x + 4 y - 10
    /// let form = LinearForm::from_parameters(vec!['a', 'b'], &[0.0, 0.0], &weights.view(), &[0.0, -10.0])?;
    /// assert_eq!(form.distance(&array![[0.0, 0.0], [2.0, 1.0]], 1, 0)?, array![-2.0, 0.0]); // -10/5, 0/5
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError`] names the cell that cannot be scored, or says that there is no hyperplane.
    pub fn distance(
        &self,
        rows: &(impl Rows + ?Sized),
        class: usize,
        against: usize,
    ) -> Result<Array1<f64>, FormError> {
        let plane = self.hyperplane(class, against)?;
        let mut distances = self.log_odds(rows, class, against)?;
        let length = |observed: &dyn Fn(usize) -> bool| {
            let observed = plane.features.iter().map(|feature| observed(feature.column));
            let weights = plane.normal.iter().zip(observed).filter(|&(_, observed)| observed);
            weights.fold(0.0, |length, (&weight, _)| libm::hypot(length, weight))
        };
        let whole = length(&|_| true);
        let mut buffer = nb_core::family::BlockBuffer::default();
        let skips = self.columns.iter().any(|column| column.linear.missing == Missing::Skip);
        for (row, distance) in distances.iter_mut().enumerate().filter(|(_, distance)| **distance != 0.0) {
            let mut missing = Vec::new();
            if skips {
                rows.copy_rows(&[row], &mut buffer);
                buffer.block().for_each_stored(|_, column, value| {
                    if value.is_nan() {
                        missing.push(column);
                    }
                });
            }
            *distance /= if missing.is_empty() {
                whole
            } else {
                length(&|column| missing.binary_search(&column).is_err())
            };
        }
        Ok(distances)
    }

    /// The boundary between two classes in the plane of columns `i` and `j`, while the other columns have the
    /// values of the row `at` (whose own entries `i` and `j` are not looked at).
    ///
    /// ```
    /// use nb_core::NaiveBayes;
    /// use nb_linear::{LinearForm, SharedGaussian};
    /// use ndarray::array;
    ///
    /// let x = array![[0.0, 0.0], [2.0, 2.0], [4.0, 4.0], [6.0, 6.0]];
    /// let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &['a', 'a', 'b', 'b'])?;
    /// let line = LinearForm::new(&classifier).boundary_in(1, 0, [0, 1], &[0.0, 0.0])?;
    /// assert_eq!(line.y_at(2.0), Some(4.0)); // x + y = 6
    /// assert_eq!(line.crossings([0.0, 10.0], [0.0, 10.0]), [[0.0, 6.0], [6.0, 0.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError`] if classes or columns do not exist, the columns are not numbers, the row cannot be
    /// scored, or a class has infinite weights.
    pub fn boundary_in(
        &self,
        class: usize,
        against: usize,
        [i, j]: [usize; 2],
        at: &[f64],
    ) -> Result<BoundaryLine, FormError> {
        self.check_pair(class, against)?;
        if i == j {
            return Err(FormError::SameColumn { column: i });
        }
        let columns = [self.numeric(i, class, against)?, self.numeric(j, class, against)?];
        if at.len() != self.columns.len() {
            return Err(PredictError::Columns { expected: self.columns.len(), found: at.len() }.into());
        }
        let mut sums = [self.intercepts[class], self.intercepts[against]];
        for (column, &value) in at.iter().enumerate().filter(|&(column, _)| column != i && column != j) {
            if let Some(reason) = self.columns[column].problem(value) {
                return Err(PredictError::from(ValueError { row: 0, column, value, reason }).into());
            }
            let excess = self.columns[column].excess(value);
            sums[0].add(excess.of(class));
            sums[1].add(excess.of(against));
        }
        let log_odds_at_center = difference(sums[0], sums[1]);
        if !log_odds_at_center.is_finite() || columns.iter().any(|(_, weight)| !weight.is_finite()) {
            return Err(FormError::Infinite);
        }
        let [(x_center, x_weight), (y_center, y_weight)] = columns;
        Ok(BoundaryLine { weights: [x_weight, y_weight], center: [x_center, y_center], log_odds_at_center })
    }

    /// The center of a column of numbers, and its weight in the log-odds of two classes.
    fn numeric(&self, column: usize, class: usize, against: usize) -> Result<(f64, f64), FormError> {
        self.check_column(column)?;
        match &self.columns[column].linear.term {
            ColumnTerm::Real { center, weights, .. } => Ok((*center, weights[class] - weights[against])),
            ColumnTerm::Count { weights, .. } => Ok((0.0, weights[class] - weights[against])),
            _ => Err(FormError::NotNumeric { column }),
        }
    }
}
