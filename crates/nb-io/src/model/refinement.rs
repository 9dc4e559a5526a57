//! What makes a model more than naive Bayes: weights and corrections that were learnt by conditional
//! likelihood.

use std::ops::Range;

use super::{HeldOutMeasures, error::listed};
use crate::{Family, FittedFamily};
use nb_core::{
    Classifier, FeatureModel, NaiveBayes, Prior, SufficientStats,
    error::{FamilyError, FitError, LayoutError},
    family::{ClassSums, forward_family},
};
use nb_discriminative::{AbsentText, Correction, Learnt, Refined, Refinement};

/// Weights and corrections of a model, with what is known of how they were learnt.
///
/// They are kept as the evidence of the model grows or shrinks, which only changes the log-likelihoods that
/// are weighted, and are for the classes that they were learnt for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelRefinement {
    /// The classes, in order.
    pub classes: Vec<String>,
    /// What is added to the logarithm of the prior of each class.
    pub offsets: Vec<f64>,
    /// Weights and corrections of the features.
    pub columns: Refinement,
    /// The number of rows that they were learnt from.
    pub n_rows: u64,
    /// How rows that were held out were classified.
    pub held_out: HeldOutMeasures,
}

impl ModelRefinement {
    /// What was learnt from rows of these classes, given in order with their shares of the rows.
    pub fn new(learnt: &Learnt, classes: Vec<String>, shares: &[f64]) -> Self {
        let offsets = learnt.log_prior.iter().zip(shares).map(|(log, share)| log - libm::log(*share));
        Self {
            classes,
            offsets: offsets.collect(),
            columns: learnt.refinement.clone(),
            n_rows: learnt.summary.n_rows as u64,
            held_out: HeldOutMeasures::new(
                [learnt.summary.held_out, learnt.summary.of_prior],
                [learnt.summary.accuracy, learnt.summary.majority],
            ),
        }
    }

    /// The same posteriors after a map `log p'(c | x) = factor · log p(c | x) + offsets[c] + constant`,
    /// learnt from rows that were held out from the model: `refinement` is what it has, if it has one,
    /// and `log_prior` the logarithms of its class prior. `n_rows` and `held_out` are those of the map.
    #[must_use]
    pub fn calibrated(
        refinement: Option<&Self>,
        classes: &[String],
        log_prior: &[f64],
        n_features: usize,
        (factor, offsets): (f64, &[f64]),
        (n_rows, held_out): (u64, HeldOutMeasures),
    ) -> Self {
        let columns = refinement.map_or_else(
            || Refinement::none(classes.len(), n_features),
            |refinement| refinement.columns.clone(),
        );
        let before = |class: usize| refinement.map_or(0.0, |refinement| refinement.offsets[class]);
        let of_class = |(class, log_prior): (usize, &f64)| {
            factor * (log_prior + before(class)) + offsets[class] - log_prior
        };
        Self {
            classes: classes.to_vec(),
            offsets: log_prior.iter().enumerate().map(of_class).collect(),
            columns: columns.scaled(factor),
            n_rows,
            held_out,
        }
    }

    /// Checks that the parts fit together and there is one weight and correction per feature.
    pub(super) fn check(&self, n_features: usize) -> Result<(), LayoutError> {
        self.columns.check(n_features)?;
        let n_classes = self.columns.n_classes;
        let parameter = |name, value, must_be| Err(LayoutError::Parameter { name, value, must_be });
        for (name, found) in [
            ("the number of classes of the refinement", self.classes.len()),
            ("the number of its offsets", self.offsets.len()),
        ] {
            if found != n_classes {
                return parameter(name, found as f64, "that of the classes it was learnt for");
            }
        }
        self.held_out.check()?;
        if let Some(&offset) = self.offsets.iter().find(|offset| !offset.is_finite()) {
            return parameter("an offset of the refinement", offset, "finite");
        }
        Ok(())
    }

