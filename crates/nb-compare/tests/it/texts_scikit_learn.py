"""Naive Bayes and logistic regression on texts beside numbers and categories, in folds, by scikit-learn.

    python texts_scikit_learn.py request.json > answer.json

In each fold everything is learnt from the training rows: the vocabulary and the inverse document frequencies, too.
"""

import json
import sys

import numpy as np
from scipy.special import log_softmax
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, Normalizer, OneHotEncoder, StandardScaler


class Idf(TfidfTransformer):
    """log(n / n_i), without the one that scikit-learn adds."""

    def __init__(self):
        super().__init__(norm=None, smooth_idf=False)

    def fit(self, x, y=None):
        super().fit(x, y)
        self.idf_ = self.idf_ - 1
        return self


def vectorizer(is_weighted):
    """Words of two or more letters and digits; weighted as Rennie et al. (2003) do."""
    options = dict(lowercase=True, token_pattern="[A-Za-z0-9]{2,}")
    if not is_weighted:
        return make_pipeline(CountVectorizer(**options))
    counts = CountVectorizer(**options, ngram_range=(1, 2), min_df=2)
    return make_pipeline(counts, FunctionTransformer(np.log1p), Idf(), Normalizer())


def naive_bayes(of_terms):
    def scores(texts, x, y, train, test, is_weighted):
        terms = make_pipeline(vectorizer(is_weighted), of_terms)
        terms.fit(texts[train], y[train])
        by_terms = terms[-1].predict_joint_log_proba(terms[:-1].transform(texts[test]))
        numbers = GaussianNB(var_smoothing=0).fit(x[train, :1], y[train])
        letters = CategoricalNB(alpha=1, min_categories=4).fit(x[train, 1:].astype(int), y[train])
        others = numbers.predict_joint_log_proba(x[test, :1]) + letters.predict_joint_log_proba(x[test, 1:].astype(int))
        # Each has the prior.
        return by_terms + others - 2 * letters.class_log_prior_

    return scores


def logistic(texts, x, y, train, test, is_weighted):
    rows = np.empty((len(y), 3), dtype=object)
    rows[:, :2], rows[:, 2] = x, texts
    indicators = OneHotEncoder(drop="first", handle_unknown="ignore")
    # A vectorizer wants the texts of a column, and no table of one column.
    prepared = make_column_transformer((StandardScaler(), [0]), (indicators, [1]), (vectorizer(is_weighted), 2))
    model = make_pipeline(prepared, LogisticRegression(C=1, tol=1e-12, max_iter=10000))
    return model.fit(rows[train], y[train]).decision_function(rows[test])


VARIANTS = {
    "multinomial": naive_bayes(MultinomialNB(alpha=1)),
    "bernoulli": naive_bayes(BernoulliNB(alpha=1, binarize=0)),
    "logistic": logistic,
}

with open(sys.argv[1]) as file:
    request = json.load(file)
texts, x, y = np.array(request["texts"], dtype=object), np.array(request["x"]), np.array(request["labels"])
folds = np.array(request["folds"])
answers = []
for variant, is_weighted in request["cases"]:
    found = np.zeros((len(y), y.max() + 1))
    for fold in range(folds.max() + 1):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        found[test] = VARIANTS[variant](texts, x, y, train, test, is_weighted)
    answers.append({"labels": found.argmax(axis=1).tolist(), "log_posteriors": log_softmax(found, axis=1).tolist()})
json.dump(answers, sys.stdout)
