//! What a comparison says on the screen.

use std::collections::BTreeMap;

use nb_compare::{Analysis, Cell, FailedValues, Measure, Overall, PowerLimit};
use serde::Serialize;
use serde_json::Value;

use crate::output::{Head, Table, short};

/// The measures that are always shown.
const COMMON: [Measure; 7] = [
    Measure::Accuracy,
    Measure::BalancedAccuracy,
    Measure::MacroF1,
    Measure::LogLoss,
    Measure::Brier,
    Measure::Auc,
    Measure::CalibrationError,
];

#[derive(Serialize)]
pub(super) struct Compared {
    measure: &'static str,
    sets: Vec<SetLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Ranks>,
    conclusion: Option<String>,
}

#[derive(Serialize)]
struct SetLine {
    name: String,
    variants: Vec<VariantLine>,
}

#[derive(Serialize)]
struct VariantLine {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Result>,
    #[serde(skip_serializing_if = "Option::is_none")]
    none_because: Option<String>,
}

#[derive(Serialize)]
struct Result {
    mean: BTreeMap<&'static str, Value>,
    deviation: BTreeMap<&'static str, Value>,
}

#[derive(Serialize)]
struct Ranks {
    sets: usize,
    variants: Vec<(String, f64)>,
    critical_difference: f64,
    p_friedman: f64,
}

impl Compared {
    pub(super) fn new(analysis: &Analysis<'_>) -> Self {
        let design = &analysis.comparison.design;
        let sets = analysis.comparison.data.iter().zip(&analysis.cells).map(|(data, row)| SetLine {
            name: data.name.clone(),
            variants: design
                .variants
                .iter()
                .zip(row)
                .map(|(variant, cell)| VariantLine::new(&variant.name, cell))
                .collect(),
        });
        Self {
            measure: design.measure.key(),
            sets: sets.collect(),
            ranks: analysis.ranking().map(|overall| ranks(analysis, overall)),
            conclusion: analysis.conclusion(),
        }
    }
}

impl VariantLine {
    fn new(name: &str, cell: &Cell) -> Self {
        // JSON has no infinity, and null says that a measure does not exist.
        let number = |value: Option<f64>| match value {
            Some(value) if value.is_infinite() => Value::from(value.to_string()),
            value => Value::from(value),
        };
        let of = |values: &nb_compare::Values| {
            Measure::ALL.into_iter().map(|measure| (measure.key(), number(values.get(measure)))).collect()
        };
        let (result, none_because) = match cell {
            Cell::Done(summary) => {
                (Some(Result { mean: of(&summary.mean), deviation: of(&summary.deviation) }), None)
            }
            Cell::NotApplicable { reason } => (None, Some(format!("not applicable: {reason}"))),
            Cell::Failed { reason } => (None, Some(reason.clone())),
            Cell::Open => (None, None),
        };
        Self { name: name.to_owned(), result, none_because }
    }
}

fn ranks(analysis: &Analysis<'_>, overall: &Overall) -> Ranks {
    let names = overall.variants.iter().map(|&variant| analysis.name(variant).to_owned());
    let mut variants: Vec<(String, f64)> =
        names.zip(overall.friedman.average_ranks.iter().copied()).collect();
    variants.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    Ranks {
        sets: overall.sets.len(),
        variants,
        critical_difference: overall.nemenyi.critical_difference,
        p_friedman: overall.friedman.p,
    }
}

