//! Answers that are kept, so that only what has changed is computed again.
//!
//! A file is named by what decides the answers: the data set, its splits, and what the contender is.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::data::Data;

/// What a contender says of one data set, split in one way.
#[derive(Debug)]
pub(super) struct Answer {
    /// The log-probabilities of the classes of each row; those of rows that are not tested mean nothing.
    pub(super) log_probabilities: Array2<f64>,
    /// Processor time.
    pub(super) times: Times,
}

/// Processor time in seconds.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Times {
    /// Of all training.
    pub(super) train: f64,
    /// Of all prediction.
    pub(super) predict: f64,
}

impl std::ops::AddAssign for Times {
    fn add_assign(&mut self, other: Self) {
        self.train += other.train;
        self.predict += other.predict;
    }
}

/// What is said beside the numbers.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Said {
    Failure { failure: String },
    Times(Times),
}

/// The folder of the answers of one contender.
#[derive(Debug)]
pub(super) struct Answers {
    folder: PathBuf,
    fingerprint: String,
}

impl Answers {
    /// Those of a contender that this fingerprint says everything of.
    pub(super) fn new(folder: &Path, contender: &str, fingerprint: &str) -> Result<Self, String> {
        let folder = folder.join(contender);
        fs::create_dir_all(&folder)
            .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        Ok(Self { folder, fingerprint: fingerprint.to_owned() })
    }

    /// The file of the answers for a data set in this split.
    pub(super) fn path(&self, set: &Data, repeat: usize) -> PathBuf {
        let mut bytes = set.table.fingerprint().into_bytes();
        for text in set.texts.iter().flatten() {
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes.extend(set.repeats[repeat].of_row.iter().flat_map(|row| row.number().to_le_bytes()));
        bytes.extend(self.fingerprint.as_bytes());
        let digits = nb_datasets::sha256_hex(&bytes);
        self.folder.join(format!("{}.{repeat}.{}", set.key(), &digits[..16]))
    }

    /// The answers, or why there are none, if they are known.
    pub(super) fn read(&self, set: &Data, repeat: usize) -> Option<Result<Answer, String>> {
        let path = self.path(set, repeat);
        let said = serde_json::from_slice(&fs::read(beside(&path)).ok()?).ok()?;
        let times = match said {
            Said::Failure { failure } => return Some(Err(failure)),
            Said::Times(times) => times,
        };
        let bytes = fs::read(&path).ok()?;
        let numbers = bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        let shape = (set.table.n_rows(), set.table.classes.len());
        let log_probabilities = Array2::from_shape_vec(shape, numbers).ok()?;
        Some(Ok(Answer { log_probabilities, times }))
    }

    /// Keeps answers, in the place of those of another fingerprint. What is beside them comes last: without
    /// it they are not complete.
    pub(super) fn write(
        &self,
        set: &Data,
        repeat: usize,
        answer: &Result<Answer, String>,
    ) -> Result<(), String> {
        let path = self.path(set, repeat);
        let failed = |error: std::io::Error| format!("{} cannot be written: {error}", path.display());
        let same = format!("{}.{repeat}.", set.key());
        for file in fs::read_dir(&self.folder).map_err(failed)?.flatten() {
            if file.file_name().to_string_lossy().starts_with(&same) {
                fs::remove_file(file.path()).map_err(failed)?;
            }
        }
        let said = match answer {
            Ok(answer) => {
                let bytes: Vec<u8> =
                    answer.log_probabilities.iter().flat_map(|number| number.to_le_bytes()).collect();
                fs::write(&path, bytes).map_err(failed)?;
                Said::Times(answer.times)
            }
            Err(failure) => Said::Failure { failure: failure.clone() },
        };
        let said = serde_json::to_vec(&said).map_err(|error| error.to_string())?;
        fs::write(beside(&path), said).map_err(failed)
    }
}

/// The file with what is said beside the numbers.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::{super::tests::embedded, *};

    #[test]
    fn answers_are_kept_until_what_decides_them_changes() {
        let set = embedded("zoo");
        let folder = std::env::temp_dir().join(format!("nb-quality-answers-{}", std::process::id()));
        let first = Answers::new(&folder, "a contender", "first").expect("a folder");
        assert!(first.read(&set, 0).is_none());
        let log_probabilities = Array2::from_shape_fn((set.table.n_rows(), 7), |(row, class)| {
            if class == 0 { f64::NEG_INFINITY } else { -(row as f64) / class as f64 }
        });
        let times = Times { train: 1.5, predict: 0.25 };
        let answer = Answer { log_probabilities: log_probabilities.clone(), times };
        first.write(&set, 0, &Ok(answer)).expect("written");
        let read = first.read(&set, 0).expect("it is there").expect("it is an answer");
        assert_eq!((read.log_probabilities, read.times), (log_probabilities, times));

        // Other splits, and another fingerprint, whose answers take the place of these.
        let mut split = embedded("zoo");
        split.repeats[0].of_row.rotate_left(1);
        assert_ne!(split.repeats, set.repeats);
        assert!(first.read(&split, 0).is_none());
        let second = Answers::new(&folder, "a contender", "second").expect("a folder");
        assert!(second.read(&set, 0).is_none());
        second.write(&set, 0, &Err("too few rows".into())).expect("written");
        assert_eq!(second.read(&set, 0).expect("it is there").expect_err("a failure"), "too few rows");
        assert!(first.read(&set, 0).is_none());
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn answers_that_are_not_complete_are_none() {
        let set = embedded("iris");
        let folder = std::env::temp_dir().join(format!("nb-quality-parts-{}", std::process::id()));
        let answers = Answers::new(&folder, "a contender", "").expect("a folder");
        let path = answers.path(&set, 0);
        fs::write(&path, [0; 24]).expect("written");
        assert!(answers.read(&set, 0).is_none());
        fs::write(beside(&path), r#"{"train": 1.0, "predict": 1.0}"#).expect("written");
        assert!(answers.read(&set, 0).is_none());
        fs::remove_dir_all(&folder).expect("removed");
    }
}
