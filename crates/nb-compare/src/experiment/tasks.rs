//! The parts of an experiment on all threads.

use std::{num::NonZeroUsize, ops::ControlFlow};

use crate::{experiment::ExperimentError, parallel};

/// Hears how much is done, and of how much; may break off.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize) -> ControlFlow<()>;

/// Results of the numbers `0..n_tasks`, in this order.
///
/// # Errors
/// [`ExperimentError::Interrupted`] if `progress` broke off, else the error of the task with the smallest
/// number, of those that were done.
pub(crate) fn each<T: Send>(
    n_tasks: usize,
    threads: NonZeroUsize,
    progress: Progress<'_>,
    work: impl Fn(usize) -> Result<T, ExperimentError> + Sync,
) -> Result<Vec<T>, ExperimentError> {
    let (mut n_done, mut is_broken_off) = (0, false);
    let results = parallel::each(n_tasks, threads, work, |_, result| {
        n_done += 1;
        is_broken_off |= progress(n_done, n_tasks).is_break();
        if is_broken_off || result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if is_broken_off {
        return Err(ExperimentError::Interrupted);
    }
    // An error comes before the gaps that it leaves: numbers are begun in order.
    results.into_iter().map(|result| result.unwrap_or(Err(ExperimentError::Interrupted))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap_or(NonZeroUsize::MIN)
    }

    #[test]
    fn results_come_in_order_and_every_one_is_counted() {
        for n in [1, 3] {
            let mut counts = Vec::new();
            let mut count = |done, total| {
                counts.push((done, total));
                ControlFlow::Continue(())
            };
            let squares = each(5, threads(n), &mut count, |number| Ok(number * number));
            assert_eq!(squares.ok(), Some(vec![0, 1, 4, 9, 16]));
            assert_eq!(counts, [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]);
        }
    }

    #[test]
    fn breaking_off_and_failing_are_errors() {
        let mut stop = |_, _| ControlFlow::Break(());
        let broken = each(1000, threads(2), &mut stop, Ok);
        assert!(matches!(broken, Err(ExperimentError::Interrupted)));

        let mut go_on = |_, _| ControlFlow::Continue(());
        let failed: Result<Vec<()>, _> = each(9, threads(2), &mut go_on, |number| {
            let error = ExperimentError::Option { name: "number", value: number as f64, must_be: "below 4" };
            if number < 4 { Ok(()) } else { Err(error) }
        });
        assert!(matches!(failed, Err(ExperimentError::Option { value: 4.0, .. })));
    }
}
