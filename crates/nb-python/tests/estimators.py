"""Every estimator with rows that it is for."""

from __future__ import annotations

from typing import Any

import nbayes
import numpy as np
import pytest

GAUSSIAN = [nbayes.GaussianNB, nbayes.SharedGaussianNB]
COUNTS = [nbayes.MultinomialNB, nbayes.ComplementNB, nbayes.PoissonNB, nbayes.NegativeBinomialNB]
ALL = [*GAUSSIAN, *COUNTS, nbayes.BernoulliNB, nbayes.CategoricalNB]

each_estimator = pytest.mark.parametrize("Estimator", ALL, ids=lambda estimator: estimator.__name__)


def rows(Estimator: Any, n_rows: int = 200, n_columns: int = 5, n_classes: int = 3, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Rows of an estimator's kind, and labels that are whole numbers."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    y[:n_classes] = np.arange(n_classes)
    if Estimator in GAUSSIAN:
        X = rng.normal(y[:, None] * np.arange(1, n_columns + 1), 1.0 + y[:, None])
    elif Estimator is nbayes.BernoulliNB:
        X = (rng.random((n_rows, n_columns)) < (1 + y[:, None]) / (2 + n_classes)).astype(np.float64)
    elif Estimator is nbayes.CategoricalNB:
        X = ((rng.integers(3, size=(n_rows, n_columns)) + y[:, None]) % 4).astype(np.float64)
        X[:4] = np.arange(4)[:, None]
    else:
        X = rng.poisson(1 + 2 * y[:, None] * (np.arange(n_columns) % 2), (n_rows, n_columns)).astype(np.float64)
    return X, y
