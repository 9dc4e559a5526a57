"""What each value of a column adds to the log-odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbayes._types import Floats, Labels
from nbayes.display import _style
from nbayes.display._shape import Shape, Shapes

if TYPE_CHECKING:
    from typing_extensions import Self

# The most categories or terms of a panel, and curves of several classes.
_MOST_BARS, _MOST_CURVES = 10, 6
# Log-odds beyond this say "certainly"; how certainly would squash all else.
_FAR = 8.0


class ShapeDisplay:
    """What each value of a column adds to the log-odds: steps of bins, bars of categories and words, curves of densities.

    A naive Bayes score is a sum over columns, so that these pictures are the whole model and no approximation of it. Of two classes the
    log-odds are those of the second one; of more there is a line for each, about what is so in all rows. Grey bars at the foot are
    the shares of the rows that the model has. Numbers beyond ±8, odds of 3000 to 1, are cut off; `shapes` has them.

    Parameters
    ----------
    shapes : list of Shape
        What is drawn, a panel each.
    classes : ndarray of shape (n_classes,)
        The labels.

    Attributes
    ----------
    shapes : list of Shape
        As given.
    classes : ndarray of shape (n_classes,)
        As given.
    figure_ : matplotlib Figure
        The figure.
    axes_ : ndarray of matplotlib Axes
        The panels, one for each shape.
    ax_ : matplotlib Axes
        The first of them.

    Examples
    --------
    >>> from nbayes import GaussianNB
    >>> from nbayes.display import ShapeDisplay
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> display = ShapeDisplay.from_estimator(GaussianNB().fit(X, y), X, max_features=2)
    >>> [shape.feature for shape in display.shapes]
    ['petal length (cm)', 'petal width (cm)']
    """

    def __init__(self, shapes: list[Shape], *, classes: Labels) -> None:
        self.shapes = shapes
        self.classes = classes

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        features: Any = None,
        *,
        max_features: int = 6,
        ax: Any = None,
        n_cols: int = 3,
        share_scale: bool = True,
    ) -> Self:
        """Compute the shapes of a fitted estimator, and draw them.

        Parameters
        ----------
        estimator : estimator of nbayes
            Fitted, and of a family that is a sum over columns.
        X : data frame, dict of columns or array-like, default=None
            Rows that say over which values curves are drawn; if not given, those that the model expects.
        features : str, int or list of these, default=None
            Columns or features by name, or features by number; the strongest ones if not given.
        max_features : int, default=6
            How many are shown if `features` is not given.
        ax, n_cols, share_scale
            As in :meth:`plot`.

        Returns
        -------
        display : ShapeDisplay
        """
        shapes = Shapes(estimator)
        found = shapes.strongest(max_features, X) if features is None else shapes.named(features, X)
        display = cls(found, classes=estimator.classes_)
        return display.plot(ax=ax, n_cols=n_cols, share_scale=share_scale)

    def plot(self, ax: Any = None, *, n_cols: int = 3, share_scale: bool = True) -> Self:
        """Draw the shapes.

        Parameters
        ----------
        ax : matplotlib Axes or array of Axes, default=None
            Axes for each shape; a new figure if not given.
        n_cols : int, default=3
            The most panels beside each other in a new figure.
        share_scale : bool, default=True
            Whether log-odds have one scale in all panels, so that sizes can be compared.

        Returns
        -------
        self : ShapeDisplay
        """
        if not self.shapes:
            raise ValueError("there is no shape to draw: the model has no columns")
        n_panels = len(self.shapes)
        if ax is None:
            n_cols = max(1, min(n_cols, n_panels))
            n_rows = -(-n_panels // n_cols)
            size = (3.5 * n_cols + 0.4, 2.7 * n_rows + 0.3)
            figure, grid = _style.pyplot().subplots(n_rows, n_cols, figsize=size, layout="constrained", squeeze=False)
            panels = grid.ravel()
            for unused in panels[n_panels:]:
                unused.remove()
            panels = panels[:n_panels]
        else:
            panels = np.array([ax], dtype=object).ravel() if not isinstance(ax, np.ndarray) else ax.ravel()
            if len(panels) != n_panels:
                raise ValueError(f"there are {n_panels} shapes, but {len(panels)} axes")
            figure = panels[0].figure
        curves = self._curves()
        limits = [_limits(shape.log_odds[:, curves], shape.missing[curves]) for shape in self.shapes]
        shared = (min(low for low, _ in limits), max(high for _, high in limits))
        for panel, shape, own in zip(panels, self.shapes, limits):
            self._panel(panel, shape, curves, shared if share_scale else own, labelled=ax is not None)
        handles, names = panels[0].get_legend_handles_labels()
        if ax is None:
            figure.suptitle(f"What each value {self._adds()}", x=0.008, ha="left", fontsize="medium")
            if handles:
                figure.legend(
                    handles, names, loc="outside lower left", frameon=False, fontsize="small", ncols=min(len(names), n_cols * 2)
                )
        elif handles:
            panels[0].legend(handles, names, frameon=False, fontsize="small")
        self.figure_, self.axes_, self.ax_ = figure, panels, panels[0]
        return self

    def _adds(self) -> str:
        """What the numbers are."""
        if len(self.classes) == 2:
            return f"adds to the log-odds of {_style.quoted(self.classes[1])}"
        return "adds to the log-score of each class"

    def _curves(self) -> list[int]:
        """The classes whose scores move most, in order."""
        n_curves = self.shapes[0].log_odds.shape[1]
        moved = np.zeros(n_curves)
        for shape in self.shapes:
            moved += np.abs(np.where(np.isfinite(shape.log_odds), shape.log_odds, 0.0)).mean(axis=0)
        return sorted(np.argsort(-moved, kind="stable")[:_MOST_CURVES].tolist())

    def _panel(
        self, ax: Any, shape: Shape, curves: list[int], limits: tuple[float, float], *, labelled: bool
    ) -> None:
        across = shape.kind in ("categories", "terms")
        _style.tidy(ax, grid="x" if across else "y")
        if across:
            _bars(ax, shape, curves, limits)
            ax.set_xlim(limits)
            ax.axvline(0, color=_style.NEUTRAL, linewidth=0.8, zorder=1)
            ax.spines["left"].set_visible(False)
            ax.tick_params(axis="y", length=0)
            if labelled:
                ax.set_xlabel(self._adds(), fontsize="small")
        else:
            ax.set_ylim(limits)
            ax.axhline(0, color=_style.NEUTRAL, linewidth=0.8, zorder=1)
            (_steps if shape.kind == "bins" else _curve)(ax, shape, curves, limits)
            if shape.missing.any():
                _missing(ax, shape, curves, limits)
            if labelled:
                ax.set_ylabel(self._adds(), fontsize="small")
        ax.set_title(_style.short(shape.feature, 34), loc="left", fontsize="medium", fontweight="bold")


def _limits(log_odds: Floats, missing: Floats) -> tuple[float, float]:
    """From where to where log-odds go, with room at both ends."""
    all_odds = np.concatenate([log_odds.ravel(), missing.ravel(), [0.0]])
    all_odds = all_odds[np.isfinite(all_odds)]
    low, high = max(float(all_odds.min()), -_FAR), min(float(all_odds.max()), _FAR)
    room = 0.12 * (high - low) or 1.0
    return low - room, high + room


def _clipped(values: Floats, limits: tuple[float, float]) -> Floats:
    """Infinite log-odds end at the border."""
    return np.clip(values, *limits)


def _edges(shape: Shape) -> Floats:
    """The ends of the bins, with about as much room for the outer ones as others have."""
    cuts = np.asarray(shape.values[1:-1], dtype=np.float64)
    if not len(cuts):
        return np.array([-1.0, 1.0])
    if len(cuts) == 1:
        room = max(abs(float(cuts[0])), 1.0)
    else:
        room = max(float(np.median(np.diff(cuts))), 0.06 * float(cuts[-1] - cuts[0]))
    low, high = float(cuts[0]) - room, float(cuts[-1]) + room
    if shape.span is not None:
        low = shape.span[0] if shape.span[0] < cuts[0] else low
        high = shape.span[1] if shape.span[1] > cuts[-1] else high
    return np.concatenate([[low], cuts, [high]])


def _steps(ax: Any, shape: Shape, curves: list[int], limits: tuple[float, float]) -> None:
    edges = _edges(shape)
    if shape.shares is not None:
        _foot(ax, edges, shape.shares / np.diff(edges))
    for curve in curves:
        values = _clipped(shape.log_odds[:, curve], limits)
        if shape.log_odds.shape[1] == 1:
            for sign, colour in ((np.maximum(values, 0), _style.FOR), (np.minimum(values, 0), _style.AGAINST)):
                ax.stairs(sign, edges, fill=True, color=colour, alpha=0.25, linewidth=0)
                inside = np.where(sign != 0, sign, np.nan)
                ax.hlines(inside, edges[:-1], edges[1:], color=colour, linewidth=1.8)
        else:
            ax.stairs(values, edges, baseline=None, color=_colour(shape, curve, curves), linewidth=1.6, label=_label(shape, curve))
    ax.set_xlim(edges[0], edges[-1])


def _curve(ax: Any, shape: Shape, curves: list[int], limits: tuple[float, float]) -> None:
    x = np.asarray(shape.values, dtype=np.float64)
    step = float(x[1] - x[0]) if len(x) > 1 else 1.0
    if shape.shares is not None:
        _foot(ax, np.concatenate([x - step / 2, x[-1:] + step / 2]), shape.shares)
    for curve in curves:
        values = shape.log_odds[:, curve]
        if shape.log_odds.shape[1] == 1:
            inside = _clipped(values, limits)
            ax.fill_between(x, np.maximum(inside, 0), color=_style.FOR, alpha=0.25, linewidth=0)
            ax.fill_between(x, np.minimum(inside, 0), color=_style.AGAINST, alpha=0.25, linewidth=0)
            ax.plot(x, np.where(values >= 0, values, np.nan), color=_style.FOR, linewidth=1.8)
            ax.plot(x, np.where(values <= 0, values, np.nan), color=_style.AGAINST, linewidth=1.8)
        else:
            ax.plot(x, values, color=_colour(shape, curve, curves), linewidth=1.6, label=_label(shape, curve))
    ax.set_xlim(x[0], x[-1])


def _bars(ax: Any, shape: Shape, curves: list[int], limits: tuple[float, float]) -> None:
    """Bars of the values that move most, or of several classes a dot each."""
    names, odds, left_out = _most_moving(shape)
    has_missing = shape.kind == "categories" and shape.missing.any()
    if has_missing:
        names, odds = [*names, "missing"], np.vstack([odds, shape.missing])
    places = np.arange(len(names))[::-1]
    if odds.shape[1] == 1:
        values = _clipped(odds[:, 0], limits)
        colours = np.where(values >= 0, _style.FOR, _style.AGAINST)
        ax.barh(places, values, color=colours, height=0.72)
    else:
        for curve in curves:
            values = _clipped(odds[:, curve], limits)
            ax.scatter(values, places, color=_colour(shape, curve, curves), s=26, zorder=3, label=_label(shape, curve))
    shown = [_style.short(str(name), 18) for name in names]
    ax.set_yticks(places, shown, fontsize="small")
    if has_missing:
        ax.get_yticklabels()[-1].set_fontstyle("italic")
    ax.set_ylim(-0.7, len(names) - 0.3)
    if left_out:
        note = f"and {left_out} more"
        ax.text(1.0, 0.02, note, transform=ax.transAxes, ha="right", va="bottom", fontsize="x-small", color=_style.NEUTRAL)


def _most_moving(shape: Shape) -> tuple[list[Any], Floats, int]:
    """The values that move the log-odds of most rows most, from those that add most to those that take most."""
    sizes = np.abs(np.nan_to_num(shape.log_odds, posinf=0.0, neginf=0.0)).mean(axis=1)
    if shape.kind == "terms":
        # As many that speak for each side, where there are.
        weights = np.ones(len(sizes)) if shape.shares is None else np.sqrt(shape.shares)
        signed = shape.log_odds[:, -1] * weights if shape.log_odds.shape[1] == 1 else sizes * weights
        order = np.argsort(signed, kind="stable")
        half = _MOST_BARS // 2 if shape.log_odds.shape[1] == 1 else 0
        chosen = np.unique(np.concatenate([order[:half], order[-(_MOST_BARS - half) :]]))
    else:
        # Rare values with large numbers are not what matters.
        chosen = np.argsort(-(sizes if shape.shares is None else sizes * shape.shares), kind="stable")[:_MOST_BARS]
    # Of several classes categories stay in their order.
    by = -shape.log_odds[chosen, -1] if shape.log_odds.shape[1] == 1 or shape.kind == "terms" else chosen
    chosen = chosen[np.argsort(by, kind="stable")]
    names = [shape.values[place] for place in chosen]
    return names, shape.log_odds[chosen], len(sizes) - len(chosen)


def _foot(ax: Any, edges: Floats, heights: Floats) -> None:
    """The shares of the rows, as grey bars of at most a seventh of the panel."""
    if heights.max() > 0:
        transform = ax.get_xaxis_transform()
        ax.stairs(0.14 * heights / heights.max(), edges, fill=True, color=_style.NEUTRAL, alpha=0.35, linewidth=0, transform=transform)


def _missing(ax: Any, shape: Shape, curves: list[int], limits: tuple[float, float]) -> None:
    """What a missing cell adds, as a diamond at the right border."""
    for curve in curves:
        value = _clipped(shape.missing[curve : curve + 1], limits)
        colour = _colour(shape, curve, curves) if len(curves) > 1 else _style.FOR if value[0] >= 0 else _style.AGAINST
        ax.plot(1.0, value[0], marker="D", markersize=5, color=colour, transform=ax.get_yaxis_transform(), clip_on=False)
    at = float(shape.missing[curves].max())
    ax.annotate(
        "missing",
        (1.0, at),
        xycoords=ax.get_yaxis_transform(),
        xytext=(-7, 0),
        textcoords="offset points",
        ha="right",
        va="center",
        fontsize="x-small",
    )


def _colour(shape: Shape, curve: int, curves: list[int]) -> str:
    """The colour of a class; of many classes, where colours repeat, those shown have different ones."""
    return _style.colour(curve if len(shape.classes) <= len(_style.CLASSES) else curves.index(curve))


def _label(shape: Shape, curve: int) -> str:
    return _style.short(str(shape.classes[curve]))
