//! Rows held out of a file before a model is learnt from the others.

use std::io::BufWriter;

use anyhow::{Context, Result, bail};
use nb_train::Keys;

use super::{
    copy::{self, Format, OtherRows},
    facts::{By, Facts},
    groups,
    sizes::{self, Size},
    strata,
};
use crate::{
    data::{Input, ReadArgs},
    failure::usage,
    output::{Screen, Temporary, counted},
};

/// The rows of a file in two inputs with its name: those to learn from, and a share that is held out,
/// stratified by the label as `nbayes split` does it. Lines of delimited text keep their numbers. Mails and
/// texts of a folder are dealt by their names.
pub(crate) fn hold_out(
    input: &Input,
    read: &ReadArgs,
    by: By<'_>,
    share: f64,
    seed: u64,
    screen: Screen,
) -> Result<[Input; 2]> {
    let documents = input.documents().map(|(_, paths)| paths);
    let format = Format::find(input, read);
    if format.is_none() && documents.is_none() {
        return Err(usage(format!(
            "{} is neither delimited text nor Parquet nor a folder of mails or texts, of which --test-fraction can hold rows \
             out; name a file of test rows (`--test FILE`)",
            input.name()
        )));
    }
    if format == Some(Format::Csv) {
        let encoding = read.rows(input)?.encoding().to_string();
        if encoding != "UTF-8" {
            return Err(usage(format!(
                "{} is in {encoding}, and --test-fraction is for text in UTF-8; split it first (`nbayes split`), and name the test \
                 rows by --test",
                input.name()
            )));
        }
    }
    let screen = screen.silent();
    let facts = Facts::of(input, read, by, screen)?;
    if facts.n_rows == 0 {
        bail!("{} has no rows", input.name());
    }
    if let Some(paths) = documents.filter(|paths| paths.len() != facts.n_rows) {
        let skipped = counted(paths.len() - facts.n_rows, "file", "files");
        let name = input.name();
        return Err(usage(format!(
            "{name}: {skipped} cannot be read, and --test-fraction needs all of them; move them to another folder"
        )));
    }
    let sizes = sizes::held_out(&[Size::Share(share)], facts.n_rows)?;
    let parts = if by.group.is_some() {
        let keys = Keys::new(seed);
        groups::by_groups(&keys, &facts.group_names, &facts.groups, &facts.classes, &sizes)
    } else {
        let keys = match (format, documents) {
            (Some(format), _) => copy::keys(input, read, format, seed, facts.n_rows, screen)?,
            (None, paths) => {
                let mut keys = Keys::new(seed);
                let names = paths.unwrap_or_default().iter().map(|path| path.as_os_str().as_encoded_bytes());
                names.map(|name| keys.of_row(name)).collect()
            }
        };
        strata::stratified(&keys, &facts.classes, facts.class_names.len(), &sizes)
    };
    let parts = parts.ok_or_else(|| {
        if let Some(group) = by.group {
            return usage(format!(
                "{}: column {group:?} has {} in {}, which cannot fill both parts, as groups stay whole; choose a column of smaller \
                 groups",
                input.name(),
                counted(facts.group_names.len(), "group", "groups"),
                counted(facts.n_rows, "row", "rows"),
            ));
        }
        let label = by.label.unwrap_or_default();
        usage(format!(
            "{}: column {label:?} has {} different values in {}, of which each must keep a row for training; choose a smaller \
             --test-fraction",
            input.name(),
            facts.class_names.len(),
            counted(facts.n_rows, "row", "rows"),
        ))
    })?;
    let Some(format) = format else {
        return Ok([0, 1].map(|part| input.with_documents(|place| parts[place] == part)));
    };
    let temporary = || -> std::io::Result<_> {
        Ok(BufWriter::new(Temporary::beside(&std::env::temp_dir().join("nbayes-part"), false)?))
    };
    let name = format!("a temporary file with rows of {}", input.name());
    let cannot = || format!("cannot write {name}");
    let mut outputs = [temporary().with_context(cannot)?, temporary().with_context(cannot)?];
    copy::write_parts(
        input,
        read,
        format,
        &parts,
        &mut outputs,
        &[name.clone(), name.clone()],
        OtherRows::Blank,
    )?;
    let [train, test] = outputs.map(|output| {
        let file = output.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        input.with_rows(file)
    });
    Ok([train.with_context(cannot)?, test.with_context(cannot)?])
}
