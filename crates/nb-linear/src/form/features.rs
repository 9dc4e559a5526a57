//! The coefficients of the form, in raw coordinates and around the center, and the features they belong to.

use ndarray::{Array1, Array2};

use super::{LinearForm, column::Column};
use exact_sums::Compensated;

use crate::ColumnTerm;

/// A feature of a linear form: what the weight is multiplied with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EncodedColumn {
    /// The column of the rows.
    pub column: usize,
    /// How the value of the column becomes the feature.
    pub encoding: Encoding,
}

/// How the value of a column becomes a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encoding {
    /// The value itself.
    Value,
    /// 1 if the value is above the threshold, else 0.
    Above(f64),
    /// 1 if the value is the category code, else 0.
    Code(usize),
    /// 1 if the value is not a known category code, else 0.
    OtherCode,
}

/// A feature with its center, spread and weights per class.
pub(super) struct Weighted {
    pub(super) feature: EncodedColumn,
    pub(super) center: f64,
    pub(super) spread: f64,
    pub(super) weights: Vec<f64>,
}

impl Column {
    /// The features of the column, which has this number.
    fn features(&self, column: usize) -> Vec<Weighted> {
        let indicator = |encoding, weights| {
            let feature = EncodedColumn { column, encoding };
            Weighted { feature, center: 0.0, spread: 1.0, weights }
        };
        match &self.linear.term {
            ColumnTerm::Real { center, spread, weights, .. } => {
                let feature = EncodedColumn { column, encoding: Encoding::Value };
                vec![Weighted { feature, center: *center, spread: *spread, weights: weights.clone() }]
            }
            ColumnTerm::Count { weights, .. } => vec![indicator(Encoding::Value, weights.clone())],
            ColumnTerm::Threshold { threshold, below, above } => {
                // Equal infinities, which no probabilities have, would make NaN.
                let rise = |(&a, &b): (&f64, &f64)| if a == b { 0.0 } else { a - b };
                vec![indicator(Encoding::Above(*threshold), above.iter().zip(below).map(rise).collect())]
            }
            ColumnTerm::Categories { codes, scores, other } => {
                let known = codes.iter().zip(scores);
                let known = known.map(|(&code, scores)| indicator(Encoding::Code(code), scores.clone()));
                let other = other.iter().filter(|scores| scores.iter().any(|&score| score != 0.0));
                known.chain(other.map(|scores| indicator(Encoding::OtherCode, scores.clone()))).collect()
            }
            ColumnTerm::Ignored => Vec::new(),
        }
    }

    /// What the column adds where its features are at their centers, for a class.
    fn constant(&self, class: usize) -> f64 {
        match &self.linear.term {
            ColumnTerm::Real { constants, .. } | ColumnTerm::Count { constants, .. } => constants[class],
            ColumnTerm::Threshold { below, .. } => below[class],
            ColumnTerm::Categories { .. } | ColumnTerm::Ignored => 0.0,
        }
    }
}

/// The coefficients of a form around its center: the score of a class is
/// `weights[class] · (φ - center) + scores_at_center[class]`.
///
/// This keeps all digits where the features are far from zero. For `w · φ + b` see [`LinearForm::coef`] and
/// [`LinearForm::intercept`]: a score at the center is **not** the `b` of that formula.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CenteredForm {
    /// The weights, `n_classes × n_features`; the same as in raw coordinates.
    pub weights: Array2<f64>,
    /// The center of each feature; zero for counts and indicators.
    pub center: Array1<f64>,
    /// The scores of the classes where every feature is at its center, log-priors included.
    pub scores_at_center: Array1<f64>,
}

