//! Files of a comparison.

use std::path::Path;

use anyhow::{Result, bail};
use nb_compare::{Analysis, Design, Set, Variant, report, results_csv, results_json};

use crate::{failure::usage, output::Replacement};

/// Refuses a file that could not be written before all work is done in vain.
pub(super) fn check_format(path: &Path, known: &[&str]) -> Result<()> {
    if !known.contains(&extension(path)) {
        let known: Vec<String> = known.iter().map(|extension| format!(".{extension}")).collect();
        return Err(usage(format!("{}: it can be written as {}", path.display(), known.join(", "))));
    }
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => bail!("cannot write {}: there is no folder {}", path.display(), folder.display()),
        None => Ok(()),
    }
}

/// Writes a comparison in the format that the name of the file asks for.
pub(super) fn write(analysis: &Analysis<'_>, path: &Path) -> Result<()> {
    let comparison = analysis.comparison;
    let content = match extension(path) {
        "md" => report(analysis).to_markdown()?,
        "tex" => report(analysis).to_latex()?,
        "csv" => results_csv(comparison),
        "json" => results_json(analysis),
        "toml" => design_in(path, &comparison.design)?.to_toml(),
        _ => report(analysis).to_html()?,
    };
    replace(path, &content)
}

/// The design as a file at `path` has it: files are looked up in its folder, so that those of another folder are named in full.
fn design_in(path: &Path, design: &Design) -> Result<Design> {
    let mut design = design.clone();
    if path.parent().is_some_and(|folder| !folder.as_os_str().is_empty()) {
        let of_sets = design.sets.iter_mut().filter_map(|set| match set {
            Set::File(set) => Some([&mut set.file].into_iter().chain(&mut set.splits)),
            Set::Embedded(_) => None,
        });
        let of_answers =
            design.variants.iter_mut().filter_map(Variant::answers_mut).map(|answers| &mut answers.file);
        let paths = of_sets.flatten().chain(of_answers);
        for path in paths.filter(|path| !path.starts_with('@') && *path != "-") {
            *path = std::path::absolute(&*path)?.to_string_lossy().into_owned();
        }
    }
    Ok(design)
}

/// Puts a file into its place, whole.
pub(super) fn replace(path: &Path, content: &str) -> Result<()> {
    Replacement::write_whole(path, content.as_bytes())
}

/// What the name of a file ends with.
pub(super) fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}
