"""The contenders of `cargo xtask bench --quality` that are used from Python, each with its default settings
unless its text says otherwise.

A contender is made of a `Table` for each fold. `fit(rows, y)` trains on the rows of these numbers and
answers with the classes; `log_proba(rows)` gives their log-probabilities, a row for each of these rows.
"""

import hashlib
import inspect
import json
from importlib import metadata

import numpy as np
import pandas as pd


class Table:
    """A table in memory: categories are codes, missing cells are NaN."""

    def __init__(self, folder, name):
        meta = json.loads((folder / f"{name}.json").read_text())
        # The number of categories of each column, 0 for numbers.
        self.levels = np.array(meta["levels"], dtype=int)
        self.n_classes = meta["classes"]
        self.numbers = np.flatnonzero(self.levels == 0)
        self.categories = np.flatnonzero(self.levels)
        self.y = np.fromfile(folder / f"{name}.y", dtype="<i8")
        self.x = np.fromfile(folder / f"{name}.x", dtype="<f8").reshape(len(self.y), len(self.levels))
        texts = folder / f"{name}.texts"
        self.texts = np.array(json.loads(texts.read_text()), dtype=object) if texts.exists() else None

    def frame(self):
        """Numbers as they are and categories as texts; a missing category is one more text."""
        columns = {
            f"x{column}": self.x[:, column] if levels == 0 else pd.Series(names(self.x[:, column]), dtype=object)
            for column, levels in enumerate(self.levels)
        }
        return pd.DataFrame(columns)


def names(codes):
    return ["missing" if np.isnan(code) else f"c{int(code)}" for code in codes]


def logarithm(probabilities):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(probabilities, dtype=float))


def indicators(table, scale=True):
    """Standardised numbers, with an indicator where some are missing, and an indicator for each category."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = [SimpleImputer(add_indicator=True)] + ([StandardScaler()] if scale else [])
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(*numbers), table.numbers),
            ("categories", OneHotEncoder(handle_unknown="ignore"), table.categories),
        ],
        sparse_threshold=0,
    )


class Contender:
    """What most of them have in common: a model of scikit-learn's kind, and rows as it takes them."""

    packages = ("scikit-learn",)

    def rows(self, rows):
        return self.x[rows]

    def fit(self, rows, y):
        self.model.fit(self.rows(rows), y)
        return self.model.classes_

    def log_proba(self, rows):
        return logarithm(self.model.predict_proba(self.rows(rows)))


class Logistic(Contender):
    """scikit-learn's logistic regression on standardised numbers and indicators of categories."""

    def __init__(self, table):
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        self.x = table.x
        self.model = make_pipeline(indicators(table), LogisticRegression(max_iter=10_000))

    def log_proba(self, rows):
        return self.model.predict_log_proba(self.x[rows])


def best_penalty(features, y, transform):
    """The C with the least log-loss in five inner folds, and a model of all rows with it.

    `transform(train, test)` gives what is learnt from and what is predicted. Models go from the strongest penalty to the
    weakest, each from where the one before ended. A class that an inner fold does not train has probability 1e-15.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold

    penalties = 10.0 ** np.arange(-3, 4)
    losses = np.zeros(len(penalties))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(features, y):
        x, x_test = transform(features[train], features[test])
        model = LogisticRegression(max_iter=1000, warm_start=True)
        for place, penalty in enumerate(penalties):
            model.set_params(C=penalty).fit(x, y[train])
            found = np.full((len(test), y.max() + 1), 1e-15)
            found[:, model.classes_] = np.maximum(model.predict_proba(x_test), 1e-15)
            losses[place] -= np.log(found[np.arange(len(test)), y[test]]).sum()
    return LogisticRegression(C=penalties[losses.argmin()], max_iter=10_000)


class TunedLogistic(Contender):
    """The same with C from 0.001 to 1,000, the best in five inner folds."""

    def __init__(self, table):
        self.table = table

    def fit(self, rows, y):
        def transform(train, test):
            columns = indicators(self.table)
            return columns.fit_transform(train), columns.transform(test)

        x = self.table.x[rows]
        self.columns = indicators(self.table)
        self.model = best_penalty(x, y, transform).fit(self.columns.fit_transform(x), y)
        return self.model.classes_

    def log_proba(self, rows):
        return self.model.predict_log_proba(self.columns.transform(self.table.x[rows]))


class NaiveBayes(Contender):
    """scikit-learn's GaussianNB for numbers and CategoricalNB for categories, which share the prior.

    They take no missing cells: a number becomes the mean of its column, a category one of its own.
    """

    def __init__(self, table):
        from sklearn.impute import SimpleImputer
        from sklearn.naive_bayes import CategoricalNB, GaussianNB

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


class Boosting(Contender):
    """scikit-learn's gradient boosting of trees on histograms."""

    def __init__(self, table):
        from sklearn.ensemble import HistGradientBoostingClassifier

        self.x = table.x
        self.model = HistGradientBoostingClassifier(categorical_features=table.levels > 0, random_state=0)


