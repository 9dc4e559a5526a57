"""Estimators work in processes that were forked after they had used threads, and in many threads of Python at once."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from estimators import each_estimator, rows

FORKED = """
import multiprocessing, numpy, nbayes

X = numpy.random.default_rng(0).normal(size=(20_000, 10))
y = (X[:, 0] > 0).astype(int)
model = nbayes.GaussianNB(n_jobs={n_jobs}).fit(X, y)
wide = nbayes.GaussianNB().fit(numpy.tile(X[:20], 4000), y[:20])
before = model.predict_proba(X), (wide + wide).to_bytes()

def in_child(part):
    mine = nbayes.GaussianNB(n_jobs={n_jobs}).fit(X[part::2], y[part::2])
    return (model.predict_proba(X) == before[0]).all(), (wide + wide).to_bytes() == before[1], mine

if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        one, other = pool.map(in_child, range(2))
    assert one[0] and one[1] and other[0] and other[1]
    assert (one[2] + other[2]).to_bytes() == model.to_bytes()
    print("done")
"""


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_forked_processes(n_jobs: int | None) -> None:
    command = [sys.executable, "-W", "ignore", "-c", FORKED.format(n_jobs=n_jobs)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "done\n", done.stderr


@each_estimator
def test_threads_of_python_may_share_an_estimator(Estimator: Any) -> None:
    X, y = rows(Estimator, n_rows=10_000)
    model = Estimator(n_jobs=2).fit(X, y)
    expected = model.predict_log_proba(X)
    with ThreadPoolExecutor(8) as pool:
        for answer in pool.map(model.predict_log_proba, [X] * 32):
            assert np.array_equal(answer, expected)
