"""Calls with what no caller should send end in an error of Python that is for it, and change nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import pytest
import scipy.sparse
from estimators import ALL, rows
from sklearn.exceptions import NotFittedError

N_CALLS = 10_000
EXPECTED = (ValueError, TypeError, IndexError, OverflowError, NotFittedError, MemoryError)
SPECIAL = [np.nan, np.inf, -np.inf, -1.0, -0.0, 0.5, 1e308, -1e308, 1e16, 2.0**53, 5e-324, 1e-200]


class LyingArray:
    """Says that it is an array, and gives something else."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.shape = (20, 4)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def __len__(self) -> int:
        return 20


class LyingInterface:
    """Has a shape or type that cannot be. (Where its memory ends, and that it has no objects, NumPy believes.)"""

    def __init__(self, shape: Any, typestr: str) -> None:
        self.__array_interface__ = {"shape": shape, "typestr": typestr, "data": bytearray(16), "version": 3}


def bad_table(rng: np.random.Generator, X: np.ndarray) -> Any:
    """Rows with something wrong, or nothing."""
    X = X[: rng.integers(1, 21)].copy()
    place = rng.integers(X.shape[0]), rng.integers(X.shape[1])
    special = SPECIAL[rng.integers(len(SPECIAL))]

    def with_special() -> Any:
        X[place] = special
        return X

    def broken_csr() -> Any:
        matrix = scipy.sparse.csr_matrix(X)
        part = ["indptr", "indices", "data"][rng.integers(3)]
        array = getattr(matrix, part).copy()
        if len(array):
            array[rng.integers(len(array))] = [-1, 7, 2**31 - 1, -(2**31), 0][rng.integers(5)]
        setattr(matrix, part, array)
        return matrix

    def shortened_csr() -> Any:
        matrix = scipy.sparse.csr_matrix(X)
        part = ["indptr", "indices", "data"][rng.integers(3)]
        setattr(matrix, part, getattr(matrix, part)[: rng.integers(4)])
        return matrix

    def any_dtype() -> Any:
        dtypes = ["f2", "f4", ">f8", "i1", "u1", "i8", "u8", "c16", "O", "S3", "U3", "M8[s]", "m8[s]", "bool", "longdouble"]
        return X.astype(dtypes[rng.integers(len(dtypes))])

    tables: list[Callable[[], Any]] = [
        lambda: X,
        with_special,
        with_special,
        lambda: with_special().astype(np.float32),
        lambda: scipy.sparse.csr_matrix(with_special()),
        any_dtype,
        any_dtype,
        broken_csr,
        broken_csr,
        shortened_csr,
        lambda: np.asfortranarray(X)[::-1, ::-1],
        lambda: X[:, : rng.integers(X.shape[1] + 1)],
        lambda: np.hstack([X, X]),
        lambda: X[:0],
        lambda: X[0],
        lambda: X[np.newaxis],
        lambda: float(special),
        lambda: None,
        lambda: "rows",
        lambda: {"a": 1},
        lambda: [[1, 2], [3]],
        lambda: [[object()] * 4] * 3,
        lambda: np.array([[{}, None, "x", 2.0]] * 3, dtype=object),
        lambda: np.ma.masked_array(X, X > 1),
        lambda: np.broadcast_to(X[:1], (5, X.shape[1])),
        lambda: np.lib.stride_tricks.as_strided(X, (5, X.shape[1]), (0, 0), writeable=False),
        lambda: pandas.DataFrame(X).assign(text="x"),
        lambda: pandas.DataFrame(X).astype("Float64").mask(pandas.DataFrame(X) > 1),
        lambda: pandas.DataFrame(X, columns=[f"c{column}" for column in range(X.shape[1])]),
        lambda: LyingArray([X, X[0], "text", None, ValueError("no"), np.array(object())][rng.integers(6)]),
        lambda: LyingInterface([(2, 1), (1, 2), (-1, 4), ()][rng.integers(4)], ["<f8", "|V8", "x"][rng.integers(3)]),
        lambda: np.empty((3, 0)),
        lambda: np.zeros((0, 0)),
        lambda: np.zeros((3, 4), dtype=[("a", "f8")]),
        lambda: scipy.sparse.csr_matrix(X).astype(np.complex128),
        lambda: scipy.sparse.dok_matrix((3, X.shape[1])),
        lambda: scipy.sparse.csr_matrix((np.ones(3), ([0, 1, 2], [5, 2**31 + 1, 7])), shape=(3, 2**31 + 5)),
    ]
    return tables[rng.integers(len(tables))]()


def bad_labels(rng: np.random.Generator, y: np.ndarray, n_rows: int) -> Any:
    """Labels with something wrong, or nothing."""
    y = y[:n_rows]
    labels: list[Callable[[], Any]] = [
        lambda: y,
        lambda: y,
        lambda: y,
        lambda: y.astype(float),
        lambda: y.astype(str),
        lambda: y.astype(object),
        lambda: y[:-1],
        lambda: y + 0.5,
        lambda: y[:, np.newaxis],
        lambda: np.column_stack([y, y]),
        lambda: np.where(y == 0, np.nan, y),
        lambda: np.where(y == 0, np.inf, y),
        lambda: None,
        lambda: "labels",
        lambda: [None] * n_rows,
        lambda: [{}] * n_rows,
        lambda: np.array([1, "a", None] * n_rows, dtype=object)[:n_rows],
        lambda: y.astype(np.uint64) + np.uint64(2**63),
        lambda: y + 7,
        lambda: y.astype(complex),
        lambda: y.astype("M8[s]"),
        lambda: np.zeros(n_rows, dtype=int),
        lambda: [b"x"] * n_rows,
        lambda: [2**70] * n_rows,
    ]
    return labels[rng.integers(len(labels))]()


