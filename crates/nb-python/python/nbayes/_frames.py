"""Data frames of any kind, and arrays, as tables with named columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbayes import _columns, _core, _sparse

# The most columns of sparse rows: something is kept of each column while its kind is found.
_MOST_SPARSE = 100_000


def is_frame(X: Any) -> bool:
    """Whether it has named columns."""
    return isinstance(X, dict) or _is_pandas(X) or hasattr(X, "__arrow_c_stream__") or _name(X) in _NO_TABLES


def names(X: Any) -> list[Any]:
    """The names of the columns."""
    if isinstance(X, dict):
        return list(X)
    columns = getattr(X, "column_names", None)  # of pyarrow
    if columns is None and hasattr(getattr(X, "schema", None), "names") and not hasattr(X, "columns"):
        columns = X.schema.names
    return list(X.columns if columns is None else columns)


def read(X: Any) -> _core.Frame:
    """The table of a frame, whose columns stay where they are if it gives an Arrow stream."""
    if _name(X) in _NO_TABLES:
        raise TypeError(f"a {_name(X)} is no table; {_NO_TABLES[_name(X)]}")
    if isinstance(X, dict):
        lengths = {name: _length(name, column) for name, column in X.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns have different lengths: {lengths}")
        columns = [(str(name), _columns.of_sequence(column, str(name))) for name, column in X.items()]
        return _core.Frame.from_columns(_distinct(columns), next(iter(lengths.values()), 0))
    if _is_pandas(X):
        columns = [(str(name), _of_pandas(X.iloc[:, place], str(name))) for place, name in enumerate(X.columns)]
        return _core.Frame.from_columns(_distinct(columns), len(X))
    return _core.Frame.from_arrow(_with_plain_types(X))


def of_array(X: NDArray[Any], column_names: list[str]) -> _core.Frame:
    """The table of a two-dimensional array."""
    columns = [(name, _columns.of_texts_or_numbers(X[:, place], name)) for place, name in enumerate(column_names)]
    return _core.Frame.from_columns(columns, X.shape[0])


def of_sparse(X: Any, column_names: list[str], estimator: str) -> _core.Frame:
    """The table of a sparse matrix in CSR format, whose cells that are not stored are 0; it is never dense as a whole."""
    if len(column_names) > _MOST_SPARSE:
        raise ValueError(
            f"X has {len(column_names):,} columns; {estimator} looks at each column, and takes sparse rows of at most {_MOST_SPARSE:,}: "
            "leave out rare columns, or use MultinomialNB, ComplementNB or BernoulliNB"
        )
    kind = X.dtype.kind
    if kind not in "fiub":
        raise TypeError(f"X has the type {X.dtype}; sparse rows have numbers")
    if kind in "iu" and X.nnz and (X.data.max() > 2**53 or X.data.min() < -(2**53)):
        raise ValueError("X has whole numbers beyond 2^53, which float64 does not have")
    _, indptr, indices, cells = _sparse.arrays(X)
    starts, places = (np.ascontiguousarray(part, dtype=np.int64) for part in (indptr, indices))
    return _core.Frame.from_csr(column_names, starts, places, np.ascontiguousarray(cells, dtype=np.float64), kind)


def take_label(X: Any, label: str) -> tuple[Any, Any]:
    """A frame without a column, and the column."""
    if not is_frame(X):
        raise TypeError(f"y is the name {label!r}, but X has no named columns; pass a data frame, or the labels as y")
    if _name(X) in _NO_TABLES:
        raise TypeError(f"a {_name(X)} is no table; {_NO_TABLES[_name(X)]}")
    own = names(X)
    found = [name for name in own if name == label]
    if not found:
        raise ValueError(f"there is no column {label!r}; the columns are {own}")
    if len(found) > 1:
        raise ValueError(f"there are {len(found)} columns {label!r}; columns need different names")
    if isinstance(X, dict):
        return {name: column for name, column in X.items() if name != label}, X[label]
    if _is_pandas(X):
        return X.drop(columns=[label]), X[label]
    if hasattr(X, "drop_columns"):  # pyarrow
        return X.drop_columns([label]), np.array(X.column(label).to_pylist(), dtype=object)
    if hasattr(X, "get_column"):  # polars
        column = X.get_column(label)
        return X.drop(label), np.array(column.to_list(), dtype=object)
    raise TypeError(f"the labels of a {type(X).__name__} cannot be taken by name; pass them as y")


_NO_TABLES = {
    "pandas.Series": "pass a frame, such as `df.iloc[[0]]` for one row or `series.to_frame()` for one column",
    "polars.Series": "pass a frame, such as `series.to_frame()`",
    "polars.LazyFrame": "call .collect() first",
}


def _name(X: Any) -> str:
    return f"{type(X).__module__.split('.')[0]}.{type(X).__name__}"


def _is_pandas(X: Any) -> bool:
    return _name(X) == "pandas.DataFrame" or (hasattr(X, "iloc") and hasattr(X, "columns") and hasattr(X, "dtypes"))


def _length(name: Any, column: Any) -> int:
    try:
        return len(column)
    except TypeError:
        raise TypeError(f"column {name!r} is a {type(column).__name__}; a column is a list or an array") from None


def _distinct(columns: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    own = [name for name, _ in columns]
    twice = sorted({name for name in own if own.count(name) > 1})
    if twice:
        raise ValueError(f"columns {twice} are there more than once; columns need different names")
    return columns


def _of_pandas(column: Any, name: str) -> Any:
    if isinstance(column.dtype, np.dtype):
        return _columns.of_array(column.to_numpy(), name)
    if getattr(column.dtype, "kind", None) == "M":  # with a time zone
        return _columns.of_array(column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy(), name)
    return _columns.of_array(column.to_numpy(dtype=object, na_value=None), name)


def _with_plain_types(X: Any) -> Any:
    """A frame of polars whose columns of nulls have a type that other libraries read."""
    if not hasattr(X, "get_columns"):
        return X
    import polars

    empty = [name for name, dtype in X.schema.items() if dtype == polars.Null]
    if empty:
        X = X.with_columns(polars.col(empty).cast(polars.Float64))
    wide = [name for name, dtype in X.schema.items() if str(dtype) in ("Int128", "UInt128")]
    if wide:
        raise TypeError(f"columns {wide} have 128-bit numbers; cast them to Int64 or to texts")
    return X
