"""Counts, and yes or no."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from nbayes._base import ExactNB
from nbayes._types import Floats

if TYPE_CHECKING:
    from typing_extensions import Self


# What scikit-learn raises a smaller `alpha` to, unless `force_alpha` is true.
_LEAST_ALPHA = 1e-10


class _SmoothedNB(ExactNB):
    """Families with additive smoothing, under scikit-learn's names."""

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any

    def _prior(self) -> Any:
        if self.class_prior is not None:
            return self.class_prior
        return None if self.fit_prior else "uniform"

    def _smoothing(self, n_features: int) -> Any:
        """`alpha`, as a number or one a feature."""
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and alpha.shape != (n_features,):
            raise ValueError(
                "When alpha is an array, it should contains `n_features`. "
                f"Got {alpha.shape[0]} elements instead of {n_features}."
            )
        if (alpha < 0).any():
            raise ValueError("All values in alpha must be greater than 0.")
        if not self.force_alpha:
            alpha = np.maximum(alpha, _LEAST_ALPHA)
        return alpha.tolist()

    def _warn(self) -> None:
        if not self.force_alpha and (np.asarray(self.alpha, dtype=np.float64) < _LEAST_ALPHA).any():
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {_LEAST_ALPHA:.1e}. "
                "Use `force_alpha=True` to keep alpha unchanged.",
                stacklevel=3,
            )

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {"smoothing": self._smoothing(n_features), "missing_cells": self.missing}

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        alpha = settings["smoothing"]
        return cls(
            alpha=alpha if isinstance(alpha, float) else np.array(alpha),
            fit_prior=prior != "uniform" if isinstance(prior, str) else True,
            class_prior=None if isinstance(prior, str) else prior,
            missing=settings["missing_cells"],
            **cls._more(settings),
        )

    @classmethod
    def _more(cls, settings: dict[str, Any]) -> dict[str, Any]:
        return {}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on normally distributed rows
        return tags

    @property
    def class_log_prior_(self) -> Floats:
        """The log-probability of each class."""
        return self._log_prior()


class _TableNB(_SmoothedNB):
    """Families with one count and one probability a class and feature."""

    @property
    def feature_count_(self) -> Floats:
        """What was counted, by class and feature."""
        return self._part(0)

    @property
    def feature_log_prob_(self) -> Floats:
        """The log-probability of each feature, by class."""
        return self._parameter("feature_log_prob", np.nan)


class MultinomialNB(_TableNB):
    """Multinomial naive Bayes: the features of a row are counts of events, such as words.

    Takes the place of `sklearn.naive_bayes.MultinomialNB`. With `alpha=0` it is maximum likelihood: an event that a
    class has never had makes it impossible, and no answer is NaN.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    force_alpha : bool, default=True
        If false, an `alpha` below 1e-10 is raised to it, as in scikit-learn.
    fit_prior : bool, default=True
        Whether the prior is learnt; else it is uniform.
    class_prior : array-like of shape (n_classes,), default=None
        Probabilities of the classes.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    class_count_ : ndarray of shape (n_classes,)
        The weight of the rows of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        The log-probability of each class.
    feature_count_ : ndarray of shape (n_classes, n_features)
        The counts, exact and rounded once.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        `log (n_cj + alpha) / (n_c + alpha d)`.

    References
    ----------
    Manning, Raghavan and Schütze, *Introduction to Information Retrieval* (2008), 13.2.

    Examples
    --------
    >>> from nbayes import MultinomialNB
    >>> model = MultinomialNB().fit([[3, 0, 1], [2, 1, 0], [0, 4, 1]], ["spam", "spam", "ham"])
    >>> model.predict([[1, 0, 0]])
    array(['spam'], dtype='<U4')
    """

    _family = "multinomial"
    _requires_counts = True

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.missing = missing
        self.n_jobs = n_jobs


class ComplementNB(_TableNB):
    """Complement naive Bayes: each class is judged by the counts of all others, which evens out unequal classes.

    Takes the place of `sklearn.naive_bayes.ComplementNB`.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Additive smoothing.
    force_alpha : bool, default=True
        If false, an `alpha` below 1e-10 is raised to it, as in scikit-learn.
    fit_prior : bool, default=True
        Not used, but when there is one class.
    class_prior : array-like of shape (n_classes,), default=None
        Not used.
    norm : bool, default=False
        Whether the weights of each class are divided by the sum of their absolute values.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    feature_count_ : ndarray of shape (n_classes, n_features)
        The counts.
    feature_all_ : ndarray of shape (n_features,)
        The counts of all classes together.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        The weights: what an occurrence adds to the score of a class.

    References
    ----------
    Rennie, Shih, Teevan and Karger, *Tackling the poor assumptions of naive Bayes text classifiers* (2003).

    Examples
    --------
    >>> from nbayes import ComplementNB
    >>> model = ComplementNB().fit([[3, 0, 1], [2, 1, 0], [0, 4, 1]], ["spam", "spam", "ham"])
    >>> model.predict([[0, 2, 0]])
    array(['ham'], dtype='<U4')
    """

    _family = "complement"
    _requires_counts = True

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm
        self.missing = missing
        self.n_jobs = n_jobs

    def _settings(self, n_features: int) -> dict[str, Any]:
        return super()._settings(n_features) | {"normalize": bool(self.norm)}

    def _prior(self) -> Any:
        return "uniform"

    def _given_prior(self) -> Any:
        if self.class_prior is not None:
            self._checked(self.class_prior)
        return "uniform"

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        if not isinstance(prior, str):
            raise ValueError(
                "the model has a prior other than the uniform one, which ComplementNB cannot have; load it with NaiveBayes"
            )
        return super()._from_settings(settings, None)

    @classmethod
    def _more(cls, settings: dict[str, Any]) -> dict[str, Any]:
        return {"norm": settings["normalize"]}

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """The score of each class for each row: no probability, and without a prior.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        J : ndarray of shape (n_samples, n_classes)
            Columns have the order of `classes_`.
        """
        joint = super().predict_joint_log_proba(X)
        return joint - self._of_all_classes(self._classifier().log_prior[np.newaxis], 0.0)

    @property
    def class_log_prior_(self) -> Floats:
        """The log-shares of the classes, which the scores do not use."""
        if self.class_prior is not None:
            return np.log(np.asarray(self.class_prior, dtype=np.float64))
        count = self.class_count_
        if not self.fit_prior:
            return np.full(len(count), -np.log(len(count)))
        with np.errstate(divide="ignore"):
            shares: Floats = np.log(count) - np.log(count.sum())
        return shares

    @property
    def feature_all_(self) -> Floats:
        """The counts of all classes together."""
        self._check_fitted()
        counts: Floats = self._sums.pooled().part(0)[0]
        return counts


