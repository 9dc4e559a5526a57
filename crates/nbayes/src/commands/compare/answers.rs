//! Files with answers of other programs.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};
use nb_compare::{Answer, AnswerFile, Answers, Condition, Design, Outcome, Splits, Table, Unit, Variant};

use super::{cells::Cells, splits::whole_number};
use crate::{
    data::stem,
    failure::usage,
    output::{Screen, quoted_list},
};

/// The variants of the files of an option: one for each name in the column `variant`, or one with the name of
/// the file.
pub(super) fn variants(paths: &[PathBuf], screen: Screen) -> Result<Vec<Variant>> {
    let mut variants = Vec::new();
    for path in paths {
        let path = path.to_string_lossy();
        let file = Cells::open(&path)?;
        let columns = Columns::find(&file.columns).with_context(|| path.to_string())?;
        let mut names = Vec::new();
        if let Some(place) = columns.variant {
            file.each(&columns.names[place..=place], screen, |_, cells| {
                if !names.iter().any(|name| name == cells[0]) {
                    names.push(cells[0].to_owned());
                }
                Ok(())
            })?;
        } else {
            let name = Path::new(&*path).file_name().unwrap_or_default().to_string_lossy().into_owned();
            names.push(stem(&name).unwrap_or(&name).to_owned());
        }
        let of_file = names.into_iter().map(|name| Variant::of_answers(name, AnswerFile::new(&*path)));
        variants.extend(of_file);
    }
    Ok(variants)
}

/// Notes the checksums of the files of a design, and names the files of which the design has another one.
pub(super) fn checksums(design: &mut Design) -> Result<Vec<String>> {
    let mut changed = BTreeSet::new();
    for answers in design.variants.iter_mut().filter_map(Variant::answers_mut) {
        let bytes = std::fs::read(&answers.file).with_context(|| format!("cannot read {}", answers.file))?;
        let sha256 = nb_datasets::sha256_hex(&bytes);
        if !answers.sha256.is_empty() && answers.sha256 != sha256 {
            changed.insert(answers.file.clone());
        }
        answers.sha256 = sha256;
    }
    Ok(changed.into_iter().collect())
}

/// What the answers of files are worth: units of all variants of a design that are answers.
pub(super) fn units(design: &Design, tables: &[Table], screen: Screen) -> Result<Vec<Unit>> {
    let mut of_files: BTreeMap<&str, Vec<(&str, &AnswerFile)>> = BTreeMap::new();
    for variant in &design.variants {
        if let Some(answers) = variant.answers() {
            of_files.entry(&answers.file).or_default().push((&variant.name, answers));
        }
    }
    let mut units = Vec::new();
    for (path, variants) in of_files {
        units.extend(of_file(path, &variants, design, tables, screen)?);
    }
    Ok(units)
}

/// Those of one file, for variants by their names in the design.
fn of_file(
    path: &str,
    variants: &[(&str, &AnswerFile)],
    design: &Design,
    tables: &[Table],
    screen: Screen,
) -> Result<Vec<Unit>> {
    let file = Cells::open(path)?;
    let columns = Columns::find(&file.columns).with_context(|| path.to_owned())?;
    columns.check(tables, design).with_context(|| path.to_owned())?;
    let in_file =
        |&(name, answers): &(&str, &AnswerFile)| answers.variant.clone().unwrap_or_else(|| name.to_owned());
    let names: Vec<String> = variants.iter().map(in_file).collect();
    // By the name in the file and the table.
    let mut found: BTreeMap<(usize, usize), (Answers<'_>, Scale)> = BTreeMap::new();
    let mut others = BTreeSet::new();
    file.each(&columns.names, screen, |number, cells| {
        let place = || format!("{path}, row {number}");
        // Without a column of variants, all answers are those of one.
        let name =
            columns.variant.map_or(Some(0), |column| names.iter().position(|name| name == cells[column]));
        let Some(name) = name else {
            others.extend(columns.variant.map(|column| cells[column].to_owned()));
            return Ok(());
        };
        let set = columns.set_of(cells, tables).with_context(place)?;
        let (answers, scale) = match found.entry((name, set)) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let scale = columns.scale(&tables[set]).with_context(|| path.to_owned())?;
                entry.insert((Answers::new(design, &tables[set])?, scale))
            }
        };
        let answer = columns.answer(cells, scale.as_ref(), &tables[set]).with_context(place)?;
        answers.add(&answer.borrowed()).with_context(place)
    })?;
    let mut units = Vec::new();
    for (place, (variant, _)) in variants.iter().enumerate() {
        if !found.keys().any(|(name, _)| *name == place) {
            let others: Vec<String> = others.into_iter().collect();
            bail!("{path} has no answers of {:?}; it has those of {}", names[place], quoted_list(&others));
        }
        for (set, table) in tables.iter().enumerate() {
            units.extend(match found.remove(&(place, set)) {
                Some((answers, _)) => answers
                    .units(variant, design.predictions)
                    .with_context(|| format!("{path}, {variant} on {}", table.name))?,
                None => no_answers(path, variant, design, table),
            });
        }
    }
    Ok(units)
}

/// Units of a data set for which a file has no answers of a variant.
fn no_answers(path: &str, variant: &str, design: &Design, table: &Table) -> Vec<Unit> {
    let reason = format!("{path} has no answers for {}", table.name);
    let unit = |repeat| Unit {
        set: table.name.clone(),
        variant: variant.to_owned(),
        repeat,
        condition: Condition::Plain,
        outcome: Outcome::NotApplicable { reason: reason.clone() },
    };
    (0..Splits::new(design.plan, table).repeats).map(unit).collect()
}