/// # Coefficients
///
/// A class that cannot have produced some rows (with `l = 0`) has infinite coefficients, and `0 · ∞` means 0
/// in the formulas; the scores themselves do not suffer from it.
impl<L> LinearForm<L> {
    /// All features with what belongs to them, in column order.
    pub(super) fn weighted_features(&self) -> impl Iterator<Item = Weighted> + '_ {
        self.columns.iter().enumerate().flat_map(|(number, column)| column.features(number))
    }

    /// The features, in column order.
    ///
    /// ```
    /// use nb_core::{Categorical, NaiveBayes};
    /// use nb_linear::{Encoding, LinearForm};
    /// use ndarray::array;
    ///
    /// let x = array![[0.0], [2.0]];
    /// let form = LinearForm::new(&NaiveBayes::new(Categorical::default()).fit(&x, &["no", "yes"])?);
    /// assert_eq!(form.features()[1].encoding, Encoding::Code(2)); // one-hot: 1 where the cell is 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn features(&self) -> Vec<EncodedColumn> {
        self.weighted_features().map(|weighted| weighted.feature).collect()
    }

    /// The coefficients `w` of `w · φ + b`, `n_classes × n_features`, as scikit-learn's `coef_` (which has a
    /// single row for two classes: that is [`BinaryForm::coef`](super::BinaryForm::coef)).
    ///
    /// ```
    /// use nb_core::NaiveBayes;
    /// use nb_linear::{LinearForm, SharedGaussian};
    /// use ndarray::array;
    ///
    /// let x = array![[1.0], [3.0], [3.0], [5.0]];
    /// let form = LinearForm::new(&NaiveBayes::new(SharedGaussian::default()).fit(&x, &["a", "a", "b", "b"])?);
    /// let row = array![3.5];
    /// let scores = form.coef().dot(&row) + form.intercept();
    /// let log_odds = form.log_odds(&array![[3.5]], 1, 0)?;
    /// assert!((scores[1] - scores[0] - log_odds[0]).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coef(&self) -> Array2<f64> {
        let features: Vec<Weighted> = self.weighted_features().collect();
        Array2::from_shape_fn((self.classes.len(), features.len()), |(class, feature)| {
            features[feature].weights[class]
        })
    }

    /// The intercepts `b` of `w · φ + b`, one per class, log-priors included, as scikit-learn's `intercept_`:
    /// the scores of a row whose features are all zero.
    ///
    /// # Precision
    /// Raw coordinates lose digits where the features are far from zero: `b` and `w · φ` are then both large
    /// and nearly cancel, and scores computed from them are off by about `1e-16 Σ |w_j center_j|`. At an
    /// offset of 1e9 and a standard deviation of 1, nine digits are left of a log-odds near 1; at 1e16
    /// none. [`scores`](Self::scores) and all other answers of the form do not go this way, and neither
    /// does [`centered`](Self::centered).
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// assert_eq!(form.intercept(), array![0.0, -6.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn intercept(&self) -> Array1<f64> {
        let CenteredForm { weights, center, .. } = self.centered();
        let of_class = |class| {
            let mut sum = self.score_at_center(class);
            for (&weight, &center) in weights.row(class).iter().zip(&center) {
                if center != 0.0 && weight != 0.0 {
                    sum.add_product(-weight, center);
                }
            }
            sum.value()
        };
        (0..self.classes.len()).map(of_class).collect()
    }

    /// The coefficients around the center of the data, which lose no digits where the features are far from
    /// zero.
    ///
    /// ```
    /// use nb_core::NaiveBayes;
    /// use nb_linear::{LinearForm, SharedGaussian};
    /// use ndarray::array;
    ///
    /// let x = array![[1e9 + 1.0], [1e9 + 3.0], [1e9 + 3.0], [1e9 + 5.0]];
    /// let form = LinearForm::new(&NaiveBayes::new(SharedGaussian::default()).fit(&x, &["a", "a", "b", "b"])?);
    /// let centered = form.centered();
    /// assert_eq!(centered.center, array![1e9 + 3.0]);
    /// let scores = centered.weights.dot(&(array![1e9 + 4.0] - &centered.center)) + &centered.scores_at_center;
    /// assert_eq!(scores[1] - scores[0], 2.0); // (4 - 2)/1 · (4 - 3), every digit of it
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn centered(&self) -> CenteredForm {
        CenteredForm {
            weights: self.coef(),
            center: self.center(),
            scores_at_center: (0..self.classes.len())
                .map(|class| self.score_at_center(class).value())
                .collect(),
        }
    }

    /// The center of each feature.
    pub(super) fn center(&self) -> Array1<f64> {
        self.weighted_features().map(|weighted| weighted.center).collect()
    }

    /// The score of a class at the center.
    pub(super) fn score_at_center(&self, class: usize) -> Compensated {
        let constants = self.columns.iter().map(|column| column.constant(class));
        std::iter::once(self.priors[class]).chain(constants).collect()
    }
}
