//! Naive Bayes on tables of columns, texts among them, and on documents.

use nb_core::{
    Blocks, Categorical, Categories, Classifier, Missing, Multinomial, NaiveBayes, Prior, Smoothing, Unseen,
    fitted::FittedBlocks,
};
use nb_io::{Family, FittedFamily};
use nb_variants::Grouped;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::{
    Documents, Features, Fitted, Folds, Kind, Method, MethodError, PowerLimit, Table,
    method::{
        Growing, Retracting,
        rows::{
            parts::{all_columns_of, documents_of, labels_of, spread},
            summed::{Stats, Summable},
            terms::Terms,
        },
    },
};

mod columns;

pub use columns::{ColumnModel, Discretisation, KernelWidth, LearntModel};
pub(crate) use columns::{Training, entry, is_fixed, one, option_name, setting};

/// Naive Bayes, with a family for each kind of column.
#[derive(Clone, Debug, PartialEq)]
pub struct NaiveBayesMethod {
    /// For columns of numbers; none if the method is not for them.
    pub numeric: Option<ColumnModel>,
    /// For columns of counts and for documents; none if the method is not for them.
    pub count: Option<ColumnModel>,
    /// For the terms of each column of texts; if none is given, that for counts if it is one for counts
    /// only, else multinomial.
    pub text: Option<ColumnModel>,
    /// The pseudo-count of categories.
    pub l: f64,
    /// How categories are modelled.
    pub categories: CategoryModel,
    /// The prior of the classes.
    pub prior: Prior,
}

/// How columns of categories are modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CategoryModel {
    /// Each category has its own probability.
    #[default]
    Single,
    /// In groups that are read off the counts (Boullé 2005).
    Grouped,
}

type Model = NaiveBayes<Blocks<Family>>;

impl NaiveBayesMethod {
    /// The families of the columns, with all that they learn from training rows.
    fn model(
        &self,
        table: &Table,
        training: Training<'_>,
        terms: &Terms,
    ) -> Result<(Model, Vec<PowerLimit>), MethodError> {
        let (columns, _) = all_columns_of(table)?;
        let of_kind = |wanted: fn(&Kind) -> bool| -> Vec<usize> {
            (0..columns.len()).filter(|&column| wanted(&columns[column].kind)).collect()
        };
        let numeric = of_kind(|kind| *kind == Kind::Numeric);
        let counts = of_kind(|kind| *kind == Kind::Count);
        let categorical = of_kind(|kind| matches!(kind, Kind::Categorical { .. }));
        self.check_counts(&counts, terms)?;
        let features = |columns: &[usize]| -> Vec<usize> {
            columns.iter().map(|&column| terms.feature(column)).collect()
        };

        let (mut blocks, mut limits) = (Blocks::default(), Vec::new());
        for (model, own, what) in
            [(&self.numeric, numeric, "columns of numbers"), (&self.count, counts, "columns of counts")]
        {
            if own.is_empty() {
                continue;
            }
            let model =
                model.as_ref().ok_or_else(|| MethodError::not_applicable(format!("the table has {what}")))?;
            let (family, of_family) = model.family_and_limits(&own, training)?;
            blocks = blocks.with_same(features(&own), family);
            limits.extend(of_family.into_iter().map(|(column, lambda)| PowerLimit {
                column: columns[column].name.clone(),
                n_folds: 1,
                lambda,
            }));
        }
        if !categorical.is_empty() {
            let n_levels = categorical.iter().map(|&column| columns[column].kind.n_levels()).collect();
            let family = Categorical {
                categories: Categories::Declared(n_levels),
                smoothing: Smoothing::new(self.l).map_err(MethodError::failed)?,
                missing: Missing::Skip,
                unseen: Unseen::Error,
            };
            let family = match self.categories {
                CategoryModel::Single => Family::from(family),
                CategoryModel::Grouped => Family::from(Grouped::new(family)),
            };
            blocks = blocks.with_same(features(&categorical), family);
        }
        if terms.has_texts() {
            let model = self.text_model(terms.others().is_empty())?;
            for own in terms.of_texts() {
                // It learns nothing before terms are counted.
                blocks = blocks.with_same(own, model.family(&[], training)?);
            }
        }
        Ok((NaiveBayes { model: blocks, prior: self.prior.clone() }, limits))
    }

    /// A method for counts has nothing to say where there are none.
    fn check_counts(&self, counts: &[usize], terms: &Terms) -> Result<(), MethodError> {
        let is_about_counts =
            self.count.as_ref().is_some_and(ColumnModel::is_for_counts) && self.count != self.numeric;
        if is_about_counts && counts.is_empty() && !terms.has_texts() {
            return Err(MethodError::not_applicable("the table has no columns of counts"));
        }
        Ok(())
    }

    /// The family of terms. Where there is nothing else, a method that is not for counts has nothing to say.
    fn text_model(&self, is_all: bool) -> Result<ColumnModel, MethodError> {
        match (&self.text, &self.count) {
            (Some(text), _) if !text.is_for_counts() => Err(MethodError::not_applicable(
                "the family for texts (`text.family`) is not for counts of terms; take one that is, such as multinomial",
            )),
            (Some(text), _) => Ok(text.clone()),
            (None, Some(count)) if count.is_for_counts() => Ok(count.clone()),
            (None, _) if is_all => Err(MethodError::not_applicable(
                "the table has texts alone, and the family is not for counts",
            )),
            (None, _) => Ok(ColumnModel::listed(Multinomial::default())),
        }
    }

