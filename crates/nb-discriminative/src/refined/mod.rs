//! A family whose terms have weights and corrections.

mod absent_text;
mod correction;
mod fitted;
mod line;
mod pair;

use nb_core::{
    FeatureModel,
    error::{FamilyError, FamilyProblem, LayoutError, ValueError},
    exact::ExactSums,
    family::{Accumulator, Block, ClassSums, SumLayout, Weights},
};

pub use absent_text::AbsentText;
pub use correction::Correction;
pub use fitted::FittedRefined;
pub use line::Line;
pub use pair::{GridAxis, PairCorrection};

/// What is multiplied with and added to the log-likelihoods of a family, by column.
#[derive(Clone, Debug, PartialEq)]
pub struct Refinement {
    /// The number of classes that it was learnt for.
    pub n_classes: usize,
    /// The weight of each column: finite, not negative.
    pub weights: Vec<f64>,
    /// The correction of each column.
    pub corrections: Vec<Correction>,
    /// What is added for the values of two columns together.
    pub pairs: Vec<PairCorrection>,
    /// What is added for texts of which no term is known.
    pub absent_texts: Vec<AbsentText>,
}

/// A family with a refinement: a column adds `w log p(x | c) + t_c(x)` to the score of a class, with its
/// weight `w` and its correction `t`, and [pairs of columns](PairCorrection) what their values say together.
/// The sums are those of the family itself, so that they are updated, merged and taken apart as ever, and
/// statistics of the family can be fitted with any refinement.
///
/// The scores are no densities, and there is nothing to sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Refined<M> {
    /// The family. Missing cells should be left out by it: the correction says what they mean.
    pub model: M,
    /// Weights and corrections.
    pub refinement: Refinement,
}

impl<M: FeatureModel> FeatureModel for Refined<M> {
    type Fitted = FittedRefined<M::Fitted>;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        let layout = self.model.layout(n_columns)?;
        self.refinement.check(n_columns)?;
        Ok(layout)
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.model.check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        self.model.update(rows, weights, sums);
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        self.model.accumulator(n_columns)
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Self::Fitted, FamilyError> {
        let fitted = self.model.fit(classes)?;
        if classes.len() != self.refinement.n_classes {
            let problem = format!(
                "weights and corrections were learnt for {} classes, and there is evidence of {}; learn them again",
                self.refinement.n_classes,
                classes.len()
            );
            return Err(FamilyError { class: 0, column: 0, problem: FamilyProblem::Other(problem) });
        }
        Ok(FittedRefined::new(fitted, self.refinement.clone()))
    }
}

impl Refinement {
    /// The same for classes in another order: each has what is at its place here.
    ///
    /// ```
    /// # use nb_discriminative::{Correction, Refinement};
    /// let mut refinement = Refinement::none(2, 1);
    /// refinement.corrections[0] = Correction::slope(vec![0.5, -1.5]);
    /// assert_eq!(refinement.reordered(&[1, 0]).corrections[0].per_unit(), [-1.5, 0.5]);
    /// ```
    #[must_use]
    pub fn reordered(&self, places: &[usize]) -> Self {
        let reordered =
            |values: &[f64]| places.iter().filter_map(|&place| values.get(place).copied()).collect();
        let mut all = Self { n_classes: places.len(), ..self.mapped(reordered) };
        for correction in &mut all.corrections {
            let rising =
                correction.rising().and_then(|class| places.iter().position(|&place| place == class));
            *correction = std::mem::replace(correction, Correction::none()).with_rising(rising);
        }
        all
    }

    /// The same with other numbers for the classes.
    fn mapped(&self, map: impl Fn(&[f64]) -> Vec<f64>) -> Self {
        Self {
            n_classes: self.n_classes,
            weights: self.weights.clone(),
            corrections: self.corrections.iter().map(|correction| correction.mapped(&map)).collect(),
            pairs: self.pairs.iter().map(|pair| pair.mapped(self.n_classes, &map)).collect(),
            absent_texts: self
                .absent_texts
                .iter()
                .map(|text| AbsentText { added: map(&text.added), ..text.clone() })
                .collect(),
        }
    }

    /// Weights of one and no corrections: the scores of naive Bayes.
    ///
    /// ```
    /// # use nb_discriminative::Refinement;
    /// let refinement = Refinement::none(2, 3);
    /// assert_eq!(refinement.weights, [1.0, 1.0, 1.0]);
    /// assert!(refinement.corrections.iter().all(|correction| correction.is_none()));
    /// ```
    #[must_use]
    pub fn none(n_classes: usize, n_columns: usize) -> Self {
        Self {
            n_classes,
            weights: vec![1.0; n_columns],
            corrections: vec![Correction::none(); n_columns],
            pairs: Vec::new(),
            absent_texts: Vec::new(),
        }
    }

    /// Whether all columns have the same weight, and none has a correction.
    ///
    /// ```
    /// # use nb_discriminative::Refinement;
    /// let mut refinement = Refinement::none(2, 2);
    /// refinement.weights = vec![0.5, 0.5];
    /// assert!(refinement.is_one_weight());
    /// refinement.weights = vec![0.5, 0.0];
    /// assert!(!refinement.is_one_weight());
    /// ```
    pub fn is_one_weight(&self) -> bool {
        self.weights.windows(2).all(|pair| pair[0] == pair[1])
            && self.corrections.iter().all(Correction::is_none)
            && self.pairs.is_empty()
            && self.absent_texts.is_empty()
    }

    /// The same with all weights and corrections times a factor, and so all that the columns add.
    ///
    /// ```
    /// # use nb_discriminative::{Correction, Refinement};
    /// let mut refinement = Refinement::none(2, 1);
    /// refinement.corrections[0] = Correction::slope(vec![0.5, -1.5]);
    /// let half = refinement.scaled(0.5);
    /// assert_eq!((half.weights[0], half.corrections[0].per_unit()), (0.5, &[0.25, -0.75][..]));
    /// ```
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            weights: self.weights.iter().map(|weight| factor * weight).collect(),
            ..self.mapped(|values| values.iter().map(|value| factor * value).collect())
        }
    }

    /// Checks that there is one weight and one correction per column, and that all are finite.
    ///
    /// ```
    /// # use nb_discriminative::Refinement;
    /// let mut refinement = Refinement::none(2, 3);
    /// assert!(refinement.check(3).is_ok());
    /// assert!(refinement.check(4).is_err());
    /// refinement.weights[1] = f64::NAN;
    /// assert!(refinement.check(3).is_err());
    /// ```
    ///
    /// # Errors
    /// [`LayoutError`] says what is wrong.
    pub fn check(&self, n_columns: usize) -> Result<(), LayoutError> {
        for (name, found) in
            [("the list of weights", self.weights.len()), ("the list of corrections", self.corrections.len())]
        {
            if found != n_columns {
                return Err(LayoutError::Length { name, found, n_columns });
            }
        }
        if let Some(&value) = self.weights.iter().find(|weight| !(**weight >= 0.0 && weight.is_finite())) {
            return Err(LayoutError::Parameter {
                name: "a weight",
                value,
                must_be: "finite and not negative",
            });
        }
        for correction in &self.corrections {
            correction.check(self.n_classes)?;
        }
        self.pairs.iter().try_for_each(|pair| pair.check(n_columns, self.n_classes))?;
        self.absent_texts.iter().try_for_each(|text| text.check(n_columns, self.n_classes))
    }
}
