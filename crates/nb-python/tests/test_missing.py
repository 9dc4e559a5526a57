"""Missing cells are refused with their place, or left out, which is the exact marginal probability."""

from __future__ import annotations

from typing import Any

import nbayes
import numpy as np
import pandas
import polars
import pytest
from estimators import each_estimator, rows
from scipy.special import log_softmax

MISSING = {
    "NaN": lambda X: X,
    "float32": lambda X: X.astype(np.float32),
    "masked": lambda X: np.ma.masked_array(np.where(np.isnan(X), 7.0, X), np.isnan(X)),
    "pandas": lambda X: pandas.DataFrame(X).astype("Float64").mask(np.isnan(X)).to_numpy(np.float64, na_value=np.nan),
    "pandas frame": lambda X: pandas.DataFrame(X).astype("Float64").mask(np.isnan(X)).rename(columns=str),
    "polars": lambda X: polars.DataFrame(X, schema=list("abcde")).fill_nan(None),
    "objects": lambda X: np.where(np.isnan(X), None, X.astype(object)),
}


def with_holes(Estimator: Any) -> tuple[np.ndarray, np.ndarray]:
    X, y = rows(Estimator)
    X = np.round(X)
    X[np.random.default_rng(4).random(X.shape) < 0.2] = np.nan
    X[:4, 0] = np.arange(4)
    return X, y


@pytest.mark.parametrize("form", MISSING)
@each_estimator
def test_missing_cells_have_many_forms(Estimator: Any, form: str) -> None:
    X, y = with_holes(Estimator)
    with pytest.raises(ValueError, match="row 0.*column|column.*row 0|row 4|missing"):
        Estimator().fit(MISSING[form](X), y)
    plain, model = (Estimator(missing="skip").fit(cells, y) for cells in (X, MISSING[form](X)))
    assert np.array_equal(plain.predict_log_proba(X), model.predict_log_proba(MISSING[form](X)))


@each_estimator
def test_a_missing_cell_leaves_its_feature_out(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator(missing="skip").fit(X, y)
    holes = X.copy()
    holes[:, 2] = np.nan
    contributions = [model.explain(X, row).contributions[:, 2] for row in range(len(y))]
    without = model.predict_joint_log_proba(X) - np.array(contributions)
    np.testing.assert_allclose(model.predict_log_proba(holes), log_softmax(without, axis=1), rtol=1e-9, atol=1e-12)


@each_estimator
def test_a_row_of_missing_cells_has_the_prior(Estimator: Any) -> None:
    X, y = rows(Estimator)
    model = Estimator(missing="skip").fit(X, y)
    prior = model.predict_proba(np.full((1, 5), np.nan))[0]
    expected = np.full(3, 1 / 3) if Estimator is nbayes.ComplementNB else model.class_count_ / len(y)
    np.testing.assert_allclose(prior, expected, rtol=1e-12)


def test_masked_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="masked labels"):
        nbayes.GaussianNB().fit([[1.0], [2.0]], np.ma.masked_array([0, 1], [False, True]))
