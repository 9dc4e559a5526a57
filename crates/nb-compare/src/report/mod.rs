//! The report of a comparison.

mod calibration;
mod conclusions;
mod costs;
mod data;
mod decisions;
mod fairness;
mod methods;
mod pairs;
mod practical;
mod ranks;
mod raw;
mod recorded;
mod records;
mod results;
mod sets;
mod tuned;

pub(crate) use raw::{json_with, raw_section};
pub use raw::{results_csv, results_json};
pub use recorded::Recorded;
pub use records::{TestRecord, test_records, tests_csv};

use nb_report::Document;

use crate::{Analysis, Comparison, Done, Unit};

/// The report of a comparison: what may be concluded, all measures with their spread, ranks and tests,
/// calibration, what variants are worth at each threshold, times and sizes, methods ready to be cited, the
/// data and where they come from, the design, and the raw results.
///
/// But for the times and the machine, it is the same in every run of a design on the same data.
pub fn report(analysis: &Analysis<'_>) -> Document {
    let comparison = analysis.comparison;
    let mut document = Document::new(comparison.design.title.clone());
    let (sets, variants) = (comparison.data.len(), comparison.design.variants.len());
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    document.subtitle = format!("{} on {}", count(variants, "variant"), count(sets, "data set")).into();
    document.series = names(comparison).map(str::to_owned).collect();
    document.fact("splits", splits(comparison));
    document.fact("seed", comparison.design.seed.to_string());
    document.fact("ranked by", comparison.design.measure.title());
    comparison.made.add_to(&mut document);
    document.push(conclusions::section(analysis));
    document.push(results::section(analysis));
    document.sections.extend(ranks::section(analysis));
    if comparison.data.len() > 1 {
        document.sections.extend(pairs::section(analysis));
    }
    document.push(calibration::section(analysis));
    document.sections.extend(decisions::section(analysis));
    document.sections.extend(sets::section(analysis));
    document.sections.extend(fairness::section(analysis));
    document.sections.extend(tuned::section(analysis));
    document.push(costs::section(analysis));
    document.push(methods::section(analysis));
    document.push(data::section(comparison));
    document.push(raw::section(analysis));
    document
}

/// How many decimals a measure is written with.
const DECIMALS: usize = 4;

/// The names of the variants, in the order of the design.
fn names(comparison: &Comparison) -> impl Iterator<Item = &str> {
    comparison.design.variants.iter().map(|variant| variant.name.as_str())
}

/// The names of each data set and variant, in the order of the design.
fn each_cell<'a>(analysis: &Analysis<'a>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let comparison = analysis.comparison;
    comparison
        .data
        .iter()
        .flat_map(|data| names(comparison).map(move |variant| (data.name.as_str(), variant)))
}

/// What a variant did on a data set in each repeat.
fn repeats<'a>(analysis: &Analysis<'a>, set: &str, variant: &str) -> impl Iterator<Item = &'a Done> {
    let units = analysis.comparison.units.iter();
    units.filter(move |unit| unit.set == set && unit.variant == variant).filter_map(Unit::done)
}

/// The data, and where they come from.
pub(crate) fn data_section(comparison: &Comparison) -> nb_report::Section {
    data::section(comparison)
}

/// Which data sets are split in another way than the design says, such as by groups; empty if there is none.
pub(crate) fn own_splits(comparison: &Comparison) -> String {
    methods::own_splits(&comparison.data)
}

/// How rows are split, in words.
pub(crate) fn splits(comparison: &Comparison) -> String {
    let own = own_splits(comparison);
    let all = methods::all_splits(comparison);
    if own.is_empty() { all } else { format!("{all}. {own}") }
}

/// A p-value as tables write it.
pub(crate) fn p_value(p: f64) -> nb_report::Cell {
    let text = if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") };
    let cell = nb_report::Cell { text, value: Some(p), ..nb_report::Cell::default() };
    cell.with_title(format!("{p:e}"))
}
