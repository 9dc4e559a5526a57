"""Pictures: what is drawn is what the model answers, and every kind of column and model has a picture."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import matplotlib
import numpy as np
import pandas
import polars
import pytest
from nbayes import (
    AODE,
    BernoulliNB,
    BinnedNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    KernelNB,
    MultinomialNB,
    NaiveBayes,
    NegativeBinomialNB,
    PoissonNB,
)
from nbayes.display import DecisionRegionsDisplay, ExplanationDisplay, ReliabilityDisplay, ShapeDisplay
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from tables import frame, messages

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Figures are drawn, so that what only drawing finds is found, and closed."""
    yield
    try:
        for number in pyplot.get_fignums():
            pyplot.figure(number).canvas.draw()
    finally:
        pyplot.close("all")


def people() -> pandas.DataFrame:
    """Rows of numbers, categories and missing cells."""
    return frame("adult").iloc[:1500].reset_index(drop=True)


def flowers() -> tuple[pandas.DataFrame, np.ndarray]:
    """Rows of three classes whose labels are texts."""
    iris = load_iris(as_frame=True)
    return iris.data, iris.target_names[iris.target]


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    """A model of people."""
    return NaiveBayes().fit(people(), "income")


# -- shapes -------------------------------------------------------------------------------------------------------


def test_shapes_and_intercept_add_up_to_the_log_odds_of_rows(model: NaiveBayes) -> None:
    table = people().drop(columns="income")
    display = ShapeDisplay.from_estimator(model, table, max_features=99)
    assert len(display.shapes) == len(display.axes_) == len(model.columns_)
    explanation = model.explain(table, 3)
    total = explanation.intercept[1] - explanation.intercept[0]
    for shape in display.shapes:
        cell = table[shape.feature][3]
        if isinstance(cell, float) and np.isnan(cell):
            total += shape.missing[0]
        elif shape.kind == "bins":
            total += shape.log_odds[np.searchsorted(shape.values[1:-1], cell), 0]
        elif shape.kind == "curve":
            # Between two numbers the curve is straight, and of a cut point there is one on either side.
            total += np.interp(cell, shape.values, shape.log_odds[:, 0])
        else:
            total += shape.log_odds[list(shape.values).index(cell), 0]
    # What columns add together is no shape of one of them.
    total += explanation.log_odds(model.classes_[1], model.classes_[0])[len(model.columns_) :].sum()
    log_proba = model.predict_log_proba(table[3:4])[0]
    assert total == pytest.approx(log_proba[1] - log_proba[0], abs=1e-9)


def test_the_strongest_shapes_come_first(model: NaiveBayes) -> None:
    display = ShapeDisplay.from_estimator(model)
    strengths = [shape.strength for shape in display.shapes]
    assert len(strengths) == 6 and strengths == sorted(strengths, reverse=True) and strengths[-1] > 0
    # A column without a word on the class is among the last.
    noise = np.random.default_rng(0).normal(size=1500)
    with_noise = NaiveBayes().fit(people().assign(noise=noise), "income")
    names = [shape.feature for shape in ShapeDisplay.from_estimator(with_noise, max_features=99).shapes]
    assert "noise" not in names[:5]


@pytest.mark.parametrize("kind", [GaussianNB, KernelNB, BinnedNB, PoissonNB, NegativeBinomialNB])
def test_numbers_have_a_curve_or_steps_for_each_class(kind: type[Any]) -> None:
    X, y = flowers()
    fitted = kind().fit(X.round(), y)
    display = ShapeDisplay.from_estimator(fitted, X.round(), features="petal length (cm)")
    (shape,) = display.shapes
    assert shape.log_odds.shape[1] == 3 and shape.kind == ("bins" if kind is BinnedNB else "curve")
    assert display.ax_ is display.axes_[0] and display.ax_.figure is display.figure_
    # Classes are told apart as the model tells them: of the smallest petals, by what they add.
    first, last = shape.log_odds[0], shape.log_odds[-1]
    assert display.classes[first.argmax()] == "setosa" and display.classes[last.argmax()] == "virginica"
    # Over the rows what is added is 1 in the mean, as a factor.
    assert shape.shares is not None and shape.shares.sum() == pytest.approx(1.0)
    shares = np.full(3, 1 / 3)
    assert np.exp(shape.log_odds) @ shares == pytest.approx(1.0)


def test_curves_go_over_the_rows_that_are_given() -> None:
    X, y = flowers()
    fitted = GaussianNB().fit(X, y)
    for table in (X, X.to_numpy(), {name: X[name].tolist() for name in X}, polars.from_pandas(X)):
        (shape,) = ShapeDisplay.from_estimator(fitted, table, features=0).shapes
        assert (shape.values[0], shape.values[-1]) == (4.3, 7.9) == shape.span
    (wider,) = ShapeDisplay.from_estimator(fitted, features=0).shapes
    assert wider.values[0] < 4.3 and wider.values[-1] > 7.9


