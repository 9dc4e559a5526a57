//! What is checked and said of columns that depend on each other (AODE, TAN, kDB and their relatives): memory, and columns with one bin.

use anyhow::{Result, bail};
use nb_io::{CodeCounts, Family, Schema};
use nb_variants::PairCounts;

use crate::{
    commands::model_file::most_memory,
    output::{Screen, counted, quoted_list},
};

/// A family whose columns depend on each other, and the features that it has.
struct Pairs<'a> {
    family: &'a Family,
    counts: &'a PairCounts,
    features: Vec<usize>,
    /// The option for such columns.
    option: String,
}

/// All such families of a model.
fn all<'a>(family: &'a Family, n_features: usize) -> Vec<Pairs<'a>> {
    let of = |family: &'a Family, features| {
        let option = format!("--{}", family.description().name);
        family.pair_counts().map(|counts| Pairs { family, counts, features, option })
    };
    match family {
        Family::Blocks(blocks) => {
            blocks.iter().filter_map(|(features, family)| of(family, features.to_vec())).collect()
        }
        family => of(family, (0..n_features).collect()).into_iter().collect(),
    }
}

/// Refuses counts of several columns at once that take more memory than a model may.
pub(super) fn check_memory(family: &Family, schema: &Schema, n_classes: usize) -> Result<()> {
    let limit = most_memory();
    for Pairs { family, counts, features, option } in all(family, schema.n_features()) {
        let Some(CodeCounts { of, per_class, most: most_per_class, bytes: needed, .. }) =
            family.code_counts(n_classes)
        else {
            continue;
        };
        let is_too_many = per_class > most_per_class;
        if needed <= limit && !is_too_many {
            continue;
        }
        let codes = |place: usize| counts.codings.n_codes(place);
        let largest = (0..features.len()).max_by_key(|&place| (codes(place), std::cmp::Reverse(place)));
        let name = largest.and_then(|place| schema.feature_name(features[place])).unwrap_or_default();
        let most = largest.map_or(0, codes);
        let total: usize = (0..features.len()).map(codes).sum();
        let found = format!(
            "{option}: {} with {total} categories and bins, and {}, need counts of {} {of} in {needed} bytes",
            counted(features.len(), "column", "columns"),
            counted(n_classes, "class", "classes"),
            per_class.saturating_mul(n_classes as u64),
        );
        let parents =
            if matches!(family, Family::Kdb(_)) { ", or take fewer parents (`--parents`)" } else { "" };
        let fewer = format!(
            "leave out columns with many of them (`--ignore`; {name:?} has {most}), or make fewer bins (such as `--bins \
             width:5`){parents}"
        );
        if is_too_many {
            bail!("{found}; a class may have {most_per_class}: {fewer}");
        }
        bail!("{found}; the limit is {limit} bytes: raise it with `--max-memory {needed}`, {fewer}");
    }
    Ok(())
}

/// Names the columns that have one bin, which say nothing.
pub(super) fn note_single_bins(family: &Family, schema: &Schema, screen: Screen) {
    for Pairs { counts, features, option, .. } in all(family, schema.n_features()) {
        let of_numbers = counts.codings.n_categories();
        let single = features
            .iter()
            .enumerate()
            .filter(|(place, _)| of_numbers.get(*place) == Some(&0) && counts.codings.n_codes(*place) == 1);
        let names: Vec<String> = single.filter_map(|(_, &feature)| schema.feature_name(feature)).collect();
        let (have, them) = match names.len() {
            0 => continue,
            1 => ("column", "has one bin and adds"),
            _ => ("columns", "have one bin each and add"),
        };
        screen.note(&format!(
            "{option}: {have} {} {them} nothing to the model, as no cut point separates the classes; other cut points \
             (`--bins frequency:5`) may help together with other columns",
            quoted_list(&names)
        ));
    }
}
