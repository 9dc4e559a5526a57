"""Carries out units of designs by scikit-learn.

    python scikit_learn.py request.json > answer.json

The request has the data sets, and for each unit the set, the name of the variant and the fold of each row. The answer
has for each unit the measures of each fold and of all tested rows together, the labels and log-posteriors of the rows in
the order of the folds, and the size of the largest joint log-likelihood of each row, to whose last place it was rounded.
"""

import json
import sys
import warnings

import numpy as np
from scipy.sparse import csr_array
from scipy.special import log_softmax, logsumexp
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score, brier_score_loss, f1_score, roc_auc_score
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, StandardScaler

# Predictions of classes that a small fold does not have, categories that only tested rows have.
warnings.filterwarnings("ignore", category=UserWarning)
warnings.filterwarnings("error", category=ConvergenceWarning)

N_BINS = 7


class Unbiased(GaussianNB):
    """Variances divided by n - 1."""

    def fit(self, x, y):
        super().fit(x, y)
        n = self.class_count_[:, None]
        self.var_ *= n / (n - 1)
        return self


class Shared(GaussianNB):
    """One variance for all classes: the mean of theirs, by their numbers of rows."""

    def fit(self, x, y):
        super().fit(x, y)
        self.var_[:] = self.class_count_ @ self.var_ / self.class_count_.sum()
        return self


class WithDecision(GaussianNB):
    """Gives calibration what is calibrated here: the log-odds of the second of two classes."""

    def decision_function(self, x):
        joint = self.predict_joint_log_proba(x)
        return joint[:, 1] - joint[:, 0]


class Table:
    def __init__(self, data):
        self.y = np.array(data["labels"])
        self.n_classes = data["n_classes"]
        documents = data["documents"]
        if documents:
            parts = (documents["counts"], documents["indices"], documents["indptr"])
            self.x = csr_array(parts, shape=(len(self.y), documents["n_terms"]))
        else:
            self.x = np.array(data["x"], dtype=float)
            # The number of levels of each column; 0 for numbers.
            self.levels = np.array(data["levels"])
            self.numbers, self.categories = np.flatnonzero(self.levels == 0), np.flatnonzero(self.levels)

    def columns(self, train):
        """All columns; of documents the terms that occur in training rows."""
        return self.x if isinstance(self.x, np.ndarray) else self.x[:, np.unique(self.x[train].indices)]


def joint(estimator, x, y, train, test):
    return estimator.fit(x[train], y[train]).predict_joint_log_proba(x[test])


def gaussian(estimator, transform=lambda x: x):
    """Numbers by this estimator and categories by CategoricalNB, if there are any."""

    def scores(table, train, test, _):
        given = table.y, train, test
        by_numbers = joint(estimator, transform(table.x[:, table.numbers]), *given) if len(table.numbers) else 0
        if not len(table.categories):
            return by_numbers
        categorical = CategoricalNB(alpha=1, min_categories=table.levels[table.categories])
        by_categories = joint(categorical, table.x[:, table.categories].astype(int), *given)
        # Both have the prior.
        return by_categories + (by_numbers - categorical.class_log_prior_ if len(table.numbers) else 0)

    return scores


def uniform(table, *rest):
    return gaussian(GaussianNB(var_smoothing=0, priors=np.full(table.n_classes, 1 / table.n_classes)))(table, *rest)


def counts(estimator):
    return lambda table, train, test, _: joint(estimator, table.columns(train), table.y, train, test)


def equal_width(table, train, test, _):
    bins = KBinsDiscretizer(n_bins=N_BINS, encode="ordinal", strategy="uniform", subsample=None).fit(table.x[train])
    # A cell on an edge is above it there, and below it here.
    columns = zip(bins.bin_edges_, table.x.T)
    x = np.column_stack([np.searchsorted(edges[1:-1], column, side="left") for edges, column in columns])
    return joint(CategoricalNB(alpha=1, min_categories=N_BINS), x, table.y, train, test)


def regression(is_dense):
    """Dense rows by Newton's method, to the last digits."""
    solver = dict(solver="newton-cholesky", tol=1e-14) if is_dense else dict(tol=1e-12, max_iter=10000)
    return LogisticRegression(C=1, **solver)


def two_columns(log_odds):
    return np.column_stack([0 * log_odds, log_odds]) if log_odds.ndim == 1 else log_odds


