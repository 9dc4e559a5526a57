"""Explanations add up to what they explain."""

from __future__ import annotations

from typing import Any

import nbayes
import numpy as np
import pandas
import pytest
import scipy.sparse
from estimators import each_estimator, rows


@each_estimator
def test_contributions_add_up_to_the_joint_log_probability(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator().fit(X, y)
    joint, labels = model.predict_joint_log_proba(X), model.predict(X)
    for row in (0, 7, -1):
        explanation = model.explain(X, row)
        assert explanation.contributions.shape == (3, 5)
        np.testing.assert_array_equal(explanation.values, X[row])
        total = explanation.joint_log_proba
        np.testing.assert_allclose(total - total[0], joint[row] - joint[row, 0], rtol=1e-9, atol=1e-9)
        assert explanation.predicted == labels[row]


@each_estimator
def test_sparse_rows_are_explained_as_dense_ones(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator().fit(X, y)
    dense, sparse = model.explain(X, 3), model.explain(scipy.sparse.csr_array(X), 3)
    assert np.array_equal(dense.contributions, sparse.contributions)
    assert np.array_equal(dense.values, sparse.values)


def test_the_frame_has_the_most_important_feature_first() -> None:
    X = pandas.DataFrame({"noise": [1.0, 2.0, 1.0, 2.0], "signal": [0.0, 1.0, 10.0, 11.0]})
    explanation = nbayes.GaussianNB().fit(X, ["low", "low", "high", "high"]).explain(X, 0)
    frame = explanation.to_frame()
    assert frame.columns.tolist() == ["feature", "value", "log_odds"]
    assert frame["feature"].tolist() == ["signal", "noise"]
    assert frame["log_odds"].iloc[0] > 10
    assert explanation.log_odds("high", "low")[1] == -explanation.log_odds("low", "high")[1]
    with pytest.raises(ValueError, match="no class 'middle'"):
        explanation.log_odds("middle")


def test_what_is_impossible_for_both_tells_nothing() -> None:
    model = nbayes.MultinomialNB(alpha=0).fit([[1, 0, 0], [1, 1, 0], [1, 1, 0]], ["a", "b", "b"])
    odds = model.explain([[1, 1, 1]]).log_odds("a", "b")
    assert odds[1] == -np.inf and odds[2] == 0.0 and not np.isnan(odds).any()


def test_the_picture_escapes_names() -> None:
    X = pandas.DataFrame({"<b>": [1.0, 2.0, 3.0], "other": [1.0, 0.0, 0.0]})
    picture = nbayes.GaussianNB(var_smoothing=1.0).fit(X, ["<i>", "<i>", "&"]).explain(X, 0)._repr_html_()
    assert "&lt;b&gt;" in picture and "<b>" not in picture and "<i>" not in picture
    assert "nan" not in picture


def test_the_picture_of_one_class_and_of_what_is_impossible() -> None:
    assert "<table" in nbayes.GaussianNB(var_smoothing=1.0).fit([[1.0], [2.0]], [0, 0]).explain([[1.0]])._repr_html_()
    impossible = nbayes.MultinomialNB(alpha=0).fit([[1, 0], [0, 1]], [0, 1]).explain([[1, 0]])
    assert "nan" not in impossible._repr_html_()


def test_what_two_columns_say_together_is_a_term_of_its_own() -> None:
    random = np.random.default_rng(5)
    a, b = random.integers(0, 3, 600), random.integers(0, 3, 600)
    X = pandas.DataFrame({"a": np.array(list("xyz"))[a], "b": np.array(list("uvw"))[b]})
    y = np.where((a == b) != (random.uniform(size=600) < 0.1), "same", "other")
    model = nbayes.NaiveBayes().fit(X, y)
    explanation = model.explain(X, row=0)
    assert explanation.feature_names.tolist() == ["a", "b", "a × b"]
    assert explanation.cells[2] == f"{X.a[0]}, {X.b[0]}"
    odds = explanation.log_odds("same", "other")
    assert abs(odds[2]) > 1 and (odds[2] > 0) == (a[0] == b[0])
    expected = model.predict_log_proba(X)[0]
    joint = explanation.joint_log_proba
    assert np.allclose(joint[1] - joint[0], expected[1] - expected[0], rtol=1e-12)
    assert "a × b" in explanation._repr_html_()
