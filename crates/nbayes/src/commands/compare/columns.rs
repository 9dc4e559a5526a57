//! What is said of the columns and rows of files.

use anyhow::{Context, Result};
use nb_compare::{FileSet, Set};
use nb_datasets::Group;

use crate::{
    design::{Choice, Choices, TextArgs, is_built_in},
    failure::usage,
};

/// What columns of files hold, where their cells do not show it, and how their rows are split; names are
/// separated by commas.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Columns of files")]
pub(super) struct ColumnArgs {
    /// Categorical columns, even if they look numeric.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    categorical: Vec<String>,
    /// Numeric columns, even if they have few distinct integers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    numeric: Vec<String>,
    /// Columns of counts.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    count: Vec<String>,
    /// Columns of free text.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    text: Vec<String>,
    /// Columns to ignore, such as identifiers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    ignore: Vec<String>,
    /// A column of groups, such as patients: all rows of a group are trained on, or all are tested.
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["fold_column", "split_file"])]
    group: Option<String>,
    /// A column that says in which fold a row is tested, in place of random folds.
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["split_file", "folds", "repeats", "held_out", "leave_one_out"])]
    fold_column: Option<String>,
    /// A file of splits, in place of random ones: columns row (or rowid, counted from 0), fold, and, if
    /// there are any, repeat and type (TRAIN or TEST), as the split files of openml.org and the files of
    /// --predictions have.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folds", "repeats", "held_out", "leave_one_out"])]
    split_file: Option<String>,
}

impl ColumnArgs {
    /// The first option that is used; where there are files, of those that are about the splits of all data
    /// sets.
    pub(super) fn used(&self, has_files: bool) -> Option<&'static str> {
        let of_columns = [
            (!self.categorical.is_empty(), "--categorical"),
            (!self.numeric.is_empty(), "--numeric"),
            (!self.count.is_empty(), "--count"),
            (!self.text.is_empty(), "--text"),
            (!self.ignore.is_empty(), "--ignore"),
        ];
        let of_splits = [
            (self.group.is_some(), "--group"),
            (self.fold_column.is_some(), "--fold-column"),
            (self.split_file.is_some(), "--split-file"),
        ];
        let of_columns = of_columns.into_iter().filter(|_| !has_files);
        of_splits.into_iter().chain(of_columns).find_map(|(is_used, name)| is_used.then_some(name))
    }

    /// Says it of the files of a design; of a kind of columns that an option names, the option is what
    /// counts.
    pub(super) fn add_to(&self, sets: &mut [Set], text: &TextArgs) -> Result<()> {
        if text.used().is_some() {
            sets.iter_mut().for_each(read_texts);
        }
        let has_files = sets.iter().any(|set| matches!(set, Set::File(set) if !is_embedded(set)));
        let takes_texts = sets.iter().any(|set| matches!(set, Set::File(_)));
        let embedded = sets.iter().find_map(|set| match set {
            Set::Embedded(name) => Some(name.as_str()),
            Set::File(set) => set.file.strip_prefix('@'),
        });
        // The columns of embedded data sets are known, and their rows are dealt one by one.
        let used = self.used(has_files).or_else(|| text.used().filter(|_| !takes_texts));
        if let (Some(option), Some(name)) = (used, embedded) {
            return Err(usage(format!(
                "{option} is for files, and @{name} is none; compare on it without the option"
            )));
        }
        let files = sets.iter_mut().filter_map(|set| match set {
            Set::File(set) => Some(set),
            Set::Embedded(_) => None,
        });
        let mut n_files = 0;
        for set in files {
            set.text_options = over_design(set, text)?;
            if is_embedded(set) {
                continue;
            }
            n_files += 1;
            let lists = [
                (&self.categorical, &mut set.categorical),
                (&self.numeric, &mut set.numeric),
                (&self.count, &mut set.count),
                (&self.text, &mut set.text),
            ];
            for (option, list) in lists {
                if !option.is_empty() {
                    list.clone_from(option);
                }
            }
            // To what the description of a task leaves out.
            let more = self.ignore.iter().filter(|name| !set.ignore.contains(name));
            set.ignore.extend(more.cloned().collect::<Vec<_>>());
            if self.group.is_some() || self.fold_column.is_some() || self.split_file.is_some() {
                set.group.clone_from(&self.group);
                set.fold.clone_from(&self.fold_column);
                set.splits.clone_from(&self.split_file);
            }
        }
        match &self.split_file {
            Some(file) if n_files > 1 => Err(usage(format!(
                "--split-file {file} is for the rows of one file, and there are {n_files}; a design names one for each \
                 (splits = \"FILE\")"
            ))),
            _ => Ok(()),
        }
    }
}

/// The options of texts, over those that the design has for a file.
fn over_design(set: &FileSet, text: &TextArgs) -> Result<toml::Table> {
    let of_design = TextArgs::from_table(&set.text_options).with_context(|| set.file.clone())?;
    if of_design.has_text_model() {
        return Err(usage(format!(
            "{}: text_options: text_model is for one model; here each variant has its own, such as `complement`",
            set.file
        )));
    }
    text.over(of_design).to_table()
}

/// Whether what is read as a file is an embedded data set.
fn is_embedded(set: &FileSet) -> bool {
    set.file.starts_with('@')
}

/// An embedded data set of texts as a file, whose texts are read again.
fn read_texts(set: &mut Set) {
    let Set::Embedded(name) = set else { return };
    if let Some(info) = nb_datasets::info(name).ok().filter(|info| info.group == Group::Text) {
        let mut file = FileSet::new(format!("@{name}"));
        file.name = Some(name.clone());
        file.label = Some(info.target.clone());
        *set = Set::File(file);
    }
}

/// The file of stop words of a data set, if there is one.
pub(super) fn stop_word_file(set: &FileSet) -> Option<&str> {
    set.text_options.get(FileSet::STOP_WORDS)?.as_str().filter(|words| !is_built_in(words))
}

/// What the design says of the columns of a file.
pub(super) fn choices(set: &FileSet) -> Choices {
    let kinds = [
        (&set.categorical, Choice::CATEGORICAL),
        (&set.numeric, Choice::GAUSSIAN),
        (&set.count, Choice::POISSON),
        (&set.text, Choice::Text),
        (&set.ignore, Choice::Ignore),
    ];
    let named =
        kinds.into_iter().flat_map(|(columns, kind)| columns.iter().map(move |name| (name.clone(), kind)));
    let dealt = set.group.iter().chain(&set.fold).map(|name| (name.clone(), Choice::Ignore));
    named.chain(dealt).fold(Choices::default(), |all, (column, choice)| all.with(&column, choice))
}
