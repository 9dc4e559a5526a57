"""Families of features that depend on each other: AODE, tree-augmented naive Bayes and their relatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from nbayes._prepared import _BinsNB

if TYPE_CHECKING:
    from typing_extensions import Self


class _PairsNB(_BinsNB):
    """Numbers in bins, and exact counts of all pairs of bins of two features.

    `explain` is refused: the score is no sum over features.
    """

    def __init__(
        self,
        *,
        bins: str = "mdl",
        alpha: float = 1.0,
        pseudo_counts: str = "each",
        priors: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.bins = bins
        self.alpha = alpha
        self.pseudo_counts = pseudo_counts
        self.priors = priors
        self.missing = missing
        self.n_jobs = n_jobs

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {**super()._settings(n_features), "pseudo_counts": self.pseudo_counts}

    @classmethod
    def _arguments(cls, settings: dict[str, Any], prior: Any) -> dict[str, Any]:
        alpha = settings["smoothing"]
        if not isinstance(alpha, float) or any(settings["categories"]) or isinstance(prior, str):
            raise ValueError(
                f"the model has columns of categories, a smoothing for each feature or a uniform prior, which {cls.__name__} cannot "
                "have; load it with NaiveBayes"
            )
        return {
            "alpha": alpha,
            "pseudo_counts": settings["pseudo_counts"],
            "priors": prior,
            "missing": settings["missing_cells"],
        }

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        return cls(**cls._arguments(settings, prior))


class AODE(_PairsNB):
    """Averaged one-dependence estimators: each feature in turn is the parent of all others, and the answers are averaged.

    Parameters
    ----------
    bins : str, default="mdl"
        How features are cut into bins, as in `BinnedNB`: "mdl", "modl", "width:K" or "frequency:K".
    minimum_count : float, default=30.0
        How many training rows must have a value, so that others depend on it.
    alpha : float, default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    pseudo_counts : {"each", "divided"}, default="each"
        Whether `alpha` is added to the count of every value, or divided among the values of a feature (m-estimate).
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

    References
    ----------
    Webb, Boughton and Wang, *Not so naive Bayes: aggregating one-dependence estimators* (2005).

    Examples
    --------
    >>> from nbayes import AODE
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]] * 10, ["same", "same", "other", "other"] * 10
    >>> AODE(bins="width:2", minimum_count=1).fit(X, y).predict([[1, 1], [1, 0]])
    array(['same', 'other'], dtype='<U5')
    """

    _family = "aode"

    def __init__(
        self,
        *,
        bins: str = "mdl",
        minimum_count: float = 30.0,
        alpha: float = 1.0,
        pseudo_counts: str = "each",
        priors: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            bins=bins,
            alpha=alpha,
            pseudo_counts=pseudo_counts,
            priors=priors,
            missing=missing,
            n_jobs=n_jobs,
        )
        self.minimum_count = minimum_count

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {**super()._settings(n_features), "minimum_count": float(self.minimum_count)}

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        return cls(minimum_count=settings["minimum_count"], **cls._arguments(settings, prior))


class ASAODE(AODE):
    """AODE with selected features: which of them are parents and which are children is chosen by leave-one-out cross-validation.

    Parameters
    ----------
    bins : str, default="mdl"
        How features are cut into bins, as in `BinnedNB`: "mdl", "modl", "width:K" or "frequency:K".
    minimum_count : float, default=30.0
        How many training rows must have a value, so that others depend on it.
    alpha : float, default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    pseudo_counts : {"each", "divided"}, default="each"
        Whether `alpha` is added to the count of every value, or divided among the values of a feature (m-estimate).
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
    weights_ : ndarray of shape (n_features,)
        The weight of each feature as a parent: the same for all that are one, and 0 for the others.

    References
    ----------
    Chen, Martínez and Webb, *Highly scalable attribute selection for averaged one-dependence estimators* (2014).

    Examples
    --------
    >>> from nbayes import ASAODE
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]] * 10, ["same", "same", "other", "other"] * 10
    >>> ASAODE(bins="width:2", minimum_count=1).fit(X, y).predict([[1, 1], [1, 0]])
    array(['same', 'other'], dtype='<U5')
    """

    _family = "asaode"

    @property
    def weights_(self) -> NDArray[Any]:
        """The weight of each feature as a parent."""
        weights: NDArray[Any] = self._classifier().parameters["weights"]
        return weights


class TAN(_PairsNB):
    """Tree-augmented naive Bayes: each feature but a root has one other as its parent.

    Parameters
    ----------
    bins : str, default="mdl"
        How features are cut into bins, as in `BinnedNB`: "mdl", "modl", "width:K" or "frequency:K".
    edge_score : {"mutual_information", "bayes", "aic", "bic"}, default="mutual_information"
        By which score the edges of the tree are chosen: the mutual information within the classes, the Bayes factor of the edge, or
        one of two criteria that use only the edges that improve them, so that there may be several trees.
    alpha : float, default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    pseudo_counts : {"each", "divided"}, default="each"
        Whether `alpha` is added to the count of every value, or divided among the values of a feature (m-estimate).
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
    parents_ : ndarray of shape (n_features,)
        The parent of each feature in the tree with the largest sum of edge scores; -1 for a root.

    References
    ----------
    Friedman, Geiger and Goldszmidt, *Bayesian network classifiers* (1997).

    Examples
    --------
    >>> from nbayes import TAN
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]] * 10, ["same", "same", "other", "other"] * 10
    >>> model = TAN(bins="width:2").fit(X, y)
    >>> model.predict([[1, 1], [1, 0]])
    array(['same', 'other'], dtype='<U5')
    >>> model.parents_
    array([-1,  0])
    """

    _family = "tan"

    def __init__(
        self,
        *,
        bins: str = "mdl",
        edge_score: str = "mutual_information",
        alpha: float = 1.0,
        pseudo_counts: str = "each",
        priors: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            bins=bins,
            alpha=alpha,
            pseudo_counts=pseudo_counts,
            priors=priors,
            missing=missing,
            n_jobs=n_jobs,
        )
        self.edge_score = edge_score

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {**super()._settings(n_features), "edge_score": self.edge_score}

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        return cls(edge_score=settings["edge_score"], **cls._arguments(settings, prior))

    @property
    def parents_(self) -> NDArray[Any]:
        """The parent of each feature; -1 for a root."""
        parents: NDArray[Any] = self._classifier().parameters["parents"]
        return parents


class HNB(_PairsNB):
    """Hidden naive Bayes: each feature has a hidden parent, in which all others are mixed.

    Parameters
    ----------
    bins : str, default="mdl"
        How features are cut into bins, as in `BinnedNB`: "mdl", "modl", "width:K" or "frequency:K".
    alpha : float, default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    pseudo_counts : {"each", "divided"}, default="each"
        Whether `alpha` is added to the count of every value, or divided among the values of a feature (m-estimate).
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
    weights_ : ndarray of shape (n_features, n_features)
        In each row the weights of all features in the hidden parent of one: their sum is one, or all are zero if it does
        not depend on others.

    References
    ----------
    Zhang, Jiang and Su, *Hidden naive Bayes* (2005).

    Examples
    --------
    >>> from nbayes import HNB
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]] * 10, ["same", "same", "other", "other"] * 10
    >>> model = HNB(bins="width:2").fit(X, y)
    >>> model.predict([[1, 1], [1, 0]])
    array(['same', 'other'], dtype='<U5')
    >>> model.weights_
    array([[0., 1.],
           [1., 0.]])
    """

    _family = "hnb"

    @property
    def weights_(self) -> NDArray[Any]:
        """The weights of all features in the hidden parent of each."""
        weights: NDArray[Any] = self._classifier().parameters["weights"]
        return weights


class WAODE(_PairsNB):
    """Weightily averaged one-dependence estimators: AODE whose parents weigh by their mutual information with the class.

    Parameters
    ----------
    bins : str, default="mdl"
        How features are cut into bins, as in `BinnedNB`: "mdl", "modl", "width:K" or "frequency:K".
    alpha : float, default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    pseudo_counts : {"each", "divided"}, default="each"
        Whether `alpha` is added to the count of every value, or divided among the values of a feature (m-estimate).
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
    weights_ : ndarray of shape (n_features,)
        The weight of each feature as a parent; their sum is one.

    References
    ----------
    Jiang and Zhang, *Weightily averaged one-dependence estimators* (2006).

    Examples
    --------
    >>> from nbayes import WAODE
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]] * 10, ["same", "same", "other", "other"] * 10
    >>> model = WAODE(bins="width:2").fit(X, y)
    >>> model.predict([[1, 1], [1, 0]])
    array(['same', 'other'], dtype='<U5')
    >>> model.weights_
    array([0.5, 0.5])
    """

    _family = "waode"

    @property
    def weights_(self) -> NDArray[Any]:
        """The weight of each feature as a parent."""
        weights: NDArray[Any] = self._classifier().parameters["weights"]
        return weights


class AODEsr(_PairsNB):
    """AODE with subsumption resolution: a value that another value of the row implies is left out.

    Parameters
    ----------
    bins : str, default="mdl"
        How features are cut into bins, as in `BinnedNB`: "mdl", "modl", "width:K" or "frequency:K".
    minimum_count : float, default=30.0
        How many training rows must have a value, so that others depend on it.
    critical_count : float, default=100.0
        How many training rows must have a value, all of them with another one, so that the other is left out of rows with both.
    alpha : float, default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    pseudo_counts : {"each", "divided"}, default="each"
        Whether `alpha` is added to the count of every value, or divided among the values of a feature (m-estimate).
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

    References
    ----------
    Zheng and Webb, *Efficient lazy elimination for averaged one-dependence estimators* (2006).

    Examples
    --------
    >>> from nbayes import AODEsr
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]] * 10, ["same", "same", "other", "other"] * 10
    >>> model = AODEsr(bins="width:2", minimum_count=1).fit(X, y)
    >>> model.predict([[1, 1], [1, 0]])
    array(['same', 'other'], dtype='<U5')
    """

    _family = "aodesr"

    def __init__(
        self,
        *,
        bins: str = "mdl",
        minimum_count: float = 30.0,
        critical_count: float = 100.0,
        alpha: float = 1.0,
        pseudo_counts: str = "each",
        priors: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            bins=bins,
            alpha=alpha,
            pseudo_counts=pseudo_counts,
            priors=priors,
            missing=missing,
            n_jobs=n_jobs,
        )
        self.minimum_count = minimum_count
        self.critical_count = critical_count

    def _settings(self, n_features: int) -> dict[str, Any]:
        own = {"minimum_count": float(self.minimum_count), "critical_count": float(self.critical_count)}
        return {**super()._settings(n_features), **own}

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        own = {name: settings[name] for name in ("minimum_count", "critical_count")}
        return cls(**own, **cls._arguments(settings, prior))


class A2DE(_PairsNB):
    """Averaged two-dependence estimators: every two features in turn are the parents of all others.

    Parameters
    ----------
    bins : str, default="mdl"
        How features are cut into bins, as in `BinnedNB`: "mdl", "modl", "width:K" or "frequency:K".
    minimum_pair_count : float, default=1.0
        How many training rows must have two values together, so that others depend on them.
    alpha : float, default=1.0
        Additive smoothing: 1 is Laplace's, 0 maximum likelihood.
    pseudo_counts : {"each", "divided"}, default="each"
        Whether `alpha` is added to the count of every value, or divided among the values of a feature (m-estimate).
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

    References
    ----------
    Webb, Boughton, Zheng, Ting and Salem, *Learning by extrapolation from marginal to full-multivariate probability
    distributions: decreasingly naive Bayesian classification* (2012).

    Examples
    --------
    >>> from nbayes import A2DE
    >>> X = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 10
    >>> y = ["odd" if sum(row) % 2 else "even" for row in X]
    >>> A2DE(bins="width:2").fit(X, y).predict([[1, 1, 1], [1, 1, 0]])
    array(['odd', 'even'], dtype='<U4')
    """

    _family = "a2de"

    def __init__(
        self,
        *,
        bins: str = "mdl",
        minimum_pair_count: float = 1.0,
        alpha: float = 1.0,
        pseudo_counts: str = "each",
        priors: Any = None,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            bins=bins,
            alpha=alpha,
            pseudo_counts=pseudo_counts,
            priors=priors,
            missing=missing,
            n_jobs=n_jobs,
        )
        self.minimum_pair_count = minimum_pair_count

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {**super()._settings(n_features), "minimum_pair_count": float(self.minimum_pair_count)}

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        return cls(minimum_pair_count=settings["minimum_pair_count"], **cls._arguments(settings, prior))
