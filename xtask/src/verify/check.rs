//! A check: what to run, and what came of it.

use std::error::Error;

/// Whatever keeps a check from coming to a result; it makes the check fail.
pub(crate) type Problem = Box<dyn Error + Send + Sync>;

/// Something to verify. It is named before it runs, so that a pattern can choose it.
pub(crate) struct Check {
    /// The heading under which the table lists it.
    pub(crate) group: Group,
    /// What is checked, such as a data set and a model.
    pub(crate) name: String,
    /// Where the expected value comes from.
    pub(crate) source: String,
    run: Box<dyn Fn() -> Result<Outcome, Problem> + Send>,
}

/// The headings of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Data,
    Published,
    References,
    HardCases,
    Special,
}

impl Group {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Published => "published numbers",
            Self::References => "independent references",
            Self::HardCases => "hard cases",
            Self::Special => "special cases",
        }
    }

    /// How to read the errors under the heading, where that is not plain.
    pub(crate) fn legend(self) -> Option<&'static str> {
        matches!(self, Self::References | Self::HardCases).then_some(
            "errors: the worst parameter in units in the last place (the bar is 4), the worst joint log-likelihood \
             (jll) and log-posterior as a share of their bars",
        )
    }
}

/// The result of a check, as the table shows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) expected: String,
    pub(crate) got: String,
    /// The size of the error, in the units of the check; empty where there is nothing to measure.
    pub(crate) error: String,
    /// Whether the check holds.
    pub(crate) passed: bool,
    /// What differs in a failing check, and what other packages give.
    pub(crate) remarks: Vec<String>,
}

impl Check {
    pub(crate) fn new(
        group: Group,
        name: impl Into<String>,
        source: impl Into<String>,
        run: impl Fn() -> Result<Outcome, Problem> + Send + 'static,
    ) -> Self {
        Self { group, name: name.into(), source: source.into(), run: Box::new(run) }
    }

    pub(crate) fn run(&self) -> Outcome {
        (self.run)().unwrap_or_else(|problem| Outcome {
            expected: "a result".into(),
            got: "an error".into(),
            error: String::new(),
            passed: false,
            remarks: vec![problem.to_string()],
        })
    }
}

impl Outcome {
    /// The outcome of comparing two things that must be equal, by what the table shows of them.
    pub(crate) fn equal(expected: impl Into<String>, got: impl Into<String>) -> Self {
        let (expected, got) = (expected.into(), got.into());
        Self { passed: expected == got, error: String::new(), remarks: Vec::new(), expected, got }
    }

    /// The outcome of comparing two numbers with an absolute bound; NaN is never within it.
    pub(crate) fn within(expected: f64, got: f64, bound: f64) -> Self {
        let error = (got - expected).abs();
        Self {
            expected: format!("{expected:.12e}"),
            got: format!("{got:.12e}"),
            error: format!("{error:.1e} of {bound:.1e}"),
            passed: error <= bound,
            remarks: Vec::new(),
        }
    }

    /// An outcome that lists what is wrong, if anything.
    pub(crate) fn of_problems(
        expected: impl Into<String>,
        got: impl Into<String>,
        problems: Vec<String>,
    ) -> Self {
        Self {
            expected: expected.into(),
            got: got.into(),
            error: String::new(),
            passed: problems.is_empty(),
            remarks: problems,
        }
    }

    /// Adds what measures the error.
    pub(crate) fn with_error(mut self, error: impl Into<String>) -> Self {
        self.error = error.into();
        self
    }

    /// Fails unless a further condition holds.
    pub(crate) fn and(mut self, holds: bool, otherwise: impl Into<String>) -> Self {
        if !holds {
            self.passed = false;
            self.remarks.push(otherwise.into());
        }
        self
    }

    /// Adds a remark that changes nothing.
    pub(crate) fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remarks.push(remark.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_and_errors_fail() {
        assert!(Outcome::within(1.0, 1.5, 0.5).passed);
        assert!(!Outcome::within(1.0, f64::NAN, 0.5).passed);
        let check = Check::new(Group::Data, "a", "b", || Err("broken".into()));
        assert!(!check.run().passed);
        assert_eq!(check.run().remarks, ["broken"]);
    }
}
