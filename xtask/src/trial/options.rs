//! The options of `cargo xtask trial`.

use std::{path::PathBuf, time::Duration};

use crate::count::count;

/// Which tables to try, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The folder of the tables.
    pub(crate) folder: PathBuf,
    /// How many label columns to try for each table.
    pub(crate) labels: usize,
    /// The time limit of each process.
    pub(crate) limit: Duration,
    /// Whether to build the program with optimisations.
    pub(crate) release: bool,
    /// A program to try instead of the one that is built.
    pub(crate) program: Option<PathBuf>,
    /// Where all records are written.
    pub(crate) json: Option<PathBuf>,
}

impl Options {
    /// Reads the arguments after `trial`.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self {
            folder: PathBuf::new(),
            labels: 3,
            limit: Duration::from_secs(120),
            release: false,
            program: None,
            json: None,
        };
        let mut folder = None;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let value =
                |next: Option<&String>| next.cloned().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--labels" => options.labels = count(argument, rest.next())?,
                "--seconds" => options.limit = Duration::from_secs(count(argument, rest.next())? as u64),
                "--release" => options.release = true,
                "--program" => options.program = Some(value(rest.next())?.into()),
                "--json" => options.json = Some(value(rest.next())?.into()),
                other if other.starts_with('-') => return Err(format!("trial takes no {other:?}")),
                _ if folder.is_some() => {
                    return Err(format!("trial takes one folder, not also {argument:?}"));
                }
                _ => folder = Some(PathBuf::from(argument)),
            }
        }
        options.folder = folder.ok_or("trial needs the folder of the tables")?;
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Options, String> {
        Options::parse(&arguments.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read() {
        let options = parse("--labels 5 tables --seconds 7 --release --json all.json --program nb").unwrap();
        let expected = Options {
            folder: "tables".into(),
            labels: 5,
            limit: Duration::from_secs(7),
            release: true,
            program: Some("nb".into()),
            json: Some("all.json".into()),
        };
        assert_eq!(options, expected);
        assert_eq!(parse("tables").map(|options| options.labels), Ok(3));
    }

    #[test]
    fn what_is_misspelt_is_named() {
        for (arguments, named) in [
            ("", "needs the folder"),
            ("a b", "\"b\""),
            ("a --fast", "\"--fast\""),
            ("a --json", "--json needs"),
            ("a --labels 0", "\"0\""),
        ] {
            let error = parse(arguments).expect_err(arguments);
            assert!(error.contains(named), "{arguments}: {error}");
        }
    }
}
