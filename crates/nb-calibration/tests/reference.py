"""Writes tests/it/reference.rs: maps by scikit-learn, and by mpmath with 50 digits where scikit-learn stops early.

Run it in this folder, with scikit-learn, SciPy, NumPy and mpmath installed; `cargo fmt` afterwards.
"""
import csv
import gzip

import mpmath as mp
import numpy as np
from scipy.special import logsumexp
from sklearn.calibration import CalibratedClassifierCV, _SigmoidCalibration
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.naive_bayes import GaussianNB

mp.mp.dps = 50


class Generator:
    """Knuth's MMIX generator, as in cases.rs."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


def case(seed, n_rows, n_classes, steps, weighted):
    g = Generator(seed)
    scores, truth, weights = [], [], []
    for _ in range(n_rows):
        row = [-g.below(steps) * 8.0 / steps for _ in range(n_classes)]
        best = max(range(n_classes), key=lambda c: (row[c], -c))
        scores.append(row)
        truth.append(best if g.below(10) < 6 else g.below(n_classes))
        weights.append(0.5 * (1 + g.below(4)) if weighted else 1.0)
    return np.array(scores), np.array(truth), np.array(weights)


def temperature(scores, truth, weights):
    """The inverse temperature, by a root of the derivative."""

    def slope(beta):
        total = mp.mpf(0)
        for row, y, w in zip(scores, truth, weights):
            d = [mp.mpf(float(z)) - mp.mpf(float(row[y])) for z in row]
            e = [mp.exp(beta * x) for x in d]
            total += mp.mpf(float(w)) * sum(a * b for a, b in zip(d, e)) / sum(e)
        return total

    return float(mp.findroot(slope, (0.01, 2.0), solver="anderson", tol=1e-40))


def platt(odds, is_class, weights):
    """Slope and intercept, by a root of the gradient; and those of scikit-learn."""
    positive, negative = float(weights[is_class].sum()), float(weights[~is_class].sum())
    targets = [mp.mpf(positive + 1) / mp.mpf(positive + 2) if y else 1 / mp.mpf(negative + 2) for y in is_class]

    def gradient(a, b):
        ga = gb = mp.mpf(0)
        for f, t, w in zip(odds, targets, weights):
            r = mp.mpf(float(w)) * (1 / (1 + mp.exp(-(a * mp.mpf(float(f)) + b))) - t)
            ga, gb = ga + r * mp.mpf(float(f)), gb + r
        return ga, gb

    theirs = _SigmoidCalibration().fit(odds, is_class.astype(int), sample_weight=weights)
    a, b = mp.findroot(gradient, (-float(theirs.a_), -float(theirs.b_)), tol=1e-60)
    return (float(a), float(b)), (-float(theirs.a_), -float(theirs.b_))


class Odds:
    """A fitted classifier whose decision function is its input."""

    _estimator_type = "classifier"

    def __init__(self, n_classes):
        self.classes_ = np.arange(n_classes)

    def fit(self, x, y):
        return self

    def decision_function(self, x):
        return x

    def predict(self, x):
        return x.argmax(axis=1)

    def __sklearn_tags__(self):
        return GaussianNB().__sklearn_tags__()

    def get_params(self, deep=True):
        return {}

    def __sklearn_is_fitted__(self):
        return True


def log_odds(scores):
    k = scores.shape[1]
    return np.stack([scores[:, c] - logsumexp(np.delete(scores, c, axis=1), axis=1) for c in range(k)], axis=1)


def pima():
    """The inverse temperature of Gaussian naive Bayes on pima by 10-fold cross-validation, folds dealt by class."""
    with gzip.open("../../nb-datasets/data/sets/pima.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    x, y = np.array([[float(v) for v in row[:-1]] for row in rows]), np.array([row[-1] for row in rows])
    order, folds, counts = {}, [], {}
    for label in y:
        order.setdefault(label, len(order))
        j = counts.get(label, 0)
        counts[label] = j + 1
        folds.append((j + order[label]) % 10)
    folds = np.array(folds)
    scores = np.zeros((len(y), 2))
    for k in range(10):
        model = GaussianNB(var_smoothing=0).fit(x[folds != k], y[folds != k])
        scores[folds == k] = model.predict_log_proba(x[folds == k])
    truth = (y == sorted(set(y))[1]).astype(int)
    return temperature(scores, truth, np.ones(len(y)))


def array(name, doc, values):
    body = ", ".join(repr(float(v)) for v in values)
    print(f"\n/// {doc}\npub(crate) const {name}: [f64; {len(values)}] = [{body}];", file=out)


with open("it/reference.rs", "w") as out:
    print("""//! Written by `tests/reference.py` with scikit-learn 1.9.1, NumPy, SciPy 1.17.1 and mpmath (50 digits).
#![expect(clippy::unreadable_literal, reason = "numbers as Python writes them")]""", file=out)
    s2, y2, w2 = case(1, 60, 2, 64, True)
    s3, y3, w3 = case(2, 90, 3, 1000003, True)
    array("INVERSE_TEMPERATURES", "mpmath: of the cases of two and of three classes.",
          [temperature(s2, y2, w2), temperature(s3, y3, w3)])
    array("PIMA", "mpmath, from scores of `GaussianNB(var_smoothing=0)` held out in 10 folds.", [pima()])
    odds = s2[:, 1] - s2[:, 0]
    exact, theirs = platt(odds, y2 == 1, w2)
    array("SIGMOID", "mpmath: slope and intercept in the case of two classes.", exact)
    array("SIGMOID_SCIKIT", "`_SigmoidCalibration().fit(log_odds, y, sample_weight)`, of the other sign.", theirs)
    grid = np.arange(-80, 81) / 8
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(odds, y2, sample_weight=w2)
    array("ISOTONIC", "`IsotonicRegression(out_of_bounds=\"clip\")` at log-odds from -10 to 10 in steps of 1/8.",
          isotonic.predict(grid))
    o3 = log_odds(s3)
    t3, _, _ = case(3, 20, 3, 1000003, False)
    for method, name in (("isotonic", "THREE_ISOTONIC"), ("sigmoid", "THREE_SIGMOID")):
        model = CalibratedClassifierCV(FrozenEstimator(Odds(3)), method=method, ensemble=False, cv=2)
        model.fit(o3, y3, sample_weight=w3)
        array(name, f"`CalibratedClassifierCV(method=\"{method}\")` of log-odds: 20 rows of three classes.",
              model.predict_proba(log_odds(t3)).ravel())
