"""Names of features, as scikit-learn has them, and samples that are scaled on one side only."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import isthmus
from isthmus import metrics

NAMES = ["a", "b", "c", "d"]


@pytest.fixture
def frames(shifted):
    X, y, X_target, y_target = shifted
    return pd.DataFrame(X, columns=NAMES), y, pd.DataFrame(X_target, columns=NAMES), y_target


def test_names_are_kept_and_checked(estimator_class, frames):
    X, y, X_target, _ = frames
    estimator = estimator_class().fit(X, y, X_target=X_target)
    assert estimator.feature_names_in_.tolist() == NAMES
    assert estimator.n_features_in_ == 4
    assert estimator.model_.feature_names == NAMES
    turned = X_target[NAMES[::-1]]
    for method in estimator.predict, estimator.predict_proba, estimator.transform:
        method(X_target)
        with pytest.raises(ValueError, match="same order as they were in fit"):
            method(turned)
        with pytest.raises(ValueError, match="unseen at fit time:\n- e"):
            method(X_target.rename(columns={"a": "e"}))
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            method(X_target.to_numpy())


def test_the_target_must_have_the_names_of_the_source(frames):
    X, y, X_target, _ = frames
    for wrong, message in [
        (X_target[NAMES[::-1]], "same order"),
        (X_target.rename(columns={"b": "e"}), "unseen at fit time:\n- e"),
        (X_target[["a", "b", "c"]], "missing:\n- d"),
    ]:
        with pytest.raises(ValueError, match=message):
            isthmus.CORAL().fit(X, y, X_target=wrong)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        isthmus.CORAL().fit(X, y, X_target=X_target.to_numpy())
    with pytest.warns(UserWarning, match="fitted without feature names"):
        plain = isthmus.CORAL().fit(X.to_numpy(), y, X_target=X_target)
    assert not hasattr(plain, "feature_names_in_") and plain.model_.feature_names == []


def test_names_go_through_files_pickles_and_the_program(frames, tmp_path, program):
    X, y, X_target, _ = frames
    estimator = isthmus.CORAL(preprocess="none").fit(X, y, X_target=X_target)
    isthmus.save(estimator, tmp_path / "m.safetensors")
    for again in isthmus.load(tmp_path / "m.safetensors"), pickle.loads(pickle.dumps(estimator)):
        assert again.feature_names_in_.tolist() == NAMES
        with pytest.raises(ValueError, match="same order"):
            again.predict(X_target[NAMES[::-1]])
    # The program puts columns in order; an index goes along as ids.
    X_target[NAMES[::-1]].to_csv(tmp_path / "new.csv")
    program("predict", "--model", tmp_path / "m.safetensors", "--input", tmp_path / "new.csv", "-o", tmp_path / "l.csv")
    labels = pd.read_csv(tmp_path / "l.csv")
    assert labels["sample"].tolist() == X_target.index.tolist()
    np.testing.assert_array_equal(labels["label"], estimator.predict(X_target))


def test_a_refit_without_names_forgets_them(frames):
    X, y, _, _ = frames
    estimator = isthmus.CORAL().fit(X, y)
    assert not hasattr(estimator.fit(X.to_numpy(), y), "feature_names_in_")


def test_scores_look_at_names_too(frames):
    X, y, X_target, _ = frames
    estimator = isthmus.CORAL().fit(X, y, X_target=X_target)
    assert np.isfinite(metrics.score(estimator, X, y, X_target, "entropy")["entropy"])
    with pytest.raises(ValueError, match="same order"):
        metrics.score(estimator, X, y, X_target[NAMES[::-1]], "entropy")
    both = pd.concat([X, X_target], ignore_index=True)
    domain = np.concatenate([np.full(len(X), 1), np.full(len(X_target), -2)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labels = np.concatenate([y, np.full(len(X_target), -1)])
        value = metrics.LabelFreeScorer("entropy")(estimator, both, labels, sample_domain=domain)
    assert value == -metrics.score(estimator, X, y, X_target, "entropy")["entropy"]


def test_read_tells_names_and_ids(frames, tmp_path):
    X, y, _, _ = frames
    X.assign(kind=y, note="text").set_index(pd.Index([f"s{i}" for i in range(len(X))])).to_csv(tmp_path / "x.csv")
    data = isthmus.datasets.read(tmp_path / "x.csv", labels="kind", drop=["note"])
    assert data.feature_names == NAMES and data.ids[:2] == ["s0", "s1"]
    np.testing.assert_allclose(data.X, X)
    chosen = isthmus.datasets.read(tmp_path / "x.csv", labels="kind", features=["d", 2], id="note")
    assert chosen.feature_names == ["a", "d"] and chosen.ids[0] == "text"
    X.to_csv(tmp_path / "bare.csv", header=False, index=False)
    bare = isthmus.datasets.read(tmp_path / "bare.csv")
    assert bare.feature_names is None and bare.ids is None and bare.y is None
    with pytest.raises(OSError, match="no column is called 'noet'"):
        isthmus.datasets.read(tmp_path / "x.csv", drop=["noet"])


def fits_silently(fit):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit()
    return not any("lies far from the source" in str(warning.message) for warning in caught)


def test_an_unscaled_target_is_warned_of_or_scaled(digits):
    X, y, X_target = digits.X_source, digits.y_source, digits.X_target
    pipeline = make_pipeline(StandardScaler(), isthmus.TCA(components=20, preprocess="l2"))
    with config_context(enable_metadata_routing=False), pytest.warns(UserWarning, match="lies far from the source"):
        pipeline.fit(X, y, tca__X_target=X_target)
    unscaled = pipeline[-1].labels_target_
    domain = np.concatenate([np.full(len(X), 1), np.full(len(X_target), -2)])
    both, labels = np.vstack([X, X_target]), np.concatenate([y, np.full(len(X_target), -1)])
    with config_context(enable_metadata_routing=True):
        assert fits_silently(lambda: pipeline.fit(both, labels, sample_domain=domain))
        routed = Pipeline(pipeline.steps, transform_input=["X_target"])
        assert fits_silently(lambda: routed.fit(X, y, X_target=X_target))
    scaled = StandardScaler().fit(X)
    by_hand = isthmus.TCA(components=20, preprocess="l2")
    by_hand.fit(scaled.transform(X), y, X_target=scaled.transform(X_target))
    np.testing.assert_array_equal(routed[-1].labels_target_, by_hand.labels_target_)
    assert fits_silently(lambda: isthmus.TCA(components=20).fit(X, y, X_target=X_target))
    # The default sees that the domains are in other units.
    with config_context(enable_metadata_routing=False):
        pipeline = make_pipeline(StandardScaler(), isthmus.TCA(components=20)).fit(X, y, tca__X_target=X_target)
    assert pipeline[-1].preprocess_ == "zscore:domain,l2"
    right = pipeline[-1].labels_target_ == digits.y_target
    assert right.mean() > (unscaled == digits.y_target).mean() + 0.2