/// The columns of a file of answers, places among the names of those that are read.
struct Columns {
    names: Vec<String>,
    row: usize,
    fold: usize,
    repeat: Option<usize>,
    set: Option<usize>,
    variant: Option<usize>,
    label: Option<usize>,
    predicted: Option<usize>,
}

/// The column of each class of a table, and whether it has logarithms; none if there are labels alone.
type Scale = Option<(Vec<usize>, bool)>;

/// An answer with its own values.
#[derive(Default)]
struct Read {
    repeat: usize,
    fold: usize,
    row: usize,
    label: Option<String>,
    predicted: Option<String>,
    log_posteriors: Option<Vec<f64>>,
}

impl Read {
    fn borrowed(&self) -> Answer<'_> {
        Answer {
            repeat: self.repeat,
            fold: self.fold,
            row: self.row,
            label: self.label.as_deref(),
            predicted: self.predicted.as_deref(),
            log_posteriors: self.log_posteriors.as_deref(),
        }
    }
}

impl Columns {
    fn find(all: &[String]) -> Result<Self> {
        let place = |name: &str| all.iter().position(|known| known == name);
        let (Some(row), Some(fold)) = (place("row"), place("fold")) else {
            bail!(
                "a file of answers has columns `row` and `fold`, `predicted` or `p(CLASS)` or `log_p(CLASS)` for each class, and, where \
                 there are several, `set`, `variant` and `repeat`; this one has {}",
                quoted_list(all)
            );
        };
        Ok(Self {
            names: all.to_vec(),
            row,
            fold,
            repeat: place("repeat"),
            set: place("set"),
            variant: place("variant"),
            label: place("label"),
            predicted: place("predicted"),
        })
    }

    /// Refuses files without a column that several data sets or repeats need.
    fn check(&self, tables: &[Table], design: &Design) -> Result<()> {
        if self.set.is_none() && tables.len() > 1 {
            bail!("it has no column `set`, and there are {} data sets", tables.len());
        }
        let repeats = tables.iter().map(|table| Splits::new(design.plan, table).repeats).max();
        if let Some(repeats) = repeats.filter(|&repeats| self.repeat.is_none() && repeats > 1) {
            bail!("it has no column `repeat`, and there are {repeats} repeats");
        }
        Ok(())
    }

    /// The data set of an answer, a position among the tables.
    fn set_of(&self, cells: &[&str], tables: &[Table]) -> Result<usize> {
        let Some(column) = self.set else { return Ok(0) };
        let set = tables.iter().position(|table| table.name == cells[column]);
        set.ok_or_else(|| {
            let known: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
            anyhow!("there is no data set {:?} here; there are {}", cells[column], quoted_list(&known))
        })
    }

    /// Where the probabilities of the classes of a table are.
    fn scale(&self, table: &Table) -> Result<Scale> {
        let places = |prefix: &str| -> Vec<Option<usize>> {
            let column = |class: &String| format!("{prefix}({class})");
            let place = |class| self.names.iter().position(|name| *name == column(class));
            table.classes.iter().map(place).collect()
        };
        for (prefix, is_log) in [("p", false), ("log_p", true)] {
            let places = places(prefix);
            if places.iter().all(Option::is_none) {
                continue;
            }
            if let Some(class) = places.iter().position(Option::is_none) {
                bail!("it has no column `{prefix}({})`, and columns of other classes", table.classes[class]);
            }
            return Ok(Some((places.into_iter().flatten().collect(), is_log)));
        }
        match self.predicted {
            Some(_) => Ok(None),
            None => Err(usage(format!(
                "it has neither a column `predicted` nor columns `p({})` or `log_p({})` and so on",
                table.classes[0], table.classes[0]
            ))),
        }
    }

    fn answer(&self, cells: &[&str], scale: Option<&(Vec<usize>, bool)>, table: &Table) -> Result<Read> {
        let whole = |place: usize| {
            whole_number(cells[place]).with_context(|| format!("column {:?}", self.names[place]))
        };
        let text = |place: Option<usize>| {
            place.map(|place| cells[place]).filter(|text| !text.is_empty()).map(String::from)
        };
        // Of several variants some may have labels alone.
        let has_cells = |places: &[usize]| places.iter().any(|&place| !cells[place].is_empty());
        let log_posteriors = match scale {
            Some((places, is_log)) if has_cells(places) => {
                let of_class = |(&place, class): (&usize, &String)| {
                    let value = cells[place].parse::<f64>().ok().filter(|value| !value.is_nan());
                    let value = value.ok_or_else(|| {
                        anyhow!("column {:?}: {:?} is no number", self.names[place], cells[place])
                    })?;
                    if *is_log {
                        return Ok(value);
                    }
                    if value < 0.0 {
                        bail!("the probability of class {class:?} is {value}, and must be from 0 to 1");
                    }
                    Ok(libm::log(value))
                };
                Some(places.iter().zip(&table.classes).map(of_class).collect::<Result<Vec<f64>>>()?)
            }
            _ => None,
        };
        Ok(Read {
            repeat: self.repeat.map_or(Ok(0), whole)?,
            fold: whole(self.fold)?,
            row: whole(self.row)?,
            label: text(self.label),
            predicted: text(self.predicted),
            log_posteriors,
        })
    }
}
