"""From probabilities to labels: calibration, thresholds, costs, abstention and sets of labels, of models of tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from nbayes import _core, _labels
from nbayes._estimator import Estimator
from nbayes._types import Floats, Labels, Places

if TYPE_CHECKING:
    from typing_extensions import Self


class Decides(Estimator):
    """Estimators whose model has a calibration and a decision rule, which are in its file."""

    model_: _core.Model

    def _log_posterior(self, X: Any) -> Floats:
        raise NotImplementedError

    def _model_classes(self) -> Labels:
        raise NotImplementedError

    def calibrate(self, X: Any, y: Any, *, method: str = "temperature", groups: Any = None, force: bool = False) -> Self:
        """Make probabilities as sure as they are right, by rows that were held out from training.

        As `nbayes calibrate` does. `held_out_` then has the measures of these rows, each by a map that was learnt from others.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            Rows that are not among those of `fit`.
        y : array-like of shape (n_samples,)
            Their labels.
        method : {"temperature", "platt", "isotonic"}, default="temperature"
            One factor for all log-odds; a factor and an offset, for two classes; any map that does not fall, for some 1000 rows or more.
        groups : array-like of shape (n_samples,), default=None
            The group of each row: a map is measured on rows of other groups than those that it is learnt from.
        force : bool, default=False
            Take the map even if it is clearly worse on held-out rows, which is an error otherwise.

        Returns
        -------
        self : object
            The estimator itself.
        """
        self._check_fitted()
        if method == "platt" and len(self.classes_) != 2:
            raise ValueError(f"method='platt' is for two classes, and there are {len(self.classes_)}; use 'temperature'")
        model = self.model_.uncalibrated_model()
        log_posteriors, truths = self._of_truths(X, y, model)
        places = None if groups is None else _labels.encode(groups, len(truths))[1].astype(np.int64)
        calibrated, before, after, is_worse = model.calibrated(log_posteriors, truths, places, method)
        if is_worse and not force:
            raise ValueError(
                f"the calibrated probabilities are worse on held-out rows (log-loss {after['log_loss']:.6g}, before {before['log_loss']:.6g}); "
                "give more rows, use another method, or force=True. The estimator is as it was"
            )
        self.model_ = calibrated
        return self

    def decide(
        self,
        X: Any = None,
        y: Any = None,
        *,
        weights: Mapping[Any, float] | None = None,
        costs: Any = None,
        positive: Any = None,
        threshold: float | None = None,
        maximise: str | None = None,
        recall_at_precision: float | None = None,
        min_probability: float | None = None,
        abstain: str | None = None,
        coverage: float | None = None,
    ) -> Self:
        """Choose how probabilities become labels; without arguments, as the most probable class.

        As `nbayes decide` does. One of `weights`, `costs` and a threshold of `positive` may be given; abstention and sets come on top.
        No probability changes. `decision_` is what was chosen.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features), default=None
            Rows held out from training, by which thresholds and sets are chosen.
        y : array-like of shape (n_samples,), default=None
            Their labels.
        weights : dict, default=None
            A weight for classes by label; others have 1. The label is the class with the largest product of weight and probability.
        costs : dict or array-like of shape (n_classes, n_classes), default=None
            What a mistake costs, by (predicted, actual): other mistakes cost 1, right answers nothing; or all costs, with rows for predicted
            and columns for actual classes, in the order of `classes_`. The label is the class with the least expected cost.
        positive : object, default=None
            The class that `threshold`, `maximise` and `recall_at_precision` are about.
        threshold : float, default=None
            The least probability with which it is predicted.
        maximise : {"f1", "accuracy", "balanced_accuracy"}, default=None
            Take the threshold that is best in this on the rows.
        recall_at_precision : float, default=None
            Take the threshold with the largest recall among those of which at least this precision can be promised: the lower end of its
            95 % interval on the rows.
        min_probability : float, default=None
            Rows whose most probable class has less get no label.
        abstain : str, default=None
            What `predict` returns for them; `None` if not given.
        coverage : float, default=None
            `predict_set` returns sets that have the true class with this probability (split conformal prediction), by the rows.

        Returns
        -------
        self : object
            The estimator itself.
        """
        self._check_fitted()
        thresholds = [name for name, value in _named(threshold, maximise, recall_at_precision) if value is not None]
        rules = thresholds + [name for name, value in (("weights", weights), ("costs", costs)) if value is not None]
        if len(rules) > 1:
            raise ValueError(f"{' and '.join(rules)} are given; a model has one rule")
        if bool(thresholds) != (positive is not None):
            raise ValueError("positive needs one of threshold, maximise and recall_at_precision, and these need positive")
        if abstain is not None and min_probability is None:
            raise ValueError("abstain is the label of rows below min_probability, which is not given")
        of_rows = [name for name, value in (*_named(None, maximise, recall_at_precision), ("coverage", coverage)) if value is not None]
        if of_rows and (X is None or y is None):
            raise ValueError(f"{of_rows[0]} needs X and y, rows that were held out from training")
        log_posteriors, truths = (None, None) if X is None else self._of_truths(X, y, self.model_)
        classes = self._model_classes()
        rule, numbers, place = "most_probable", np.empty(0), 0
        if weights is not None:
            rule, numbers = "weights", _of_labels(weights, classes)
        elif costs is not None:
            rule, numbers = "costs", _costs(costs, classes, self.classes_).ravel()
        elif thresholds:
            rule, place = "threshold", _place(positive, classes)
            if threshold is None:
                assert log_posteriors is not None and truths is not None
                threshold = _core.Model.threshold(log_posteriors, truths, place, maximise, recall_at_precision or 0.0)
            numbers = np.array([threshold], dtype=np.float64)
        sets = None
        if coverage is not None:
            assert log_posteriors is not None and truths is not None
            sets = float(coverage), np.exp(log_posteriors[np.arange(len(truths)), truths]).tolist()
        self.model_ = self.model_.with_decision(rule, numbers.tolist(), place, min_probability, abstain, sets)
        return self

    @property
    def decision_(self) -> dict[str, Any] | None:
        """How probabilities become labels; `None` for the most probable class. Numbers of classes are by label, those of costs by
        (predicted, actual)."""
        self._check_fitted()
        decision = self.model_.decision
        if decision is None:
            return None
        classes = self._model_classes().tolist()
        if "weights" in decision:
            decision["weights"] = dict(zip(classes, decision["weights"]))
        if "costs" in decision:
            pairs = [(predicted, actual) for predicted in classes for actual in classes]
            decision["costs"] = dict(zip(pairs, decision["costs"]))
        if "positive" in decision:
            decision["positive"] = classes[decision["positive"]]
        return decision

    def predict_set(self, X: Any) -> Any:
        """The classes that each row may well have: sets that have the true one with the `coverage` of :meth:`decide`.

        Parameters
        ----------
        X : data frame, dict of columns, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        S : ndarray of bool of shape (n_samples, n_classes)
            Whether the set of a row has a class; columns have the order of `classes_`.
        """
        self._check_fitted()
        sets = self.model_.prediction_sets(self._log_posterior(X))
        if sets is None:
            raise ValueError("the model makes no sets of labels; choose them by rows held out from training: decide(X, y, coverage=0.9)")
        return sets[:, np.argsort(self._model_classes(), kind="stable")]

    def _of_truths(self, X: Any, y: Any, model: _core.Model) -> tuple[Floats, Places]:
        """The log-posteriors of rows by a model like that of the estimator, and the places of their labels in it."""
        before = self.model_
        try:
            self.model_ = model
            log_posteriors = self._log_posterior(X)
        finally:
            self.model_ = before
        places = _labels.encode_known(y, len(log_posteriors), self.classes_)
        return log_posteriors, np.argsort(self._model_classes(), kind="stable")[places].astype(np.int64)


def _named(threshold: Any, maximise: Any, recall_at_precision: Any) -> list[tuple[str, Any]]:
    return [("threshold", threshold), ("maximise", maximise), ("recall_at_precision", recall_at_precision)]


def _place(label: Any, classes: Labels) -> int:
    places = [place for place, own in enumerate(classes.tolist()) if own == label]
    if not places:
        raise ValueError(f"there is no class {label!r}; the classes are {sorted(classes.tolist())}")
    return places[0]


def _of_labels(weights: Mapping[Any, float], classes: Labels) -> Floats:
    if not isinstance(weights, Mapping):
        raise TypeError(f"weights is {weights!r}; it must be a dictionary from labels to weights")
    numbers = np.ones(len(classes))
    for label, weight in weights.items():
        numbers[_place(label, classes)] = weight
    return numbers


def _costs(costs: Any, classes: Labels, in_order: Labels) -> Floats:
    """The costs by predicted and actual class, in the order of the model."""
    n = len(classes)
    if isinstance(costs, Mapping):
        numbers = np.ones((n, n)) - np.eye(n)
        for pair, cost in costs.items():
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError(f"costs has the key {pair!r}; keys are pairs (predicted, actual)")
            numbers[_place(pair[0], classes), _place(pair[1], classes)] = cost
        return numbers
    given = np.asarray(costs, dtype=np.float64)
    if given.shape != (n, n):
        raise ValueError(f"costs has the shape {given.shape}; there are {n} classes, so that it must be {(n, n)}")
    places = [in_order.tolist().index(label) for label in classes.tolist()]
    return np.asarray(given[np.ix_(places, places)])
