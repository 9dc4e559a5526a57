//! Answers of another program as a variant.

use serde::{Deserialize, Serialize};

use super::{Learner, Variant};
use crate::{Fitted, Method, MethodError, Table};

/// A file with the answers of another program to the rows that a design tests. What is in the file is not
/// this crate's business; [`Answers`](crate::Answers) checks it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct AnswerFile {
    /// Its path.
    pub file: String,
    /// The name that the file has for the variant, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The SHA-256 checksum of the file, in hexadecimal digits; empty while it was not read.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sha256: String,
}

impl AnswerFile {
    /// A file of which nothing else is known.
    pub fn new(file: impl Into<String>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }
}

impl Variant {
    /// The answers of a file to be compared as a variant of this name.
    ///
    /// ```
    /// use nb_compare::{AnswerFile, Variant};
    ///
    /// let variant = Variant::of_answers("forest", AnswerFile::new("forest.csv"));
    /// assert_eq!(variant.answers().map(|answers| answers.file.as_str()), Some("forest.csv"));
    /// ```
    pub fn of_answers(name: impl Into<String>, answers: AnswerFile) -> Self {
        Self { name: name.into(), calibration: None, tune: None, learner: Learner::Answers(answers) }
    }

    /// The file, if the variant is answers of another program.
    pub fn answers(&self) -> Option<&AnswerFile> {
        if let Learner::Answers(answers) = &self.learner { Some(answers) } else { None }
    }

    /// The same, to be changed.
    pub fn answers_mut(&mut self) -> Option<&mut AnswerFile> {
        if let Learner::Answers(answers) = &mut self.learner { Some(answers) } else { None }
    }
}

/// Answers of another program where there are none: they are read and never learnt.
pub(super) struct NoAnswers(pub(super) String);

impl Method for NoAnswers {
    fn fit(&self, table: &Table, _: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        Err(MethodError::not_applicable(format!("{} has no answers for `{}`", self.0, table.name)))
    }
}
