"""Families that learn something from rows before these are summed: cut points, grids, powers."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nbayes import _core
from nbayes._base import ExactNB
from nbayes._types import Floats

if TYPE_CHECKING:
    from typing_extensions import Self


class _PreparedNB(ExactNB):
    """`fit` and the first `partial_fit` learn it from the rows, whatever their weights; with it fixed, sums are exact as ever.

    `cross_validate` and `leave_one_out` take rows out of the sums, not out of what was learnt before. To learn it in each fold
    as well, use `sklearn.model_selection.cross_validate`.
    """

    priors: Any
    missing: str
    n_jobs: int | None

    def _rule(self) -> str | None:
        """How it is learnt."""
        return None

    def _parents(self) -> str | None:
        """Which features others depend on."""
        return None

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {"missing_cells": self.missing}

    def _prior(self) -> Any:
        return self.priors

    def _start(self, cells: Any, places: Any) -> _core.Sums:
        prepared = _core.Sums.prepared
        settings = self._settings(self.n_features_in_)
        rule, parents = self._rule(), self._parents()
        sums: _core.Sums = self._ask(prepared, self._family, settings, rule, cells, places, parents)
        return sums

    def emptied(self) -> Self:
        """An estimator that has learnt the same and has no rows: for parts of the rows, to be merged.

        Returns
        -------
        estimator : object
            A copy, for `partial_fit`.
        """
        self._check_fitted()
        empty = copy.deepcopy(self)
        empty._keep(self._sums.emptied())
        return empty

    @property
    def class_prior_(self) -> Floats:
        """The probability of each class."""
        prior: Floats = np.exp(self._log_prior())
        return prior


class _BinsNB(_PreparedNB):
    """Families of numbers in bins."""

    bins: str
    alpha: float

    def _rule(self) -> str | None:
        return self.bins

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {"smoothing": float(self.alpha), "missing_cells": self.missing}

    @property
    def cuts_(self) -> list[Floats]:
        """The cut points of each feature."""
        cuts: list[Floats] = self._classifier().parameters["cuts"]
        return cuts


class BinnedNB(_BinsNB):
    """Naive Bayes on bins: each feature is cut into intervals, whose shares are counted for each class.

    Parameters
    ----------
    bins : str, default="mdl"
        "mdl" cuts where it shortens the description of the classes (Fayyad and Irani 1993), "modl" has the most probable
        intervals (Boullé 2006), "width:K" has K intervals of the same width, "frequency:K" K with about as many rows each.
    alpha : float, default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    priors : array-like of shape (n_classes,), default=None
        Probabilities of the classes; their shares of the rows if not given.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    cuts_ : list of ndarray
        The cut points of each feature; a value equal to one is below it.
    feature_log_prob_ : list of ndarray of shape (n_classes, n_bins)
        The log-probability of each bin, one table a feature.

    References
    ----------
    Fayyad and Irani, *Multi-interval discretization of continuous-valued attributes for classification learning* (1993).
    Boullé, *MODL: a Bayes optimal discretization method for continuous attributes* (2006).

    Examples
    --------
    >>> from nbayes import BinnedNB
    >>> model = BinnedNB(bins="width:2").fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
    >>> model.predict([[3.0], [7.0]])
    array(['low', 'high'], dtype='<U4')
    >>> model.cuts_
    [array([5.])]
    """

    _family = "binned"

    def __init__(
        self,
        *,
        bins: str = "mdl",
        alpha: float = 1.0,
        priors: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.bins = bins
        self.alpha = alpha
        self.priors = priors
        self.missing = missing
        self.n_jobs = n_jobs

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        alpha = settings["smoothing"]
        if not isinstance(alpha, float) or isinstance(prior, str):
            raise ValueError(
                "the model has a smoothing for each feature or a uniform prior, which BinnedNB cannot have; load it with NaiveBayes"
            )
        return cls(alpha=alpha, priors=prior, missing=settings["missing_cells"])

    @property
    def feature_log_prob_(self) -> list[Floats]:
        """The log-probability of each bin, one table a feature."""
        tables: list[NDArray[np.float64]] = self._classifier().parameters["feature_log_prob"]
        return [self._of_all_classes(table.T, np.nan).T for table in tables]


class KernelNB(_PreparedNB):
    """Naive Bayes with kernel densities: a distribution of any shape for each class and feature.

    Values are counted on a grid, which is learnt; a density is the sum of normal kernels on the grid.

    Parameters
    ----------
    bandwidth : {"silverman", "scott", "sheather_jones", "ucv", "john_langley"} or float, default="silverman"
        How wide the kernels are: by the rules of thumb of Silverman (1986, eq. 3.31) or Scott (1992), the plug-in rule of
        Sheather and Jones (1991), least-squares cross-validation (Bowman 1984), as John and Langley (1995) have it, or the
        same number for all.
    priors : array-like of shape (n_classes,), default=None
        Probabilities of the classes; their shares of the rows if not given.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    bandwidth_ : ndarray of shape (n_classes, n_features)
        The bandwidths.

    References
    ----------
    John and Langley, *Estimating continuous distributions in Bayesian classifiers* (1995).

    Examples
    --------
    >>> from nbayes import KernelNB
    >>> model = KernelNB().fit([[0.0], [0.5], [9.5], [10.0], [4.0], [5.0], [6.0]], list("aaaabbb"))
    >>> model.predict([[0.2], [5.1], [9.9]])
    array(['a', 'b', 'a'], dtype='<U1')
    """

    _family = "kernel"

    def __init__(
        self,
        *,
        bandwidth: str | float = "silverman",
        priors: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.bandwidth = bandwidth
        self.priors = priors
        self.missing = missing
        self.n_jobs = n_jobs

    def _settings(self, n_features: int) -> dict[str, Any]:
        rule = self.bandwidth if isinstance(self.bandwidth, str) else ("fixed", float(self.bandwidth))
        return {"bandwidth": rule, "missing_cells": self.missing}

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        if isinstance(prior, str):
            raise ValueError("the model has a uniform prior, which KernelNB cannot have; load it with NaiveBayes")
        rule = settings["bandwidth"]
        bandwidth = rule if isinstance(rule, str) else rule[1]
        return cls(bandwidth=bandwidth, priors=prior, missing=settings["missing_cells"])

    @property
    def bandwidth_(self) -> Floats:
        """The bandwidths."""
        return self._parameter("bandwidth", np.nan)


class PowerNB(_PreparedNB):
    """Gaussian naive Bayes of powers: each feature goes through a transform that makes it as normal as it can be.

    Parameters
    ----------
    power : {"yeo-johnson", "box-cox", "log"}, default="yeo-johnson"
        Powers of numbers of either sign (Yeo and Johnson 2000), of positive numbers (Box and Cox 1964), or the logarithm.
    variance_floor : float, default=1e-9
        The least variance, as a share of the variance of the feature over all rows.
    priors : array-like of shape (n_classes,), default=None
        Probabilities of the classes; their shares of the rows if not given.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    lambdas_ : ndarray of shape (n_features,)
        The power of each feature; 1 leaves it as it is, 0 is the logarithm.
    theta_, var_ : ndarray of shape (n_classes, n_features)
        Means and variances of transformed values.

    References
    ----------
    Yeo and Johnson, *A new family of power transformations to improve normality or symmetry* (2000).

    Examples
    --------
    >>> from nbayes import PowerNB
    >>> X = [[1.0], [2.0], [4.0], [100.0], [300.0], [900.0]]
    >>> PowerNB(power="log").fit(X, list("aaabbb")).predict([[3.0], [200.0]])
    array(['a', 'b'], dtype='<U1')
    """

    _family = "power"

    def __init__(
        self,
        *,
        power: str = "yeo-johnson",
        variance_floor: float = 1e-9,
        priors: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.power = power
        self.variance_floor = variance_floor
        self.priors = priors
        self.missing = missing
        self.n_jobs = n_jobs

    def _rule(self) -> str | None:
        return self.power

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {"variance_floor": float(self.variance_floor), "missing_cells": self.missing}

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        floor = settings["variance_floor"]
        if not isinstance(floor, float) or settings["unbiased"] or isinstance(prior, str):
            raise ValueError(
                "the model has another variance floor, unbiased variances or a uniform prior, which PowerNB cannot have; load it "
                "with NaiveBayes"
            )
        return cls(variance_floor=floor, priors=prior, missing=settings["missing_cells"])

    @property
    def lambdas_(self) -> Floats:
        """The power of each feature."""
        lambdas: Floats = self._classifier().parameters["power"]
        return lambdas

    @property
    def theta_(self) -> Floats:
        """Means of transformed values."""
        return self._parameter("theta", 0.0)

    @property
    def var_(self) -> Floats:
        """Variances of transformed values."""
        return self._parameter("var", np.nan)
