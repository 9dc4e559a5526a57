"""How many threads a call has."""

from __future__ import annotations

import os


def n_threads(n_jobs: int | None) -> int:
    """The number of threads of `n_jobs`, as in scikit-learn: 1 if not given, all cores if -1, all but one if -2."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs is 0; it must be a number of threads, or -1 for all cores")
    return n_jobs if n_jobs > 0 else max((os.cpu_count() or 1) + 1 + n_jobs, 1)
