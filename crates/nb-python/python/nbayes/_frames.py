"""Data frames of any kind, and arrays, as tables with named columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbayes import _core


def is_frame(X: Any) -> bool:
    """Whether it has named columns."""
    return isinstance(X, dict) or hasattr(X, "__arrow_c_stream__") or hasattr(X, "__dataframe__") or _is_pandas(X)


def names(X: Any) -> list[str]:
    """The names of the columns."""
    if isinstance(X, dict):
        return list(X)
    columns = getattr(X, "column_names", None)  # of pyarrow
    return [str(name) for name in (X.columns if columns is None else columns)]


def read(X: Any) -> _core.Frame:
    """The table of a frame, whose columns stay where they are if it gives an Arrow stream."""
    if _is_pandas(X):
        return _of_pandas(X)
    if isinstance(X, dict):
        lengths = {len(column) for column in X.values()}
        if len(lengths) > 1:
            raise ValueError(f"the columns have different lengths: {sorted(lengths)}")
        columns = [(str(name), _column(_array(column), str(name))) for name, column in X.items()]
        return _core.Frame.from_columns(columns, lengths.pop() if lengths else 0)
    if hasattr(X, "__arrow_c_stream__"):
        return _core.Frame.from_arrow(X)
    raise TypeError(f"a {type(X).__name__} is no table: pass a data frame, a dictionary of columns, or an array")


def of_array(X: NDArray[Any], column_names: list[str]) -> _core.Frame:
    """The table of a two-dimensional array."""
    columns = [(name, _column(X[:, place], name)) for place, name in enumerate(column_names)]
    return _core.Frame.from_columns(columns, X.shape[0])


def take_label(X: Any, label: str) -> tuple[Any, NDArray[Any]]:
    """A frame without a column, and the column."""
    if label not in names(X):
        raise ValueError(f"there is no column {label!r}; the columns are {names(X)}")
    if isinstance(X, dict):
        return {name: column for name, column in X.items() if name != label}, np.asarray(X[label])
    if _is_pandas(X):
        return X.drop(columns=[label]), X[label].to_numpy()
    column = X[label] if hasattr(X, "__getitem__") else None
    if column is None or not hasattr(column, "to_numpy"):
        raise TypeError(f"the labels of a {type(X).__name__} cannot be taken by name; pass them as y")
    rest = X.drop(label) if hasattr(X, "drop") else X.drop_columns([label])
    return rest, np.asarray(column.to_numpy())


def _array(column: Any) -> NDArray[Any]:
    """A column as an array, in which missing cells of a list of texts do not become texts."""
    return np.array(column, dtype=object) if isinstance(column, (list, tuple)) else np.asarray(column)


def _is_pandas(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "pandas" and hasattr(X, "iloc")


def _of_pandas(X: Any) -> _core.Frame:
    columns = []
    for place, name in enumerate(X.columns):
        column = X.iloc[:, place]
        kind = column.dtype.kind if isinstance(column.dtype, np.dtype) else None
        if kind == "b":
            array: Any = np.ascontiguousarray(column.to_numpy())
        elif kind in ("i", "u", "f"):
            array = np.ascontiguousarray(column.to_numpy(), dtype=np.float64)
        elif kind == "M":
            array = _texts(column.dt.strftime("%Y-%m-%dT%H:%M:%S").to_numpy(dtype=object))
        else:
            array = _column(column.to_numpy(dtype=object, na_value=None), str(name))
        columns.append((str(name), array))
    return _core.Frame.from_columns(columns, len(X))


def _column(values: NDArray[Any], name: str) -> Any:
    """Numbers as `float64`, truth values as they are, and all else as texts."""
    if values.ndim != 1:
        raise ValueError(f"column {name!r} has {values.ndim} dimensions")
    if values.dtype.kind == "b":
        return np.ascontiguousarray(values)
    if values.dtype.kind in "iuf":
        return np.ascontiguousarray(values, dtype=np.float64)
    if values.dtype.kind == "M":
        return _texts(np.datetime_as_string(values))
    if values.dtype.kind in "OUST":
        kept = [value for value in values.tolist() if not _is_missing(value)]
        if kept and all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in kept):
            return np.array([np.nan if _is_missing(value) else value for value in values.tolist()], dtype=np.float64)
        return _texts(values)
    raise TypeError(f"column {name!r} has the type {values.dtype}, which is neither numbers nor texts")


def _texts(values: NDArray[Any]) -> list[str | None]:
    return [None if _is_missing(value) or value == "NaT" else _text(value) for value in values.tolist()]


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        raise TypeError("a cell has bytes; decode them to texts first")
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")
