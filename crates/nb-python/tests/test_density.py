"""Estimators as distributions of rows: evidence, and rows drawn from them."""

from __future__ import annotations

from typing import Any

import nbayes
import numpy as np
import pytest
from estimators import ALL, rows
from scipy.special import gammaln, logsumexp

each_density = pytest.mark.parametrize("Estimator", [Estimator for Estimator in ALL if Estimator is not nbayes.ComplementNB])


@each_density
def test_the_evidence_is_the_sum_over_classes(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator().fit(X, y)
    expected = logsumexp(model.predict_joint_log_proba(X), axis=1)
    if Estimator is nbayes.MultinomialNB:
        # The number of orders of the events of a row, which is the same for all classes.
        expected += gammaln(1 + X.sum(axis=1)) - gammaln(1 + X).sum(axis=1)
    np.testing.assert_allclose(model.log_evidence(X), expected, rtol=1e-12)


@each_density
def test_samples_have_the_parameters_of_the_model(Estimator: Any) -> None:
    X, y = rows(Estimator, n_rows=1000)
    model = Estimator().fit(X, y)
    sampled, labels = model.sample(20_000, random_state=1)
    assert sampled.shape == (20_000, 5)
    again = Estimator().fit(sampled, labels)
    np.testing.assert_allclose(again.class_count_ / 20_000, model.class_count_ / 1000, atol=0.02)
    assert abs(model.log_evidence(X).mean() - again.log_evidence(X).mean()) < 0.1


@each_density
def test_samples_are_those_of_the_seed_and_of_the_class(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator().fit(X, np.array(["a", "b", "c"])[y])
    one, two, other = (model.sample(50, random_state=seed) for seed in (1, 1, 2))
    assert np.array_equal(one[0], two[0]) and np.array_equal(one[1], two[1])
    assert not np.array_equal(one[0], other[0])
    sampled, labels = model.sample(10, random_state=1, label="b")
    assert labels.tolist() == ["b"] * 10 and sampled.shape == (10, 5)


def test_complement_is_no_distribution() -> None:
    X, y = rows(nbayes.ComplementNB)
    model = nbayes.ComplementNB().fit(X, y)
    for answer in (lambda: model.sample(1), lambda: model.log_evidence(X)):
        with pytest.raises(ValueError, match="not a probability distribution"):
            answer()
