"""Pictures of an adaptation, with matplotlib (optional: `pip install isthmus[plot]`).

Every function draws into `ax` (or new axes) and returns what it drew into.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import ConfusionMatrixDisplay

from ._estimators import PCAAdapter

__all__ = ["confusion", "convergence", "domains", "explanations"]


def _scatter(ax, source, target, y_source, y_target, classes, title):
    for marker, points, labels, name in (("o", source, y_source, "source"), ("x", target, y_target, "target")):
        ids = np.searchsorted(classes, labels)
        ax.scatter(*points.T, c=ids, cmap="tab20", vmin=0, vmax=19, marker=marker, s=12, alpha=0.6, label=name)
    ax.set(title=title, xticks=[], yticks=[])
    ax.legend(loc="best")


def domains(estimator, X_source, y_source, X_target, *, axes=None):
    """Both domains before and after adaptation, each in its two main directions. Colours are classes: the
    source's own, and the labels the estimator gives the target."""
    axes = plt.subplots(1, 2, figsize=(10, 5))[1] if axes is None else axes
    y_target = estimator.predict(X_target)
    every = np.ones(len(X_source), dtype=int)
    embedded = estimator.transform(X_source, sample_domain=every), estimator.transform(X_target)
    for ax, title, (source, target) in zip(axes, ("before", "after"), ((X_source, X_target), embedded)):
        flat = PCAAdapter(components=2, preprocess="none").fit(source, y_source, X_target=target)
        _scatter(ax, flat.transform(source), flat.transform(target), y_source, y_target, estimator.classes_, title)
    return axes


def convergence(estimator, *, series=None, ax=None):
    """Numbers of `report_` by iteration; `series` names them (the objective where there is one, else all)."""
    ax = plt.subplots()[1] if ax is None else ax
    if series is None:
        series = ["objective"] if "objective" in estimator.report_ else list(estimator.report_)
    for name in series:
        values = estimator.report_[name]
        ax.plot(np.arange(1, len(values) + 1), values, marker=".", label=name)
    ax.set(xlabel="iteration", title=f"{type(estimator).__name__}: {estimator.status_}")
    if series:
        ax.legend()
    return ax


def explanations(estimator, *, ax=None):
    """Z, as far as the model keeps it: the source samples (rows) that rebuild each target sample (columns)."""
    positions = estimator.model_.target.explained_by
    if positions is None:
        raise ValueError(f"this {type(estimator).__name__} does not tell which source samples explain a target sample")
    ax = plt.subplots()[1] if ax is None else ax
    weights = estimator.model_.target.explanation_weights
    samples = np.broadcast_to(np.arange(len(positions))[:, None], positions.shape)
    known = positions >= 0
    drawn = ax.scatter(samples[known], positions[known], c=weights[known], s=2, cmap="viridis")
    ax.figure.colorbar(drawn, ax=ax, label="weight")
    ax.set(xlabel="target sample", ylabel="source sample")
    return ax


def confusion(estimator, X, y, *, ax=None):
    """True against predicted labels."""
    return ConfusionMatrixDisplay.from_estimator(estimator, X, y, ax=ax, colorbar=False).ax_
