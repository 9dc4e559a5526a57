"""Naive Bayes with what is learnt by conditional likelihood: weights of features, and corrections of bins and categories."""

from __future__ import annotations

from typing import Any

import numpy as np

from nbayes import _core
from nbayes._tables import TableNB


class WeightedNB(TableNB):
    """Naive Bayes with a weight for each feature, learnt by conditional likelihood.

    The score of a class is its intercept plus, for each feature, a weight times the log-probability of the value. Weights
    are not negative: features that say the same as others get small ones, where naive Bayes would count them twice. They
    maximise the penalised conditional likelihood of rows whose own counts are taken out first. Numbers are cut into bins.
    It is the model of `nbayes train --fast`.

    Parameters
    ----------
    columns : dict, default=None
        What columns hold, by name, where it is known better than by their cells: "numbers", "counts", "categories",
        "text", "dates" or "ignore".
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1. The bits are the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    weights_ : dict or None
        The weight of each feature, by name; `None` where `plain_` says why there are no weights.
    held_out_ : dict or None
        `accuracy` and `majority` (the accuracy of always saying the most frequent class), `log_loss` and
        `log_loss_of_prior`, `auc` and `calibration_error`, of rows from which nothing was learnt.
    columns_ : list of tuple
        Name, kind and reason of the columns that are used.
    left_out_ : list of tuple
        The same of columns that are not, such as identifiers and copies of the label.
    warnings_ : list of str
        What may make `held_out_` better than it will be for new rows: columns that determine the label or look like groups.
    plain_ : str or None
        Why there are no weights, for instance because there are more than 200 classes.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names.

    References
    ----------
    Zaidi, Cerquides, Carman and Webb, *Alleviating naive Bayes attribute independence assumption by attribute weighting* (2013).

    Examples
    --------
    >>> from nbayes import WeightedNB
    >>> from sklearn.datasets import load_iris
    >>> iris = load_iris(as_frame=True)
    >>> model = WeightedNB().fit(iris.data, iris.target)
    >>> max(model.weights_, key=model.weights_.get)
    'petal length (cm)'
    >>> bool(model.held_out_["accuracy"] > 0.9)
    True
    """

    def __init__(self, *, columns: dict[str, str] | None = None, n_jobs: int | None = None) -> None:
        self.columns = columns
        self.n_jobs = n_jobs

    def _effort(self) -> str:
        return "fast"

    @classmethod
    def _check_model(cls, model: _core.Model) -> None:
        if model.weights is None or model.has_corrections:
            what = "corrections" if model.has_corrections else "no weights of features"
            raise ValueError(f"the model has {what}, so that it is not one of {cls.__name__}; load it with NaiveBayes")


class RefinedNB(TableNB):
    """Naive Bayes with weights and corrections, learnt by conditional likelihood.

    The score of a class is its intercept plus, for each feature, a weight times the log-probability of the value, plus a
    correction of its bin, category or missing cell. How much of both is used is chosen by held-out rows, as is the
    penalty of the corrections. It is the model of `nbayes train`.

    Parameters
    ----------
    best : bool, default=False
        Try more numbers of bins, penalties and folds, and learn from more rows, as `nbayes train --best` does. A model file does not
        say whether it was, so that a loaded estimator has the default.
    columns : dict, default=None
        What columns hold, by name, where it is known better than by their cells: "numbers", "counts", "categories",
        "text", "dates" or "ignore".
    monotonic_cst : dict or array-like of shape (n_features,), default=None
        Columns of numbers whose effect is monotone, in problems of two classes: 1 where the probability of the second class never
        falls as the number grows and all other cells stay, -1 where it never rises, 0 for neither.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1. The bits are the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    weights_ : dict or None
        The weight of each feature, by name; `None` where `plain_` says why there are no weights.
    held_out_ : dict or None
        `accuracy` and `majority` (the accuracy of always saying the most frequent class), `log_loss` and
        `log_loss_of_prior`, `auc` and `calibration_error`, of rows from which nothing was learnt.
    columns_ : list of tuple
        Name, kind and reason of the columns that are used.
    left_out_ : list of tuple
        The same of columns that are not, such as identifiers and copies of the label.
    warnings_ : list of str
        What may make `held_out_` better than it will be for new rows: columns that determine the label or look like groups.
    plain_ : str or None
        Why nothing was weighted or corrected, for instance because there are more than 200 classes.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names.

    Examples
    --------
    >>> from nbayes import RefinedNB, WeightedNB
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> refined = RefinedNB().fit(X, y)
    >>> bool(refined.held_out_["log_loss"] < WeightedNB().fit(X, y).held_out_["log_loss"])
    True
    """

    def __init__(
        self,
        *,
        best: bool = False,
        columns: dict[str, str] | None = None,
        monotonic_cst: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.best = best
        self.columns = columns
        self.monotonic_cst = monotonic_cst
        self.n_jobs = n_jobs

    def _effort(self) -> str:
        if not isinstance(self.best, (bool, np.bool_)):
            raise TypeError(f"best is {self.best!r}; it must be True or False")
        return "best" if self.best else "usual"

    @classmethod
    def _check_model(cls, model: _core.Model) -> None:
        if model.weights is None:
            raise ValueError(f"the model has no weights and corrections, so that it is not one of {cls.__name__}; load it with NaiveBayes")
