"""Tables of users as cells that the compiled part reads where they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils.validation import validate_data

from nbayes import _sparse

# The first is what others are converted to.
_DTYPES = [np.float64, np.float32, np.uint8, np.int8, np.int16, np.int32, np.uint16, np.uint32]
_AS_THEY_ARE = frozenset(np.dtype(dtype) for dtype in _DTYPES)
_CONVERTED = frozenset(np.dtype(dtype) for dtype in (np.int64, np.uint64, np.bool_, np.float16))


def read(estimator: Any, X: Any, *, reset: bool) -> Any:
    """The cells of `X`, checked against what the estimator was fitted with, or noted if `reset`.

    NaN and infinities are left to the compiled part, which names the cell.
    """
    if _is_plain(X) and (
        reset or (X.shape[1] == estimator.n_features_in_ and not hasattr(estimator, "feature_names_in_"))
    ):
        if reset:
            estimator.n_features_in_ = X.shape[1]
            estimator.__dict__.pop("feature_names_in_", None)
        if type(X) is not np.ndarray:
            return _sparse.arrays(X)
        return X if X.dtype in _AS_THEY_ARE else X.astype(np.float64)
    if scipy.sparse.issparse(X):
        _sparse.check(X)
    if isinstance(X, np.ma.MaskedArray):
        # scikit-learn would take what is behind the mask.
        X = np.ma.filled(X.astype(np.float64), np.nan)
    X = validate_data(
        estimator, X, reset=reset, accept_sparse="csr", dtype=_DTYPES, ensure_all_finite=False
    )
    if scipy.sparse.issparse(X):
        return _sparse.arrays(X)
    return X if X.flags.aligned and X.dtype.isnative else np.array(X, dtype=X.dtype.newbyteorder("="))


def _is_plain(X: Any) -> bool:
    """Whether `X` needs none of the checks and conversions of scikit-learn, which take longer than to score a row."""
    if type(X) is np.ndarray:
        known = X.dtype in _AS_THEY_ARE or X.dtype in _CONVERTED
        return known and X.ndim == 2 and X.dtype.isnative and X.flags.aligned and X.size > 0
    if type(X) is scipy.sparse.csr_matrix or type(X) is scipy.sparse.csr_array:
        known = X.dtype in _AS_THEY_ARE or X.dtype in _CONVERTED
        if known and X.ndim == 2 and X.dtype.isnative and min(X.shape) > 0:
            _sparse.check(X)
            return True
    return False


def n_rows(cells: Any) -> int:
    """How many rows there are."""
    return len(cells[1]) - 1 if isinstance(cells, tuple) else len(cells)


def weights(sample_weight: Any, cells: Any) -> np.ndarray | None:
    """One weight a row, or `None` if all are 1."""
    if sample_weight is None:
        return None
    return one_a_row(sample_weight, n_rows(cells))


def one_a_row(sample_weight: Any, n_rows: int) -> np.ndarray:
    """One weight for each of the rows, of which one at least is above zero."""
    array = np.asarray(sample_weight, dtype=np.float64)
    if array.ndim == 0:
        array = np.full(n_rows, array)
    if array.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {array.shape}, expected ({n_rows},): one weight a row")
    if len(array) and not array.any():
        raise ValueError("all values of sample_weight are zero; a model needs a row with a weight above zero")
    return np.ascontiguousarray(array)
