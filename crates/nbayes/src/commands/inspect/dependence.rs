//! Which columns depend on which others, where they do.

use nb_core::description::{Dependence as Of, Inspect};
use nb_io::{FittedFamily, Schema};
use serde::Serialize;

use crate::output::{Table, counted, short};

/// Maximum number of columns that one is said to depend on.
const MOST_PARENTS: usize = 4;

/// A column, and those that it depends on.
#[derive(Serialize)]
pub(super) struct Dependence {
    column: String,
    /// Its weight as a parent of all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
    /// Empty if it depends on the class only.
    on: Vec<Parent>,
    /// Whether it is left out of scores.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    left_out: bool,
}

#[derive(Serialize)]
struct Parent {
    column: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
}

/// The columns that depend on others by their own rule, in the order of the model.
pub(super) fn dependences(fitted: &FittedFamily, schema: &Schema) -> Vec<Dependence> {
    match fitted {
        FittedFamily::Blocks(blocks) => {
            blocks.iter().flat_map(|(features, fitted)| of_family(fitted, features, schema)).collect()
        }
        fitted => of_family(fitted, &(0..schema.n_features()).collect::<Vec<_>>(), schema),
    }
}

fn of_family(fitted: &FittedFamily, features: &[usize], schema: &Schema) -> Vec<Dependence> {
    let name = |place: usize| schema.feature_name(features[place]).unwrap_or_default();
    let parent = |place: usize, weight| Parent { column: name(place), weight };
    let all = |weight: &dyn Fn(usize) -> Option<f64>, on: &dyn Fn(usize) -> Vec<Parent>| {
        (0..features.len())
            .map(|place| Dependence {
                column: name(place),
                weight: weight(place),
                on: on(place),
                left_out: false,
            })
            .collect()
    };
    match fitted.inspect().and_then(Inspect::dependence) {
        Some(Of::One(parents)) => {
            all(&|_| None, &|place| parents[place].map(|of| parent(of, None)).into_iter().collect())
        }
        Some(Of::Some(parents)) => {
            let others = |place: usize| parents[place].iter().filter(move |of| **of != place);
            let on = |place: usize| others(place).map(|&of| parent(of, None)).collect();
            let mut found: Vec<Dependence> = all(&|_| None, &on);
            for (place, dependence) in found.iter_mut().enumerate() {
                // Given itself it says nothing of the class.
                dependence.left_out = parents[place] == [place];
            }
            found
        }
        Some(Of::All(weights)) => all(&|_| None, &|place| {
            let weights = weights[place].iter().enumerate().filter(|(_, weight)| **weight > 0.0);
            let mut on: Vec<Parent> = weights.map(|(of, &weight)| parent(of, Some(weight))).collect();
            on.sort_by(|a, b| b.weight.unwrap_or(0.0).total_cmp(&a.weight.unwrap_or(0.0)));
            on
        }),
        Some(Of::Each(weights)) => all(&|place| weights.get(place).copied(), &|_| Vec::new()),
        _ => Vec::new(),
    }
}

/// The dependences as tables; `most` columns of each.
pub(super) fn text(dependences: &[Dependence], most: usize) -> String {
    let (weighted, others): (Vec<&Dependence>, Vec<_>) =
        dependences.iter().partition(|dependence| dependence.weight.is_some());
    let mut tables = Vec::new();
    if !others.is_empty() {
        let mut table = Table::new(["column", "depends on"]);
        for Dependence { column, on, left_out, .. } in others.iter().take(most) {
            let on = if *left_out { "nothing: it is left out".into() } else { parents(on) };
            table.row([column, &on]);
        }
        tables.push((table, others.len()));
    }
    if !weighted.is_empty() {
        let mut table = Table::new(["column", ">weight as a parent"]);
        for Dependence { column, weight, .. } in weighted.iter().take(most) {
            table.row([column, &weight.map_or_else(String::new, short)]);
        }
        tables.push((table, weighted.len()));
    }
    let texts = tables.into_iter().map(|(table, n_columns)| match n_columns.saturating_sub(most) {
        0 => table.to_string(),
        rest => format!(
            "{table}... and {}; --json shows them\n",
            counted(rest as f64, "more column", "more columns")
        ),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The class and some columns, those with the largest weights first.
fn parents(on: &[Parent]) -> String {
    if on.is_empty() {
        return "the class only".into();
    }
    let name = |parent: &Parent| match parent.weight {
        Some(weight) => format!("{} ({})", parent.column, short(weight)),
        None => parent.column.clone(),
    };
    let names: Vec<String> = on.iter().take(MOST_PARENTS).map(name).collect();
    let rest = on.len().saturating_sub(MOST_PARENTS);
    if rest == 0 { names.join(", ") } else { format!("{} and {rest} more", names.join(", ")) }
}
