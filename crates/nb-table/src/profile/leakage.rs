//! Columns that give the label away, and columns whose rows belong together.

use std::collections::HashMap;

use nb_core::Rows;

use super::{
    chance::ln_orders,
    determinant_pairs::Pair,
    determinants::{Determinant, Pieces},
    first_rows::FirstRows,
    group_like,
    information::Information,
    values::Class,
};
use crate::read::Table;

/// Fewer rows may be a coincidence.
const FEWEST_ROWS: u64 = 20;
/// With more labels nothing is said of what determines them.
const MOST_CLASSES: usize = 256;
/// Where there are groups, columns with more values are not said to determine the label.
const FEW_VALUES: usize = 10;
/// Further columns are not looked at, and further ones than these not kept for the first rows.
const MOST_COLUMNS: usize = 4096;
const MOST_KEPT: usize = 256;

/// Looks for what makes measures of held-out rows better than those of new rows will be (Kaufman, Rosset,
/// Perlich and Stitelman 2012, *Leakage in data mining*): columns that determine the label, and columns whose
/// rows belong together, as those of a patient do.
///
/// Rows are looked at one by one, in bounded memory. A column with more than 1024 different values is not
/// looked at any more, unless they are numbers in few intervals. Groups, and which pairs of columns may
/// determine the label, are looked for in the first 10,000 rows, or 1,048,576 cells.
///
/// ```
/// use nb_table::{profile::LeakageWatch, read::Table};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((400, 2), |(row, column)| if column == 0 { (row * 37 % 401) as f64 } else { (row % 3) as f64 });
/// let labels: Vec<&str> = rows.column(0).iter().map(|&amount| if amount > 250.0 { "high" } else { "low" }).collect();
/// let mut watch = LeakageWatch::new([(0, true), (1, false)]);
/// watch.add(&Table::Dense(rows), &labels);
/// let leakage = watch.found(&[]);
/// assert_eq!(leakage.determinants[0].features, [0]);
/// assert_eq!(
///     leakage.determinants[0].to_string(),
///     "each of 2 intervals of its numbers has rows of one class only (cut at 251)"
/// );
/// assert!(leakage.groups.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeakageWatch {
    columns: Vec<(usize, bool)>,
    classes: HashMap<String, Class>,
    n_of_classes: Vec<u64>,
    has_many_classes: bool,
    determinants: Vec<Determinant>,
    first: FirstRows,
    /// The pairs that are looked at behind the first rows.
    pairs: Option<Vec<Pair>>,
    n_rows: u64,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Leakage {
    /// The columns that determine the label, or else two that do so together.
    pub determinants: Vec<Determines>,
    /// The columns that look like groups.
    pub groups: Vec<Groups>,
    /// The column that says most of the label in the first rows, and the share of the entropy of the label
    /// that it explains ([`Information::share`]).
    pub strongest: Option<(usize, f64)>,
}

/// A column, or two together, with rows of one class only for each value or interval.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Determines {
    /// The features: one, or two.
    pub features: Vec<usize>,
    /// How many values, pairs of values or intervals there are. Missing cells count as a value.
    pub n_values: usize,
    /// Where intervals of numbers are cut, at most three; none if each value counts.
    pub cuts: Option<Vec<f64>>,
}

/// A column of names or whole numbers that come again in rows that are much alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Groups {
    /// The feature.
    pub feature: usize,
    /// How many values there are.
    pub n_values: usize,
    /// How many rows have one of them.
    pub n_rows: usize,
}

impl LeakageWatch {
    /// For these features of the rows, and whether each is of numbers and not of categories.
    pub fn new(features: impl IntoIterator<Item = (usize, bool)>) -> Self {
        let columns: Vec<(usize, bool)> = features.into_iter().take(MOST_COLUMNS).collect();
        let determinants = columns.iter().enumerate();
        Self {
            determinants: determinants
                .map(|(column, &(_, is_numeric))| Determinant::new(column, is_numeric))
                .collect(),
            first: FirstRows::new(columns.len().min(MOST_KEPT)),
            columns,
            ..Self::default()
        }
    }

    /// Looks at rows and their labels.
    pub fn add<L: AsRef<str>>(&mut self, rows: &Table, labels: &[L]) {
        for (row, label) in labels.iter().enumerate().take(rows.n_rows()) {
            if !self.is_done() {
                self.add_row(rows, row, label.as_ref());
            }
        }
    }

    /// Whether no further row says anything.
    fn is_done(&self) -> bool {
        self.first.is_full() && self.determinants.is_empty() && self.pairs.as_ref().is_some_and(Vec::is_empty)
    }

