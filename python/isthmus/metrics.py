"""Scores that judge an adaptation without target labels, by themselves and as scikit-learn scorers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.metadata_routing import MetadataRequest
from sklearn.utils.validation import _num_samples, check_is_fitted, validate_data

from . import _core
from ._samples import SAMPLES, check_domains

__all__ = ["LabelFreeScorer", "describe", "names", "score"]


def names() -> list[str]:
    """The scores that judge one model; "agreement" compares several and is the program's alone."""
    return [each.name for each in _core.scores() if each.name != "agreement"]


def describe(name: str) -> _core.Score:
    """What a score measures, when it misleads, where it comes from, and whether more is better."""
    return _core.find_score(name)


def _check(name):
    if _core.find_score(name).name not in names():
        raise ValueError(f"the score '{name}' compares several models; scores of one are: {', '.join(names())}")
    return name


def _last(estimator, *samples):
    """The fitted estimator at the end of a pipeline, and the samples as they reach it."""
    if isinstance(estimator, Pipeline):
        if len(estimator) > 1:
            samples = [estimator[:-1].transform(X) for X in samples]
        estimator = estimator[-1]
    if not hasattr(estimator, "_method"):
        raise TypeError(
            f"a label-free score needs an Isthmus estimator (or a Pipeline that ends in one), not {estimator!r}"
        )
    check_is_fitted(estimator)
    return estimator, *(validate_data(estimator, X, reset=False, **SAMPLES) for X in samples)


def score(
    estimator: BaseEstimator,
    X_source: ArrayLike,
    y_source: ArrayLike,
    X_target: ArrayLike,
    scores: str | Sequence[str] | None = None,
    *,
    random_state: int = 0,
) -> dict[str, float]:
    """Scores by name of the labels a fitted estimator predicts for target samples; target labels are not asked for.

    `scores` is a name or a list of names; all by default. "reverse" fits once more, the other way round.
    """
    wanted = names() if scores is None else [scores] if isinstance(scores, str) else scores
    wanted = [_check(name) for name in wanted]
    estimator, X_source, X_target = _last(estimator, X_source, X_target)
    y_source = np.asarray(y_source)
    unknown = np.setdiff1d(y_source, estimator.classes_)
    if len(unknown):
        raise ValueError(f"the source has labels the estimator was not fitted on: {unknown.tolist()}")
    order = np.argsort(estimator.classes_)
    ids = order[np.searchsorted(estimator.classes_, y_source, sorter=order)]
    threads = estimator._threads()
    return _core.score_model(estimator.model_, X_source, ids, X_target, wanted, threads, random_state)


class LabelFreeScorer(BaseEstimator):
    """A label-free score as a scikit-learn scorer: higher is better, whatever the score itself says.

    Parameters
    ----------
    name : str
        One of `names()`.
    X_target : array-like, default=None
        The target samples to judge on. Without them the scorer is passed `sample_domain` (metadata routing does
        so by itself) and judges on the target samples of the fold.

    Examples
    --------
    >>> GridSearchCV(JDA(), {"components": [10, 20]}, scoring=LabelFreeScorer("entropy", X_target=X_target))
    """

    def __init__(self, name: str, *, X_target: ArrayLike | None = None):
        self.name = name
        self.X_target = X_target

    def get_metadata_routing(self):
        """Asks scikit-learn's metadata routing for `sample_domain`, unless the target is known."""
        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_domain", alias=self.X_target is None)
        return request

    def __call__(
        self, estimator: BaseEstimator, X: ArrayLike, y: ArrayLike, *, sample_domain: ArrayLike | None = None
    ) -> float:
        y, X_target = np.asarray(y), self.X_target
        if X_target is None:
            if sample_domain is None:
                raise ValueError("a label-free scorer needs target samples: give it X_target, or pass sample_domain")
            source = check_domains(sample_domain, _num_samples(X)) > 0
            X, y, X_target = _safe_indexing(X, source), y[source], _safe_indexing(X, ~source)
        value = score(estimator, X, y, X_target, self.name)[self.name]
        return value if describe(self.name).higher_is_better else -value
