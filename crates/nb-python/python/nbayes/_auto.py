"""The estimator that decides for its user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbayes import _core, _labels
from nbayes._tables import TableNB
from nbayes._types import Labels

if TYPE_CHECKING:
    from typing_extensions import Self


class NaiveBayes(TableNB):
    """The best naive Bayes model of a table, with an honest report.

    It takes a data frame (pandas, polars, pyarrow, anything with an Arrow stream), a dictionary of columns or an array,
    and decides as `nbayes train` does: which columns are used and as what, which bins, weights and corrections naive Bayes
    gets, and how much of them, by rows that were held out. `held_out_` says how well such rows were classified.

    Parameters
    ----------
    effort : {"usual", "plain", "fast", "best", "sums_only"}, default="usual"
        How much is done: weights and corrections; neither; weights alone; more bins, penalties and folds. "sums_only" is "plain"
        without measures of held-out rows and without a fingerprint of the rows, so that models of parts add up to the bytes of
        one fit. A loaded estimator has what its model shows, which is never "best": a file does not say how much was tried.
    columns : dict, default=None
        What columns hold, by name, where it is known better than by their cells: "numbers", "counts", "categories",
        "text", "dates" or "ignore".
    prior : {"uniform"} or dict, default=None
        The prior probabilities of the classes: the same of all, or by label; if not given, their shares of the rows. A loaded
        estimator answers with the prior of its file, and has none here.
    monotonic_cst : dict or array-like of shape (n_features,), default=None
        Columns of numbers whose effect is monotone, in problems of two classes: 1 where the probability of the second class never
        falls as the number grows and all other cells stay, -1 where it never rises, 0 for neither.
    n_jobs : int, default=None
        The number of threads; 1 if not given, all cores if -1. The bits are the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    held_out_ : dict or None
        `accuracy` and `majority` (the accuracy of always saying the most frequent class), `log_loss` and
        `log_loss_of_prior`, `auc` and `calibration_error`, of rows from which nothing was learnt; `None` if there are too few
        rows, and for "sums_only".
    weights_ : dict or None
        The weight of each feature, by name; `None` of a plain model.
    columns_ : list of tuple
        Name, kind and reason of the columns that are used.
    left_out_ : list of tuple
        The same of columns that are not, such as identifiers and copies of the label.
    warnings_ : list of str
        What may make `held_out_` better than it will be for new rows: columns that determine the label or look like groups.
    plain_ : str or None
        Why nothing was weighted or corrected, if that was decided here.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nbayes import NaiveBayes
    >>> iris = load_iris()
    >>> model = NaiveBayes().fit(iris.data, iris.target_names[iris.target])
    >>> model.predict(iris.data[:1])
    array(['setosa'], dtype='<U10')
    >>> model.held_out_["accuracy"] > 0.9 > model.held_out_["majority"]
    True
    """

    def __init__(
        self,
        *,
        effort: str = "usual",
        columns: dict[str, str] | None = None,
        prior: str | dict[Any, float] | None = None,
        monotonic_cst: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.effort = effort
        self.columns = columns
        self.prior = prior
        self.monotonic_cst = monotonic_cst
        self.n_jobs = n_jobs

    def _effort(self) -> str:
        if not isinstance(self.effort, str):
            raise TypeError(f"effort is {self.effort!r}; it must be plain, fast, usual, best or sums_only")
        return self.effort

    def _prior(self, classes: Labels) -> list[tuple[str, float]] | None:
        if self.prior is None or self.prior == "uniform":
            return None if self.prior is None else []
        if not isinstance(self.prior, dict) or not self.prior:
            raise TypeError(f"prior is {self.prior!r}; it must be 'uniform', or a dictionary from labels to probabilities")
        return [(_labels.text(label), float(share)) for label, share in self.prior.items()]

    @classmethod
    def _of_model(cls, model: _core.Model) -> Self:
        if model.weights is None:
            return cls(effort="sums_only" if model.has_sums_only else "plain")
        return cls(effort="usual" if model.has_corrections else "fast")
