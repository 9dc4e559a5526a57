"""Writes tests/it/reference.rs: measures by scikit-learn of the cases that tests/it/cases.rs makes in the same way.

    python tests/reference.py > tests/it/reference.rs && rustfmt --edition 2024 tests/it/reference.rs
"""

import warnings

import numpy as np
import scipy
import sklearn
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    brier_score_loss,
    cohen_kappa_score,
    confusion_matrix,
    f1_score,
    log_loss,
    matthews_corrcoef,
    precision_recall_fscore_support,
    roc_auc_score,
    root_mean_squared_error,
)

warnings.filterwarnings("ignore")


class Generator:
    """Knuth's linear congruential generator (MMIX)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


def case(seed, n_rows, n_classes, largest, noise, weighted):
    """Posteriors in proportion to small numbers; the truth is drawn from them, or, of 10 rows, `noise` at random."""
    draw = Generator(seed)
    posteriors, truth, weights = [], [], []
    for _ in range(n_rows):
        sizes = [draw.below(largest) + (37 + 11 * c * c) / 1024 for c in range(n_classes)]
        posteriors.append([size / sum(sizes) for size in sizes])
        if draw.below(10) < noise:
            truth.append(draw.below(n_classes))
        else:
            at = draw.below(8 * largest * n_classes) / (8 * largest * n_classes) * sum(sizes)
            truth.append(next(c for c in range(n_classes) if at < sum(sizes[: c + 1])))
        weights.append((1 + draw.below(8)) / 4 if weighted else 1.0)
    return np.array(posteriors), np.array(truth), np.array(weights)


def rust(value):
    if value is None:
        return "None"
    return f"Some({value!r})" if value == value else "None"


def listed(values):
    return "&[" + ", ".join(repr(float(value)) for value in values) + "]"


def calibration(posteriors, truth, weights):
    """A reliability diagram, by calibration_curve of the part of right answers in each bin."""
    confidence = posteriors.max(axis=1)
    right = (posteriors.argmax(axis=1) == truth).astype(int)
    edges = np.linspace(0, 1, 16)
    assert np.abs(confidence[:, None] - edges[1:-1]).min() > 1e-9, "a posterior on an edge"
    # calibration_curve takes no weights; they are multiples of a quarter.
    times = np.rint(4 * weights).astype(int)
    right, confidence = np.repeat(right, times), np.repeat(confidence, times)
    accuracy, mean_confidence = calibration_curve(right, confidence, n_bins=15, strategy="uniform")
    counts = np.bincount(np.searchsorted(edges[1:-1], confidence), minlength=15)
    counts = counts[counts > 0]
    return accuracy, mean_confidence, counts / 4


def cells(confidence):
    """The cell of each confidence: powers of 2 in 64 equal parts, of the confidence below 1/2, of its complement above."""
    small = confidence < 0.5
    mantissa, exponent = np.frexp(np.where(small, confidence, 1 - confidence))
    place = 128 * mantissa
    assert np.abs(place - np.rint(place))[np.rint(place) != 64].min() > 1e-9, "a posterior on an edge"
    number = 64 * exponent + np.floor(place)
    return np.where(small, number, 1000 - number)


def effective(weights):
    """The effective number of rows (Kish 1965)."""
    return weights.sum() ** 2 / (weights**2).sum()


def calibration_error(posteriors, truth, weights):
    """The root of the debiased squared error (Kumar, Liang and Ma 2019, section 4) over at most 15 bins of equal mass."""
    confidence = posteriors.max(axis=1)
    right = posteriors.argmax(axis=1) == truth
    cell = cells(confidence)
    groups = [np.flatnonzero(cell == number) for number in np.unique(cell)]
    bins, current, left = [], [], weights.sum()
    for group in groups:
        share = max(10 * weights.sum() / effective(weights), left / (15 - len(bins)))
        mass = weights[current].sum()
        if len(bins) < 14 and current and effective(weights[current]) > 10 - 1e-9 and mass + weights[group].sum() - share > share - mass:
            bins.append(current)
            left -= mass
            current = []
        current = current + list(group)
    if bins and effective(weights[current]) < 10 - 1e-9:
        bins[-1] += current
    else:
        bins.append(current)
    square = 0.0
    for rows in bins:
        n = weights[rows].sum()
        accuracy, mean = np.average(right[rows], weights=weights[rows]), np.average(confidence[rows], weights=weights[rows])
        square += n / weights.sum() * ((accuracy - mean) ** 2 - accuracy * (1 - accuracy) / (effective(weights[rows]) - 1))
    if set(weights) == {1.0}:
        # The same by the authors' package, uncertainty-calibration.
        from calibration.utils import unbiased_square_ce

        binned = [[(confidence[row], int(right[row])) for row in rows] for rows in bins]
        assert abs(square - unbiased_square_ce(binned)) < 1e-14
    return float(np.sqrt(max(0.0, square))), len(bins)


def print_case(name, arguments):
    posteriors, truth, weights = case(*arguments)
    n_classes = posteriors.shape[1]
    predicted = posteriors.argmax(axis=1)
    labels = list(range(n_classes))
    w = dict(sample_weight=weights)
    precision, recall, f1, support = precision_recall_fscore_support(
        truth, predicted, labels=labels, zero_division=np.nan, **w
    )
    present = sorted(set(truth))
    interval = binomtest(int((truth == predicted).sum()), len(truth)).proportion_ci(0.95, "wilson")
    if n_classes == 2:
        auc = pairwise = roc_auc_score(truth, posteriors[:, 1], **w)
    else:
        areas = [roc_auc_score(truth == c, posteriors[:, c], **w) for c in present]
        auc = np.mean(areas)
        pairwise = None
        if len(present) == n_classes:
            whole = roc_auc_score(truth, posteriors, multi_class="ovr", average="macro", **w)
            assert abs(auc - whole) < 1e-14
            if set(weights) == {1.0}:
                pairwise = float(roc_auc_score(truth, posteriors, multi_class="ovo", average="macro"))
    bin_accuracy, bin_confidence, bin_weight = calibration(posteriors, truth, weights)
    error, n_bins = calibration_error(posteriors, truth, weights)
    one_hot = (truth[:, None] == np.array(labels)).ravel()
    rmse = root_mean_squared_error(one_hot, posteriors.ravel(), sample_weight=np.repeat(weights, n_classes))
    expected_error = np.average(np.abs(bin_accuracy - bin_confidence), weights=bin_weight)
    seed, n_rows, n_classes, largest, noise, weighted = arguments
    print(f"""
    Reference {{
        name: {('"' + name + '"')},
        case: CaseOf {{ seed: {seed}, n_rows: {n_rows}, n_classes: {n_classes}, largest: {largest}, noise: {noise}, weighted: {str(weighted).lower()} }},
        accuracy: {float(accuracy_score(truth, predicted, **w))!r},
        interval: {"None" if weighted else f"Some(({float(interval.low)!r}, {float(interval.high)!r}))"},
        balanced_accuracy: {float(balanced_accuracy_score(truth, predicted, **w))!r},
        macro_f1: {float(f1_score(truth, predicted, average="macro", zero_division=0, **w))!r},
        matthews: {float(matthews_corrcoef(truth, predicted, **w))!r},
        kappa: {float(cohen_kappa_score(truth, predicted, **w))!r},
        root_mean_squared_error: {float(rmse)!r},
        expected_calibration_error: {float(expected_error)!r},
        precision: {listed(precision).replace("nan", "f64::NAN")},
        recall: {listed(recall).replace("nan", "f64::NAN")},
        support: {listed(support)},
        confusion: {listed(confusion_matrix(truth, predicted, labels=labels, **w).ravel())},
        log_loss: {float(log_loss(truth, posteriors, labels=labels, **w))!r},
        brier: {float(brier_score_loss(truth, posteriors, labels=labels, scale_by_half=False, **w))!r},
        auc: {float(auc)!r},
        auc_pairwise: {rust(None if pairwise is None else float(pairwise))},
        calibration_error: {error!r},
        calibration_bins: {n_bins},
        bin_accuracy: {listed(bin_accuracy)},
        bin_confidence: {listed(bin_confidence)},
        bin_weight: {listed(bin_weight)},
    }},""")


print(f"""//! Measures by scikit-learn {sklearn.__version__} and SciPy {scipy.__version__}, written by `tests/reference.py`: `accuracy_score`,
//! `binomtest(..).proportion_ci(0.95, "wilson")`, `balanced_accuracy_score`, `f1_score(average="macro")`,
//! `matthews_corrcoef`, `cohen_kappa_score`, `root_mean_squared_error` of posteriors and indicators,
//! `precision_recall_fscore_support` (NaN at 0/0), `confusion_matrix`, `log_loss`,
//! `brier_score_loss(scale_by_half=False)`, `roc_auc_score` (binary; of each class against the others; `multi_class="ovo"`),
//! `calibration_curve(n_bins=15)` of right answers by the largest posterior; the debiased calibration error over bins of
//! equal mass, also by the package uncertainty-calibration where rows have no weights.
#![expect(clippy::unreadable_literal, reason = "numbers as Python writes them")]

