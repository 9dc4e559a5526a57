//! Outputs that are inputs.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

use anyhow::Result;

use crate::{data::paths_of, failure::usage};

/// Refuses an output that is also an input, by any of its names. Inputs are paths, folders, patterns, `-` for
/// standard input or `@name` for data sets; without an output it is standard output. Devices and pipes can be
/// both.
pub(crate) fn refuse_inputs<'a>(
    output: Option<&Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let found = match output {
        Some(path) => fs::metadata(path).ok(),
        None => standard_output(),
    };
    let Some(found) = found.filter(Metadata::is_file) else { return Ok(()) };
    let is_same = |input: &PathBuf| metadata(input).is_some_and(|input| same(&input, &found));
    match (inputs.into_iter().flat_map(paths_of).find(is_same), output) {
        (None, _) => Ok(()),
        (Some(_), None) => Err(usage("standard output is the input file; write to another file with -o")),
        (Some(input), Some(output)) if input == output => Err(usage(format!(
            "the output {} is also an input; choose another name with -o",
            output.display()
        ))),
        (Some(input), Some(output)) => Err(usage(format!(
            "the output {} is the same file as {}; choose another name with -o",
            output.display(),
            if input.as_os_str() == "-" {
                "standard input".into()
            } else {
                format!("the input {}", input.display())
            }
        ))),
    }
}

/// Whether two inputs, as above, are one: the same file under any of its names, or both standard input or one
/// data set.
pub(crate) fn same_file(one: &Path, other: &Path) -> bool {
    let is_file = |data: &Metadata| data.is_file();
    one == other
        || metadata(one)
            .filter(is_file)
            .zip(metadata(other).filter(is_file))
            .is_some_and(|(one, other)| same(&one, &other))
}

fn metadata(input: &Path) -> Option<Metadata> {
    if input.as_os_str() == "-" { standard_input() } else { fs::metadata(input).ok() }
}

#[cfg(unix)]
fn same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(unix)]
fn standard_input() -> Option<Metadata> {
    descriptor(std::io::stdin())
}

#[cfg(unix)]
fn standard_output() -> Option<Metadata> {
    descriptor(std::io::stdout())
}

#[cfg(unix)]
fn descriptor(stream: impl std::os::fd::AsFd) -> Option<Metadata> {
    fs::File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()
}

#[cfg(windows)]
fn same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::windows::fs::MetadataExt;
    // The standard library does not tell the number of a file; two files that agree in all this are one.
    let of = |data: &Metadata| (data.creation_time(), data.last_write_time(), data.file_size());
    of(one) == of(other)
}

#[cfg(not(unix))]
fn standard_input() -> Option<Metadata> {
    None
}

#[cfg(not(unix))]
fn standard_output() -> Option<Metadata> {
    None
}
