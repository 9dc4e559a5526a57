//! What is done to the rows of a fold.

use std::str::FromStr;

use ndarray::{Array2, Axis, concatenate};
use rand::{RngExt, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Column, DesignError, Features, Kind, MethodError, Table};

/// A disturbance of data. Labels of tested rows are never touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// Cells of training and tested rows are missing completely at random (Rubin 1976, *Inference and missing
    /// data*, Biometrika 63). The level is the probability of each cell.
    Missing,
    /// The same of training rows alone.
    MissingTraining,
    /// The same of tested rows alone: a classifier of whole rows meets rows with gaps.
    MissingTest,
    /// Cells of training and tested rows are missing at random, given a column that is always there: the one
    /// with the largest mutual information with the class. Of rows above its median among the training
    /// rows a cell is missing with twice the level, of others never (Rubin 1976).
    MissingByColumn,
    /// Cells of training and tested rows are missing by their own value, which is not at random (Rubin 1976):
    /// those above the median of their column among the training rows with twice the level, others never.
    /// Categories are in the order of their levels.
    MissingByValue,
    /// Each cell of training and tested rows is, with the level as probability, that of a training row at
    /// random, so that the distribution of its column stays what it is (Zhu and Wu 2004, *Class noise vs.
    /// attribute noise*, Artificial Intelligence Review 22).
    Noise,
    /// Training rows have a wrong label, any of the other classes alike (Frénay and Verleysen 2014,
    /// *Classification in the presence of label noise: a survey*, IEEE Transactions on Neural Networks
    /// and Learning Systems 25). The level is their share.
    LabelNoise,
    /// Training rows of the rarest class are left out, so that the classes are unbalanced. The level is their
    /// share; one row is left at least. Tested rows keep all classes.
    Unbalanced,
    /// The column with the largest mutual information with the class is there several times. The level is the
    /// number of copies beside it.
    Copies,
}

impl Disturbance {
    /// All disturbances.
    pub const ALL: [Self; 9] = [
        Self::Missing,
        Self::MissingTraining,
        Self::MissingTest,
        Self::MissingByColumn,
        Self::MissingByValue,
        Self::Noise,
        Self::LabelNoise,
        Self::Unbalanced,
        Self::Copies,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::MissingTraining => "missing-training",
            Self::MissingTest => "missing-test",
            Self::MissingByColumn => "missing-by-column",
            Self::MissingByValue => "missing-by-value",
            Self::Noise => "noise",
            Self::LabelNoise => "label-noise",
            Self::Unbalanced => "unbalanced",
            Self::Copies => "copies",
        }
    }

    /// What is disturbed, for headings.
    pub fn title(self) -> &'static str {
        match self {
            Self::Missing => "Missing cells",
            Self::MissingTraining => "Missing cells of training rows",
            Self::MissingTest => "Missing cells of tested rows",
            Self::MissingByColumn => "Cells missing by another column (at random)",
            Self::MissingByValue => "Cells missing by their own value (not at random)",
            Self::Noise => "Noise in cells",
            Self::LabelNoise => "Label noise",
            Self::Unbalanced => "Unbalanced classes",
            Self::Copies => "Copies of a column",
        }
    }

    /// What a level is.
    pub fn level(self) -> &'static str {
        match self {
            Self::Missing
            | Self::MissingTraining
            | Self::MissingTest
            | Self::MissingByColumn
            | Self::MissingByValue => "part of the cells that is missing",
            Self::Noise => "part of the cells that is another row's",
            Self::LabelNoise => "part of the training labels that is wrong",
            Self::Unbalanced => "part of the rarest class that is left out",
            Self::Copies => "copies of the most informative column",
        }
    }

    /// What is done, for reports.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Missing => {
                "each cell of training and tested rows is missing with this probability, completely at random (Rubin 1976)"
            }
            Self::MissingTraining => {
                "each cell of training rows is missing with this probability, completely at random (Rubin 1976)"
            }
            Self::MissingTest => {
                "each cell of tested rows is missing with this probability, completely at random (Rubin 1976)"
            }
            Self::MissingByColumn => {
                "of rows above the median of the column with the largest mutual information with the class, each cell of the other columns is missing \
                 with twice this probability: at random given that column, which stays whole (Rubin 1976)"
            }
            Self::MissingByValue => {
                "each cell above the median of its column is missing with twice this probability, which is not at random (Rubin 1976); categories are \
                 in the order of their levels"
            }
            Self::Noise => {
                "each cell of training and tested rows is that of a training row at random with this probability, so that the distribution of its \
                 column stays what it is (Zhu and Wu 2004)"
            }
            Self::LabelNoise => {
                "exactly this part of the training rows has a wrong label, any of the other classes alike (Frénay and Verleysen \
                 2014)"
            }
            Self::Unbalanced => {
                "exactly this part of the training rows of the rarest class is left out, except for one row at least; tested rows \
                 keep all classes"
            }
            Self::Copies => {
                "the column with the largest mutual information with the class among the training rows (numbers in ten bins of \
                 equal frequency) is repeated this number of times"
            }
        }
    }

    /// The levels if nothing else is said.
    pub fn default_levels(self) -> Vec<f64> {
        match self {
            Self::Unbalanced => vec![0.5, 0.75, 0.9],
            Self::Copies => vec![1.0, 2.0, 4.0, 8.0],
            _ => vec![0.1, 0.2, 0.4],
        }
    }

    /// What a level must be.
    pub(super) fn bounds(self) -> &'static str {
        match self {
            Self::Copies => "a whole number from 1 to 1000",
            Self::MissingByColumn | Self::MissingByValue => "above 0 and at most 0.5",
            _ => "above 0 and below 1",
        }
    }

    /// Whether a level is one.
    pub(super) fn allows(self, level: f64) -> bool {
        match self {
            Self::Copies => (1.0..=1000.0).contains(&level) && level.fract() == 0.0,
            Self::MissingByColumn | Self::MissingByValue => level > 0.0 && level <= 0.5,
            _ => level > 0.0 && level < 1.0,
        }
    }

    /// Whether classifiers are those of undisturbed rows.
    pub(super) fn keeps_training(self) -> bool {
        self == Self::MissingTest
    }
}

