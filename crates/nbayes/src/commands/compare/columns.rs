//! What is said of the columns and rows of files.

use anyhow::Result;
use nb_compare::{FileSet, Set};

use crate::{
    design::{Choice, Choices},
    failure::usage,
};

/// What columns of files hold, where their cells do not say so, and how their rows are split; names are separated by commas.
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
    /// The column of free text.
    #[arg(long, value_name = "COLUMN")]
    text: Vec<String>,
    /// Columns to ignore, such as identifiers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    ignore: Vec<String>,
    /// A column of groups, such as patients: all rows of a group are trained on, or all are tested.
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["fold_column", "split_file"])]
    group: Option<String>,
    /// A column that says in which fold a row is tested, in place of random folds.
    #[arg(long, value_name = "COLUMN", conflicts_with = "split_file")]
    fold_column: Option<String>,
    /// A file of splits, in place of random ones: columns row (or rowid, counted from 0), fold, and, if there are any, repeat
    /// and type (TRAIN or TEST), as the split files of openml.org and the files of --predictions have.
    #[arg(long, value_name = "FILE")]
    split_file: Option<String>,
}

impl ColumnArgs {
    /// Says it of the files of a design; of a kind of columns that an option names, the option is what counts.
    pub(super) fn add_to(&self, sets: &mut [Set]) -> Result<()> {
        let files = sets.iter_mut().filter_map(|set| match set {
            Set::File(set) => Some(set),
            Set::Embedded(_) => None,
        });
        let mut n_files = 0;
        for set in files {
            n_files += 1;
            let lists = [
                (&self.categorical, &mut set.categorical),
                (&self.numeric, &mut set.numeric),
                (&self.count, &mut set.count),
                (&self.text, &mut set.text),
                (&self.ignore, &mut set.ignore),
            ];
            for (option, list) in lists {
                if !option.is_empty() {
                    list.clone_from(option);
                }
            }
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
    Choices::new(named.chain(dealt).collect())
}
