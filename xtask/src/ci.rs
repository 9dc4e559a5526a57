//! `cargo xtask ci`: every check of the workspace, as the continuous integration runs it.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::Instant,
};

use crate::{bench, python};

/// A step: what it is called, its arguments to cargo, and its environment.
struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

/// What the tests of nb-core print before the names of the instruction sets whose code ran; they fail if the processor has
/// another one.
const SETS_RAN: &str = "instruction sets that ran: ";

/// The step that needs valgrind.
const INSTRUCTIONS: &str = "instructions";

/// Where property tests start to draw their cases, so that a change is only told of what it did itself. New cases are drawn
/// where the variable is set otherwise, and whenever tests run outside.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// The package of those that `cargo xtask bench --peers` measures.
const CONTENDERS: &str = "benches/peers/Cargo.toml";

/// The Python package.
const PYTHON: &str = "crates/nb-python/Cargo.toml";

/// The step that needs Python.
const PYTHON_TESTS: &str = "lints, tests and types of the Python package";

/// The package of queries and clusters.
const DISTRIBUTED: &str = "crates/nb-datafusion/Cargo.toml";

const STEPS: &[Step] = &[
    Step { name: "format", arguments: &["fmt", "--all", "--check"], environment: &[] },
    Step {
        name: "lints",
        arguments: &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--all-features",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ],
        environment: &[],
    },
    Step {
        name: "format of the contenders",
        arguments: &["fmt", "--manifest-path", CONTENDERS, "--check"],
        environment: &[],
    },
    // They are no members of the workspace, and would break unseen when the interface changes.
    Step {
        name: "lints of the contenders",
        arguments: &[
            "clippy",
            "--manifest-path",
            CONTENDERS,
            "--target-dir",
            "target/peers",
            "--locked",
            "--all-targets",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ],
        environment: &[],
    },
    Step {
        name: "documentation",
        arguments: &["doc", "--workspace", "--no-deps", "--all-features", "--quiet"],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
    Step {
        name: "tests",
        arguments: &["test", "--workspace", "--all-features", "--quiet"],
        environment: &[],
    },
    Step {
        name: "format of the Python package",
        arguments: &["fmt", "--manifest-path", PYTHON, "--check"],
        environment: &[],
    },
    Step { name: PYTHON_TESTS, arguments: &[], environment: &[] },
    // As the registry would take them, but for the build: what is packed is what the steps above have built. Packages find
    // one another in a registry of the folder `target`. The working tree may have changes.
    Step {
        name: "packages",
        arguments: &[
            "package",
            "--workspace",
            "--exclude",
            "xtask",
            "--exclude",
            "benches",
            "--no-verify",
            "--allow-dirty",
            "--quiet",
        ],
        environment: &[],
    },
    Step {
        name: "format of nb-datafusion",
        arguments: &["fmt", "--manifest-path", DISTRIBUTED, "--check"],
        environment: &[],
    },
    // Ballista and what it brings take some minutes of two cores the first time. `cargo clippy` would have all of it once
    // more for itself, so that the lints are those of the compiler that builds the tests. The tests themselves take three
    // minutes: processes of clusters are started and killed one after another, on ten million rows.
    Step {
        name: "lints and tests of nb-datafusion",
        arguments: &[
            "test",
            "--manifest-path",
            DISTRIBUTED,
            "--target-dir",
            "target/distributed",
            "--locked",
            "--quiet",
        ],
        environment: &[
            ("CARGO_INCREMENTAL", "0"),
            ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
            ("RUSTFLAGS", "-D warnings"),
            // The step of all tests has built it.
            ("NB_NBAYES", "target/debug/nbayes"),
        ],
    },
    Step {
        name: "tests without features",
        arguments: &["test", "--package", "nb-core", "--test", "it", "--quiet"],
        environment: &[],
    },
    Step { name: "verify", arguments: &["xtask", "verify"], environment: &[] },
    Step { name: "pins", arguments: &["xtask", "pin", "--check"], environment: &[] },
    Step { name: "random stories", arguments: &["xtask", "fuzz", "--seconds", "40"], environment: &[] },
    Step { name: INSTRUCTIONS, arguments: &["xtask", "bench", "--instructions"], environment: &[] },
];

/// Runs all steps, one after the other; the first that fails ends the run.
///
/// # Errors
/// Which step failed, and how to run it alone.
pub(crate) fn run(print: &mut dyn FnMut(&str)) -> Result<(), String> {
    let mut tests = Tests::default();
    for step in STEPS {
        print(&format!("== {} ==", step.name));
        if step.name == INSTRUCTIONS && !bench::instructions_can_be_counted() {
            print("SKIPPED: valgrind is not installed, so that instructions cannot be counted");
            continue;
        }
        let start = Instant::now();
        if step.name == PYTHON_TESTS {
            python::run(&mut tests, print)?;
        } else {
            step.run(&mut tests, print)?;
        }
        print(&format!("== {}: {:.0} s ==", step.name, start.elapsed().as_secs_f64()));
    }
    print(&format!("{} passed, {} failed, {} skipped", tests.passed, tests.failed, tests.ignored));
    if tests.sets.is_empty() {
        return Err(format!("no test said {SETS_RAN:?}: which instruction sets were tested?"));
    }
    for sets in &tests.sets {
        print(&format!("{SETS_RAN}{sets}"));
    }
    Ok(())
}

impl Step {
    fn run(&self, tests: &mut Tests, print: &mut dyn FnMut(&str)) -> Result<(), String> {
        let seed = std::env::var(SEED.0).unwrap_or_else(|_| SEED.1.to_owned());
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(self.arguments).env(SEED.0, seed).envs(self.environment.iter().copied());
        let said = format!("cargo {}", self.arguments.join(" "));
        carry_out(self.name, &said, command.current_dir(bench::root()), tests, print)
    }
}

/// Runs a command of a step, prints what it writes, and counts its tests. `said` is how to run it alone.
///
/// # Errors
/// Which step failed, and how to run it alone.
pub(crate) fn carry_out(
    step: &str,
    said: &str,
    command: &mut Command,
    tests: &mut Tests,
    print: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let failed = |how: &str| format!("{step}: `{said}` {how}");
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&format!("cannot be started: {error}")))?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line.map_err(|error| failed(&format!("wrote what cannot be read: {error}")))?;
            tests.count(&line);
            print(&line);
        }
    }
    let status = child.wait().map_err(|error| failed(&error.to_string()))?;
    if status.success() { Ok(()) } else { Err(failed(&format!("failed with {status}"))) }
}

