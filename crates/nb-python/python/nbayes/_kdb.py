"""k-dependence Bayes, alone and in ensembles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from nbayes._dependent import _PairsNB

if TYPE_CHECKING:
    from typing_extensions import Self


class KDB(_PairsNB):
    """k-dependence Bayes: each feature has up to k others as its parents.

    Parameters
    ----------
    bins : str, default="mdl"
        How features are cut into bins, as in `BinnedNB`: "mdl", "modl", "width:K" or "frequency:K".
    parents : int or str, default=2
        On how many others a feature depends at most; "tree" has the parents of `TAN`; with "selective:K" (or "selective", for 5) their
        number up to K, and which features are used, are chosen by leave-one-out cross-validation.
    sweeps : int, default=0
        With a number such as 5000, probabilities are smoothed by a hierarchy of Dirichlet distributions in place of `alpha`, by this
        many sweeps of a sampler.
    ridge : float, default=0.0
        With a penalty such as 1, probabilities are smoothed by regressions on the parents in place of `alpha`.
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
    parents_ : list of ndarray
        The parents of each feature. One that is left out is its own parent.

    References
    ----------
    Sahami, *Learning limited dependence Bayesian classifiers* (1996).
    Martínez, Webb, Chen and Zaidi, *Scalable learning of Bayesian network classifiers* (2016).
    Petitjean, Buntine, Webb and Zaidi, *Accurate parameter estimation for Bayesian network classifiers using hierarchical Dirichlet
    processes* (2018).
    Cooper, Webb and Schmidt (2025), for `ridge`.

    Examples
    --------
    >>> from nbayes import KDB
    >>> X = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 10
    >>> y = ["odd" if sum(row) % 2 else "even" for row in X]
    >>> model = KDB(bins="width:2").fit(X, y)
    >>> model.predict([[1, 1, 1], [1, 1, 0]])
    array(['odd', 'even'], dtype='<U4')
    >>> [list(map(int, parents)) for parents in model.parents_]
    [[], [0], [0, 1]]
    """

    _family = "kdb"

    def __init__(
        self,
        *,
        bins: str = "mdl",
        parents: int | str = 2,
        sweeps: int = 0,
        ridge: float = 0.0,
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
        self.parents = parents
        self.sweeps = sweeps
        self.ridge = ridge

    def _parents(self) -> str | None:
        return str(self.parents)

    def _settings(self, n_features: int) -> dict[str, Any]:
        return {**super()._settings(n_features), "sweeps": float(self.sweeps), "ridge": float(self.ridge)}

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        sweeps = settings["sweeps"]
        if not isinstance(sweeps, float):
            raise ValueError("the model has a burn-in or a seed of its own, which KDB cannot have; load it with NaiveBayes")
        return cls(sweeps=int(sweeps), ridge=settings["ridge"], **cls._arguments(settings, prior))

    @property
    def parents_(self) -> list[NDArray[Any]]:
        """The parents of each feature."""
        parents: list[NDArray[Any]] = self._classifier().parameters["parents"]
        return parents


class KDBEnsemble(_PairsNB):
    """Ensembles of k-dependence Bayes: `KDB` with several orders of the features, whose answers are averaged.

    Parameters
    ----------
    bins : str, default="mdl"
        How features are cut into bins, as in `BinnedNB`: "mdl", "modl", "width:K" or "frequency:K".
    parents : int, default=2
        On how many others a feature depends at most.
    members : int, default=10
        How many orders there are: the first is that of `KDB`, the others are random.
    order_seed : int, default=0
        The seed of the random orders.
    ridge : float, default=0.0
        With a penalty such as 1, probabilities are smoothed by regressions on the parents in place of `alpha`.
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
    Zhang, Petitjean and Buntine, *Bayesian network classifiers using ensembles and smoothing* (2020).

    Examples
    --------
    >>> from nbayes import KDBEnsemble
    >>> X = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 10
    >>> y = ["odd" if sum(row) % 2 else "even" for row in X]
    >>> KDBEnsemble(bins="width:2", members=4).fit(X, y).predict([[1, 1, 1], [1, 1, 0]])
    array(['odd', 'even'], dtype='<U4')
    """

    _family = "ekdb"

    def __init__(
        self,
        *,
        bins: str = "mdl",
        parents: int = 2,
        members: int = 10,
        order_seed: int = 0,
        ridge: float = 0.0,
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
        self.parents = parents
        self.members = members
        self.order_seed = order_seed
        self.ridge = ridge

    def _parents(self) -> str | None:
        return str(self.parents)

    def _settings(self, n_features: int) -> dict[str, Any]:
        own = {"members": float(self.members), "order_seed": float(self.order_seed), "ridge": float(self.ridge)}
        return {**super()._settings(n_features), **own}

    @classmethod
    def _from_settings(cls, settings: dict[str, Any], prior: Any) -> Self:
        members, order_seed = int(settings["members"]), int(settings["order_seed"])
        return cls(members=members, order_seed=order_seed, ridge=settings["ridge"], **cls._arguments(settings, prior))