class BernoulliNB(_TableNB):
    """Bernoulli naive Bayes: each feature is yes or no, and a no counts as well.

    Takes the place of `sklearn.naive_bayes.BernoulliNB`.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    force_alpha : bool, default=True
        If false, an `alpha` below 1e-10 is raised to it, as in scikit-learn.
    binarize : float or None, default=0.0
        A cell above it is a yes. `None` is for cells that are 0 or 1.
    fit_prior : bool, default=True
        Whether the prior is learnt; else it is uniform.
    class_prior : array-like of shape (n_classes,), default=None
        Probabilities of the classes.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    feature_count_ : ndarray of shape (n_classes, n_features)
        How many rows have a yes.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        `log (n_cj + alpha) / (n_c + 2 alpha)`.

    References
    ----------
    Manning, Raghavan and Schütze, *Introduction to Information Retrieval* (2008), 13.3.

    Examples
    --------
    >>> from nbayes import BernoulliNB
    >>> model = BernoulliNB().fit([[1, 0], [1, 1], [0, 1], [0, 0]], [True, True, False, False])
    >>> model.predict([[1, 1]])
    array([ True])
    """

    _family = "bernoulli"

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.missing = missing
        self.n_jobs = n_jobs

    def _settings(self, n_features: int) -> dict[str, Any]:
        threshold = 0.0 if self.binarize is None else float(self.binarize)
        return super()._settings(n_features) | {"threshold": threshold}

    @classmethod
    def _more(cls, settings: dict[str, Any]) -> dict[str, Any]:
        return {"binarize": settings["threshold"]}


class _RateNB(_SmoothedNB):
    """Families of counts that have a rate each."""

    _requires_counts = True

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        rate_prior: str = "column",
        fit_prior: bool = True,
        class_prior: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.rate_prior = rate_prior
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.missing = missing
        self.n_jobs = n_jobs

    def _settings(self, n_features: int) -> dict[str, Any]:
        return super()._settings(n_features) | {"rate_prior": self.rate_prior}

    @classmethod
    def _more(cls, settings: dict[str, Any]) -> dict[str, Any]:
        return {"rate_prior": settings["rate_prior"]}


class PoissonNB(_RateNB):
    """Poisson naive Bayes: each feature is its own count.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Additive smoothing: events added to each class, as many as `rate_prior` says.
    force_alpha : bool, default=True
        If false, an `alpha` below 1e-10 is raised to it.
    rate_prior : {"column", "unit"}, default="column"
        What smoothing shrinks rates towards: the rate of the feature over all classes, or one event a row.
    fit_prior : bool, default=True
        Whether the prior is learnt; else it is uniform.
    class_prior : array-like of shape (n_classes,), default=None
        Probabilities of the classes.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    rate_ : ndarray of shape (n_classes, n_features)
        The rates.

    Examples
    --------
    >>> from nbayes import PoissonNB
    >>> model = PoissonNB().fit([[0, 5], [1, 6], [9, 1], [8, 0]], ["night", "night", "day", "day"])
    >>> model.predict([[7, 1]])
    array(['day'], dtype='<U5')
    """

    _family = "poisson"

    @property
    def rate_(self) -> Floats:
        """The rates."""
        return self._parameter("rate", np.nan)


class NegativeBinomialNB(_RateNB):
    """Negative binomial naive Bayes: counts that vary more than those of a Poisson distribution.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Additive smoothing, as in :class:`PoissonNB`.
    force_alpha : bool, default=True
        If false, an `alpha` below 1e-10 is raised to it.
    rate_prior : {"column", "unit"}, default="column"
        What smoothing shrinks means towards.
    fit_prior : bool, default=True
        Whether the prior is learnt; else it is uniform.
    class_prior : array-like of shape (n_classes,), default=None
        Probabilities of the classes.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    mean_ : ndarray of shape (n_classes, n_features)
        The means.
    dispersion_ : ndarray of shape (n_classes, n_features)
        How much more than a Poisson distribution the counts vary.

    Examples
    --------
    >>> from nbayes import NegativeBinomialNB
    >>> model = NegativeBinomialNB().fit([[0, 5], [1, 60], [9, 1], [80, 0]], ["night", "night", "day", "day"])
    >>> model.predict([[70, 1]])
    array(['day'], dtype='<U5')
    """

    _family = "negative_binomial"

    @property
    def mean_(self) -> Floats:
        """The means."""
        return self._parameter("mean", np.nan)

    @property
    def dispersion_(self) -> Floats:
        """How much more than a Poisson distribution the counts vary."""
        return self._parameter("dispersion", np.nan)
