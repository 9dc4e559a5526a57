//! Files of a comparison.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use flate2::{Compression, write::GzEncoder};
use nb_compare::{
    Analysis, Comparison, Design, Set, Study, Table, Variant,
    experiment::{
        learning_curve::{self, LearningCurves},
        robustness::{self, Outcome},
    },
    report, results_csv, results_json,
};
use nb_report::Document;

use super::{
    on_data,
    screen::{self, Compared},
};
use crate::{
    failure::usage,
    output::{Replacement, Screen},
};

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

/// What a design came to.
pub(super) enum Results<'a> {
    /// Measures and tests.
    Comparison(Analysis<'a>),
    /// Losses by the number of training rows.
    Curves(LearningCurves, &'a Comparison),
    /// Losses as the data get worse.
    Robustness(Outcome, &'a Comparison),
}

impl<'a> Results<'a> {
    pub(super) fn new(comparison: &'a Comparison, tables: &[Table]) -> Self {
        match &comparison.design.experiment {
            None => Self::Comparison(Analysis::new(comparison)),
            Some(Study::LearningCurve(_)) => {
                Self::Curves(LearningCurves::new(comparison, tables), comparison)
            }
            Some(Study::Robustness(options)) => {
                Self::Robustness(Outcome::new(options, comparison), comparison)
            }
        }
    }

    fn report(&self) -> Document {
        match self {
            Self::Comparison(analysis) => report(analysis),
            Self::Curves(curves, comparison) => learning_curve::report(curves, comparison),
            Self::Robustness(outcome, comparison) => robustness::report(outcome, comparison),
        }
    }

    fn csv(&self) -> String {
        match self {
            Self::Comparison(analysis) => results_csv(analysis.comparison),
            Self::Curves(curves, _) => learning_curve::results_csv(curves),
            Self::Robustness(outcome, _) => robustness::results_csv(outcome),
        }
    }

    fn json(&self) -> String {
        match self {
            Self::Comparison(analysis) => results_json(analysis),
            Self::Curves(curves, comparison) => learning_curve::results_json(curves, comparison),
            Self::Robustness(outcome, comparison) => robustness::results_json(outcome, comparison),
        }
    }

    fn design(&self) -> &Design {
        match self {
            Self::Comparison(Analysis { comparison, .. })
            | Self::Curves(_, comparison)
            | Self::Robustness(_, comparison) => &comparison.design,
        }
    }

    /// Writes the results in the format that the name of the file asks for.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let content = match extension(path) {
            "md" => self.report().to_markdown()?,
            "tex" => self.report().to_latex()?,
            "csv" => self.csv(),
            "json" => self.json(),
            "json.gz" => return Replacement::write_whole(path, &compressed(&self.json())?),
            "toml" => design_in(path, self.design())?.to_toml(),
            _ => self.report().to_html()?,
        };
        replace(path, &content)
    }

    /// Shows the results.
    pub(super) fn show(&self, screen: Screen) -> Result<()> {
        match self {
            Self::Comparison(analysis) => screen.show(&Compared::new(analysis), || screen::text(analysis)),
            Self::Curves(curves, _) => screen.show(curves, || on_data::curves_text(&self.report())),
            Self::Robustness(outcome, _) => screen
                .show(outcome, || on_data::robustness_text(&self.report(), self.design().variants.len())),
        }
    }
}

/// The design as a file at `path` has it: files are looked up in its folder, so that those of another folder
/// are named in full.
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

/// The name of the file that has the compressed results of a report.
pub(super) fn results_file(outputs: &[PathBuf]) -> Option<String> {
    let path = outputs.iter().find(|path| extension(path) == "json.gz")?;
    Some(path.file_name()?.to_string_lossy().into_owned())
}

fn compressed(text: &str) -> Result<Vec<u8>> {
    // Without the time, so that the same results are the same bytes.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    Ok(encoder.finish()?)
}

/// What the name of a file ends with.
pub(super) fn extension(path: &Path) -> &str {
    if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".json.gz")) {
        return "json.gz";
    }
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}
