"""The contenders of `cargo xtask bench --quality` that are used from Python.

`quality.py NAME FOLDER SET...` trains on all folds but one and predicts the rows of that one, fold by fold. It reads
`SET.json` (columns and classes), `SET.x`, `SET.y` and `SET.fold`, arrays of eight-byte numbers, and writes the
log-probabilities of the classes of each row to `SET.NAME`. It prints a line of JSON: the processor time of all training
and prediction in seconds, and why there is no answer for a data set.
"""

import json
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd


class Table:
    """A table in memory: categories are codes, missing cells are NaN."""

    def __init__(self, folder, name):
        meta = json.loads((folder / f"{name}.json").read_text())
        # The number of categories of each column, 0 for numbers.
        self.levels = np.array(meta["levels"])
        self.n_classes = meta["classes"]
        self.numbers = np.flatnonzero(self.levels == 0)
        self.categories = np.flatnonzero(self.levels)
        self.y = np.fromfile(folder / f"{name}.y", dtype="<i8")
        self.fold = np.fromfile(folder / f"{name}.fold", dtype="<i8")
        self.x = np.fromfile(folder / f"{name}.x", dtype="<f8").reshape(len(self.y), len(self.levels))

    def frame(self):
        """Numbers as they are and categories as texts; a missing category is one more text."""
        columns = {
            f"x{column}": self.x[:, column] if levels == 0 else pd.Series(texts(self.x[:, column]), dtype=object)
            for column, levels in enumerate(self.levels)
        }
        return pd.DataFrame(columns)


def texts(codes):
    return ["missing" if np.isnan(code) else f"c{int(code)}" for code in codes]


class Logistic:
    """scikit-learn's logistic regression on standardised numbers and indicators of categories."""

    def __init__(self, table):
        from sklearn.compose import ColumnTransformer
        from sklearn.impute import SimpleImputer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder, StandardScaler

        numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
        columns = ColumnTransformer(
            [
                ("numbers", numbers, table.numbers),
                ("categories", OneHotEncoder(handle_unknown="ignore"), table.categories),
            ],
            sparse_threshold=0,
        )
        self.x = table.x
        self.model = make_pipeline(columns, LogisticRegression(max_iter=10_000))

    def fit(self, rows, y):
        self.model.fit(self.x[rows], y)
        return self.model.classes_

    def log_proba(self, rows):
        return self.model.predict_log_proba(self.x[rows])


class NaiveBayes:
    """scikit-learn's GaussianNB for numbers and CategoricalNB for categories, which share the prior.

    They take no missing cells: a number becomes the mean of its column, a category one of its own.
    """

    def __init__(self, table):
        from sklearn.impute import SimpleImputer
        from sklearn.naive_bayes import CategoricalNB, GaussianNB
        from sklearn.pipeline import make_pipeline

        levels = table.levels[table.categories]
        codes = table.x[:, table.categories]
        self.numbers = table.x[:, table.numbers]
        self.codes = np.where(np.isnan(codes), levels, codes).astype(int)
        # Room for the one of missing cells where there are any.
        sizes = levels + np.isnan(codes).any(axis=0)
        self.impute, self.gaussian = SimpleImputer(), GaussianNB()
        self.categorical = CategoricalNB(min_categories=sizes)

    def fit(self, rows, y):
        if self.numbers.shape[1]:
            self.gaussian.fit(self.impute.fit_transform(self.numbers[rows]), y)
        if self.codes.shape[1]:
            self.categorical.fit(self.codes[rows], y)
        classes, counts = np.unique(y, return_counts=True)
        self.log_prior = np.log(counts / len(y))
        return classes

    def log_proba(self, rows):
        from scipy.special import log_softmax

        joint = np.tile(self.log_prior, (len(rows), 1))
        if self.numbers.shape[1]:
            numbers = self.impute.transform(self.numbers[rows])
            joint += self.gaussian.predict_joint_log_proba(numbers) - self.log_prior
        if self.codes.shape[1]:
            joint += self.categorical.predict_joint_log_proba(self.codes[rows]) - self.log_prior
        return log_softmax(joint, axis=1)


class Boosting:
    """scikit-learn's gradient boosting of trees on histograms."""

    def __init__(self, table):
        from sklearn.ensemble import HistGradientBoostingClassifier

        self.x = table.x
        self.model = HistGradientBoostingClassifier(categorical_features=table.levels > 0, random_state=0)

    def fit(self, rows, y):
        self.model.fit(self.x[rows], y)
        return self.model.classes_

    def log_proba(self, rows):
        return logarithm(self.model.predict_proba(self.x[rows]))


class Explainable:
    """InterpretML's explainable boosting machine, one function for each column."""

    def __init__(self, table):
        from interpret.glassbox import ExplainableBoostingClassifier

        self.x = table.frame()
        kinds = ["nominal" if levels else "continuous" for levels in table.levels]
        self.model = ExplainableBoostingClassifier(
            feature_types=kinds, interactions=0, n_jobs=1, random_state=0
        )

    def fit(self, rows, y):
        self.model.fit(self.x.iloc[rows], y)
        return self.model.classes_

    def log_proba(self, rows):
        return logarithm(self.model.predict_proba(self.x.iloc[rows]))


class Khiops:
    """Khiops without trees and pairs of columns: a selective naive Bayes on bins and groups of categories."""

    def __init__(self, table):
        from khiops.sklearn import KhiopsClassifier

        self.x = table.frame()
        self.model = KhiopsClassifier(n_trees=0, n_pairs=0)

    def fit(self, rows, y):
        self.model.fit(self.x.iloc[rows], y)
        return self.model.classes_

    def log_proba(self, rows):
        return logarithm(self.model.predict_proba(self.x.iloc[rows]))


CONTENDERS = {
    "logistic": Logistic,
    "naive-bayes": NaiveBayes,
    "boosting": Boosting,
    "ebm": Explainable,
    "khiops": Khiops,
}


def logarithm(probabilities):
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def processor_time():
    """Of this process and of those that it has started: Khiops is a program."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def predict(contender, table):
    """The log-probabilities of all rows, and the time they took; a class without training rows has probability 0."""
    answers = np.full((len(table.y), table.n_classes), -np.inf)
    seconds = 0.0
    for fold in np.unique(table.fold):
        train, test = np.flatnonzero(table.fold != fold), np.flatnonzero(table.fold == fold)
        model = contender(table)
        before = processor_time()
        classes = model.fit(train, table.y[train])
        found = model.log_proba(test)
        seconds += processor_time() - before
        answers[np.ix_(test, np.asarray(classes).astype(int))] = found
    return answers, seconds


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    name, folder = sys.argv[1], Path(sys.argv[2])
    seconds, failures = 0.0, {}
    for data_set in sys.argv[3:]:
        table = Table(folder, data_set)
        try:
            answers, more = predict(CONTENDERS[name], table)
        except Exception as error:  # the page says so, and the others go on
            failures[data_set] = f"{type(error).__name__}: {error}"
            continue
        answers.astype("<f8").tofile(folder / f"{data_set}.{name}")
        seconds += more
    print(json.dumps({"seconds": seconds, "failures": failures}))
