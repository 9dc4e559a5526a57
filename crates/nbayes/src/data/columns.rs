//! Learning the columns of one or several files.

use anyhow::{Context, Result, bail};
use nb_io::{
    Kind,
    read::{Inference, Inferred, KindChoice, Overrides, Reason},
};

use super::{Input, ReadArgs};
use crate::output::Screen;

/// Learns what the columns of all files hold together. They have the same columns, in any order; a column that is
/// textual in one of them is so in all, with the categories or terms of all.
pub(crate) fn infer_all(
    inputs: &[Input],
    label: &str,
    weight: Option<&str>,
    overrides: &Overrides,
    read: &ReadArgs,
    screen: Screen,
) -> Result<Inferred> {
    let infer = |overrides: &Overrides| -> Result<Vec<Inferred>> {
        let mut all: Vec<Inferred> = Vec::new();
        for input in inputs {
            let inferred = read.infer(input, label, weight, overrides, screen)?;
            let inferred = match all.first() {
                Some(first) => reordered(inferred, first, inputs[0].name(), input.name())?,
                None => inferred,
            };
            all.push(inferred);
        }
        Ok(all)
    };
    let mut all = infer(overrides)?;
    let settled = settled(overrides, &all);
    if settled != *overrides {
        all = infer(&settled)?;
    }
    let mut rest = inputs.iter().zip(all).collect::<Vec<_>>().into_iter();
    let Some((_, mut together)) = rest.next() else { bail!("there is no file to read") };
    for (input, inferred) in rest {
        let union = together.schema.union(&inferred.schema);
        together.schema = union.with_context(|| format!("{} and the files before it", input.name()))?;
        together.n_rows += inferred.n_rows;
        let columns = together.columns.iter_mut().zip(&together.schema.columns).zip(inferred.columns);
        for ((inference, column), more) in columns {
            inference.kind = column.kind.clone();
            if inference.reason == Reason::AllMissing {
                inference.reason = more.reason;
                inference.few_values = more.few_values;
                continue;
            }
            if more.reason == Reason::AllMissing {
                continue;
            }
            let reason = std::mem::replace(&mut inference.reason, Reason::AllNumbers);
            inference.reason = of_both(reason, &inference.few_values, &more, &inference.kind);
            inference.few_values = both(&inference.few_values, &more.few_values);
        }
    }
    Ok(together)
}

/// Why a column of two files together has its kind: `reason` and `few_values` are of the first.
fn of_both(reason: Reason, few_values: &[f64], more: &Inference, kind: &Kind) -> Reason {
    let n_levels = |kind: &Kind| match kind {
        Kind::Categorical { levels } => levels.len(),
        _ => 0,
    };
    match (reason, more.reason.clone()) {
        (
            Reason::MostlyNumeric { cells, texts, first },
            Reason::MostlyNumeric { cells: more, texts: t, .. },
        ) => Reason::MostlyNumeric { cells: cells + more, texts: texts + t, first },
        (Reason::Constant { value }, Reason::Constant { value: other }) if value == other => {
            Reason::Constant { value }
        }
        (Reason::Constant { .. }, Reason::Constant { .. }) if *kind == Kind::Numeric => Reason::AllNumbers,
        (Reason::Constant { .. }, Reason::Constant { .. }) => Reason::Text,
        (Reason::Constant { .. } | Reason::RowNumbers, other)
        | (Reason::AllNumbers, other @ (Reason::MostlyNumeric { .. } | Reason::MarkedNumbers { .. })) => {
            other
        }
        // A few whole numbers are identifiers beside many.
        (Reason::Identifier, Reason::AllNumbers) if more.few_values.is_empty() => Reason::AllNumbers,
        (Reason::AllNumbers, Reason::Identifier) if !few_values.is_empty() => Reason::Identifier,
        (Reason::ManyCategories { cells, .. }, Reason::ManyCategories { cells: more, .. }) => {
            many_categories(cells + more, n_levels(kind))
        }
        // How many cells the other has is not known; at least one for each category.
        (Reason::ManyCategories { cells, .. }, Reason::Text) => {
            many_categories(cells + n_levels(&more.kind), n_levels(kind))
        }
        (Reason::Text, Reason::ManyCategories { cells, .. }) => many_categories(cells, n_levels(kind)),
        (reason, _) => reason,
    }
}

fn many_categories(cells: usize, distinct: usize) -> Reason {
    if 2 * distinct >= cells { Reason::ManyCategories { cells, distinct } } else { Reason::Text }
}

/// What was inferred of a file, with its columns in the order of the first file.
fn reordered(mut inferred: Inferred, first: &Inferred, first_name: &str, name: &str) -> Result<Inferred> {
    let has = |inferred: &Inferred, name: &str| inferred.columns.iter().any(|column| column.column == name);
    for (some, others, file, other) in
        [(first, &inferred, first_name, name), (&inferred, first, name, first_name)]
    {
        if let Some(column) = some.columns.iter().find(|column| !has(others, &column.column)) {
            bail!(
                "{file} has a column {:?} and {other} does not; all files must have the same columns",
                column.column
            );
        }
    }
    let place = |name: &str| first.columns.iter().position(|column| column.column == name);
    inferred.columns.sort_by_key(|column| place(&column.column));
    inferred.schema.columns.sort_by_key(|column| place(&column.name));
    Ok(inferred)
}

/// The overrides under which every column has the same kind in all files: the one that can hold the cells of all.
fn settled(overrides: &Overrides, all: &[Inferred]) -> Overrides {
    let rank = |kind: &Kind| match kind {
        Kind::Text(_) => Some(KindChoice::Text),
        Kind::Categorical { .. } => Some(KindChoice::Categorical),
        Kind::Count => Some(KindChoice::Count),
        _ => None,
    };
    let mut settled = overrides.clone();
    for (position, column) in all.first().map_or(&[][..], |first| &first.columns).iter().enumerate() {
        let ranks: Vec<Option<KindChoice>> =
            all.iter().map(|inferred| rank(&inferred.columns[position].kind)).collect();
        if ranks.iter().all(|rank| *rank == ranks[0]) {
            continue;
        }
        let choice = match () {
            () if ranks.contains(&Some(KindChoice::Text)) => KindChoice::Text,
            () if ranks.contains(&Some(KindChoice::Categorical)) => KindChoice::Categorical,
            // Numbers from 0 that are counts in some of the files.
            () => KindChoice::Numeric,
        };
        settled.kinds.insert(column.column.clone(), choice);
    }
    settled
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
