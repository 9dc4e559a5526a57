"""Prints how much memory this package and scikit-learn need beside an array of doubles that is already there.

    python benches/memory.py

Each line is its own process: the array is filled in place, and what is printed is by how much the largest memory of the
process (`ru_maxrss`) then grows. Models that predict are fitted to the first 10,000 rows. It needs Linux, where the unit is known.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from typing import Any

import numpy as np

MEGABYTE = 1e6
FITTED_TO = 10_000


def estimator(name: str) -> Any:
    package, _, name = name.partition(" ")
    name, _, effort = name.partition(" ")
    if package == "nbayes":
        import nbayes

        found = getattr(nbayes, name)
    else:
        import sklearn.naive_bayes

        found = getattr(sklearn.naive_bayes, name)
    return found(effort=effort) if effort else found()


def table(n_rows: int, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and labels, made without memory beside theirs."""
    rng = np.random.default_rng(1)
    X, y = np.empty((n_rows, n_columns)), np.empty(n_rows, dtype=np.int64)
    for first in range(0, n_rows, 1000):
        part = y[first : first + 1000]
        part[:] = rng.integers(3, size=len(part))
        X[first : first + 1000] = rng.normal(part[:, None], 1.0 + part[:, None], (len(part), n_columns))
    return X, y


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE


def measure(name: str, method: str, n_rows: int, n_columns: int) -> float:
    """Megabytes beside the array and the answer to all rows."""
    model = estimator(name)
    X, y = table(n_rows, n_columns)
    # Everything that is loaded once is loaded.
    model.fit(X[:FITTED_TO], y[:FITTED_TO])
    getattr(model, "predict" if method == "fit" else method)(X[:FITTED_TO])
    before = peak()
    answer = model.fit(X, y) if method == "fit" else getattr(model, method)(X)
    grown = peak() - before
    return grown - (answer.nbytes / MEGABYTE if isinstance(answer, np.ndarray) else 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--one", nargs=2, metavar=("ESTIMATOR", "METHOD"), help="measure one, in this process")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(*arguments.one, arguments.rows, arguments.columns)))
        return
    print(f"array of {arguments.rows * arguments.columns * 8 / MEGABYTE:.0f} MB\n")
    print("| beside array and answer, MB | fit | predict | predict_proba |\n| --- | ---: | ---: | ---: |")
    for name in ("nbayes GaussianNB", "sklearn GaussianNB", "nbayes NaiveBayes plain", "nbayes NaiveBayes usual"):
        cells = []
        for method in ("fit", "predict", "predict_proba"):
            command = [sys.executable, __file__, "--rows", str(arguments.rows), "--columns", str(arguments.columns)]
            done = subprocess.run([*command, "--one", name, method], capture_output=True, text=True, check=True)
            cells.append(f"{json.loads(done.stdout):.0f}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
