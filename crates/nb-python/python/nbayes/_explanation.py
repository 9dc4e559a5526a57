"""Why a row has its label."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbayes import _html
from nbayes._types import Floats, Labels

# The most features that notebooks show.
_MOST_FEATURES = 20


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each feature adds to the log-probability of each class, for one row.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The labels.
    feature_names : ndarray of shape (n_terms,)
        The names of the features. Where pairs of columns add something together, they come after all features, as `a × b`.
    values : ndarray of shape (n_terms,)
        The cells of the row, of pairs NaN.
    log_prior : ndarray of shape (n_classes,)
        The log-prior of each class; of a model with weights and corrections the intercept, which is no prior.
    contributions : ndarray of shape (n_classes, n_terms)
        `log p(x_j | c)`, by class and feature, and what pairs of columns add.
    categories : ndarray of shape (n_terms,) or None
        The names of the cells that are categories, whose values are codes, and the two cells of pairs; `None` for others.
    """

    classes: Labels
    feature_names: Labels
    values: Floats
    log_prior: Floats
    contributions: Floats
    categories: Labels | None = None

    def with_interactions(self, named: list[tuple[str, str]], contributions: Floats) -> Explanation:
        """The same with what columns add together, of which `named` has names and cells."""
        if not named:
            return self
        names, cells = (np.array(texts, dtype=object) for texts in zip(*named))
        categories = np.full(len(self.feature_names), None, dtype=object) if self.categories is None else self.categories
        return Explanation(
            self.classes,
            np.append(self.feature_names.astype(object), names),
            np.append(self.values, np.full(len(names), np.nan)),
            self.log_prior,
            np.append(self.contributions, contributions, axis=1),
            np.append(categories, cells),
        )

    @property
    def intercept(self) -> Floats:
        """What the score of each class begins with, before any cell is known: `log_prior`, by the name that is right for all models."""
        return self.log_prior

    @property
    def joint_log_proba(self) -> Floats:
        """The sum of the intercept and the contributions, for each class."""
        joint: Floats = self.log_prior + self.contributions.sum(axis=1)
        return joint

    @property
    def predicted(self) -> Any:
        """The most probable label."""
        return self.classes[int(np.argmax(self.joint_log_proba))]

    @property
    def cells(self) -> Labels:
        """The cells of the row: names of categories, and numbers."""
        if self.categories is None or not any(name is not None for name in self.categories):
            return self.values
        pairs = zip(self.categories.tolist(), self.values.tolist())
        return np.array([value if name is None else name for name, value in pairs], dtype=object)

    @property
    def shown_cells(self) -> list[str]:
        """The cells as people read them, numbers with at most six digits."""
        return [_shown(cell) for cell in self.cells.tolist()]

    def log_odds(self, label: Any = None, against: Any = None) -> Floats:
        """What each feature adds to the log-odds of one class against another.

        Parameters
        ----------
        label : object, default=None
            The class; the most probable one if not given.
        against : object, default=None
            The other class; the next most probable one if not given.

        Returns
        -------
        odds : ndarray of shape (n_features,)
            Positive where the feature speaks for the class. Zero where both classes are impossible.
        """
        one, other = self._pair(label, against)
        with np.errstate(invalid="ignore"):
            odds: Floats = self.contributions[one] - self.contributions[other]
        odds[self.contributions[one] == self.contributions[other]] = 0.0
        return odds

    def to_frame(self, label: Any = None, against: Any = None) -> Any:
        """A pandas frame with a row for each feature, the most important one first.

        Parameters
        ----------
        label, against : object, default=None
            As in :meth:`log_odds`.

        Returns
        -------
        frame : pandas.DataFrame
            With the columns `feature`, `value` and `log_odds`.
        """
        import pandas

        odds = self.log_odds(label, against)
        order = np.argsort(-np.abs(odds), kind="stable")
        columns = {"feature": self.feature_names, "value": self.cells, "log_odds": odds}
        return pandas.DataFrame({name: column[order] for name, column in columns.items()})

    def _pair(self, label: Any, against: Any) -> tuple[int, int]:
        order = np.argsort(-self.joint_log_proba, kind="stable")
        one = int(order[0]) if label is None else self._place(label)
        if against is not None:
            return one, self._place(against)
        others = [int(place) for place in order if place != one]
        return one, others[0] if others else one

    def _place(self, label: Any) -> int:
        places = np.flatnonzero(self.classes == label)
        if not len(places):
            raise ValueError(f"there is no class {label!r}; the classes are {self.classes}")
        return int(places[0])

    def _repr_html_(self) -> str:
        one, other = self._pair(None, None)
        odds = self.log_odds()
        with np.errstate(invalid="ignore"):
            intercept = float(np.nan_to_num(self.intercept[one] - self.intercept[other], nan=0.0, posinf=np.inf, neginf=-np.inf))
            total = float(odds.sum() + intercept)
        order = np.argsort(-np.abs(odds), kind="stable")[:_MOST_FEATURES]
        finite = np.abs(np.append(odds, intercept))
        largest = max(finite[np.isfinite(finite)].max(initial=0.0), 1e-300)
        cells = self.shown_cells

        def line(name: str, cell: str, value: float) -> list[str]:
            return [name, cell, _html.number(value, "+.2f"), _html.signed_bar(value / largest)]

        rows = [line(_html.text(self.feature_names[place]), _html.text(cells[place]), float(odds[place])) for place in order]
        n_others = len(odds) - len(order)
        if n_others > 0:
            others = np.delete(odds, order)
            rows.append(line(f"<em>{n_others} other feature{'s' if n_others > 1 else ''}</em>", "", float(others.sum())))
        rows.append(line("<em>intercept</em>", "", intercept))
        in_all = "" if np.isnan(total) else _html.soft(f"log-odds {_html.number(total, '+.2f')}")
        title = f"{_html.text(self.classes[one])} against {_html.text(self.classes[other])} {in_all}"
        table = _html.table(rows, ["feature", "value", "adds", ""], right=(1, 2))
        return _html.box(_html.styled("title", title), table)


def _shown(cell: Any) -> str:
    if isinstance(cell, str):
        return cell
    return "missing" if math.isnan(cell) else f"{cell:.6g}".replace("-", "−")