impl FromStr for Disturbance {
    type Err = DesignError;

    fn from_str(name: &str) -> Result<Self, DesignError> {
        Self::ALL.into_iter().find(|disturbance| disturbance.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).to_vec();
            DesignError::NoSuchDisturbance { name: name.to_owned(), names }
        })
    }
}

impl Serialize for Disturbance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Disturbance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A table with a disturbance, and the rows of it to train on.
#[derive(Debug)]
pub(super) struct Disturbed {
    pub(super) table: Table,
    pub(super) train: Vec<usize>,
}

impl Disturbed {
    /// Disturbs a fold. A higher level of the same generator disturbs all that a lower one does, so that
    /// levels are compared as pairs, too.
    ///
    /// # Errors
    /// [`MethodError::NotApplicable`] if the table has no such thing.
    pub(super) fn new(
        table: &Table,
        [train, test]: [&[usize]; 2],
        (disturbance, level): (Disturbance, f64),
        mut random: ChaCha8Rng,
    ) -> Result<Self, MethodError> {
        let whole = Self { table: table.clone(), train: train.to_vec() };
        match disturbance {
            Disturbance::Missing => whole.with_gaps(&[train, test].concat(), level, &mut random),
            Disturbance::MissingTraining => whole.with_gaps(train, level, &mut random),
            Disturbance::MissingTest => whole.with_gaps(test, level, &mut random),
            Disturbance::MissingByColumn => {
                let steering = most_informative(table, train)?;
                whole.with_gaps_above(
                    [train, test],
                    level,
                    |column| (column != steering).then_some(steering),
                    &mut random,
                )
            }
            Disturbance::MissingByValue => whole.with_gaps_above([train, test], level, Some, &mut random),
            Disturbance::Noise => whole.with_noise([train, test], level, &mut random),
            Disturbance::LabelNoise => Ok(whole.with_wrong_labels(level, &mut random)),
            Disturbance::Unbalanced => Ok(whole.without_rare_rows(level, &mut random)),
            Disturbance::Copies => whole.with_copies(level as usize),
        }
    }

    /// The cells of the table, and whether each row is one of these.
    fn cells(&mut self, rows: &[usize]) -> Result<(&mut Array2<f64>, Vec<bool>), MethodError> {
        let Features::Columns { x, .. } = &mut self.table.features else {
            return Err(MethodError::not_applicable("the table has documents, which have no missing cells"));
        };
        let mut is_disturbed = vec![false; x.nrows()];
        for &row in rows {
            is_disturbed[row] = true;
        }
        Ok((x, is_disturbed))
    }

    fn with_gaps(mut self, rows: &[usize], level: f64, random: &mut ChaCha8Rng) -> Result<Self, MethodError> {
        let (x, is_disturbed) = self.cells(rows)?;
        // In the order of the table, whichever rows these are.
        for ((row, _), cell) in x.indexed_iter_mut() {
            if random.random::<f64>() < level && is_disturbed[row] {
                *cell = f64::NAN;
            }
        }
        Ok(self)
    }

