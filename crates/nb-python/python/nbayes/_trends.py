"""Columns whose effect is monotone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nbayes import _labels
from nbayes._types import Labels


def trends(monotonic_cst: Any, names: list[str], classes: Labels) -> list[tuple[str, bool]]:
    """The columns with a trend, and whether the probability of the second class rises with them."""
    if monotonic_cst is None:
        return []
    if isinstance(monotonic_cst, dict):
        by_name = [(str(name), sign) for name, sign in monotonic_cst.items()]
        unknown = [name for name, _ in by_name if name not in names]
        if unknown:
            raise ValueError(f"monotonic_cst names {unknown}, which the table does not have; it has {names}")
    elif isinstance(monotonic_cst, (Sequence, np.ndarray)) and not isinstance(monotonic_cst, str):
        if len(monotonic_cst) != len(names):
            raise ValueError(f"monotonic_cst has {len(monotonic_cst)} numbers, and the table has {len(names)} columns; give one for each")
        by_name = list(zip(names, monotonic_cst))
    else:
        raise TypeError(f"monotonic_cst is {monotonic_cst!r}; it must be a dictionary from names, or one number for each column: 1, 0 or -1")
    for name, sign in by_name:
        if sign not in (-1, 0, 1):
            raise ValueError(f"monotonic_cst of {name!r} is {sign!r}; it must be 1 (increasing), -1 (decreasing) or 0")
    found = [(name, bool(sign > 0)) for name, sign in by_name if sign != 0]
    if found and len(classes) != 2:
        raise ValueError(f"monotonic_cst is for two classes, and y has {len(classes)}")
    return found


def positive(classes: Labels) -> str:
    """The class whose probability has the trends."""
    return _labels.text(classes.tolist()[-1])
