"""Where each class is predicted, over two columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbayes import _frames
from nbayes._tables import TableNB
from nbayes._types import Floats, Labels
from nbayes.display import _rows, _style

if TYPE_CHECKING:
    from typing_extensions import Self

# The most classes that the legend names, and cells of the rows of a grid.
_MOST_NAMES, _MOST_CELLS = 8, 100_000_000


class DecisionRegionsDisplay:
    """The most probable class over two columns of numbers: the stronger the colour, the more probable it is.

    Parameters
    ----------
    xx0, xx1 : ndarray of shape (n_points,)
        The values of the two columns.
    response : ndarray of shape (n_points, n_points, n_classes)
        The probabilities of the classes; the second column goes along the first axis.
    classes : ndarray of shape (n_classes,)
        The labels.
    feature_names : tuple of str
        The two columns.

    Attributes
    ----------
    xx0, xx1, response, classes, feature_names
        As given.
    surface_ : matplotlib Artist
        The coloured regions.
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    Examples
    --------
    >>> from nbayes import GaussianNB
    >>> from nbayes.display import DecisionRegionsDisplay
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = GaussianNB().fit(X, y)
    >>> display = DecisionRegionsDisplay.from_estimator(model, X, ["petal length (cm)", "petal width (cm)"], y=y)
    >>> display.response.shape
    (200, 200, 3)
    """

    def __init__(
        self, *, xx0: Floats, xx1: Floats, response: Floats, classes: Labels, feature_names: tuple[str, str]
    ) -> None:
        self.xx0 = xx0
        self.xx1 = xx1
        self.response = response
        self.classes = classes
        self.feature_names = feature_names

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        features: Any = (0, 1),
        *,
        y: Any = None,
        at: dict[Any, Any] | None = None,
        grid_resolution: int = 200,
        ax: Any = None,
    ) -> Self:
        """Predict a grid over two columns, and draw it.

        Parameters
        ----------
        estimator : classifier
            Fitted, with `predict_proba`.
        X : data frame, dict of columns or array-like of shape (n_samples, n_features)
            Rows; they say how far the grid goes, and what is usual of the other columns.
        features : pair of str or int, default=(0, 1)
            Two columns of numbers, by name or number.
        y : array-like of shape (n_samples,), default=None
            The labels of the rows, which are then drawn as points.
        at : dict, default=None
            Cells of the other columns, by name or number. Those not given are missing cells for `NaiveBayes`, `WeightedNB`, `RefinedNB` and
            estimators with `missing="skip"`, of which a missing cell says nothing or what it says in the rows of `fit`; for others they
            are the median of `X`.
        grid_resolution : int, default=200
            The number of values of each column.
        ax : matplotlib Axes, default=None
            The axes; a new figure if not given.

        Returns
        -------
        display : DecisionRegionsDisplay
        """
        names = _rows.column_names(X)
        pair = _pair(features, names)
        if not isinstance(grid_resolution, (int, np.integer)) or grid_resolution < 2:
            raise ValueError(f"grid_resolution is {grid_resolution!r}; it must be a whole number from 2")
        if grid_resolution**2 * len(names) > _MOST_CELLS:
            raise ValueError(
                f"{grid_resolution} × {grid_resolution} rows of {len(names):,} columns are too many cells; use a smaller grid_resolution, "
                "or an estimator of fewer columns"
            )
        columns = [_rows.column(X, names[place], place) for place in pair]
        xx0, xx1 = (np.linspace(*_ends(column, names[place]), grid_resolution) for column, place in zip(columns, pair))
        grid0, grid1 = (part.ravel() for part in np.meshgrid(xx0, xx1))
        others = _others(estimator, X, names, pair, {} if at is None else at, len(grid0))
        cells = {**others, pair[0]: grid0, pair[1]: grid1}
        table = _like(X, names, cells)
        proba = np.asarray(estimator.predict_proba(table))
        display = cls(
            xx0=xx0,
            xx1=xx1,
            response=proba.reshape(len(xx1), len(xx0), -1),
            classes=np.asarray(estimator.classes_),
            feature_names=(names[pair[0]], names[pair[1]]),
        )
        display.plot(ax=ax)
        if y is not None:
            display.scatter(columns[0], columns[1], y)
        return display

    def plot(self, ax: Any = None) -> Self:
        """Draw the regions.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes; a new figure if not given.

        Returns
        -------
        self : DecisionRegionsDisplay
        """
        ax = _style.axes(ax, (5.6, 4.4))
        from matplotlib.colors import to_rgb
        from matplotlib.patches import Patch

        n_classes = len(self.classes)
        colours = np.array([to_rgb(_style.colour(place)) for place in range(n_classes)])
        best = self.response.argmax(axis=2)
        surplus = (self.response.max(axis=2) - 1 / n_classes) / (1 - 1 / n_classes) if n_classes > 1 else np.ones(best.shape)
        image = np.dstack([colours[best], 0.06 + 0.30 * np.clip(surplus, 0.0, 1.0)])
        extent = (self.xx0[0], self.xx0[-1], self.xx1[0], self.xx1[-1])
        self.surface_ = ax.imshow(
            image, extent=extent, origin="lower", aspect="auto", interpolation="nearest", zorder=0
        )
        for place in range(n_classes):
            if 0 < (best == place).mean() < 1:
                others = np.delete(self.response, place, axis=2).max(axis=2)
                margin = self.response[:, :, place] - others
                ax.contour(self.xx0, self.xx1, margin, levels=[0.0], colors=[_style.NEUTRAL], linewidths=0.8, zorder=1)
        _style.tidy(ax, grid=None)
        ax.set_xlabel(_style.short(self.feature_names[0], 40))
        ax.set_ylabel(_style.short(self.feature_names[1], 40))
        shown = range(n_classes) if n_classes <= _MOST_NAMES else sorted(set(best.ravel().tolist()))[:_MOST_NAMES]
        handles = [Patch(color=_style.colour(place), label=_style.short(str(self.classes[place]))) for place in shown]
        ax.legend(
            handles=handles,
            frameon=False,
            fontsize="small",
            ncols=min(len(handles), 4),
            loc="lower left",
            bbox_to_anchor=(0, 1),
            borderaxespad=0.3,
            handlelength=1,
            handleheight=1,
        )
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def scatter(self, x0: Any, x1: Any, y: Any, *, most: int = 2000) -> Self:
        """Draw rows as points in the colours of their labels.

        Parameters
        ----------
        x0, x1 : array-like of shape (n_samples,)
            The two columns.
        y : array-like of shape (n_samples,)
            The labels.
        most : int, default=2000
            Of more rows, this number is drawn, evenly spread over all.

        Returns
        -------
        self : DecisionRegionsDisplay
        """
        x0, x1, y = np.asarray(x0), np.asarray(x1), np.asarray(y)
        if not len(x0) == len(x1) == len(y):
            raise ValueError(f"there are {len(x0)} rows, but {len(y)} labels")
        rows = np.arange(len(y)) if len(y) <= most else np.linspace(0, len(y) - 1, most).astype(np.int64)
        limits = self.ax_.get_xlim(), self.ax_.get_ylim()
        for place, label in enumerate(self.classes.tolist()):
            own = rows[y[rows] == label]
            self.ax_.scatter(
                x0[own], x1[own], s=16, color=_style.colour(place), edgecolors="white", linewidths=0.5, alpha=0.85, zorder=2
            )
        self.ax_.set(xlim=limits[0], ylim=limits[1])
        return self


def _pair(features: Any, names: list[str]) -> tuple[int, int]:
    """The numbers of two columns."""
    if isinstance(features, (str, bytes)) or not hasattr(features, "__len__") or len(features) != 2:
        raise ValueError(f"features is {features!r}; it must be two columns")
    first, second = (_place(feature, names) for feature in features)
    if first == second:
        raise ValueError(f"features names the column {names[first]!r} twice")
    return first, second


def _place(feature: Any, names: list[str]) -> int:
    if isinstance(feature, (int, np.integer)) and not isinstance(feature, bool):
        if 0 <= feature < len(names):
            return int(feature)
    elif str(feature) in names:
        return names.index(str(feature))
    raise ValueError(f"X has no column {feature!r}; it has {', '.join(map(repr, names[:8]))}{', ...' if len(names) > 8 else ''}")


def _ends(column: Floats, name: str) -> tuple[float, float]:
    """From where to where the values go, with room at both ends."""
    finite = column[np.isfinite(column)]
    if not len(finite):
        raise ValueError(f"column {name!r} has no values")
    low, high = float(finite.min()), float(finite.max())
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


def _others(
    estimator: Any, X: Any, names: list[str], pair: tuple[int, int], at: dict[Any, Any], n_rows: int
) -> dict[int, Any]:
    """The cells of the other columns, by number."""
    given = {_place(name, names): cell for name, cell in at.items()}
    overlap = [names[place] for place in given if place in pair]
    if overlap:
        raise ValueError(f"at has {overlap[0]!r}, which is one of the two columns of the picture")
    skips = isinstance(estimator, TableNB) or getattr(estimator, "missing", None) == "skip"
    cells: dict[int, Any] = {}
    for place, name in enumerate(names):
        if place in pair:
            continue
        if place in given:
            cells[place] = np.full(n_rows, given[place], dtype=object if isinstance(given[place], str) else None)
        elif skips:
            cells[place] = np.full(n_rows, np.nan)
        else:
            cells[place] = np.full(n_rows, np.nanmedian(_rows.column(X, name, place)))
    return cells


def _like(X: Any, names: list[str], cells: dict[int, Any]) -> Any:
    """A table of the type of X, or a dictionary of columns."""
    if not _frames.is_frame(X):
        has_texts = any(column.dtype == object for column in cells.values())
        return np.column_stack([cells[place].astype(object) if has_texts else cells[place] for place in range(len(names))])
    table = {name: cells[place] for place, name in enumerate(names)}
    if type(X).__module__.startswith("pandas"):
        import pandas

        return pandas.DataFrame(table)
    return table
