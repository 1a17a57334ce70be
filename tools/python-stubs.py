"""Writes the stubs next to the package's sources: _core.pyi by nanobind, _estimators.pyi from the keywords that
the C++ option descriptions give. With --check it only says which committed stub is no longer right."""

import sys
from pathlib import Path

from nanobind.stubgen import StubGen

from isthmus import _core, _estimators

HEADER = """# Written by tools/python-stubs; do not edit.
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

def adapt(X_source: ArrayLike, y_source: ArrayLike, X_target: ArrayLike, method: str = "@default_method@", **options: Any) -> Adapter: ...
def save(estimator: Adapter, path: str | PathLike[str]) -> None: ...
def load(path: str | PathLike[str]) -> Adapter: ...
"""

COMMON_TYPES = {
    "preprocess": "str | Sequence[str]",
    "n_jobs": "int | None",
    "random_state": "int | RandomState | None",
    "time_limit": "float | None",
    "verbose": "int",
    "callback": "Callable[[Iteration], bool | None] | None",
}


def option_type(option):
    if option.type == "choice":
        name = "Literal[" + ", ".join(f'"{word}"' for word in option.choices) + "]"
    else:
        name = {"ints": "Sequence[int]"}.get(option.type, option.type)
    return f"{name} | None" if option.automatic else name


def estimator_stub(method):
    types = {_estimators._parameter_name(option.name): option_type(option) for option in method.options} | COMMON_TYPES
    keywords = [
        f"        {name}: {types[name]} = {default!r},".replace("'", '"')
        for name, default, _, _ in _estimators._parameters(method.name)
    ]
    return "\n".join(
        [
            f"class {_estimators._class_name(method.name)}(Adapter):",
            f'    """{method.title}."""',
            "    def __init__(",
            "        self,",
            "        *,",
            *keywords,
            "    ) -> None: ...",
        ]
    )


def stubs():
    core = StubGen(_core)
    core.put(_core)
    names = ", ".join(f'"{name}"' for name in _estimators.__all__)
    classes = "\n\n".join(estimator_stub(method) for method in _core.methods())
    return {
        "_core.pyi": core.get(),
        "_estimators.pyi": f"{HEADER.replace('@default_method@', _core.default_method())}\n{classes}\n\n__all__ = [{names}]\n",
    }


def main():
    folder = Path(__file__).parents[1] / "python" / "isthmus"
    old = []
    for name, text in stubs().items():
        path = folder / name
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            old.append(name)
    if old:
        sys.exit(f"stubs that no longer say what the package has: {', '.join(old)}; run tools/python-stubs and commit")


if __name__ == "__main__":
    main()