    /// Looks at one of the rows, and its label; all rows have the same one if there are none.
    pub(super) fn add_row(&mut self, rows: &Table, row: usize, label: &str) {
        if self.is_done() {
            return;
        }
        self.n_rows += 1;
        let class = self.class(label, 1);
        let columns = &self.columns;
        let value = |column: usize| match rows {
            Table::Dense(rows) => rows.get((row, columns[column].0)).copied().unwrap_or(f64::NAN),
            Table::Sparse(rows) => rows.get(row, columns[column].0),
        };
        self.determinants.retain_mut(|determinant| determinant.look(value(determinant.column), class));
        let n_kept = self.first.n_columns();
        if let Some(pairs) = self.pairs.as_mut().filter(|pairs| !pairs.is_empty()) {
            let cells: Vec<f64> = (0..n_kept).map(value).collect();
            pairs.retain_mut(|pair| pair.look(&cells, class));
        } else if !self.first.is_full() {
            self.first.add((0..n_kept).map(value), class);
            self.look_at_pairs();
        }
    }

    /// Looks for pairs as soon as the first rows are there.
    fn look_at_pairs(&mut self) {
        if self.pairs.is_none() && self.first.is_full() {
            self.pairs = Some(self.pairs_of_first());
        }
    }

    fn pairs_of_first(&self) -> Vec<Pair> {
        // Each pair determines the only class.
        if self.has_many_classes || self.n_of_classes.len() < 2 {
            return Vec::new();
        }
        let determines_alone = |column: usize| self.determinants.iter().any(|own| own.column == column);
        Pair::all(&self.first, |column| !determines_alone(column))
    }

    /// The number of a class, of which there are further rows; 0 once there are too many.
    fn class(&mut self, label: &str, n: u64) -> Class {
        if self.has_many_classes {
            return 0;
        }
        if let Some(&class) = self.classes.get(label) {
            self.n_of_classes[class as usize - 1] += n;
            return class;
        }
        if self.classes.len() >= MOST_CLASSES {
            self.has_many_classes = true;
            self.determinants.clear();
            self.pairs = Some(Vec::new());
            return 0;
        }
        let class = self.classes.len() as Class + 1;
        self.classes.insert(label.into(), class);
        self.n_of_classes.push(n);
        class
    }

