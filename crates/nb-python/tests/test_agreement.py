"""Attributes, labels and probabilities are those of scikit-learn, as far as its rounding goes."""

from __future__ import annotations

from typing import Any

import nbayes
import numpy as np
import pytest
import sklearn.naive_bayes
import tables
from sklearn import datasets

CLASSIC = [name for name, entry in tables.catalogue().items() if entry["group"] == "classic"]


def with_columns(*wanted: str) -> list[str]:
    """The data sets with columns of these kinds; columns of numbers have no missing cells."""
    numeric = "categorical" not in wanted
    return [
        name
        for name in CLASSIC
        if set(wanted) & set(tables.kinds(name).values()) and not (numeric and tables.numbers(name)[0].size == 0)
        if not (numeric and np.isnan(tables.numbers(name)[0]).any())
    ]


def same(ours: Any, theirs: Any, X: Any, y: Any, *, parameters: dict[str, float]) -> None:
    """Fits both and compares all that both have; `parameters` are attributes and the relative error of scikit-learn's."""
    ours.fit(X, y)
    theirs.fit(X, y)
    assert np.array_equal(ours.classes_, theirs.classes_)
    for name, error in parameters.items():
        mine, other = getattr(ours, name), getattr(theirs, name)
        if isinstance(other, list):
            assert len(mine) == len(other)
        for one, two in zip(mine, other) if isinstance(other, list) else [(mine, other)]:
            np.testing.assert_allclose(one, two, rtol=error, atol=1e-300, err_msg=name)
    joint, expected = ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X)
    # scikit-learn adds up terms of about this size.
    error = 1e-11 * (1 + np.abs(expected).max(axis=1, keepdims=True))
    assert (np.abs(joint - expected) <= error).all(), np.abs(joint - expected).max()
    # What is added to all classes alike does not matter to posteriors.
    assert (np.abs(ours.predict_proba(X) - theirs.predict_proba(X)) <= 4 * error).all()
    ordered = np.sort(expected, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > 2 * error[:, 0]
    assert np.array_equal(ours.predict(X)[clear], theirs.predict(X)[clear])
    assert clear.mean() > 0.99


@pytest.mark.parametrize("name", with_columns("numeric", "count"))
def test_gaussian(name: str) -> None:
    X, y = tables.numbers(name)
    parameters = {"theta_": 1e-11, "var_": 1e-8, "epsilon_": 1e-8, "class_prior_": 1e-15, "class_count_": 0.0}
    same(nbayes.GaussianNB(), sklearn.naive_bayes.GaussianNB(), X, y, parameters=parameters)


@pytest.mark.parametrize("name", with_columns("count"))
@pytest.mark.parametrize("family", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
def test_counts(name: str, family: str) -> None:
    X, y = tables.numbers(name)
    ours, theirs = (getattr(module, family)() for module in (nbayes, sklearn.naive_bayes))
    parameters = {"feature_count_": 1e-14, "feature_log_prob_": 1e-11, "class_log_prior_": 1e-11, "class_count_": 0.0}
    same(ours, theirs, X, y, parameters=parameters)


@pytest.mark.parametrize("family", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
@pytest.mark.parametrize("alpha", [1.0, 0.01])
def test_sparse_counts(family: str, alpha: float) -> None:
    X, y = tables.messages()
    ours, theirs = (getattr(module, family)(alpha=alpha) for module in (nbayes, sklearn.naive_bayes))
    parameters = {"feature_count_": 0.0, "feature_log_prob_": 1e-11, "class_log_prior_": 1e-11}
    same(ours, theirs, X, y, parameters=parameters)


def test_normalised_complement() -> None:
    X, y = tables.messages()
    ours, theirs = (module.ComplementNB(norm=True) for module in (nbayes, sklearn.naive_bayes))
    same(ours, theirs, X, y, parameters={"feature_log_prob_": 1e-11, "feature_all_": 0.0})


@pytest.mark.parametrize("name", with_columns("numeric", "count"))
def test_bernoulli_above_the_median(name: str) -> None:
    X, y = tables.numbers(name)
    X = X - np.median(X, axis=0)
    ours, theirs = (module.BernoulliNB(alpha=0.5) for module in (nbayes, sklearn.naive_bayes))
    same(ours, theirs, X, y, parameters={"feature_count_": 0.0, "feature_log_prob_": 1e-11})


@pytest.mark.parametrize("name", with_columns("categorical"))
def test_categorical(name: str) -> None:
    X, y = tables.codes(name)
    parameters = {"category_count_": 0.0, "feature_log_prob_": 1e-11, "class_log_prior_": 1e-11, "n_categories_": 0.0}
    same(nbayes.CategoricalNB(), sklearn.naive_bayes.CategoricalNB(), X, y, parameters=parameters)


@pytest.mark.parametrize("load", [datasets.load_iris, datasets.load_wine, datasets.load_breast_cancer, datasets.load_digits])
@pytest.mark.parametrize("n_jobs", [None, -1])
def test_the_data_sets_of_scikit_learn(load: Any, n_jobs: int | None) -> None:
    X, y = load(return_X_y=True)
    parameters = {"theta_": 1e-11, "var_": 1e-8, "class_prior_": 1e-15}
    same(nbayes.GaussianNB(n_jobs=n_jobs), sklearn.naive_bayes.GaussianNB(), X, y, parameters=parameters)


@pytest.mark.parametrize("family", ["GaussianNB", "MultinomialNB", "BernoulliNB", "ComplementNB", "CategoricalNB"])
def test_weights_and_priors(family: str) -> None:
    rng = np.random.default_rng(7)
    X, y = rng.integers(4, size=(300, 6)), rng.integers(3, size=300)
    weight = rng.exponential(size=300)
    prior = {"priors" if family == "GaussianNB" else "class_prior": [0.2, 0.3, 0.5]}
    ours, theirs = (
        getattr(module, family)(**prior).fit(X, y, sample_weight=weight) for module in (nbayes, sklearn.naive_bayes)
    )
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-10)
    np.testing.assert_allclose(ours.class_count_, theirs.class_count_, rtol=1e-13)