    /// Gaps in the rows above the median of the column that decides about each column, if one does.
    fn with_gaps_above(
        mut self,
        [train, test]: [&[usize]; 2],
        level: f64,
        decides: impl Fn(usize) -> Option<usize>,
        random: &mut ChaCha8Rng,
    ) -> Result<Self, MethodError> {
        let (x, is_disturbed) = self.cells(&[train, test].concat())?;
        let medians: Vec<f64> = (0..x.ncols())
            .map(|column| {
                let cells = train.iter().map(|&row| x[[row, column]]);
                let mut known: Vec<f64> = cells.filter(|cell| !cell.is_nan()).collect();
                known.sort_by(f64::total_cmp);
                known.get(known.len().saturating_sub(1) / 2).copied().unwrap_or(f64::INFINITY)
            })
            .collect();
        let whole = x.clone();
        for ((row, column), cell) in x.indexed_iter_mut() {
            let is_above = decides(column).is_some_and(|by| whole[[row, by]] > medians[by]);
            if random.random::<f64>() < 2.0 * level && is_disturbed[row] && is_above {
                *cell = f64::NAN;
            }
        }
        Ok(self)
    }

    /// Cells of training rows at random in the place of others.
    fn with_noise(
        mut self,
        [train, test]: [&[usize]; 2],
        level: f64,
        random: &mut ChaCha8Rng,
    ) -> Result<Self, MethodError> {
        let (x, is_disturbed) = self.cells(&[train, test].concat())?;
        let whole = x.clone();
        for ((row, column), cell) in x.indexed_iter_mut() {
            let (is_noise, other) = (random.random::<f64>() < level, random.random_range(0..train.len()));
            if is_noise && is_disturbed[row] {
                *cell = whole[[train[other], column]];
            }
        }
        Ok(self)
    }

    fn with_wrong_labels(mut self, level: f64, random: &mut ChaCha8Rng) -> Self {
        let n_classes = self.table.classes.len();
        let mut order = self.train.clone();
        order.shuffle(random);
        if n_classes < 2 {
            return self;
        }
        for &row in &order[..share(order.len(), level)] {
            let label = &mut self.table.labels[row];
            let other = random.random_range(0..n_classes - 1);
            *label = if other < *label { other } else { other + 1 };
        }
        self
    }

    fn without_rare_rows(mut self, level: f64, random: &mut ChaCha8Rng) -> Self {
        let mut sizes = vec![0_usize; self.table.classes.len()];
        for &row in &self.train {
            sizes[self.table.labels[row]] += 1;
        }
        let present = (0..sizes.len()).filter(|&class| sizes[class] > 0);
        let Some(rarest) = present.min_by_key(|&class| sizes[class]) else { return self };
        let mut rows: Vec<usize> =
            self.train.iter().copied().filter(|&row| self.table.labels[row] == rarest).collect();
        rows.shuffle(random);
        rows.truncate(share(rows.len(), level).min(rows.len() - 1));
        rows.sort_unstable();
        self.train.retain(|row| rows.binary_search(row).is_err());
        self
    }

    fn with_copies(mut self, n_copies: usize) -> Result<Self, MethodError> {
        let best = most_informative(&self.table, &self.train)?;
        if let Features::Columns { columns, x } = &mut self.table.features {
            let Column { name, kind } = columns[best].clone();
            let column = x.column(best).insert_axis(Axis(1)).to_owned();
            let copies = vec![column.view(); n_copies];
            *x = concatenate(Axis(1), &[vec![x.view()], copies].concat()).map_err(MethodError::failed)?;
            columns.extend(
                (1..=n_copies)
                    .map(|copy| Column { name: format!("{name} (copy {copy})"), kind: kind.clone() }),
            );
        }
        Ok(self)
    }
}

/// A part of some rows, to the nearest whole one.
pub(super) fn share(n_rows: usize, level: f64) -> usize {
    ((n_rows as f64 * level + 0.5).floor() as usize).min(n_rows)
}

