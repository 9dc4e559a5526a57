//! How many threads a call has.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use pyo3::{PyResult, exceptions::PyRuntimeError};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Work on fewer cells is done by the thread that has them.
const FEW_CELLS: usize = 1 << 14;

/// Does some work on this many cells with `n_threads`, all cores if that is 0. The answers are the same with
/// any number.
pub(crate) fn with<T: Send>(
    n_threads: usize,
    n_cells: usize,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    if n_cells < FEW_CELLS {
        return Ok(work());
    }
    Ok(pool(n_threads)?.install(work))
}

/// The threads for calls with this many of them, made once in a process: threads do not follow a fork, and
/// their pool would wait for them forever.
fn pool(n_threads: usize) -> PyResult<Arc<ThreadPool>> {
    type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;
    static POOLS: OnceLock<Mutex<Pools>> = OnceLock::new();
    let key = (std::process::id(), n_threads);
    let mut pools = POOLS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).build();
    let pool = Arc::new(pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}
