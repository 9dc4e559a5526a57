//! The parameters of a model, column by column.

use anyhow::{Result, bail};
use nb_core::Classifier;
use nb_io::{FittedFamily, Kind, Schema};
use serde::Serialize;

use crate::data::nearest;

/// The parameters of a column.
#[derive(Serialize)]
pub(super) struct Parameters {
    pub(super) column: String,
    pub(super) family: &'static str,
    /// Name and value for every class.
    pub(super) values: Vec<(String, Vec<f64>)>,
}

/// The parameters of the named columns; of all columns if none is named.
pub(super) fn parameters(
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
    let mut all = Vec::new();
    for_each_block(classifier.likelihood(), schema.n_features(), &mut |columns, fitted| {
        for (position, &column) in columns.iter().enumerate() {
            let Some(feature) = schema.feature(column) else { continue };
            let is_named = names.contains(&feature.column.name) || names.contains(&feature.name());
            if names.is_empty() || is_named {
                let (family, values) = of_column(fitted, position, &feature.column.kind);
                all.push((column, Parameters { column: feature.name(), family, values }));
            }
        }
    });
    all.sort_by_key(|&(column, _)| column);
    Ok(all.into_iter().map(|(_, parameters)| parameters).collect())
}

/// Shows every block of a fitted family with its columns.
pub(crate) fn for_each_block(
    fitted: &FittedFamily,
    n_columns: usize,
    work: &mut dyn FnMut(&[usize], &FittedFamily),
) {
    match fitted {
        FittedFamily::Blocks(blocks) => blocks.iter().for_each(|(columns, fitted)| work(columns, fitted)),
        fitted => work(&(0..n_columns).collect::<Vec<_>>(), fitted),
    }
}

/// The family of a column, and its parameters for every class. `position` is the column's in its block.
fn of_column(fitted: &FittedFamily, position: usize, kind: &Kind) -> (&'static str, Vec<(String, Vec<f64>)>) {
    let column = |matrix: ndarray::ArrayView2<'_, f64>| matrix.column(position).to_vec();
    let exp = |matrix: ndarray::ArrayView2<'_, f64>| {
        matrix.column(position).iter().map(|log| log.exp()).collect::<Vec<_>>()
    };
    let sd = |matrix: ndarray::ArrayView2<'_, f64>| {
        matrix.column(position).iter().map(|variance| variance.sqrt()).collect::<Vec<_>>()
    };
    match fitted {
        FittedFamily::Gaussian(fitted) => {
            ("gaussian", vec![("mean".into(), column(fitted.means())), ("sd".into(), sd(fitted.variances()))])
        }
        FittedFamily::SharedGaussian(fitted) => {
            let means = column(fitted.means());
            let sd = vec![fitted.variances()[position].sqrt(); means.len()];
            ("shared_gaussian", vec![("mean".into(), means), ("sd".into(), sd)])
        }
        FittedFamily::Categorical(fitted) => {
            let Some(probabilities) = fitted.log_probabilities(position) else {
                return ("categorical", Vec::new());
            };
            let codes = fitted.codes(position);
            let rows = probabilities.rows().into_iter().enumerate().map(|(category, row)| {
                let code = codes.get(category).copied();
                let name = match (kind, code) {
                    (Kind::Categorical { levels }, Some(code)) if code < levels.len() => levels[code].clone(),
                    (_, Some(code)) => code.to_string(),
                    (_, None) => "(never seen)".into(),
                };
                (format!("p({name})"), row.iter().map(|log| log.exp()).collect())
            });
            ("categorical", rows.collect())
        }
        FittedFamily::Multinomial(fitted) => {
            ("multinomial", vec![("p".into(), exp(fitted.log_probabilities()))])
        }
        FittedFamily::Complement(fitted) => ("complement", vec![("weight".into(), column(fitted.weights()))]),
        FittedFamily::Bernoulli(fitted) => ("bernoulli", vec![("p".into(), exp(fitted.log_probabilities()))]),
        FittedFamily::Poisson(fitted) => ("poisson", vec![("rate".into(), column(fitted.rates()))]),
        _ => ("blocks", Vec::new()),
    }
}
