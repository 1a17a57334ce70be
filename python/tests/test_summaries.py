"""Summaries of rows: equal to NumPy's, the same bytes for any division of the rows, and fit to travel."""

import pickle

import numpy as np
import pytest

from isthmus import summaries
from isthmus.summaries import FOLD_BLOCK

X = np.random.default_rng(0).normal(size=(5 * FOLD_BLOCK + 100, 6)) + 3.0
LABELS = np.arange(len(X)) % 4

MAKE = {
    "Moments": lambda: summaries.Moments(6),
    "FeatureMoments": lambda: summaries.FeatureMoments(6),
    "ClassSums": lambda: summaries.ClassSums(6, 5),
    "Extent": lambda: summaries.Extent(6),
    "Draw": lambda: summaries.Draw(6, 200, seed=3),
}


def added(name, begin, end, threads=1):
    summary = MAKE[name]()
    if name == "ClassSums":
        summary.add(X[begin:end], begin, LABELS[begin:end], threads=threads)
    else:
        summary.add(X[begin:end], begin, threads=threads)
    return summary


@pytest.mark.parametrize("name", MAKE)
def test_parts_merge_to_the_bytes_of_one_pass(name):
    whole = added(name, 0, len(X))
    for threads in 2, 8:
        assert added(name, 0, len(X), threads).to_bytes() == whole.to_bytes()
    merged = MAKE[name]()
    for begin, end in (3, 5), (0, 1), (5, 6), (1, 3):
        part = added(name, begin * FOLD_BLOCK, min(end * FOLD_BLOCK, len(X)))
        merged.merge(pickle.loads(pickle.dumps(part)))
    assert merged.to_bytes() == whole.to_bytes()
    assert type(whole).from_bytes(whole.to_bytes()).to_bytes() == whole.to_bytes()


def test_values_are_those_of_numpy():
    moments = added("Moments", 0, len(X))
    assert moments.count == len(X)
    np.testing.assert_allclose(moments.mean, X.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(moments.scatter / (len(X) - 1), np.cov(X.T), rtol=1e-10, atol=1e-12)
    features = added("FeatureMoments", 0, len(X))
    np.testing.assert_allclose(features.deviation, X.std(axis=0), rtol=1e-13)
    extent = added("Extent", 0, len(X))
    np.testing.assert_array_equal(extent.minimum, X.min(axis=0))
    np.testing.assert_array_equal(extent.maximum, X.max(axis=0))
    assert extent.not_finite is None
    sums = added("ClassSums", 0, len(X))
    np.testing.assert_array_equal(sums.counts, np.bincount(LABELS, minlength=5))
    np.testing.assert_allclose(sums.means[2], X[LABELS == 2].mean(axis=0), rtol=1e-13)
    draw = added("Draw", 0, len(X))
    assert len(np.unique(draw.rows)) == 200
    np.testing.assert_array_equal(draw.samples, X[draw.rows])


def test_single_precision_is_read_as_it_is():
    single = X.astype(np.float32)
    a, b = summaries.Moments(6), summaries.Moments(6)
    a.add(single)
    b.add(single.astype(np.float64))
    assert a.to_bytes() == b.to_bytes()


def test_the_first_value_that_is_not_finite_is_found():
    broken = X.copy()
    broken[2000, 3] = np.nan
    extent = summaries.Extent(6)
    extent.add(broken)
    assert extent.not_finite == (2000, 3)


def test_mistakes_are_refused():
    moments = added("Moments", 0, FOLD_BLOCK)
    with pytest.raises(ValueError, match="multiple of 1024"):
        moments.add(X, 17)
    with pytest.raises(ValueError, match="added before"):
        moments.merge(added("Moments", 0, FOLD_BLOCK))
    with pytest.raises(ValueError, match="features"):
        moments.add(X[:, :3].copy(), FOLD_BLOCK)
    gap = added("Moments", FOLD_BLOCK, 2 * FOLD_BLOCK)
    with pytest.raises(ValueError, match="missing"):
        gap.mean
    damaged = bytearray(moments.to_bytes())
    damaged[60] ^= 1
    with pytest.raises(ValueError, match="cannot be read"):
        summaries.Moments.from_bytes(bytes(damaged))
    with pytest.raises(ValueError, match="another kind"):
        summaries.Moments.from_bytes(added("Extent", 0, 100).to_bytes())
    with pytest.raises(ValueError, match="labels"):
        summaries.ClassSums(6, 5).add(X, 0, LABELS[:7])
    with pytest.raises(ValueError, match="class number"):
        summaries.ClassSums(6, 2).add(X, 0, LABELS)
