"""Errors of the compiled part in the words of the estimator."""

from __future__ import annotations

import re
from typing import Any

_COLUMN = re.compile(r"\bcolumn (\d+)\b")
_CLASS = re.compile(r"\bclass (\d+) \(in label order\)")
_WORDS = {
    "choose `Missing::Skip` for the family": "pass missing='skip'",
    "`Unseen` has other policies than this error": "pass unseen='ignore' or unseen='other' to accept it",
    "choose a larger variance smoothing": "choose a larger var_smoothing",
    "fit with a smoothing above 0, or use `try_predict_each`": "fit with more smoothing, or use "
    "predict_proba, which has only zeros for such a row",
    "use a smoothing above 0": "use an alpha above 0",
}


def named(error: ValueError, estimator: Any) -> ValueError:
    """The error with the names of features and labels, and what to do in the terms of the estimator."""
    text = str(error)
    for ours, theirs in _WORDS.items():
        text = text.replace(ours, theirs)
    names = getattr(estimator, "feature_names_in_", None)
    if names is not None:
        text = _COLUMN.sub(lambda found: _with(found, names), text)
    classes = getattr(estimator, "classes_", None)
    sums = getattr(estimator, "_sums", None)
    if classes is not None and sums is not None and len(sums.classes) == len(classes):
        text = _CLASS.sub(lambda found: f"class {classes.tolist()[int(found[1])]!r}", text)
    if "is negative; counts start at 0" in text:
        text = f"Negative values in data passed to {type(estimator).__name__} (input X): {text}"
    return ValueError(text)


def _with(found: re.Match[str], names: Any) -> str:
    place = int(found[1])
    return f"column {place} ({names[place]!r})" if place < len(names) else found[0]
