"""Normal distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbayes._base import ExactNB
from nbayes._types import Floats

if TYPE_CHECKING:
    from typing_extensions import Self


class _NormalNB(ExactNB):
    """Families of normal distributions."""

    def __init__(
        self, *, priors: Any = None, var_smoothing: float = 1e-9, missing: str = "error", n_jobs: int | None = None
    ) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.missing = missing
        self.n_jobs = n_jobs

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {
            "variance_floor": ("largest_variance", float(self.var_smoothing)),
            "missing_cells": self.missing,
        }

    def _prior(self) -> Any:
        return self.priors

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        if settings["unbiased"] or isinstance(prior, str):
            raise ValueError(f"the model has unbiased variances or a uniform prior, which {cls.__name__} cannot have")
        floor = settings["variance_floor"]
        if not isinstance(floor, tuple) or floor[0] != "largest_variance":
            raise ValueError(
                f"the model has the variance floor {floor!r}, which {cls.__name__} cannot have; load it with NaiveBayes"
            )
        return cls(priors=prior, var_smoothing=floor[1], missing=settings["missing_cells"])

    @property
    def theta_(self) -> Floats:
        """The means."""
        return self._parameter("theta", 0.0)

    @property
    def class_prior_(self) -> Floats:
        """The probability of each class."""
        return np.exp(self._log_prior())


class GaussianNB(_NormalNB):
    """Gaussian naive Bayes: a normal distribution for each class and feature.

    Takes the place of `sklearn.naive_bayes.GaussianNB`. Means and variances are correctly rounded at any offset, and
    `partial_fit` gives the bits of `fit`.

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        Probabilities of the classes; their shares of the rows if not given.
    var_smoothing : float, default=1e-9
        The share of the largest variance of all features that is added to every variance.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out, which is the exact marginal.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1. The bits are the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    class_count_ : ndarray of shape (n_classes,)
        The weight of the rows of each class.
    class_prior_ : ndarray of shape (n_classes,)
        The probability of each class.
    theta_ : ndarray of shape (n_classes, n_features)
        The means.
    var_ : ndarray of shape (n_classes, n_features)
        The variances, with what is added to them.
    epsilon_ : float
        What is added to every variance.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if the rows of `fit` had any.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning* (2009), 6.6.3.

    Examples
    --------
    >>> from nbayes import GaussianNB
    >>> X = [[5.1, 3.5], [4.9, 3.0], [7.0, 3.2], [6.4, 3.2]]
    >>> model = GaussianNB().fit(X, ["setosa", "setosa", "versicolor", "versicolor"])
    >>> model.predict([[5.0, 3.3]])
    array(['setosa'], dtype='<U10')
    """

    _family = "gaussian"

    @property
    def var_(self) -> Floats:
        """The variances, with what is added to them."""
        return self._parameter("var", self.epsilon_)

    @property
    def epsilon_(self) -> float:
        """What is added to every variance."""
        self._check_fitted()
        share = float(self.var_smoothing)
        if share == 0.0:
            return 0.0
        pooled = self._sums.pooled().fit(self._settings(self.n_features_in_))
        # The largest variance has `share` of itself added.
        return float(pooled.parameters["var"].max() * share / (1.0 + share))


class SharedGaussianNB(_NormalNB):
    """Gaussian naive Bayes with one variance a feature for all classes, so that the boundaries are planes.

    The posteriors have the form of logistic regression, `w·x + b`, with the weights `coef_` and `intercept_`.

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        Probabilities of the classes; their shares of the rows if not given.
    var_smoothing : float, default=1e-9
        The share of the largest variance of all features that is added to every variance.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    theta_ : ndarray of shape (n_classes, n_features)
        The means.
    var_ : ndarray of shape (n_features,)
        The variances.

    References
    ----------
    Ng and Jordan, *On discriminative vs. generative classifiers* (2002).

    Examples
    --------
    >>> from nbayes import SharedGaussianNB
    >>> model = SharedGaussianNB().fit([[1.0], [2.0], [7.0], [9.0]], [0, 0, 1, 1])
    >>> model.predict([[3.0], [8.0]])
    array([0, 1])
    """

    _family = "shared_gaussian"

    @property
    def var_(self) -> Floats:
        """The variances."""
        variances: Floats = self._parameter("var", np.nan)[int(self._sums.classes[0])]
        return variances
