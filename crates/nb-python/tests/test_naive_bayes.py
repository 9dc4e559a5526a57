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
import scipy.sparse
from nbayes import NaiveBayes
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks
from tables import frame


def mixed() -> pandas.DataFrame:
    """Some rows of numbers, categories and missing cells."""
    return frame("adult").iloc[:3000].reset_index(drop=True)


@parametrize_with_checks([NaiveBayes()])
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
    whole = NaiveBayes(effort="plain").fit(table, "income")
    before = whole.to_bytes()
    assert whole.forget(table[:100], "income").to_bytes() != before
    assert whole.partial_fit(table[:100], "income").to_bytes() == before
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
        ({"effort": "much"}, "effort is \"much\"; it must be plain, fast, usual or best"),
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
    with pytest.raises(TypeError, match="dense data is required"):
        model.fit(scipy.sparse.eye(5), [0, 1, 0, 1, 0])
    with pytest.raises(ValueError):
        model.fit(table[:0], "income")
    with pytest.raises(ValueError, match="different lengths"):
        model.fit({"a": [1.0], "b": [1.0, 2.0]}, [0])
    assert model.to_bytes() == before
