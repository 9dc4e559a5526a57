"""Prints how long this package and scikit-learn take for the same arrays, one after the other in one run, on one thread.

    python benches/against_sklearn.py

Times are the least of some repetitions; a ratio above 1 means that this package is faster by that factor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import nbayes
import numpy as np
import scipy.sparse
import sklearn
import sklearn.naive_bayes
from threadpoolctl import threadpool_limits

Table = tuple[str, str, Any, Any]


def tables(scale: float) -> Iterator[Table]:
    """The name of each table, the estimator it is for, its rows and its labels."""
    rng = np.random.default_rng(1)
    for n_rows, n_columns in ((100_000, 30), (1_000_000, 10)):
        n_rows = int(n_rows * scale)
        y = rng.integers(3, size=n_rows)
        X = rng.normal(y[:, None], 1.0 + y[:, None], (n_rows, n_columns))
        yield f"Gaussian {n_rows:,} × {n_columns}", "GaussianNB", X, y
        if n_columns == 30:
            yield f"Gaussian {n_rows:,} × {n_columns}, labels are texts", "GaussianNB", X, np.array(["red", "green", "blue"])[y]
            yield f"Gaussian {n_rows:,} × {n_columns}, float32", "GaussianNB", X.astype(np.float32), y
    n_rows = int(20_000 * scale)
    counts = scipy.sparse.random_array((n_rows, 10_000), density=0.01, format="csr", rng=rng)
    counts.data = 1.0 + rng.poisson(0.5, counts.nnz)
    y = rng.integers(3, size=n_rows)
    yield f"multinomial, sparse {n_rows:,} × 10,000", "MultinomialNB", counts, y
    yield f"complement, sparse {n_rows:,} × 10,000", "ComplementNB", counts, y
    yield f"Bernoulli, sparse {n_rows:,} × 10,000", "BernoulliNB", counts, y
    n_rows = int(100_000 * scale)
    y = rng.integers(3, size=n_rows)
    yield f"Bernoulli {n_rows:,} × 30", "BernoulliNB", (rng.random((n_rows, 30)) < 0.3).astype(np.float64), y
    yield f"categorical {n_rows:,} × 20", "CategoricalNB", rng.integers(8, size=(n_rows, 20)), y


def least(work: Callable[[], Any], repetitions: int) -> float:
    """The least time of some repetitions, in seconds."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def row(name: str, ours: float, theirs: float, unit: float) -> str:
    return f"| {name} | {ours * unit:.4g} | {theirs * unit:.4g} | {theirs / ours:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies the numbers of rows")
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    print(f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}\n")
    print("| what | nbayes, ms | scikit-learn, ms | ratio |\n| --- | ---: | ---: | ---: |")
    single = []
    for name, family, X, y in tables(arguments.scale):
        ours, theirs = getattr(nbayes, family)(), getattr(sklearn.naive_bayes, family)()
        for method in ("fit", "predict", "predict_proba"):
            with_labels = (X, y) if method == "fit" else (X,)
            one, other = (
                least(lambda model=model: getattr(model, method)(*with_labels), arguments.repetitions) for model in (ours, theirs)
            )
            print(row(f"{name}: {method}", one, other, 1e3), flush=True)
        first = X[:1]
        one, other = (least(lambda model=model: model.predict(first), 300) for model in (ours, theirs))
        single.append(row(name, one, other, 1e6))
    print("\n| predict one row | nbayes, µs | scikit-learn, µs | ratio |\n| --- | ---: | ---: | ---: |")
    print("\n".join(single))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
