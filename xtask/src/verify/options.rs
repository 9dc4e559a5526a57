//! The options of `cargo xtask verify`.

use super::check::Check;

/// What to run and how to print it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Print JSON instead of a table.
    pub(crate) json: bool,
    /// Run only checks with this text in their name or source.
    pub(crate) only: Option<String>,
}

/// An option that does not exist or lacks its value.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OptionsError {
    #[error("there is no option {0:?}")]
    Unknown(String),
    #[error("--only needs a pattern")]
    NoPattern,
}

impl Options {
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, OptionsError> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--json" => options.json = true,
                "--only" => options.only = Some(arguments.next().ok_or(OptionsError::NoPattern)?.clone()),
                _ => return Err(OptionsError::Unknown(argument.clone())),
            }
        }
        Ok(options)
    }

    /// Whether to run a check.
    pub(crate) fn chooses(&self, check: &Check) -> bool {
        self.only
            .as_ref()
            .is_none_or(|pattern| check.name.contains(pattern) || check.source.contains(pattern))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, OptionsError> {
        Options::parse(&arguments.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_or_refused_by_name() {
        let only = Some("iris".to_owned());
        assert_eq!(parse(&["--json", "--only", "iris"]), Ok(Options { json: true, only }));
        assert_eq!(parse(&["--fast"]), Err(OptionsError::Unknown("--fast".into())));
        assert_eq!(parse(&["--only"]), Err(OptionsError::NoPattern));
    }
}
