"""Refitted, calibrated and decided models answer as the program's do, and keep that in their files."""

from __future__ import annotations

import copy
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from nbayes import NaiveBayes, RefinedNB, WeightedNB
from sklearn.datasets import load_iris
from sklearn.metrics import f1_score, log_loss, precision_score
from tables import frame, numbers

PROGRAM = os.environ.get("NB_PROGRAM")


def people() -> tuple[pandas.DataFrame, pandas.DataFrame, pandas.DataFrame]:
    """Rows to fit, to choose by, and to measure with."""
    table = frame("adult").sample(frac=1.0, random_state=0).reset_index(drop=True)
    return table[:1500], table[1500:4500], table[4500:8500]


@pytest.fixture(scope="module")
def plain() -> NaiveBayes:
    """A model that is surer than it is right."""
    return NaiveBayes(effort="plain").fit(people()[0], "income")


def split(table: pandas.DataFrame) -> tuple[pandas.DataFrame, Any]:
    return table.drop(columns="income"), table["income"]


# -- refit --------------------------------------------------------------------------------------------------------


def test_refit_learns_weights_for_the_rows_of_now() -> None:
    first, later, test = people()
    model = RefinedNB().fit(first, "income").partial_fit(later, "income")
    before, sums = model.weights_, model.model_.class_weights
    both = pandas.concat([first, later])
    model.refit(both, "income")
    assert model.weights_ != before and np.array_equal(model.model_.class_weights, sums)
    once = RefinedNB().fit(both, "income")
    assert abs(log_loss(test["income"], model.predict_proba(test)) - log_loss(test["income"], once.predict_proba(test))) < 0.02
    # The same rows give the same weights, whatever their order.
    again = copy.deepcopy(model).refit(both[::-1], "income", force=True)
    assert again.weights_ == model.weights_


