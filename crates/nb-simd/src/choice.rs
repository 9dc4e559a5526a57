//! Which instruction set is in force: what the thread chose, else what the environment asks for or the
//! process is limited to, else the widest that the processor has.

use std::{
    cell::Cell,
    fmt,
    sync::{
        OnceLock,
        atomic::{AtomicU8, Ordering},
    },
};

use crate::InstructionSet;

/// The environment variable that forces a set on a whole process: `portable`, `avx2`, `avx512` or
/// `avx512ifma`.
pub const VARIABLE: &str = "NB_INSTRUCTIONS";

/// Stands for no set.
const NONE: u8 = u8::MAX;

/// The set in force where no thread has chosen one, as a number, once it was needed.
static IN_FORCE: AtomicU8 = AtomicU8::new(NONE);

/// What the environment asked for when it was first needed.
static FORCED: OnceLock<Result<Option<InstructionSet>, ForcedError>> = OnceLock::new();

/// A bit for each set whose code ran.
static RAN: AtomicU8 = AtomicU8::new(0);

thread_local! {
    /// The set that [`InstructionSet::with`] gave, as a number.
    static CHOSEN: Cell<u8> = const { Cell::new(NONE) };
}

/// Why the instruction set that `NB_INSTRUCTIONS` asks for is not in force.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForcedError {
    /// There is no such set.
    Unknown {
        /// What the variable holds.
        word: String,
    },
    /// The processor does not have the set.
    Unavailable {
        /// The set.
        set: InstructionSet,
    },
}

impl fmt::Display for ForcedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |f: &mut fmt::Formatter<'_>, are_possible: fn(InstructionSet) -> bool| {
            let names = InstructionSet::ALL.into_iter().filter(|set| are_possible(*set));
            let names: Vec<&str> = names.map(InstructionSet::name).collect();
            write!(f, "{}; or unset it", names.join(", "))
        };
        match self {
            Self::Unknown { word } => {
                write!(f, "{VARIABLE} is {word:?}, which is no instruction set; set it to one of ")?;
                names(f, |_| true)
            }
            Self::Unavailable { set } => {
                write!(
                    f,
                    "{VARIABLE} is {:?}, which this processor does not have; set it to one of ",
                    set.name()
                )?;
                names(f, InstructionSet::is_available)
            }
        }
    }
}

impl std::error::Error for ForcedError {}

impl InstructionSet {
    /// The set that the environment variable `NB_INSTRUCTIONS` forces on this process, if it does:
    /// `portable`, `avx2`, `avx512` or `avx512ifma`. It is read once. What is then in force is
    /// [`current`](Self::current).
    ///
    /// # Errors
    /// [`ForcedError`] if the variable names no set or one that the processor does not have; nothing is
    /// forced then.
    pub fn forced() -> Result<Option<Self>, ForcedError> {
        FORCED
            .get_or_init(|| std::env::var_os(VARIABLE).map(|word| asked(&word.to_string_lossy())).transpose())
            .clone()
    }

    /// Runs `work` with this set, or the widest below it that the processor has, on this thread and on those
    /// that share in its work. Tests see all sets this way, whatever other tests do meanwhile.
    pub fn with<T>(self, work: impl FnOnce() -> T) -> T {
        /// Restores what was chosen before, also when `work` panics.
        struct Restore(u8);
        impl Drop for Restore {
            fn drop(&mut self) {
                CHOSEN.set(self.0);
            }
        }
        let _restore = Restore(CHOSEN.replace(self.clipped() as u8));
        work()
    }

    /// From now on the whole process uses no wider set than this one. For benchmarks; tests take
    /// [`with`](Self::with).
    pub fn limit(self) {
        let widest = Self::forced().ok().flatten().unwrap_or(self);
        IN_FORCE.store(widest.min(self).clipped() as u8, Ordering::Relaxed);
    }

    /// The sets whose code ran in this process, which tests print: a set that the processor lacks passes
    /// every test without having been tested. Only builds with debug assertions keep a record; in others
    /// there are none.
    pub fn ran() -> impl Iterator<Item = Self> {
        let ran = RAN.load(Ordering::Relaxed);
        Self::ALL.into_iter().filter(move |set| ran & (1 << *set as u8) != 0)
    }

    /// Keeps a record of a set whose code is about to run.
    #[inline(always)]
    pub(crate) fn record(self) {
        if cfg!(debug_assertions) {
            RAN.fetch_or(1 << self as u8, Ordering::Relaxed);
        }
    }

    /// The set in force: the widest that this processor has, unless [`with`](Self::with), `NB_INSTRUCTIONS`
    /// or [`limit`](Self::limit) say otherwise.
    #[inline]
    pub fn current() -> Self {
        let chosen = CHOSEN.get();
        let number = if chosen == NONE { in_force() } else { chosen };
        Self::ALL.get(usize::from(number)).copied().unwrap_or(Self::Portable)
    }

    /// The widest set up to this one that the processor has.
    fn clipped(self) -> Self {
        let usable = |set: &Self| *set <= self && set.is_available();
        Self::ALL.into_iter().rev().find(usable).unwrap_or(Self::Portable)
    }
}

/// The set in force where no thread has chosen one, as a number. It is read once per call, or more often.
#[inline]
fn in_force() -> u8 {
    let set = IN_FORCE.load(Ordering::Relaxed);
    if set == NONE { decide() } else { set }
}

/// Reads the environment.
#[cold]
fn decide() -> u8 {
    let widest = InstructionSet::forced().ok().flatten().unwrap_or(InstructionSet::Avx512Ifma);
    // If two threads come first, or a limit was set meanwhile, the narrower set stays.
    let set = widest.clipped() as u8;
    IN_FORCE.fetch_min(set, Ordering::Relaxed).min(set)
}

/// The set of this name, if the processor has it.
fn asked(word: &str) -> Result<InstructionSet, ForcedError> {
    let set = InstructionSet::ALL.into_iter().find(|set| set.name() == word);
    let set = set.ok_or_else(|| ForcedError::Unknown { word: word.to_owned() })?;
    if set.is_available() { Ok(set) } else { Err(ForcedError::Unavailable { set }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_the_threads_own_and_ends() {
        let before = InstructionSet::current();
        for set in InstructionSet::ALL {
            let expected = if set.is_available() { set } else { InstructionSet::Portable };
            set.with(|| {
                assert!(InstructionSet::current() >= expected && InstructionSet::current() <= set);
                InstructionSet::Portable.with(|| {
                    assert_eq!(InstructionSet::current(), InstructionSet::Portable);
                });
                assert!(InstructionSet::current() >= expected && InstructionSet::current() <= set);
                let other = std::thread::spawn(InstructionSet::current).join();
                assert_eq!(other.expect("a set"), before);
            });
        }
        let panicked = std::panic::catch_unwind(|| InstructionSet::Portable.with(|| panic!("as tests do")));
        assert!(panicked.is_err());
        assert_eq!(InstructionSet::current(), before);
    }

    #[test]
    fn words_are_sets_or_named() {
        for set in InstructionSet::ALL {
            let expected = if set.is_available() { Ok(set) } else { Err(ForcedError::Unavailable { set }) };
            assert_eq!(asked(set.name()), expected);
        }
        for word in ["", "AVX2", "avx-512", "sse2"] {
            let error = asked(word).expect_err("no set").to_string();
            assert!(error.contains(&format!("{word:?}")) && error.contains("avx512ifma"), "{error}");
        }
        let error = ForcedError::Unavailable { set: InstructionSet::Avx512Ifma }.to_string();
        assert!(error.contains("\"avx512ifma\"") && error.contains("portable"), "{error}");
    }
}