class Forest(Contender):
    """scikit-learn's random forest, on numbers and indicators of categories."""

    def __init__(self, table):
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.pipeline import make_pipeline

        self.x = table.x
        self.model = make_pipeline(indicators(table, scale=False), RandomForestClassifier(random_state=0))


class LightGbm(Contender):
    """LightGBM, with categories as its categorical columns."""

    packages = ("lightgbm",)

    def __init__(self, table):
        from lightgbm import LGBMClassifier

        self.x = table.x
        self.categories = [int(column) for column in table.categories]
        self.model = LGBMClassifier(n_jobs=1, random_state=0, verbose=-1)

    def fit(self, rows, y):
        self.model.fit(self.x[rows], y, categorical_feature=self.categories)
        return self.model.classes_


class XgBoost(Contender):
    """XGBoost, with categories as its categorical columns. Its classes must be 0, 1, and so on without a gap."""

    packages = ("xgboost-cpu",)

    def __init__(self, table):
        from xgboost import XGBClassifier

        self.x = table.frame()
        for column, levels in enumerate(table.levels):
            if levels:
                names = [f"c{level}" for level in range(levels)] + ["missing"]
                self.x[f"x{column}"] = pd.Categorical(self.x[f"x{column}"], categories=names)
        self.model = XGBClassifier(enable_categorical=True, n_jobs=1, random_state=0)

    def rows(self, rows):
        return self.x.iloc[rows]

    def fit(self, rows, y):
        classes, places = np.unique(y, return_inverse=True)
        self.model.fit(self.rows(rows), places)
        return classes


class Explainable(Contender):
    """InterpretML's explainable boosting machine, one function for each column."""

    packages = ("interpret-core",)
    options = {"interactions": 0}

    def __init__(self, table):
        from interpret.glassbox import ExplainableBoostingClassifier

        self.x = table.frame()
        kinds = ["nominal" if levels else "continuous" for levels in table.levels]
        self.model = ExplainableBoostingClassifier(feature_types=kinds, n_jobs=1, random_state=0, **self.options)

    def rows(self, rows):
        return self.x.iloc[rows]


class ExplainablePairs(Explainable):
    """The same with pairs of columns, which is its default."""

    options = {}


class Khiops(Contender):
    """Khiops without trees and pairs of columns: a selective naive Bayes on bins and groups of categories."""

    packages = ("khiops", "khiops-core")

    def __init__(self, table):
        from khiops.sklearn import KhiopsClassifier

        self.x = table.frame()
        self.model = KhiopsClassifier(n_trees=0, n_pairs=0)

    def rows(self, rows):
        return self.x.iloc[rows]


class TextLogistic(Contender):
    """scikit-learn's logistic regression on tf-idf."""

    def __init__(self, table):
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        self.x = table.texts
        self.model = make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=10_000))


class TunedTextLogistic(Contender):
    """The same on logarithms of counts of words and pairs of words, with C the best in five inner folds."""

    def __init__(self, table):
        self.x = table.texts

    def fit(self, rows, y):
        from sklearn.feature_extraction.text import TfidfVectorizer

        def transform(train, test):
            words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
            return words.fit_transform(train), words.transform(test)

        self.words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
        self.model = best_penalty(self.x[rows], y, transform).fit(self.words.fit_transform(self.x[rows]), y)
        return self.model.classes_

    def log_proba(self, rows):
        return self.model.predict_log_proba(self.words.transform(self.x[rows]))


class TextNaiveBayes(Contender):
    """scikit-learn's multinomial naive Bayes on counts of words."""

    def __init__(self, table):
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.naive_bayes import MultinomialNB
        from sklearn.pipeline import make_pipeline

        self.x = table.texts
        self.model = make_pipeline(CountVectorizer(), MultinomialNB())

    def log_proba(self, rows):
        return self.model.predict_log_proba(self.x[rows])


CONTENDERS = {
    "naive-bayes": NaiveBayes,
    "logistic": Logistic,
    "logistic-tuned": TunedLogistic,
    "ebm": Explainable,
    "ebm-pairs": ExplainablePairs,
    "khiops": Khiops,
    "boosting": Boosting,
    "lightgbm": LightGbm,
    "xgboost": XgBoost,
    "forest": Forest,
    "text-naive-bayes": TextNaiveBayes,
    "text-logistic": TextLogistic,
    "text-logistic-tuned": TunedTextLogistic,
}


def fingerprint(contender):
    """Of what decides its answers: its code with that of its bases, what they share, and the versions of packages."""
    code = [inspect.getsource(base) for base in contender.__mro__ if base is not object]
    code += [inspect.getsource(shared) for shared in (Table, names, logarithm, indicators, best_penalty)]
    code += [f"{package} {metadata.version(package)}" for package in contender.packages]
    return hashlib.sha256("\n".join(code).encode()).hexdigest()[:16]
