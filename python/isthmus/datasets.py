"""Data to try methods on: the built-in digits, files in any format the program reads, the tasks of Table 1."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import numpy as np
from sklearn.utils import Bunch

from . import _core

__all__ = ["load_table1", "make_demo", "manifest", "read", "table1_tasks", "verify"]


def _labels(ids, classes, integers):
    return np.array(classes, dtype=np.int64 if integers else None)[ids]


def _pair(source, target, **more):
    (X_source, *source_labels), (X_target, *target_labels) = source, target
    return Bunch(
        X_source=X_source,
        y_source=_labels(*source_labels),
        X_target=X_target,
        y_target=_labels(*target_labels),
        **more,
    )


def make_demo(n_source: int = 1000, n_target: int = 1000, *, random_state: int = 0) -> Bunch:
    """Two styles of digit glyphs, 16×16 pixels, 10 classes. Same seed, same bytes.

    Returns a Bunch of `X_source`, `y_source`, `X_target`, `y_target` (for scoring).
    """
    return _pair(*_core.make_demo(n_source, n_target, random_state))


def read(
    path: str | PathLike,
    *,
    features: str | Sequence[str | int] = "",
    labels: str | int = "",
    without_labels: bool = False,
    id: str | int = "",
    drop: Sequence[str | int] = (),
) -> Bunch:
    """The samples of a CSV, TSV, NPY, NPZ, MATLAB, LIBSVM or safetensors file.

    `features` names a variable, or lists columns of a text table; `labels` names a variable or a column, `id` the
    column that identifies the samples ("none": no column does) and `drop` columns to leave out. Columns are names, or
    numbers from 1. What is not said is found out.

    Returns a Bunch of `X`, `y` (None without labels), `feature_names` and `ids` (None where the file has none).
    """
    listed = not isinstance(features, str)
    (X, *found), names, ids = _core.read_dataset(
        path,
        features="" if listed else features,
        labels=str(labels),
        without_labels=without_labels,
        columns=[str(column) for column in features] if listed else [],
        drop=[str(column) for column in drop],
        id="" if id == "none" else str(id),
        without_ids=id == "none",
    )
    return Bunch(X=X, y=_labels(*found) if found[1] else None, feature_names=names or None, ids=ids or None)


def table1_tasks() -> list[str]:
    """Names of the 16 tasks of Table 1, in its order."""
    return [name for name, _ in _core.table1_tasks()]


def load_table1(folder: str | PathLike, task: str) -> Bunch:
    """One of the tasks, such as "C->A", from a folder with the benchmark files (`isthmus data fetch`).

    Returns a Bunch of `X_source`, `y_source`, `X_target`, `y_target` (for scoring), `task` and `family`.
    """
    families = dict(_core.table1_tasks())
    if task not in families:
        raise ValueError(f"there is no task {task!r}; the tasks are: {', '.join(families)}")
    return _pair(*_core.read_table1(folder, task), task=task, family=families[task])


def manifest() -> list[dict]:
    """The benchmark files: name, size, SHA-256 and content of each."""
    return _core.manifest()


def verify(folder: str | PathLike) -> dict[str, str]:
    """The state of each benchmark file in a folder: 'valid', 'missing', 'wrong size' or 'wrong sum'."""
    return _core.verify_files(folder)
