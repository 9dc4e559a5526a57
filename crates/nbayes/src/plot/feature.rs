//! A column of a model, and what its family says about it.

use anyhow::{Result, bail};
use nb_core::{Classifier, Likelihood, description::Outline};
use nb_io::{FittedFamily, Kind, Schema};

use super::effect::span_of_cuts;
use crate::{failure::usage, model::for_each_block, output::quoted_list, words::nearest};

/// A classifier as model files have it.
pub(crate) type Fitted = Classifier<String, FittedFamily>;

/// What a family says about a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Law {
    /// A density of real numbers, with mean and standard deviation for every class.
    Density(Vec<(f64, f64)>),
    /// Probabilities of counts, with mean and standard deviation for every class.
    Counts(Vec<(f64, f64)>),
    /// Probabilities of bins of numbers: the cut points, and for every bin those of all classes.
    Bins { cuts: Vec<f64>, probabilities: Vec<Vec<f64>> },
    /// Probabilities of categories, which are identified by their codes, or by a threshold.
    Categories { levels: Vec<Level>, threshold: Option<f64> },
    /// The share of the column in the events of its block, for every class.
    Share {
        shares: Vec<f64>,
        /// The columns of the block, increasing.
        block: Vec<usize>,
    },
    /// A weight for every class that is no probability.
    Weight(Vec<f64>),
}

/// A category.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Level {
    pub(crate) name: String,
    /// A value that is in it.
    pub(crate) value: f64,
    /// For every class.
    pub(crate) probabilities: Vec<f64>,
}

/// A column of the model: a column of the data, or a term of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlottedColumn {
    pub(crate) column: usize,
    pub(crate) name: String,
    pub(crate) family: &'static str,
    pub(crate) law: Law,
    /// A value with its own probability, where there is no density.
    pub(crate) mass: Option<f64>,
}

impl PlottedColumn {
    /// The column of this name.
    pub(crate) fn find(classifier: &Fitted, schema: &Schema, name: &str) -> Result<Self> {
        if schema.label == name {
            return Err(usage(format!("{name:?} is the label column, not a feature")));
        }
        let column = schema.columns.iter().position(|column| column.name == name);
        if let Some(position) = column
            && matches!(schema.columns[position].kind, Kind::Text(_))
        {
            let term = schema.feature_name(schema.feature_range(position).start).unwrap_or_default();
            bail!("column {name:?} is free text; name one of its terms, such as {term:?}");
        }
        if let Some(position) = column
            && matches!(schema.columns[position].kind, Kind::Dates(_))
        {
            let parts: Vec<String> =
                schema.feature_range(position).filter_map(|part| schema.feature_name(part)).collect();
            bail!("column {name:?} has dates; name one of its parts: {}", quoted_list(&parts));
        }
        let Some(column) = schema.features().position(|feature| feature.name() == name) else {
            let known: Vec<String> = schema.features().map(|feature| feature.name()).collect();
            bail!("the model has no column {name:?}{}", nearest(name, known.iter().map(String::as_str)));
        };
        let Some((family, law, mass)) = law(classifier, schema, column) else {
            bail!("the model ignores column {name:?}; name another");
        };
        Ok(Self { column, name: name.into(), family, law, mass })
    }

    /// Whether its axis has numbers, not categories.
    pub(crate) fn is_numeric(&self) -> bool {
        !matches!(self.law, Law::Categories { .. })
    }