@pytest.mark.parametrize("kind", [MultinomialNB, ComplementNB])
def test_events_are_bars_of_what_each_adds(kind: type[Any]) -> None:
    X, y = messages()
    fitted = kind().fit(X, y)
    (shape,) = ShapeDisplay.from_estimator(fitted, max_features=3).shapes
    assert shape.kind == "terms" and len(shape.values) == X.shape[1]
    once = np.zeros((1, X.shape[1]))
    once[0, 17] = 1.0
    odds = fitted.predict_joint_log_proba(once) - fitted.predict_joint_log_proba(0 * once)
    assert shape.log_odds[17, 0] == pytest.approx(odds[0, 1] - odds[0, 0])
    (named,) = ShapeDisplay.from_estimator(fitted, features=[17]).shapes
    assert named.values.tolist() == ["x17"] and named.log_odds[0] == pytest.approx(shape.log_odds[17])


def test_columns_of_texts_are_words_and_dates_are_parts() -> None:
    rng = np.random.default_rng(0)
    spam = rng.random(300) < 0.4
    words = np.where(spam, "win a prize now", "see you at lunch")
    when = pandas.Timestamp("2024-01-01") + pandas.to_timedelta(rng.integers(9000, size=300), unit="h")
    table = pandas.DataFrame({"message": words, "when": when, "size": rng.normal(size=300) + spam})
    fitted = NaiveBayes(columns={"message": "text", "when": "dates"}).fit(table, spam)
    (message,) = ShapeDisplay.from_estimator(fitted, features="message").shapes
    assert message.kind == "terms" and {"prize", "lunch"} <= set(message.values)
    of = dict(zip(message.values, message.log_odds[:, 0]))
    assert of["prize"] > 0 > of["lunch"]
    assert len(ShapeDisplay.from_estimator(fitted, features="when").shapes) > 1


@pytest.mark.parametrize("kind", [BernoulliNB, CategoricalNB])
def test_categories_are_bars_or_dots(kind: type[Any]) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(200, 3))
    for y in (X[:, 0], X[:, 0] + X[:, 1]):
        display = ShapeDisplay.from_estimator(kind().fit(X, y))
        assert {shape.kind for shape in display.shapes} == {"categories"}
        assert display.shapes[0].log_odds.shape == (2, 1 if y.max() == 1 else 3)


def test_impossible_values_have_a_picture() -> None:
    X, y = [[0], [0], [1], [2]], ["a", "a", "b", "b"]
    fitted = CategoricalNB(alpha=0).fit(X, y)
    display = ShapeDisplay.from_estimator(fitted)
    assert display.shapes[0].log_odds.ravel().tolist() == [-np.inf, np.inf, np.inf]
    assert display.shapes[0].strength == 0.0


def test_one_class_and_equal_values_have_a_picture() -> None:
    X = np.column_stack([np.arange(5.0), np.ones(5)])
    for labels in (["a"] * 5, ["a", "a", "b", "b", "b"]):
        display = ShapeDisplay.from_estimator(GaussianNB().fit(X, labels), X)
        assert len(display.shapes) == 2


def test_own_axes_are_used(model: NaiveBayes) -> None:
    _, own = pyplot.subplots(1, 2)
    display = ShapeDisplay.from_estimator(model, features=["age", "sex"], ax=own)
    assert list(display.axes_) == list(own) and "log-odds" in own[0].get_ylabel()
    with pytest.raises(ValueError, match="there are 2 shapes, but 1 axes"):
        display.plot(ax=own[0])


def test_wrong_shapes_are_named(model: NaiveBayes) -> None:
    X, y = flowers()
    with pytest.raises(ValueError, match="no feature 'aeg'; it has 'age'"):
        ShapeDisplay.from_estimator(model, features="aeg")
    with pytest.raises(ValueError, match="no feature 99"):
        ShapeDisplay.from_estimator(model, features=99)
    with pytest.raises(TypeError, match="in AODE what a feature adds depends on others"):
        ShapeDisplay.from_estimator(AODE().fit(X, y))
    with pytest.raises(TypeError, match="LogisticRegression is no estimator of nbayes"):
        ShapeDisplay.from_estimator(LogisticRegression(max_iter=1000).fit(X, y))
    with pytest.raises(ValueError, match="X has no column 'petal length .cm.'"):
        ShapeDisplay.from_estimator(GaussianNB().fit(X, y), X.iloc[:, :2])


# -- explanations -------------------------------------------------------------------------------------------------


