"""The estimator that decides: tables of any kind give one model, whose answers are those of the program."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from nbayes import NaiveBayes
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks
from tables import HELD_OUT, frame, numbers


def mixed() -> pandas.DataFrame:
    """Some rows of numbers, categories and missing cells."""
    return frame("adult").iloc[:3000].reset_index(drop=True)


@parametrize_with_checks([NaiveBayes()], expected_failed_checks=lambda _: HELD_OUT)
def test_scikit_learn_takes_it_as_its_own(estimator: Any, check: Any) -> None:
    check(estimator)


def test_every_kind_of_table_gives_the_same_model() -> None:
    table = mixed()
    labels = table.pop("income")
    first = NaiveBayes().fit(table, labels)
    tables = [polars.from_pandas(table), pyarrow.Table.from_pandas(table), {name: table[name].tolist() for name in table}]
    for other in tables:
        model = NaiveBayes().fit(other, labels)
        assert model.to_bytes() == first.to_bytes(), type(other)
        assert np.array_equal(model.predict_log_proba(other), first.predict_log_proba(table))


def test_labels_are_a_column_or_apart() -> None:
    table = mixed()
    apart = NaiveBayes().fit(table.drop(columns="income"), table["income"])
    for with_labels in (table, polars.from_pandas(table), {name: table[name].tolist() for name in table}):
        assert NaiveBayes().fit(with_labels, "income").to_bytes() == apart.to_bytes()
    with pytest.raises(ValueError, match="there is no column 'wage'"):
        NaiveBayes().fit(table, "wage")


def test_held_out_measures_are_those_of_rows_that_were_never_seen() -> None:
    table = frame("adult").sample(frac=1.0, random_state=0)
    model = NaiveBayes().fit(table[:20_000], "income")
    rest = table[20_000:]
    assert model.held_out_ is not None
    assert abs(model.score(rest, rest["income"]) - model.held_out_["accuracy"]) < 0.01
    assert model.held_out_["accuracy"] > model.held_out_["majority"] + 0.1


def test_rows_of_plain_models_are_held_out_in_turn() -> None:
    table = frame("adult").sample(frac=1.0, random_state=0)
    model = NaiveBayes(effort="plain").fit(table[:20_000], "income")
    rest = table[20_000:]
    assert model.held_out_ is not None and model.weights_ is None
    assert abs(model.score(rest, rest["income"]) - model.held_out_["accuracy"]) < 0.01
    log_proba = model.predict_log_proba(rest)[np.arange(len(rest)), np.searchsorted(model.classes_, rest["income"])]
    assert -log_proba.mean() == pytest.approx(model.held_out_["log_loss"], rel=0.1)
    sums = NaiveBayes(effort="sums_only").fit(table[:20_000], "income")
    assert sums.held_out_ is None and len(sums.to_bytes()) < len(model.to_bytes()) - 1000
    assert np.array_equal(sums.predict_log_proba(rest), model.predict_log_proba(rest))


def test_models_of_parts_add_up_to_the_bytes_of_one_fit() -> None:
    X, y = numbers("spam")
    plain = NaiveBayes(effort="sums_only", columns={f"x{place}": "numbers" for place in range(X.shape[1])})
    parts = [clone(plain).fit(X[start::3], y[start::3]) for start in range(3)]
    whole = clone(plain).fit(X, y).to_bytes()
    assert sum(parts[1:], parts[0]).to_bytes() == whole
    assert parts[2].merge(parts[0] + parts[1]).to_bytes() == whole


def test_texts_dates_and_identifiers() -> None:
    rng = np.random.default_rng(0)
    spam = rng.random(400) < 0.4
    words = np.where(spam, "win a prize now", "see you at lunch")
    table = pandas.DataFrame(
        {
            "message_id": np.arange(1000, 1400),
            "message": [f"{text} {number}" for text, number in zip(words, rng.integers(50, size=400))],
            "when": pandas.date_range("2024-01-01", periods=400, freq="7h"),
            "constant": 1,
        }
    )
    model = NaiveBayes(columns={"message": "text", "when": "dates"}).fit(table, spam)
    assert {(name, kind) for name, kind, _ in model.columns_} == {("message", "text"), ("when", "dates")}
    assert [name for name, _, _ in model.left_out_] == ["message_id", "constant"]
    assert model.held_out_ is not None and model.held_out_["accuracy"] > 0.99
    assert model.predict(table[:2]).dtype == bool
    explanation = model.explain(table, 0)
    assert any(name.startswith("message: ") for name in explanation.to_frame()["feature"][:3])


def test_sums_are_updated_and_taken_out_exactly() -> None:
    table = mixed()
    for effort in ("usual", "plain"):
        model = NaiveBayes(effort=effort).fit(table, "income")
        before = model.to_bytes()
        assert model.forget(table[:100], "income").to_bytes() != before
        assert model.partial_fit(table[:100], "income").to_bytes() == before
    whole = NaiveBayes(effort="sums_only").fit(table, "income")
    before = whole.to_bytes()
    assert (whole + whole).decay(0.5).to_bytes() == before
    with pytest.raises(ValueError):
        whole.forget(table.assign(age=-1000), "income")
    assert whole.to_bytes() == before


def test_weights_and_corrections_stay_when_sums_change() -> None:
    table = mixed()
    model = NaiveBayes().fit(table, "income")
    before = model.predict_log_proba(table)
    model.partial_fit(table[:500], "income")
    assert not np.array_equal(model.predict_log_proba(table), before)
    model.forget(table[:500], "income")
    assert np.array_equal(model.predict_log_proba(table), before)


def test_files_copies_and_pickles_are_the_model(tmp_path: Path) -> None:
    table = mixed()
    model = NaiveBayes().fit(table, "income")
    model.save(tmp_path / "model.nb")
    for other in (NaiveBayes.load(tmp_path / "model.nb"), pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert other.to_bytes() == model.to_bytes()
        assert np.array_equal(other.predict(table), model.predict(table))
        assert other.held_out_ == model.held_out_
    assert model.to_onnx().startswith(b"\x08")
    assert model.to_sql("people").startswith("SELECT")


def test_numbers_of_threads_change_no_bit() -> None:
    table = mixed()
    assert NaiveBayes(n_jobs=-1).fit(table, "income").to_bytes() == NaiveBayes().fit(table, "income").to_bytes()


def test_labels_that_are_numbers_keep_their_order() -> None:
    X = np.repeat(np.arange(4.0), 50)[:, None] + np.tile([0.0, 0.2], 100)[:, None]
    y = np.repeat([9, 10, 100, 2], 50)
    model = NaiveBayes().fit(X, y)
    assert model.classes_.tolist() == [2, 9, 10, 100]
    assert np.array_equal(model.classes_[model.predict_proba(X).argmax(axis=1)], model.predict(X))
    assert cross_val_score(NaiveBayes(), X, y).mean() > 0.9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"effort": "much"}, "effort is \"much\"; it must be plain, fast, usual, best or sums_only"),
        ({"columns": {"aeg": "numbers"}}, "columns names .'aeg'., which the table does not have"),
        ({"columns": {"age": "number"}}, "columns.\"age\". is \"number\"; it must be numbers, counts"),
        ({"n_jobs": 0}, "n_jobs is 0; it must be a number of threads"),
        ({"n_jobs": "all"}, "n_jobs is .all.; it must be a number of threads"),
    ],
)
def test_wrong_parameters_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NaiveBayes(**arguments).fit(mixed(), "income")


def test_wrong_tables_are_named_and_change_nothing() -> None:
    table = mixed()
    model = NaiveBayes().fit(table, "income")
    before = model.to_bytes()
    with pytest.raises(ValueError, match="age"):
        model.predict(table.drop(columns="age"))
    with pytest.raises(ValueError, match="age"):
        model.predict(table.assign(age="old"))
    with pytest.raises(ValueError):
        model.fit(table[:0], "income")
    with pytest.raises(ValueError, match="different lengths"):
        model.fit({"a": [1.0], "b": [1.0, 2.0]}, [0])
    assert model.to_bytes() == before


def test_times_for_columns_of_numbers_are_refused() -> None:
    rng = np.random.default_rng(0)
    table = pandas.DataFrame({"a": rng.normal(size=200), "b": rng.integers(9, size=200)})
    y = table["a"] > 0
    columns: dict[str, str] = {"b": "numbers"}
    model = NaiveBayes(columns=columns).fit(table, y)
    times = [
        pandas.Series(pandas.to_datetime("2024-01-31") + pandas.to_timedelta(table["b"], unit="D")),
        pandas.to_timedelta(table["b"], unit="h"),
    ]
    for wrong in times:
        for kind in (pandas.DataFrame, polars.from_pandas):
            with pytest.raises(TypeError, match="column 'b' has dates or times, where the model was fitted to numbers"):
                model.predict(kind(table.assign(b=wrong)))
        with pytest.raises(TypeError, match="column 'b'"):
            pickle.loads(pickle.dumps(model)).partial_fit(table.assign(b=wrong), y)
        with_times = NaiveBayes(columns=columns).fit(table.assign(b=wrong), y)
        assert with_times.predict(table.assign(b=wrong)).shape == (200,)
    assert model.predict(table.assign(c=times[0])).shape == (200,)


def test_loaded_models_take_the_array_of_fit() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    X[:, 1] = X[:, 4] = 7.0
    y = X[:, 0] + X[:, 2] > 0
    model = NaiveBayes().fit(X, y)
    assert [name for name, _, _ in model.left_out_] == ["x1", "x4"]
    loaded = NaiveBayes.from_bytes(model.to_bytes())
    for other in (loaded, pickle.loads(pickle.dumps(loaded))):
        for rows in (X, X[:, :4], X[:, [0, 2, 3]], X.tolist()):
            assert np.array_equal(other.predict_log_proba(rows), model.predict_log_proba(X))
        with pytest.raises(ValueError, match="X has 2 features, but NaiveBayes is expecting 3 features as input"):
            other.predict(X[:, :2])
    assert loaded.partial_fit(X, y).model_ == model.partial_fit(X, y).model_
    gap = NaiveBayes.from_bytes(NaiveBayes(columns={"x0": "ignore"}).fit(X[:, [1, 0, 1, 2]], y).to_bytes())
    with pytest.raises(ValueError, match=r"X has 3 features, but the model has the columns \['x1', 'x3'\] of an array"):
        gap.predict(X[:, :3])


def test_a_weight_of_two_is_two_rows_in_the_sums_and_none_is_no_row() -> None:
    table = mixed()
    weights = np.arange(len(table)) % 2 + 1
    twice = table.iloc[np.repeat(np.arange(len(table)), weights)]
    weighted = NaiveBayes(effort="sums_only").fit(table, "income", sample_weight=weights)
    assert weighted.to_bytes() == NaiveBayes(effort="sums_only").fit(twice, "income").to_bytes()
    some = table[["age", "hours-per-week"]]
    absent = NaiveBayes(effort="sums_only").fit(some, table["income"], sample_weight=weights - 1)
    assert absent.to_bytes() == NaiveBayes(effort="sums_only").fit(some[weights == 2], table["income"][weights == 2]).to_bytes()
    # Weights and corrections are learnt from weighted rows, too, and held-out rows have their weights.
    model, plain = NaiveBayes().fit(table, "income", sample_weight=1 + 9 * (table["income"] == "large")), NaiveBayes().fit(table, "income")
    assert model.held_out_ is not None and plain.held_out_ is not None
    assert model.held_out_["majority"] == pytest.approx(10 * 720 / (10 * 720 + 2280), abs=0.05)
    assert model.predict_proba(table)[:, 0].mean() > plain.predict_proba(table)[:, 0].mean() + 0.2
    for wrong, message in (([1.0], "one weight a row"), (np.zeros(len(table)), "all values of sample_weight are zero"), (-weights, "weight")):
        with pytest.raises(ValueError, match=message):
            NaiveBayes().fit(table, "income", sample_weight=wrong)


def test_the_prior_moves_all_log_odds_by_the_same() -> None:
    table = mixed()
    for effort in ("usual", "plain"):
        usual, uniform = NaiveBayes(effort=effort).fit(table, "income"), NaiveBayes(effort=effort, prior="uniform").fit(table, "income")
        given = NaiveBayes(effort=effort, prior={"small": 0.5, "large": 0.5}).fit(table, "income")
        assert np.array_equal(given.predict_log_proba(table), uniform.predict_log_proba(table))
        moved = np.diff(usual.predict_log_proba(table)) - np.diff(uniform.predict_log_proba(table))
        shares = table["income"].value_counts()
        assert moved == pytest.approx(np.log(shares["small"] / shares["large"]))
        assert np.array_equal(NaiveBayes.from_bytes(uniform.to_bytes()).predict_proba(table), uniform.predict_proba(table))
    for prior, kind, message in (
        ({"small": 1.0}, ValueError, "no probability for the class \"large\""),
        ({"small": 0.5, "large": 0.2, "tiny": 0.3}, ValueError, "the prior names the class \"tiny\""),
        ({"small": 0.5, "large": 0.2}, ValueError, "prior"),
        ("flat", TypeError, "prior is 'flat'; it must be 'uniform'"),
        ([0.5, 0.5], TypeError, "prior is"),
    ):
        with pytest.raises(kind, match=message):
            NaiveBayes(prior=prior, effort="plain").fit(table, "income")  # type: ignore[arg-type]
