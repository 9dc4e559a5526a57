//! The posteriors of a row for values of the smoothing `l`: the sums are fitted again, and no row is read.

use nb_core::{Blocks, description::Value as Setting};
use nb_io::Family;
use serde_json::{Value, json};

use crate::{Problem, fit::Fit};

const MOST_VALUES: usize = 1000;

pub(crate) fn smoothing(fit: &Fit, row: &[Option<f64>], values: &[f64]) -> Result<Value, Problem> {
    let rows = fit.row_of(row)?;
    let of_value = |&l: &f64| -> Result<Vec<f64>, Problem> {
        let family = with_smoothing(fit.model.family(), l)?;
        let classifier = fit.model.clone().with_family(family)?.uncalibrated_classifier()?;
        Ok(classifier.predict_proba(&rows)?.row(0).to_vec())
    };
    let posteriors = values.iter().take(MOST_VALUES).map(of_value).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({"posteriors": posteriors}))
}

/// The same family with this `l` wherever it has one.
fn with_smoothing(family: &Family, l: f64) -> Result<Family, Problem> {
    if let Family::Blocks(blocks) = family {
        let mut all = Blocks::default().ignore(blocks.ignored().iter().copied());
        for (columns, block) in blocks.iter() {
            all = all.with_same(columns.iter().copied(), with_smoothing(block, l)?);
        }
        return Ok(Family::Blocks(all));
    }
    let mut family = family.clone();
    for mut hyper in family.hyper_parameters() {
        if hyper.parameter.name == "smoothing" {
            hyper.set(&Setting::Number(l))?;
        }
    }
    Ok(family)
}
