//! The data sets: which, how many rows of them, and how they are split.

use nb_compare::{Column, Features, Plan, Table};
use nb_datasets::catalogue;
use ndarray::{Array2, Axis};

use super::packages::Packages;

/// Smaller sets are examples for books.
const LEAST_ROWS: usize = 100;

/// Of larger sets some rows are drawn, as boosting is slow.
pub(super) const MOST_ROWS: usize = 4000;

/// The number of folds.
pub(super) const FOLDS: usize = 5;

/// The numbers of training rows of learning curves.
pub(super) const SIZES: [usize; 4] = [250, 1000, 4000, 16_000];

/// The number of test rows of learning curves.
pub(super) const TEST_ROWS: usize = 4000;

/// What rows and folds are drawn with.
const SEED: u64 = 0;

/// Why a data set is compared on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Nothing was chosen by it.
    Unseen,
    /// It was looked at while defaults were chosen.
    Seen,
    /// Its rows are texts.
    Texts,
    /// It is large enough for a learning curve.
    Curve,
}

/// A data set that can be loaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub(super) name: &'static str,
    pub(super) group: Group,
    /// Whether it is in nb-datasets, and not in a package for Python.
    is_embedded: bool,
}

/// The sets of packages that nothing was chosen by.
const UNSEEN: [&str; 28] = [
    "abalone",
    "attrition",
    "car",
    "caravan",
    "cells",
    "chile",
    "contraceptive",
    "credit",
    "dermatology",
    "flare",
    "german",
    "hmda",
    "hpc",
    "lending_club",
    "mammographic",
    "mlc_churn",
    "nass_cds",
    "nursery",
    "page_blocks",
    "pc1",
    "satimage",
    "segment",
    "splice",
    "stackoverflow",
    "vehicle",
    "vowel",
    "wa_churn",
    "yeast",
];

/// The sets of texts, and whether they are embedded.
const TEXTS: [(&str, bool); 2] = [("sms", true), ("tweets", false)];

/// The sets of learning curves, and whether they are embedded.
const CURVES: [(&str, bool); 4] = [("adult", true), ("letter", true), ("diamonds", false), ("fars", false)];

/// All data sets of the comparison.
pub(super) fn listed() -> Vec<Listed> {
    let list = |names: &[(&'static str, bool)], group| {
        let listed = |&(name, is_embedded): &(&'static str, bool)| Listed { name, group, is_embedded };
        names.iter().map(listed).collect::<Vec<_>>()
    };
    let is_wanted =
        |set: &&nb_datasets::Info| set.group == nb_datasets::Group::Classic && set.rows >= LEAST_ROWS;
    let seen: Vec<_> = catalogue().iter().filter(is_wanted).map(|set| (set.name.as_str(), true)).collect();
    let unseen = UNSEEN.map(|name| (name, false));
    let mut all = list(&unseen, Group::Unseen);
    all.extend(list(&seen, Group::Seen));
    all.extend(list(&TEXTS, Group::Texts));
    all.extend(list(&CURVES, Group::Curve));
    all
}

/// What is done with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is tested in this fold, and trained in all others.
    Tested(usize),
    /// It is trained and never tested.
    Trained,
    /// It is neither.
    Unused,
}

impl Use {
    /// As files have it.
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Tested(fold) => i64::try_from(fold).unwrap_or(i64::MAX),
            Self::Trained => -1,
            Self::Unused => -2,
        }
    }
}

/// What is done with each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Splits {
    pub(super) of_row: Vec<Use>,
    pub(super) n_folds: usize,
}

impl Splits {
    /// The rows of a fold, ascending.
    pub(super) fn test(&self, fold: usize) -> Vec<usize> {
        self.rows(|of_row| of_row == Use::Tested(fold))
    }

    /// The rows that are trained before a fold is tested, ascending.
    pub(super) fn train(&self, fold: usize) -> Vec<usize> {
        self.rows(|of_row| of_row != Use::Tested(fold) && of_row != Use::Unused)
    }

    /// All rows that are tested, ascending.
    pub(super) fn tested(&self) -> Vec<usize> {
        self.rows(|of_row| matches!(of_row, Use::Tested(_)))
    }

