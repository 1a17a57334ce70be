"""scikit-learn and skada as clients."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import isthmus

skada = pytest.importorskip("skada")
from skada import metrics as skada_metrics  # noqa: E402
from skada.model_selection import SourceTargetShuffleSplit, StratifiedDomainShuffleSplit  # noqa: E402


@pytest.fixture
def packed(shifted):
    X, y, X_target, y_target = shifted
    return (
        np.vstack([X, X_target]),
        np.concatenate([y, y_target]),
        np.concatenate([np.full(len(X), 1), np.full(len(X_target), -2)]),
    )


@pytest.mark.parametrize("routing", [False, True])
def test_an_ordinary_classifier_in_scikit_learns_tools(routing, shifted):
    X, y, _, _ = shifted
    with config_context(enable_metadata_routing=routing):
        pipeline = make_pipeline(StandardScaler(), isthmus.JDA(components=2))
        assert cross_val_score(pipeline, X, y, cv=ShuffleSplit(3, random_state=0)).mean() > 0.8
        search = GridSearchCV(pipeline, {"jda__components": [1, 2], "jda__preprocess": ["none", "l2"]}, cv=3)
        search.fit(X, y)
        assert search.best_score_ > 0.8
        first = Pipeline([("adapter", isthmus.TCA(components=2)), ("classifier", LogisticRegression())]).fit(X, y)
        assert first.score(X, y) > 0.8


def test_domains_reach_the_estimator_with_routing_off(packed):
    X, y, domain = packed
    with config_context(enable_metadata_routing=False):
        pipeline = make_pipeline(StandardScaler(), isthmus.JDA(components=2)).fit(X, y, jda__sample_domain=domain)
        assert len(pipeline[-1].labels_target_) == 60
        pipeline = make_pipeline(StandardScaler(), isthmus.JDA(components=2))
        pipeline.fit(X[domain > 0], y[domain > 0], jda__X_target=X[domain < 0])
        assert len(pipeline[-1].labels_target_) == 60


def test_domains_reach_the_estimator_with_routing_on(packed):
    X, y, domain = packed
    with config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(StandardScaler(), isthmus.JDA(components=2)).fit(X, y, sample_domain=domain)
        assert len(pipeline[-1].labels_target_) == 60
        first = make_pipeline(isthmus.SubspaceAlignment(components=2), LogisticRegression())
        first.fit(X, y, sample_domain=domain)
        assert first[0].model_.target.labels.shape == (60,)
        search = GridSearchCV(isthmus.JDA(), {"components": [1, 2]}, cv=ShuffleSplit(2, random_state=0))
        assert len(search.fit(X, y, sample_domain=domain).best_estimator_.labels_target_) == 60
        pipeline = make_pipeline(StandardScaler(), isthmus.JDA(components=2))
        pipeline.fit(X[domain > 0], y[domain > 0], X_target=X[domain < 0])
        assert len(pipeline[-1].labels_target_) == 60


SCORERS = {
    "entropy": skada_metrics.PredictionEntropyScorer(),
    "soft neighbourhood density": skada_metrics.SoftNeighborhoodDensity(),
    "deep embedded validation": skada_metrics.DeepEmbeddedValidation(),
    "circular": skada_metrics.CircularValidation(),
}


@pytest.mark.parametrize("scorer", SCORERS.values(), ids=SCORERS)
@pytest.mark.parametrize("splitter", [SourceTargetShuffleSplit, StratifiedDomainShuffleSplit])
@pytest.mark.parametrize(
    "steps",
    [
        lambda: [StandardScaler(), isthmus.JDA(components=2)],
        lambda: [isthmus.TCA(components=2), LogisticRegression()],
    ],
    ids=["classifier", "transformer"],
)
def test_skadas_pipeline_scorers_and_splitters_take_an_adapter(steps, splitter, scorer, packed):
    X, y, domain = packed
    y[domain < 0] = -1  # as skada hides labels
    with config_context(enable_metadata_routing=True):
        pipeline = skada.make_da_pipeline(*steps())
        scores = cross_val_score(
            pipeline,
            X,
            y,
            params={"sample_domain": domain},
            cv=splitter(n_splits=2, test_size=0.3, random_state=0),
            scoring=scorer,
            error_score="raise",
        )
    assert scores.shape == (2,) and np.isfinite(scores).all()


def test_skadas_pipeline_hands_over_the_target_without_its_labels(packed):
    X, y, domain = packed
    with config_context(enable_metadata_routing=True):
        pipeline = skada.make_da_pipeline(isthmus.CORAL()).fit(X, y.copy(), sample_domain=domain)
        adapter = pipeline[-1].get_estimator()
    alone = isthmus.CORAL().fit(X[domain > 0], y[domain > 0], X_target=X[domain < 0])
    assert adapter.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(adapter.labels_target_, alone.labels_target_)


def test_a_method_of_skada_does_about_as_well_on_the_same_data(packed):
    X, y, domain = packed
    with config_context(enable_metadata_routing=True):
        theirs = skada.TransferComponentAnalysis(n_components=2).fit(X, y.copy(), sample_domain=domain)
        score = theirs.score(X[domain < 0], y[domain < 0], sample_domain=domain[domain < 0])
    ours = isthmus.TCA(components=2, preprocess="none").fit(X, y, sample_domain=domain)
    assert ours.score(X[domain < 0], y[domain < 0]) >= score - 0.1
