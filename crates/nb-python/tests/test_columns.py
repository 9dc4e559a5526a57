"""Columns of every type mean the same in every kind of table, and nothing is changed in silence."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from nbayes import NaiveBayes

N = 300
RNG = np.random.default_rng(0)
CLASS = RNG.random(N) < 0.5
X = RNG.normal(size=N) + CLASS
Y = np.where(CLASS, "a", "b")
DAYS = pandas.date_range("2024-01-01", periods=30, freq="D").to_numpy()[RNG.integers(30, size=N)]


def model(table: Any, **parameters: Any) -> NaiveBayes:
    return NaiveBayes(**parameters).fit(table, Y)


def test_masked_cells_are_missing_ones() -> None:
    mask = X > 1
    holes = np.where(mask, np.nan, X)
    expected = model({"x": holes}).to_bytes()
    assert model({"x": np.ma.array(X, mask=mask)}).to_bytes() == expected != model({"x": X}).to_bytes()
    pair = np.column_stack([X, X**2])
    masked = np.ma.array(pair, mask=pair > 1)
    assert model(masked).to_bytes() == model(masked.filled(np.nan)).to_bytes()


@pytest.mark.parametrize("kind", [pandas.DataFrame, polars.DataFrame, dict])
def test_whole_numbers_that_doubles_do_not_have_are_refused(kind: Any) -> None:
    with pytest.raises(ValueError, match="k"):
        model(kind({"k": 2**53 + CLASS.astype(np.int64) * 3, "x": X}))


def test_a_text_is_no_missing_time() -> None:
    texts = ["NaT" if one else "q" for one in CLASS]
    frames = [pandas.DataFrame({"c": texts, "x": X}), polars.DataFrame({"c": texts, "x": X}), {"c": texts, "x": X}]
    bytes_ = {model(frame, effort="plain").to_bytes() for frame in frames}
    assert len(bytes_) == 1


def test_texts_beside_numbers_leave_numbers_as_they_are() -> None:
    rows = [[float(value), "q" if one else "r"] for value, one in zip(X, CLASS)]
    kinds = [(name, kind) for name, kind, _ in model(rows).columns_ + model(rows).left_out_]
    assert ("x0", "numbers") in kinds and ("x1", "categories") in kinds
    assert [kind for _, kind, _ in model(np.column_stack([X, X**2]).astype(str)).columns_] == ["numbers", "numbers"]


@pytest.mark.parametrize(
    "column",
    [
        DAYS,
        DAYS.astype("datetime64[us]") + np.arange(N).astype("timedelta64[ms]"),
        (DAYS - DAYS.min()).astype("timedelta64[ms]"),
        [decimal.Decimal(f"{value:.3f}") for value in X],
        [datetime.date.fromisoformat(str(day)[:10]) for day in DAYS],
        [None if number % 7 == 0 else bool(one) for number, one in enumerate(CLASS)],
        [None if number % 5 == 0 else float(value) for number, value in enumerate(X)],
        [None] * N,
    ],
    ids=["days", "times", "durations", "decimals", "dates", "truth values", "numbers with None", "nothing"],
)
def test_every_kind_of_table_says_the_same_of_a_column(column: Any) -> None:
    tables = {
        "pandas": pandas.DataFrame({"c": column, "x": X}),
        "polars": polars.DataFrame({"c": column, "x": X}),
        "pyarrow": pyarrow.table({"c": pyarrow.array(column), "x": pyarrow.array(X)}),
        "dict": {"c": column, "x": X},
    }
    found = {}
    for name, table in tables.items():
        fitted = model(table)
        found[name] = [(column, kind) for column, kind, _ in fitted.columns_ + fitted.left_out_]
    assert all(kinds == found["dict"] for kinds in found.values()), found


def test_dates_of_every_kind_of_table_have_the_same_parts() -> None:
    times = pandas.Series(DAYS).dt.tz_localize("UTC")
    tables = [pandas.DataFrame({"t": DAYS, "x": X}), polars.DataFrame({"t": DAYS, "x": X}), pandas.DataFrame({"t": times, "x": X})]
    fitted = [model(table, columns={"t": "dates"}) for table in tables]
    answers = [one.predict_log_proba(table) for one, table in zip(fitted, tables)]
    assert all(np.array_equal(answer, answers[0]) for answer in answers)


def test_dates_as_people_write_them_are_read_in_the_order_of_training(tmp_path: Any) -> None:
    days = pandas.Series(DAYS)
    written = days.dt.strftime("%d/%m/%Y")
    tables = {
        "pandas": pandas.DataFrame({"t": written, "x": X}),
        "polars": polars.DataFrame({"t": written.tolist(), "x": X}),
        "pyarrow": pyarrow.table({"t": pyarrow.array(written), "x": pyarrow.array(X)}),
    }
    dates = model(pandas.DataFrame({"t": days, "x": X}), columns={"t": "dates"})
    # These could have the month first, too.
    few = days[days.dt.day <= 12]
    expected = dates.predict_log_proba(pandas.DataFrame({"t": few, "x": 1.0}))
    for name, table in tables.items():
        fitted = model(table, columns={"t": "dates"})
        assert "day first" in dict((column, why) for column, _, why in fitted.columns_)["t"], name
        fitted.save(tmp_path / "model.nb")
        for one in (fitted, NaiveBayes.load(tmp_path / "model.nb")):
            answers = one.predict_log_proba(pandas.DataFrame({"t": few.dt.strftime("%d/%m/%Y"), "x": 1.0}))
            assert np.array_equal(answers, expected), name
    mixed = written.copy()
    mixed.iloc[5] = "12/31/2024"
    with pytest.raises(ValueError, match="is a date with the month first"):
        model(pandas.DataFrame({"t": mixed, "x": X}), columns={"t": "dates"})


@pytest.mark.parametrize("dtype", ["boolean", "Int64", "string", "category"])
def test_nullable_labels_have_plain_types_and_missing_ones_are_named(dtype: str) -> None:
    labels = pandas.Series(CLASS if dtype in ("boolean", "Int64") else Y).astype(dtype)
    fitted = NaiveBayes().fit({"x": X}, labels)
    assert fitted.classes_.dtype.kind == {"boolean": "b", "Int64": "i"}.get(dtype, "O")
    labels.iloc[4] = pandas.NA if dtype != "category" else np.nan
    with pytest.raises(ValueError, match="row 4 has no label"):
        NaiveBayes().fit({"x": X}, labels)
    with pytest.raises(ValueError, match="row 4 has no label"):
        NaiveBayes().fit({"x": X}, polars.Series([None if n == 4 else y for n, y in enumerate(Y)]))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pandas.Series(X), "pandas.Series is no table"),
        (polars.Series(X), "polars.Series is no table"),
        (polars.DataFrame({"x": X}).lazy(), "call .collect"),
        ({"x": 1}, "column 'x' is a int"),
        ({"x": [b"a"] * N}, "column 'x'.*bytes"),
        ({"x": ["\ud800"] * N}, "lone surrogate"),
        (polars.DataFrame({"x": X}).with_columns(polars.lit(1).cast(polars.Int128).alias("w")), "'w'.*128-bit"),
        (pandas.DataFrame(np.column_stack([X, X]), columns=["x", "x"]), "'x'.*more than once"),
    ],
)
def test_what_is_no_table_is_refused_with_what_to_do(table: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        model(table)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (X[:, None], "X has no named columns"),
        (pandas.DataFrame({"x": X, 0: Y}), "there is no column '0'"),
        (pandas.DataFrame(np.column_stack([X, X]), columns=["0", "0"]), "2 columns '0'"),
        (polars.DataFrame({"x": X}), "there is no column '0'"),
    ],
)
def test_labels_by_name_that_are_not_there_are_named(table: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        NaiveBayes().fit(table, "0")


def test_labels_of_mixed_types_are_refused() -> None:
    with pytest.raises(TypeError, match="labels of different types cannot be sorted: int, str"):
        NaiveBayes().fit({"x": X}, np.array([1, "a"] * (N // 2), dtype=object))


@pytest.mark.parametrize("factor", [0, -1.0, np.nan])
def test_factors_that_would_lose_everything_are_refused(factor: float) -> None:
    fitted = model({"x": X})
    with pytest.raises(ValueError, match="it must be above 0"):
        fitted.decay(factor)


def test_classes_without_rows_are_refused() -> None:
    estimator = NaiveBayes()
    with pytest.raises(ValueError, match="classes .'c'. have no rows in the first call"):
        estimator.partial_fit({"x": X}, Y, classes=["a", "b", "c"])
    assert not estimator.__sklearn_is_fitted__()


def test_columns_of_arrays_are_read_in_any_memory_layout() -> None:
    rows = np.column_stack([X, X**2, np.arange(N) % 7])
    expected = model(rows).to_bytes()
    packed = np.zeros(N, dtype=[("flag", "u1"), ("cells", "f8", 3)])  # cells at odd addresses
    packed["cells"] = rows
    wide = np.repeat(np.repeat(rows, 2, axis=0), 3, axis=1)
    layouts = [np.asfortranarray(rows), wide[::2, ::3], rows[::-1, ::-1].copy()[::-1, ::-1], packed["cells"], rows.astype(">f8")]
    for layout in layouts:
        assert model(layout).to_bytes() == expected
        named = {f"x{place}": layout[:, place] for place in range(3)}
        assert model(named).to_bytes() == expected and model(pandas.DataFrame(named)).to_bytes() == expected
    flags = np.column_stack([X > 0, X > 1])
    assert model(flags[:, ::-1].copy()[:, ::-1]).to_bytes() == model(flags).to_bytes()
