//! Categories: the codes of their names.

use std::collections::HashMap;

use crate::{
    category_name,
    read::{CellProblem, NewLevels, columns::MOST_LEVELS},
    schema::nearest,
};

/// How many bytes the names of the categories of a column may have together.
pub(in crate::read) const MOST_LEVEL_BYTES: usize = 1 << 28;

/// The codes of the categories of a column.
#[derive(Debug)]
pub(in crate::read) struct Levels {
    codes: HashMap<String, usize>,
    bytes: usize,
    policy: NewLevels,
}

impl Levels {
    pub(in crate::read) fn new(names: &[String], policy: NewLevels) -> Self {
        let bytes = names.iter().map(String::len).sum();
        let mut codes: HashMap<String, usize> = names.iter().cloned().zip(0..).collect();
        // A schema may have a name as it was written.
        for (name, code) in names.iter().zip(0..) {
            if category_name(name) != name {
                codes.entry(category_name(name).into()).or_insert(code);
            }
        }
        Self { codes, bytes, policy }
    }

    /// Checks that a category is allowed, without the limit on their number. `names` are those of the schema.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn check(&self, name: &str, names: &[String]) -> Result<(), CellProblem> {
        let is_known = || self.codes.contains_key(name) || self.codes.contains_key(category_name(name));
        if self.policy == NewLevels::Error && !is_known() {
            return Err(new_level(category_name(name), names));
        }
        Ok(())
    }

    /// The code of a category; a new one is dealt with as the policy says. `names` are those of the schema.
    pub(in crate::read) fn code(&mut self, name: &str, names: &mut Vec<String>) -> Result<f64, CellProblem> {
        if let Some(&code) = self.codes.get(name).or_else(|| self.codes.get(category_name(name))) {
            return Ok(code as f64);
        }
        let name = category_name(name);
        match self.policy {
            NewLevels::Error => Err(new_level(name, names)),
            NewLevels::Intern if names.len() >= MOST_LEVELS || self.bytes + name.len() > MOST_LEVEL_BYTES => {
                Err(CellProblem::TooManyLevels { limit: names.len() })
            }
            NewLevels::Intern => {
                let code = names.len();
                self.bytes += name.len();
                self.codes.insert(name.into(), code);
                names.push(name.into());
                Ok(code as f64)
            }
            NewLevels::Missing => Ok(f64::NAN),
            NewLevels::Unseen => Ok(names.len() as f64),
        }
    }
}

fn new_level(name: &str, names: &[String]) -> CellProblem {
    let nearest = nearest(name, names.iter().map(String::as_str));
    CellProblem::NewLevel { levels: names.len(), nearest }
}
