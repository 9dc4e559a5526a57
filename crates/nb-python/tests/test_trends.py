"""Columns whose effect is monotone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris

from nbayes import NaiveBayes, RefinedNB


def doses() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    X = rng.uniform(0.0, 10.0, (500, 2))
    odds = X[:, 0] - X[:, 1] + np.where((X[:, 0] > 4) & (X[:, 0] < 5), -6.0, 0.0)
    return X, np.where(odds + rng.logistic(size=500) > 0, 10, 2)


def steps(model: Any, column: int) -> np.ndarray:
    grid = np.full((101, 2), 4.2)
    grid[:, column] = np.linspace(-1, 11, 101)
    return np.diff(model.predict_proba(grid)[:, 1])


@pytest.mark.parametrize("estimator", [NaiveBayes(), RefinedNB()])
def test_probabilities_are_monotone(estimator: Any) -> None:
    X, y = doses()
    assert steps(clone(estimator).fit(X, y), 0).min() < -0.01
    model = clone(estimator).set_params(monotonic_cst=[1, -1]).fit(X, y)
    # Labels are in the order of numbers, 2 before 10, and not in that of their texts.
    assert model.classes_.tolist() == [2, 10]
    assert steps(model, 0).min() >= -1e-12 and steps(model, 0).max() > 0.01
    assert steps(model, 1).max() <= 1e-12 and steps(model, 1).min() < -0.01
    refitted = model.refit(X, y, force=True)
    assert steps(refitted, 0).min() >= -1e-12


def test_columns_are_named(tmp_path: Any) -> None:
    pandas = pytest.importorskip("pandas")
    data = load_breast_cancer(as_frame=True)
    assert isinstance(data.data, pandas.DataFrame)
    # Larger cells are malignant, which is 0.
    model = NaiveBayes(monotonic_cst={"mean area": -1, "mean texture": -1, "mean symmetry": 0}).fit(data.data, data.target)
    assert model.held_out_["accuracy"] > 0.95
    rows = data.data.iloc[[20] * 50].copy()
    rows["mean area"] = np.linspace(100, 2500, 50)
    assert np.diff(model.predict_proba(rows)[:, 1]).max() <= 1e-12


def test_what_is_no_trend_is_refused() -> None:
    X, y = doses()
    iris = load_iris()
    wrong: list[tuple[Any, Any, Any, str]] = [
        ([1], X, y, "has 1 numbers"),
        ([1, 2], X, y, "is 2"),
        ({"dose": 1}, X, y, "does not have"),
        ([1, 0, 0, 0], iris.data, iris.target, "two classes, and y has 3"),
    ]
    for cst, rows, labels, message in wrong:
        with pytest.raises(ValueError, match=message):
            NaiveBayes(monotonic_cst=cst).fit(rows, labels)
    with pytest.raises(TypeError, match="monotonic_cst is 'up'"):
        NaiveBayes(monotonic_cst="up").fit(X, y)
    with pytest.raises(ValueError, match="a plain model was chosen"):
        NaiveBayes(monotonic_cst=[1, 0], effort="plain").fit(X, y)
