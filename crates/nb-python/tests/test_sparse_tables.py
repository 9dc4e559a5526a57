"""Sparse rows give the bytes and the answers of the same rows with all of their cells, and are never dense as a whole."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from nbayes import NaiveBayes, RefinedNB, WeightedNB
from sklearn.base import clone
from tables import messages

FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr"]


def counts(n_rows: int = 400, n_terms: int = 80) -> tuple[scipy.sparse.csr_array, np.ndarray]:
    """The first messages as counts of some terms that are in many of them."""
    X, y = messages()
    frequent = np.sort(np.argsort(-(X != 0).sum(axis=0), kind="stable")[:n_terms])
    return X[:n_rows][:, frequent], y[:n_rows]


@pytest.mark.parametrize(
    "estimator", [NaiveBayes(), NaiveBayes(effort="plain"), NaiveBayes(effort="sums_only"), WeightedNB(), RefinedNB()], ids=str
)
def test_sparse_and_dense_rows_are_the_same_model(estimator: Any) -> None:
    X, y = counts()
    sparse, dense = clone(estimator).fit(X[:300], y[:300]), clone(estimator).fit(X[:300].toarray(), y[:300])
    assert sparse.to_bytes() == dense.to_bytes()
    assert (sparse.columns_, sparse.left_out_, sparse.warnings_) == (dense.columns_, dense.left_out_, dense.warnings_)
    rest = X[300:]
    assert np.array_equal(sparse.predict_proba(rest), dense.predict_proba(rest.toarray()))
    assert np.array_equal(sparse.predict(rest), dense.predict(rest.toarray()))
    # Either takes the other's rows.
    assert np.array_equal(sparse.predict_proba(rest.toarray()), dense.predict_proba(rest))
    assert sparse.score(rest, y[300:]) == dense.score(rest.toarray(), y[300:])
    assert np.array_equal(sparse.explain(rest, 7).contributions, dense.explain(rest.toarray(), 7).contributions)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("array", [True, False])
def test_all_formats_are_read(form: str, array: bool) -> None:
    X, y = counts(200, 20)
    made = getattr(scipy.sparse, f"{form}_{'array' if array else 'matrix'}")(X)
    model = NaiveBayes(effort="plain").fit(made, y)
    assert model.to_bytes() == NaiveBayes(effort="plain").fit(X.toarray(), y).to_bytes()
    assert np.array_equal(model.predict(made), model.predict(X.toarray()))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, np.uint16, np.uint64, bool])
def test_cells_have_the_kind_of_their_type(dtype: Any) -> None:
    X, y = counts(200, 20)
    X = X.astype(dtype)
    sparse, dense = NaiveBayes().fit(X, y), NaiveBayes().fit(X.toarray(), y)
    assert sparse.to_bytes() == dense.to_bytes() and sparse.columns_ == dense.columns_


def test_negative_and_missing_cells_and_zeros_that_are_stored() -> None:
    X = counts(200, 20)[0].copy()
    y = counts(200, 20)[1]
    X.data[::7] *= -1.5
    X.data[::11] = np.nan
    X.data[::13] = 0.0
    assert NaiveBayes().fit(X, y).to_bytes() == NaiveBayes().fit(X.toarray(), y).to_bytes()


def test_weights_groups_and_later_rows() -> None:
    X, y = counts()
    weights, groups = np.arange(300) % 3 + 1.0, np.arange(300) // 5
    fits = [
        NaiveBayes().fit(rows[:300], y[:300], sample_weight=weights, groups=groups) for rows in (X, X.toarray())
    ]
    assert fits[0].to_bytes() == fits[1].to_bytes()
    later = np.full(100, 2.0)
    before = fits[0].predict_proba(X)
    fits[0].partial_fit(X[300:], y[300:], sample_weight=later)
    assert fits[0].to_bytes() == fits[1].partial_fit(X[300:].toarray(), y[300:], sample_weight=later).to_bytes()
    assert not np.array_equal(fits[0].predict_proba(X), before)
    fits[0].forget(X[300:], y[300:], sample_weight=later)
    assert fits[0].to_bytes() == fits[1].forget(X[300:].toarray(), y[300:], sample_weight=later).to_bytes()


def test_loaded_models_take_sparse_rows_of_fit() -> None:
    X, y = counts()
    X = scipy.sparse.hstack([scipy.sparse.csr_array((400, 3)), X], format="coo")
    model = NaiveBayes().fit(X, y)
    assert len(model.left_out_) >= 3
    loaded = NaiveBayes.from_bytes(model.to_bytes())
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_wrong_sparse_rows_are_named_and_change_nothing() -> None:
    X, y = counts(200, 20)
    model = NaiveBayes(effort="plain").fit(X, y)
    before = model.to_bytes()
    wide = scipy.sparse.csr_array((5, 100_001))
    with pytest.raises(ValueError, match="X has 100,001 columns; NaiveBayes looks at each column.*at most 100,000"):
        model.fit(wide, [0, 1, 0, 1, 0])
    with pytest.raises(ValueError, match="whole numbers beyond 2.53"):
        model.fit((X * 0 + X.astype(np.int64) * 2**60).astype(np.int64), y)
    with pytest.raises((TypeError, ValueError), match="complex|Complex"):
        model.fit(X.astype(np.complex128), y)
    with pytest.raises(ValueError, match="X has 19 features"):
        model.predict(X[:, :19])
    damaged = X.copy()
    damaged.indices[3] = 10**6
    with pytest.raises(ValueError, match="the sparse matrix is damaged"):
        model.predict(damaged)
    with pytest.raises(ValueError):
        model.fit(X[:0], [])
    infinite = X.copy()
    infinite.data[5] = np.inf
    with pytest.raises(ValueError, match="inf"):
        model.fit(infinite, y)
    assert model.to_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="the memory of a process is read as Unix has it")
def test_wide_rows_are_never_dense_as_a_whole() -> None:
    """20,000 rows of 20,000 columns would take 3.2 GB with all of their cells; the process has 1 GiB."""
    program = """
import resource
resource.setrlimit(resource.RLIMIT_DATA, (2**30, 2**30))
import numpy, scipy.sparse
from nbayes import NaiveBayes
rng = numpy.random.default_rng(0)
places = rng.integers(20_000, size=(20_000, 5))
X = scipy.sparse.coo_array((numpy.ones(places.size), (numpy.repeat(numpy.arange(20_000), 5), places.ravel())), shape=(20_000, 20_000))
X = X.tocsr()
y = numpy.arange(20_000) % 2
X = scipy.sparse.hstack([X[:, :400], scipy.sparse.csr_array((20_000, 19_600))], format="csr")
model = NaiveBayes(effort="sums_only").fit(X, y)
print(len(model.predict(X)), len(model.columns_) + len(model.left_out_))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["20000", "20000"], done.stderr[-2000:]
