//! Running checks on all cores, with results in the order of the list.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread;

use super::check::{Check, Outcome};
use super::report::Line;

/// Runs all checks. Which thread runs which is a matter of chance, the order of the results is not.
pub(crate) fn run_all(checks: Vec<Check>) -> Vec<Line> {
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut lines: Vec<Option<Line>> = checks.iter().map(|_| None).collect();
    // A check is dropped as soon as it has run, and with the last one of a data set its table.
    let queue = Mutex::new(checks.into_iter().zip(&mut lines));
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while let Some((check, line)) = next(&queue) {
                    *line = Some(Line {
                        outcome: run(&check),
                        group: check.group,
                        name: check.name,
                        source: check.source,
                    });
                }
            });
        }
    });
    lines.into_iter().flatten().collect()
}

fn next<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    // No code that could panic runs while the lock is held.
    queue.lock().ok()?.next()
}

/// Runs one check; a panic is a failure like any other.
fn run(check: &Check) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| check.run())).unwrap_or_else(|_| {
        Outcome::of_problems("a result", "a panic", vec!["panicked; the message is on standard error".into()])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::check::Group;

    #[test]
    fn results_keep_the_order_of_the_list() {
        let checks = (0..50).map(|i| {
            Check::new(Group::Special, format!("{i}"), "test", move || {
                Ok(Outcome::equal("same", if i == 7 { "other" } else { "same" }))
            })
        });
        let lines = run_all(checks.collect());
        let names: Vec<_> = lines.iter().map(|line| line.name.parse()).collect();
        assert_eq!(names, (0..50).map(Ok).collect::<Vec<_>>());
        let failed: Vec<_> = lines.iter().filter(|line| !line.outcome.passed).collect();
        assert_eq!(failed.len(), 1);
    }
}
