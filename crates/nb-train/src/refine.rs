//! Bins, weights and corrections, by the learner that is best on held-out rows.

use nb_core::Prior;
use nb_discriminative::{ColumnKind, LabelledRows, LearnError, Learner, Learnt};
use nb_io::{Family, Feature, Kind, LearntFamilyError, Model, ModelRefinement, Schema};
use nb_metrics::{Evaluation, RowError};

use crate::{Sample, StandardErrors, WhyPlain, standard_errors::Spread};

/// What was learnt from rows in memory.
#[derive(Clone, Debug)]
pub(crate) struct Best {
    /// Cut points, weights and corrections, and how they were found.
    pub(crate) learnt: Learnt,
    /// The family whose sums go with them.
    pub(crate) family: Family,
    /// What a model keeps of them, with how held-out rows were classified.
    pub(crate) refinement: ModelRefinement,
}

/// What the log-odds of a refined model are made of: `naive_bayes` times weighted naive Bayes plus
/// `corrections` times those of bins, categories and terms. Both are chosen by held-out rows.
/// [`Trained::refined`](crate::Trained::refined) has that of a model.
///
/// ```
/// use nb_train::Trainer;
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((90, 1), |(row, _)| (row % 2 * 3 + row % 5) as f64 + 0.5);
/// let labels: Vec<&str> = (0..90).map(|row| ["a", "b"][row % 2]).collect();
/// let trained = Trainer::default().fit(&nb_io::Schema::numeric(["x"], "class"), &rows, &labels)?;
/// let refined = trained.refined.unwrap();
/// assert!(refined.n_rows == 90 && refined.is_of_all && refined.naive_bayes + refined.corrections > 0.0);
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Refined {
    /// How much of weighted naive Bayes is used.
    pub naive_bayes: f64,
    /// How much of the corrections is used.
    pub corrections: f64,
    /// The number of rows that weights and corrections were learnt from.
    pub n_rows: usize,
    /// Whether these are all rows.
    pub is_of_all: bool,
    /// Those of the measures of held-out rows.
    pub errors: StandardErrors,
    /// Log-loss and accuracy of plain naive Bayes on the same held-out rows, if it was trained beside.
    pub plain: Option<[f64; 2]>,
}

impl Refined {
    pub(crate) fn of(best: &Best, sample: &Sample) -> Self {
        let summary = &best.learnt.summary;
        let (naive_bayes, corrections) = (summary.generative, summary.discriminative);
        let held_out = &best.learnt.held_out;
        let posteriors = held_out.log_posteriors.chunks_exact(sample.classes.len());
        let mut spread = Spread::default();
        for (&row, posterior) in held_out.rows.iter().zip(posteriors) {
            let label = sample.labels[row];
            let group = sample.groups.as_ref().map(|groups| groups[row] as u64);
            spread.add(group, sample.weight(row), -posterior[label], predicted(posterior) == label);
        }
        let errors = spread.errors();
        Self {
            naive_bayes,
            corrections,
            n_rows: summary.n_rows,
            is_of_all: sample.is_all,
            errors,
            plain: None,
        }
    }
}

/// Why nothing could be learnt.
///
/// ```
/// use nb_train::{Effort, MemoryTable, RefineError, Trainer, TrainerError, refit};
/// use ndarray::array;
///
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let (rows, labels) = (array![[1.5], [2.5], [7.5]], ["a", "a", "b"]);
/// let table = MemoryTable::new(&schema, &rows, &labels)?;
/// let plain = Trainer::default().with_effort(Effort::Plain).train(&table)?.model;
/// let error = refit(plain, &table, Effort::Usual).unwrap_err();
/// assert!(matches!(error, TrainerError::Refine(RefineError::IsPlain)));
/// # Ok::<(), TrainerError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefineError {
    /// These rows have a plain model.
    #[error(transparent)]
    Plain(#[from] WhyPlain),
    /// The learner refuses them.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The model has no weights and corrections.
    #[error("the model is plain naive Bayes, without weights and corrections")]
    IsPlain,
    /// Weights and corrections of a model are for the families of bins, categories and terms that they are
    /// learnt with.
    #[error("the model has other families than bins, categories and terms of texts")]
    OtherFamilies,
    /// The rows have other classes than the model.
    #[error("class {class:?} {problem}")]
    Class {
        /// The class.
        class: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// What was learnt is no family.
    #[error(transparent)]
    Family(#[from] LearntFamilyError),
    /// The weights of rows are too far apart for measures of held-out rows.
    #[error(
        "a row has the weight {weight:e}, and the mean weight is {mean:e}; weights are 0, or from 2^-60 to 2^60 times their mean"
    )]
    Weight {
        /// The weight of the row.
        weight: f64,
        /// The mean weight of the rows.
        mean: f64,
    },
    /// Held-out rows cannot be judged.
    #[error(transparent)]
    Row(#[from] RowError),
}

/// What the features of a schema hold; features of the columns for which `is_ignored` returns true are left
/// out.
pub(crate) fn features(schema: &Schema, is_ignored: impl Fn(usize) -> bool) -> Vec<ColumnKind> {
    let of_feature = |feature: Feature<'_>| match (feature.kind(), &feature.column.kind) {
        _ if is_ignored(feature.position) => ColumnKind::Ignored,
        (_, Kind::Text(_)) => ColumnKind::Term(feature.position),
        (Kind::Categorical { levels }, _) => ColumnKind::Categories(levels.len()),
        _ => ColumnKind::Numbers,
    };
    schema.features().map(of_feature).collect()
}