use crate::cases::CaseOf;

/// What scikit-learn says of a case.
pub(crate) struct Reference {{
    pub(crate) name: &'static str,
    pub(crate) case: CaseOf,
    pub(crate) accuracy: f64,
    pub(crate) interval: Option<(f64, f64)>,
    pub(crate) balanced_accuracy: f64,
    pub(crate) macro_f1: f64,
    pub(crate) matthews: f64,
    pub(crate) kappa: f64,
    pub(crate) root_mean_squared_error: f64,
    pub(crate) expected_calibration_error: f64,
    pub(crate) precision: &'static [f64],
    pub(crate) recall: &'static [f64],
    pub(crate) support: &'static [f64],
    pub(crate) confusion: &'static [f64],
    pub(crate) log_loss: f64,
    pub(crate) brier: f64,
    pub(crate) auc: f64,
    pub(crate) auc_pairwise: Option<f64>,
    pub(crate) calibration_error: f64,
    pub(crate) calibration_bins: u32,
    pub(crate) bin_accuracy: &'static [f64],
    pub(crate) bin_confidence: &'static [f64],
    pub(crate) bin_weight: &'static [f64],
}}

/// All cases.
pub(crate) const REFERENCES: &[Reference] = &[""")
print_case("two classes", (1, 200, 2, 20, 2, False))
print_case("two classes, many ties", (2, 150, 2, 3, 3, False))
print_case("two classes, weighted", (3, 120, 2, 20, 1, True))
print_case("four classes", (4, 300, 4, 9, 2, False))
print_case("four classes, weighted", (5, 250, 4, 30, 4, True))
print_case("seven classes, few rows", (6, 40, 7, 5, 0, False))
print_case("twelve classes, some of them absent", (9, 14, 12, 40, 1, False))
print("];")
