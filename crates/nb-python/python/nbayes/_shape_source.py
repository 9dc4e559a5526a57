"""What an estimator gives of its features for pictures of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nbayes._types import Floats, Labels, Places


@dataclass(frozen=True, eq=False)
class ShapeSource:
    """The features of a fitted estimator, and what each value of them adds."""

    # Of a feature by number, and the ends of a curve: kind, values, and what they add to the scores of the classes.
    shape: Callable[[int, tuple[float, float] | None], dict[str, Any] | None]
    features: list[str]
    # The number of the column that each feature is of, and the names of the columns.
    columns: list[int]
    column_names: list[str]
    classes: Labels
    # The place of each of the classes among those of `shape`.
    order: Places
    class_shares: Floats
