"""Differentially private sums."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any

import numpy as np

from nbayes import _core, _labels
from nbayes._gaussian import GaussianNB
from nbayes._types import Labels

if TYPE_CHECKING:
    from typing_extensions import Self


class PrivateSums:
    """The sums of Gaussian naive Bayes with noise, from which nobody can tell whether a certain row was among them.

    The noise is added once, in whole numbers that are drawn without rounding. What is done with the sums afterwards spends no
    further privacy: merging, storing, and fitting as often as you like.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    n_features_in_ : int
        The number of features.

    References
    ----------
    Dwork, McSherry, Nissim and Smith, *Calibrating noise to sensitivity in private data analysis* (2006).
    Canonne, Kamath and Steinke, *The discrete Gaussian for differential privacy* (2020).

    Examples
    --------
    >>> import numpy as np
    >>> from nbayes import PrivateSums
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([0, 1], 500)
    >>> X = rng.normal(y * 4.0, 1.0, size=(1, 1000)).T
    >>> sums = PrivateSums.release(X, y, classes=[0, 1], bounds=(-5, 10), epsilon=1.0)
    >>> sums.spent
    (1.0, 0.0)
    >>> float(sums.fit().score(X, y)) > 0.9
    True
    """

    classes_: Labels
    n_features_in_: int
    _sums: _core.NoisySums

    @classmethod
    def release(
        cls,
        X: Any,
        y: Any,
        *,
        classes: Any,
        bounds: tuple[Any, Any],
        epsilon: float | None = None,
        rho: float | None = None,
    ) -> Self:
        """The sums of rows, with noise.

        Classes and bounds must be known without looking at the rows: those that are taken from the rows are not covered by the
        promise.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows, without missing cells.
        y : array-like of shape (n_samples,)
            The labels.
        classes : array-like of shape (n_classes,)
            All labels that may come.
        bounds : tuple of two numbers, or of two arrays of shape (n_features,)
            The least and the largest value of each feature. Cells beyond them count as the bounds.
        epsilon : float, default=None
            The budget of pure differential privacy: no result is more than exp(epsilon) times as probable with a row as without.
        rho : float, default=None
            In place of `epsilon`, the budget of concentrated differential privacy, which many features need less noise for.

        Returns
        -------
        sums : PrivateSums
        """
        X = np.ascontiguousarray(X, dtype=np.float64)
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimensions; it must have rows and columns")
        known = np.unique(np.asarray(classes))
        places = _labels.encode_known(y, len(X), known)
        low, high = (np.broadcast_to(np.asarray(bound, dtype=np.float64), X.shape[1:]).tolist() for bound in bounds)
        seed = secrets.token_bytes(32)
        sums = _core.NoisySums.release(X, places, len(known), list(zip(low, high)), (epsilon, rho), seed)
        return cls._of(sums, known, X.shape[1])

    @classmethod
    def _of(cls, sums: _core.NoisySums, classes: Labels, n_features: int) -> Self:
        made = cls()
        made._sums, made.classes_, made.n_features_in_ = sums, classes, n_features
        return made

    def merge(self, other: PrivateSums, *, people: str = "shared") -> Self:
        """Add the sums of other rows, with their noise.

        Parameters
        ----------
        other : PrivateSums
            Of the same classes and bounds.
        people : {"shared", "apart"}, default="shared"
            Whether somebody may have rows in both, so that what was spent adds up, or nobody has.

        Returns
        -------
        self : PrivateSums
        """
        if people not in ("shared", "apart"):
            raise ValueError(f"people is {people!r}; it must be 'shared' or 'apart'")
        if not np.array_equal(self.classes_, other.classes_):
            raise ValueError(f"the sums are of different classes: {self.classes_.tolist()} and {other.classes_.tolist()}")
        self._sums.merge(other._sums, people == "shared")
        return self

    @property
    def spent(self) -> tuple[float, float]:
        """What was spent on a person, at most: `epsilon` and `rho`."""
        return self._sums.spent

    def epsilon_at(self, delta: float) -> float:
        """The epsilon of (epsilon, delta)-differential privacy.

        Parameters
        ----------
        delta : float
            The probability of results that tell more; far below one divided by the number of rows.

        Returns
        -------
        epsilon : float
        """
        if not 0.0 <= delta < 1.0:
            raise ValueError(f"delta is {delta!r}; it must be at least 0 and below 1")
        return self._sums.epsilon_at(delta)

    @property
    def class_count_(self) -> np.ndarray:
        """The number of rows of each class, with noise, and so perhaps negative."""
        return np.asarray(self._sums.n_rows[0])

    @property
    def class_count_error_(self) -> float:
        """The standard deviation of the noise in `class_count_`."""
        return self._sums.n_rows[1]

    def fit(self) -> GaussianNB:
        """The estimator of these sums.

        Weights, means and variances are estimated with the noise known: those of each class are drawn towards those of all, by as
        much as the noise is large beside the spread, and variances include the doubt about means.

        Returns
        -------
        estimator : GaussianNB
            Fitted, to be used, saved and explained as any other. Rows that are added to it are not private.
        """
        estimator = GaussianNB()
        estimator.classes_, estimator.n_features_in_ = self.classes_, self.n_features_in_
        estimator._keep(self._sums.estimated())
        return estimator

    def to_json(self) -> str:
        """The sums as text, to be sent to who merges them."""
        labels = [_labels.text(value) for value in self.classes_.tolist()]
        return json.dumps({"labels": labels, "sums": json.loads(self._sums.to_json())})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The sums from such a text, checked."""
        parts = json.loads(text)
        if not isinstance(parts, dict) or set(parts) != {"labels", "sums"}:
            raise ValueError("the text is none that `to_json` wrote")
        sums, labels = _core.NoisySums.from_json(json.dumps(parts["sums"])), parts["labels"]
        if not isinstance(labels, list) or len(labels) != len(sums.n_rows[0]):
            raise ValueError(f"there must be {len(sums.n_rows[0])} labels, one a class")
        classes = _labels.from_texts([str(label) for label in labels])
        if not np.array_equal(np.unique(classes), classes):
            raise ValueError("the labels are not sorted, so that the sums of some are others'")
        return cls._of(sums, classes, len(parts["sums"]["columns"]))

    def __getstate__(self) -> str:
        return self.to_json()

    def __setstate__(self, state: str) -> None:
        self.__dict__.update(type(self).from_json(state).__dict__)

    def __repr__(self) -> str:
        epsilon, rho = self.spent
        return f"PrivateSums(classes={len(self.classes_)}, features={self.n_features_in_}, epsilon={epsilon:g}, rho={rho:g})"
