"""Data to try methods on: the built-in digits, files in any format the program reads, the tasks of Table 1."""

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


def make_demo(n_source=1000, n_target=1000, *, random_state=0):
    """Two styles of digit glyphs, 16×16 pixels, 10 classes. Same seed, same bytes.

    Returns a Bunch of `X_source`, `y_source`, `X_target`, `y_target` (for scoring).
    """
    return _pair(*_core.make_demo(n_source, n_target, random_state))


def read(path, *, features="", labels="", without_labels=False):
    """The samples of a CSV, TSV, NPY, NPZ, MATLAB, LIBSVM or safetensors file: `X`, and `y` (None without labels).

    `features` and `labels` name a variable or a column; what is not said is found out.
    """
    X, *found = _core.read_dataset(path, features, labels, without_labels)
    return Bunch(X=X, y=_labels(*found) if found[1] else None)


def table1_tasks():
    """Names of the 16 tasks of Table 1, in its order."""
    return [name for name, _ in _core.table1_tasks()]


def load_table1(folder, task):
    """One of the tasks, such as "C->A", from a folder with the benchmark files (`isthmus data fetch`).

    Returns a Bunch of `X_source`, `y_source`, `X_target`, `y_target` (for scoring), `task` and `family`.
    """
    families = dict(_core.table1_tasks())
    if task not in families:
        raise ValueError(f"there is no task {task!r}; the tasks are: {', '.join(families)}")
    return _pair(*_core.read_table1(folder, task), task=task, family=families[task])


def manifest():
    """The benchmark files: name, size, SHA-256 and content of each."""
    return _core.manifest()


def verify(folder):
    """The state of each benchmark file in a folder: 'valid', 'missing', 'wrong size' or 'wrong sum'."""
    return _core.verify_files(folder)
