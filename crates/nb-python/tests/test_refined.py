"""WeightedNB and RefinedNB: what `nbayes train --fast` and `nbayes train` learn, as estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pytest
from nbayes import GaussianNB, NaiveBayes, RefinedNB, WeightedNB
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks
from tables import HELD_OUT, frame, numbers


@parametrize_with_checks([WeightedNB(), RefinedNB()], expected_failed_checks=lambda _: HELD_OUT)
def test_scikit_learn_takes_it_as_its_own(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize(
    ("estimator", "effort"), [(WeightedNB(), "fast"), (RefinedNB(), "usual"), (RefinedNB(best=True), "best")]
)
def test_models_are_those_of_the_effort(estimator: Any, effort: str) -> None:
    table = frame("adult").iloc[:500]
    model = estimator.fit(table, "income")
    expected = NaiveBayes(effort=effort).fit(table, "income")
    assert model.to_bytes() == expected.to_bytes()
    assert model.held_out_ == expected.held_out_ and model.weights_ == expected.weights_
    assert type(model).from_bytes(model.to_bytes()).to_bytes() == model.to_bytes()


def test_a_copy_of_a_feature_takes_half_of_its_weight() -> None:
    X, y = numbers("wine")
    alone = WeightedNB().fit(X[:, :2], y).weights_
    twice = WeightedNB().fit(X[:, [0, 0, 1]], y).weights_
    assert list(alone) == ["x0", "x1"] and list(twice) == ["x0", "x1", "x2"]
    assert twice["x0"] == pytest.approx(twice["x1"]) and twice["x0"] < 0.8 * alone["x0"]
    assert all(weight >= 0 for weight in twice.values())


def test_weights_are_named_by_columns_and_absent_from_plain_models() -> None:
    table = pandas.DataFrame({"a": np.arange(100) % 7, "b": np.arange(100) % 11, "c": "same"})
    y = np.arange(100) % 7 > 3
    model = WeightedNB(columns={"a": "numbers", "b": "numbers"}).fit(table, y)
    assert list(model.weights_) == ["a", "b"] and model.weights_["a"] > model.weights_["b"]
    assert [name for name, _, _ in model.left_out_] == ["c"]
    few = WeightedNB().fit(table[:20], y[:20])
    assert few.held_out_["log_loss"] <= few.held_out_["log_loss_of_prior"] and few.plain_ is None
    assert NaiveBayes(effort="plain").fit(table, y).weights_ is None


def test_sums_change_and_weights_stay() -> None:
    X, y = numbers("wine")
    model = WeightedNB().fit(X, y)
    weights, before = model.weights_, model.to_bytes()
    assert model.partial_fit(X[:50], y[:50]).to_bytes() != before
    assert model.weights_ == weights
    assert model.forget(X[:50], y[:50]).predict(X).tolist() == WeightedNB.from_bytes(before).predict(X).tolist()
    doubled = (model + model).decay(0.5)
    assert np.array_equal(doubled.predict_log_proba(X), model.predict_log_proba(X))


@pytest.mark.parametrize("estimator", [WeightedNB(), RefinedNB(), NaiveBayes()])
def test_a_class_that_weights_were_learnt_for_stays(estimator: Any) -> None:
    X, y = numbers("wine")
    model = estimator.fit(X, y)
    before, classes = model.to_bytes(), model.classes_.tolist()
    gone = y == classes[0]
    with pytest.raises(ValueError, match="were learnt for the classes .* learn them again"):
        model.forget(X[gone], y[gone])
    assert model.to_bytes() == before and model.classes_.tolist() == classes
    assert model.predict(X).shape == y.shape
    # Models without weights lose classes.
    plain = NaiveBayes(effort="plain").fit(X, y).forget(X[gone], y[gone])
    assert plain.classes_.tolist() == classes[1:] and set(plain.predict(X).tolist()) <= set(classes[1:])


def test_rows_that_were_never_seen_are_classified_better_than_by_naive_bayes() -> None:
    X, y = numbers("spam")
    loss = {
        type(model): -cross_val_score(model, X[::3], y[::3], scoring="neg_log_loss", cv=3).mean()
        for model in (GaussianNB(), WeightedNB(), RefinedNB())
    }
    assert loss[RefinedNB] < loss[WeightedNB] < 0.5 * loss[GaussianNB], loss


def test_searches_set_the_parameters() -> None:
    X, y = numbers("wine")
    search = GridSearchCV(RefinedNB(), {"best": [False, True]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.9


@pytest.mark.parametrize(
    ("writer", "reader", "message"),
    [
        (NaiveBayes(effort="plain"), WeightedNB, "no weights of features, so that it is not one of WeightedNB"),
        (NaiveBayes(effort="plain"), RefinedNB, "no weights and corrections, so that it is not one of RefinedNB"),
        (RefinedNB(), WeightedNB, "corrections, so that it is not one of WeightedNB; load it with NaiveBayes"),
    ],
)
def test_files_of_other_models_are_refused(writer: Any, reader: Any, message: str) -> None:
    X, y = numbers("wine")
    data = writer.fit(X, y).to_bytes()
    with pytest.raises(ValueError, match=message):
        reader.from_bytes(data)
    assert NaiveBayes.from_bytes(data).to_bytes() == data


def test_best_is_true_or_false() -> None:
    X, y = numbers("wine")
    with pytest.raises(TypeError, match="best is 'yes'; it must be True or False"):
        RefinedNB(best="yes").fit(X, y)


def test_groups_are_held_out_together() -> None:
    random = np.random.default_rng(3)
    patients = np.repeat(np.arange(40), 12)
    X = random.normal(size=(40, 6))[patients] * 20 + random.normal(size=(480, 6))
    y = random.integers(0, 2, 40)[patients]
    apart, whole = RefinedNB().fit(X, y), RefinedNB().fit(X, y, groups=[f"patient {number}" for number in patients])
    assert apart.held_out_["log_loss"] + 0.1 < whole.held_out_["log_loss"] <= whole.held_out_["log_loss_of_prior"] + 1e-12
    assert apart.n_features_in_ == whole.n_features_in_ == 6
    with pytest.raises(ValueError, match="all rows are of one group"):
        RefinedNB().fit(X, y, groups=np.zeros(480, dtype=int))
