"""The data sets that the repository carries, as arrays."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import scipy.sparse

DATA = Path(__file__).parents[2] / "nb-datasets" / "data"

# A row of weight 2 is in the sums as two rows are, but not among the rows that are held out: two of the same may be in different folds.
HELD_OUT = {
    f"check_sample_weight_equivalence_on_{kind}_data": "which rows are held out depends on their number" for kind in ("dense", "sparse")
}


@cache
def catalogue() -> dict[str, dict[str, Any]]:
    """What is known of each data set, by name."""
    return {entry["name"]: entry for entry in json.loads((DATA / "catalogue.json").read_text())}


@cache
def frame(name: str) -> pandas.DataFrame:
    """A data set as it is in its file."""
    categories = {column: str for column, kind in kinds(name).items() if kind == "categorical"}
    file = DATA / catalogue()[name]["files"][0]["file"]
    return pandas.read_csv(file, dtype=categories | {catalogue()[name]["target"]: str}, keep_default_na=False, na_values=[""])


def kinds(name: str) -> dict[str, str]:
    """The kind of each column but the label."""
    found = {}
    for run in catalogue()[name]["columns"]:
        names = run.get("names") or [f"{run['prefix']}{number}" for number in range(1, run["last"] + 1)]
        found |= dict.fromkeys(names, run["kind"])
    return found


def numbers(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The columns of numbers and the labels."""
    columns = [column for column, kind in kinds(name).items() if kind in ("numeric", "count")]
    return frame(name)[columns].to_numpy(np.float64), labels(name)


def codes(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The columns of categories as codes, a missing cell being a category, and the labels."""
    columns = [column for column, kind in kinds(name).items() if kind == "categorical"]
    encoded = [np.unique(frame(name)[column].fillna("").to_numpy(str), return_inverse=True)[1] for column in columns]
    return np.column_stack(encoded), labels(name)


def labels(name: str) -> np.ndarray:
    """The labels."""
    return frame(name)[catalogue()[name]["target"]].to_numpy(str)


@cache
def messages() -> tuple[scipy.sparse.csr_array, np.ndarray]:
    """The short messages as counts of terms, and their labels."""
    counts = pandas.read_csv(DATA / "sets" / "sms_counts.csv.gz")
    y = pandas.read_csv(DATA / "sets" / "sms_labels.csv.gz")["label"].to_numpy(str)
    n_terms = len(pandas.read_csv(DATA / "sets" / "sms_vocab.csv.gz"))
    cells = (counts["count"].to_numpy(np.float64), (counts["doc"].to_numpy(), counts["term"].to_numpy()))
    return scipy.sparse.csr_array(scipy.sparse.coo_array(cells, shape=(len(y), n_terms))), y
