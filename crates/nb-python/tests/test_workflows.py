"""The estimators are parts of what people do with scikit-learn."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import joblib
import nbayes
import numpy as np
import pandas
import polars
import pytest
import tables
from estimators import each_estimator, rows
from sklearn import config_context
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectFromModel, SelectKBest, chi2
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score, learning_curve
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder, StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier

SHUFFLED = StratifiedKFold(5, shuffle=True, random_state=3)


def test_columns_in_the_order_of_rows_are_left_out_and_can_be_kept() -> None:
    X, y = np.arange(60.0)[:, None] * 3, np.repeat(["a", "b"], 30)
    with pytest.raises(ValueError, match=r"rise from row to row.*columns=\{\"x0\": \"numbers\"\} keeps it"):
        nbayes.NaiveBayes().fit(X, y)
    assert nbayes.NaiveBayes(columns={"x0": "numbers"}).fit(X, y).score(X, y) > 0.9
    beside = nbayes.NaiveBayes().fit(np.hstack([X, X * 7 % 31]), y)
    assert [name for name, *_ in beside.left_out_] == ["x0"]


def test_pipeline_and_grid_search() -> None:
    X, y = tables.numbers("wine")
    pipeline = make_pipeline(StandardScaler(), nbayes.GaussianNB())
    search = GridSearchCV(pipeline, {"gaussiannb__var_smoothing": [1e-9, 1e-3, 1.0]}, cv=5, scoring="neg_log_loss").fit(X, y)
    assert search.best_estimator_.score(X, y) > 0.95
    assert "gaussiannb__var_smoothing" in search.best_params_


def test_grid_search_over_alpha_with_processes() -> None:
    X, y = tables.numbers("digits")
    search = GridSearchCV(nbayes.MultinomialNB(), {"alpha": [0.01, 1.0], "fit_prior": [True, False]}, cv=3, n_jobs=2).fit(X, y)
    assert search.best_score_ > 0.8


def test_texts() -> None:
    frame = tables.frame("sms")
    pipeline = make_pipeline(CountVectorizer(), SelectKBest(chi2, k=2000), nbayes.MultinomialNB())
    assert cross_val_score(pipeline, frame["text"], frame["label"], cv=3).mean() > 0.97


def test_columns_of_categories() -> None:
    frame = tables.frame("titanic")
    encode = make_column_transformer((OrdinalEncoder(dtype=np.int64), ["Class", "Sex", "Age"]))
    assert cross_val_score(make_pipeline(encode, nbayes.CategoricalNB()), frame, frame["Survived"], cv=SHUFFLED).mean() > 0.7


def test_bins() -> None:
    X, y = tables.numbers("iris")
    bins = KBinsDiscretizer(5, encode="ordinal", strategy="quantile", quantile_method="linear")
    assert cross_val_score(make_pipeline(bins, nbayes.CategoricalNB(min_categories=5)), X, y).mean() > 0.85


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration(method: str) -> None:
    X, y = tables.numbers("spam")
    calibrated = CalibratedClassifierCV(nbayes.GaussianNB(), method=method, cv=3).fit(X, y)
    assert np.isfinite(calibrated.predict_proba(X)).all()
    assert calibrated.score(X, y) > 0.8


def test_ensembles() -> None:
    X, y = tables.numbers("wine")
    members = [("gaussian", nbayes.GaussianNB()), ("shared", nbayes.SharedGaussianNB())]
    for ensemble in (VotingClassifier(members, voting="soft"), BaggingClassifier(nbayes.GaussianNB(), 5, random_state=0)):
        assert ensemble.fit(X, y).score(X, y) > 0.95
    assert OneVsRestClassifier(nbayes.GaussianNB()).fit(X, y).score(X, y) > 0.95


def test_self_training() -> None:
    X, y = tables.numbers("wine")
    y = np.unique(y, return_inverse=True)[1]
    known = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    assert SelfTrainingClassifier(nbayes.GaussianNB()).fit(X, known).score(X, y) > 0.9


def test_curves_and_importance() -> None:
    X, y = tables.numbers("wine")
    _, _, scores = learning_curve(nbayes.GaussianNB(), X, y, exploit_incremental_learning=True, shuffle=True, random_state=0)
    assert scores[-1].mean() > 0.9
    importance = permutation_importance(nbayes.GaussianNB().fit(X, y), X, y, random_state=0)
    assert importance.importances_mean.max() > 0.01


def test_own_cross_validation_is_that_of_scikit_learn() -> None:
    X, y = tables.numbers("wine")
    expected = cross_val_predict(nbayes.GaussianNB(), X, y, cv=SHUFFLED, method="predict_log_proba")
    measures = nbayes.GaussianNB().fit(X, y).cross_validate(X, y, cv=5, random_state=3)
    assert np.array_equal(measures["log_proba"], expected)
    assert measures["accuracy"] == pytest.approx(np.mean(np.unique(y)[expected.argmax(axis=1)] == y))


@each_estimator
def test_copies(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator(n_jobs=1).fit(X, y)
    for same in (copy.deepcopy(model), copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert same.to_bytes() == model.to_bytes()
        assert np.array_equal(same.predict_log_proba(X), model.predict_log_proba(X))
    fresh = clone(model)
    assert fresh.get_params() == model.get_params()
    assert is_classifier(fresh)
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        fresh.predict(X)


@each_estimator
def test_a_copy_is_independent(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator().fit(X, y)
    before = model.to_bytes()
    for copied in (copy.deepcopy(model), copy.copy(model)):
        copied.partial_fit(X, y)
        assert model.to_bytes() == before, "the original changed with its copy"


@each_estimator
def test_parts_fitted_by_processes_merge_to_the_bytes_of_one_fit(Estimator: Any) -> None:
    X, y = rows(Estimator)
    fit = joblib.delayed(lambda rows, labels: Estimator().partial_fit(rows, labels, classes=[0, 1, 2]))
    parts = joblib.Parallel(n_jobs=2)(fit(X[start::4], y[start::4]) for start in range(4))
    whole = parts[0]
    for part in parts[1:]:
        whole.merge(part)
    assert whole.to_bytes() == Estimator().fit(X, y).to_bytes()


@pytest.mark.parametrize("Frame", [pandas.DataFrame, polars.DataFrame])
def test_names_of_columns(Frame: Any) -> None:
    frame = Frame({"height": [1.0, 2.0, 3.0, 4.0], "weight": [4.0, 3.0, 2.5, 1.0]})
    model = nbayes.GaussianNB().fit(frame, ["a", "a", "b", "b"])
    assert model.feature_names_in_.tolist() == ["height", "weight"]
    assert model.predict(frame).tolist() == ["a", "a", "b", "b"]
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[["weight", "height"]])
    with pytest.raises(ValueError, match="wide"):
        model.predict(frame.rename(columns={"weight": "wide"}) if Frame is pandas.DataFrame else frame.rename({"weight": "wide"}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict([[1.0, 4.0]])
    with pytest.raises(ValueError, match="'weight'"):
        model.predict(Frame({"height": [1.0], "weight": [np.nan]}))
    assert model.explain(frame).feature_names.tolist() == ["height", "weight"]


def test_names_that_differ_do_not_merge() -> None:
    one, other = (nbayes.GaussianNB().fit(pandas.DataFrame({name: [1.0, 2.0, 3.0]}), [0, 0, 1]) for name in "ab")
    with pytest.raises(ValueError, match="names"):
        one.merge(other)
    with pytest.raises(TypeError, match="cannot be merged"):
        one.merge(nbayes.SharedGaussianNB().fit([[1.0], [2.0]], [0, 1]))


def test_rows_are_transformed_to_frames() -> None:
    X, y = tables.numbers("wine")
    pipeline = make_pipeline(StandardScaler(), nbayes.GaussianNB()).set_output(transform="pandas")
    frame = tables.frame("wine").drop(columns="cultivar")
    assert pipeline.fit(frame, y).predict(frame).tolist() == pipeline.fit(X, y).predict(X).tolist()


def test_selection_by_the_form_of_shared_variances() -> None:
    X, y = tables.numbers("wine")
    chosen = SelectFromModel(nbayes.SharedGaussianNB(), importance_getter=lambda model: np.ptp(model.theta_, axis=0))
    assert chosen.fit(X, y).transform(X).shape[1] < X.shape[1]


def test_weights_are_routed() -> None:
    X, y = tables.numbers("wine")
    weight = np.random.default_rng(5).exponential(size=len(y))
    with config_context(enable_metadata_routing=True):
        model = nbayes.GaussianNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model)
        pipeline.fit(X, y, sample_weight=weight)
        expected = nbayes.GaussianNB().fit(StandardScaler().fit_transform(X), y, sample_weight=weight)
        assert pipeline[-1].to_bytes() == expected.to_bytes()


LABELS = {
    "text": np.array(["no", "yes", "maybe"]),
    "truth": np.array([False, True]),
    "int8": np.array([3, -7, 5], dtype=np.int8),
    "uint64": np.array([2**63 + 1, 5, 2**64 - 1], dtype=np.uint64),
    "float": np.array([1.0, 2.0, -3.0]),
    "object": np.array(["no", "yes", "maybe"], dtype=object),
    "far apart": np.array([-(2**62), 0, 2**62]),
}


@pytest.mark.parametrize("kind", LABELS)
@each_estimator
def test_labels(Estimator: Any, kind: str) -> None:
    X, places = rows(Estimator, n_classes=len(LABELS[kind]))
    labels = LABELS[kind]
    y = labels[places]
    model = Estimator().fit(X, y)
    assert model.classes_.dtype == labels.dtype
    assert model.classes_.tolist() == sorted(labels.tolist())
    answers = model.predict(X)
    assert answers.dtype == labels.dtype
    by_place = Estimator().fit(X, np.argsort(np.argsort(labels))[places]).predict(X)
    assert np.array_equal(answers, np.sort(labels)[by_place])
    parts = Estimator().partial_fit(X[:90], y[:90], classes=labels).partial_fit(X[90:], y[90:])
    assert np.array_equal(parts.predict(X), answers)
    assert model.score(X, y) == np.mean(answers == y)
    assert model.sample(5, random_state=0)[1].dtype == labels.dtype if Estimator is not nbayes.ComplementNB else True


@pytest.mark.parametrize("Frame", [pandas.Series, polars.Series, list, tuple])
def test_labels_in_a_series(Frame: Any) -> None:
    X, y = tables.numbers("iris")
    model = nbayes.GaussianNB().fit(X, Frame(y))
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert model.to_bytes() == nbayes.GaussianNB().fit(X, y).to_bytes()


def test_labels_in_a_series_of_categories() -> None:
    X, y = tables.numbers("iris")
    series = pandas.Series(y).astype("category")
    assert nbayes.GaussianNB().fit(X, series).predict(X).tolist() == nbayes.GaussianNB().fit(X, y).predict(X).tolist()


def test_numbers_in_a_series_of_categories_are_labels() -> None:
    X, y = tables.numbers("iris")
    numbers = np.unique(y, return_inverse=True)[1]
    series = pandas.Series(numbers).astype("category")
    predicted = nbayes.GaussianNB().fit(X, series).predict(X)
    assert predicted.dtype == np.int64 and predicted.tolist() == nbayes.GaussianNB().fit(X, numbers).predict(X).tolist()


def test_the_package_has_a_version() -> None:
    assert nbayes.__version__.count(".") == 2