    fn rows(&self, keep: impl Fn(Use) -> bool) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| keep(self.of_row[row])).collect()
    }
}

/// A data set with its splits.
#[derive(Debug)]
pub(super) struct Data {
    /// The rows; those of texts have no columns.
    pub(super) table: Table,
    /// The text of each row, if it has one.
    pub(super) texts: Option<Vec<String>>,
    /// Why it is there.
    pub(super) group: Group,
    /// How it is split each time; of a learning curve, for each size that there are rows for.
    pub(super) repeats: Vec<Splits>,
}

impl Data {
    /// Loads a data set, and draws rows and folds, both by classes.
    pub(super) fn load(listed: Listed, packages: &Packages, repeats: usize) -> Result<Self, String> {
        let Listed { name, group, is_embedded } = listed;
        let (table, texts) = match (is_embedded, group) {
            (false, _) => packages.load(name)?,
            (true, Group::Texts) => sms()?,
            (true, _) => (Table::embedded(name).map_err(|error| error.to_string())?, None),
        };
        let (most, n_repeats) = match group {
            Group::Curve => (SIZES[SIZES.len() - 1] + TEST_ROWS, SIZES.len()),
            _ => (MOST_ROWS, repeats),
        };
        let (table, texts) = if table.n_rows() > most { drawn(&table, texts, most)? } else { (table, texts) };
        let splits = (0..n_repeats).map(|repeat| {
            if group == Group::Curve { grown(&table, SIZES[repeat]) } else { crossed(&table, FOLDS, repeat) }
        });
        let repeats = splits.collect::<Result<_, String>>()?;
        Ok(Self { table, texts, group, repeats })
    }

    /// What files are called: the same set is there twice if it has a learning curve.
    pub(super) fn key(&self) -> String {
        let end = if self.group == Group::Curve { "-curve" } else { "" };
        format!("{}{end}", self.table.name)
    }

    /// The columns and their cells.
    pub(super) fn columns(&self) -> Result<(&[Column], &Array2<f64>), String> {
        columns(&self.table)
    }
}

/// The columns of a table and their cells.
pub(super) fn columns(table: &Table) -> Result<(&[Column], &Array2<f64>), String> {
    match &table.features {
        Features::Columns { columns, .. } if columns.iter().any(|column| column.kind.is_text()) => {
            Err(format!("{} has columns of texts", table.name))
        }
        Features::Columns { columns, x } => Ok((columns, x)),
        Features::Documents(_) => Err(format!("{} has no columns", table.name)),
    }
}

/// Folds of all rows.
fn crossed(table: &Table, folds: usize, repeat: usize) -> Result<Splits, String> {
    let plan = Plan::CrossValidation { folds, repeats: repeat + 1 };
    let folds = plan.folds(table, SEED, repeat).map_err(|error| error.to_string())?;
    let of_row = folds.of_row.iter().map(|fold| fold.map_or(Use::Trained, Use::Tested));
    Ok(Splits { of_row: of_row.collect(), n_folds: folds.n_folds })
}

/// The same test rows for each size, and training rows that contain those of the smaller sizes, all of them
/// drawn by classes: the rows are in folds of the least size, of which the first ones are tested and those
/// after them trained.
fn grown(table: &Table, size: usize) -> Result<Splits, String> {
    let (n_tested, n_trained) = (TEST_ROWS / SIZES[0], size / SIZES[0]);
    let mut splits = crossed(table, table.n_rows() / SIZES[0], 0)?;
    for of_row in &mut splits.of_row {
        *of_row = match *of_row {
            Use::Tested(fold) if fold < n_tested => Use::Tested(0),
            Use::Tested(fold) if fold < n_tested + n_trained => Use::Trained,
            _ => Use::Unused,
        };
    }
    splits.n_folds = 1;
    Ok(splits)
}