    fn learns(&self) -> bool {
        [&self.numeric, &self.count].into_iter().flatten().any(ColumnModel::learns)
    }

    /// The model, if it learns nothing before rows are summed.
    fn summable<'a>(&'a self, table: &'a Table) -> Result<Option<Summable<'a, Blocks<Family>>>, MethodError> {
        let Features::Columns { columns, x } = &table.features else { return Ok(None) };
        // Vocabularies are those of the training rows.
        if self.learns() || columns.iter().any(|column| column.kind.is_text()) {
            return Ok(None);
        }
        let rows: Vec<usize> = (0..table.n_rows()).collect();
        let no_terms = || Terms::learn(table, &[]);
        let (Model { model, prior }, _) =
            self.model(table, Training { x, rows: &rows, labels: &table.labels }, &no_terms()?)?;
        let finish = move |blocks: &Blocks<Family>, stats: &Stats| {
            finish(&NaiveBayes { model: blocks, prior: prior.clone() }, stats, table, no_terms()?, Vec::new())
        };
        Ok(Some(Summable { model, x, table, finish: Box::new(finish) }))
    }

    fn fit_documents(
        &self,
        documents: &Documents,
        n_classes: usize,
        train: &[usize],
        labels: &[usize],
    ) -> Result<Box<dyn Fitted>, MethodError> {
        let own = self.text.as_ref().or(self.count.as_ref());
        let model = own.filter(|model| model.is_for_counts()).ok_or_else(|| {
            MethodError::not_applicable("the table has documents, and the family is not for counts")
        })?;
        let vocabulary = documents.vocabulary(train);
        let matrix = documents.of_vocabulary(train, &vocabulary);
        let rows = matrix.view().map_err(MethodError::failed)?;
        let empty = Array2::zeros((0, 0));
        let family = model.family(&[], Training { x: &empty, rows: &[], labels: &[] })?;
        let naive_bayes = NaiveBayes { model: family, prior: self.prior.clone() };
        let classifier = naive_bayes.fit(&rows, labels).map_err(MethodError::failed)?;
        let n_parameters = (matrix.n_columns + 1) * classifier.classes().len();
        Ok(Box::new(OfDocuments { classifier, vocabulary, n_classes, n_parameters }))
    }
}

impl Method for NaiveBayesMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let labels = labels_of(table, train)?;
        match &table.features {
            Features::Documents(documents) => {
                self.fit_documents(documents, table.classes.len(), train, &labels)
            }
            Features::Columns { x, .. } => {
                let training = Training { x, rows: train, labels: &labels };
                let terms = Terms::learn(table, train)?;
                let (model, limits) = self.model(table, training, &terms)?;
                let mut stats = Stats::new(&model.model, terms.n_features()).map_err(MethodError::failed)?;
                terms.with_rows(table, train, |rows| {
                    stats.update(&model.model, rows, &labels).map_err(MethodError::failed)
                })?;
                let model = NaiveBayes { model: &model.model, prior: model.prior };
                finish(&model, &stats, table, terms, limits)
            }
        }
    }

    fn fold<'a>(
        &'a self,
        table: &'a Table,
        folds: &'a Folds,
    ) -> Result<Option<Box<dyn Retracting + 'a>>, MethodError> {
        self.summable(table)?.map(|summable| summable.fold(folds)).transpose()
    }

    fn grow<'a>(&'a self, table: &'a Table) -> Result<Option<Box<dyn Growing + 'a>>, MethodError> {
        self.summable(table)?.map(Summable::grow).transpose()
    }
}

fn finish(
    model: &NaiveBayes<&Blocks<Family>>,
    stats: &Stats,
    table: &Table,
    terms: Terms,
    limits: Vec<PowerLimit>,
) -> Result<Box<dyn Fitted>, MethodError> {
    let classifier = model.fit_stats(stats).map_err(MethodError::failed)?;
    let sums: usize = stats.class_sums().flatten().map(nb_core::exact::ExactSums::len).sum();
    let n_parameters = sums + classifier.classes().len();
    Ok(Box::new(OfColumns { classifier, terms, n_classes: table.classes.len(), n_parameters, limits }))
}

/// A classifier of columns.
struct OfColumns {
    classifier: Classifier<usize, FittedBlocks<FittedFamily>>,
    terms: Terms,
    n_classes: usize,
    n_parameters: usize,
    limits: Vec<PowerLimit>,
}

impl Fitted for OfColumns {
    fn limits(&self) -> &[PowerLimit] {
        &self.limits
    }

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

/// A classifier of documents, with the vocabulary that it learnt.
struct OfDocuments {
    classifier: Classifier<usize, FittedFamily>,
    vocabulary: Vec<Option<usize>>,
    n_classes: usize,
    n_parameters: usize,
}

impl Fitted for OfDocuments {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let documents = documents_of(table)?;
        let matrix = documents.of_vocabulary(rows, &self.vocabulary);
        let view = matrix.view().map_err(MethodError::failed)?;
        let found = self.classifier.predict_log_proba(&view).map_err(MethodError::failed)?;
        Ok(spread(&found, self.classifier.classes(), self.n_classes))
    }

    fn n_parameters(&self) -> usize {
        self.n_parameters
    }
}