    /// Whether only whole numbers can be observed.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.law, Law::Counts(_) | Law::Share { .. } | Law::Weight(_))
    }

    /// The feature with no more categories than this, and a note if it had more.
    pub(crate) fn at_most(&self, most: usize) -> (Self, String) {
        let mut feature = self.clone();
        let mut note = String::new();
        if let Law::Categories { levels, .. } = &mut feature.law
            && levels.len() > most
        {
            note = format!(" {}: the {most} most probable of {} categories.", self.name, levels.len());
            *levels = most_probable(levels, most).into_iter().map(|place| levels[place].clone()).collect();
        }
        (feature, note)
    }

    /// The number of the category of a value.
    pub(crate) fn level(&self, value: f64) -> Option<usize> {
        match &self.law {
            Law::Categories { threshold: Some(threshold), .. } => Some(usize::from(value > *threshold)),
            Law::Categories { levels, .. } => levels.iter().position(|level| level.value == value),
            _ => None,
        }
    }

    /// The range in which its values are expected, in the absence of data.
    pub(crate) fn expected(&self) -> Option<(f64, f64)> {
        const REACH: f64 = 3.5;
        let hull = |ends: &mut dyn Iterator<Item = (f64, f64)>| {
            ends.filter(|(low, high)| low.is_finite() && high.is_finite())
                .reduce(|(low, high), (other_low, other_high)| (low.min(other_low), high.max(other_high)))
        };
        match &self.law {
            Law::Density(parameters) => {
                hull(&mut parameters.iter().map(|(mean, sd)| (mean - REACH * sd, mean + REACH * sd)))
            }
            Law::Counts(parameters) => {
                hull(&mut parameters.iter().map(|(mean, sd)| (0.0, (mean + REACH * sd).ceil().max(1.0))))
            }
            Law::Bins { cuts, .. } => Some(span_of_cuts(cuts)),
            Law::Share { .. } | Law::Weight(_) => Some((0.0, 10.0)),
            Law::Categories { .. } => None,
        }
    }

    /// `log p(value | class)`.
    pub(crate) fn log_likelihood(&self, classifier: &Fitted, class: usize, value: f64) -> f64 {
        classifier.likelihood().log_likelihood(class, self.column, value)
    }
}

/// The numbers of this many categories, in order: of those that are most probable in some class.
fn most_probable(levels: &[Level], most: usize) -> Vec<usize> {
    let highest = |place: &usize| levels[*place].probabilities.iter().copied().fold(0.0, f64::max);
    let mut shown: Vec<usize> = (0..levels.len()).collect();
    shown.sort_by(|a, b| highest(b).total_cmp(&highest(a)));
    shown.truncate(most);
    shown.sort_unstable();
    shown
}

/// The family of a column and what it says; `None` if no family has the column.
fn law(classifier: &Fitted, schema: &Schema, column: usize) -> Option<(&'static str, Law, Option<f64>)> {
    let mut found = None;
    for_each_block(classifier.likelihood(), schema.n_features(), &mut |columns, fitted| {
        if let Some(position) = columns.iter().position(|&other| other == column)
            && let Some(feature) = schema.feature(column)
        {
            found = of_block(fitted, columns, position, feature.kind());
        }
    });
    found
}

/// The name of a family, what it says of a column, and the value that has its own probability.
fn of_block(
    fitted: &FittedFamily,
    columns: &[usize],
    position: usize,
    kind: &Kind,
) -> Option<(&'static str, Law, Option<f64>)> {
    let mut mass = None;
    let law = match fitted.inspect()?.outline(position)? {
        Outline::Real(parameters) | Outline::Smooth { moments: parameters, .. } => Law::Density(parameters),
        Outline::Beside { value, others } => {
            mass = Some(value);
            Law::Density(others)
        }
        Outline::Counts(parameters) => Law::Counts(parameters),
        Outline::Share(shares) => {
            let mut block = columns.to_vec();
            block.sort_unstable();
            Law::Share { shares, block }
        }
        Outline::Weight(weights) => Law::Weight(weights),
        Outline::Threshold { threshold, up_to, above } => {
            let level = |name: String, value, probabilities| Level { name, value, probabilities };
            let value_above = threshold + threshold.abs().max(1.0);
            let levels = vec![
                level(format!("≤ {threshold}"), threshold, up_to),
                level(format!("> {threshold}"), value_above, above),
            ];
            Law::Categories { levels, threshold: Some(threshold) }
        }
        Outline::Bins(probabilities) => {
            Law::Bins { cuts: fitted.inspect()?.cuts(position)?.to_vec(), probabilities }
        }
        Outline::Categories(categories) => {
            let levels = categories.into_iter().map(|(code, probabilities)| Level {
                name: match kind {
                    Kind::Categorical { levels } if code < levels.len() => levels[code].clone(),
                    _ => code.to_string(),
                },
                value: code as f64,
                probabilities,
            });
            Law::Categories { levels: levels.collect(), threshold: None }
        }
        _ => return None,
    };
    Some((fitted.description().title, law, mass))
}
