//! What is said of cut points, grids and powers, which families need before rows are summed.

use anyhow::Result;
use nb_io::{Family, Model, Schema};
use nb_variants::{Cuts, Transform};

use super::pairs;
use crate::{
    design::Choice,
    failure::usage,
    output::{Screen, counted, quoted_list, short},
};

/// Says of which columns nothing much was learnt, and of which something else may be better.
pub(crate) fn note_prepared(
    family: &Family,
    cut_off: &[usize],
    inexact: &[usize],
    schema: &Schema,
    screen: Screen,
) {
    pairs::note_single_bins(family, schema, screen);
    note_powers(family, cut_off, schema, screen);
    note_inexact(inexact, schema, screen);
}

/// Names the columns whose cut points are not searched exactly.
fn note_inexact(features: &[usize], schema: &Schema, screen: Screen) {
    let names: Vec<String> = features.iter().filter_map(|&feature| schema.feature_name(feature)).collect();
    let (columns, have) = match names.len() {
        0 => return,
        1 => ("column", "has"),
        _ => ("columns", "have"),
    };
    screen.note(&format!(
        "--bins modl: {columns} {} {have} too many different values to find the most probable bins; the bins are those of a greedy search",
        quoted_list(&names)
    ));
}

/// Names the columns whose power is cut off where doubles end.
fn note_powers(family: &Family, features: &[usize], schema: &Schema, screen: Screen) {
    let named = |feature: &usize| {
        let (name, power) = (schema.feature_name(*feature)?, learnt(family, *feature)?);
        Some(format!("{name:?} ({power})"))
    };
    let names: Vec<String> = features.iter().filter_map(named).collect();
    let (columns, suit) = match names.len() {
        0 => return,
        1 => ("column", "the column"),
        _ => ("columns", "these columns"),
    };
    screen.note(&format!(
        "--power: for {columns} {} a power beyond it fits better, but numbers of 16 digits do not tell the values apart there; \
         `--binned` or `--kernel` may suit {suit} better",
        names.join(", ")
    ));
}

/// Refuses families of several columns at once, all of whose categories must be known before rows are summed.
pub(super) fn refuse_mixed(choices: &[Choice]) -> Result<()> {
    match choices.iter().find(|choice| choice.is_mixed()) {
        Some(choice) => Err(usage(format!("--{} works only with --engine local", choice.name()))),
        None => Ok(()),
    }
}

/// What was learnt for a feature, in a few words.
pub(super) fn learnt(family: &Family, feature: usize) -> Option<String> {
    match family {
        Family::Blocks(blocks) => {
            let own = blocks.iter().find_map(|(columns, family)| {
                Some((columns.iter().position(|&column| column == feature)?, family))
            });
            own.and_then(|(position, family)| learnt(family, position))
        }
        Family::Binned(binned) => Some(bins(&binned.cuts, feature)),
        Family::Power(power) => Some(match power.transforms.get(feature)? {
            Transform::Log => "logarithm".into(),
            Transform::Identity => "as it is".into(),
            Transform::BoxCox { lambda } | Transform::YeoJohnson { lambda } => {
                format!("λ = {}", short(*lambda))
            }
        }),
        family => {
            let codings = &family.pair_counts()?.codings;
            let is_of_numbers = codings.n_categories().get(feature) == Some(&0);
            is_of_numbers.then(|| bins(codings.cuts(), feature))
        }
    }
}

fn bins(cuts: &Cuts, feature: usize) -> String {
    counted(cuts.n_bins(feature) as f64, "bin", "bins")
}

/// The same for the first feature of each column of a plain model.
pub(super) fn learnt_by_column(model: &Model) -> Vec<Option<String>> {
    let features = model.schema().feature_ranges();
    features.map(|mut features| learnt(model.family(), features.next()?)).collect()
}
