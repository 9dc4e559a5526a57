"""Smoothing: a number, or one a feature; 0 is maximum likelihood without NaN."""

from __future__ import annotations

import warnings
from typing import Any

import nbayes
import numpy as np
import pytest
from estimators import rows

SMOOTHED = [nbayes.MultinomialNB, nbayes.BernoulliNB, nbayes.ComplementNB, nbayes.CategoricalNB, nbayes.PoissonNB]
LEAST = 1e-10
each_smoothed = pytest.mark.parametrize("Estimator", SMOOTHED)


@each_smoothed
@pytest.mark.parametrize("alpha", [0.0, [0.0, 1.0, 1.0, 0.5, 1e-11]])
def test_small_values_are_raised_unless_forced(Estimator: Any, alpha: Any) -> None:
    X, y = rows(Estimator)
    with pytest.warns(UserWarning, match="alpha too small will result in numeric errors, setting alpha = 1.0e-10"):
        raised = Estimator(alpha=alpha, force_alpha=False).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it was said once
        data = raised.to_bytes()
    assert data == Estimator(alpha=np.maximum(alpha, LEAST)).fit(X, y).to_bytes()


@each_smoothed
def test_values_that_are_large_enough_are_kept_without_a_warning(Estimator: Any) -> None:
    X, y = rows(Estimator)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept = Estimator(alpha=[LEAST, 1, 2, 3, 4], force_alpha=False).fit(X, y)
        assert kept.to_bytes() == Estimator(alpha=[LEAST, 1, 2, 3, 4]).fit(X, y).to_bytes()


@each_smoothed
@pytest.mark.parametrize(
    ("alpha", "message"),
    [
        ([1.0, 2.0, 3.0], "When alpha is an array, it should contains `n_features`"),
        (-0.1, "alpha"),
        ([1.0, 1.0, 1.0, 1.0, -0.1], "alpha"),
        (np.nan, "alpha|smoothing"),
        (np.inf, "alpha|smoothing"),
    ],
)
def test_values_that_cannot_be(Estimator: Any, alpha: Any, message: str) -> None:
    X, y = rows(Estimator)
    with pytest.raises(ValueError, match=message):
        Estimator(alpha=alpha).fit(X, y)


def test_a_vector_counts_for_each_feature() -> None:
    model = nbayes.MultinomialNB(alpha=[1, 2]).fit([[1, 0], [1, 1]], [0, 1])
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), [[1 / 2, 1 / 2], [2 / 5, 3 / 5]], rtol=1e-15)
    np.testing.assert_allclose(model.predict_proba([[1, 0], [1, 1]]), [[5 / 9, 4 / 9], [25 / 49, 24 / 49]], rtol=1e-15)


@pytest.mark.parametrize("Estimator", [nbayes.MultinomialNB, nbayes.BernoulliNB, nbayes.CategoricalNB])
def test_impossible_is_minus_infinity_and_never_nan(Estimator: Any) -> None:
    model = Estimator(alpha=0).fit([[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]], ["a", "a", "b", "b"])
    assert model.predict_log_proba([[1, 0, 1]])[0].tolist() == [0.0, -np.inf]
    assert model.predict_proba([[1, 0, 1]])[0].tolist() == [1.0, 0.0]
    assert model.predict_joint_log_proba([[1, 0, 1]])[0, 1] == -np.inf
    assert model.predict([[1, 0, 1]]) == ["a"]


@pytest.mark.parametrize("Estimator", [nbayes.MultinomialNB, nbayes.BernoulliNB, nbayes.CategoricalNB])
def test_a_row_that_is_impossible_for_every_class_has_no_label_and_no_probability(Estimator: Any) -> None:
    model = Estimator(alpha=0).fit([[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]], ["a", "a", "b", "b"])
    with pytest.raises(ValueError, match="row 0 is impossible under every class; fit with more smoothing"):
        model.predict([[1, 1, 1]])
    assert model.predict_proba([[1, 1, 1]])[0].tolist() == [0.0, 0.0]
    assert model.predict_log_proba([[1, 1, 1]])[0].tolist() == [-np.inf, -np.inf]
    assert model.log_evidence([[1, 1, 1]]) == [-np.inf]
