//! Work on all threads, in an order that no thread decides.

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
};

/// Results of the numbers `0..n_tasks`, by number. `done` sees each as it comes, with its number; if it
/// breaks off, nothing new is begun, what is under way is finished, and the rest has no result. Numbers are
/// begun in order.
pub(crate) fn each<T: Send>(
    n_tasks: usize,
    threads: NonZeroUsize,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, &T) -> ControlFlow<()>,
) -> Vec<Option<T>> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let mut results: Vec<Option<T>> = (0..n_tasks).map(|_| None).collect();
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
        for (number, result) in receiver {
            if done(number, &result).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
            results[number] = Some(result);
        }
    });
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap_or(NonZeroUsize::MIN)
    }

    #[test]
    fn results_come_in_order_and_every_one_is_seen() {
        for n in [1, 3] {
            let mut seen = Vec::new();
            let squares = each(
                5,
                threads(n),
                |number| number * number,
                |number, square| {
                    seen.push((number, *square));
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(squares, [0, 1, 4, 9, 16].map(Some));
            seen.sort_unstable();
            assert_eq!(seen, [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16)]);
        }
    }

    #[test]
    fn breaking_off_leaves_the_end_open() {
        let results = each(1000, threads(2), |number| number, |_, _| ControlFlow::Break(()));
        let n_done = results.iter().flatten().count();
        assert!(n_done >= 1 && results[..n_done].iter().all(Option::is_some), "{n_done}");
        assert!(results[n_done..].iter().all(Option::is_none));
    }
}
