"""Sums with noise."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from nbayes import GaussianNB, PrivateSums
from sklearn.datasets import load_iris

X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])
BOUNDS = ([4.0, 2.0, 1.0, 0.0], [8.0, 5.0, 7.0, 3.0])


def release(rows: slice = slice(None), **options: Any) -> PrivateSums:
    options = {"classes": NAMES, "bounds": BOUNDS, "epsilon": 1.0, **options}
    return PrivateSums.release(X[rows], NAMES[y[rows]], **options)


def test_with_little_noise_the_model_is_that_of_the_rows() -> None:
    sums, exact = release(epsilon=1000.0), GaussianNB().fit(X, NAMES[y])
    model = sums.fit()
    assert (model.predict(X) == exact.predict(X)).mean() > 0.98
    np.testing.assert_allclose(model.theta_, exact.theta_, atol=0.02)
    assert np.abs(sums.class_count_ - 50).max() <= 1
    assert sums.class_count_error_ < 0.1
    assert model.to_bytes()


def test_each_release_has_noise_of_its_own() -> None:
    assert release(epsilon=0.1).to_json() != release(epsilon=0.1).to_json()


def test_sums_are_merged_with_what_was_spent() -> None:
    halves = [release(slice(start, None, 2)) for start in range(2)]
    counts = sum(half.class_count_ for half in halves)
    apart = pickle.loads(pickle.dumps(halves[0])).merge(halves[1], people="apart")
    assert (apart.class_count_ == counts).all()
    assert apart.spent == (1.0, 0.0)
    shared = PrivateSums.from_json(halves[0].to_json()).merge(halves[1])
    assert shared.spent == (2.0, 0.0)
    with pytest.raises(ValueError, match="rows would count twice"):
        shared.merge(halves[1])
    other = release(classes=[*NAMES, "other"])
    with pytest.raises(ValueError, match="different classes"):
        shared.merge(other)


def test_concentrated_budgets() -> None:
    sums = release(epsilon=None, rho=0.5)
    assert sums.spent == (0.0, 0.5)
    assert sums.epsilon_at(1e-6) == pytest.approx(0.5 + 2 * np.sqrt(0.5 * np.log(1e6)))
    with pytest.raises(ValueError, match="delta is 1"):
        sums.epsilon_at(1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": None}, "either epsilon or rho"),
        ({"rho": 1.0}, "either epsilon or rho"),
        ({"epsilon": 0.0}, "above 0 and at most 1024"),
        ({"bounds": (0.0, 0.0)}, "column 0: bounds 0 and 0"),
        ({"classes": ["setosa"]}, "versicolor"),
    ],
)
def test_errors_name_what_is_wrong(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        release(**options)


def test_missing_cells_are_refused() -> None:
    rows = X.copy()
    rows[7, 2] = np.nan
    with pytest.raises(ValueError, match="row 7, column 2"):
        PrivateSums.release(rows, y, classes=[0, 1, 2], bounds=BOUNDS, epsilon=1.0)


def test_texts_are_checked() -> None:
    parts = json.loads(release().to_json())
    for change in ({"labels": parts["labels"][:2]}, {"labels": parts["labels"][::-1]}, {"more": 1}):
        with pytest.raises(ValueError):
            PrivateSums.from_json(json.dumps({**parts, **change}))
    parts["sums"]["variances"][0] = -1.0
    with pytest.raises(ValueError, match="variances"):
        PrivateSums.from_json(json.dumps(parts))