/// Means by data set and variant, ranks, and what may be concluded.
pub(super) fn text(analysis: &Analysis<'_>) -> String {
    let design = &analysis.comparison.design;
    let mut text = match analysis.cells.as_slice() {
        [row] => of_measures(analysis, row),
        rows => of_sets(analysis, rows),
    };
    if let Some(overall) = analysis.ranking() {
        let ranks = ranks(analysis, overall);
        let list = ranks.variants.iter().map(|(name, rank)| format!("{name} {}", short(*rank)));
        text.push_str(&format!(
            "\nmean ranks on {} data sets (1 is best): {}\ncritical difference (Nemenyi, α = {}): {}\n",
            ranks.sets,
            list.collect::<Vec<_>>().join(", "),
            design.alpha,
            short(ranks.critical_difference),
        ));
    }
    if let Some(conclusion) = analysis.conclusion() {
        text.push_str(&format!("\n{conclusion}\n"));
    }
    for hint in analysis.hints() {
        text.push_str(&format!("\n- {hint}"));
    }
    for (data, row) in analysis.comparison.data.iter().zip(&analysis.cells) {
        for (variant, cell) in row.iter().enumerate() {
            let reason = match cell {
                Cell::Done(summary) => {
                    let (name, n_splits) = (analysis.name(variant), data.splits.folds * data.splits.repeats);
                    for PowerLimit { column, n_folds, lambda } in &summary.limits {
                        text.push_str(&format!(
                            "\n- {name} on {}: the power of column {column:?} is cut off in {n_folds} of {n_splits} splits (λ = {} in \
                             the first), where numbers of 16 digits no longer tell its values apart; bins or categories may suit it better",
                            data.name,
                            short(*lambda)
                        ));
                    }
                    for FailedValues { values, n_folds, reason } in &summary.failed {
                        text.push_str(&format!(
                            "\n- {name} on {}: {values} failed in {n_folds} of {n_splits} splits: {reason}",
                            data.name
                        ));
                    }
                    if summary.losses.is_none() {
                        text.push_str(&format!(
                            "\n- {name} on {}: only labels were predicted, so that there are no measures of probabilities",
                            data.name
                        ));
                    }
                    continue;
                }
                Cell::NotApplicable { reason } => format!("not applicable: {reason}"),
                Cell::Failed { reason } => reason.clone(),
                Cell::Open => "pending".into(),
            };
            text.push_str(&format!("\n- {} on {}: {reason}", analysis.name(variant), data.name));
        }
    }
    text
}

/// One measure of each variant on each data set.
fn of_sets(analysis: &Analysis<'_>, rows: &[Vec<Cell>]) -> String {
    let measure = analysis.comparison.design.measure;
    let first = format!("mean {}", measure.title());
    let heads =
        (0..analysis.comparison.design.variants.len()).map(|variant| Head::Right(analysis.name(variant)));
    let mut table = Table::with_heads([Head::Left(&first)].into_iter().chain(heads));
    for (data, row) in analysis.comparison.data.iter().zip(rows) {
        let means = row.iter().map(|cell| mean(cell, measure));
        table.row([data.name.clone()].into_iter().chain(means));
    }
    table.to_string()
}

/// All measures of each variant on a single data set.
fn of_measures(analysis: &Analysis<'_>, row: &[Cell]) -> String {
    let measures = shown(analysis);
    let heads = measures.iter().map(|measure| Head::Right(measure.title()));
    let first = analysis.comparison.data.first().map_or("", |data| &data.name);
    let mut table = Table::with_heads([Head::Left(first)].into_iter().chain(heads));
    for (variant, cell) in row.iter().enumerate() {
        let means = measures.iter().map(|&measure| mean(cell, measure));
        table.row([analysis.name(variant).to_owned()].into_iter().chain(means));
    }
    table.to_string()
}

/// The measures that fit on a screen: those that are mostly asked for, those of the positive class, and the
/// primary one.
fn shown(analysis: &Analysis<'_>) -> Vec<Measure> {
    let design = &analysis.comparison.design;
    let is_shown = |measure: &Measure| {
        COMMON.contains(measure)
            || *measure == design.measure
            || design.positive.is_some() && measure.needs_positive() && !measure.needs_protected()
            || design.protected.is_some() && measure.needs_protected()
            || design.coverage.is_some() && measure.needs_coverage()
    };
    Measure::ALL.into_iter().filter(is_shown).collect()
}

fn mean(cell: &Cell, measure: Measure) -> String {
    cell.mean(measure).map_or("-".into(), |mean| format!("{mean:.4}"))
}
