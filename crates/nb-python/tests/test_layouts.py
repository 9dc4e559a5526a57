"""How cells lie in memory, and of which type they are, does not change a bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import polars
import pytest
import scipy.sparse
from estimators import GAUSSIAN, each_estimator, rows


def read_only(X: np.ndarray) -> np.ndarray:
    X = X.copy()
    X.flags.writeable = False
    return X


def every_other(X: np.ndarray) -> np.ndarray:
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan)
    wide[::2, ::3] = X
    return wide[::2, ::3]


def unaligned(X: np.ndarray) -> np.ndarray:
    memory = np.zeros(X.nbytes + 1, dtype=np.uint8)
    shifted = memory[1:].view(np.float64).reshape(X.shape)
    shifted[:] = X
    return shifted


def unsorted(X: np.ndarray) -> Any:
    """A sparse matrix whose rows have their cells in descending order, in two parts each."""
    matrix = scipy.sparse.csr_matrix(np.where(X == 0, 0, X))
    order = np.concatenate([np.arange(matrix.indptr[row + 1] - 1, matrix.indptr[row] - 1, -1) for row in range(X.shape[0])])
    return scipy.sparse.csr_matrix((matrix.data[order], matrix.indices[order], matrix.indptr), shape=X.shape)


LAYOUTS = {
    "Fortran": np.asfortranarray,
    "strided": every_other,
    "reversed": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": read_only,
    "unaligned": unaligned,
    "big-endian": lambda X: X.astype(">f8"),
    "list": lambda X: X.tolist(),
    "object": lambda X: X.astype(object),
    "float32": lambda X: X.astype(np.float32),
    "pandas": pandas.DataFrame,
    "polars": lambda X: polars.DataFrame(X, schema=[str(column) for column in range(X.shape[1])]),
    "csr": scipy.sparse.csr_matrix,
    "csr array": scipy.sparse.csr_array,
    "csc": scipy.sparse.csc_matrix,
    "coo": scipy.sparse.coo_matrix,
    "csr of int64 positions": lambda X: with_positions(scipy.sparse.csr_matrix(X), np.int64),
    "csr of float32": lambda X: scipy.sparse.csr_matrix(X.astype(np.float32)),
    "unsorted csr": unsorted,
}
WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16"]


def with_positions(matrix: Any, dtype: Any) -> Any:
    matrix.indptr, matrix.indices = matrix.indptr.astype(dtype), matrix.indices.astype(dtype)
    return matrix


@pytest.mark.parametrize("layout", LAYOUTS)
@each_estimator
def test_layouts(Estimator: Any, layout: str) -> None:
    X, y = rows(Estimator)
    X = np.round(4 * X) / 4  # the same numbers in float32
    names = {"pandas": list(range(X.shape[1])), "polars": [str(column) for column in range(X.shape[1])]}
    plain, model = Estimator().fit(X, y), Estimator().fit(LAYOUTS[layout](X), y)
    if layout not in names or layout == "pandas":
        assert model.to_bytes() == plain.to_bytes()
    assert np.array_equal(model.predict_log_proba(LAYOUTS[layout](X)), plain.predict_log_proba(X))
    assert np.array_equal(model.predict(LAYOUTS[layout](X)), plain.predict(X))
    assert np.array_equal(model.forget(LAYOUTS[layout](X[:20]), y[:20])._sums.class_weights, plain.forget(X[:20], y[:20])._sums.class_weights)


@pytest.mark.parametrize("dtype", WHOLE)
@each_estimator
def test_whole_numbers_of_any_type(Estimator: Any, dtype: str) -> None:
    X, y = rows(Estimator)
    X = np.clip(np.rint(X), 0, 100) if dtype.startswith("u") else np.clip(np.rint(X), -100, 100)
    plain, model = Estimator().fit(X, y), Estimator().fit(X.astype(dtype), y)
    assert model.to_bytes() == plain.to_bytes()
    assert np.array_equal(model.predict_log_proba(X.astype(dtype)), plain.predict_log_proba(X))
    if dtype != "float16":  # SciPy has none
        sparse = Estimator().fit(scipy.sparse.csr_array(X.astype(dtype)), y)
        assert sparse.to_bytes() == plain.to_bytes()


@each_estimator
def test_truth_values(Estimator: Any) -> None:
    X, y = rows(Estimator)
    X = X > X.mean()
    assert Estimator().fit(X, y).to_bytes() == Estimator().fit(X.astype(np.float64), y).to_bytes()


def test_stored_zeros_and_repeated_cells() -> None:
    cells = ([1.0, 2.0, 0.0, 5.0], ([0, 0, 0, 1], [1, 1, 2, 0]))
    matrix = scipy.sparse.coo_matrix(cells, shape=(2, 3)).tocsr(copy=True)
    for Estimator in GAUSSIAN:
        sparse, dense = Estimator().fit(matrix, ["a", "b"]), Estimator().fit([[0, 3, 0], [5, 0, 0]], ["a", "b"])
        assert sparse.to_bytes() == dense.to_bytes()
