//! Tasks of openml.org from disk: data, label and splits, in the files that its clients download.
//!
//! A task is `tasks/ID/task.xml` with `datasplits.arff` beside it, and its data are in `datasets/ID/`, with
//! `description.xml` beside them (Vanschoren, van Rijn, Bischl and Torgo 2014, *`OpenML`: networked science
//! in machine learning*, SIGKDD Explorations 15(2)).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use nb_compare::{Provenance, Set};
use quick_xml::{Reader, events::Event};

use crate::data::{Input, ReadArgs};

/// What a task file is called, and what describes data.
const TASK: &str = "task.xml";
const DESCRIPTION: &str = "description.xml";

/// Puts the data, the label and the splits of tasks in the place of the tasks. Tasks of which the data have
/// the same name get their number into it.
pub(super) fn resolve(sets: &mut [Set]) -> Result<()> {
    let tasks = sets.iter_mut().map(resolve_one).collect::<Result<Vec<_>>>()?;
    let names: Vec<Option<String>> = sets.iter().map(|set| name(set).map(String::from)).collect();
    let is_duplicate = |name: &Option<String>| names.iter().filter(|other| *other == name).count() > 1;
    for ((set, name), task) in sets.iter_mut().zip(&names).zip(tasks) {
        if let (Set::File(set), Some(known), Some(task)) = (set, name, task)
            && is_duplicate(name)
        {
            set.name = Some(format!("{known}-task-{task}"));
        }
    }
    Ok(())
}

/// The name that a data set has of its own.
fn name(set: &Set) -> Option<&str> {
    match set {
        Set::Embedded(name) => Some(name),
        Set::File(set) => set.name.as_deref(),
    }
}

/// The same for one set, if its file is a task, or the folder of one: the number of a task that has the name
/// of its data.
fn resolve_one(set: &mut Set) -> Result<Option<String>> {
    let Set::File(set) = set else { return Ok(None) };
    let named = Path::new(&set.file);
    let task = if named.is_dir() { named.join(TASK) } else { named.to_owned() };
    if named.is_dir() && !task.is_file() {
        bail!(
            "{} is a folder without {TASK}; name a data file, or the folder of a task of openml.org",
            named.display()
        );
    }
    if task.file_name().is_none_or(|name| name != TASK) || !task.is_file() {
        return Ok(None);
    }
    let folder = task.parent().unwrap_or(Path::new("")).to_owned();
    let elements = Elements::read(&task)?;
    let missing =
        |what: &str| anyhow!("{}: it has no <{what}>, which tasks of classification have", task.display());
    if let Some(kind) = elements.get("task_type").filter(|kind| *kind != "Supervised Classification") {
        bail!("{}: it is a task of {kind}; only supervised classification can be compared", task.display());
    }
    let id = elements.get("data_set_id").ok_or_else(|| missing("data_set_id"))?;
    let target = elements.get("target_feature").ok_or_else(|| missing("target_feature"))?;
    let data = data_file(&folder, id).with_context(|| task.display().to_string())?;
    let description = data.parent().map(|folder| folder.join(DESCRIPTION)).filter(|path| path.is_file());
    let description = description.map(|path| Elements::read(&path)).transpose()?.unwrap_or_default();
    let of_folder = || Some(folder.file_name()?.to_string_lossy().into_owned());
    let number = elements.get("task_id").map(str::to_owned).or_else(of_folder).filter(|_| set.name.is_none());
    set.name = set.name.take().or_else(|| description.get("name").map(str::to_owned));
    set.label = set.label.take().or_else(|| Some(target.to_owned()));
    if set.group.is_none() && set.fold.is_none() && set.splits.is_none() {
        let splits = folder.join("datasplits.arff");
        if !splits.is_file() {
            bail!(
                "{}: its splits are not there; save the file at its <data_splits_url> as {}",
                task.display(),
                splits.display()
            );
        }
        set.splits = Some(splits.to_string_lossy().into_owned());
    }
    // Some descriptions name attributes that their data do not have any more.
    let columns = ReadArgs::default().columns(&Input::find(&data.to_string_lossy())?)?;
    for key in ["row_id_attribute", "ignore_attribute"] {
        for name in description.all(key).flat_map(|names| names.split(',')).map(str::trim) {
            if columns.iter().any(|column| column == name) && !set.ignore.iter().any(|known| known == name) {
                set.ignore.push(name.to_owned());
            }
        }
    }
    set.file = data.to_string_lossy().into_owned();
    Ok(number)
}

/// What the description beside a data file says of where the data come from, if there is one.
pub(super) fn provenance(data: &Path) -> Option<Provenance> {
    let text = std::fs::read_to_string(data.parent()?.join(DESCRIPTION)).ok()?;
    // Other programs have descriptions of this name, too.
    let description = Elements::parse(&text).ok().filter(|_| text.contains("data_set_description"))?;
    let id = description.get("id")?;
    let text = |key| description.get(key).unwrap_or_default().to_owned();
    Some(Provenance {
        source: format!("OpenML data set {id}, version {}", text("version")),
        licence: text("licence"),
        citation: text("citation"),
        sha256: Vec::new(),
    })
}

/// The file of a data set: that of the folder `datasets/ID` beside the tasks, or of the folder of the task
/// itself.
fn data_file(task: &Path, id: &str) -> Result<PathBuf> {
    let root =
        task.parent().and_then(Path::parent).map_or_else(|| task.join("..").join(".."), Path::to_owned);
    let sets = root.join("datasets").join(id);
    let is_data = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        name.starts_with("dataset") && ["arff", "pq", "parquet", "csv"].contains(&end)
    };
    for folder in [&sets, task] {
        let Ok(files) = std::fs::read_dir(folder) else { continue };
        let mut found: Vec<PathBuf> = files.flatten().map(|file| file.path()).filter(is_data).collect();
        found.sort();
        if let Some(file) = found.into_iter().next() {
            return Ok(file);
        }
    }
    bail!(
        "its data are not there: neither {} nor {} has a file dataset*.arff, dataset*.pq or dataset*.csv",
        sets.display(),
        task.display()
    )
}

/// The texts of the elements of a file without elements within, by name, in the order of the file.
#[derive(Debug, Default)]
struct Elements(Vec<(String, String)>);

impl Elements {
    fn read(path: &Path) -> Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("{} is no XML", path.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        let mut reader = Reader::from_str(text);
        let mut found = Vec::new();
        // The element that was opened last, and its text.
        let mut open: Option<(String, String)> = None;
        loop {
            match reader.read_event()? {
                Event::Start(start) => {
                    let name = start.local_name();
                    open = Some((name.as_ref().to_owned(), String::new()));
                }
                Event::Text(part) => {
                    if let Some((_, text)) = &mut open {
                        text.push_str(&part);
                    }
                }
                Event::GeneralRef(part) => {
                    if let Some((_, text)) = &mut open {
                        let name = &*part;
                        let one = part.resolve_char_ref()?.map(String::from);
                        let known = || quick_xml::escape::resolve_xml_entity(name).map(str::to_owned);
                        text.push_str(&one.or_else(known).unwrap_or_default());
                    }
                }
                Event::CData(part) => {
                    if let Some((_, text)) = &mut open {
                        text.push_str(&part);
                    }
                }
                Event::End(_) => found.extend(open.take().map(|(name, text)| (name, text.trim().to_owned()))),
                Event::Eof => return Ok(Self(found)),
                _ => {}
            }
        }
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, text)| known == name && !text.is_empty()).map(|(_, text)| text.as_str())
    }
}