/// How many tests ran, over all binaries.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tests {
    passed: usize,
    failed: usize,
    pub(crate) ignored: usize,
    /// The instruction sets that test binaries say they ran, each list once.
    sets: BTreeSet<String>,
}

impl Tests {
    /// Adds up a line such as `test result: ok. 7 passed; 0 failed; 1 ignored; ...`, or pytest's
    /// `7 passed, 1 skipped, 2 warnings in 3.05s`.
    fn count(&mut self, line: &str) {
        if let Some((_, sets)) = line.split_once(SETS_RAN) {
            self.sets.insert(sets.trim().to_owned());
        }
        let of_cargo = line.split_once("test result: ").and_then(|(_, rest)| rest.split_once(". "));
        let of_pytest =
            line.rsplit_once(" in ").filter(|(_, time)| time.starts_with(|c: char| c.is_ascii_digit()));
        let (counts, separator) = match (of_cargo, of_pytest) {
            (Some((_, counts)), _) => (counts, "; "),
            (None, Some((counts, _))) => (counts, ", "),
            (None, None) => return,
        };
        for (number, what) in counts.split(separator).filter_map(|count| count.split_once(' ')) {
            let Ok(number) = number.parse::<usize>() else { continue };
            match what {
                "passed" => self.passed += number,
                "failed" | "error" | "errors" => self.failed += number,
                "ignored" | "skipped" | "xfailed" => self.ignored += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_added_up() {
        let mut tests = Tests::default();
        tests.count(
            "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.1s",
        );
        tests.count("running 3 tests");
        tests.count("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out");
        tests.count("..instruction sets that ran: portable, avx2");
        tests.count("instruction sets that ran: portable, avx2");
        tests.count("1230 passed, 8 skipped, 9 xfailed, 1 error, 18 warnings in 21.50s");
        tests.count("1 failed, 20 passed in 75.10s (0:01:15)");
        tests.count("   Finished `dev` profile [unoptimized] target(s) in 1.85s");
        let sets = BTreeSet::from(["portable, avx2".to_owned()]);
        assert_eq!(tests, Tests { passed: 1258, failed: 4, ignored: 18, sets });
    }
}