/// The column whose mutual information with the class is largest among these rows, the first of several.
/// Numbers are cut into ten bins of equal frequency; missing cells are their own value.
pub(super) fn most_informative(table: &Table, rows: &[usize]) -> Result<usize, MethodError> {
    let Features::Columns { columns, x } = &table.features else {
        return Err(MethodError::not_applicable("the table has documents, not columns"));
    };
    let mut best = (None, f64::NEG_INFINITY);
    // Texts have terms, none of which is the whole column.
    for (column, Column { kind, .. }) in
        columns.iter().enumerate().filter(|(_, column)| !column.kind.is_text())
    {
        let cells: Vec<f64> = rows.iter().map(|&row| x[[row, column]]).collect();
        let codes = codes(kind, &cells);
        let information = information(&codes, rows.iter().map(|&row| table.labels[row]), table.classes.len());
        if information > best.1 {
            best = (Some(column), information);
        }
    }
    best.0
        .ok_or_else(|| MethodError::not_applicable("the table has texts alone, of which no column is copied"))
}

/// Cells as numbers of values, from 0; a missing one is 0.
fn codes(kind: &Kind, cells: &[f64]) -> Vec<usize> {
    const N_BINS: usize = 10;
    let mut cuts: Vec<f64> = Vec::new();
    if !matches!(kind, Kind::Categorical { .. }) {
        let mut known: Vec<f64> = cells.iter().copied().filter(|cell| !cell.is_nan()).collect();
        known.sort_by(f64::total_cmp);
        cuts = (1..N_BINS).filter_map(|bin| known.get(bin * known.len() / N_BINS)).copied().collect();
        cuts.dedup();
    }
    let code = |cell: &f64| match kind {
        _ if cell.is_nan() => 0,
        Kind::Categorical { .. } => 1 + *cell as usize,
        _ => 1 + cuts.partition_point(|cut| cut <= cell),
    };
    cells.iter().map(code).collect()
}

