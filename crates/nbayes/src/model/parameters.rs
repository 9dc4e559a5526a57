//! The parameters of a model, column by column.

use anyhow::{Result, bail};
use nb_core::{Classifier, description::ParameterName};
use nb_io::{FittedFamily, Kind, Schema, ScoreTable};
use serde::Serialize;

use crate::words::nearest;

/// How many categories of a group are named.
const MOST_NAMES: usize = 12;

/// The parameters of a column.
#[derive(Serialize)]
pub(crate) struct Parameters {
    pub(crate) column: String,
    pub(crate) family: &'static str,
    /// Name and value for every class.
    pub(crate) values: Vec<(String, Vec<f64>)>,
}

/// The parameters of the named columns; of all columns if none is named.
pub(crate) fn parameters(
    classifier: &Classifier<String, FittedFamily>,
    schema: &Schema,
    names: &[String],
) -> Result<Vec<Parameters>> {
    for name in names {
        let is_column = schema.columns.iter().any(|column| column.name == *name);
        if !is_column && !schema.features().any(|feature| feature.name() == *name) {
            let known = schema.columns.iter().map(|column| column.name.as_str());
            bail!("the model has no column {name:?}{}", nearest(name, known));
        }
    }
    let features: Vec<_> = schema.features().collect();
    let mut all = Vec::new();
    for_each_block(classifier.likelihood(), schema.n_features(), &mut |columns, fitted| {
        for (position, &column) in columns.iter().enumerate() {
            let Some(feature) = features.get(column) else { continue };
            let is_named = names.contains(&feature.column.name) || names.contains(&feature.name());
            if names.is_empty() || is_named {
                let (family, values) = of_column(fitted, position, feature.kind());
                let values = match classifier.likelihood() {
                    whole @ FittedFamily::Refined(refined) => {
                        let weight = refined.refinement().weights.get(column).copied().unwrap_or(0.0);
                        refined_values(values, weight, whole.score_table(column).as_ref())
                    }
                    _ => values,
                };
                all.push((column, Parameters { column: feature.name(), family, values }));
            }
        }
    });
    all.sort_by_key(|&(column, _)| column);
    Ok(all.into_iter().map(|(_, parameters)| parameters).collect())
}

/// Shows every block of a fitted family with its columns, without weights and corrections.
pub(crate) fn for_each_block(
    fitted: &FittedFamily,
    n_columns: usize,
    work: &mut dyn FnMut(&[usize], &FittedFamily),
) {
    match fitted {
        FittedFamily::Blocks(blocks) => blocks.iter().for_each(|(columns, fitted)| work(columns, fitted)),
        FittedFamily::Refined(refined) => for_each_block(refined.fitted(), n_columns, work),
        fitted => work(&(0..n_columns).collect::<Vec<_>>(), fitted),
    }
}

/// The weight of a column, and what each bin or category adds to the scores of the classes, beside its
/// probabilities.
fn refined_values(
    probabilities: Vec<(String, Vec<f64>)>,
    weight: f64,
    table: Option<&ScoreTable>,
) -> Vec<(String, Vec<f64>)> {
    let Some(table) = table else { return probabilities };
    let mut all = vec![("weight".into(), vec![weight; table.missing.len()])];
    all.extend(table.line.iter().map(|line| ("slope".into(), line.per_unit.clone())));
    for (place, (name, probabilities)) in probabilities.into_iter().enumerate() {
        if let Some(scores) = table.levels.get(place) {
            all.push((name.replacen("p(", "score(", 1), scores.clone()));
        }
        all.push((name, probabilities));
    }
    all.push(("score((missing))".into(), table.missing.clone()));
    all
}

/// The family of a column, and its parameters for every class. `position` is the column's in its block.
fn of_column(fitted: &FittedFamily, position: usize, kind: &Kind) -> (&'static str, Vec<(String, Vec<f64>)>) {
    let parameters = fitted.inspect().map(|fitted| fitted.parameters(position)).unwrap_or_default();
    let named = parameters.into_iter().map(|(name, values)| {
        let name = match (name, kind) {
            (ParameterName::Text(name), _) => name.into_owned(),
            (ParameterName::Category(Some(code)), Kind::Categorical { levels }) if code < levels.len() => {
                format!("p({})", levels[code])
            }
            (ParameterName::Category(Some(code)), _) => format!("p({code})"),
            (ParameterName::Category(None), _) => "p((never seen))".into(),
            (ParameterName::Group(codes), kind) => {
                let levels = if let Kind::Categorical { levels } = kind { levels.as_slice() } else { &[] };
                let name = |code: usize| levels.get(code).cloned().unwrap_or_else(|| code.to_string());
                let names: Vec<String> = codes.into_iter().map(name).collect();
                match names.get(MOST_NAMES..).map(<[String]>::len) {
                    Some(more @ 1..) => {
                        format!("p(group of {} and {more} more)", names[..MOST_NAMES].join(", "))
                    }
                    _ => format!("p(group of {})", names.join(", ")),
                }
            }
        };
        (name, values)
    });
    (fitted.description().name, named.collect())
}