def test_explanations_are_those_of_the_estimator(model: NaiveBayes) -> None:
    table = people().drop(columns="income")
    display = ExplanationDisplay.from_estimator(model, table, row=-1, max_features=4)
    explanation = model.explain(table, -1)
    assert display.label == explanation.predicted == model.predict(table)[-1]
    assert np.array_equal(display.log_odds, explanation.log_odds())
    assert display.probability == pytest.approx(model.predict_proba(table)[-1].max())
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert len(names) == 6 and names[-2:] == [f"{len(display.feature_names) - 4} other features", "intercept"]
    widths = [bar.get_width() for bar in display.ax_.patches]
    assert sum(widths) == pytest.approx(display.log_odds.sum() + display.intercept)
    assert abs(widths[0]) == pytest.approx(np.abs(display.log_odds).max())
    # Categories have their names, and not codes.
    strongest = int(np.argmax(np.abs(display.log_odds)))
    assert names[0].split(" = ")[0] == display.feature_names[strongest]
    relationship = list(display.feature_names).index("relationship")
    assert display.cells[relationship] == table["relationship"].iloc[-1]


def test_explanations_of_two_classes_that_are_named() -> None:
    X, y = flowers()
    explanation = GaussianNB().fit(X, y).explain(X, 0)
    display = ExplanationDisplay.from_explanation(explanation, label="virginica", against="setosa")
    assert (display.label, display.against) == ("virginica", "setosa") and (display.log_odds < 0).all()
    with pytest.raises(ValueError, match="there is no class 'rose'"):
        ExplanationDisplay.from_explanation(explanation, label="rose")
    with pytest.raises(TypeError, match="LogisticRegression has no explanations"):
        ExplanationDisplay.from_estimator(LogisticRegression(max_iter=1000).fit(X, y), X)


def test_impossible_classes_have_an_explanation() -> None:
    fitted = CategoricalNB(alpha=0).fit([[0], [0], [1], [2]], ["a", "a", "b", "b"])
    display = ExplanationDisplay.from_estimator(fitted, [[2]])
    assert display.log_odds.tolist() == [np.inf] and display.label == "b"


# -- calibration --------------------------------------------------------------------------------------------------


def test_reliability_is_the_share_in_each_bin() -> None:
    y_prob = np.repeat([0.1, 0.4, 0.8], 50)
    y_true = np.concatenate([np.arange(50) < 5, np.arange(50) < 20, np.arange(50) < 25])
    display = ReliabilityDisplay.from_predictions(y_true, y_prob, n_bins=3)
    assert display.prob_pred == pytest.approx([0.1, 0.4, 0.8])
    assert display.prob_true == pytest.approx([0.1, 0.4, 0.5])
    assert display.counts.tolist() == [50, 50, 50]
    # Wilson's interval of 5 of 50.
    assert (display.lower[0], display.upper[0]) == pytest.approx((0.0435, 0.2136), abs=1e-4)
    assert display.upper[2] < 0.8 and np.array_equal(display.line_.get_ydata(), display.prob_true)
    uniform = ReliabilityDisplay.from_predictions(y_true, y_prob, n_bins=2, strategy="uniform")
    assert uniform.counts.tolist() == [100, 50]


def test_reliability_of_estimators_and_of_held_out_rows(model: NaiveBayes) -> None:
    rest = frame("adult").iloc[1500:3000]
    of_model = ReliabilityDisplay.from_estimator(model, rest.drop(columns="income"), rest["income"])
    assert of_model.pos_label == model.classes_[1] and of_model.counts.sum() == 1500
    assert np.abs(of_model.prob_true - of_model.prob_pred).max() < 0.2
    X, y = flowers()
    # Three classes: the predicted label, and whether it is right; each row by a model without it.
    held_out = ReliabilityDisplay.from_estimator(GaussianNB(), X, y, cv=5, ax=of_model.ax_)
    assert held_out.pos_label is None and held_out.ax_ is of_model.ax_
    right = held_out.counts @ held_out.prob_true / held_out.counts.sum()
    assert 0.9 < right < 1
    legend = held_out.ax_.get_legend()
    assert legend is not None
    names = [text.get_text() for text in legend.get_texts()]
    assert names == ["perfectly calibrated", "NaiveBayes", "GaussianNB"]
    one = ReliabilityDisplay.from_estimator(GaussianNB(), X, y, cv=5, pos_label="virginica", name="mine")
    assert one.counts @ one.prob_true == pytest.approx(50)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_prob": [0.5]}, "there are 2 labels, but probabilities of 1 rows"),
        ({"y_prob": [0.5, 1.5]}, "probabilities are from 0 to 1"),
        ({"y_prob": [0.5, np.nan]}, "probabilities are from 0 to 1"),
        ({"n_bins": 0}, "n_bins is 0"),
        ({"strategy": "best"}, "strategy is 'best'; it must be quantile or uniform"),
        ({"pos_label": "c"}, "there is no class 'c'"),
        ({"y_prob": [[0.2, 0.3, 0.5]] * 2}, "there are 2 classes, but 3 columns"),
        ({"y_true": [], "y_prob": []}, "there are no rows"),
    ],
)
def test_wrong_predictions_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ReliabilityDisplay.from_predictions(**({"y_true": ["a", "b"], "y_prob": [0.1, 0.9]} | arguments))


