//! The design of a comparison, from a file and options.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use nb_compare::{
    Column, Design, Features, FileSet, Measure, Plan, Protected, Recorded, Set, Table, Variant,
};

use crate::{failure::usage, output::quoted_list};

/// What is compared on tables of columns if nothing is said.
const OF_COLUMNS: &[&str] = &["gaussian", "kernel", "mdl", "aode", "refined", "logistic"];

/// What is compared if all data sets are documents or columns of texts alone.
const OF_DOCUMENTS: &[&str] =
    &["multinomial", "complement", "bernoulli", "count-ratio", "refined", "logistic"];

/// What is compared on tables of which some have texts beside other columns.
const OF_MIXED: &[&str] = &["multinomial", "complement", "bernoulli", "mdl", "refined", "logistic"];

/// Options of measures that need more than labels and probabilities.
const MEASURES: &str = "Prediction sets and fairness";

/// The most bytes that results are unpacked to.
const MOST_BYTES: u64 = 1 << 32;

/// The most groups of a protected column: more of them are values, such as ages.
const MOST_GROUPS: usize = 20;

/// What is compared, and how.
#[derive(Debug, clap::Args)]
pub(super) struct DesignArgs {
    /// Data files with labels, or embedded data sets such as `@iris`.
    #[arg(required_unless_present_any = ["design", "suite", "list", "experiment"], conflicts_with_all = ["design", "suite"])]
    sets: Vec<String>,
    /// A design file in TOML, or a report (.html) or its results (.json, .json.gz), to be repeated; options
    /// override it. Files are looked up beside it.
    #[arg(long, value_name = "FILE")]
    design: Option<PathBuf>,
    /// A design that the program comes with: nb-2026, many variants on twenty embedded data sets; options
    /// override it.
    #[arg(long, value_name = "NAME", conflicts_with = "design")]
    suite: Option<String>,
    /// A variant: a name, and options behind a colon, as in gaussian:numeric.floor=1e-6,name=wide. Several
    /// names may be separated by commas. `nbayes compare --list` prints them.
    #[arg(long, short, value_name = "VARIANT", conflicts_with_all = ["design", "suite"])]
    variant: Vec<String>,
    /// The title of the report.
    #[arg(long)]
    title: Option<String>,
    /// Random seed [default: 0].
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// Number of folds of the cross-validation [default: 10].
    #[arg(long, value_name = "K", conflicts_with_all = ["leave_one_out", "held_out"])]
    folds: Option<usize>,
    /// Number of repeats of the cross-validation [default: 10].
    #[arg(long, value_name = "R", conflicts_with = "leave_one_out")]
    repeats: Option<usize>,
    /// Leave-one-out cross-validation.
    #[arg(long, conflicts_with = "held_out")]
    leave_one_out: bool,
    /// Hold-out fraction (test set), such as 0.3.
    #[arg(long, value_name = "PART")]
    pub(super) held_out: Option<f64>,
    /// The primary measure, by which variants are tested and ranked [default: accuracy]; tests by others are
    /// exploratory.
    #[arg(long, value_parser = measure)]
    measure: Option<Measure>,
    /// The positive class, which precision, recall, F1 and AUC are of.
    #[arg(long, value_name = "LABEL")]
    positive: Option<String>,
    /// The column of groups, such as sex, between which predictions of the positive class are compared
    /// (fairness). It is a feature, too, unless `--ignore` names it.
    #[arg(long, value_name = "COLUMN", help_heading = MEASURES)]
    pub(super) protected: Option<String>,
    /// Make prediction sets that have the true class with this probability, such as 0.9 (conformal
    /// prediction), and compare their sizes.
    #[arg(long, value_name = "PROBABILITY", help_heading = MEASURES)]
    coverage: Option<f64>,
    /// Significance level of the tests [default: 0.05].
    #[arg(long)]
    alpha: Option<f64>,
    /// Differences of the measure up to this are practically none [default: 0.01].
    #[arg(long, value_name = "DIFFERENCE")]
    region: Option<f64>,
    /// Baseline variant.
    #[arg(long, value_name = "VARIANT")]
    baseline: Option<String>,
}

fn measure(text: &str) -> Result<Measure, String> {
    let known = Measure::ALL.map(Measure::key).join(", ");
    let found = Measure::ALL.into_iter().find(|measure| measure.key() == text);
    found.ok_or_else(|| format!("there are {known}"))
}

