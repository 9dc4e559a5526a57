"""Estimators of one family on all columns, which keep exact sums of their rows: adding rows, and taking them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from nbayes import _cells, _core, _errors, _labels
from nbayes._estimator import Estimator, unchanged_by_errors
from nbayes._types import Floats

if TYPE_CHECKING:
    from typing_extensions import Self

_Answer = TypeVar("_Answer")


class KeepsSums(Estimator):
    """Everything that these estimators answer is read off sums: rows can be added, taken out and merged in any order, and
    the bits are those of one fit on the rows that remain."""

    # The name of the family in model files.
    _family: ClassVar[str]
    _requires_counts: ClassVar[bool] = False

    missing: str
    _sums: _core.Sums
    _fitted: _core.Classifier | None
    # The name of the column of labels and the kinds of columns in the file that this was loaded from.
    _of_file: tuple[str, list[tuple[str, list[str]]]]

    # -- what an estimator says of itself -------------------------------------------------------------------------

    def _settings(self, n_features: int) -> dict[str, Any]:
        """The hyper-parameters of the family."""
        raise NotImplementedError

    def _prior(self) -> Any:
        """`None` for the shares of the classes, `"uniform"`, or a probability for each class."""
        raise NotImplementedError

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        """The estimator with the hyper-parameters of a model file."""
        raise NotImplementedError

    def _warn(self) -> None:
        """Says which hyper-parameters are not taken as they are."""

    def _read(self, X: Any, *, reset: bool) -> Any:
        return _cells.read(self, X, reset=reset)

    def set_params(self, **params: Any) -> Self:
        """Change hyper-parameters, without another `fit`: the sums of the rows do not depend on them.

        Parameters
        ----------
        **params : dict
            The hyper-parameters. `binarize` is an exception: it says what is summed, so that it needs a `fit`.

        Returns
        -------
        self : object
            The estimator itself.
        """
        super().set_params(**params)
        self.__dict__.pop("_fitted", None)
        return self

    # -- fitting --------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows and their labels; what was learnt before is forgotten.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows; 1 if not given.

        Returns
        -------
        self : object
            The estimator itself.
        """
        self._warn()
        with unchanged_by_errors(self):
            cells = self._read(X, reset=True)
            classes, places = _labels.encode(y, _cells.n_rows(cells))
            weights = _cells.weights(sample_weight, cells)
            sums = self._start(cells, places)
            self.__dict__.pop("_of_file", None)
            self._ask(sums.update, cells, places, weights, self._n_threads())
            self.classes_ = classes
            self._keep(sums)
            try:
                self._classifier()
            except ValueError as error:
                facts = f"n_samples={_cells.n_rows(cells)}, n_features={self.n_features_in_}, {len(classes)} class(es)"
                raise ValueError(f"{error} ({facts})") from None
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Add rows to those that the estimator was fitted to.

        The result has the bits of one `fit` on all rows, in whatever order and pieces they come.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        classes : array-like of shape (n_classes,), default=None
            All labels that may come; needed in the first call.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows; 1 if not given.

        Returns
        -------
        self : object
            The estimator itself.
        """
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        known = np.unique(np.asarray(classes)) if first else self.classes_
        if classes is not None and not first:
            named = np.unique(np.asarray(classes))
            if not np.array_equal(named, known):
                raise ValueError(f"`classes={named}` is not the same as on last call to partial_fit, was: {known}")
        self._warn()
        with unchanged_by_errors(self):
            cells = self._read(X, reset=first)
            places = _labels.encode_known(y, _cells.n_rows(cells), known)
            weights = _cells.weights(sample_weight, cells)
            sums = self._start(cells, places) if first else self._sums
            self._ask(sums.update, cells, places, weights, self._n_threads())
            self.classes_ = known
            self._keep(sums)
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows out that the estimator was fitted to.

        The result has the bits of an estimator that has never seen them. Rows that it cannot have seen are refused.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights that they were added with.

        Returns
        -------
        self : object
            The estimator itself.
        """
        self._check_fitted()
        cells = self._read(X, reset=False)
        places = _labels.encode_known(y, _cells.n_rows(cells), self.classes_)
        weights = _cells.weights(sample_weight, cells)
        self._ask(self._sums.retract, cells, places, weights, self._n_threads())
        self._keep(self._sums)
        return self

    def merge(self, other: KeepsSums) -> Self:
        """Add all rows that another estimator was fitted to.

        Parameters
        ----------
        other : estimator of the same class
            Fitted to the same features; its classes may be others.

        Returns
        -------
        self : object
            The estimator itself, with the bits of one fit on the rows of both.
        """
        self._check_fitted()
        if type(other) is not type(self):
            raise TypeError(f"a {type(self).__name__} cannot be merged with a {type(other).__name__}")
        other._check_fitted()
        if other.n_features_in_ != self.n_features_in_:
            raise ValueError(
                f"the estimators have {self.n_features_in_} and {other.n_features_in_} features; "
                "only estimators of the same features can be merged"
            )
        mine, others = (getattr(estimator, "feature_names_in_", None) for estimator in (self, other))
        if mine is not None and others is not None and not np.array_equal(mine, others):
            raise ValueError("the estimators have features of other names; only those of the same features can be merged")
        classes = np.unique(np.concatenate([self.classes_, other.classes_]))
        sums, more = (
            estimator._sums.renumbered(np.searchsorted(classes, estimator.classes_).tolist())
            for estimator in (self, other)
        )
        sums.merge(more)
        self.classes_ = classes
        self._keep(sums)
        return self

    def decay(self, factor: float) -> Self:
        """Multiply the weights of all rows so far, so that later ones count for more.

        Parameters
        ----------
        factor : float
            Above 0. Powers of two keep every bit.

        Returns
        -------
        self : object
            The estimator itself.
        """
        self._check_fitted()
        if not factor > 0:
            raise ValueError(f"factor is {factor!r}; it must be above 0")
        self._sums.scale(factor)
        self._keep(self._sums)
        return self

    # -- within ---------------------------------------------------------------------------------------------------

    def _ask(self, method: Callable[..., _Answer], *arguments: Any) -> _Answer:
        try:
            return method(*arguments)
        except ValueError as error:
            raise _errors.named(error, self) from None

    def _start(self, cells: Any, places: Any) -> _core.Sums:
        """No sums yet, for rows like these."""
        return self._empty(self.n_features_in_)

    def _empty(self, n_features: int) -> _core.Sums:
        return _core.Sums(self._family, self._settings(n_features), n_features)

    def _keep(self, sums: _core.Sums) -> None:
        self._sums = sums
        self._fitted = None

    def _classifier(self) -> _core.Classifier:
        fitted: _core.Classifier | None = getattr(self, "_fitted", None)
        if fitted is None:
            self._check_fitted()
            settings, prior = self._settings(self.n_features_in_), self._given_prior()
            fitted = self._ask(self._sums.fit, settings, prior, self._n_threads())
            self._fitted = fitted
        return fitted

    def _given_prior(self) -> Any:
        """The prior of the classes that have rows."""
        prior = self._prior()
        if prior is None or isinstance(prior, str):
            return prior
        prior = self._checked(prior)[self._sums.classes]
        return (prior / prior.sum()).tolist()

    def _checked(self, prior: Any) -> Floats:
        """The probabilities of the classes, if they are such."""
        probabilities: Floats = np.asarray(prior, dtype=np.float64)
        if len(probabilities) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        if (probabilities < 0).any():
            raise ValueError("Priors must be non-negative.")
        if not np.isclose(probabilities.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        return probabilities

    def _of_all_classes(self, table: Floats, unknown: float) -> Floats:
        """Columns for all classes, from those for classes that have rows."""
        if table.shape[1] == len(self.classes_):
            return table
        whole = np.full((table.shape[0], len(self.classes_)), unknown)
        whole[:, self._sums.classes] = table
        return whole

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_sums", None) is not None