/// Learns from rows, of which `rising` has the class to which larger numbers of a feature never add less,
/// with each of the learners, and keeps what is best on held-out rows.
///
/// # Errors
/// [`RefineError::Plain`] says why rows like these have a plain model.
pub(crate) fn refine(
    learners: &[Learner],
    (features, rising): (&[ColumnKind], Option<&[Option<usize>]>),
    sample: &Sample,
) -> Result<Best, RefineError> {
    let (learnt, refinement) = best(learners, (features, rising), None, sample)?;
    Ok(Best { family: Family::of_learnt(features, &learnt)?, learnt, refinement })
}

/// What is learnt by the learner that is best on held-out rows, for cut points that are known or not.
pub(crate) fn best(
    learners: &[Learner],
    (features, rising): (&[ColumnKind], Option<&[Option<usize>]>),
    cuts: Option<&[Vec<f64>]>,
    sample: &Sample,
) -> Result<(Learnt, ModelRefinement), RefineError> {
    WhyPlain::of_sample(sample)?;
    let n_classes = sample.classes.len();
    let mut rows = LabelledRows::new(&sample.rows, features, &sample.labels, n_classes);
    if let Some(weights) = &sample.weights {
        rows = rows.with_weights(weights);
    }
    if let Some(groups) = &sample.groups {
        rows = rows.with_groups(groups);
    }
    if let Some(rising) = rising {
        rows = rows.with_rising(rising);
    }
    if let Some(cuts) = cuts {
        rows = rows.with_cuts(cuts);
    }
    let (first, others) = learners.split_first().ok_or(RefineError::IsPlain)?;
    let mut learnt = first.learn_from(&rows)?;
    for learner in others {
        let other = learner.learn_from(&rows)?;
        if other.summary.held_out < learnt.summary.held_out {
            learnt = other;
        }
    }
    let mut shares = vec![0.0; n_classes];
    let total = sample.weights.as_ref().map_or(sample.labels.len() as f64, |weights| weights.iter().sum());
    for (row, &label) in sample.labels.iter().enumerate() {
        shares[label] += sample.weight(row) / total;
    }
    let mut refinement = ModelRefinement::new(&learnt, sample.classes.clone(), &shares);
    let measures = evaluation(&learnt, sample)?.measures();
    refinement.held_out.auc = measures.auc;
    refinement.held_out.calibration_error = measures.calibration_error;
    Ok((learnt, refinement))
}

impl Best {
    /// A model with these columns, without rows.
    ///
    /// # Errors
    /// [`ModelError`](nb_io::ModelError) if the schema is another than that of the rows.
    pub(crate) fn model(&self, schema: Schema) -> Result<Model, nb_io::ModelError> {
        Model::new(schema, self.family.clone(), Prior::Empirical)
    }
}

/// The first of the most probable classes.
pub(crate) fn predicted(posterior: &[f64]) -> usize {
    (0..posterior.len()).fold(0, |best, class| if posterior[class] > posterior[best] { class } else { best })
}

/// How held-out rows were classified. Only ratios of weights matter, so that they are those of as many rows
/// as there are.
fn evaluation(learnt: &Learnt, sample: &Sample) -> Result<Evaluation, RefineError> {
    let n_classes = sample.classes.len();
    let mut evaluation = Evaluation::new(n_classes);
    let posteriors = learnt.held_out.log_posteriors.chunks_exact(n_classes);
    let weights = learnt.held_out.rows.iter().map(|&row| sample.weight(row)).filter(|weight| *weight > 0.0);
    let unit = weights.clone().count() as f64 / weights.sum::<f64>();
    for (&row, posterior) in learnt.held_out.rows.iter().zip(posteriors) {
        let weight = sample.weight(row);
        evaluation
            .add(Some(sample.labels[row]), Some(predicted(posterior)), posterior, unit * weight)
            .map_err(|error| match error {
                RowError::Weight { .. } => RefineError::Weight { weight, mean: 1.0 / unit },
                error => error.into(),
            })?;
    }
    Ok(evaluation)
}
