"""Estimators of tables: whatever columns hold, a model of them with weights and corrections, or without."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse
from sklearn import get_config
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import validate_data

from nbayes import _cells, _core, _frames, _labels, _model_html, _sparse
from nbayes._decisions import Decides
from nbayes._estimator import numbered, unchanged_by_errors
from nbayes._explanation import Explanation
from nbayes._shape_source import ShapeSource
from nbayes._trends import positive, trends
from nbayes._types import Floats, Labels

if TYPE_CHECKING:
    from typing_extensions import Self


class TableNB(Decides):
    """What estimators of tables share: frames and arrays in, a model file, and answers from it.

    How much is learnt, and what a file must hold, is theirs.
    """

    columns: dict[str, str] | None
    monotonic_cst: Any = None
    # The columns of times where the model was fitted; unknown if it was loaded.
    _time_columns: frozenset[str] | None = None
    # The numbers of the columns of a loaded model that was fitted to an array, of which some were left out.
    _places: list[int] | None = None

    def _effort(self) -> str:
        """How much is done, as `Model.train` has it."""
        raise NotImplementedError

    @classmethod
    def _check_model(cls, model: _core.Model) -> None:
        """Refuses the model of a file that this estimator cannot be."""

    @classmethod
    def _of_model(cls, model: _core.Model) -> Self:
        """An estimator with the parameters that a model shows, and otherwise the default ones."""
        return cls()

    # -- fitting --------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Self:
        """Make a model of a table and its labels; what was learnt before is forgotten.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,), or str
            The labels, or the name of the column of `X` that has them.
        sample_weight : array-like of shape (n_samples,), default=None
            The weight of each row; a row of weight 2 is in the sums as two rows are.
        groups : array-like of shape (n_samples,), default=None
            The group of each row, such as its patient: rows of a group are held out together, so that `held_out_` is about new groups,
            and weights and corrections are used as far as they help with these.

        Returns
        -------
        self : object
            The estimator itself.
        """
        with unchanged_by_errors(self):
            label = y if isinstance(y, str) else getattr(y, "name", None)
            if isinstance(y, str):
                X, y = _frames.take_label(X, y)
            frame = self._read(X, reset=True)
            classes, places = _labels.encode(y, frame.n_rows)
            texts = [_labels.text(value) for value in classes.tolist()]
            taken = set(frame.names)
            label = str(label) if label is not None and str(label) not in taken else _free("class", taken)
            labelled = frame.with_labels(label, texts, places)
            kinds = self._kinds()
            unknown = [name for name, _ in kinds if name not in taken]
            if unknown:
                raise ValueError(f"columns names {unknown}, which the table does not have; it has {frame.names}")
            labelled, group = _grouped(labelled, groups)
            labelled, weight = _weighted(labelled, sample_weight)
            rising = trends(self.monotonic_cst, frame.names, classes)
            prior, last = self._prior(classes), positive(classes)
            model, report = _core.Model.train(
                labelled, label, self._effort(), kinds, rising, last, prior, weight, group, self._n_threads()
            )
            self._keep(model, classes)
            self.columns_, self.left_out_, self.plain_ = report["columns"], report["left_out"], report["plain"]
            self.warnings_ = report["warnings"]
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to the sums; bins, weights and corrections stay as they were learnt.

        The first call is :meth:`fit`; it needs rows of all `classes`.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,), or str
            The labels, or the name of the column of `X` that has them.
        classes : array-like of shape (n_classes,), default=None
            The labels that may come. All of them must be in the rows of the first call.
        sample_weight : array-like of shape (n_samples,), default=None
            The weight of each row; a row of weight 2 is in the sums as two rows are.

        Returns
        -------
        self : object
            The estimator itself.
        """
        if not self.__sklearn_is_fitted__():
            with unchanged_by_errors(self):
                self.fit(X, y, sample_weight)
                unseen = [] if classes is None else np.setdiff1d(np.asarray(classes), self.classes_).tolist()
                if unseen:
                    raise ValueError(
                        f"classes {unseen} have no rows in the first call; bins and weights are learnt from rows of all classes"
                    )
            return self
        rows, weight = _weighted(self._labelled(X, y), sample_weight)
        self._keep(self.model_.updated(rows, weight, self._n_threads()), self.classes_)
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows out of the sums; bins, weights and corrections stay as they were learnt.

        Weights and corrections are for the classes that they were learnt for, so that a model that has some keeps rows of each class:
        to leave a class out, `fit` the other rows.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            Rows that the model has.
        y : array-like of shape (n_samples,), or str
            Their labels, or the name of the column of `X` that has them.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights that they were added with.

        Returns
        -------
        self : object
            The estimator itself.
        """
        self._check_fitted()
        rows, weight = _weighted(self._labelled(X, y), sample_weight)
        self._keep(self.model_.without(rows, weight, self._n_threads()), self.classes_)
        return self

    def refit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        only_given: bool = False,
        force: bool = False,
    ) -> Self:
        """Learn weights and corrections again from the rows of now; bins, categories, vocabularies and sums stay.

        As `nbayes refit` does, after `partial_fit`, `forget` or `decay`. A calibration by `method="isotonic"` is removed, as it was learnt for
        other weights; a decision rule stays. New weights that are clearly worse on held-out rows are an error, and the estimator is as it
        was.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            Rows like those that the model will predict, usually all rows that it has.
        y : array-like of shape (n_samples,), or str
            Their labels, or the name of the column of `X` that has them.
        sample_weight : array-like of shape (n_samples,), default=None
            The weight of each row.
        groups : array-like of shape (n_samples,), default=None
            The group of each row: rows of a group are held out together.
        only_given : bool, default=False
            Learn from these rows even if they are less than half of the rows of the model, which is an error otherwise.
        force : bool, default=False
            Take the new weights even if they are worse.

        Returns
        -------
        self : object
            The estimator itself.
        """
        self._check_fitted()
        rows, weight = _weighted(self._labelled(X, y), sample_weight)
        rows, group = _grouped(rows, groups)
        effort = self._effort()
        model, _ = self.model_.refitted(rows, effort, weight, group, only_given, force, self._n_threads())
        self._keep(model, self.classes_)
        return self

    def merge(self, other: TableNB) -> Self:
        """Add all rows of another estimator, which must have the same bins, weights and corrections, or none.

        Parameters
        ----------
        other : estimator of tables
            Fitted to a table with the same columns.

        Returns
        -------
        self : object
            The estimator itself.
        """
        self._check_fitted()
        other._check_fitted()
        self._keep(self.model_.merged(other.model_), np.unique(np.concatenate([self.classes_, other.classes_])))
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
        self._keep(self.model_.scaled(factor), self.classes_)
        return self

    # -- answers --------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> Labels:
        """The label of each row, by the decision rule of the model: the most probable one unless it has another.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The labels; where the decision rule abstains, what :meth:`decide` was given as `abstain`, or `None`.
        """
        log_proba = self._log_posterior(X)
        places = self.model_.decide(log_proba)
        labels = self._model_classes()
        if (places >= 0).all():
            return labels[places]
        answer = labels.astype(object)[places]
        answer[places < 0] = (self.model_.decision or {}).get("abstain")
        return answer

    def predict_proba(self, X: Any) -> Floats:
        """The posterior probability of each class for each row.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        P : ndarray of shape (n_samples, n_classes)
            Columns have the order of `classes_`.
        """
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithm of the posterior probability of each class for each row.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        P : ndarray of shape (n_samples, n_classes)
            Columns have the order of `classes_`.
        """
        return self._log_posterior(X)[:, np.argsort(self._model_classes(), kind="stable")]

    def explain(self, X: Any, row: int = 0) -> Explanation:
        """Why a row has its label: what each feature adds to the log-probability of each class.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        row : int, default=0
            Which of them.

        Returns
        -------
        explanation : Explanation
            With `to_frame()`, and a picture in notebooks.
        """
        self._check_fitted()
        frame = self._read(X, reset=False)
        if not -frame.n_rows <= row < frame.n_rows:
            raise IndexError(f"there is no row {row} among {frame.n_rows}")
        contributions, log_prior, values, categories, together = self.model_.explain(frame, row % frame.n_rows)
        order = np.argsort(self._model_classes(), kind="stable")
        names = np.array(self.model_.features, dtype=object)
        categories_of = np.array(categories, dtype=object)
        of_classes, n_features = contributions[order], len(names)
        explanation = Explanation(self.classes_, names, values, log_prior[order], of_classes[:, :n_features], categories_of)
        return explanation.with_interactions(together, of_classes[:, n_features:])

    @property
    def held_out_(self) -> dict[str, Any] | None:
        """How well rows were classified from which nothing was learnt; `None` if it is not known."""
        self._check_fitted()
        return self.model_.held_out

    @property
    def weights_(self) -> dict[str, float] | None:
        """The weight of each feature, by name; `None` of a plain model."""
        self._check_fitted()
        return self.model_.weights

    # -- files ----------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file, which the program `nbayes` and the Rust library read as well.

        Parameters
        ----------
        path : str or path
            The file; it appears whole or not at all.
        """
        from nbayes._files import write

        write(Path(path), self.to_bytes())

    def to_bytes(self) -> bytes:
        """The bytes of a model file; see :meth:`save`."""
        self._check_fitted()
        return self.model_.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """An estimator from the bytes of a model file; see :meth:`load`."""
        model = _core.Model.from_bytes(data)
        cls._check_model(model)
        estimator = cls._of_model(model)
        names = [name for name, _ in model.columns]
        estimator.n_features_in_ = len(names)
        places = _places(names)
        if places is None:
            estimator.feature_names_in_ = np.array(names, dtype=object)
        elif names != numbered(len(names)):
            estimator._places = places
        estimator.columns_ = [(name, kind, "as the model file says") for name, kind in model.columns]
        estimator.left_out_, estimator.plain_, estimator.warnings_ = [], None, []
        estimator._keep(model, np.unique(_labels.from_texts(model.classes)))
        return estimator

    def to_onnx(self) -> bytes:
        """The bytes of an ONNX graph that answers as the model does, with an input for each column."""
        self._check_fitted()
        return self.model_.to_onnx()

    def to_sql(self, table: str, dialect: str = "DuckDB") -> str:
        """The query that scores the rows of a table in a database.

        Parameters
        ----------
        table : str
            The name of the table, or a query in parentheses.
        dialect : {"DuckDB", "PostgreSQL", "Spark"}, default="DuckDB"
            The engine.

        Returns
        -------
        query : str
        """
        self._check_fitted()
        return self.model_.to_sql(table, dialect)

    # -- within ---------------------------------------------------------------------------------------------------

    def _read(self, X: Any, *, reset: bool) -> _core.Frame:
        if scipy.sparse.issparse(X):
            _sparse.check(X)
            X = X if reset else self._own_columns(X)
            X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=None, ensure_all_finite=False)
            sparse = _frames.of_sparse(X, self._array_names(X.shape[1], reset), type(self).__name__)
            return self._checked(sparse, reset)
        if not _frames.is_frame(X):
            # So that texts beside numbers do not make texts of these.
            X = np.array(X, dtype=object) if isinstance(X, (list, tuple)) else X
            if not reset:
                X = self._own_columns(X)
            masked = X if isinstance(X, np.ma.MaskedArray) else None
            X = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite=False)
            X = X if masked is None else masked
            return self._checked(_frames.of_array(X, self._array_names(X.shape[1], reset)), reset)
        frame = _frames.read(X)
        if frame.n_rows == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required: the table has no rows")
        names = np.array(frame.names, dtype=object)
        if reset:
            self.n_features_in_, self.feature_names_in_ = len(names), names
        return self._checked(frame, reset)

    def _own_columns(self, X: Any) -> Any:
        """Of an array like that of `fit`, the columns that a loaded model has: its file knows nothing of those that were left out."""
        if self._places is None or getattr(X, "ndim", 0) != 2 or X.shape[1] <= len(self._places):
            return X
        if X.shape[1] <= self._places[-1]:
            raise ValueError(
                f"X has {X.shape[1]} features, but the model has the columns {self._array_names(0, False)} of an array; pass as many "
                f"columns as in the array that it was fitted to, or these {len(self._places)}"
            )
        X = X.tocsr() if scipy.sparse.issparse(X) else X
        return X[:, self._places]

    def _array_names(self, n_columns: int, reset: bool) -> list[str]:
        """The names of the columns of an array."""
        if not reset and self._places is not None:
            return [f"x{place}" for place in self._places]
        known = None if reset else getattr(self, "feature_names_in_", None)
        return numbered(n_columns) if known is None else known.tolist()

    def _checked(self, frame: _core.Frame, reset: bool) -> _core.Frame:
        """A table whose columns of numbers are no times, unless they were when the model was fitted."""
        times = frozenset(frame.time_columns)
        if reset:
            self._time_columns, self._places = times, None
        elif self._time_columns is not None and not times <= self._time_columns:
            for name, kind in self.model_.columns:
                if kind in ("numbers", "counts") and name in times - self._time_columns:
                    raise TypeError(
                        f"column {name!r} has dates or times, where the model was fitted to numbers; convert it to these numbers"
                    )
        return frame

    def _kinds(self) -> list[tuple[str, str]]:
        columns = {} if self.columns is None else self.columns
        if not isinstance(columns, dict) or not all(isinstance(kind, str) for kind in columns.values()):
            raise TypeError(f"columns is {columns!r}; it must be a dictionary from names to what the columns hold")
        return [(str(name), kind) for name, kind in columns.items()]

    def _prior(self, classes: Labels) -> list[tuple[str, float]] | None:
        """The probabilities of the classes, by text; none for their shares, an empty list for the same of all."""
        return None

    def _labelled(self, X: Any, y: Any) -> _core.Frame:
        if isinstance(y, str):
            X, y = _frames.take_label(X, y)
        frame = self._read(X, reset=False)
        places = _labels.encode_known(y, frame.n_rows, self.classes_)
        texts = [_labels.text(value) for value in self.classes_.tolist()]
        return frame.with_labels(self.model_.label, texts, places)

    def _shape_source(self) -> ShapeSource:
        order = np.argsort(self._model_classes(), kind="stable")
        weights = self.model_.class_weights[order]
        names = [name for name, _ in self.model_.columns]
        features, columns = self.model_.features, self.model_.feature_columns
        return ShapeSource(self.model_.shape, features, columns, names, self.classes_, order, weights / weights.sum())

    def _log_posterior(self, X: Any) -> Floats:
        self._check_fitted()
        return self.model_.log_posterior(self._read(X, reset=False), self._n_threads())

    def _model_classes(self) -> Labels:
        """The labels in the order of the model, which is that of their texts."""
        by_text = {_labels.text(value): value for value in self.classes_.tolist()}
        labels = [by_text[text] for text in self.model_.classes]
        return np.array(labels, dtype=self.classes_.dtype)

    def _keep(self, model: _core.Model, classes: Labels) -> None:
        self.model_ = model
        texts = set(model.classes)
        self.classes_ = np.array(
            [value for value in classes.tolist() if _labels.text(value) in texts], dtype=classes.dtype
        )

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "model_", None) is not None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags

    # -- notebooks ------------------------------------------------------------------------------------------------

    # What scikit-learn returns of its property `_repr_html_`.
    def _repr_html_inner(self) -> str:
        if not self.__sklearn_is_fitted__():
            return str(estimator_html_repr(self))
        return _model_html.of_model(repr(self), self.model_, self.columns_, self.left_out_, self.warnings_, self.plain_)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle = {"text/plain": repr(self)}
        if get_config()["display"] == "diagram":
            bundle["text/html"] = self._repr_html_inner()
        return bundle

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        model = state.pop("model_", None)
        if model is not None:
            state["_model_bytes"] = model.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        data = state.pop("_model_bytes", None)
        super().__setstate__(state)
        if data is not None:
            self.model_ = _core.Model.from_bytes(data)


def _places(names: list[str]) -> list[int] | None:
    """The numbers of columns that are called x0, x1 and so on, some of which may be absent; `None` if they have other names."""
    numbers = [name[1:] for name in names if name[:1] == "x"]
    if len(numbers) < len(names) or not all(number.isdecimal() and number.isascii() for number in numbers):
        return None
    places = [int(number) for number in numbers]
    if [f"x{place}" for place in sorted(set(places))] != names:
        return None
    return places


def _weighted(frame: _core.Frame, sample_weight: Any) -> tuple[_core.Frame, str | None]:
    """A table with a column of weights, and its name; none if all rows have the weight 1."""
    if sample_weight is None:
        return frame, None
    name = _free("weight", set(frame.names))
    return frame.with_weights(name, _cells.one_a_row(sample_weight, frame.n_rows)), name


def _grouped(frame: _core.Frame, groups: Any) -> tuple[_core.Frame, str | None]:
    """A table with a column of groups, and its name; none if rows have no groups."""
    if groups is None:
        return frame, None
    groups, places = _labels.encode(groups, frame.n_rows)
    name = _free("group", set(frame.names))
    return frame.with_labels(name, [_labels.text(group) for group in groups.tolist()], places), name


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
