//! Columns with a monotone effect.

use anyhow::Result;
use nb_io::Model;
use nb_train::{Trend, Trends};

use crate::{
    columns::Found,
    design::{Selected, Selector},
    failure::usage,
    output::{Screen, visible},
};

/// Columns with a monotone effect, in models of two classes.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TrendArgs {
    /// Columns of numbers in which the probability of the positive class never falls as the number grows and
    /// all other cells stay.
    #[arg(long, value_name = "COLUMNS")]
    increasing: Vec<String>,
    /// The same for columns in which it never rises.
    #[arg(long, value_name = "COLUMNS")]
    decreasing: Vec<String>,
    /// The positive class of --increasing and --decreasing [default: the last of the two classes].
    #[arg(long, value_name = "LABEL")]
    positive: Option<String>,
}

/// How the probability of the last class changes as a number grows that never speaks against the class
/// `rising`.
pub(in crate::commands) fn trend(model: &Model, rising: usize) -> String {
    let change = if rising == 1 { "falls" } else { "rises" };
    let last = model.stats().classes().last().map_or("", String::as_str);
    format!("p({}) never {change}", visible(last))
}

impl TrendArgs {
    /// What was found, looked at again if there are trends: their columns are numbers.
    pub(super) fn over(&self, found: Found, screen: Screen) -> Result<Found> {
        let columns = &found.columns;
        let all = columns.inferred.columns.iter().chain(&columns.left_out);
        let names: Vec<String> = all.map(|column| column.column.clone()).collect();
        let file = found.inputs.first().map_or("", |input| input.name());
        let mut trends = Trends::default();
        for (lists, trend) in [(&self.increasing, Trend::Increasing), (&self.decreasing, Trend::Decreasing)] {
            for selector in lists.iter().flat_map(|list| Selector::list(list)) {
                let selected = match selector.select(file, &names, &[])? {
                    Selected::Named(name) => vec![name],
                    Selected::Matched(names) => names,
                };
                for column in selected {
                    if trend == Trend::Decreasing && trends.columns().any(|other| other == column) {
                        return Err(usage(format!(
                            "column {column:?} is given to both --increasing and --decreasing; its effect has one direction"
                        )));
                    }
                    trends = trends.with(column, trend);
                }
            }
        }
        if trends.is_empty() {
            return match self.positive {
                Some(_) => {
                    Err(usage("--positive is for --increasing and --decreasing, and neither is given"))
                }
                None => Ok(found),
            };
        }
        if let Some(class) = &self.positive {
            trends = trends.with_positive(class);
        }
        found.looked_at_with(trends, screen)
    }
}
