//! What an operation took: processor time, wall time, page faults.

use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use serde::Serialize;

/// What running something took, in seconds and page faults.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Usage {
    /// Processor time outside the kernel, over all threads: the steady figure.
    pub(crate) user: f64,
    /// Processor time inside the kernel, almost only page faults of fresh memory.
    pub(crate) system: f64,
    /// What a clock on the wall says.
    pub(crate) wall: f64,
    /// Page faults that needed no reading.
    pub(crate) faults: f64,
}

impl Usage {
    /// What this process has taken since it began; `wall` is zero.
    pub(crate) fn of_process() -> Self {
        let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else {
            return Self::default();
        };
        Self {
            user: seconds(usage.user_time()),
            system: seconds(usage.system_time()),
            wall: 0.0,
            faults: usage.minor_page_faults() as f64,
        }
    }

    /// What `work`, done `repeats` times, takes each time, and what it returned last.
    ///
    /// What an earlier repeat returned is dropped within the measurement, as it would be in a program.
    pub(crate) fn of<T>(repeats: u32, mut work: impl FnMut() -> T) -> (Self, T) {
        let (before, start) = (Self::of_process(), Instant::now());
        let mut result = work();
        for _ in 1..repeats {
            result = work();
        }
        let (wall, after) = (start.elapsed(), Self::of_process());
        (after.since(&before, wall, f64::from(repeats.max(1))), result)
    }

    fn since(&self, before: &Self, wall: Duration, repeats: f64) -> Self {
        Self {
            user: (self.user - before.user) / repeats,
            system: (self.system - before.system) / repeats,
            wall: wall.as_secs_f64() / repeats,
            faults: (self.faults - before.faults) / repeats,
        }
    }
}

fn seconds(time: TimeVal) -> f64 {
    time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6
}