    /// What the rows of both say, of which those of the other one come later. Codes of categories mean the
    /// same in both.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        let mut names: Vec<(&String, Class)> =
            other.classes.iter().map(|(name, &class)| (name, class)).collect();
        names.sort_unstable_by_key(|&(_, class)| class);
        let mut classes = vec![0; names.len() + 1];
        for (name, class) in names {
            classes[class as usize] = self.class(name, other.n_of_classes[class as usize - 1]);
        }
        self.n_rows += other.n_rows;
        if other.has_many_classes && !self.has_many_classes {
            self.has_many_classes = true;
            self.determinants.clear();
            self.pairs = Some(Vec::new());
        }
        let class = |of: Class| classes[of as usize];
        self.determinants.retain_mut(|determinant| {
            let of_other = other.determinants.iter().find(|own| own.column == determinant.column);
            of_other.is_some_and(|of_other| determinant.merge(of_other, class))
        });
        if let Some(others) = &other.pairs {
            // Of the rows behind the first of the other, only what its pairs know is left.
            let mut pairs = self.pairs.take().unwrap_or_else(|| self.pairs_of_first());
            pairs.retain_mut(|pair| {
                let of_other = others.iter().find(|own| own.columns == pair.columns);
                of_other.is_some_and(|of_other| pair.merge(of_other, class))
            });
            self.pairs = Some(pairs);
            for row in 0..other.first.n_rows() {
                self.first.add(other.first.row(row).iter().copied(), class(other.first.classes[row]));
            }
        } else {
            for row in 0..other.first.n_rows() {
                let (cells, class) = (other.first.row(row), class(other.first.classes[row]));
                if let Some(pairs) = &mut self.pairs {
                    pairs.retain_mut(|pair| pair.look(cells, class));
                } else {
                    self.first.add(cells.iter().copied(), class);
                    self.look_at_pairs();
                }
            }
        }
        self
    }

    /// What all rows say, beside that these features repeat the label.
    pub fn found(&self, copies: &[usize]) -> Leakage {
        let feature = |column: usize| self.columns[column].0;
        let is_numeric: Vec<bool> = self.columns.iter().map(|&(_, is_numeric)| is_numeric).collect();
        let groups = group_like::groups(&self.first, &is_numeric).into_iter().map(|group| Groups {
            feature: feature(group.column),
            n_values: group.n_values,
            n_rows: group.n_rows,
        });
        let groups: Vec<Groups> = groups.collect();
        Leakage { determinants: self.determining(copies, &groups), strongest: self.strongest(), groups }
    }

    /// The columns that determine the label, except copies of it and groups; if there are none, the pair with
    /// the fewest values.
    fn determining(&self, copies: &[usize], groups: &[Groups]) -> Vec<Determines> {
        let n_classes = self.n_of_classes.len();
        if self.has_many_classes || self.n_rows < FEWEST_ROWS || n_classes < 2 {
            return Vec::new();
        }
        let (ln_orders, n_columns) = (ln_orders(&self.n_of_classes), self.columns.len());
        let is_known =
            |feature: usize| copies.contains(&feature) || groups.iter().any(|group| group.feature == feature);
        let alone = self.determinants.iter().filter_map(|determinant| {
            let feature = self.columns[determinant.column].0;
            if is_known(feature) {
                return None;
            }
            let (n_values, cuts) = match determinant.pieces(self.n_rows, n_classes, ln_orders, n_columns)? {
                // This many values may only tell groups apart.
                Pieces::Values(n) if n > FEW_VALUES && !groups.is_empty() => return None,
                Pieces::Values(n) => (n, None),
                Pieces::Intervals(n, cuts) => (n, Some(cuts)),
            };
            Some(Determines { features: vec![feature], n_values, cuts })
        });
        let alone: Vec<Determines> = alone.collect();
        if !alone.is_empty() || !copies.is_empty() {
            return alone;
        }
        let of_first;
        let pairs = if let Some(pairs) = &self.pairs {
            pairs
        } else {
            of_first = self.pairs_of_first();
            &of_first
        };
        let together = pairs.iter().filter_map(|pair| {
            let n_values = pair.n_values(self.n_rows, n_classes, ln_orders)?;
            let features = pair.columns.map(|column| self.columns[column].0);
            let is_free = !features.iter().any(|&feature| is_known(feature));
            is_free.then(|| Determines { features: features.to_vec(), n_values, cuts: None })
        });
        together.min_by_key(|pair| pair.n_values).into_iter().collect()
    }

    /// The column with the largest mutual information with the label in the first rows, less what is chance.
    fn strongest(&self) -> Option<(usize, f64)> {
        const TENTHS: usize = 10;
        let n_classes = self.n_of_classes.len();
        if self.has_many_classes || n_classes < 2 {
            return None;
        }
        let of_columns = (0..self.first.n_columns()).filter_map(|column| {
            let (feature, is_numeric) = self.columns[column];
            let (places, n_values) = self.first.ordered(column);
            let mut bins: Vec<usize> = (0..n_values).collect();
            if is_numeric && n_values > TENTHS {
                let mut counts = vec![0; n_values];
                places.iter().flatten().for_each(|&place| counts[place as usize] += 1);
                let (n, mut before) = (counts.iter().sum::<usize>(), 0);
                for (bin, count) in bins.iter_mut().zip(counts) {
                    *bin = before * TENTHS / n;
                    before += count;
                }
            }
            let mut rows = vec![vec![0; n_classes]; bins.last().map_or(0, |&last| last + 1)];
            for (place, &class) in places.iter().zip(&self.first.classes) {
                if let Some(place) = place {
                    rows[bins[*place as usize]][class as usize - 1] += 1;
                }
            }
            let information = Information::of(&rows).filter(|known| known.nats > known.by_chance)?;
            let share = information.share * (1.0 - information.by_chance / information.nats);
            Some((feature, share))
        });
        of_columns.max_by(|one, other| one.1.total_cmp(&other.1))
    }
}

impl std::fmt::Display for Determines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n = self.n_values;
        match (&self.cuts, self.features.len()) {
            (Some(cuts), _) => {
                let cuts: Vec<String> = cuts.iter().map(|&cut| short(cut)).collect();
                let more = if cuts.len() + 1 < n { ", ..." } else { "" };
                write!(
                    f,
                    "each of {n} intervals of its numbers has rows of one class only (cut at {}{more})",
                    cuts.join(", ")
                )
            }
            (None, 1) => write!(f, "each of its {n} values has rows of one class only"),
            (None, _) => write!(f, "each of {n} pairs of their values has rows of one class only"),
        }
    }
}