impl DesignArgs {
    /// The design, with answers of other programs as further variants. Files have the label column that
    /// options name.
    pub(super) fn design(&self, label: Option<&str>, answers: Vec<Variant>) -> Result<Recorded> {
        let mut recorded = match (&self.design, &self.suite) {
            (Some(path), _) => read(path)?,
            (None, Some(name)) => Design::suite(name).map_err(|error| usage(error.to_string()))?.into(),
            (None, None) => Design::new(self.sets(label), self.variants()?)
                .map_err(|error| usage(error.to_string()))?
                .into(),
        };
        let design = &mut recorded.design;
        design.variants.extend(answers);
        if let Some(title) = &self.title {
            design.title.clone_from(title);
        }
        design.seed = self.seed.unwrap_or(design.seed);
        design.measure = self.measure.unwrap_or(design.measure);
        design.positive = self.positive.clone().or(design.positive.take());
        design.protected = self.protected.clone().or(design.protected.take());
        design.coverage = self.coverage.or(design.coverage);
        design.alpha = self.alpha.unwrap_or(design.alpha);
        design.region = self.region.unwrap_or(design.region);
        design.baseline = self.baseline.clone().or(design.baseline.take());
        design.plan = self.plan(design.plan);
        // The variants may be others once the data are known.
        let baseline = if self.chooses() { design.baseline.take() } else { None };
        design.check().map_err(|error| usage(error.to_string()))?;
        design.baseline = baseline.or(design.baseline.take());
        Ok(recorded)
    }

    /// The first option that names data, variants or splits, if there is one.
    pub(super) fn used(&self) -> Option<&'static str> {
        let file = self.design.as_ref().map(|_| "--design").or(self.suite.as_ref().map(|_| "--suite"));
        file.or_else(|| self.used_beside_file())
    }

    fn used_beside_file(&self) -> Option<&'static str> {
        let used = [
            (!self.sets.is_empty(), "data sets"),
            (!self.variant.is_empty(), "--variant"),
            (self.held_out.is_some(), "--held-out"),
        ];
        used.into_iter().find_map(|(is_used, name)| is_used.then_some(name)).or(self.cross_validation())
    }

    /// The first option of cross-validation, if there is one.
    pub(super) fn cross_validation(&self) -> Option<&'static str> {
        let used = [
            (self.folds.is_some(), "--folds"),
            (self.repeats.is_some(), "--repeats"),
            (self.leave_one_out, "--leave-one-out"),
        ];
        used.into_iter().find_map(|(is_used, name)| is_used.then_some(name))
    }

    /// The first option of titles and tests, if there is one.
    pub(super) fn of_tests(&self) -> Option<&'static str> {
        let used = [
            (self.title.is_some(), "--title"),
            (self.measure.is_some(), "--measure"),
            (self.alpha.is_some(), "--alpha"),
            (self.region.is_some(), "--region"),
            (self.baseline.is_some(), "--baseline"),
        ];
        used.into_iter().find_map(|(is_used, name)| is_used.then_some(name))
    }

    /// Whether there is nothing to compare on.
    pub(super) fn has_no_data(&self) -> bool {
        self.sets.is_empty() && self.design.is_none() && self.suite.is_none()
    }

    /// The files that are read besides the data.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.design.as_deref().into_iter()
    }

    /// Whether the variants follow from the data.
    fn chooses(&self) -> bool {
        self.design.is_none() && self.suite.is_none() && self.variant.is_empty()
    }

    /// The variants for these tables, if the user chose none.
    pub(super) fn choose(&self, design: &mut Design, tables: &[Table]) -> Result<()> {
        let of_texts = |table: &Table| match &table.features {
            Features::Documents(_) => (true, true),
            Features::Columns { columns, .. } => {
                let is_text = |column: &Column| column.kind.is_text();
                (columns.iter().any(is_text), columns.iter().all(is_text))
            }
        };
        let has_texts = |table: &Table| of_texts(table).0;
        let chosen = if tables.iter().all(|table| of_texts(table).1) {
            Some(OF_DOCUMENTS)
        } else {
            tables.iter().any(has_texts).then_some(OF_MIXED)
        };
        if let Some(names) = chosen.filter(|_| self.chooses()) {
            let answers = design.variants.iter().filter(|variant| variant.answers().is_some()).cloned();
            design.variants = parsed(names)?.into_iter().chain(answers).collect();
        }
        let classes = || tables.iter().flat_map(|table| &table.classes);
        if let Some(positive) =
            design.positive.as_ref().filter(|positive| !classes().any(|class| class == *positive))
        {
            let known: Vec<&String> = classes().collect();
            return Err(usage(format!("there is no class {positive:?}; there are {}", quoted_list(&known))));
        }
        check_protected(design, tables)?;
        design.check().map_err(|error| usage(error.to_string()))
    }

    fn plan(&self, plan: Plan) -> Plan {
        let repeats = self.repeats.unwrap_or(plan.repeats());
        if self.leave_one_out {
            return Plan::LeaveOneOut {};
        }
        if let Some(test) = self.held_out {
            return Plan::HeldOut { test, repeats };
        }
        match plan {
            Plan::CrossValidation { folds, .. } => {
                Plan::CrossValidation { folds: self.folds.unwrap_or(folds), repeats }
            }
            Plan::HeldOut { test, .. } if self.folds.is_none() => Plan::HeldOut { test, repeats },
            other => self.folds.map_or(other, |folds| Plan::CrossValidation { folds, repeats }),
        }
    }

    fn sets(&self, label: Option<&str>) -> Vec<Set> {
        let set = |name: &String| {
            if let Some(name) = name.strip_prefix('@') {
                return Set::Embedded(name.to_owned());
            }
            let mut set = FileSet::new(name);
            set.label = label.map(String::from);
            Set::File(set)
        };
        self.sets.iter().map(set).collect()
    }

    fn variants(&self) -> Result<Vec<Variant>> {
        // Options have their own commas.
        let names = self.variant.iter().flat_map(|text| {
            let separator = if text.contains(':') { '\0' } else { ',' };
            text.split(separator).map(str::trim)
        });
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        parsed(if names.is_empty() { OF_COLUMNS } else { &names })
    }
}

