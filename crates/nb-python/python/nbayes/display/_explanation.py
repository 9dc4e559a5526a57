"""Why a row has its label, as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbayes._explanation import Explanation
from nbayes._types import Floats, Labels
from nbayes.display import _style

if TYPE_CHECKING:
    from typing_extensions import Self


class ExplanationDisplay:
    """What each cell of a row adds to the log-odds of its label against another one, as horizontal bars.

    Parameters
    ----------
    feature_names : ndarray of shape (n_features,)
        The names of the features.
    cells : ndarray of shape (n_features,)
        The cells of the row.
    log_odds : ndarray of shape (n_features,)
        What each cell adds.
    intercept : float
        The log-odds before any cell is known.
    label, against : object
        The two classes.
    probability : float or None, default=None
        That of the label.

    Attributes
    ----------
    feature_names, cells, log_odds, intercept, label, against, probability
        As given.
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    Examples
    --------
    >>> from nbayes import NaiveBayes
    >>> from nbayes.display import ExplanationDisplay
    >>> from sklearn.datasets import load_breast_cancer
    >>> table = load_breast_cancer(as_frame=True)
    >>> model = NaiveBayes().fit(table.data, table.target_names[table.target])
    >>> display = ExplanationDisplay.from_estimator(model, table.data, row=0)
    >>> print(display.label, "against", display.against)
    malignant against benign
    """

    def __init__(
        self,
        *,
        feature_names: Labels,
        cells: Labels,
        log_odds: Floats,
        intercept: float,
        label: Any,
        against: Any,
        probability: float | None = None,
    ) -> None:
        self.feature_names = feature_names
        self.cells = cells
        self.log_odds = log_odds
        self.intercept = intercept
        self.label = label
        self.against = against
        self.probability = probability

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        row: int = 0,
        *,
        label: Any = None,
        against: Any = None,
        max_features: int = 10,
        ax: Any = None,
    ) -> Self:
        """Explain a row, and draw the explanation.

        Parameters
        ----------
        estimator : estimator of nbayes
            Fitted, with `explain`.
        X : data frame, dict of columns or array-like
            The rows.
        row : int, default=0
            Which of them.
        label, against : object, default=None
            Two classes; the most probable ones if not given.
        max_features : int, default=10
            As in :meth:`plot`.
        ax : matplotlib Axes, default=None
            As in :meth:`plot`.

        Returns
        -------
        display : ExplanationDisplay
        """
        if not hasattr(estimator, "explain"):
            raise TypeError(f"{type(estimator).__name__} has no explanations; those of nbayes have `explain(X, row)`")
        explanation = estimator.explain(X, row)
        display = cls._of(explanation, label, against)
        place = list(estimator.classes_).index(display.label)
        display.probability = float(estimator.predict_proba(X)[row, place])
        return display.plot(ax=ax, max_features=max_features)

    @classmethod
    def from_explanation(
        cls, explanation: Explanation, *, label: Any = None, against: Any = None, max_features: int = 10, ax: Any = None
    ) -> Self:
        """Draw an explanation.

        Parameters
        ----------
        explanation : Explanation
            What `explain` of an estimator returned.
        label, against : object, default=None
            Two classes; the most probable ones if not given.
        max_features : int, default=10
            As in :meth:`plot`.
        ax : matplotlib Axes, default=None
            As in :meth:`plot`.

        Returns
        -------
        display : ExplanationDisplay
        """
        return cls._of(explanation, label, against).plot(ax=ax, max_features=max_features)

    @classmethod
    def _of(cls, explanation: Explanation, label: Any, against: Any) -> Self:
        one, other = explanation._pair(label, against)
        with np.errstate(invalid="ignore"):
            intercept = float(explanation.intercept[one] - explanation.intercept[other])
        return cls(
            feature_names=explanation.feature_names,
            cells=np.array(explanation.shown_cells, dtype=object),
            log_odds=explanation.log_odds(label, against),
            intercept=0.0 if np.isnan(intercept) else intercept,
            label=explanation.classes[one],
            against=explanation.classes[other],
        )

    def plot(self, ax: Any = None, *, max_features: int = 10) -> Self:
        """Draw the bars.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes; a new figure if not given.
        max_features : int, default=10
            How many features have their own bars; what all others add is one more.

        Returns
        -------
        self : ExplanationDisplay
        """
        if max_features < 1:
            raise ValueError(f"max_features is {max_features}; it must be 1 or more")
        order = np.argsort(-np.abs(self.log_odds), kind="stable")
        shown, others = order[:max_features], order[max_features:]
        names = [
            f"{_style.short(str(self.feature_names[place]), 24)} = {_style.short(str(self.cells[place]), 16)}" for place in shown
        ]
        values = self.log_odds[shown].tolist()
        if len(others):
            names.append(f"{len(others)} other feature{'s' if len(others) > 1 else ''}")
            with np.errstate(invalid="ignore"):
                values.append(float(np.nan_to_num(self.log_odds[others].sum(), nan=0.0, posinf=np.inf, neginf=-np.inf)))
        names.append("intercept")
        values.append(self.intercept)
        own_figure = ax is None
        ax = _style.axes(ax, (6.4, 0.9 + 0.32 * len(names)))
        _style.tidy(ax, grid="x")
        _draw(ax, names, np.array(values), n_cells=len(shown))
        one, other = _style.quoted(self.label), _style.quoted(self.against)
        ax.set_xlabel(f"log-odds of {one} against {other}", fontsize="small")
        total = float(self.log_odds.sum() + self.intercept) if np.isfinite(self.log_odds).all() else float("nan")
        said = [] if np.isnan(total) else [f"log-odds {_style.number(total)}"]
        if self.probability is not None:
            said.append(f"probability {_probability(self.probability)}")
        title = f"{one}: {', '.join(said)}" if said else one
        if own_figure:
            ax.figure.suptitle(title, x=0.01, ha="left", fontsize="medium", fontweight="bold")
        else:
            ax.set_title(title, loc="left", fontsize="medium", fontweight="bold")
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _draw(ax: Any, names: list[str], values: Floats, n_cells: int) -> None:
    """Bars with their numbers, those of cells first and from the top; infinite ones end at the border."""
    finite = values[np.isfinite(values)]
    low, high = min(float(finite.min(initial=0.0)), 0.0), max(float(finite.max(initial=0.0)), 0.0)
    width = (high - low) or 1.0
    low, high = (low - 0.16 * width if low < 0 else low - 0.02 * width), (high + 0.16 * width if high > 0 else high + 0.02 * width)
    if np.isinf(values).any():
        low, high = (low - 0.2 * width if (values == -np.inf).any() else low), (high + 0.2 * width)
    drawn = np.clip(values, low, high)
    places = np.arange(len(names))[::-1]
    for place, value, width_of_bar, number in zip(places, values, drawn, range(len(names))):
        colour = _style.FOR if value >= 0 else _style.AGAINST
        ax.barh(place, width_of_bar, height=0.68, color=colour, alpha=1.0 if number < n_cells else 0.45)
        text = ("+∞" if value > 0 else "−∞") if np.isinf(value) else _style.number(value)
        inside = np.isinf(value)
        ax.annotate(
            text,
            (width_of_bar, place),
            xytext=((-4 if (value >= 0) == inside else 4) if inside else (4 if value >= 0 else -4), 0),
            textcoords="offset points",
            ha="right" if (value >= 0) == inside else "left",
            va="center",
            fontsize="small",
            color="white" if inside else None,
        )
    ax.axvline(0, color=_style.NEUTRAL, linewidth=0.8)
    ax.set_xlim(low, high)
    ax.set_ylim(-0.7, len(names) - 0.3)
    ax.set_yticks(places, names, fontsize="small")
    for tick in ax.get_yticklabels()[n_cells:]:
        tick.set_fontstyle("italic")
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def _probability(probability: float) -> str:
    """Three decimals, and no certainty that there is none of."""
    if probability > 0.999:
        return "above 0.999"
    return "below 0.001" if probability < 0.001 else f"{probability:.3f}"
