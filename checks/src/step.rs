//! Steps: commands of which each must succeed, with the tests that they run counted.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::Instant,
};

use crate::workspace::cargo;

/// Where lines go.
pub(crate) type Print<'a> = &'a mut dyn FnMut(&str);

/// What the tests of nb-core print before the names of the instruction sets whose code ran; they fail if the
/// processor has another one.
pub(crate) const SETS_RAN: &str = "instruction sets that ran: ";

/// The steps so far: what their tests came to, and how long each took.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    pub(crate) tests: Tests,
    times: Vec<(String, f64)>,
}

impl Steps {
    /// Carries out a step, and notes its time.
    ///
    /// # Errors
    /// Which step failed, and how to run it alone.
    pub(crate) fn run(
        &mut self,
        name: &str,
        print: Print<'_>,
        step: impl FnOnce(&mut Tests, Print<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        print(&format!("== {name} =="));
        let start = Instant::now();
        step(&mut self.tests, print).map_err(|error| format!("{name}: {error}"))?;
        let seconds = start.elapsed().as_secs_f64();
        print(&format!("== {name}: {seconds:.0} s =="));
        self.times.push((name.to_owned(), seconds));
        Ok(())
    }

    /// Runs cargo with these arguments and variables as a step.
    ///
    /// # Errors
    /// As from [`run`](Self::run).
    pub(crate) fn cargo(
        &mut self,
        name: &str,
        arguments: &[&str],
        environment: &[(&str, &str)],
        print: Print<'_>,
    ) -> Result<(), String> {
        self.run(name, print, |tests, print| {
            let said = format!("cargo {}", arguments.join(" "));
            carry_out(&said, cargo().args(arguments).envs(environment.iter().copied()), tests, print)
        })
    }

    /// A table of what each step took, and the counts of tests as the last line.
    pub(crate) fn report(&self, print: Print<'_>) {
        let total: f64 = self.times.iter().map(|(_, seconds)| seconds).sum();
        for (name, seconds) in &self.times {
            print(&format!("{seconds:7.0} s  {name}"));
        }
        print(&format!("{total:7.0} s  in all"));
        let Tests { passed, failed, skipped, .. } = self.tests;
        print(&format!("{passed} passed, {failed} failed, {skipped} skipped"));
    }
}

/// Runs a command, prints what it writes, and counts its tests. `said` is how to run it alone.
///
/// # Errors
/// How it failed.
pub(crate) fn carry_out(
    said: &str,
    command: &mut Command,
    tests: &mut Tests,
    print: Print<'_>,
) -> Result<(), String> {
    let failed = |how: &str| format!("`{said}` {how}");
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
    skipped: usize,
    /// The instruction sets that test binaries say they ran, each list once.
    pub(crate) sets: BTreeSet<String>,
}

impl Tests {
    /// Says why a check is left out, and counts it as skipped.
    pub(crate) fn skip(&mut self, why: &str, print: Print<'_>) {
        print(&format!("SKIPPED: {why}"));
        self.skipped += 1;
    }

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
                "ignored" | "skipped" | "xfailed" => self.skipped += number,
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
        for line in [
            "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.1s",
            "running 3 tests",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
            "..instruction sets that ran: portable, avx2",
            "instruction sets that ran: portable, avx2",
            "1230 passed, 8 skipped, 9 xfailed, 1 error, 18 warnings in 21.50s",
            "1 failed, 20 passed in 75.10s (0:01:15)",
            "   Finished `dev` profile [unoptimized] target(s) in 1.85s",
        ] {
            tests.count(line);
        }
        tests.skip("nothing to run it with", &mut |_| {});
        let sets = BTreeSet::from(["portable, avx2".to_owned()]);
        assert_eq!(tests, Tests { passed: 1258, failed: 4, skipped: 19, sets });
    }

    #[test]
    fn a_step_that_fails_names_itself_and_its_command() {
        let (mut steps, mut lines) = (Steps::default(), Vec::new());
        let error =
            steps.cargo("nonsense", &["no-such-command"], &[], &mut |line| lines.push(line.to_owned()));
        assert!(error.unwrap_err().starts_with("nonsense: `cargo no-such-command` failed with"), "{lines:?}");
        assert_eq!(lines, ["== nonsense =="]);
    }
}
