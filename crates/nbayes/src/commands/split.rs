//! `nbayes split`: files for training and testing from one file.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;

use crate::{
    data::{Input, ReadArgs},
    failure::usage,
    output::{Head, Screen, Table, counted, refuse_inputs},
    split::{By, Facts, Format, Size, TRAIN, by_groups, by_time, copy, held_out, keys, stratified},
};
use nb_train::Keys;

const EXAMPLES: &str = "\
Examples:
  nbayes split data.csv --label diagnosis
  nbayes split data.csv --label y --test 1000 --validation 0.1
  nbayes split visits.csv --label y --group patient
  nbayes split sales.parquet --time day --test 0.25";

/// How many classes are shown.
const MOST_CLASSES: usize = 20;

/// Split a file into a training set and a test set, and a validation set on request.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Split {
    /// The data file: delimited text or Parquet; `-` is standard input, `@name` an embedded data set.
    file: String,
    /// Size of the test set: a share of the rows, such as 0.2, or a number of rows.
    #[arg(long, value_name = "SIZE", default_value = "0.2")]
    test: Size,
    /// Size of a validation set, in the same way [default: none is made].
    #[arg(long, value_name = "SIZE")]
    validation: Option<Size>,
    /// The label column: each set has the same share of each class (stratified split).
    #[arg(long, short, value_name = "COLUMN")]
    label: Option<String>,
    /// The column of groups, such as patients: all rows of a group are in the same set.
    #[arg(long, value_name = "COLUMN", conflicts_with = "time")]
    group: Option<String>,
    /// The column of times, numbers or dates: the last rows are the test set.
    #[arg(long, value_name = "COLUMN")]
    time: Option<String>,
    /// Random seed. The same rows and seed give the same sets, in whatever order the rows are.
    #[arg(long, default_value_t = 0, conflicts_with = "time")]
    seed: u64,
    /// The file for training [default: NAME.train.EXTENSION in this folder, if no such file exists].
    #[arg(long, value_name = "FILE")]
    train_file: Option<PathBuf>,
    /// The file for testing [default: NAME.test.EXTENSION].
    #[arg(long, value_name = "FILE")]
    test_file: Option<PathBuf>,
    /// The file for validation [default: NAME.validation.EXTENSION].
    #[arg(long, value_name = "FILE", requires = "validation")]
    validation_file: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Serialize)]
struct SplitUp {
    rows: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    name: &'static str,
    file: PathBuf,
    rows: usize,
    /// How many rows of each class.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    classes: Vec<ClassRows>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<usize>,
    /// The times of the first and the last row.
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<(String, String)>,
}

#[derive(Serialize)]
struct ClassRows {
    label: String,
    rows: usize,
}

impl Split {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let input = Input::find(&self.file)?;
        let named = self.label.as_ref().map(|label| self.read.label_named(label, &input)).transpose()?;
        let label = named.or_else(|| input.label().map(String::from));
        let read = self.read.with_header_of(Some(&input), label.as_deref(), screen)?;
        let format = Format::of(&input, &read)?;
        let files = self.files(&input, format)?;
        let by = By { label: label.as_deref(), group: self.group.as_deref(), time: self.time.as_deref() };
        let facts = Facts::of(&input, &read, by, screen)?;
        if facts.n_rows == 0 {
            bail!("{} has no rows", input.name());
        }
        let sizes: Vec<Size> = [self.test].into_iter().chain(self.validation).collect();
        let sizes = held_out(&sizes, facts.n_rows)?;
        let keys = if by.time.is_none() && by.group.is_none() {
            keys(&input, &read, format, self.seed, facts.n_rows, screen)?
        } else {
            Vec::new()
        };
        let parts = self.deal(&facts, by, &sizes, &keys)?;
        copy(&input, &read, format, &parts, &files)?;
        let result = self.result(&facts, by, &parts, files);
        screen.report(&result, || text(&result))
    }

    /// The part of each row.
    fn deal(&self, facts: &Facts, by: By<'_>, sizes: &[usize], keys: &[u64]) -> Result<Vec<u8>> {
        let (classes, n_classes) = (&facts.classes, facts.class_names.len());
        if let Some(time) = by.time {
            return by_time(&facts.times, sizes).ok_or_else(|| {
                usage(format!(
                    "column {time:?} has too few different times to hold rows out by time, as rows of the same time stay together"
                ))
            });
        }
        if let Some(group) = by.group {
            let (names, keys) = (&facts.group_names, Keys::new(self.seed));
            let parts = by_groups(&keys, names, &facts.groups, classes, sizes);
            return parts.ok_or_else(|| {
                usage(format!(
                    "column {group:?} has {} in {}, which cannot fill all sets, as groups stay whole; choose a column of smaller \
                     groups, or other sizes",
                    counted(names.len(), "group", "groups"),
                    counted(facts.n_rows, "row", "rows"),
                ))
            });
        }
        stratified(keys, classes, n_classes, sizes).ok_or_else(|| {
            usage(format!(
                "column {:?} has {n_classes} different values in {}, of which each must keep a row for training; leave out --label, \
                 or hold out fewer rows",
                by.label.unwrap_or_default(),
                counted(facts.n_rows, "row", "rows"),
            ))
        })
    }

    /// The files to be written. What keeps them from being written is said before all rows are read in vain.
    fn files(&self, input: &Input, format: Format) -> Result<Vec<PathBuf>> {
        let mut named = vec![("train", &self.train_file), ("test", &self.test_file)];
        if self.validation.is_some() {
            named.push(("validation", &self.validation_file));
        }
        let mut files: Vec<PathBuf> = Vec::new();
        for (name, file) in named {
            let file = match file {
                Some(file) => file.clone(),
                None => default_file(input, name, format)?,
            };
            if let Some(folder) =
                file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())
            {
                bail!("cannot write {}: there is no folder {}", file.display(), folder.display());
            }
            refuse_inputs(Some(&file), [Path::new(&self.file)])?;
            if files.contains(&file) {
                return Err(usage(format!(
                    "{} is the name of two of the files; name them differently",
                    file.display()
                )));
            }
            files.push(file);
        }
        Ok(files)
    }

    fn result(&self, facts: &Facts, by: By<'_>, parts: &[u8], files: Vec<PathBuf>) -> SplitUp {
        let part = |(part, (name, file)): (u8, (&'static str, PathBuf))| {
            let rows: Vec<usize> = (0..parts.len()).filter(|&row| parts[row] == part).collect();
            let mut classes = vec![0; facts.class_names.len()];
            for &row in &rows {
                classes[facts.classes[row]] += 1;
            }
            let classes = facts.class_names.iter().zip(classes).filter(|_| by.label.is_some());
            let groups = by.group.map(|_| {
                rows.iter().map(|&row| facts.groups[row]).collect::<std::collections::BTreeSet<_>>().len()
            });
            let time = |row: Option<&usize>| row.map(|&row| facts.time_texts[row].clone());
            let order = |a: &&usize, b: &&usize| facts.times[**a].total_cmp(&facts.times[**b]);
            let times =
                by.time.and_then(|_| time(rows.iter().min_by(order)).zip(time(rows.iter().max_by(order))));
            let classes = classes.map(|(label, rows)| ClassRows { label: label.clone(), rows }).collect();
            Part { name, file, rows: rows.len(), classes, groups, times }
        };
        let names = ["train", "test", "validation"].into_iter().zip(files);
        SplitUp {
            rows: parts.len(),
            seed: by.time.is_none().then_some(self.seed),
            label: by.label.map(String::from),
            group: by.group.map(String::from),
            time: by.time.map(String::from),
            parts: (TRAIN..).zip(names).map(part).collect(),
        }
    }
}