/// Refuses a protected column that no table has, and one of more groups than can be compared.
fn check_protected(design: &Design, tables: &[Table]) -> Result<()> {
    let Some(column) = &design.protected else { return Ok(()) };
    let found: Vec<Protected> = tables.iter().filter_map(|table| table.protected_by(column)).collect();
    if found.is_empty() {
        return Err(usage(format!("--protected: there is no column {column:?}")));
    }
    match found.iter().map(|protected| protected.groups.len()).max() {
        Some(n_groups) if n_groups > MOST_GROUPS => Err(usage(format!(
            "--protected: column {column:?} has {n_groups} groups, and may have {MOST_GROUPS}; join values to groups in a separate column"
        ))),
        _ => Ok(()),
    }
}

/// Reads a design from its own file, or from what was made of it.
fn read(path: &Path) -> Result<Recorded> {
    let text = text(path).with_context(|| format!("cannot read {}", path.display()))?;
    let recorded = match super::output::extension(path) {
        "html" | "htm" => Recorded::from_html(&text),
        "json" | "json.gz" => Recorded::from_json(&text),
        _ => Design::from_toml(&text).map(Recorded::from),
    };
    let mut recorded = recorded.with_context(|| path.display().to_string())?;
    let written: Vec<Set> = recorded.design.sets.clone();
    recorded.design.sets.iter_mut().for_each(|set| find_beside(set, path));
    for answers in recorded.design.variants.iter_mut().filter_map(Variant::answers_mut) {
        answers.file = found_beside(&answers.file, path);
    }
    refuse_same_file(&written, &recorded.design.sets)?;
    Ok(recorded)
}

/// The text of a file, which may be compressed.
fn text(path: &Path) -> std::io::Result<String> {
    if super::output::extension(path) != "json.gz" {
        return std::fs::read_to_string(path);
    }
    let mut text = String::new();
    GzDecoder::new(File::open(path)?).take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// Refuses sets of different files of which the same one was found, as both have its name.
fn refuse_same_file(written: &[Set], found: &[Set]) -> Result<()> {
    let file = |set: &Set| match set {
        Set::File(set) => Some(set.file.clone()),
        Set::Embedded(_) => None,
    };
    for (place, set) in found.iter().enumerate() {
        for other in 0..place {
            let is_same = file(set).is_some() && file(set) == file(&found[other]);
            if let (true, Some(one), Some(two)) = (is_same, file(&written[other]), file(&written[place]))
                && one != two
            {
                return Err(usage(format!(
                    "{one} and {two} are not there, and {} has the name of both; put the files where the design says",
                    file(set).unwrap_or_default()
                )));
            }
        }
    }
    Ok(())
}

/// Looks the files of a design file up in the folder of that file: by their paths, or, if they are not there,
/// by their names; and then in the current folder.
fn find_beside(set: &mut Set, design: &Path) {
    let Set::File(set) = set else { return };
    let mut stop_words = super::columns::stop_word_file(set).map(String::from);
    let paths = [&mut set.file].into_iter().chain(&mut set.splits).chain(&mut stop_words);
    for path in paths.filter(|path| !path.starts_with('@') && *path != "-") {
        *path = found_beside(path, design);
    }
    if let Some(path) = stop_words {
        set.text_options.insert(FileSet::STOP_WORDS.into(), path.into());
    }
}

/// Where a file that a design names is.
fn found_beside(path: &str, design: &Path) -> String {
    let folder = design.parent().unwrap_or(Path::new(""));
    let named = folder.join(path);
    let beside = Path::new(path).file_name().map(|name| folder.join(name));
    // A report may be in another folder than the one in which it was made.
    let as_written = Path::new(path).to_owned();
    let places = [named.clone()].into_iter().chain(beside).chain([as_written]);
    let found = places.into_iter().find(|place| place.exists());
    found.unwrap_or(named).to_string_lossy().into_owned()
}

fn parsed(names: &[&str]) -> Result<Vec<Variant>> {
    let parse = |name: &&str| {
        Variant::parse(name).map_err(|error| match name.split_once(':') {
            Some((names, _)) if names.contains(',') => {
                usage(format!("{error}; give a variant with options its own --variant"))
            }
            _ => usage(error.to_string()),
        })
    };
    names.iter().map(parse).collect()
}