/// The messages of the embedded corpus.
fn sms() -> Result<(Table, Option<Vec<String>>), String> {
    let sms = nb_datasets::load_text().map_err(|error| error.to_string())?;
    let x = Array2::zeros((sms.texts.len(), 0));
    let table = Table::new("sms", Vec::new(), x, sms.classes, sms.labels);
    Ok((table.map_err(|error| error.to_string())?, Some(sms.texts)))
}

/// As many rows as are wanted at most.
fn drawn(
    table: &Table,
    texts: Option<Vec<String>>,
    most: usize,
) -> Result<(Table, Option<Vec<String>>), String> {
    let plan = Plan::HeldOut { test: most as f64 / table.n_rows() as f64, repeats: 1 };
    let rows = plan.folds(table, SEED, 0).map_err(|error| error.to_string())?.test(0);
    let (columns, x) = columns(table)?;
    let drawn = Table::new(
        &table.name,
        columns.to_vec(),
        x.select(Axis(0), &rows),
        table.classes.clone(),
        rows.iter().map(|&row| table.labels[row]).collect(),
    );
    let texts = texts.map(|texts| rows.iter().map(|&row| texts[row].clone()).collect());
    Ok((drawn.map_err(|error| error.to_string())?, texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(name: &str, group: Group) -> Data {
        let listed = Listed { name: listed_name(name), group, is_embedded: true };
        Data::load(listed, &Packages::none(), 2).expect(name)
    }

    fn listed_name(name: &str) -> &'static str {
        listed().iter().find(|set| set.name == name).expect(name).name
    }

    #[test]
    fn large_sets_are_drawn_by_classes_and_small_ones_are_whole() {
        assert_eq!(load("wine", Group::Seen).table.n_rows(), 178);
        let adult = load("adult", Group::Seen);
        assert_eq!(adult.table.n_rows(), MOST_ROWS);
        // 24.081 % of all rows.
        assert_eq!(adult.table.class_sizes(), [963, 3037]);
        for splits in &adult.repeats {
            for fold in 0..FOLDS {
                let rows = splits.test(fold);
                assert_eq!(
                    (rows.len(), splits.train(fold).len()),
                    (MOST_ROWS / FOLDS, MOST_ROWS - rows.len())
                );
                assert!(
                    (192..=193).contains(&rows.iter().filter(|&&row| adult.table.labels[row] == 0).count())
                );
            }
        }
        assert_ne!(adult.repeats[0], adult.repeats[1]);
    }

    #[test]
    fn learning_curves_grow_and_have_the_same_test_rows() {
        let letter = load("letter", Group::Curve);
        let trained: Vec<Vec<usize>> = letter.repeats.iter().map(|splits| splits.train(0)).collect();
        assert_eq!(trained.iter().map(Vec::len).collect::<Vec<_>>(), SIZES);
        for (smaller, larger) in trained.iter().zip(&trained[1..]) {
            assert!(smaller.iter().all(|row| larger.binary_search(row).is_ok()));
        }
        let tested = letter.repeats[0].tested();
        assert_eq!(tested.len(), TEST_ROWS);
        assert!(letter.repeats.iter().all(|splits| splits.test(0) == tested));
        assert!(tested.iter().all(|row| trained[3].binary_search(row).is_err()));
    }

    #[test]
    fn texts_are_drawn_with_their_rows() {
        let sms = load("sms", Group::Texts);
        let texts = sms.texts.expect("texts");
        assert_eq!(texts.len(), sms.table.n_rows());
        let spam = sms.table.classes.iter().position(|class| class == "spam").expect("a class");
        let prizes = (0..texts.len()).filter(|&row| texts[row].contains("claim your prize"));
        let labels: Vec<usize> = prizes.map(|row| sms.table.labels[row]).collect();
        assert!(!labels.is_empty() && labels.iter().all(|&label| label == spam), "{labels:?}");
    }

    #[test]
    fn examples_and_hard_sets_are_left_out() {
        let names: Vec<&str> = listed().iter().map(|set| set.name).collect();
        assert!(["iris", "shuttle", "sms", "german"].iter().all(|name| names.contains(name)));
        assert!(["playtennis", "lenses", "iir_china", "offset_1e9"].iter().all(|name| !names.contains(name)));
    }
}
