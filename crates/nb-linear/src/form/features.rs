//! The form in the open: features, center, weights and intercepts.

use ndarray::{Array1, Array2};

use super::{LinearForm, column::Column};
use crate::{ColumnTerm, error_free::Sum};

/// A feature of a linear form: what the weight is multiplied with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
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
    /// 1 if the value is none of the known category codes, else 0.
    OtherCode,
}

/// A feature with its center, spread and weights per class.
pub(super) struct Weighted {
    pub(super) feature: Feature,
    pub(super) center: f64,
    pub(super) spread: f64,
    pub(super) weights: Vec<f64>,
}

impl Column {
    /// The features of the column, which has this number.
    fn features(&self, column: usize) -> Vec<Weighted> {
        let indicator = |encoding, weights| {
            let feature = Feature { column, encoding };
            Weighted { feature, center: 0.0, spread: 1.0, weights }
        };
        match &self.linear.term {
            ColumnTerm::Real { center, spread, weights, .. } => {
                let feature = Feature { column, encoding: Encoding::Value };
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

/// # The form in the open
///
/// The score of a class is `weights[class] · (φ - center) + intercepts[class]`, with one entry per feature `φ`. A class
/// that cannot have produced some rows (with `l = 0`) has infinite entries here, and `0 · ∞` means 0; the scores
/// themselves do not suffer from it.
impl<L> LinearForm<L> {
    /// All features with what belongs to them, in column order.
    pub(super) fn weighted_features(&self) -> impl Iterator<Item = Weighted> + '_ {
        self.columns.iter().enumerate().flat_map(|(number, column)| column.features(number))
    }

    /// The features, in column order.
    pub fn features(&self) -> Vec<Feature> {
        self.weighted_features().map(|weighted| weighted.feature).collect()
    }

    /// The center of each feature; zero for counts and indicators.
    pub fn center(&self) -> Array1<f64> {
        self.weighted_features().map(|weighted| weighted.center).collect()
    }

    /// The weights, `n_classes × n_features`.
    pub fn weights(&self) -> Array2<f64> {
        let features: Vec<Weighted> = self.weighted_features().collect();
        Array2::from_shape_fn((self.classes.len(), features.len()), |(class, feature)| {
            features[feature].weights[class]
        })
    }

    /// The scores at the center, one per class, log-priors included.
    pub fn intercepts(&self) -> Array1<f64> {
        (0..self.classes.len()).map(|class| self.intercept(class).value()).collect()
    }

    /// The score of a class at the center.
    pub(super) fn intercept(&self, class: usize) -> Sum {
        let constants = self.columns.iter().map(|column| column.constant(class));
        std::iter::once(self.priors[class]).chain(constants).collect()
    }

    /// Raw weights, `n_classes × n_features`, and intercepts: the scores as `w · φ + b`, for export.
    ///
    /// Folding the center into `b = intercept - w · center` loses digits where the center is large: scores computed
    /// from it are off by about `1e-16 Σ |w_j center_j|`, so that at an offset of 1e9 and a standard deviation of 1
    /// nine digits are left of a log-odds near 1, and at 1e16 none.
    pub fn folded(&self) -> (Array2<f64>, Array1<f64>) {
        let (weights, center) = (self.weights(), self.center());
        let fold = |class| {
            let mut sum = self.intercept(class);
            for (&weight, &center) in weights.row(class).iter().zip(&center) {
                if center != 0.0 && weight != 0.0 {
                    sum.add_product(-weight, center);
                }
            }
            sum.value()
        };
        let intercepts = (0..self.classes.len()).map(fold).collect();
        (weights, intercepts)
    }
}
