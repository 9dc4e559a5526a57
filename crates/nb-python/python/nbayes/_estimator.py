"""What the estimators of families and that of tables have in common."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from nbayes._threads import n_threads
from nbayes._types import Labels

if TYPE_CHECKING:
    from typing_extensions import Self


class Estimator(ClassifierMixin, BaseEstimator):
    """A classifier of scikit-learn that can be merged, saved and loaded."""

    n_jobs: int | None
    classes_: Labels
    n_features_in_: int
    feature_names_in_: Labels

    def merge(self, other: Any) -> Self:
        """Add all rows that another estimator was fitted to."""
        raise NotImplementedError

    def to_bytes(self) -> bytes:
        """The bytes of a model file."""
        raise NotImplementedError

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """An estimator from the bytes of a model file; see :meth:`load`."""
        raise NotImplementedError

    def __sklearn_is_fitted__(self) -> bool:
        raise NotImplementedError

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """An estimator from a model file, whoever wrote it.

        Parameters
        ----------
        path : str or path
            The file. An estimator of one family reads files of this family.

        Returns
        -------
        estimator : object
            Fitted; it can be updated, merged and used like the one that was saved.
        """
        return cls.from_bytes(Path(path).read_bytes())

    def __add__(self, other: Any) -> Self:
        if not isinstance(other, type(self)):
            return NotImplemented
        return copy.deepcopy(self).merge(other)

    def _n_threads(self) -> int:
        return n_threads(self.n_jobs)

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments "
                "before using this estimator."
            )


@contextmanager
def unchanged_by_errors(estimator: Estimator) -> Iterator[None]:
    """Gives the estimator back what it had if something is wrong."""
    before = dict(estimator.__dict__)
    try:
        yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise


def numbered(n_features: int) -> list[str]:
    """The names of features that have none: x0, x1, and so on."""
    return [f"x{place}" for place in range(n_features)]
