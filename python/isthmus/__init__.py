"""Labels for data that has none, from labelled data that is almost like it.

One class a method, in scikit-learn's manner (``RSACDDA``, ``JDA``, ``CORAL``, ...); ``adapt`` for one line;
``load`` and ``save`` for the model files of the program ``isthmus``; ``datasets``, ``metrics`` and ``plot``;
``summaries`` for rows that lie in several places.
"""

from . import _core, _estimators, datasets, metrics, summaries
from ._estimators import *

__version__ = _core.version()
__all__ = [*_estimators.__all__, "datasets", "metrics", "plot", "summaries"]


def __getattr__(name):
    # matplotlib is optional, and slow to import.
    if name == "plot":
        import importlib

        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
