//! Which rows are trained on, and which are tested.

mod dealing;
mod error;
mod folds;
mod groups;
mod splits;

pub use dealing::Dealing;
pub use error::PlanError;
pub use folds::Folds;
pub use groups::deal_groups;
pub use splits::{SplitBy, Splits};

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::Table;

/// More repeats than anybody waits for, and few enough to be counted in memory.
const MOST_REPEATS: usize = 1_000_000;

/// How rows are split into those trained on and those tested, always by classes: each part has its share of
/// every class, as far as whole rows allow.
///
/// A split depends on the seed, the contents of the table (those of its [`Table::fingerprint`] without the
/// terms of texts) and the number of the repeat, and on nothing else, such as the name of a file or its
/// folder: all variants see the same ones, so that their results are pairs. A table whose rows belong to
/// groups, or that brings its splits with it, has other ones ([`Dealing`]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Plan {
    /// Every row is tested once in each repeat, by what was learnt from the other folds. Stratified:
    /// Kohavi (1995), *A study of cross-validation and bootstrap for accuracy estimation and model
    /// selection*, IJCAI.
    CrossValidation {
        /// The number of folds, at least 2.
        folds: usize,
        /// How often the rows are shuffled again.
        repeats: usize,
    },
    /// Every row is tested once, by what was learnt from all others. Nothing is random.
    LeaveOneOut {},
    /// A part of the rows is tested by what was learnt from the rest.
    HeldOut {
        /// The part that is tested, between 0 and 1.
        test: f64,
        /// How often the rows are shuffled again.
        repeats: usize,
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

    /// The folds of a table in a repeat: those that its [`Dealing`] gives or allows.
    ///
    /// # Errors
    /// [`PlanError`] if the plan is out of range, the table has too few rows or groups for it, or there is no
    /// such repeat.
    pub fn folds(&self, table: &Table, seed: u64, repeat: usize) -> Result<Folds, PlanError> {
        self.folds_of(table, &table.split_key(), seed, repeat)
    }

    /// The same for a table whose [`Table::split_key`] is known.
    pub(crate) fn folds_of(
        &self,
        table: &Table,
        key: &str,
        seed: u64,
        repeat: usize,
    ) -> Result<Folds, PlanError> {
        match &table.dealing {
            Dealing::Rows => self.deal(&table.name, key, &table.labels, seed, repeat),
            Dealing::Groups { column, of_row } => {
                self.check()?;
                groups::deal(*self, table, column, of_row, &mut generator(seed, key, repeat))
            }
            Dealing::Given(repeats) => repeats.get(repeat).cloned().ok_or_else(|| PlanError::NoRepeat {
                table: table.name.clone(),
                repeat,
                repeats: repeats.len(),
            }),
        }
    }

    /// The folds of rows with these labels and this key, each dealt by itself; the name is that of errors.
    pub(crate) fn deal(
        &self,
        name: &str,
        key: &str,
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
                for (position, row) in dealt(labels, generator(seed, key, repeat)).into_iter().enumerate() {
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
                Ok(held_out(&dealt(labels, generator(seed, key, repeat)), test))
            }
        }
    }
}

/// All rows, those of the first class first, shuffled within their class. Dealt in turn, like cards, they
/// give folds whose sizes differ by at most one, and so do those of each class.
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

/// Spreads the tested rows evenly over the dealt ones: one more is tested whenever `test` times the rows so
/// far, and a half, passes a whole number.
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
