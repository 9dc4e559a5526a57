"""Naive Bayes from exact sums, with the habits of scikit-learn.

Estimators take the place of those in `sklearn.naive_bayes`, and do what exact sums make possible: `partial_fit` has the
bits of `fit`, estimators are merged, rows are forgotten, every answer can be explained, and no answer is NaN.
"""

from nbayes._auto import NaiveBayes
from nbayes._categorical import CategoricalNB
from nbayes._core import __version__ as __version__
from nbayes._counts import (
    BernoulliNB,
    ComplementNB,
    MultinomialNB,
    NegativeBinomialNB,
    PoissonNB,
)
from nbayes._dependent import A2DE, AODE, ASAODE, HNB, TAN, WAODE, AODEsr
from nbayes._explanation import Explanation
from nbayes._gaussian import GaussianNB, SharedGaussianNB
from nbayes._kdb import KDB, KDBEnsemble
from nbayes._prepared import BinnedNB, KernelNB, PowerNB
from nbayes._private import PrivateSums
from nbayes._refined import RefinedNB, WeightedNB

__all__ = [
    "A2DE",
    "AODE",
    "ASAODE",
    "HNB",
    "KDB",
    "TAN",
    "WAODE",
    "AODEsr",
    "BernoulliNB",
    "BinnedNB",
    "CategoricalNB",
    "ComplementNB",
    "Explanation",
    "GaussianNB",
    "KDBEnsemble",
    "KernelNB",
    "MultinomialNB",
    "NaiveBayes",
    "NegativeBinomialNB",
    "PoissonNB",
    "PowerNB",
    "PrivateSums",
    "RefinedNB",
    "SharedGaussianNB",
    "WeightedNB",
]