def bad_weights(rng: np.random.Generator, n_rows: int) -> Any:
    """Weights with something wrong, or nothing."""
    special = SPECIAL[rng.integers(len(SPECIAL))]
    weights: list[Callable[[], Any]] = [
        lambda: None,
        lambda: None,
        lambda: None,
        lambda: np.ones(n_rows),
        lambda: np.ones(n_rows + 1),
        lambda: np.zeros(n_rows),
        lambda: np.full(n_rows, special),
        lambda: np.where(np.arange(n_rows) == 0, special, 1.0),
        lambda: 2,
        lambda: special,
        lambda: "weights",
        lambda: ["x"] * n_rows,
        lambda: np.ones((n_rows, 1)),
        lambda: np.ones(n_rows, dtype=object),
    ]
    return weights[rng.integers(len(weights))]()


def bad_settings(rng: np.random.Generator) -> dict[str, Any]:
    """Hyper-parameters that are mostly the usual ones."""
    if rng.random() < 0.7:
        return {}
    values = [*SPECIAL, 0, None, "x", [], [1.0] * 4, [np.nan] * 4, [[1.0]], True, {}, 2**80, "skip", "error", "ignore", [0.5, 0.5], [1.0, 0.0, 0.0]]
    names = ["alpha", "var_smoothing", "priors", "class_prior", "missing", "n_jobs", "binarize", "min_categories", "unseen", "norm", "fit_prior", "rate_prior"]
    return {names[rng.integers(len(names))]: values[rng.integers(len(values))] for _ in range(2)}


def answers_of(estimator: Any, rng: np.random.Generator, X: np.ndarray, y: np.ndarray) -> Any:
    """What a random call gives, or raises."""
    table = bad_table(rng, X)
    n_rows = getattr(table, "shape", (3,))[:1]
    n_rows = int(n_rows[0]) if n_rows and isinstance(n_rows[0], (int, np.integer)) and 0 < n_rows[0] < 100 else 3
    labels, weight = bad_labels(rng, y, n_rows), bad_weights(rng, n_rows)
    calls: list[Callable[[], Any]] = [
        lambda: estimator.fit(table, labels, weight),
        lambda: estimator.partial_fit(table, labels, sample_weight=weight),
        lambda: estimator.partial_fit(table, labels, classes=bad_labels(rng, y, 3), sample_weight=weight),
        lambda: estimator.forget(table, labels, sample_weight=weight),
        lambda: estimator.merge([None, 3, type(estimator)(), estimator][rng.integers(4)]),
        lambda: estimator.decay([*SPECIAL, None, "x"][rng.integers(len(SPECIAL) + 2)]),
        lambda: estimator.predict(table),
        lambda: estimator.predict_proba(table),
        lambda: estimator.predict_log_proba(table),
        lambda: estimator.predict_joint_log_proba(table),
        lambda: estimator.log_evidence(table),
        lambda: estimator.explain(table, [0, -1, 99, 2**70, None][rng.integers(5)]).contributions,
        lambda: estimator.sample([1, 0, -1, 2**70, "x"][rng.integers(5)], [0, None, "x", -5][rng.integers(4)], [None, 0, "x", []][rng.integers(4)])[0],
        lambda: estimator.leave_one_out(table, labels, weight),
        lambda: estimator.cross_validate(table, labels, [5, 2, 1, 0, -1, "x", None][rng.integers(7)], sample_weight=weight)["log_proba"],
        lambda: type(estimator).from_bytes([b"", b"\x89NBM\r\n", "x", None, rng.bytes(100)][rng.integers(5)]),
        lambda: estimator.to_bytes(label=["class", "", None, 3, "\0", "c0"][rng.integers(6)]),
    ]
    return calls[rng.integers(len(calls))]()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(10))
def test_random_calls(seed: int) -> None:
    rng = np.random.default_rng(seed)
    outcomes: Counter[str] = Counter()
    for _ in range(N_CALLS // 10):
        Estimator = ALL[rng.integers(len(ALL))]
        X, y = rows(Estimator, n_rows=20, n_columns=4)
        estimator = Estimator()
        settings = {name: value for name, value in bad_settings(rng).items() if name in estimator.get_params()}
        if rng.random() < 0.8:
            estimator.fit(X, y)
        estimator.set_params(**settings)
        before = state(estimator)
        try:
            answer = answers_of(estimator, rng, X, y)
        except EXPECTED as error:
            outcomes[type(error).__name__] += 1
            assert type(error).__name__ != "PanicException" and str(error)
            assert state(estimator) == before, f"changed by a call that failed: {error!r}"
        else:
            outcomes["answer"] += 1
            if isinstance(answer, np.ndarray) and answer.dtype.kind == "f":
                assert not np.isnan(answer).any()
            elif isinstance(answer, Estimator) and hasattr(answer, "classes_"):
                try:
                    assert not np.isnan(answer.predict_proba(X)).any()
                except EXPECTED:
                    pass
    assert outcomes["answer"] > 100 and outcomes["ValueError"] > 100, outcomes


def state(estimator: Any) -> Any:
    """All that an estimator has."""
    sums = getattr(estimator, "_sums", None)
    rest = {name: repr(value) for name, value in vars(estimator).items() if name not in ("_sums", "_fitted")}
    return rest, None if sums is None else sums.to_bytes({}, [str(place) for place in range(99)], [f"x{place}" for place in range(sums.n_columns)], "class")
