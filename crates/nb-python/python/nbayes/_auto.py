"""The estimator that decides for its user."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse
from sklearn.utils.validation import validate_data

from nbayes import _core, _frames, _labels
from nbayes._estimator import Estimator, numbered, unchanged_by_errors
from nbayes._explanation import Explanation
from nbayes._types import Floats, Labels

if TYPE_CHECKING:
    from typing_extensions import Self


class NaiveBayes(Estimator):
    """The best naive Bayes model of a table, with an honest report.

    It takes a data frame (pandas, polars, pyarrow, anything with an Arrow stream), a dictionary of columns or an array,
    and decides as `nbayes train` does: which columns are used and as what, which bins, weights and corrections naive Bayes
    gets, and how much of them, by rows that were held out. `held_out_` says how well such rows were classified.

    Parameters
    ----------
    effort : {"usual", "plain", "fast", "best"}, default="usual"
        How much is done: weights and corrections, sums alone, weights alone, or more bins, penalties and folds.
    columns : dict, default=None
        What columns hold, by name, where it is known better than by their cells: "numbers", "counts", "categories",
        "text", "dates" or "ignore".
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1. The bits are the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    held_out_ : dict or None
        `accuracy` and `majority` (the accuracy of always saying the most frequent class), `log_loss` and
        `log_loss_of_prior`, `auc` and `calibration_error`, of rows from which nothing was learnt; `None` of a plain model.
    columns_ : list of tuple
        Name, kind and reason of the columns that are used.
    left_out_ : list of tuple
        The same of columns that are not, such as identifiers and copies of the label.
    plain_ : str or None
        Why nothing was weighted or corrected, if that was decided here.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nbayes import NaiveBayes
    >>> iris = load_iris()
    >>> model = NaiveBayes().fit(iris.data, iris.target_names[iris.target])
    >>> model.predict(iris.data[:1])
    array(['setosa'], dtype='<U10')
    >>> model.held_out_["accuracy"] > 0.9 > model.held_out_["majority"]
    True
    """

    def __init__(self, *, effort: str = "usual", columns: dict[str, str] | None = None, n_jobs: int | None = None) -> None:
        self.effort = effort
        self.columns = columns
        self.n_jobs = n_jobs

    # -- fitting --------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Make a model of a table and its labels; what was learnt before is forgotten.

        Parameters
        ----------
        X : data frame, dict of columns, or array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,), or str
            The labels, or the name of the column of `X` that has them.

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
            model, report = _core.Model.train(labelled, label, self.effort, kinds, self._n_threads())
            self._keep(model, classes)
            self.columns_, self.left_out_, self.plain_ = report["columns"], report["left_out"], report["plain"]
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Add rows to the sums; bins, weights and corrections stay as they were learnt.

        The first call is :meth:`fit`; it needs rows of all `classes`.

        Parameters
        ----------
        X : data frame, dict of columns, or array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,), or str
            The labels, or the name of the column of `X` that has them.
        classes : array-like of shape (n_classes,), default=None
            The labels that may come. All of them must be in the rows of the first call.

        Returns
        -------
        self : object
            The estimator itself.
        """
        if not self.__sklearn_is_fitted__():
            with unchanged_by_errors(self):
                self.fit(X, y)
                unseen = [] if classes is None else np.setdiff1d(np.asarray(classes), self.classes_).tolist()
                if unseen:
                    raise ValueError(
                        f"classes {unseen} have no rows in the first call; bins and weights are learnt from rows of all classes"
                    )
            return self
        self._keep(self.model_.updated(self._labelled(X, y), self._n_threads()), self.classes_)
        return self

    def forget(self, X: Any, y: Any) -> Self:
        """Take rows out of the sums; bins, weights and corrections stay as they were learnt.

        Parameters
        ----------
        X : data frame, dict of columns, or array-like of shape (n_samples, n_features)
            Rows that the model has.
        y : array-like of shape (n_samples,), or str
            Their labels, or the name of the column of `X` that has them.

        Returns
        -------
        self : object
            The estimator itself.
        """
        self._check_fitted()
        self._keep(self.model_.without(self._labelled(X, y), self._n_threads()), self.classes_)
        return self

    def merge(self, other: NaiveBayes) -> Self:
        """Add all rows of another estimator, which must have the same bins, weights and corrections, or none.

        Parameters
        ----------
        other : NaiveBayes
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
        X : data frame, dict of columns, or array-like of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The labels; `None` where the decision rule of a loaded model abstains.
        """
        log_proba = self._log_posterior(X)
        places = self.model_.decide(log_proba)
        labels = self._model_classes()
        if (places >= 0).all():
            return labels[places]
        answer = labels.astype(object)[places]
        answer[places < 0] = None
        return answer

    def predict_proba(self, X: Any) -> Floats:
        """The posterior probability of each class for each row.

        Parameters
        ----------
        X : data frame, dict of columns, or array-like of shape (n_samples, n_features)
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
        X : data frame, dict of columns, or array-like of shape (n_samples, n_features)
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
        X : data frame, dict of columns, or array-like of shape (n_samples, n_features)
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
        contributions, log_prior, values = self.model_.explain(frame, row % frame.n_rows)
        order = np.argsort(self._model_classes(), kind="stable")
        names = np.array(self.model_.features, dtype=object)
        return Explanation(self.classes_, names, values, log_prior[order], contributions[order])

    @property
    def held_out_(self) -> dict[str, Any] | None:
        """How well rows were classified from which nothing was learnt; `None` if it is not known."""
        self._check_fitted()
        return self.model_.held_out

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
        estimator = cls()
        names = [name for name, _ in model.columns]
        estimator.n_features_in_ = len(names)
        if names != numbered(len(names)):
            estimator.feature_names_in_ = np.array(names, dtype=object)
        estimator.columns_ = [(name, kind, "as the model file says") for name, kind in model.columns]
        estimator.left_out_, estimator.plain_ = [], None
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
            raise TypeError(
                "Sparse data was passed for X, but dense data is required: NaiveBayes takes tables; for sparse counts there "
                "are MultinomialNB, ComplementNB and BernoulliNB, and texts can be a column of the table"
            )
        if not _frames.is_frame(X):
            # So that texts beside numbers do not make texts of these.
            X = np.array(X, dtype=object) if isinstance(X, (list, tuple)) else X
            masked = X if isinstance(X, np.ma.MaskedArray) else None
            X = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite=False)
            X = X if masked is None else masked
            known = None if reset else getattr(self, "feature_names_in_", None)
            names = numbered(X.shape[1]) if known is None else known.tolist()
            return _frames.of_array(X, names)
        frame = _frames.read(X)
        if frame.n_rows == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required: the table has no rows")
        names = np.array(frame.names, dtype=object)
        if reset:
            self.n_features_in_, self.feature_names_in_ = len(names), names
        return frame

    def _kinds(self) -> list[tuple[str, str]]:
        columns = {} if self.columns is None else self.columns
        if not isinstance(columns, dict) or not all(isinstance(kind, str) for kind in columns.values()):
            raise TypeError(f"columns is {columns!r}; it must be a dictionary from names to what the columns hold")
        if not isinstance(self.effort, str):
            raise TypeError(f"effort is {self.effort!r}; it must be plain, fast, usual or best")
        return [(str(name), kind) for name, kind in columns.items()]

    def _labelled(self, X: Any, y: Any) -> _core.Frame:
        if isinstance(y, str):
            X, y = _frames.take_label(X, y)
        frame = self._read(X, reset=False)
        places = _labels.encode_known(y, frame.n_rows, self.classes_)
        texts = [_labels.text(value) for value in self.classes_.tolist()]
        return frame.with_labels(self.model_.label, texts, places)

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
        return tags

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


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
