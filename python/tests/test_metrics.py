"""Scores without target labels."""

import pickle

import numpy as np
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import isthmus
from isthmus import metrics


def test_every_score_is_a_number_for_every_method(estimator_class, shifted):
    X, y, X_target, _ = shifted
    estimator = estimator_class().fit(X, y, X_target=X_target)
    values = metrics.score(estimator, X, y, X_target)
    assert sorted(values) == sorted(metrics.names()) and len(values) >= 8
    assert np.isfinite(list(values.values())).all()


def test_scores_say_what_they_are_defined_to(shifted):
    X, y, X_target, _ = shifted
    estimator = isthmus.CORAL().fit(X, y, X_target=X_target)
    proba = estimator.predict_proba(X_target)
    entropy = -(proba * np.log(np.clip(proba, 1e-300, None))).sum(axis=1).mean() / np.log(3)
    assert metrics.score(estimator, X, y, X_target, "entropy")["entropy"] == pytest.approx(entropy, abs=1e-9)
    from sklearn.metrics import silhouette_score

    expected = silhouette_score(estimator.transform(X_target), estimator.predict(X_target))
    assert metrics.score(estimator, X, y, X_target, ["silhouette"])["silhouette"] == pytest.approx(expected, abs=1e-9)


def test_labels_in_any_order_mean_the_same(shifted):
    X, y, X_target, _ = shifted
    plain = isthmus.CORAL().fit(X, y, X_target=X_target)
    floats = np.array([2.0, 10.0, 2.0**60])[y]
    odd = isthmus.CORAL().fit(X, floats, X_target=X_target)
    assert odd.classes_.tolist() != sorted(odd.classes_)
    expected = metrics.score(plain, X, y, X_target)
    found = metrics.score(odd, X, floats, X_target)
    for name in "iwv", "dev", "silhouette", "reverse":
        assert found[name] == pytest.approx(expected[name])


@pytest.mark.parametrize("name", metrics.names())
def test_scores_are_scorers_of_scikit_learn(name, shifted):
    X, y, X_target, _ = shifted
    domain = np.concatenate([np.full(90, 1), np.full(60, -2)])
    both, labels = np.vstack([X, X_target]), np.concatenate([y, np.full(60, -1)])
    folds = ShuffleSplit(2, test_size=0.4, random_state=0)
    scorer = metrics.LabelFreeScorer(name, X_target=X_target)
    for routing in False, True:
        with config_context(enable_metadata_routing=routing):
            search = GridSearchCV(isthmus.JDA(), {"components": [1, 2]}, scoring=scorer, cv=folds)
            search.fit(X, y, X_target=X_target)
            assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    with config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(StandardScaler(), isthmus.JDA(components=2))
        scores = cross_val_score(
            pipeline,
            both,
            labels,
            params={"sample_domain": domain},
            scoring=metrics.LabelFreeScorer(name),
            cv=folds,
            error_score="raise",
        )
    assert np.isfinite(scores).all()
    estimator = isthmus.JDA(components=2).fit(X, y, X_target=X_target)
    value = metrics.score(estimator, X, y, X_target, name)[name]
    assert pickle.loads(pickle.dumps(scorer))(estimator, X, y) == (
        value if metrics.describe(name).higher_is_better else -value
    )


def test_wrong_scores_and_estimators_are_named(shifted):
    X, y, X_target, _ = shifted
    estimator = isthmus.CORAL().fit(X, y, X_target=X_target)
    with pytest.raises(ValueError, match="did you mean 'snd'"):
        metrics.score(estimator, X, y, X_target, "sndd")
    with pytest.raises(ValueError, match="compares several"):
        metrics.score(estimator, X, y, X_target, "agreement")
    with pytest.raises(ValueError, match=r"not fitted on: \[7\]"):
        metrics.score(estimator, X, np.where(y == 0, 7, y), X_target)
    with pytest.raises(ValueError, match="90 samples but 3 labels"):
        metrics.score(estimator, X, y[:3], X_target)
    with pytest.raises(ValueError, match="the target holds nan"):
        metrics.score(estimator, X, y, np.full((2, 4), np.nan), "mmd")
    with pytest.raises(ValueError, match="4 features a sample and the target 3|3 features"):
        metrics.score(estimator, X, y, X_target[:, :3], "mmd")
    with pytest.raises(TypeError, match="needs an Isthmus estimator"):
        metrics.score(LogisticRegression().fit(X, y), X, y, X_target)
    with pytest.raises(ValueError, match="give it X_target"):
        metrics.LabelFreeScorer("snd")(estimator, X, y)