    /// The classifier, with labels of any type: `places` has for each class of the statistics, in their
    /// order, its place among the classes of the refinement.
    pub(super) fn classifier<L: Ord + Clone>(
        &self,
        family: &Family,
        prior: Prior,
        stats: &SufficientStats<L>,
        places: &[usize],
    ) -> Result<Classifier<L, FittedFamily>, FitError> {
        let whole = Whole(Refined { model: family, refinement: self.columns.reordered(places) });
        let plain = NaiveBayes { model: &whole, prior }.fit_stats(stats)?;
        let log_prior = plain.log_prior().iter().zip(places).map(|(log, &place)| log + self.offsets[place]);
        let log_prior: Vec<f64> = log_prior.collect();
        let most = log_prior.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = log_prior.iter().map(|log| libm::exp(log - most)).collect();
        let total: f64 = shares.iter().sum();
        let prior = Prior::Given(shares.iter().map(|share| share / total).collect());
        NaiveBayes { model: &whole, prior }.fit_stats(stats)
    }

    /// Refuses other classes than those that it was learnt for.
    pub(super) fn check_classes<'a>(
        &self,
        classes: impl Iterator<Item = &'a String>,
    ) -> Result<(), FitError> {
        let classes: Vec<&String> = classes.collect();
        if self.classes.iter().eq(classes.iter().copied()) {
            return Ok(());
        }
        Err(FitError::Other(format!(
            "weights and corrections were learnt for the classes {}, and the evidence is of {}; learn them again from rows of all of these",
            listed(&self.classes),
            listed(&classes),
        )))
    }

    /// The same for features and categories in other places: `features` has the new place of each old
    /// feature, `columns` the new features of each column, beyond all of which are terms that go, `codes`
    /// the new codes of its categories if they moved. A new term has the weight of the others of its
    /// text.
    pub(super) fn moved(
        &self,
        features: &[usize],
        columns: impl Iterator<Item = Range<usize>>,
        codes: impl Fn(usize) -> Option<(Vec<usize>, usize)>,
    ) -> Self {
        let of_columns: Vec<Range<usize>> = columns.collect();
        let n_features = of_columns.iter().map(|features| features.end).max().unwrap_or(0);
        let mut weights = vec![1.0; n_features];
        let mut corrections = vec![Correction::none(); n_features];
        let mut is_new = vec![true; n_features];
        for (old, &new) in features.iter().enumerate() {
            if new >= n_features {
                continue;
            }
            weights[new] = self.columns.weights[old];
            is_new[new] = false;
            let correction = &self.columns.corrections[old];
            corrections[new] = match codes(old) {
                Some((codes, n_codes)) => correction.with_codes(&codes, n_codes),
                None => correction.clone(),
            };
        }
        let n_classes = self.columns.n_classes;
        for column in &of_columns {
            let known: Vec<usize> = column.clone().filter(|&feature| !is_new[feature]).collect();
            let term = known.iter().find(|&&feature| !corrections[feature].per_unit().is_empty());
            let Some(&like) = term.or_else(|| known.first()) else { continue };
            let (weight, is_term) = (weights[like], term.is_some());
            for feature in column.clone().filter(|&feature| is_new[feature]) {
                weights[feature] = weight;
                if is_term {
                    corrections[feature] = Correction::slope(vec![0.0; n_classes]);
                }
            }
        }
        let pairs = self.columns.pairs.iter().map(|pair| {
            let [first, second] = pair.columns;
            pair.moved(pair.columns.map(|old| features[old]), [codes(first), codes(second)])
        });
        // A text may have new terms, or fewer.
        let absent_texts = self.columns.absent_texts.iter().map(|text| {
            let own = of_columns
                .iter()
                .find(|own| features[text.terms.clone()].iter().any(|new| own.contains(new)));
            AbsentText { terms: own.cloned().unwrap_or_default(), ..text.clone() }
        });
        let columns = Refinement {
            n_classes,
            weights,
            corrections,
            pairs: pairs.collect(),
            absent_texts: absent_texts.collect(),
        };
        Self { columns, ..self.clone() }
    }
}

/// A family with its refinement, whose fitted form is one of the list.
struct Whole<'a>(Refined<&'a Family>);

macro_rules! inner {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &$self.0;
        $work
    }};
}

impl FeatureModel for Whole<'_> {
    type Fitted = FittedFamily;

    forward_family!(self, inner);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedFamily, FamilyError> {
        Ok(FittedFamily::Refined(Box::new(self.0.fit(classes)?)))
    }
}