/// A number with at most six digits.
fn short(number: f64) -> String {
    let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    let is_usual = rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs());
    if is_usual { rounded.to_string() } else { format!("{rounded:e}") }
}

impl std::fmt::Display for Groups {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let of_each = self.n_rows as f64 / self.n_values as f64;
        let of_each = if of_each < 10.0 { (of_each * 10.0).round() / 10.0 } else { of_each.round() };
        let about = if of_each * self.n_values as f64 == self.n_rows as f64 { "" } else { "about " };
        write!(f, "{} values, {about}{of_each} rows each; rows of a value are alike", self.n_values)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    /// What is found in rows of categories that come at once, and in two parts.
    fn found(
        n_rows: usize,
        is_numeric: bool,
        row: impl Fn(usize) -> ([f64; 4], &'static str),
    ) -> (Leakage, LeakageWatch) {
        let rows = Array2::from_shape_fn((n_rows, 4), |(number, column)| row(number).0[column]);
        let labels: Vec<&str> = (0..n_rows).map(|number| row(number).1).collect();
        let part = |from: usize, to: usize| {
            let mut watch = LeakageWatch::new((0..4).map(|feature| (feature, is_numeric)));
            watch.add(&Table::Dense(rows.slice(ndarray::s![from..to, ..]).to_owned()), &labels[from..to]);
            watch
        };
        let whole = part(0, n_rows);
        let cut = n_rows / 3;
        let merged = part(0, cut).merge(&part(cut, n_rows));
        assert_eq!(merged.found(&[]), whole.found(&[]));
        (whole.found(&[]), whole)
    }

    #[test]
    fn columns_and_pairs_that_determine_the_label() {
        let values = |row: usize| [(row % 4) as f64, (row / 4 % 3) as f64, (row % 11) as f64, 1.0];
        for n_rows in [240, 12_500] {
            let (alone, watch) = found(n_rows, false, |row| (values(row), ["a", "b", "a", "c"][row % 4]));
            assert_eq!((&alone.determinants[0].features[..], alone.determinants[0].n_values), (&[0][..], 4));
            assert_eq!(alone.determinants.len(), 1, "no pair has the column");
            assert_eq!(alone.strongest.map(|(feature, _)| feature), Some(0));
            assert!(watch.found(&[0]).determinants.is_empty(), "it is known");
            let parity = |row: usize| ["a", "b"][(row % 4 + row / 4 % 3) % 2];
            let (together, _) = found(n_rows, false, |row| (values(row), parity(row)));
            let [pair] = &together.determinants[..] else { panic!("{together:?}") };
            assert_eq!((&pair.features[..], pair.n_values), (&[0, 1][..], 12));
            assert_eq!(pair.to_string(), "each of 12 pairs of their values has rows of one class only");
            let exception = |row: usize| if row + 1 == n_rows { "c" } else { parity(row) };
            assert!(found(n_rows, false, |row| (values(row), exception(row))).0.determinants.is_empty());
        }
    }

    #[test]
    fn few_rows_and_one_class_or_many_say_nothing() {
        let values = |row: usize| [(row % 4) as f64, (row / 4 % 3) as f64, (row % 11) as f64, 1.0];
        assert_eq!(found(19, false, |row| (values(row), ["a", "b"][row % 2])).0.determinants, []);
        assert_eq!(found(300, false, |row| (values(row), "a")).0, Leakage::default());
        assert_eq!(LeakageWatch::new([(0, true)]).found(&[]), Leakage::default());
        let mut many = LeakageWatch::new([(0, true)]);
        let labels: Vec<String> = (0..600).map(|row| (row / 2).to_string()).collect();
        many.add(&Table::Dense(Array2::from_shape_fn((600, 1), |(row, _)| (row / 2) as f64)), &labels);
        assert_eq!(many.found(&[]), Leakage::default());
    }

    #[test]
    fn a_group_that_determines_the_label_is_a_group() {
        let visit = |row: usize| {
            let patient = (row % 50) as f64;
            let measured = |factor: f64| (patient * factor).sin() * 9.0 + (row / 50) as f64 / 10.0;
            ([patient, measured(17.0), measured(29.0), measured(43.0)], ["well", "sick"][row % 50 % 2])
        };
        let (leakage, _) = found(600, true, visit);
        let [group] = &leakage.groups[..] else { panic!("{leakage:?}") };
        assert_eq!(group.feature, 0);
        assert_eq!(group.to_string(), "50 values, 12 rows each; rows of a value are alike");
        assert_eq!(leakage.determinants, []);
    }
}
