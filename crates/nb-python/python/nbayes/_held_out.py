"""Rows judged by the sums of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from nbayes import _cells, _labels
from nbayes._answers import Answers
from nbayes._types import Floats


class HeldOut(Answers):
    """Folds, or single rows, are taken out of the sums exactly, and put back."""

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
