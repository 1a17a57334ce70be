# Written by tools/python-stubs; do not edit.
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin

from ._core import Iteration, Model

class Adapter(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClassifierMixin, BaseEstimator):
    model_: Model
    options_: dict[str, Any]
    preprocess_: str
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    labels_target_: NDArray[Any]
    proba_target_: NDArray[np.float64]
    outlier_score_: NDArray[np.float64] | None
    report_: dict[str, NDArray[np.float64]]
    status_: str
    n_iter_: int
    facts_: dict[str, float]
    notes_: list[str]
    seconds_: dict[str, float]
    def fit(self, X: ArrayLike, y: ArrayLike, *, X_target: ArrayLike | None = None, sample_domain: ArrayLike | None = None) -> Self: ...
    def predict(self, X: ArrayLike) -> NDArray[Any]: ...
    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]: ...
    def predict_log_proba(self, X: ArrayLike) -> NDArray[np.float64]: ...
    def transform(self, X: ArrayLike, *, sample_domain: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def fit_transform(self, X: ArrayLike, y: ArrayLike, *, X_target: ArrayLike | None = None, sample_domain: ArrayLike | None = None) -> NDArray[np.float64]: ...

def adapt(X_source: ArrayLike, y_source: ArrayLike, X_target: ArrayLike, method: str = "rsa-cdda", **options: Any) -> Adapter: ...
def save(estimator: Adapter, path: str | PathLike[str]) -> None: ...
def load(path: str | PathLike[str]) -> Adapter: ...

class NearestNeighbor(Adapter):
    """Nearest neighbour."""
    def __init__(
        self,
        *,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class LogisticClassifier(Adapter):
    """Logistic regression."""
    def __init__(
        self,
        *,
        ridge: float | None = None,
        balanced: bool = False,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class PCAAdapter(Adapter):
    """Principal component analysis."""
    def __init__(
        self,
        *,
        components: int | None = None,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        prototypes: int | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class GFK(Adapter):
    """Geodesic flow kernel."""
    def __init__(
        self,
        *,
        subspace: int | None = None,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        prototypes: int | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class TCA(Adapter):
    """Transfer component analysis."""
    def __init__(
        self,
        *,
        components: int | None = None,
        lambda_: float = 0.1,
        lambda_unit: Literal["percent", "absolute"] = "percent",
        kernel: Literal["primal", "linear", "rbf", "laplace", "polynomial"] = "primal",
        width: float | None = None,
        degree: int = 2,
        kernel_size: Literal["exact", "landmarks"] | None = None,
        exact_limit: int = 3000,
        landmarks: int = 1000,
        scaling: Literal["unit", "metric", "whitened"] = "unit",
        normalize_embedding: bool = False,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        prototypes: int | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class TSL(Adapter):
    """Transfer subspace learning."""
    def __init__(
        self,
        *,
        criterion: Literal["fisher", "pca"] = "fisher",
        components: int | None = None,
        lambda_: float = 10.0,
        regularization: float = 0.1,
        bandwidth: float | None = None,
        iterations: int = 50,
        tolerance: float = 1e-05,
        max_samples: int = 2000,
        normalize: bool = True,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        prototypes: int | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class JDA(Adapter):
    """Joint distribution adaptation."""
    def __init__(
        self,
        *,
        components: int | None = None,
        lambda_: float = 0.1,
        lambda_unit: Literal["percent", "absolute"] = "percent",
        kernel: Literal["primal", "linear", "rbf", "laplace", "polynomial"] = "primal",
        width: float | None = None,
        degree: int = 2,
        kernel_size: Literal["exact", "landmarks"] | None = None,
        exact_limit: int = 3000,
        landmarks: int = 1000,
        scaling: Literal["unit", "metric", "whitened"] = "unit",
        normalize_embedding: bool = True,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        prototypes: int | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        rounds: int = 10,
        weighting: Literal["plain", "balanced"] = "plain",
        balance: float = 0.5,
        empty_class: Literal["drop", "keep-half"] = "drop",
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class CDDA(Adapter):
    """Close yet discriminative domain adaptation."""
    def __init__(
        self,
        *,
        components: int | None = None,
        lambda_: float = 0.1,
        lambda_unit: Literal["percent", "absolute"] = "percent",
        kernel: Literal["primal", "linear", "rbf", "laplace", "polynomial"] = "primal",
        width: float | None = None,
        degree: int = 2,
        kernel_size: Literal["exact", "landmarks"] | None = None,
        exact_limit: int = 3000,
        landmarks: int = 1000,
        scaling: Literal["unit", "metric", "whitened"] = "unit",
        normalize_embedding: bool = True,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        prototypes: int | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        rounds: int = 10,
        weighting: Literal["plain", "balanced"] = "plain",
        balance: float = 0.5,
        empty_class: Literal["drop", "keep-half"] = "drop",
        form: Literal["ratio", "algebraic"] = "ratio",
        repulsion_source_target: float = 1.0,
        repulsion_target_source: float = 1.0,
        repulsion_source_source: float = 1.0,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class LRSR(Adapter):
    """Low-rank and sparse representation with relaxed labels."""
    def __init__(
        self,
        *,
        gamma: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.0001,
        penalty: float = 0.1,
        growth: float = 1.01,
        iterations: int = 5,
        tolerance: float = 1e-06,
        normalize_embedding: bool = True,
        prototypes: int | None = None,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class LTSL(Adapter):
    """Low-rank transfer subspace learning."""
    def __init__(
        self,
        *,
        criterion: Literal["pca", "lda"] = "pca",
        components: int | None = None,
        lambda_: float = 1.0,
        ridge: float = 0.01,
        rounds: int = 5,
        sweeps: int = 12,
        penalty: float = 0.18,
        growth: float = 1.5,
        tolerance: float = 0.0001,
        normalize_embedding: bool = False,
        prototypes: int | None = None,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class RSACDDA(Adapter):
    """Robust data geometric structure aligned, close yet discriminative domain adaptation."""
    def __init__(
        self,
        *,
        mode: Literal["geometry", "corrected", "printed"] = "geometry",
        classifier: Literal["nn", "propagation", "geometry", "harmonic", "risk"] | None = None,
        voices: Literal["both", "graph", "linear"] | None = None,
        committee: int | None = None,
        landmarks: int | None = None,
        rounds: int | None = None,
        components: Sequence[int] = (20, 50, 100),
        rank: int | None = None,
        spectrum: float = 2.0,
        lambda_: float | None = None,
        closeness: float = 1.0,
        gamma: float = 1.0,
        shares: Literal["own", "target", "mixed"] | None = None,
        neighbours: int | None = None,
        local_scale: int = 7,
        rank_decay: float = 3.0,
        leak: float = 0.001,
        mmd_weight: float = 10.0,
        laplacian_weight: float = 1.0,
        classifier_ridge: float = 0.1,
        classifier_rounds: int = 3,
        alpha: float = 0.9,
        class_mass: float = 1.0,
        lambda1: float | None = None,
        lambda2: float | None = None,
        error_norm: Literal["l1", "l21"] | None = None,
        geo: float | None = None,
        z_weight: float | None = None,
        z_edges: float = 0.0,
        reconstruction_iterations: int = 12,
        penalty: float = 0.18,
        growth: float | None = None,
        explain: bool = False,
        explain_count: int = 5,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class SubspaceAlignment(Adapter):
    """Subspace alignment."""
    def __init__(
        self,
        *,
        components: int | None = None,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        prototypes: int | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

class CORAL(Adapter):
    """Correlation alignment."""
    def __init__(
        self,
        *,
        regularization: float = 1.0,
        classifier: Literal["nn", "mean", "prototypes", "logistic"] | None = None,
        prototypes: int | None = None,
        classifier_ridge: float | None = None,
        balanced: bool = False,
        preprocess: str | Sequence[str] = "auto",
        n_jobs: int | None = None,
        random_state: int | RandomState | None = 0,
        time_limit: float | None = None,
        verbose: int = 0,
        callback: Callable[[Iteration], bool | None] | None = None,
    ) -> None: ...

__all__ = ["NearestNeighbor", "LogisticClassifier", "PCAAdapter", "GFK", "TCA", "TSL", "JDA", "CDDA", "LRSR", "LTSL", "RSACDDA", "SubspaceAlignment", "CORAL", "adapt", "load", "save"]
