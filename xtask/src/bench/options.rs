//! The options of `cargo xtask bench`.

use super::{quality, workloads::WORKLOADS};
use crate::count::count;

/// What to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Options {
    /// The time that this library takes against others.
    Peers(Peers),
    /// The answers of this library against those of others.
    Quality(Quality),
    /// Instructions against stored counts; `update` stores them.
    Instructions {
        /// Whether to store the counts instead of comparing them.
        update: bool,
    },
}

/// How to compare with other libraries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peers {
    /// How often each contender is visited.
    pub(crate) runs: usize,
    /// The workloads to run; empty for all.
    pub(crate) only: Vec<String>,
    /// Whether to run on a twentieth of the rows.
    pub(crate) quick: bool,
}

/// How to compare answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quality {
    /// The data sets to run on; empty for all.
    pub(crate) only: Vec<String>,
    /// The contenders that are left out, by the names of tables.
    pub(crate) without: Vec<String>,
    /// How often the rows are split into folds.
    pub(crate) repeats: usize,
    /// Whether answers of other programs that are not kept are left out, and not computed.
    pub(crate) is_kept_only: bool,
}

impl Quality {
    /// How often rows are split where nothing else is said.
    pub(crate) const REPEATS: usize = 3;

    /// The command that has these options.
    pub(crate) fn command(&self) -> String {
        let kept = self.is_kept_only.then(|| "--kept".to_owned());
        let repeats = (self.repeats != Self::REPEATS).then(|| format!("--repeats {}", self.repeats));
        let named = [("--only", &self.only), ("--without", &self.without)].into_iter();
        let named = named.filter(|(_, names)| !names.is_empty());
        let named = named.map(|(option, names)| format!("{option} {:?}", names.join(",")));
        let all = ["cargo xtask bench --quality".to_owned()].into_iter().chain(kept).chain(repeats);
        all.chain(named).collect::<Vec<_>>().join(" ")
    }

    /// Whether a data set is selected.
    pub(crate) fn wants(&self, set: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == set)
    }
}

impl Peers {
    /// Fewer runs have no median worth publishing.
    const LEAST_RUNS: usize = 7;

    /// Whether the run says enough to be published.
    pub(crate) fn is_complete(&self) -> bool {
        self.runs >= Self::LEAST_RUNS && self.only.is_empty() && !self.quick
    }

    /// Whether a workload is selected.
    pub(crate) fn wants(&self, workload: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == workload)
    }
}

impl Options {
    /// Reads the arguments after `bench`.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut arguments = arguments.iter();
        match arguments.next().map(String::as_str) {
            Some("--peers") => Self::parse_peers(arguments),
            Some("--quality") => Self::parse_quality(arguments),
            Some("--instructions") => Self::parse_instructions(arguments),
            Some(other) => {
                Err(format!("bench takes --peers, --quality or --instructions first, not {other:?}"))
            }
            None => Err("bench takes --peers, --quality or --instructions".into()),
        }
    }

    fn parse_peers<'a>(mut arguments: impl Iterator<Item = &'a String>) -> Result<Self, String> {
        let mut options = Peers { runs: Peers::LEAST_RUNS, only: Vec::new(), quick: false };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => options.quick = true,
                "--runs" => options.runs = count("--runs", arguments.next())?,
                "--only" => {
                    let names = arguments.next().ok_or("--only takes names of workloads")?;
                    for name in names.split(',') {
                        if WORKLOADS.iter().all(|workload| workload.name != name) {
                            let all: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
                            return Err(format!("there is no workload {name:?}, only {}", all.join(", ")));
                        }
                        options.only.push(name.into());
                    }
                }
                other => return Err(format!("bench --peers takes no {other:?}")),
            }
        }
        Ok(Self::Peers(options))
    }

    fn parse_quality<'a>(mut arguments: impl Iterator<Item = &'a String>) -> Result<Self, String> {
        let mut options =
            Quality { only: Vec::new(), without: Vec::new(), repeats: Quality::REPEATS, is_kept_only: false };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--without" => {
                    let names = arguments.next().ok_or("--without takes names of contenders")?;
                    for name in names.split(',') {
                        quality::check_contender(name)?;
                        options.without.push(name.into());
                    }
                }
                "--kept" => options.is_kept_only = true,
                "--repeats" => options.repeats = count("--repeats", arguments.next())?,
                "--only" => {
                    let names = arguments.next().ok_or("--only takes names of data sets")?;
                    for name in names.split(',') {
                        quality::check(name)?;
                        options.only.push(name.into());
                    }
                }
                other => return Err(format!("bench --quality takes no {other:?}")),
            }
        }
        Ok(Self::Quality(options))
    }

    fn parse_instructions<'a>(arguments: impl Iterator<Item = &'a String>) -> Result<Self, String> {
        let mut update = false;
        for argument in arguments {
            match argument.as_str() {
                "--update" => update = true,
                other => return Err(format!("bench --instructions takes no {other:?}")),
            }
        }
        Ok(Self::Instructions { update })
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
        let peers = Peers { runs: 9, only: vec!["G1".into(), "M2".into()], quick: true };
        assert_eq!(parse("--peers --runs 9 --only G1,M2 --quick"), Ok(Options::Peers(peers)));
        let some = Quality {
            only: vec!["iris".into(), "wine".into()],
            without: vec!["best".into(), "EBM".into()],
            repeats: 3,
            is_kept_only: false,
        };
        assert_eq!(parse("--quality --only iris,wine --without best,EBM"), Ok(Options::Quality(some)));
        let once = Quality { only: Vec::new(), without: Vec::new(), repeats: 1, is_kept_only: true };
        assert_eq!(parse("--quality --repeats 1 --kept"), Ok(Options::Quality(once)));
        assert_eq!(parse("--instructions"), Ok(Options::Instructions { update: false }));
        assert_eq!(parse("--instructions --update"), Ok(Options::Instructions { update: true }));
    }

    #[test]
    fn what_is_misspelt_is_named() {
        for (arguments, named) in [
            ("", "--peers, --quality or --instructions"),
            ("--quick", "--quick"),
            ("--peers --fast", "--fast"),
            ("--peers --runs", "--runs takes"),
            ("--peers --runs 0", "\"0\""),
            ("--peers --only G9", "\"G9\""),
            ("--quality --runs 3", "--runs"),
            ("--quality --without none", "\"none\""),
            ("--quality --repeats 0", "\"0\""),
            ("--quality --only", "--only takes"),
            ("--quality --only iris,playtennis", "\"playtennis\""),
            ("--instructions --runs", "--runs"),
        ] {
            let error = parse(arguments).expect_err(arguments);
            assert!(error.contains(named), "{arguments}: {error}");
        }
    }

    #[test]
    fn only_a_complete_run_is_published() {
        for (arguments, complete) in [
            ("--peers", true),
            ("--peers --quick", false),
            ("--peers --runs 3", false),
            ("--peers --only G3", false),
        ] {
            let Ok(Options::Peers(peers)) = parse(arguments) else { panic!("{arguments}") };
            assert_eq!(peers.is_complete(), complete, "{arguments}");
        }
    }
}