# -- regions ------------------------------------------------------------------------------------------------------


def test_regions_are_what_the_estimator_predicts() -> None:
    X, y = flowers()
    fitted = GaussianNB().fit(X, y)
    for table, names in ((X, ["petal length (cm)", "petal width (cm)"]), (X.to_numpy(), (2, 3))):
        display = DecisionRegionsDisplay.from_estimator(fitted.fit(table, y), table, names, y=y, grid_resolution=20)
        row = [*X.iloc[:, :2].median(), display.xx0[4], display.xx1[11]]
        cells = pandas.DataFrame([row], columns=X.columns) if table is X else np.array([row])
        assert display.response[11, 4] == pytest.approx(fitted.predict_proba(cells)[0])
        assert display.response.sum(axis=2) == pytest.approx(1.0)
    other = DecisionRegionsDisplay.from_estimator(LogisticRegression(max_iter=1000).fit(X, y), X, grid_resolution=5)
    assert other.feature_names == ("sepal length (cm)", "sepal width (cm)")


def test_other_columns_are_missing_or_given(model: NaiveBayes) -> None:
    table = people().drop(columns="income")
    names = ("age", "hours-per-week")
    alone = DecisionRegionsDisplay.from_estimator(model, table, names, grid_resolution=8)
    empty: dict[str, Any] = {name: [None] for name in table} | {"age": [alone.xx0[2]], "hours-per-week": [alone.xx1[5]]}
    assert alone.response[5, 2] == pytest.approx(model.predict_proba(empty)[0])
    at = {"marital-status": "Married-civ-spouse", "education-num": 14}
    married = DecisionRegionsDisplay.from_estimator(model, table, names, at=at, grid_resolution=8)
    large = list(model.classes_).index("large")
    assert (married.response[:, :, large] > alone.response[:, :, large]).all()
    skipping = GaussianNB(missing="skip").fit(table[["age", "hours-per-week", "education-num"]], people()["income"])
    display = DecisionRegionsDisplay.from_estimator(skipping, table[["age", "hours-per-week", "education-num"]], (0, 1))
    assert np.isfinite(display.response).all()


def test_wrong_regions_are_named(model: NaiveBayes) -> None:
    table = people().drop(columns="income")
    wrong: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (("age", "age"), {}, ValueError, "names the column 'age' twice"),
        (("age",), {}, ValueError, "it must be two columns"),
        ("age", {}, ValueError, "it must be two columns"),
        (("age", "aeg"), {}, ValueError, "X has no column 'aeg'"),
        (("age", 99), {}, ValueError, "X has no column 99"),
        (("age", "sex"), {}, TypeError, "column 'sex' has cells that are no numbers"),
        (("age", "fnlwgt"), {"at": {"age": 3}}, ValueError, "one of the two columns"),
        (("age", "fnlwgt"), {"grid_resolution": 1}, ValueError, "grid_resolution is 1"),
    ]
    for features, more, kind, message in wrong:
        with pytest.raises(kind, match=message):
            DecisionRegionsDisplay.from_estimator(model, table, features, **more)


# -- all ----------------------------------------------------------------------------------------------------------


def test_labels_and_names_are_no_formulas(model: NaiveBayes) -> None:
    """matplotlib takes a text between dollars for a formula, which may be wrong."""
    X = pandas.DataFrame({"cost in $": np.arange(40.0), "$\\frac{1}$": np.arange(40.0) % 7, "a\nb": 1.0})
    fitted = NaiveBayes().fit(X, np.where(X["cost in $"] < 20, "$\\bad$", "ham"))
    ShapeDisplay.from_estimator(fitted)
    ExplanationDisplay.from_estimator(fitted, X)
    DecisionRegionsDisplay.from_estimator(fitted, X, (0, 1), y=fitted.predict(X), grid_resolution=5)
    ReliabilityDisplay.from_estimator(fitted, X, fitted.predict(X), name="$\\frac{$")


def test_without_matplotlib_the_error_says_what_to_install(model: NaiveBayes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    X, y = flowers()
    with pytest.raises(ImportError, match="pip install matplotlib"):
        ShapeDisplay.from_estimator(model)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        DecisionRegionsDisplay.from_estimator(GaussianNB().fit(X, y), X)
