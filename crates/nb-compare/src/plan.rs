//! Which rows are trained on, and which are tested.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::Table;

/// More repeats than anybody waits for, and few enough to be counted in memory.
const MOST_REPEATS: usize = 1_000_000;

/// How rows are split into those trained on and those tested, always by classes: each part has its share of every
/// class, as far as whole rows allow.
///
/// A split depends on the seed, the contents of the table ([`Table::fingerprint`]) and the number of the repeat, and on
/// nothing else, such as the name of a file or its folder: all variants see the same ones, so that their results are pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Plan {
    /// Every row is tested once in each repeat, by what was learnt from the other folds. Stratified:
    /// Kohavi (1995), *A study of cross-validation and bootstrap for accuracy estimation and model selection*, IJCAI.
    CrossValidation {
        /// The number of folds, at least 2.
        folds: usize,
        /// How often the rows are dealt anew.
        repeats: usize,
    },
    /// Every row is tested once, by what was learnt from all others. Nothing is random.
    LeaveOneOut {},
    /// A part of the rows is tested by what was learnt from the rest.
    HeldOut {
        /// The part that is tested, between 0 and 1.
        test: f64,
        /// How often the rows are dealt anew.
        repeats: usize,
    },
}

/// The parts of the rows of a table in one repeat of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folds {
    /// The fold of each row. Rows that are never tested have no fold.
    pub of_row: Vec<Option<usize>>,
    /// The number of folds.
    pub n_folds: usize,
}

/// Why a plan cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A number of the plan is out of range.
    #[error("{name} is {value}, but must be {must_be}")]
    Range {
        /// Which number.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        must_be: &'static str,
    },
    /// The part that is tested is less than a row, or all but less than one.
    #[error(
        "a part of {test} of the {rows} rows of `{table}` leaves nothing to test or to train on; it must be from 1/{rows} to \
         1 - 1/{rows}"
    )]
    NoRows {
        /// The table.
        table: String,
        /// How many rows it has.
        rows: usize,
        /// The part requested.
        test: f64,
    },
    /// A table has too few rows.
    #[error("`{table}` has {rows} rows, too few for {folds} folds; ask for fewer")]
    TooFewRows {
        /// The table.
        table: String,
        /// How many rows it has.
        rows: usize,
        /// How many folds were asked for.
        folds: usize,
    },
}

impl Plan {
    /// Refuses numbers that no table could be split by.
    ///
    /// # Errors
    /// [`PlanError::Range`] names the number.
    pub fn check(&self) -> Result<(), PlanError> {
        let range = |name, value, must_be| Err(PlanError::Range { name, value, must_be });
        match *self {
            Self::CrossValidation { folds, .. } if folds < 2 => {
                range("the number of folds", folds as f64, "at least 2")
            }
            Self::CrossValidation { repeats, .. } | Self::HeldOut { repeats, .. }
                if !(1..=MOST_REPEATS).contains(&repeats) =>
            {
                range("the number of repeats", repeats as f64, "from 1 to 1000000")
            }
            Self::HeldOut { test, .. } if !(test > 0.0 && test < 1.0) => {
                range("the part of the rows that is tested", test, "above 0 and below 1")
            }
            _ => Ok(()),
        }
    }

    /// Whether every row is a fold.
    pub fn is_leave_one_out(&self) -> bool {
        matches!(self, Self::LeaveOneOut {})
    }

    /// How often rows are dealt.
    pub fn repeats(&self) -> usize {
        match *self {
            Self::CrossValidation { repeats, .. } | Self::HeldOut { repeats, .. } => repeats,
            Self::LeaveOneOut {} => 1,
        }
    }

    /// The number of rows tested for each one trained on, which the corrected resampled t-test needs
    /// (Nadeau and Bengio 2003).
    pub fn test_to_train(&self, n_rows: usize) -> f64 {
        match *self {
            Self::CrossValidation { folds, .. } => 1.0 / (folds as f64 - 1.0),
            Self::LeaveOneOut {} => 1.0 / (n_rows as f64 - 1.0),
            Self::HeldOut { test, .. } => {
                let tested = (n_rows as f64 * test + 0.5).floor();
                tested / (n_rows as f64 - tested)
            }
        }
    }

