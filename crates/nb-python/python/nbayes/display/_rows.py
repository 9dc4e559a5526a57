"""Columns of rows of any type."""

from __future__ import annotations

from typing import Any

import numpy as np

from nbayes import _frames
from nbayes._types import Floats


def column(X: Any, name: str, place: int) -> Floats:
    """A column of numbers of a frame, a dictionary, an array or a sparse matrix; missing cells are NaN."""
    if hasattr(X, "tocsc"):
        cells: Any = X.tocsc()[:, [place]].toarray().ravel()
    elif _frames.is_frame(X):
        try:
            cells = X[name]
        except (KeyError, IndexError, ValueError) as error:
            raise ValueError(f"X has no column {name!r}") from error
    else:
        array = np.asarray(X)
        if array.ndim != 2 or array.shape[1] <= place:
            raise ValueError(f"X has the shape {array.shape}, and no column {place} ({name!r})")
        cells = array[:, place]
    try:
        if hasattr(cells, "to_numpy"):
            return np.asarray(cells.to_numpy(), dtype=np.float64)
        return np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"column {name!r} has cells that are no numbers") from error


def column_names(X: Any) -> list[str]:
    """The names of the columns, x0, x1 and so on for those of an array."""
    if _frames.is_frame(X):
        return [str(name) for name in _frames.names(X)]
    if getattr(X, "ndim", None) != 2:
        X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimensions; rows have two")
    return [f"x{place}" for place in range(X.shape[1])]
