"""Threads are as many as cores at most."""

from __future__ import annotations

import os

import pytest
from nbayes._threads import n_threads


def test_threads_are_never_more_than_cores() -> None:
    n_cores = os.cpu_count() or 1
    assert n_threads(None) == 1
    assert n_threads(10**6) == n_threads(-1) == n_cores
    assert n_threads(-(10**6)) == 1


@pytest.mark.parametrize("n_jobs", [0, 1.5, "all", True])
def test_what_is_no_number_of_threads_is_refused(n_jobs: object) -> None:
    with pytest.raises(ValueError, match="n_jobs is"):
        n_threads(n_jobs)