/// The name of a file where none is given: that of the input, in the folder where the program runs.
fn default_file(input: &Input, part: &str, format: Format) -> Result<PathBuf> {
    let name = match input.name().strip_prefix('@') {
        Some(dataset) => Some(format!("{dataset}.csv")),
        None if input.is_pipe() => None,
        None => Path::new(input.name()).file_name().and_then(|name| name.to_str()).map(String::from),
    };
    let Some(name) = name else {
        return Err(usage("name the files to write: --train-file FILE and --test-file FILE"));
    };
    let lower = name.to_ascii_lowercase();
    let compressed = [".gz", ".zst", ".bz2", ".xz"].into_iter().find(|end| lower.ends_with(end));
    let name = &name[..name.len() - compressed.map_or(0, str::len)];
    let otherwise = if format == Format::Parquet { "parquet" } else { "csv" };
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension),
        _ => (name, otherwise),
    };
    let file = PathBuf::from(format!("{stem}.{part}.{extension}"));
    if file.exists() {
        return Err(usage(format!("{} exists; to replace it, use --{part}-file {0}", file.display())));
    }
    Ok(file)
}

fn text(result: &SplitUp) -> String {
    let mut out = String::new();
    if let Some(label) = &result.label {
        let heads = result.parts.iter().map(|part| Head::Right(part.name));
        let mut table = Table::with_heads([Head::Left(label)].into_iter().chain(heads));
        let n_classes = result.parts.first().map_or(0, |part| part.classes.len());
        for class in 0..n_classes.min(MOST_CLASSES) {
            let rows = result.parts.iter().map(|part| part.classes[class].rows.to_string());
            let label = result.parts.first().map_or("", |part| &part.classes[class].label);
            table.row([label.to_owned()].into_iter().chain(rows));
        }
        out.push_str(&table.to_string());
        if n_classes > MOST_CLASSES {
            out.push_str(&format!("... and {} more classes (`--json` has all)\n", n_classes - MOST_CLASSES));
        }
        out.push('\n');
    }
    let how = match (&result.time, &result.group, &result.label) {
        (Some(time), ..) => format!("by time: the last rows by {time:?} are held out"),
        (_, Some(group), Some(label)) => {
            format!("by whole groups of {group:?}, in shares of {label:?} as equal as they allow")
        }
        (_, Some(group), None) => format!("by whole groups of {group:?}"),
        (.., Some(label)) => format!("stratified by {label:?}"),
        _ => "at random (`--label COLUMN` keeps the shares of classes)".into(),
    };
    let seed = result.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    out.push_str(&format!("{}, {how}{seed}\n", counted(result.rows, "row", "rows")));
    for part in &result.parts {
        let groups =
            part.groups.map(|n| format!(" of {}", counted(n, "group", "groups"))).unwrap_or_default();
        let times =
            part.times.as_ref().map(|(first, last)| format!(", from {first} to {last}")).unwrap_or_default();
        let rows = counted(part.rows, "row", "rows");
        out.push_str(&format!("wrote {} ({rows}{groups}{times})\n", part.file.display()));
    }
    out
}