def logistic(table, train, test, _):
    x = table.columns(train)
    model = regression(is_dense := isinstance(x, np.ndarray))
    if is_dense:
        numbers = make_pipeline(StandardScaler(), SimpleImputer(strategy="constant", fill_value=0, add_indicator=True))
        indicators = OneHotEncoder(drop="first", handle_unknown="ignore", sparse_output=False)
        prepared = make_column_transformer((numbers, table.numbers), (indicators, table.categories))
        model = make_pipeline(prepared, model)
    return two_columns(model.fit(x[train], table.y[train]).decision_function(x[test]))


def count_ratio(table, train, test, _):
    """The log-count ratio is the weight of multinomial naive Bayes."""
    x = table.columns(train)
    x = (x > 0).astype(float)
    first, second = MultinomialNB(alpha=1).fit(x[train], table.y[train]).feature_log_prob_
    x = x * (second - first)
    model = regression(isinstance(x, np.ndarray))
    return two_columns(model.fit(x[train], table.y[train]).decision_function(x[test]))


def calibrated(method):
    def scores(table, train, test, folds):
        folds = np.array(folds)
        parts = [(np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)) for fold in np.unique(folds)]
        model = CalibratedClassifierCV(WithDecision(var_smoothing=0), method=method, cv=parts, ensemble=False)
        fitted = model.fit(table.x[train], table.y[train]).calibrated_classifiers_[0]
        decision, map = fitted.estimator.decision_function(table.x[test]), fitted.calibrators[0]
        # From the parameters, because predict_proba rounds to 0. Log-odds f of two classes are logits -f and f there.
        log_odds = -(map.a_ * decision + map.b_) if method == "sigmoid" else 2 * map.beta_ * decision
        return two_columns(log_odds)

    return scores


# From a table, the training rows, the tested rows and the folds for calibration to log-posteriors, except for a constant
# in each row.
VARIANTS = {
    "gaussian": gaussian(GaussianNB(var_smoothing=0)),
    "uniform": uniform,
    "unbiased": gaussian(Unbiased(var_smoothing=0)),
    "shared-gaussian": gaussian(Shared(var_smoothing=0)),
    "log-normal": gaussian(GaussianNB(var_smoothing=0), np.log),
    "equal-width": equal_width,
    "multinomial": counts(MultinomialNB(alpha=1)),
    "complement": counts(ComplementNB(alpha=1, norm=False)),
    "bernoulli": counts(BernoulliNB(alpha=1, binarize=0)),
    "logistic": logistic,
    "count-ratio": count_ratio,
    "platt": calibrated("sigmoid"),
    "temperature": calibrated("temperature"),
}


def auc(y, scores):
    """Log-odds are ranked, because posteriors round to 0 and 1."""
    classes = np.unique(y)
    if len(classes) == 1:
        return None
    if scores.shape[1] == 2:
        return roc_auc_score(y, scores[:, 1] - scores[:, 0])
    odds = [scores[:, c] - logsumexp(np.delete(scores, c, axis=1), axis=1) for c in classes]
    return np.mean([roc_auc_score(y == c, odds) for c, odds in zip(classes, odds)])


def measures(y, scores):
    log_posteriors = log_softmax(scores, axis=1)
    predicted = scores.argmax(axis=1)
    labels = range(scores.shape[1])
    return [
        accuracy_score(y, predicted),
        balanced_accuracy_score(y, predicted),
        f1_score(y, predicted, average="macro", zero_division=0),
        # That of scikit-learn clips posteriors.
        -log_posteriors[np.arange(len(y)), y].mean(),
        brier_score_loss(y, np.exp(log_posteriors), labels=labels, scale_by_half=False),
        auc(y, scores),
    ]


def unit(table, asked):
    folds = np.array([-1 if fold is None else fold for fold in asked["folds"]])
    scores, tested, of_folds = [], [], []
    for fold in range(asked["n_folds"]):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        calibration = asked["calibration"][fold] if asked["calibration"] else None
        found = VARIANTS[asked["variant"]](table, train, test, calibration)
        scores.append(found)
        tested.append(test)
        # A single row, of leave-one-out, has no measures of its own.
        if len(test) > 1:
            of_folds.append(measures(table.y[test], found))
    scores, tested = np.concatenate(scores), np.concatenate(tested)
    return {
        "folds": of_folds,
        "pooled": measures(table.y[tested], scores),
        "labels": scores.argmax(axis=1).tolist(),
        "log_posteriors": log_softmax(scores, axis=1).tolist(),
        "sizes": np.abs(scores).max(axis=1).tolist(),
    }


with open(sys.argv[1]) as file:
    request = json.load(file)
tables = [Table(data) for data in request["tables"]]
json.dump([unit(tables[asked["table"]], asked) for asked in request["units"]], sys.stdout)
