"""What estimators of one family answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from nbayes import _cells, _core
from nbayes._estimator import numbered
from nbayes._explanation import Explanation
from nbayes._shape_source import ShapeSource
from nbayes._sums import KeepsSums
from nbayes._types import Floats, Labels


class Answers(KeepsSums):
    """Labels, probabilities, explanations and samples, all computed from the sums."""

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
        contributions, together = self._ask(classifier.explain, cells, row % n_rows)
        contributions = self._of_all_classes(contributions.T, -np.inf).T
        log_prior = self._of_all_classes(classifier.log_prior[np.newaxis], -np.inf)[0]
        names, values = self._feature_names(), _row(cells, row % n_rows)
        interactions = [(" × ".join(str(names[place]) for place in columns), _cells_of(values, columns)) for columns in together]
        explanation = Explanation(self.classes_, names, values, log_prior, contributions[:, : len(names)])
        return explanation.with_interactions(interactions, contributions[:, len(names) :])

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

    def _shape_source(self) -> ShapeSource:
        classifier, names = self._classifier(), [str(name) for name in self._feature_names()]
        places = np.array(self._sums.classes, dtype=np.int64)
        weights = self._sums.class_weights
        # A family of events is a column of terms: what each occurrence of one adds.
        first = classifier.shape(0, None)
        terms = first is not None and first["kind"] == "occurrences"
        columns = [0] * len(names) if terms else list(range(len(names)))
        order = np.argsort(places, kind="stable")
        return ShapeSource(
            classifier.shape,
            names,
            columns,
            ["each occurrence of"] if terms else names,
            self.classes_[places[order]],
            order,
            weights[order] / weights.sum(),
        )

    def _density(self) -> _core.Density:
        return self._ask(self._sums.density, self._settings(self.n_features_in_), self._given_prior())

    def _feature_names(self) -> Labels:
        names = getattr(self, "feature_names_in_", None)
        return np.array(numbered(self.n_features_in_), dtype=object) if names is None else names


def _row(cells: Any, row: int) -> Floats:
    """The cells of a row."""
    if not isinstance(cells, tuple):
        return np.asarray(cells[row], dtype=np.float64)
    n_columns, indptr, indices, values = cells
    dense = np.zeros(n_columns)
    stored = slice(indptr[row], indptr[row + 1])
    dense[indices[stored]] = values[stored]
    return dense


def _cells_of(values: Floats, columns: list[int]) -> str:
    return ", ".join("missing" if np.isnan(values[place]) else f"{values[place]:.6g}" for place in columns)
