"""Categories."""

from __future__ import annotations

from typing import Any

import numpy as np

from nbayes import _core
from nbayes._counts import _SmoothedNB
from nbayes._types import Floats, Places


class CategoricalNB(_SmoothedNB):
    """Categorical naive Bayes: each feature is one of some categories, as codes 0, 1, 2, ...

    Takes the place of `sklearn.naive_bayes.CategoricalNB`.

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
    min_categories : int or array-like of shape (n_features,), default=None
        The least number of categories of a feature; as many as its largest code says if not given.
    unseen : {"error", "ignore", "other"}, default="error"
        What happens to a category in prediction that training did not have: it is refused, is left out, or has the
        probability of one further category.
    missing : {"error", "skip"}, default="error"
        Whether missing cells (NaN) are refused or left out.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    category_count_ : list of ndarray of shape (n_classes, n_categories)
        The counts, one table a feature.
    feature_log_prob_ : list of ndarray of shape (n_classes, n_categories)
        `log (n_cjk + alpha) / (n_cj + alpha K_j)`, one table a feature.
    n_categories_ : ndarray of shape (n_features,)
        The number of categories of each feature.

    References
    ----------
    Murphy, *Machine Learning: A Probabilistic Perspective* (2012), 3.5.

    Examples
    --------
    >>> from nbayes import CategoricalNB
    >>> model = CategoricalNB().fit([[0, 2], [0, 1], [1, 0], [1, 0]], ["a", "a", "b", "b"])
    >>> model.predict([[0, 1]])
    array(['a'], dtype='<U1')
    """

    _family = "categorical"
    _requires_counts = True

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
        unseen: str = "error",
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories
        self.unseen = unseen
        self.missing = missing
        self.n_jobs = n_jobs

    def _settings(self, n_features: int) -> dict[str, Any]:
        return self._of_any_number(n_features) | {"categories": self.n_categories_.astype(float).tolist()}

    def _of_any_number(self, n_features: int) -> dict[str, Any]:
        """The settings while rows are added, which may have further categories."""
        return super()._settings(n_features) | {"unseen": self.unseen}

    def _empty(self, n_features: int) -> Any:
        return _core.Sums(self._family, self._of_any_number(n_features), n_features)

    @classmethod
    def _more(cls, settings: dict[str, Any]) -> dict[str, Any]:
        declared = settings["categories"]
        return {"unseen": settings["unseen"], "min_categories": np.array(declared, dtype=np.int64) if declared else None}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags

    @property
    def n_categories_(self) -> Places:
        """The number of categories of each feature."""
        self._check_fitted()
        observed = np.array([self._sums.part(part).shape[1] for part in range(self.n_features_in_)], dtype=np.int64)
        if self.min_categories is None:
            return observed
        least = np.asarray(self.min_categories)
        if not np.issubdtype(least.dtype, np.signedinteger):
            raise ValueError(
                f"'min_categories' should have integral type. Got {least.dtype} instead."
            )
        if least.ndim and least.shape != (self.n_features_in_,):
            raise ValueError(
                f"'min_categories' should have shape ({self.n_features_in_},) when an array-like is provided. "
                f"Got {least.shape} instead."
            )
        counts: Places = np.maximum(observed, least)
        return counts

    @property
    def category_count_(self) -> list[Floats]:
        """The counts, one table a feature."""
        self._check_fitted()
        tables = []
        for column, n_categories in enumerate(self.n_categories_):
            table = self._part(column)
            tables.append(np.pad(table, ((0, 0), (0, n_categories - table.shape[1]))))
        return tables

    @property
    def feature_count_(self) -> list[Floats]:
        """The counts, one table a feature."""
        return self.category_count_

    @property
    def feature_log_prob_(self) -> list[Floats]:
        """The log-probabilities, one table a feature."""
        tables = self._classifier().parameters["feature_log_prob"]
        return [self._of_all_classes(table.T, np.nan).T for table in tables]
