"""How many threads a call has."""

from __future__ import annotations

import numbers
import os
from typing import Any


def n_threads(n_jobs: Any) -> int:
    """The number of threads of `n_jobs`, as in scikit-learn: 1 if not given, all cores if -1, all but one if -2. There are never
    more than cores, and never fewer than one."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}; it must be a number of threads, or -1 for all cores")
    wanted, n_cores = int(n_jobs), os.cpu_count() or 1
    return min(wanted, n_cores) if wanted > 0 else max(n_cores + 1 + wanted, 1)
