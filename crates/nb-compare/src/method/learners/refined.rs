//! Naive Bayes with weights and corrections by conditional likelihood, on tables of columns, texts among
//! them.

use nb_core::{Classifier, NaiveBayes, Prior};
use nb_discriminative::{ColumnKind, FittedRefined, LabelledRows, Learner, Refined};
use nb_io::{Family, FittedFamily};
use ndarray::Array2;

use crate::{
    CategoryModel, Dealing, Fitted, Kind, Method, MethodError, Table,
    method::rows::{
        parts::{all_columns_of, labels_of, spread},
        summed::Stats,
        terms::Terms,
    },
};

/// Naive Bayes on bins and categories, weighted or refined by a [`Learner`].
#[derive(Clone, Debug, PartialEq)]
pub struct RefinedMethod {
    /// How weights and corrections are learnt.
    pub learner: Learner,
    /// How categories are modelled.
    pub categories: CategoryModel,
}

impl Method for RefinedMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let (columns, _) = all_columns_of(table)?;
        let terms = Terms::learn(table, train)?;
        let labels = labels_of(table, train)?;
        // Classes without training rows are no classes here.
        let mut present = labels.clone();
        present.sort_unstable();
        present.dedup();
        let place = |label: &usize| present.binary_search(label).unwrap_or_default();
        let places: Vec<usize> = labels.iter().map(place).collect();
        let features = terms.others().iter().map(|&column| match &columns[column].kind {
            Kind::Categorical { levels } => match self.categories {
                CategoryModel::Single => ColumnKind::Categories(levels.len()),
                CategoryModel::Grouped => ColumnKind::Grouped(levels.len()),
            },
            _ => ColumnKind::Numbers,
        });
        // The terms of a text have one weight.
        let of_texts = terms.of_texts().into_iter().enumerate();
        let of_texts = of_texts.flat_map(|(text, features)| features.map(move |_| ColumnKind::Term(text)));
        let features: Vec<ColumnKind> = features.chain(of_texts).collect();
        // Rows of a group are held out together here, too.
        let groups: Option<Vec<usize>> = match &table.dealing {
            Dealing::Groups { of_row, .. } => Some(train.iter().map(|&row| of_row[row]).collect()),
            Dealing::Rows | Dealing::Given(_) => None,
        };
        let (learnt, model, stats) = terms.with_rows(table, train, |rows| {
            let mut labelled = LabelledRows::new(rows, &features, &places, present.len());
            if let Some(groups) = &groups {
                labelled = labelled.with_groups(groups);
            }
            let learnt = self.learner.learn_from(&labelled).map_err(MethodError::failed)?;
            let family = Family::of_learnt(&features, &learnt).map_err(MethodError::failed)?;
            let model = Refined { model: family, refinement: learnt.refinement.clone() };
            let mut stats = Stats::new(&model, rows.n_columns()).map_err(MethodError::failed)?;
            stats.update(&model, rows, &labels).map_err(MethodError::failed)?;
            Ok((learnt, model, stats))
        })?;
        let prior = Prior::Given(learnt.log_prior.iter().map(|&log| libm::exp(log)).collect());
        let classifier =
            NaiveBayes { model: &model, prior }.fit_stats(&stats).map_err(MethodError::failed)?;
        let corrections = model.refinement.corrections.iter().map(|correction| correction.levels().len());
        let n_parameters = corrections.sum::<usize>() + columns.len();
        Ok(Box::new(OfColumns { classifier, terms, n_classes: table.classes.len(), n_parameters }))
    }
}

struct OfColumns {
    classifier: Classifier<usize, FittedRefined<FittedFamily>>,
    terms: Terms,
    n_classes: usize,
    n_parameters: usize,
}

impl Fitted for OfColumns {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let found = self.terms.with_rows(table, rows, |rows| {
            self.classifier.predict_log_proba(rows).map_err(MethodError::failed)
        })?;
        Ok(spread(&found, self.classifier.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.n_parameters
    }
}
