//! What is checked and said of columns that depend on each other (AODE, TAN, kDB and their relatives):
//! memory, and columns with one bin.

use anyhow::{Result, anyhow};
use nb_io::{CodeMemory, Family, Model, Schema};
use nb_variants::PairCounts;

use crate::{
    model::most_memory,
    output::{Screen, counted, quoted_list},
};

/// Counts of pairs, and the features that they are of.
struct Pairs<'a> {
    counts: &'a PairCounts,
    features: Vec<usize>,
    /// The option for such columns.
    option: String,
}

/// All counts of pairs of a model.
fn all<'a>(family: &'a Family, n_features: usize) -> Vec<Pairs<'a>> {
    let of = |family: &'a Family, features| {
        let option = format!("--{}", family.description().name);
        family.pair_counts().map(|counts| Pairs { counts, features, option })
    };
    match family {
        Family::Blocks(blocks) => {
            blocks.iter().filter_map(|(features, family)| of(family, features.to_vec())).collect()
        }
        family => of(family, (0..n_features).collect()).into_iter().collect(),
    }
}

/// Refuses counts of several columns at once that take more memory than a limit in bytes, and says where the
/// options belong that help.
pub(crate) fn check_within(
    family: &Family,
    schema: &Schema,
    n_classes: usize,
    limit: u64,
    place: &str,
) -> Result<()> {
    let all = family.code_memory(schema.n_features(), n_classes);
    match all.into_iter().find(|memory| memory.bytes > limit || memory.is_too_many()) {
        Some(memory) => Err(memory_error(memory, schema, limit, place)),
        None => Ok(()),
    }
}

/// The error about counts of several columns at once that take more memory than the limit.
pub(crate) fn memory_error(memory: CodeMemory, schema: &Schema, limit: u64, place: &str) -> anyhow::Error {
    let is_too_many = memory.is_too_many();
    let CodeMemory {
        family, features, n_codes, largest, n_classes, of, n_counts, most_per_class, bytes, ..
    } = memory;
    let name = largest.and_then(|(feature, _)| schema.feature_name(feature)).unwrap_or_default();
    let codes = largest.map_or(0, |(_, codes)| codes);
    let found = format!(
        "--{family}: {} with {n_codes} categories and bins, and {}, need counts of {n_counts} {of} in {bytes} bytes",
        counted(features.len(), "column", "columns"),
        counted(n_classes, "class", "classes"),
    );
    let parents =
        if ["kdb", "ekdb"].contains(&family) { ", or take fewer parents (`--parents`)" } else { "" };
    let fewer = format!(
        "{place}leave out columns with many of them (`--ignore`; {name:?} has {codes}), or make fewer bins (such as `--bins \
         width:5`){parents}"
    );
    if is_too_many {
        return anyhow!("{found}; a class may have {most_per_class}: {fewer}");
    }
    anyhow!("{found}; the limit is {limit} bytes: raise it with `--max-memory {bytes}`, {fewer}")
}

/// How much memory the counts of several columns at once may take in a model while rows are added: the limit,
/// or what they take already.
pub(crate) fn limit_of(model: &Model) -> u64 {
    let own = model.family().code_memory(model.schema().n_features(), model.stats().classes().count());
    own.iter().map(|memory| memory.bytes).fold(most_memory(), u64::max)
}

/// Names the columns that have one bin, which say nothing.
pub(super) fn note_single_bins(family: &Family, schema: &Schema, screen: Screen) {
    for Pairs { counts, features, option } in all(family, schema.n_features()) {
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
