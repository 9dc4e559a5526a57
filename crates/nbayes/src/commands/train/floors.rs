//! A warning about Gaussian columns that hardly vary within a class.

use std::collections::BTreeSet;

use nb_core::{Blocks, Classifier, Gaussian, NaiveBayes, VarianceSmoothing};
use nb_io::{Family, FittedFamily, Model};

use crate::{
    model::for_each_block,
    output::{Screen, counted},
};

/// How many columns and classes are named.
const NAMED: usize = 3;

/// Names the columns whose variance in a class is that of the floor: their densities are then as narrow as
/// the floor is low, and a cell that differs a little decides the label alone.
pub(super) fn note(model: &Model, classifier: &Classifier<String, FittedFamily>, screen: Screen) {
    let places = at_floor(model, classifier);
    let Some((first, rest)) = places.split_at_checked(NAMED.min(places.len())).filter(|_| !places.is_empty())
    else {
        return;
    };
    let named: Vec<String> =
        first.iter().map(|(column, class)| format!("{column:?} (class {class:?})")).collect();
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    let columns = counted(places.len(), "Gaussian variance is", "Gaussian variances are");
    screen.note(&format!(
        "{columns} raised to the floor, as the values hardly differ within the class: {}{more}; `--tune` or `--variance-floor` \
         chooses another floor, `--categorical` suits columns of few values",
        named.join(", ")
    ));
}

/// The columns and classes with the variance of the floor: that which doubles with it.
fn at_floor(model: &Model, classifier: &Classifier<String, FittedFamily>) -> Vec<(String, String)> {
    let Some(doubled) = with_double_floor(model.family()) else { return Vec::new() };
    let Ok(doubled) = NaiveBayes::new(doubled).fit_stats(model.stats()) else { return Vec::new() };
    let n_columns = model.schema().n_features();
    let (before, after) =
        (variances(classifier.likelihood(), n_columns), variances(doubled.likelihood(), n_columns));
    let features: Vec<_> = model.schema().features().collect();
    // A class of one row has no variance anywhere, which is no news of a column.
    let weights = model.stats().classes().zip(model.stats().class_weights());
    let lone: BTreeSet<&String> =
        weights.filter(|(_, weight)| weight.to_f64() <= 1.0).map(|(class, _)| class).collect();
    let mut places = Vec::new();
    for ((column, before), (_, after)) in before.iter().zip(&after) {
        let classes = classifier.classes().iter().zip(before.iter().zip(after));
        for (class, (&before, &after)) in classes {
            let is_at_floor = before > 0.0 && before.is_finite() && after == 2.0 * before;
            if is_at_floor && !lone.contains(class) {
                let name = features.get(*column).map(nb_io::Feature::name).unwrap_or_default();
                places.push((name, class.clone()));
            }
        }
    }
    places
}

/// The family with twice the floor under Gaussian variances; none if there is no such floor.
fn with_double_floor(family: &Family) -> Option<Family> {
    match family {
        Family::Gaussian(gaussian) => {
            let smoothing = match gaussian.smoothing {
                VarianceSmoothing::RelativeFloor(floor) if floor > 0.0 => {
                    VarianceSmoothing::RelativeFloor(2.0 * floor)
                }
                VarianceSmoothing::AbsoluteFloor(floor) if floor > 0.0 => {
                    VarianceSmoothing::AbsoluteFloor(2.0 * floor)
                }
                _ => return None,
            };
            Some(Family::Gaussian(Gaussian { smoothing, ..*gaussian }))
        }
        Family::Blocks(blocks) => {
            let mut any = false;
            let doubled = blocks.iter().fold(Blocks::default(), |all, (columns, family)| {
                let doubled = with_double_floor(family);
                any |= doubled.is_some();
                all.with_same(columns.iter().copied(), doubled.unwrap_or_else(|| family.clone()))
            });
            any.then(|| Family::Blocks(doubled.ignore(blocks.ignored().iter().copied())))
        }
        _ => None,
    }
}

/// The variances of Gaussian columns by class, in the order of the columns.
fn variances(fitted: &FittedFamily, n_columns: usize) -> Vec<(usize, Vec<f64>)> {
    let mut all = Vec::new();
    for_each_block(fitted, n_columns, &mut |columns, fitted| {
        if let FittedFamily::Gaussian(gaussian) = fitted {
            let variances = gaussian.variances();
            let of_columns = variances.columns().into_iter().zip(columns);
            all.extend(of_columns.map(|(variances, &column)| (column, variances.to_vec())));
        }
    });
    all.sort_by_key(|&(column, _)| column);
    all
}
