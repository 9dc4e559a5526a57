//! Learning the columns of one or several files.

use anyhow::{Context, Result, bail};
use nb_io::read::{FileProblem, Inferred, Overrides, ReadError};

use crate::{
    data::{Input, ReadArgs},
    output::Screen,
};

/// Learns what the columns of all files hold together. They have the same columns, in any order; a column
/// that is textual in one of them is so in all, with the categories or terms of all.
pub(crate) fn infer_all(
    inputs: &[Input],
    label: Option<&str>,
    weight: Option<&str>,
    overrides: &Overrides,
    read: &ReadArgs,
    screen: Screen,
) -> Result<Inferred> {
    let infer = |overrides: &Overrides| -> Result<Vec<(&Input, Inferred)>> {
        let (mut all, mut without_rows) = (Vec::<(&Input, Inferred)>::new(), None);
        for input in inputs {
            let inferred = match read.infer(input, label, weight, overrides, screen) {
                Ok(inferred) => inferred,
                // It may be one of several.
                Err(error) if has_no_rows(&error) => {
                    without_rows = without_rows.or(Some(error));
                    continue;
                }
                Err(error) => return Err(error),
            };
            let inferred = match all.first() {
                Some((of_first, first)) => reordered(inferred, first, of_first.name(), input.name())?,
                None => inferred,
            };
            all.push((input, inferred));
        }
        match without_rows {
            Some(error) if all.is_empty() => Err(error),
            _ => Ok(all),
        }
    };
    // What is left out of a vocabulary depends on the texts of all files.
    let overrides = &overrides.clone().with_is_part(inputs.len() > 1);
    let mut all = infer(overrides)?;
    let settled = overrides.settled(all.iter().map(|(_, inferred)| inferred));
    if settled != *overrides {
        all = infer(&settled)?;
    }
    let with_rows = all.iter().map(|(input, inferred)| (*input, inferred.n_rows));
    let of_folders = read.infer_partitions(with_rows, label, weight, overrides)?;
    let mut together: Option<Inferred> = None;
    for (input, inferred) in all {
        together = Some(match together {
            Some(before) => {
                before.union(inferred).with_context(|| format!("{} and the files before it", input.name()))?
            }
            None => inferred,
        });
    }
    let mut together = together.context("there is no file to read")?.complete()?;
    if let Some(of_folders) = of_folders {
        together.columns.extend(of_folders.columns);
        together.schema.columns.extend(of_folders.schema.columns);
    }
    Ok(together)
}

/// Whether all that is wrong with a file is that it has a header only.
fn has_no_rows(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ReadError::File { problem: FileProblem::NoRows, .. }))
}

/// What was inferred of a file, with its columns in the order of the first file.
fn reordered(inferred: Inferred, first: &Inferred, first_name: &str, name: &str) -> Result<Inferred> {
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
    Ok(inferred.in_order_of(first))
}
