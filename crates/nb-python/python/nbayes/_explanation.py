"""Why a row has its label."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbayes._types import Floats, Labels


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each feature adds to the log-probability of each class, for one row.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The labels.
    feature_names : ndarray of shape (n_features,)
        The names of the features.
    values : ndarray of shape (n_features,)
        The cells of the row.
    log_prior : ndarray of shape (n_classes,)
        The log-prior of each class; of a model with weights and corrections the intercept, which is no prior.
    contributions : ndarray of shape (n_classes, n_features)
        `log p(x_j | c)`, by class and feature.
    categories : ndarray of shape (n_features,) or None
        The names of the cells that are categories, whose values are codes; `None` for others.
    """

    classes: Labels
    feature_names: Labels
    values: Floats
    log_prior: Floats
    contributions: Floats
    categories: Labels | None = None

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
        order = np.argsort(-np.abs(odds), kind="stable")[:20]
        finite = np.abs(odds[np.isfinite(odds)])
        largest = max(finite.max(initial=0.0), 1e-300)
        rows = []
        for place in order:
            share = min(abs(odds[place]) / largest, 1.0) * 100
            colour = "#2f6db3" if odds[place] >= 0 else "#b3452f"
            rows.append(
                f"<tr><td>{html.escape(str(self.feature_names[place]))}</td>"
                f"<td style='text-align:right'>{self.values[place]:.6g}</td>"
                f"<td style='text-align:right'>{odds[place]:+.3f}</td>"
                f"<td style='min-width:12em'><div style='background:{colour};height:.8em;width:{share:.1f}%'></div></td></tr>"
            )
        left_out = len(odds) - len(order)
        more = f"<p>and {left_out} more features</p>" if left_out > 0 else ""
        title = f"{html.escape(str(self.classes[one]))} against {html.escape(str(self.classes[other]))}"
        head = "<tr><th>feature</th><th>value</th><th>log-odds</th><th></th></tr>"
        return f"<table><caption>{title}</caption>{head}{''.join(rows)}</table>{more}"


def _shown(cell: Any) -> str:
    if isinstance(cell, str):
        return cell
    return "missing" if math.isnan(cell) else f"{cell:.6g}".replace("-", "−")
