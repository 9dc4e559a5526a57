"""Labels of users as numbers of classes, and as the texts that model files have."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from nbayes import _core


def encode(y: Any, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The distinct labels in order, and the place of each label among them."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    y = _vector(y, n_rows)
    whole = _whole(y)
    if whole is not None:
        classes, places = _core.encode(whole)
        return classes.astype(y.dtype), places
    check_classification_targets(y)
    classes, places = np.unique(y, return_inverse=True)
    return classes, places.astype(np.int64, copy=False).reshape(-1)


def encode_known(y: Any, n_rows: int, known: np.ndarray) -> np.ndarray:
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


def _vector(y: Any, n_rows: int) -> np.ndarray:
    if not (type(y) is np.ndarray and y.ndim == 1):
        y = column_or_1d(y, warn=True)
    if len(y) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, y has {len(y)} labels"
        )
    return y


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


def from_texts(texts: list[str]) -> np.ndarray:
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
