"""Labels of users as numbers of classes, and as the texts that model files have."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from nbayes import _columns, _core
from nbayes._types import Labels, Places


def encode(y: Any, n_rows: int) -> tuple[Labels, Places]:
    """The distinct labels in order, and the place of each label among them."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    y = _vector(y, n_rows)
    whole = _whole(y)
    if whole is not None:
        classes, places = _core.encode(whole)
        return classes.astype(y.dtype), places
    if y.dtype.kind in "US" and y.dtype.isnative and y.dtype.itemsize:
        first, places = _core.encode_texts(np.ascontiguousarray(y).view(np.uint8), y.dtype.itemsize)
        return _in_order(y[first], places)
    if y.dtype.kind == "O":
        known: dict[Any, int] = {}
        try:
            places = np.fromiter((known.setdefault(label, len(known)) for label in y.tolist()), np.int64, len(y))
        except TypeError:
            check_classification_targets(y)
            raise
        distinct = np.empty(len(known), dtype=object)
        distinct[:] = list(known)
        return _in_order(distinct, places)
    check_classification_targets(y)
    classes, places = np.unique(y, return_inverse=True)
    return classes, places.astype(np.int64, copy=False).reshape(-1)


def _in_order(distinct: Labels, places: Places) -> tuple[Labels, Places]:
    """Distinct labels in order, and places among them instead of among those that are not."""
    try:
        classes, order = np.unique(distinct, return_inverse=True)
    except TypeError:
        types = sorted({type(label).__name__ for label in distinct.tolist()})
        raise TypeError(f"labels of different types cannot be sorted: {', '.join(types)}; make them one type") from None
    # Three of each, as many classes of few rows are no reason for a warning here.
    check_classification_targets(np.repeat(distinct, 3))
    return classes, order.reshape(-1).astype(np.int64, copy=False)[places]


def encode_known(y: Any, n_rows: int, known: Labels) -> Places:
    """The place of each label among known classes."""
    classes, places = encode(y, n_rows)
    if len(classes) == len(known) and np.array_equal(classes, known):
        return places
    unknown = np.setdiff1d(classes, known)
    if len(unknown):
        raise ValueError(
            f"The target label(s) {unknown} in y do not exist in the initial classes {known}"
        )
    return np.searchsorted(known, classes)[places]


def _vector(y: Any, n_rows: int) -> Labels:
    y = _plain(y)
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        raise ValueError("y has masked labels; leave out their rows")
    labels: Labels = y if type(y) is np.ndarray and y.ndim == 1 else column_or_1d(y, warn=True)
    if len(labels) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, y has {len(labels)} labels"
        )
    return labels


def _plain(y: Any) -> Any:
    """Labels of pandas and polars as an array, those of nullable types in the type of NumPy."""
    if hasattr(y, "dtype") and hasattr(y, "isna") and not isinstance(y.dtype, np.dtype):
        _refuse_missing(np.asarray(y.isna()))
        kinds = {"b": bool, "i": np.int64, "u": np.uint64, "f": np.float64}
        # Those of categories are what the categories are.
        of_labels = y.dtype.categories.dtype if hasattr(y.dtype, "categories") else y.dtype
        return y.to_numpy(dtype=kinds.get(getattr(of_labels, "kind", "O"), object))
    if type(y).__module__.split(".")[0] == "polars" and hasattr(y, "is_null"):
        _refuse_missing(y.is_null().to_numpy())
        return y.to_numpy()
    if isinstance(y, (list, tuple)) and any(_columns.is_missing(label) for label in y):
        _refuse_missing(np.array([_columns.is_missing(label) for label in y]))
    if isinstance(y, np.ndarray) and y.dtype.kind == "O" and y.ndim == 1:
        _refuse_missing(np.array([_columns.is_missing(label) for label in y.tolist()], dtype=bool))
    return y


def _refuse_missing(missing: np.ndarray) -> None:
    rows = np.flatnonzero(missing)
    if len(rows):
        more = f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
        raise ValueError(f"Input y contains NaN: row {rows[0]}{more} has no label; leave out rows without one")


def _whole(y: np.ndarray) -> np.ndarray | None:
    """Labels that are whole numbers as `int64`; `None` if they are not."""
    if y.dtype.kind in "ib" or (y.dtype.kind == "u" and y.dtype.itemsize < 8):
        return np.ascontiguousarray(y, dtype=np.int64)
    if y.dtype.kind == "f" and len(y):
        with np.errstate(invalid="ignore"):
            whole = y.astype(np.int64)
        if np.array_equal(whole, y):
            return whole
    return None


def text(label: Any) -> str:
    """The text of a label in a model file."""
    if isinstance(label, (bool, np.bool_)):
        return "true" if label else "false"
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def from_texts(texts: list[str]) -> Places:
    """The labels of a model file: whole numbers or truth values if all texts are such, else texts."""
    if set(texts) <= {"true", "false"}:
        return np.array([text == "true" for text in texts], dtype=bool)
    try:
        numbers = [int(text) for text in texts]
        if [str(number) for number in numbers] == texts:
            return np.array(numbers, dtype=np.int64)
    except (ValueError, OverflowError):
        pass
    return np.array(texts, dtype=str)
