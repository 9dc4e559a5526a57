"""Columns of any type as what the compiled part takes: numbers, truth values, times or texts, with missing cells."""

from __future__ import annotations

import datetime
import decimal
import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

# What `Frame.from_columns` takes: an array of numbers or truth values, texts, or microseconds with their kind.
Column = Any


def of_array(values: NDArray[Any], name: str) -> Column:
    """The column of an array, whose type says what it holds."""
    if isinstance(values, np.ma.MaskedArray):
        values = _unmasked(values)
    if values.ndim != 1:
        raise ValueError(f"column {name!r} has {values.ndim} dimensions; a column has one")
    kind = values.dtype.kind
    if kind == "b":
        return _in_type(values, np.bool_)
    if kind == "i":
        return _in_type(values, np.int64)
    if kind == "u":
        return _in_type(values, np.uint64)
    if kind == "f":
        if values.dtype.itemsize > 8:
            raise TypeError(f"column {name!r} has the type {values.dtype}, which has more digits than float64; convert it")
        return _in_type(values, np.float64)
    if kind in "mM":
        return ("times" if kind == "M" else "durations", _microseconds(values))
    if kind == "U":
        return values.tolist()
    if kind in "OT":
        return _of_objects(values.tolist(), name)
    raise TypeError(f"column {name!r} has the type {values.dtype}, which is neither numbers nor texts")


def _in_type(values: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """The same values in a type; where they are if they have it, whatever lies between them, as in a column of a matrix."""
    return np.require(values, dtype, "A")


def of_texts_or_numbers(values: NDArray[Any], name: str) -> Column:
    """The column of an array of texts that was made from numbers and texts: numbers if all of them can be read as such."""
    if values.dtype.kind == "U":
        try:
            return np.ascontiguousarray(values.astype(np.float64))
        except ValueError:
            pass
    return of_array(values, name)


def of_sequence(values: Any, name: str) -> Column:
    """The column of a list or an array."""
    if isinstance(values, np.ndarray):
        return of_array(values, name)
    try:
        return _of_objects(list(values), name)
    except TypeError as error:
        raise TypeError(f"column {name!r}: {error}") from None


def _unmasked(values: Any) -> NDArray[Any]:
    """An array whose masked cells are missing ones."""
    if values.dtype.kind == "f":
        return np.asarray(values.filled(np.nan))
    if values.dtype.kind in "mM":
        return np.asarray(values.filled(np.array("NaT", dtype=values.dtype)))
    if not np.ma.is_masked(values):
        return np.asarray(values.data)
    return np.asarray(values.astype(object).filled(None))


def _microseconds(values: NDArray[Any]) -> NDArray[np.int64]:
    unit = "datetime64[us]" if values.dtype.kind == "M" else "timedelta64[us]"
    return np.ascontiguousarray(values.astype(unit)).view(np.int64)


def _of_objects(cells: list[Any], name: str) -> Column:
    """The column of Python objects, which are all numbers, truth values or times, or else texts."""
    kept = [cell for cell in cells if not is_missing(cell)]
    if not kept:
        return np.full(len(cells), np.nan)
    if all(isinstance(cell, (bool, np.bool_)) for cell in kept):
        if len(kept) == len(cells):
            return np.array(cells, dtype=bool)
        return [None if is_missing(cell) else "true" if cell else "false" for cell in cells]
    if all(_is_number(cell) for cell in kept):
        if len(kept) == len(cells) and all(isinstance(cell, numbers.Integral) for cell in kept):
            try:
                return np.array(cells, dtype=np.int64)
            except OverflowError:
                raise ValueError(f"column {name!r} has whole numbers of more than 64 bits") from None
        if any(isinstance(cell, numbers.Integral) and abs(int(cell)) > 2**53 for cell in kept):
            raise ValueError(
                f"column {name!r} has missing cells and whole numbers beyond 2^53, which float64 does not have; make them texts"
            )
        return np.array([np.nan if is_missing(cell) else float(cell) for cell in cells])
    if all(isinstance(cell, (datetime.date, np.datetime64)) for cell in kept):
        return ("times", _times(cells))
    if all(isinstance(cell, (datetime.timedelta, np.timedelta64)) for cell in kept):
        missing = np.timedelta64("NaT")
        array = np.array([missing if is_missing(cell) else np.timedelta64(cell) for cell in cells], dtype="timedelta64[us]")
        return ("durations", _microseconds(array))
    return [None if is_missing(cell) else _text(cell, name) for cell in cells]


def _times(cells: list[Any]) -> NDArray[np.int64]:
    """Dates and times in microseconds since 1970, those with a time zone in UTC."""

    def time(cell: Any) -> Any:
        if is_missing(cell):
            return np.datetime64("NaT")
        if isinstance(cell, datetime.datetime) and cell.tzinfo is not None:
            cell = cell.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return np.datetime64(cell)

    return _microseconds(np.array([time(cell) for cell in cells], dtype="datetime64[us]"))


def _is_number(cell: Any) -> bool:
    if isinstance(cell, (bool, np.bool_)):
        return False
    return isinstance(cell, (int, float, np.number, decimal.Decimal)) and not isinstance(cell, np.timedelta64)


def _text(cell: Any, name: str) -> str:
    if isinstance(cell, str):
        try:
            cell.encode()
        except UnicodeEncodeError:
            raise ValueError(f"column {name!r} has a text with a lone surrogate, which is no Unicode text: {cell!r}") from None
        return cell
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    if isinstance(cell, (bytes, bytearray, list, tuple, dict, set, np.ndarray)):
        raise TypeError(f"column {name!r} has a cell of type {type(cell).__name__}; cells are numbers, texts or times")
    return str(cell)


def is_missing(cell: Any) -> bool:
    """Whether a cell has no value: `None`, NaN, NA or NaT."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(cell, (float, np.floating)):
        return math.isnan(cell)
    return isinstance(cell, (np.datetime64, np.timedelta64)) and bool(np.isnat(cell))
