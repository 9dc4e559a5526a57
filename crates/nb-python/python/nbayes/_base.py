"""The estimators of one family on all columns: model files, pickle, and what scikit-learn wants to know of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nbayes import _core, _labels
from nbayes._estimator import numbered
from nbayes._held_out import HeldOut
from nbayes._types import Floats

if TYPE_CHECKING:
    from typing_extensions import Self


class ExactNB(HeldOut):
    """Estimators that keep exact sums of their rows."""

    def save(self, path: str | os.PathLike[str], *, label: str | None = None) -> None:
        """Write a model file, which the program `nbayes` and the Rust library read as well.

        Parameters
        ----------
        path : str or path
            The file; it appears whole or not at all.
        label : str, default=None
            What the column of labels is called; if not given, as in the file that the estimator was loaded from, else
            "class".
        """
        from nbayes._files import write

        write(Path(path), self.to_bytes(label=label))

    def to_bytes(self, *, label: str | None = None) -> bytes:
        """The bytes of a model file; see :meth:`save`."""
        self._check_fitted()
        prior = self._given_prior()
        given = None if prior is None else [] if isinstance(prior, str) else prior
        labels = [_labels.text(value) for value in self.classes_.tolist()]
        known_label, kinds = getattr(self, "_of_file", ("class", []))
        settings, names = self._settings(self.n_features_in_), [str(name) for name in self._feature_names()]
        return self._sums.to_bytes(settings, labels, names, known_label if label is None else label, given, kinds)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """An estimator from the bytes of a model file; see :meth:`load`."""
        sums, family, settings, texts, names, label, prior, kinds = _core.Sums.from_bytes(data)
        if family != cls._family:
            raise ValueError(f"the model is of the family {family}; {cls.__name__} is for {cls._family}")
        labels = _labels.from_texts(texts)
        order = np.argsort(labels, kind="stable")
        numbers = np.empty(len(order), dtype=np.int64)
        numbers[order] = np.arange(len(order))
        given = prior if prior is None or isinstance(prior, str) else np.asarray(prior)[order]
        estimator = cls._from_settings(settings, given)
        estimator.classes_ = labels[order]
        estimator.n_features_in_ = len(names)
        if names != numbered(len(names)):
            estimator.feature_names_in_ = np.array(names, dtype=object)
        estimator._of_file = label, kinds
        estimator._keep(sums.renumbered(numbers.tolist()))
        return estimator

    @property
    def class_count_(self) -> Floats:
        """The weight of the rows of each class."""
        self._check_fitted()
        count = np.zeros(len(self.classes_))
        count[self._sums.classes] = self._sums.class_weights
        return count

    def _log_prior(self) -> Floats:
        log_prior: Floats = self._of_all_classes(self._classifier().log_prior[np.newaxis], -np.inf)[0]
        return log_prior

    def _part(self, part: int) -> Floats:
        self._check_fitted()
        return self._of_all_classes(self._sums.part(part).T, 0.0).T

    def _parameter(self, name: str, unknown: float) -> Floats:
        table = self._classifier().parameters[name]
        return self._of_all_classes(table.T, unknown).T

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._requires_counts
        tags.input_tags.allow_nan = getattr(self, "missing", "error") == "skip"
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_fitted", None)
        sums = state.pop("_sums", None)
        if sums is not None:
            n_features = self.n_features_in_
            numbers = [str(place) for place in range(len(self.classes_))]
            state["_sums_bytes"] = sums.to_bytes(self._settings(n_features), numbers, numbered(n_features), "class", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        data = state.pop("_sums_bytes", None)
        super().__setstate__(state)
        if data is not None:
            sums, _family, _settings, texts, *_ = _core.Sums.from_bytes(data)
            self._keep(sums.renumbered([int(text) for text in texts]))
