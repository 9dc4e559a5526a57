"""The checks that scikit-learn has for estimators of others."""

from __future__ import annotations

from typing import Any

import nbayes
from estimators import ALL
from sklearn.utils.estimator_checks import parametrize_with_checks

FRACTIONS = "the check has rows with fractions, which are no counts or categories"
NEED_WHOLE_NUMBERS = (nbayes.CategoricalNB, nbayes.NegativeBinomialNB, nbayes.PoissonNB)


class _Whole:
    """There is no tag for whole numbers but that of categories."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.categorical = True
        return tags


class PoissonNB(_Whole, nbayes.PoissonNB):
    pass


class NegativeBinomialNB(_Whole, nbayes.NegativeBinomialNB):
    pass


def expected_failed_checks(estimator: Any) -> dict[str, str]:
    if not isinstance(estimator, NEED_WHOLE_NUMBERS):
        return {}
    checks = [
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
        "check_classifiers_one_label_sample_weights",
    ]
    return dict.fromkeys(checks, FRACTIONS)


WITH_TAG = {nbayes.PoissonNB: PoissonNB, nbayes.NegativeBinomialNB: NegativeBinomialNB}


@parametrize_with_checks([WITH_TAG.get(Estimator, Estimator)() for Estimator in ALL], expected_failed_checks=expected_failed_checks)
def test_scikit_learn_takes_it_as_its_own(estimator: Any, check: Any) -> None:
    check(estimator)
