//! What two models of the same sums have otherwise: families, calibration, hyper-parameters, priors.

use nb_io::{Family, Model};

use crate::{design::family_name, model::is_calibrated_plain};

/// What the first of two models is called for a column, and what the other is.
pub(super) struct Kinds {
    pub(super) first: String,
    pub(super) other: String,
}

/// Different families of a column, or weights and corrections that only one model has (`are_refined_alike` is
/// whether both have the same): the sums can be added, and the result answers as only one of the models does.
pub(super) fn of_kind(first: &Model, other: &Model, are_refined_alike: bool) -> Option<Kinds> {
    let (own, others) = (families(first), families(other));
    if let Some((feature, (own, other))) =
        own.iter().zip(&others).enumerate().find(|(_, (own, other))| own != other)
    {
        let column = first.schema().feature_name(feature).unwrap_or_default();
        let of = |family: &Option<String>| match family {
            Some(family) => format!("{family} for column {column:?}"),
            None => format!("no family for column {column:?}"),
        };
        return Some(Kinds { first: of(own), other: of(other) });
    }
    (!are_refined_alike).then(|| Kinds { first: refinement(first).into(), other: refinement(other).into() })
}

fn refinement(model: &Model) -> &'static str {
    match model.refinement() {
        None => "no calibration, weights and corrections",
        Some(_) if is_calibrated_plain(model) => "a calibration",
        Some(_) => "weights and corrections",
    }
}

/// The name of the family of each feature.
fn families(model: &Model) -> Vec<Option<String>> {
    let mut names = vec![None; model.schema().n_features()];
    match model.family() {
        Family::Blocks(blocks) => {
            for (features, family) in blocks.iter() {
                for &feature in features {
                    names[feature] = Some(family_name(family));
                }
            }
        }
        family => names.fill(Some(family_name(family))),
    }
    names
}

/// The names of hyper-parameters that differ, and "prior" if the priors do.
pub(super) fn of_settings(first: &Model, other: &Model) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (own, other) in parts(first.family()).into_iter().zip(parts(other.family())) {
        let values = own.settings().into_iter().zip(other.settings());
        let differ = values.filter(|((own, value), (other, others))| {
            own.name == other.name && own.name != "categories" && value != others
        });
        names.extend(differ.map(|((parameter, _), _)| parameter.name.replace('_', " ")));
    }
    if first.prior() != other.prior() {
        names.push("prior".into());
    }
    names.sort();
    names.dedup();
    names
}

/// The families of the blocks.
fn parts(family: &Family) -> Vec<&Family> {
    match family {
        Family::Blocks(blocks) => blocks.iter().map(|(_, family)| family).collect(),
        family => vec![family],
    }
}