/// Mutual information, in natural logarithms.
fn information(codes: &[usize], labels: impl Iterator<Item = usize>, n_classes: usize) -> f64 {
    let n_codes = codes.iter().max().map_or(0, |last| last + 1);
    let mut counts = Array2::<f64>::zeros((n_codes, n_classes));
    codes.iter().zip(labels).for_each(|(&code, label)| counts[[code, label]] += 1.0);
    let n = codes.len() as f64;
    let (of_code, of_class) = (counts.sum_axis(Axis(1)), counts.sum_axis(Axis(0)));
    let terms = counts.indexed_iter().filter(|(_, count)| **count > 0.0);
    terms
        .map(|((code, class), count)| count / n * libm::log(n * count / (of_code[code] * of_class[class])))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::generator;

    fn rows(table: &Table) -> [Vec<usize>; 2] {
        let test = |row: &usize| row.is_multiple_of(5);
        let all = 0..table.n_rows();
        [all.clone().filter(|row| !test(row)).collect(), all.filter(test).collect()]
    }

    fn disturbed(table: &Table, disturbance: Disturbance, level: f64) -> Disturbed {
        let [train, test] = rows(table);
        Disturbed::new(table, [&train, &test], (disturbance, level), generator(1, "test", 0)).unwrap()
    }

    #[test]
    fn label_noise_flips_exactly_its_share_of_training_labels_alone() {
        let table = Table::embedded("iris").unwrap();
        let [train, test] = rows(&table);
        let wrong = |level| {
            let disturbed = disturbed(&table, Disturbance::LabelNoise, level);
            assert!(test.iter().all(|&row| disturbed.table.labels[row] == table.labels[row]));
            let wrong = train.iter().filter(|&&row| disturbed.table.labels[row] != table.labels[row]);
            wrong.map(|&row| (row, disturbed.table.labels[row])).collect::<Vec<_>>()
        };
        let (few, many) = (wrong(0.1), wrong(0.4));
        assert_eq!((train.len(), few.len(), many.len()), (120, 12, 48));
        assert!(few.iter().all(|flip| many.contains(flip)), "levels are nested");
        // Each of the six ways from one class to another.
        let ways: std::collections::BTreeSet<_> =
            many.iter().map(|&(row, label)| (table.labels[row], label)).collect();
        assert_eq!(ways.len(), 6);
    }

    #[test]
    fn cells_are_missing_where_they_should_be() {
        let table = Table::embedded("iris").unwrap();
        let [train, test] = rows(&table);
        let missing = |disturbance, level, rows: &[usize]| {
            let disturbed = disturbed(&table, disturbance, level).table;
            let Features::Columns { x, .. } = disturbed.features else { panic!("columns") };
            rows.iter().map(|&row| x.row(row).iter().filter(|cell| cell.is_nan()).count()).sum::<usize>()
        };
        let (both, of_test) = (Disturbance::Missing, Disturbance::MissingTest);
        assert_eq!(missing(of_test, 0.4, &train), 0);
        assert_eq!(missing(Disturbance::MissingTraining, 0.4, &test), 0);
        assert_eq!(missing(both, 0.4, &test), missing(of_test, 0.4, &test));
        // 480 cells at 0.4: 192, with a standard deviation of 10.7.
        let found = missing(both, 0.4, &train);
        assert!((150..=234).contains(&found), "{found}");
        assert!(missing(both, 0.1, &train) < found);
    }

    #[test]
    fn cells_are_missing_by_a_column_or_by_themselves() {
        let table = Table::embedded("iris").unwrap();
        let Features::Columns { x, .. } = &table.features else { panic!("columns") };
        let [train, _] = rows(&table);
        let steering = most_informative(&table, &train).unwrap();
        let median = |column: usize| {
            let mut cells: Vec<f64> = train.iter().map(|&row| x[[row, column]]).collect();
            cells.sort_by(f64::total_cmp);
            cells[(cells.len() - 1) / 2]
        };
        for (disturbance, by) in
            [(Disturbance::MissingByColumn, Some(steering)), (Disturbance::MissingByValue, None)]
        {
            let gaps = |level| {
                let Features::Columns { x, .. } = disturbed(&table, disturbance, level).table.features else {
                    panic!("columns")
                };
                let missing = x.indexed_iter().filter(|(_, cell)| cell.is_nan());
                missing.map(|(place, _)| place).collect::<Vec<_>>()
            };
            let (few, all) = (gaps(0.1), gaps(0.5));
            assert!(few.iter().all(|place| all.contains(place)) && 4 * few.len() < 2 * all.len());
            // All that are above the median, and none that are not.
            let is_above = |&(row, column): &(usize, usize)| {
                let decides = by.unwrap_or(column);
                (by != Some(column)) && x[[row, decides]] > median(decides)
            };
            let expected: Vec<(usize, usize)> =
                x.indexed_iter().map(|(place, _)| place).filter(is_above).collect();
            assert_eq!(all, expected, "{}", disturbance.name());
        }
    }

    #[test]
    fn noise_is_cells_of_training_rows() {
        let table = Table::embedded("iris").unwrap();
        let Features::Columns { x, .. } = &table.features else { panic!("columns") };
        let [train, _] = rows(&table);
        let Features::Columns { x: noisy, .. } = disturbed(&table, Disturbance::Noise, 0.4).table.features
        else {
            panic!("columns")
        };
        let mut n_changed = 0;
        for ((row, column), cell) in noisy.indexed_iter() {
            n_changed += usize::from(*cell != x[[row, column]]);
            assert!(*cell == x[[row, column]] || train.iter().any(|&other| x[[other, column]] == *cell));
        }
        // 600 cells at 0.4: 240, less those that meet an equal cell.
        assert!((150..=260).contains(&n_changed), "{n_changed}");
    }

    #[test]
    fn the_rarest_class_loses_its_rows_and_keeps_one() {
        let table = Table::embedded("wine").unwrap();
        let sizes = |rows: &[usize]| {
            let mut sizes = vec![0; 3];
            for &row in rows {
                sizes[table.labels[row]] += 1;
            }
            sizes
        };
        let before = sizes(&rows(&table)[0]);
        let rarest = (0..3).min_by_key(|&class| before[class]).unwrap();
        for (level, kept) in [(0.5, before[rarest] - share(before[rarest], 0.5)), (0.999, 1)] {
            let mut expected = before.clone();
            expected[rarest] = kept;
            assert_eq!(sizes(&disturbed(&table, Disturbance::Unbalanced, level).train), expected);
        }
    }

    #[test]
    fn the_most_informative_column_is_copied() {
        let table = Table::embedded("iris").unwrap();
        let best = most_informative(&table, &rows(&table)[0]).unwrap();
        let disturbed = disturbed(&table, Disturbance::Copies, 2.0).table;
        let Features::Columns { columns, x } = disturbed.features else { panic!("columns") };
        assert_eq!(columns.len(), 6);
        assert!(columns[best].name.contains("petal") || columns[best].name.contains("Petal"), "{columns:?}");
        assert_eq!(columns[5].name, format!("{} (copy 2)", columns[best].name));
        assert!(x.column(best) == x.column(4) && x.column(4) == x.column(5));
    }

    /// sklearn 1.9: `mutual_info_score([0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1])`.
    #[test]
    fn information_is_that_of_scikit_learn() {
        let found = information(&[1, 1, 2, 2, 3, 3], [0, 0, 0, 1, 1, 1].into_iter(), 2);
        assert!((found - 0.462_098_120_373_296_9).abs() < 1e-15, "{found}");
    }
}
