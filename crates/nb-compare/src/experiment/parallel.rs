//! The same work many times, on all threads, in an order that no thread decides.

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
};

use crate::experiment::ExperimentError;

/// Hears how much is done, and of how much; may break off.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize) -> ControlFlow<()>;

/// Results of the numbers `0..n_tasks`, in this order.
///
/// # Errors
/// [`ExperimentError::Interrupted`] if `progress` broke off, else the error of the task with the smallest number, of
/// those that were done.
pub(crate) fn each<T: Send>(
    n_tasks: usize,
    threads: NonZeroUsize,
    progress: Progress<'_>,
    work: impl Fn(usize) -> Result<T, ExperimentError> + Sync,
) -> Result<Vec<T>, ExperimentError> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let mut is_broken_off = false;
    let mut results: Vec<Option<Result<T, ExperimentError>>> = (0..n_tasks).map(|_| None).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.get().min(n_tasks) {
            let (sender, next, stop, work) = (sender.clone(), &next, &stop, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= n_tasks || sender.send((number, work(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (done, (number, result)) in receiver.into_iter().enumerate() {
            is_broken_off |= progress(done + 1, n_tasks).is_break();
            if is_broken_off || result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            results[number] = Some(result);
        }
    });
    if is_broken_off {
        return Err(ExperimentError::Interrupted);
    }
    // An error comes before the gaps that it leaves: numbers are handed out in order.
    let mut whole = Vec::with_capacity(n_tasks);
    for result in results {
        whole.push(result.ok_or(ExperimentError::Interrupted)??);
    }
    Ok(whole)
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