def test_refit_refuses_few_rows_and_plain_models(plain: NaiveBayes) -> None:
    first, later, _ = people()
    model = WeightedNB().fit(first, "income")
    before = model.to_bytes()
    with pytest.raises(ValueError, match="learnt from 300 rows, less than half of the 1500 rows"):
        model.refit(first[:300], "income")
    assert model.to_bytes() == before
    unknown = later[:300].assign(workclass="Pilot")
    with pytest.raises(ValueError, match="does not know the category \"Pilot\""):
        model.refit(unknown, "income", only_given=True)
    assert model.refit(first[:300], "income", only_given=True, force=True).to_bytes() != before
    weighted = copy.deepcopy(model).refit(first, "income", np.arange(1500) % 2 + 1.0, groups=np.arange(1500) // 3, force=True)
    assert weighted.weights_ != model.weights_
    with pytest.raises(ValueError, match="plain naive Bayes"):
        copy.deepcopy(plain).refit(first, "income")


# -- calibration --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["temperature", "platt", "isotonic"])
def test_calibrated_probabilities_are_better_on_other_rows(plain: NaiveBayes, method: str, tmp_path: Path) -> None:
    _, held_out, test = people()
    rows, labels = split(test)
    before = log_loss(labels, plain.predict_proba(rows))
    model = copy.deepcopy(plain).calibrate(*split(held_out), method=method)
    after = log_loss(labels, model.predict_proba(rows))
    assert after < before - 0.02
    # The measures that it has are of rows that its map was not learnt from.
    assert model.held_out_ is not None and plain.held_out_ is not None
    assert after - 0.02 < model.held_out_["log_loss"] < plain.held_out_["log_loss"] - 0.1
    model.save(tmp_path / "calibrated.nb")
    loaded = NaiveBayes.load(tmp_path / "calibrated.nb")
    assert np.array_equal(loaded.predict_proba(rows), model.predict_proba(rows))
    if method == "temperature":
        assert np.array_equal(model.predict(rows), plain.predict(rows))
        # Log-odds are those of before, times one factor.
        ratios = np.diff(model.predict_log_proba(rows)) / np.diff(plain.predict_log_proba(rows))
        assert np.ptp(ratios) < 1e-6 and ratios[0] < 1
    # Another map takes the place of an isotonic one.
    again = copy.deepcopy(model).calibrate(*split(held_out), method="isotonic")
    assert log_loss(labels, again.predict_proba(rows)) < after + 0.02


@pytest.mark.skipif(PROGRAM is None, reason="NB_PROGRAM does not name the program")
@pytest.mark.parametrize("method", ["temperature", "platt", "isotonic"])
def test_the_program_makes_the_same_map(plain: NaiveBayes, method: str, tmp_path: Path) -> None:
    _, held_out, _ = people()
    assert PROGRAM is not None
    plain.save(tmp_path / "model.nb")
    held_out.to_csv(tmp_path / "rows.csv", index=False)
    command = [PROGRAM, "calibrate", str(tmp_path / "model.nb"), str(tmp_path / "rows.csv"), "--map", method]
    subprocess.run(command, check=True, capture_output=True)
    theirs, ours = NaiveBayes.load(tmp_path / "model.nb"), copy.deepcopy(plain).calibrate(*split(held_out), method=method)
    assert np.array_equal(theirs.predict_log_proba(held_out), ours.predict_log_proba(held_out))
    assert theirs.held_out_ == pytest.approx(ours.held_out_)


def test_three_classes_and_groups() -> None:
    iris = load_iris(as_frame=True)
    labels = iris.target_names[iris.target]
    model = NaiveBayes(effort="plain").fit(iris.data[::2], labels[::2])
    before = model.to_bytes()
    calibrated = model.calibrate(iris.data[1::2], labels[1::2], groups=np.arange(75) // 3, force=True)
    assert calibrated.to_bytes() != before and calibrated.predict_proba(iris.data).sum(axis=1) == pytest.approx(1.0)
    with pytest.raises(ValueError, match="method='platt' is for two classes, and there are 3"):
        model.calibrate(iris.data, labels, method="platt")


def test_rows_that_cannot_calibrate_are_named(plain: NaiveBayes) -> None:
    _, held_out, _ = people()
    rows, labels = split(held_out)
    model = copy.deepcopy(plain)
    wrong: list[tuple[Any, Any, dict[str, Any], str]] = [
        (rows, labels, {"method": "best"}, "method is \"best\"; it must be temperature, platt or isotonic"),
        (rows[labels == "small"], labels[labels == "small"], {}, "all rows have the class"),
        (rows, np.where(labels == "small", "large", "small"), {}, "check the labels"),
        (rows, labels[:5], {}, "labels"),
        (rows, labels.replace("small", "tiny"), {}, "tiny"),
    ]
    for X, y, more, message in wrong:
        with pytest.raises(ValueError, match=message):
            model.calibrate(X, y, **more)
    assert model.to_bytes() == plain.to_bytes()


# -- decisions ----------------------------------------------------------------------------------------------------


def test_weights_costs_and_thresholds_say_the_same(plain: NaiveBayes) -> None:
    rows, _ = split(people()[2])
    large = plain.predict_proba(rows)[:, list(plain.classes_).index("large")]
    # To miss a large income is four times as bad: from a probability of 1 in 5 on.
    expected = np.where(large >= 0.2, "large", "small")
    matrix = [[0.0 if predicted == actual else 4.0 if actual == "large" else 1.0 for actual in plain.classes_] for predicted in plain.classes_]
    for rule in (
        {"weights": {"large": 4.0}},
        {"costs": {("small", "large"): 4.0}},
        {"costs": matrix},
        {"positive": "large", "threshold": 0.2},
    ):
        model = copy.deepcopy(plain).decide(**rule)
        assert np.array_equal(model.predict(rows), expected), rule
        assert np.array_equal(model.predict_proba(rows), plain.predict_proba(rows))
        assert np.array_equal(NaiveBayes.from_bytes(model.to_bytes()).predict(rows), expected)
        assert model.decision_ is not None and model.decision_["rule"] == next(iter({"positive": "threshold"}.get(k, k) for k in rule))
        assert model.decide().decision_ is None and np.array_equal(model.predict(rows), plain.predict(rows))
    decided = copy.deepcopy(plain).decide(costs={("small", "large"): 4.0})
    assert decided.decision_ is not None and decided.decision_["costs"][("small", "large")] == 4.0


def test_thresholds_are_the_best_on_held_out_rows(plain: NaiveBayes) -> None:
    X, y = split(people()[1])
    large = plain.predict_proba(X)[:, list(plain.classes_).index("large")]
    model = copy.deepcopy(plain).decide(X, y, positive="large", maximise="f1")
    best = max(f1_score(y, np.where(large >= cut, "large", "small"), pos_label="large") for cut in np.linspace(0.02, 0.98, 49))
    assert f1_score(y, model.predict(X), pos_label="large") >= best - 1e-12
    accurate = copy.deepcopy(plain).decide(X, y, positive="large", maximise="accuracy")
    assert (accurate.predict(X) == y).mean() >= (plain.predict(X) == y).mean()
    precise = copy.deepcopy(plain).decide(X, y, positive="large", recall_at_precision=0.8)
    assert precision_score(y, precise.predict(X), pos_label="large") >= 0.8
    with pytest.raises(ValueError, match="no threshold promises a precision of 1.5"):
        precise.decide(X, y, positive="large", recall_at_precision=1.5)


def test_rows_that_are_not_sure_get_no_label(plain: NaiveBayes) -> None:
    rows, _ = split(people()[2])
    sure = plain.predict_proba(rows).max(axis=1) >= 0.9
    for label in (None, "unsure"):
        answers = copy.deepcopy(plain).decide(min_probability=0.9, abstain=label).predict(rows)
        assert np.array_equal(answers[sure], plain.predict(rows)[sure])
        assert all(answer == label for answer in answers[~sure]) and 0 < sure.mean() < 1


def test_sets_have_the_true_class_as_often_as_they_say(plain: NaiveBayes) -> None:
    _, held_out, test = people()
    model = copy.deepcopy(plain).decide(*split(held_out), coverage=0.95)
    rows, labels = split(test)
    sets = model.predict_set(rows)
    assert sets.dtype == bool and sets.shape == (len(rows), 2)
    covered = sets[np.arange(len(rows)), np.searchsorted(model.classes_, labels)].mean()
    assert 0.93 < covered < 0.97
    with pytest.raises(ValueError, match="makes no sets"):
        plain.predict_set(rows)


def test_labels_that_are_numbers_keep_their_places() -> None:
    X, _ = numbers("wine")
    y = np.array([9, 10, 100])[np.unique(numbers("wine")[1], return_inverse=True)[1]]
    model = NaiveBayes(effort="plain").fit(X[::2], y[::2])
    assert model.classes_.tolist() == [9, 10, 100]
    before = (model.predict(X) == 100).mean()
    model.decide(weights={100: 1e30})
    assert (model.predict(X) == 100).mean() > before
    model.decide(X[1::2], y[1::2], coverage=0.9)
    sets = model.predict_set(X[1::2])
    assert sets[np.arange(len(sets)), np.searchsorted([9, 10, 100], y[1::2])].mean() >= 0.9
    model.decide(positive=10, threshold=1e-9)
    assert model.decision_ == {"rule": "threshold", "positive": 10, "threshold": 1e-9}
    assert np.array_equal(model.predict(X) == 10, model.predict_proba(X)[:, 1] >= 1e-9)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"weights": {"tiny": 1.0}}, ValueError, "there is no class 'tiny'; the classes are"),
        ({"weights": {"large": -1.0}}, ValueError, "above 0"),
        ({"weights": [1.0]}, TypeError, "must be a dictionary"),
        ({"costs": {"large": 1.0}}, TypeError, "keys are pairs"),
        ({"costs": [[0.0, 1.0]]}, ValueError, "there are 2 classes, so that it must be"),
        ({"weights": {"large": 2.0}, "costs": {}}, ValueError, "a model has one rule"),
        ({"threshold": 0.3}, ValueError, "these need positive"),
        ({"positive": "large"}, ValueError, "positive needs one of"),
        ({"positive": "large", "threshold": 1.5}, ValueError, "between 0 and 1"),
        ({"positive": "large", "maximise": "f1"}, ValueError, "maximise needs X and y"),
        ({"coverage": 0.9}, ValueError, "coverage needs X and y"),
        ({"abstain": "unsure"}, ValueError, "min_probability, which is not given"),
        ({"min_probability": 0.9, "abstain": "large"}, ValueError, "is a class of the model"),
    ],
)
def test_wrong_decisions_are_named(plain: NaiveBayes, arguments: dict[str, Any], kind: type[Exception], message: str) -> None:
    model = copy.deepcopy(plain)
    with pytest.raises(kind, match=message):
        model.decide(**arguments)
    assert model.to_bytes() == plain.to_bytes()
