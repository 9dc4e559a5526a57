"""Sparse matrices of users as the arrays that the compiled part reads."""

from __future__ import annotations

from typing import Any

import numpy as np


def check(X: Any) -> None:
    """Refuses positions outside of the matrix, by which SciPy would read and write elsewhere when it converts formats."""
    if X.format in ("csr", "csc", "bsr"):
        n_major, n_minor = X.shape if X.format != "csc" else X.shape[::-1]
        block = X.blocksize if X.format == "bsr" else (1, 1)
        n_major, n_minor = n_major // block[0], n_minor // block[1]
        if X.indptr.shape != (n_major + 1,) or X.indices.ndim != 1 or X.data.shape[:1] != X.indices.shape:
            raise ValueError("the sparse matrix is damaged: its arrays have other lengths than its shape says")
        if X.indptr[0] != 0 or X.indptr[-1] > len(X.indices) or (X.indptr[1:] < X.indptr[:-1]).any():
            raise ValueError("the sparse matrix is damaged: its `indptr` does not ascend from 0 to the number of cells")
        # The compiled part checks the columns of rows that are in order.
        if not (X.format == "csr" and X.has_canonical_format):
            _check_range(X.indices, n_minor, "`indices`")
    elif X.format == "coo":
        if X.row.shape != X.data.shape or X.col.shape != X.data.shape:
            raise ValueError("the sparse matrix is damaged: its arrays have different lengths")
        _check_range(X.row, X.shape[0], "`row`")
        _check_range(X.col, X.shape[1], "`col`")


def _check_range(positions: Any, length: int, name: str) -> None:
    if positions.size and not (0 <= positions.min() and positions.max() < length):
        raise ValueError(f"the sparse matrix is damaged: its {name} has {positions.min()} to {positions.max()}, of {length}")


def arrays(X: Any) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """The number of columns, and `indptr`, `indices` and cells of a CSR matrix whose rows are in order."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    cells = X.data if X.data.dtype in (np.float64, np.float32) else X.data.astype(np.float64)
    positions = np.result_type(X.indptr.dtype, X.indices.dtype)
    indptr, indices = (np.ascontiguousarray(part, dtype=positions) for part in (X.indptr, X.indices))
    return X.shape[1], indptr, indices, np.ascontiguousarray(cells)