    /// The folds of a table in a repeat.
    ///
    /// # Errors
    /// [`PlanError`] if the plan is out of range, or the table has too few rows for it.
    pub fn folds(&self, table: &Table, seed: u64, repeat: usize) -> Result<Folds, PlanError> {
        self.deal(&table.name, &table.fingerprint(), &table.labels, seed, repeat)
    }

    /// The folds of rows with these labels and this fingerprint; the name is that of errors.
    pub(crate) fn deal(
        &self,
        name: &str,
        fingerprint: &str,
        labels: &[usize],
        seed: u64,
        repeat: usize,
    ) -> Result<Folds, PlanError> {
        self.check()?;
        let rows = labels.len();
        let too_few = |folds| PlanError::TooFewRows { table: name.to_owned(), rows, folds };
        match *self {
            Self::CrossValidation { folds, .. } => {
                if rows < folds {
                    return Err(too_few(folds));
                }
                let mut of_row = vec![None; rows];
                for (position, row) in
                    dealt(labels, generator(seed, fingerprint, repeat)).into_iter().enumerate()
                {
                    of_row[row] = Some(position % folds);
                }
                Ok(Folds { of_row, n_folds: folds })
            }
            Self::LeaveOneOut {} => {
                if rows < 2 {
                    return Err(too_few(rows));
                }
                Ok(Folds { of_row: (0..rows).map(Some).collect(), n_folds: rows })
            }
            Self::HeldOut { test, .. } => {
                let tested = (rows as f64 * test + 0.5).floor();
                if tested < 1.0 || tested > rows as f64 - 1.0 {
                    return Err(PlanError::NoRows { table: name.to_owned(), rows, test });
                }
                Ok(held_out(&dealt(labels, generator(seed, fingerprint, repeat)), test))
            }
        }
    }
}

impl Folds {
    /// The rows of a fold, ascending.
    pub fn test(&self, fold: usize) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| self.of_row[row] == Some(fold)).collect()
    }

    /// All rows but those of a fold, ascending.
    pub fn train(&self, fold: usize) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| self.of_row[row] != Some(fold)).collect()
    }
}

/// All rows, those of the first class first, shuffled within their class. Dealt in turn, like cards, they give folds
/// whose sizes differ by at most one, and so do those of each class.
fn dealt(labels: &[usize], mut random: ChaCha8Rng) -> Vec<usize> {
    let n_classes = labels.iter().max().map_or(0, |last| last + 1);
    let mut rows = Vec::with_capacity(labels.len());
    for class in 0..n_classes {
        let first = rows.len();
        rows.extend((0..labels.len()).filter(|&row| labels[row] == class));
        rows[first..].shuffle(&mut random);
    }
    rows
}

/// Spreads the tested rows evenly over the dealt ones: one more is tested whenever `test` times the rows so far, and a
/// half, passes a whole number.
fn held_out(dealt: &[usize], test: f64) -> Folds {
    let mut of_row = vec![None; dealt.len()];
    let passed = |rows: usize| (rows as f64 * test + 0.5).floor();
    for (position, &row) in dealt.iter().enumerate() {
        if passed(position + 1) > passed(position) {
            of_row[row] = Some(0);
        }
    }
    Folds { of_row, n_folds: 1 }
}

/// A generator for a purpose: seed, name and number decide the sequence, whoever asks and whenever.
pub(crate) fn generator(seed: u64, name: &str, number: usize) -> ChaCha8Rng {
    let digits = nb_datasets::sha256_hex(format!("{seed}/{number}/{name}").as_bytes());
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
        *byte = 16 * digit(pair[0]) + digit(pair[1]);
    }
    ChaCha8Rng::from_seed(bytes)
}
