"""Whether probabilities are as often right as they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbayes._types import Floats, Labels
from nbayes.display import _style

if TYPE_CHECKING:
    from typing_extensions import Self

# The half-width of a 95 % interval, in standard deviations.
_Z = 1.959963984540054


class ReliabilityDisplay:
    """A reliability diagram: the observed share of a class beside its predicted probability.

    Of two classes the probability is that of `pos_label`; of more it is that of the predicted label, and the share that of right labels. Points are
    bins of rows with nearly the same probability; lines are 95 % intervals of the share (Wilson 1927). Grey bars at the foot say
    how many rows have which probability.

    Parameters
    ----------
    prob_true : ndarray of shape (n_bins,)
        The observed share of each bin.
    prob_pred : ndarray of shape (n_bins,)
        The mean probability of each bin.
    counts : ndarray of shape (n_bins,)
        The number of rows of each bin.
    y_prob : ndarray of shape (n_samples,)
        The probabilities.
    pos_label : object or None
        The class; `None` for that of each predicted label.
    estimator_name : str or None, default=None
        What the legend calls it.

    Attributes
    ----------
    prob_true, prob_pred, counts, y_prob, pos_label, estimator_name
        As given.
    lower, upper : ndarray of shape (n_bins,)
        The 95 % intervals of the shares.
    line_ : matplotlib Artist
        The line of the estimator.
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    References
    ----------
    Niculescu-Mizil and Caruana, *Predicting good probabilities with supervised learning* (2005).

    Examples
    --------
    >>> from nbayes import NaiveBayes
    >>> from nbayes.display import ReliabilityDisplay
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = ReliabilityDisplay.from_estimator(NaiveBayes(), X, y, cv=3, n_bins=5)
    >>> int(display.counts.sum()) == len(y)
    True
    """

    def __init__(
        self,
        prob_true: Floats,
        prob_pred: Floats,
        counts: Floats,
        y_prob: Floats,
        *,
        pos_label: Any,
        estimator_name: str | None = None,
    ) -> None:
        self.prob_true = prob_true
        self.prob_pred = prob_pred
        self.counts = counts
        self.y_prob = y_prob
        self.pos_label = pos_label
        self.estimator_name = estimator_name
        self.lower, self.upper = _wilson(prob_true, counts)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        cv: Any = None,
        n_bins: int = 10,
        strategy: str = "quantile",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Predict rows, and draw how often that was right.

        Parameters
        ----------
        estimator : classifier
            Any classifier with `predict_proba`.
        X : data frame, dict of columns or array-like
            The rows.
        y : array-like of shape (n_samples,)
            Their labels.
        cv : int, cross-validation generator or None, default=None
            If given, each row is predicted by a clone that was fitted to the rows of other folds. If not, rows are predicted by the
            fitted estimator: they must be others than those of `fit`, on which probabilities look better than they are.
        n_bins, strategy, pos_label, name, ax
            As in :meth:`from_predictions`.

        Returns
        -------
        display : ReliabilityDisplay
        """
        if cv is not None:
            from sklearn.model_selection import cross_val_predict

            y = np.asarray(y)
            y_prob, classes = cross_val_predict(estimator, X, y, cv=cv, method="predict_proba"), np.unique(y)
        else:
            y_prob, classes = estimator.predict_proba(X), estimator.classes_
        return cls.from_predictions(
            y,
            y_prob,
            classes=classes,
            n_bins=n_bins,
            strategy=strategy,
            pos_label=pos_label,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        classes: Any = None,
        n_bins: int = 10,
        strategy: str = "quantile",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw how often predictions were right.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            The labels.
        y_prob : array-like of shape (n_samples,) or (n_samples, n_classes)
            The probabilities of all classes, or of `pos_label`.
        classes : array-like of shape (n_classes,), default=None
            The classes of the columns of `y_prob`; the sorted labels if not given.
        n_bins : int, default=10
            The number of bins.
        strategy : {"quantile", "uniform"}, default="quantile"
            Whether bins have as many rows each, or the same width.
        pos_label : object, default=None
            The class whose probability is meant; if not given, the second of two, and of more the predicted label of each row.
        name : str, default=None
            What the legend calls it.
        ax : matplotlib Axes, default=None
            The axes; a new figure if not given.

        Returns
        -------
        display : ReliabilityDisplay
        """
        y_true, y_prob = np.asarray(y_true), np.asarray(y_prob, dtype=np.float64)
        known = np.unique(y_true) if classes is None else np.asarray(classes)
        right, prob, pos_label = _of_class(y_true, y_prob, known, pos_label)
        bins = _bins(prob, n_bins, strategy)
        counts = np.bincount(bins).astype(np.float64)
        used = counts > 0
        prob_true = np.bincount(bins, right)[used] / counts[used]
        prob_pred = np.bincount(bins, prob)[used] / counts[used]
        display = cls(prob_true, prob_pred, counts[used], prob, pos_label=pos_label, estimator_name=name)
        return display.plot(ax=ax)

    def plot(self, ax: Any = None, *, name: str | None = None, ref_line: bool = True, **kwargs: Any) -> Self:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes; a new figure if not given. Several displays can share axes.
        name : str, default=None
            What the legend calls it; `estimator_name` if not given.
        ref_line : bool, default=True
            Whether the line of perfect calibration is drawn.
        **kwargs : dict
            Passed to matplotlib's `plot`, such as `color`.

        Returns
        -------
        self : ReliabilityDisplay
        """
        ax = _style.axes(ax, (4.8, 4.8))
        _style.tidy(ax, grid="both")
        first = not any(line.get_gid() == "reliability" for line in ax.lines)
        if ref_line and first:
            ax.plot([0, 1], [0, 1], color=_style.NEUTRAL, linestyle=(0, (4, 3)), linewidth=1, label="perfectly calibrated")
        if first:
            edges = np.linspace(0.0, 1.0, 26)
            heights = np.histogram(np.clip(self.y_prob, 0.0, 1.0), edges)[0]
            if heights.max() > 0:
                shown = 0.13 * heights / heights.max()
                ax.stairs(shown, edges, fill=True, color=_style.NEUTRAL, alpha=0.35, linewidth=0)
        n_lines = sum(line.get_gid() == "reliability" for line in ax.lines)
        shown_as: dict[str, Any] = {"color": _style.colour(n_lines), "marker": "o", "markersize": 5, "linewidth": 1.4} | kwargs
        name = self.estimator_name if name is None else name
        (self.line_,) = ax.plot(self.prob_pred, self.prob_true, label=None if name is None else _style.short(name, 40), **shown_as)
        self.line_.set_gid("reliability")
        ax.vlines(self.prob_pred, self.lower, self.upper, color=self.line_.get_color(), linewidth=1.2, alpha=0.55)
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        ax.set_xticks(np.linspace(0, 1, 6))
        ax.set_yticks(np.linspace(0, 1, 6))
        of = "the predicted label" if self.pos_label is None else _style.quoted(self.pos_label)
        ax.set_xlabel(f"predicted probability of {of}", fontsize="small")
        ax.set_ylabel("share that is right" if self.pos_label is None else f"observed share of {of}", fontsize="small")
        if name is not None or ref_line:
            ax.legend(frameon=False, fontsize="small", loc="upper left")
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _of_class(y_true: Labels, y_prob: Floats, classes: Labels, pos_label: Any) -> tuple[Floats, Floats, Any]:
    """Whether each row is of the class, the probability of that, and the class."""
    if len(y_true) != len(y_prob):
        raise ValueError(f"there are {len(y_true)} labels, but probabilities of {len(y_prob)} rows")
    if not len(y_true):
        raise ValueError("there are no rows")
    if pos_label is not None and pos_label not in classes.tolist():
        raise ValueError(f"there is no class {pos_label!r}; the classes are {classes.tolist()}")
    if y_prob.ndim == 1:
        if pos_label is None:
            if len(classes) != 2:
                raise ValueError(f"there are {len(classes)} classes; pass the probabilities of all, or pos_label")
            pos_label = classes[1]
        prob = y_prob
    else:
        if y_prob.shape[1] != len(classes):
            raise ValueError(f"there are {len(classes)} classes, but {y_prob.shape[1]} columns of probabilities")
        if pos_label is None and len(classes) > 2:
            best = y_prob.argmax(axis=1)
            return (classes[best] == y_true).astype(np.float64), y_prob.max(axis=1), None
        pos_label = classes[-1] if pos_label is None else pos_label
        prob = y_prob[:, classes.tolist().index(pos_label)]
    if not ((prob >= 0) & (prob <= 1)).all():
        raise ValueError("probabilities are from 0 to 1; there are others")
    return (y_true == pos_label).astype(np.float64), prob, pos_label


def _bins(prob: Floats, n_bins: int, strategy: str) -> Any:
    """The bin of each row; rows with the same probability are in the same bin."""
    if not isinstance(n_bins, (int, np.integer)) or n_bins < 1:
        raise ValueError(f"n_bins is {n_bins!r}; it must be a whole number from 1")
    if strategy == "uniform":
        return np.minimum((prob * n_bins).astype(np.int64), n_bins - 1)
    if strategy != "quantile":
        raise ValueError(f"strategy is {strategy!r}; it must be quantile or uniform")
    edges = np.unique(np.quantile(prob, np.linspace(0, 1, n_bins + 1)[1:-1]))
    return np.searchsorted(edges, prob, side="right")


def _wilson(share: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """The 95 % intervals of shares."""
    counts = np.maximum(np.asarray(counts, dtype=np.float64), 1.0)
    middle = (share + _Z**2 / (2 * counts)) / (1 + _Z**2 / counts)
    half = _Z * np.sqrt(share * (1 - share) / counts + _Z**2 / (4 * counts**2)) / (1 + _Z**2 / counts)
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)
