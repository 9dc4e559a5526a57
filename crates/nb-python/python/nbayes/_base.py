"""What all estimators of one family on all columns have in common."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from nbayes import _cells, _core, _errors, _labels
from nbayes._explanation import Explanation
from nbayes._threads import n_threads
from nbayes._types import Floats, Labels

if TYPE_CHECKING:
    from typing_extensions import Self

_Answer = TypeVar("_Answer")


class ExactNB(ClassifierMixin, BaseEstimator):
    """Estimators that keep exact sums of their rows.

    Everything that they answer is read off these sums: rows can be added, taken out and merged in any order, and the
    bits are those of one fit on the rows that remain.
    """

    # The name of the family in model files.
    _family: ClassVar[str]
    _requires_counts: ClassVar[bool] = False

    missing: str
    n_jobs: int | None
    classes_: Labels
    n_features_in_: int
    feature_names_in_: Labels
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
        with _unchanged_by_errors(self):
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
        with _unchanged_by_errors(self):
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

    def merge(self, other: ExactNB) -> Self:
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

    def __add__(self, other: ExactNB) -> Self:
        if not isinstance(other, ExactNB):
            return NotImplemented
        return copy.deepcopy(self).merge(other)

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

    # -- answers --------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> Labels:
        """The most probable label of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The labels. A row that is impossible for every class has none: it is refused with a `ValueError`.
        """
        classifier = self._classifier()
        cells = self._read(X, reset=False)
        labels: Labels = self.classes_[self._ask(classifier.predict, cells, self._n_threads())]
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """The posterior probability of each class for each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        P : ndarray of shape (n_samples, n_classes)
            Columns have the order of `classes_`. A row that is impossible for every class has only zeros.
        """
        classifier = self._classifier()
        cells = self._read(X, reset=False)
        return self._of_all_classes(self._ask(classifier.posterior, cells, self._n_threads()), 0.0)

    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithm of the posterior probability of each class for each row.

        It is computed as a logarithm, so that it has all digits where the probability is 1 or 0 in doubles.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        P : ndarray of shape (n_samples, n_classes)
            Columns have the order of `classes_`.
        """
        classifier = self._classifier()
        cells = self._read(X, reset=False)
        return self._of_all_classes(self._ask(classifier.log_posterior, cells, self._n_threads()), -np.inf)

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """`log P(c) + log p(x | c)` for each row and class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        J : ndarray of shape (n_samples, n_classes)
            Columns have the order of `classes_`.
        """
        classifier = self._classifier()
        cells = self._read(X, reset=False)
        return self._of_all_classes(self._ask(classifier.joint, cells, self._n_threads()), -np.inf)

    def _joint_log_likelihood(self, X: Any) -> Floats:
        return self.predict_joint_log_proba(X)

    def log_evidence(self, X: Any) -> Floats:
        """`log p(x)` of each row, of whichever class it is: low for rows unlike those of training.

        For counts of a multinomial distribution it includes the number of orders of the events, which joint probabilities
        leave out.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        e : ndarray of shape (n_samples,)
        """
        self._check_fitted()
        cells = self._read(X, reset=False)
        return self._ask(self._density().log_evidence, cells, self._n_threads())

    def explain(self, X: Any, row: int = 0) -> Explanation:
        """Why a row has its label: what each feature adds to the log-probability of each class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        row : int, default=0
            Which of them.

        Returns
        -------
        explanation : Explanation
            With `to_frame()`, and a picture in notebooks.
        """
        classifier = self._classifier()
        cells = self._read(X, reset=False)
        n_rows = _cells.n_rows(cells)
        if not -n_rows <= row < n_rows:
            raise IndexError(f"there is no row {row} among {n_rows}")
        contributions = self._of_all_classes(self._ask(classifier.explain, cells, row % n_rows).T, -np.inf).T
        log_prior = self._of_all_classes(classifier.log_prior[np.newaxis], -np.inf)[0]
        return Explanation(self.classes_, self._feature_names(), _row(cells, row % n_rows), log_prior, contributions)

    def sample(self, n_samples: int = 1, random_state: Any = None, label: Any = None) -> tuple[Floats, Labels]:
        """Rows drawn from the fitted distribution.

        Parameters
        ----------
        n_samples : int, default=1
            How many rows.
        random_state : int, RandomState or None, default=None
            The same rows for the same number.
        label : object, default=None
            Only rows of this class; of all classes by their prior if not given.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            The rows.
        y : ndarray of shape (n_samples,)
            Their labels.
        """
        from sklearn.utils import check_random_state

        self._check_fitted()
        seed = int(check_random_state(random_state).randint(2**31 - 1))
        place = None
        if label is not None:
            places = np.flatnonzero(self.classes_ == label)
            if not len(places):
                raise ValueError(f"there is no class {label!r}; the classes are {self.classes_}")
            place = int(places[0])
        rows, places = self._density().sample(n_samples, seed, place)
        return rows, self.classes_[places]

    # -- honest numbers -------------------------------------------------------------------------------------------

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Floats:
        """Log-posteriors of the rows that the estimator was fitted to, each by the model without it.

        Exact, and without fitting again: each row is taken out of the sums and put back.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows among those of `fit`.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights that they were added with.

        Returns
        -------
        P : ndarray of shape (n_samples, n_classes)
            Log-posteriors; columns have the order of `classes_`.
        """
        return self._held_out(X, y, None, sample_weight)

    def cross_validate(
        self, X: Any, y: Any, cv: int = 5, random_state: Any = None, sample_weight: Any = None
    ) -> dict[str, Any]:
        """Accuracy and log-loss on rows that were held out, in stratified folds.

        One pass adds all rows to the sums; each fold is then taken out of them exactly, so that no row is added twice.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows among those of `fit`.
        y : array-like of shape (n_samples,)
            Their labels.
        cv : int, default=5
            The number of folds.
        random_state : int, RandomState or None, default=None
            How rows are dealt.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights that they were added with.

        Returns
        -------
        measures : dict
            `accuracy`, `log_loss`, `majority` (the accuracy of always saying the most frequent class),
            `log_loss_of_prior` (the log-loss of the shares of the classes), and `log_proba`, the log-posteriors.
        """
        from sklearn.model_selection import StratifiedKFold

        self._check_fitted()
        n_rows = _cells.n_rows(self._read(X, reset=False))
        places = _labels.encode_known(y, n_rows, self.classes_)
        folds = np.empty(n_rows, dtype=np.int64)
        split = StratifiedKFold(cv, shuffle=True, random_state=random_state).split(np.zeros(n_rows), places)
        for number, (_, rows) in enumerate(split):
            folds[rows] = number
        log_proba = self._held_out(X, y, folds, sample_weight)
        weights = np.ones(n_rows) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        weights = weights / weights.sum()
        shares = np.bincount(places, weights, len(self.classes_))
        of_truth = log_proba[np.arange(n_rows), places]
        return {
            "accuracy": float(weights @ (log_proba.argmax(axis=1) == places)),
            "log_loss": float(-(weights @ of_truth)),
            "majority": float(shares.max()),
            "log_loss_of_prior": float(-(shares[shares > 0] @ np.log(shares[shares > 0]))),
            "log_proba": log_proba,
        }

    def _held_out(self, X: Any, y: Any, folds: Any, sample_weight: Any) -> Floats:
        self._check_fitted()
        cells = self._read(X, reset=False)
        places = _labels.encode_known(y, _cells.n_rows(cells), self.classes_)
        if folds is None:
            folds = np.arange(_cells.n_rows(cells), dtype=np.int64)
        answer = self._ask(
            self._sums.held_out,
            self._settings(self.n_features_in_),
            cells,
            places,
            folds,
            _cells.weights(sample_weight, cells),
            self._given_prior(),
            self._n_threads(),
        )
        return self._of_all_classes(answer, -np.inf)

    # -- files ----------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, label: str | None = None) -> None:
        """Write a model file, which the program `nbayes` and the Rust library read as well.

        Parameters
        ----------
        path : str or path
            The file; it appears whole or not at all.
        label : str, default=None
            What the column of labels is called; if not given, as in the file that the estimator was loaded from, else
            "class".
        """
        from nbayes._files import write

        write(Path(path), self.to_bytes(label=label))

    def to_bytes(self, *, label: str | None = None) -> bytes:
        """The bytes of a model file; see :meth:`save`."""
        self._check_fitted()
        prior = self._given_prior()
        given = None if prior is None else [] if isinstance(prior, str) else prior
        labels = [_labels.text(value) for value in self.classes_.tolist()]
        known_label, kinds = getattr(self, "_of_file", ("class", []))
        settings, names = self._settings(self.n_features_in_), [str(name) for name in self._feature_names()]
        return self._sums.to_bytes(settings, labels, names, known_label if label is None else label, given, kinds)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """An estimator from a model file of this family, whoever wrote it.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        estimator : object
            Fitted; it can be updated, merged and used like the one that was saved.
        """
        return cls.from_bytes(Path(path).read_bytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """An estimator from the bytes of a model file; see :meth:`load`."""
        sums, family, settings, texts, names, label, prior, kinds = _core.Sums.from_bytes(data)
        if family != cls._family:
            raise ValueError(f"the model is of the family {family}; {cls.__name__} is for {cls._family}")
        labels = _labels.from_texts(texts)
        order = np.argsort(labels, kind="stable")
        numbers = np.empty(len(order), dtype=np.int64)
        numbers[order] = np.arange(len(order))
        given = prior if prior is None or isinstance(prior, str) else np.asarray(prior)[order]
        estimator = cls._from_settings(settings, given)
        estimator.classes_ = labels[order]
        estimator.n_features_in_ = len(names)
        if names != _numbered(len(names)):
            estimator.feature_names_in_ = np.array(names, dtype=object)
        estimator._of_file = label, kinds
        estimator._keep(sums.renumbered(numbers.tolist()))
        return estimator

    # -- the attributes of scikit-learn ---------------------------------------------------------------------------

    @property
    def class_count_(self) -> Floats:
        """The weight of the rows of each class."""
        self._check_fitted()
        count = np.zeros(len(self.classes_))
        count[self._sums.classes] = self._sums.class_weights
        return count

    def _log_prior(self) -> Floats:
        log_prior: Floats = self._of_all_classes(self._classifier().log_prior[np.newaxis], -np.inf)[0]
        return log_prior

    def _part(self, part: int) -> Floats:
        self._check_fitted()
        return self._of_all_classes(self._sums.part(part).T, 0.0).T

    def _parameter(self, name: str, unknown: float) -> Floats:
        table = self._classifier().parameters[name]
        return self._of_all_classes(table.T, unknown).T

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

    def _density(self) -> _core.Density:
        return self._ask(self._sums.density, self._settings(self.n_features_in_), self._given_prior())

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

    def _feature_names(self) -> Labels:
        names = getattr(self, "feature_names_in_", None)
        return np.array(_numbered(self.n_features_in_), dtype=object) if names is None else names

    def _n_threads(self) -> int:
        return n_threads(self.n_jobs)

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments "
                "before using this estimator."
            )

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_sums", None) is not None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._requires_counts
        tags.input_tags.allow_nan = getattr(self, "missing", "error") == "skip"
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_fitted", None)
        sums = state.pop("_sums", None)
        if sums is not None:
            n_features = self.n_features_in_
            numbers = [str(place) for place in range(len(self.classes_))]
            state["_sums_bytes"] = sums.to_bytes(self._settings(n_features), numbers, _numbered(n_features), "class", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        data = state.pop("_sums_bytes", None)
        super().__setstate__(state)
        if data is not None:
            sums, _family, _settings, texts, *_ = _core.Sums.from_bytes(data)
            self._keep(sums.renumbered([int(text) for text in texts]))


@contextmanager
def _unchanged_by_errors(estimator: ExactNB) -> Iterator[None]:
    """Gives the estimator back what it had if something is wrong."""
    before = dict(estimator.__dict__)
    try:
        yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise


def _numbered(n_features: int) -> list[str]:
    return [f"x{place}" for place in range(n_features)]


def _row(cells: Any, row: int) -> Floats:
    """The cells of a row."""
    if not isinstance(cells, tuple):
        return np.asarray(cells[row], dtype=np.float64)
    n_columns, indptr, indices, values = cells
    dense = np.zeros(n_columns)
    stored = slice(indptr[row], indptr[row + 1])
    dense[indices[stored]] = values[stored]
    return dense
