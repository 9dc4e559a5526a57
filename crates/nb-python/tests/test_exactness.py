"""What the estimators have is exact, and a fit has the same bytes however its rows came."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import nbayes
import numpy as np
import pytest
import tables
from estimators import each_estimator, rows


def exactly_rounded_mean(column: np.ndarray) -> float:
    return float(sum(map(Fraction, column.tolist())) / len(column))


def exactly_rounded_variance(column: np.ndarray) -> float:
    cells = list(map(Fraction, column.tolist()))
    mean = sum(cells) / len(cells)
    return float(sum((cell - mean) ** 2 for cell in cells) / len(cells))


@pytest.mark.parametrize("offset", [0.0, 1e9, -1e12, 1e15])
def test_means_and_variances_are_correctly_rounded(offset: float) -> None:
    rng = np.random.default_rng(3)
    X = offset + rng.normal(size=(500, 3))
    y = rng.integers(2, size=500)
    model = nbayes.GaussianNB(var_smoothing=0.0).fit(X, y)
    for label in (0, 1):
        for column in range(3):
            cells = X[y == label, column]
            assert model.theta_[label, column] == exactly_rounded_mean(cells)
            assert model.var_[label, column] == exactly_rounded_variance(cells)


def test_the_hard_offset_of_the_repository() -> None:
    X, y = tables.numbers("offset_1e9")
    model = nbayes.GaussianNB(var_smoothing=0.0).fit(X, y)
    expected = [[exactly_rounded_variance(X[y == label, column]) for column in range(3)] for label in model.classes_]
    assert np.array_equal(model.var_, expected)


@each_estimator
def test_pieces_in_any_order_have_the_bytes_of_one_fit(Estimator: Any) -> None:
    X, y = rows(Estimator)
    whole = Estimator().fit(X, y).to_bytes()
    for seed in range(5):
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(y))
        model = Estimator()
        for piece in np.array_split(order, rng.integers(1, 30)):
            model.partial_fit(X[piece], y[piece], classes=[0, 1, 2])
        assert model.to_bytes() == whole


@each_estimator
def test_merged_parts_have_the_bytes_of_one_fit(Estimator: Any) -> None:
    X, y = rows(Estimator)
    whole = Estimator().fit(X, y).to_bytes()
    parts = [Estimator().fit(X[start::4], y[start::4]) for start in range(4)]
    assert (parts[0] + parts[1] + parts[2] + parts[3]).to_bytes() == whole
    assert (parts[3] + (parts[1] + (parts[2] + parts[0]))).to_bytes() == whole


@each_estimator
def test_merging_takes_the_classes_of_both(Estimator: Any) -> None:
    X, y = rows(Estimator)
    last = y == 2
    one = Estimator().fit(X[~last], y[~last])
    other = Estimator().partial_fit(X[last], y[last], classes=[2])
    assert (one + other).to_bytes() == Estimator().fit(X, y).to_bytes()


@each_estimator
def test_forgotten_rows_leave_no_trace(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator().fit(X, y)
    model.forget(X[150:], y[150:])
    assert model.to_bytes() == Estimator().fit(X[:150], y[:150]).to_bytes()
    model.partial_fit(X[150:], y[150:])
    assert model.to_bytes() == Estimator().fit(X, y).to_bytes()


@each_estimator
def test_rows_that_cannot_have_been_added_are_not_forgotten(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator().fit(X[:20], y[:20])
    before = model.to_bytes()
    with pytest.raises(ValueError):
        model.forget(X, y)
    assert model.to_bytes() == before


@each_estimator
def test_a_weight_of_two_is_the_row_twice(Estimator: Any) -> None:
    X, y = rows(Estimator)
    weight = np.arange(len(y)) % 3
    repeated = np.repeat(np.arange(len(y)), weight)
    weighted = Estimator().fit(X, y, sample_weight=weight)
    assert weighted.to_bytes() == Estimator().fit(X[repeated], y[repeated]).to_bytes()


@each_estimator
def test_halving_the_past_is_undone_by_doubling(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator().fit(X, y)
    before = model.to_bytes()
    assert model.decay(0.5).to_bytes() != before
    assert model.decay(2.0).to_bytes() == before


@pytest.mark.parametrize(
    "setting",
    [
        {"alpha": 0.3},
        {"class_prior": [0.2, 0.3, 0.5]},
        {"priors": [0.2, 0.3, 0.5]},
        {"fit_prior": False},
        {"var_smoothing": 0.1},
        {"norm": True},
        {"rate_prior": "unit"},
        {"min_categories": 7},
        {"missing": "skip"},
    ],
    ids=str,
)
@each_estimator
def test_hyper_parameters_need_no_fit(Estimator: Any, setting: dict[str, Any]) -> None:
    X, y = rows(Estimator)
    if not setting.keys() <= Estimator().get_params().keys():
        return
    model, fresh = Estimator().fit(X, y), Estimator(**setting).fit(X, y)
    model.predict(X)
    model.set_params(**setting)
    assert model.to_bytes() == fresh.to_bytes()
    assert np.array_equal(model.predict_proba(X), fresh.predict_proba(X))


def test_a_threshold_needs_a_fit() -> None:
    X, y = rows(nbayes.BernoulliNB)
    model = nbayes.BernoulliNB().fit(X, y).set_params(binarize=0.7)
    with pytest.raises(ValueError, match="above 0"):
        model.predict(X)
    assert model.fit(X, y).predict(X).shape == y.shape


@each_estimator
def test_threads_do_not_change_a_bit(Estimator: Any) -> None:
    X, y = rows(Estimator, n_rows=20_000)
    one, two = (Estimator(n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2))
    assert one.to_bytes() == two.to_bytes()
    assert np.array_equal(one.predict_log_proba(X), two.predict_log_proba(X))


@each_estimator
def test_leave_one_out_is_what_models_without_the_row_say(Estimator: Any) -> None:
    X, y = rows(Estimator, n_rows=60)
    held_out = Estimator().fit(X, y).leave_one_out(X, y)
    for row in range(0, 60, 7):
        others = np.arange(60) != row
        without = Estimator().partial_fit(X[others], y[others], classes=[0, 1, 2])
        if Estimator is nbayes.CategoricalNB:
            without = Estimator(min_categories=4).fit(X[others], y[others])
        assert np.array_equal(without.predict_log_proba(X[row : row + 1])[0], held_out[row])
