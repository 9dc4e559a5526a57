"""Estimators that learn cut points, grids or powers before rows are summed."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import nbayes
import numpy as np
import pytest
from scipy.stats import gaussian_kde
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import PowerTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

DEPENDENT = [
    nbayes.AODE,
    nbayes.ASAODE,
    nbayes.TAN,
    nbayes.HNB,
    nbayes.WAODE,
    nbayes.AODEsr,
    nbayes.A2DE,
    nbayes.KDB,
    nbayes.KDBEnsemble,
]
ALL = [nbayes.BinnedNB, nbayes.KernelNB, nbayes.PowerNB, *DEPENDENT]
each_estimator = pytest.mark.parametrize("Estimator", ALL, ids=lambda estimator: estimator.__name__)


UNWEIGHTED = "cut points, grids and powers are learnt from the rows, whatever their weights"
FAILING = dict.fromkeys(
    ["check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"], UNWEIGHTED
)


@parametrize_with_checks([Estimator() for Estimator in ALL], expected_failed_checks=lambda estimator: FAILING)
def test_scikit_learn_takes_it_as_its_own(estimator: Any, check: Any) -> None:
    check(estimator)


@each_estimator
def test_parts_with_the_same_preparation_add_up(Estimator: Any) -> None:
    X, y = load_wine(return_X_y=True)
    whole = Estimator().fit(X, y)
    parts = [whole.emptied().partial_fit(X[start::3], y[start::3]) for start in range(3)]
    assert sum(parts[1:], parts[0]).to_bytes() == whole.to_bytes()
    assert whole.emptied().partial_fit(X, y).forget(X[:5], y[:5]).partial_fit(X[:5], y[:5]).to_bytes() == whole.to_bytes()


@each_estimator
def test_what_was_learnt_otherwise_is_not_merged(Estimator: Any) -> None:
    X, y = load_wine(return_X_y=True)
    one, other = Estimator().fit(X[::2], y[::2]), Estimator().fit(X[1::2], y[1::2])
    before = one.to_bytes()
    with pytest.raises(ValueError, match="other cut points, grids or powers"):
        one.merge(other)
    assert one.to_bytes() == before


@each_estimator
def test_files_and_pickles_keep_what_was_learnt(Estimator: Any, tmp_path: Path) -> None:
    X, y = load_wine(return_X_y=True)
    model = Estimator().fit(X, y)
    model.save(tmp_path / "model.nb")
    for other in (Estimator.load(tmp_path / "model.nb"), pickle.loads(pickle.dumps(model))):
        assert other.to_bytes() == model.to_bytes()
        assert np.array_equal(other.predict_log_proba(X), model.predict_log_proba(X))
    whole = nbayes.NaiveBayes.load(tmp_path / "model.nb")
    assert np.array_equal(whole.predict(X), model.predict(X))


@pytest.mark.parametrize(("bins", "n_cuts"), [("width:4", 3), ("frequency:5", 4)])
def test_bins_without_labels_are_as_many_as_named(bins: str, n_cuts: int) -> None:
    X, y = load_iris(return_X_y=True)
    model = nbayes.BinnedNB(bins=bins).fit(X, y)
    assert all(len(cuts) <= n_cuts for cuts in model.cuts_)
    assert len(model.cuts_[0]) == n_cuts
    counts = np.bincount(np.searchsorted(model.cuts_[0], X[y == 0, 0], side="left"), minlength=n_cuts + 1)
    expected = np.log((counts + 1) / (50 + n_cuts + 1))
    assert np.allclose(model.feature_log_prob_[0][0], expected, rtol=1e-14)


def test_bins_by_description_length_separate_the_classes() -> None:
    X, y = load_iris(return_X_y=True)
    for bins in ("mdl", "modl"):
        assert nbayes.BinnedNB(bins=bins).fit(X, y).score(X, y) > 0.93
    with pytest.raises(ValueError, match="there is no rule for bins"):
        nbayes.BinnedNB(bins="ten").fit(X, y)


def test_kernel_densities_are_those_of_scipy() -> None:
    X, y = load_iris(return_X_y=True)
    column = X[:, :1]
    model = nbayes.KernelNB(bandwidth=0.3).fit(column, y)
    at = np.linspace(4.5, 7.5, 50)[:, None]
    own = model.predict_joint_log_proba(at) - np.log(model.class_prior_)
    for label in range(3):
        rows = column[y == label, 0]
        theirs = gaussian_kde(rows, bw_method=0.3 / rows.std(ddof=1)).logpdf(at[:, 0])
        usual = theirs > -12
        assert np.abs(own[usual, label] - theirs[usual]).max() < 5e-3


def test_powers_are_those_of_scikit_learn() -> None:
    X, _ = load_wine(return_X_y=True)
    positive = X[:, [0, 4, 9]]
    one_class = np.zeros(len(X), dtype=int)
    model = nbayes.PowerNB(power="box-cox").fit(positive, one_class)
    theirs = PowerTransformer(method="box-cox").fit(positive).lambdas_
    assert np.allclose(model.lambdas_, theirs, atol=1e-5)


def test_logarithms_need_positive_numbers() -> None:
    with pytest.raises(ValueError, match="column 0"):
        nbayes.PowerNB(power="log").fit([[1.0], [-2.0], [3.0], [4.0]], [0, 0, 1, 1])


@pytest.mark.parametrize("Estimator", DEPENDENT)
def test_features_that_depend_on_each_other(Estimator: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, size=(400, 3)).astype(float)
    y = (X[:, 0] != X[:, 1]).astype(int)
    model = Estimator(bins="width:2").fit(X[:200], y[:200])
    assert model.score(X[200:], y[200:]) == 1.0
    assert nbayes.BinnedNB(bins="width:2").fit(X[:200], y[:200]).score(X[200:], y[200:]) < 0.8
    assert [len(cuts) for cuts in model.cuts_] == [1, 1, 1]
    with pytest.raises(ValueError, match="no sum over columns"):
        model.explain(X[:1])
    if Estimator is nbayes.TAN:
        assert model.parents_.tolist()[:2] == [-1, 0]
    if Estimator is nbayes.HNB:
        assert model.weights_.shape == (3, 3)
        assert model.weights_[0, 1] > 0.9
    if Estimator in (nbayes.WAODE, nbayes.ASAODE):
        assert np.isclose(model.weights_.sum(), 1.0)
    model.save(tmp_path / "m.nb")
    divided = Estimator(bins="width:2", pseudo_counts="divided").fit(X[:200], y[:200])
    assert not np.allclose(divided.predict_proba(X), model.predict_proba(X))
    divided.save(tmp_path / "divided.nb")
    assert Estimator.load(tmp_path / "divided.nb").pseudo_counts == "divided"
    assert Estimator.load(tmp_path / "m.nb").pseudo_counts == "each"
    wine = load_wine(return_X_y=True)
    alone = model.set_params(bins="mdl").fit(*wine).leave_one_out(*wine)
    assert np.allclose(np.exp(alone).sum(axis=1), 1.0)


def test_edges_of_trees_by_other_scores(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, size=(400, 3)).astype(float)
    y = rng.integers(0, 2, size=400)
    X[:, 1] = np.where(rng.random(400) < 0.9, X[:, 0], X[:, 1])
    assert nbayes.TAN(bins="width:2").fit(X, y).parents_.tolist()[:2] == [-1, 0]
    model = nbayes.TAN(bins="width:2", edge_score="bic").fit(X, y)
    assert model.parents_.tolist() == [-1, 0, -1]
    model.save(tmp_path / "m.nb")
    assert nbayes.TAN.load(tmp_path / "m.nb").edge_score == "bic"
    with pytest.raises(ValueError, match="edge_score"):
        nbayes.TAN(edge_score="mdl").fit(X, y)


@pytest.mark.parametrize("Estimator", [nbayes.AODE, nbayes.TAN])
def test_counts_of_pairs_that_take_too_much_memory_are_refused(Estimator: Any) -> None:
    # 2880 · 2881 / 2 pairs of 24 bytes each in 11 classes are more than 1 GiB.
    X = np.random.default_rng(0).random((22, 288))
    model = Estimator(bins="width:10")
    with pytest.raises(ValueError, match='2880 bins and categories, and 11 classes, .* limit is 1073741824 bytes: use fewer bins'):
        model.fit(X, np.arange(22) % 11)
    assert not hasattr(model, "classes_")
