//! Learning the columns of one or several files.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use nb_io::{
    Kind,
    read::{Inferred, KindChoice, Overrides},
};

use super::{Input, ReadArgs};
use crate::output::Screen;

/// Learns what the columns of all files hold together. They have the same columns, in any order; a column that is
/// textual in one of them is categorical in all, with the categories of all.
pub(crate) fn infer_all(
    inputs: &[Input],
    label: &str,
    weight: Option<&str>,
    overrides: &Overrides,
    read: &ReadArgs,
    screen: Screen,
) -> Result<Inferred> {
    let infer = |overrides: &Overrides| -> Result<Vec<Inferred>> {
        inputs.iter().map(|input| read.infer(input, label, weight, overrides, screen)).collect()
    };
    let mut all = infer(overrides)?;
    for (input, inferred) in inputs.iter().zip(&all) {
        let names = |inferred: &Inferred| -> BTreeSet<String> {
            inferred.columns.iter().map(|column| column.column.clone()).collect()
        };
        if let Some(name) = names(&all[0]).symmetric_difference(&names(inferred)).next() {
            let has = if names(inferred).contains(name) { (input, &inputs[0]) } else { (&inputs[0], input) };
            bail!(
                "{} has a column {name:?} and {} has none; files that are read together have the same columns",
                has.0.name(),
                has.1.name()
            );
        }
    }
    let is_categorical = |inferred: &Inferred, name: &str| {
        let column = inferred.columns.iter().find(|column| column.column == name);
        column.is_some_and(|column| matches!(column.kind, Kind::Categorical { .. }))
    };
    let names: Vec<String> = all[0].columns.iter().map(|column| column.column.clone()).collect();
    let disputed: Vec<&String> = names
        .iter()
        .filter(|name| {
            let n = all.iter().filter(|inferred| is_categorical(inferred, name)).count();
            n > 0 && n < all.len()
        })
        .collect();
    if !disputed.is_empty() {
        let settled =
            disputed.iter().fold(overrides.clone(), |all, name| all.with(name, KindChoice::Categorical));
        all = infer(&settled)?;
    }
    let mut rest = all.into_iter();
    let Some(mut together) = rest.next() else { bail!("there is no file to read") };
    for inferred in rest {
        together.n_rows += inferred.n_rows;
        for (inference, column) in together.columns.iter_mut().zip(&mut together.schema.columns) {
            let other = inferred.schema.columns.iter().find(|other| other.name == column.name);
            if let (Kind::Categorical { levels }, Some(Kind::Categorical { levels: more })) =
                (&mut column.kind, other.map(|other| &other.kind))
            {
                levels.extend(more.iter().cloned());
                levels.sort_unstable();
                levels.dedup();
            }
            inference.kind = column.kind.clone();
            let more = inferred.columns.iter().find(|more| more.column == inference.column);
            inference.few_values = both(&inference.few_values, more.map_or(&[], |more| &more.few_values));
        }
    }
    Ok(together)
}

/// The few values of two files together; none if they are many in either.
fn both(some: &[f64], others: &[f64]) -> Vec<f64> {
    if some.is_empty() || others.is_empty() {
        return Vec::new();
    }
    let mut values = [some, others].concat();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}
