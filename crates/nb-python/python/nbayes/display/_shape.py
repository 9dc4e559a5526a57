"""What the values of a feature add to the score of each class, as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbayes._shape_source import ShapeSource
from nbayes._types import Floats, Labels
from nbayes.display._rows import column


@dataclass(frozen=True, eq=False)
class Shape:
    """What each value of a feature adds to the log-odds.

    Attributes
    ----------
    feature : str
        The name of the feature, or of a column of texts.
    kind : {"bins", "categories", "curve", "terms"}
        "bins" are intervals, each with one number; "categories" are values with one number each; a "curve" is computed at many values;
        of "terms", such as the words of a text, each has the number that one occurrence adds.
    values : ndarray
        The ends of the intervals, from minus to plus infinity (n_values + 1), the names of categories or terms, or the values at which a
        curve is computed.
    log_odds : ndarray of shape (n_values, n_curves)
        Of two classes one curve, the log-odds of the second one. Of more, one for each class: its log-score less the logarithm of the mean
        over the classes as they are in the rows, so that 0 is "as in all rows".
    missing : ndarray of shape (n_curves,)
        What a missing cell adds.
    shares : ndarray of shape (n_values,) or None
        The share of rows with each value, as the model has it; `None` if it does not know.
    classes : ndarray of shape (n_curves,)
        The class of each curve.
    span : tuple of float or None
        The least and the largest number among the rows that were given.
    """

    feature: str
    kind: str
    values: Labels
    log_odds: Floats
    missing: Floats
    shares: Floats | None
    classes: Labels
    span: tuple[float, float] | None = None

    @property
    def strength(self) -> float:
        """The mean size of what the feature adds, over the rows; infinite sizes do not count."""
        sizes = np.abs(np.where(np.isfinite(self.log_odds), self.log_odds, 0.0)).mean(axis=1)
        if not len(sizes):
            return 0.0
        if self.kind == "terms":
            return float(sizes.max())
        return float(sizes.mean() if self.shares is None else sizes @ self.shares)


class Shapes:
    """The shapes of the features of a fitted estimator."""

    def __init__(self, estimator: Any) -> None:
        check = getattr(estimator, "_check_fitted", None)
        if check is None or not hasattr(estimator, "_shape_source"):
            raise TypeError(f"{type(estimator).__name__} is no estimator of nbayes; shapes are those of naive Bayes models")
        check()
        self._name = type(estimator).__name__
        self._source: ShapeSource = estimator._shape_source()

    def strongest(self, most: int, X: Any = None) -> list[Shape]:
        """The shapes that add most, in this order; terms of a text are one shape."""
        groups: dict[int, list[int]] = {}
        for feature, column in enumerate(self._source.columns):
            groups.setdefault(column, []).append(feature)
        names = self._source.column_names
        shapes = [shape for place, members in groups.items() for shape in self._of_column(names[place], members, X)]
        return sorted(shapes, key=lambda shape: -shape.strength)[:most]

    def named(self, features: Any, X: Any = None) -> list[Shape]:
        """The shapes of features or columns by name or number."""
        if isinstance(features, (str, bytes, int, np.integer)) or not isinstance(features, Iterable):
            features = [features]
        return [shape for feature in features for shape in self._named(feature, X)]

    def _named(self, feature: Any, X: Any) -> list[Shape]:
        if isinstance(feature, (int, np.integer)) and not isinstance(feature, bool):
            if not 0 <= feature < len(self._source.features):
                raise ValueError(f"there is no feature {feature}; the model has {len(self._source.features)}")
            return self._of_column(self._source.features[int(feature)], [int(feature)], X)
        name = str(feature)
        if name in self._source.features:
            return self._of_column(name, [self._source.features.index(name)], X)
        if name in self._source.column_names:
            column_place = self._source.column_names.index(name)
            members = [feature for feature, own in enumerate(self._source.columns) if own == column_place]
            return self._of_column(name, members, X)
        names = self._source.column_names
        known = ", ".join(repr(own) for own in names[:8]) + (", ..." if len(names) > 8 else "")
        raise ValueError(f"the model has no feature {name!r}; it has {known}")

    def _of_column(self, name: str, members: list[int], X: Any) -> list[Shape]:
        """The shapes of the features of a column; those of terms are one."""
        spans = {feature: self._span(feature, X) for feature in members}
        found = [(feature, self._source.shape(feature, spans[feature])) for feature in members]
        known = [(feature, shape) for feature, shape in found if shape is not None]
        if not known:
            raise TypeError(
                f"{name!r} adds nothing of its own: in {self._name} what a feature adds depends on others"
            )
        terms = [(feature, shape) for feature, shape in known if shape["kind"] == "occurrences"]
        shapes = [self._one(feature, shape, spans[feature]) for feature, shape in known if shape["kind"] != "occurrences"]
        return shapes + ([self._terms(name, terms)] if terms else [])

    def _one(self, feature: int, shape: dict[str, Any], span: tuple[float, float] | None) -> Shape:
        contributions = shape["contributions"][:, self._source.order]
        shares = shape["shares"][:, self._source.order] @ self._source.class_shares if len(shape["shares"]) else None
        if shape["kind"] == "bins":
            values: Any = np.concatenate([[-np.inf], shape["cuts"], [np.inf]])
        elif shape["kind"] == "categories":
            values = np.array(shape["levels"], dtype=object)
        else:
            values = shape["values"]
            # Rows at each of the values, which are equally far from each other.
            with np.errstate(over="ignore", under="ignore"):
                heights = np.exp(contributions) @ self._source.class_shares
            shares = heights / heights.sum() if 0 < heights.sum() < np.inf else None
        missing = self._log_odds(shape["missing"][np.newaxis, self._source.order])[0]
        return Shape(
            self._source.features[feature],
            shape["kind"],
            values,
            self._log_odds(contributions),
            np.where(np.isnan(missing), 0.0, missing),
            shares,
            self._curves(),
            span,
        )

    def _terms(self, name: str, terms: list[tuple[int, dict[str, Any]]]) -> Shape:
        scores = np.array([shape["contributions"][:, self._source.order] for _, shape in terms])
        log_odds = self._log_odds(scores[:, 1]) - self._log_odds(scores[:, 0])
        prefix = f"{name}: "
        names = [self._source.features[feature].removeprefix(prefix) for feature, _ in terms]
        shares = [shape["shares"] for _, shape in terms]
        known = all(len(share) == 2 for share in shares)
        of_terms = np.array([share[1, self._source.order] @ self._source.class_shares for share in shares]) if known else None
        missing = np.zeros(log_odds.shape[1])
        return Shape(name, "terms", np.array(names, dtype=object), log_odds, missing, of_terms, self._curves())

    def _curves(self) -> Labels:
        return self._source.classes[1:] if len(self._source.classes) == 2 else self._source.classes

    def _log_odds(self, scores: Floats) -> Floats:
        """Of two classes the log-odds of the second, else each less the logarithm of the mean."""
        with np.errstate(invalid="ignore", divide="ignore"):
            if scores.shape[1] == 2:
                odds: Floats = scores[:, 1:] - scores[:, :1]
            else:
                best = scores.max(axis=1, keepdims=True)
                mean = np.log(np.exp(scores - best) @ self._source.class_shares)
                odds = scores - best - mean[:, np.newaxis]
        return np.where(np.isnan(odds), 0.0, odds)

    def _span(self, feature: int, X: Any) -> tuple[float, float] | None:
        """From where to where the rows have values."""
        shape = None if X is None else self._source.shape(feature, None)
        if shape is None or shape["kind"] not in ("curve", "bins"):
            return None
        place = self._source.columns[feature]
        values = column(X, self._source.column_names[place], place)
        values = values[np.isfinite(values)]
        if not len(values) or values.min() == values.max():
            return None
        return float(values.min()), float(values.max())
