//! What is derived of parameters when it is used enough to be worth it: a few rows never pay for it.

use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

/// Something that is made late.
#[derive(Debug)]
pub(crate) struct AmortizedLazy<T> {
    /// How much it would have been used so far; no more is counted once it is made.
    used: AtomicUsize,
    made: OnceLock<T>,
}

impl<T> AmortizedLazy<T> {
    /// It, unless it does not pay yet: it is made when it would have been used as much as it costs, in any
    /// unit.
    pub(crate) fn get(&self, uses: usize, cost: usize, make: impl FnOnce() -> T) -> Option<&T> {
        if let Some(made) = self.made.get() {
            return Some(made);
        }
        let so_far = self.used.fetch_add(uses, Ordering::Relaxed).saturating_add(uses);
        (so_far >= cost).then(|| self.made.get_or_init(make))
    }
}

impl<T> Default for AmortizedLazy<T> {
    fn default() -> Self {
        Self { used: AtomicUsize::new(0), made: OnceLock::new() }
    }
}

/// A copy starts counting at zero: it may be used less.
impl<T> Clone for AmortizedLazy<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What is derived of equal parameters is equal, made or not.
impl<T> PartialEq for AmortizedLazy<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once_and_when_it_pays() {
        let late = AmortizedLazy::default();
        assert_eq!(late.get(9, 10, || 'a'), None);
        assert_eq!(late.get(1, 10, || 'b'), Some(&'b'));
        assert_eq!(late.get(0, 10, || 'c'), Some(&'b'));
        assert_eq!(late.clone().get(1, 10, || 'd'), None);
        assert_eq!(AmortizedLazy::default().get(usize::MAX, 10, || 'e'), Some(&'e'));
    }
}
