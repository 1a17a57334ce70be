"""The C++ library underneath; use the package isthmus."""

from collections.abc import Mapping, Sequence
import os
from typing import Annotated

import numpy
from numpy.typing import NDArray


def version() -> str:
    """"0.1.0\""""

def blas_description() -> str:
    """Name, version and flavour of the BLAS in use."""

class Option:
    """One option of a method; its values as text."""

    @property
    def name(self) -> str: ...

    @property
    def type(self) -> str:
        """'int', 'float', 'bool', 'choice' or 'ints'"""

    @property
    def default(self) -> str: ...

    @property
    def range(self) -> str: ...

    @property
    def help(self) -> str: ...

    @property
    def choices(self) -> list[str]: ...

    @property
    def automatic(self) -> bool:
        """may be left to the method: 'auto' in text, None here"""

class Method:
    """One method as the registry lists it."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def reference(self) -> str: ...

    @property
    def options(self) -> list[Option]: ...

def methods() -> list[Method]:
    """All methods, in the order of Table 1."""

def find_method(name: str) -> Method:
    """ValueError with a did-you-mean on an unknown name."""

def default_method() -> str:
    """The method used when none is named, as in the program."""

def default_preprocessing() -> str:
    """The preparation used when none is given, as in the program."""

class Iteration:
    """What a callback is told after each iteration."""

    @property
    def phase(self) -> str:
        """what repeats, such as 'round'"""

    @property
    def iteration(self) -> int:
        """from 1"""

    @property
    def limit(self) -> int:
        """iterations at most"""

    @property
    def objective(self) -> float:
        """NaN where there is none"""

    @property
    def label_changes(self) -> int:
        """-1 where there are none"""

class Prediction:
    """Labels for samples, and how sure they are."""

    @property
    def labels(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
        """class ids, one per sample"""

    @property
    def probabilities(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """one row per sample, one column per class"""

    @property
    def outlier_scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')] | None:
        """one per sample where the method has them"""

    @property
    def explained_by(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C')] | None:
        """
        positions in the source, strongest first, -1: no further one; where the method tells
        """

    @property
    def explanation_weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')] | None:
        """their weights"""

class Model:
    """A fitted adaptation."""

    @property
    def method(self) -> str: ...

    @property
    def options(self) -> dict[str, str]:
        """every option with the value used, as text"""

    @property
    def requested_options(self) -> dict[str, str]:
        """
        every option as asked for, as text: 'auto' where it was left to the method
        """

    @property
    def classes(self) -> list[str]: ...

    @property
    def integer_classes(self) -> bool:
        """every class is a whole number"""

    @property
    def preprocessing(self) -> str: ...

    @property
    def dimension(self) -> int:
        """features of a sample"""

    @property
    def feature_names(self) -> list[str]:
        """what they are called; empty: unknown"""

    @property
    def embedded_dimension(self) -> int:
        """features of a transformed sample"""

    @property
    def report(self) -> dict:
        """what the fit did"""

    @property
    def target(self) -> Prediction:
        """the labels of the fitted target"""

    def predict(self, samples: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 1) -> Prediction:
        """Labels for samples of the target's kind."""

    def transform(self, samples: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], source: bool = False, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Samples in the joint subspace."""

    def save(self, path: str | os.PathLike) -> None:
        """Writes a .safetensors file, whole or not at all."""

    @staticmethod
    def load(path: str | os.PathLike) -> Model: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def __copy__(self, *args) -> object: ...

    def __deepcopy__(self, *args) -> object: ...

def class_order(names: Sequence[str]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
    """Positions of the class names in the library's order."""

def adapt(source: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Sequence[str], target: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, *, method: str, options: Mapping[str, str], preprocessing: str, feature_names: Sequence[str] = [], threads: int = 1, seed: int = 0, time_limit: float | None = None, callback: object | None = None) -> Model:
    """
    Prepares the pair, fits the method and labels the target (the source where there is none).
    """

def make_demo(source_count: int, target_count: int, seed: int, threads: int = 1) -> tuple:
    """Source and target of the built-in digits."""

def read_dataset(path: str | os.PathLike, features: str = '', labels: str = '', without_labels: bool = False, columns: Sequence[str] = [], drop: Sequence[str] = [], id: str = '', without_ids: bool = False) -> tuple:
    """
    The samples of a file in any format the program reads; the names of its features, the ids of its samples.
    """

def table1_tasks() -> list[tuple]:
    """Name and family of the 16 tasks, in the order of the table."""

def read_table1(folder: str | os.PathLike, task: str) -> tuple:
    """Source and target of a task."""

def manifest() -> list[dict]:
    """The benchmark files."""

def verify_files(folder: str | os.PathLike) -> dict:
    """
    'valid', 'missing', 'wrong size' or 'wrong sum' for each benchmark file.
    """

class Score:
    """One label-free score."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def measures(self) -> str:
        """what it measures, in a sentence"""

    @property
    def fails(self) -> str:
        """when it misleads"""

    @property
    def reference(self) -> str: ...

    @property
    def higher_is_better(self) -> bool: ...

def scores() -> list[Score]:
    """All scores."""

def find_score(name: str) -> Score:
    """ValueError with a did-you-mean on an unknown name."""

def score_model(model: Model, source: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], names: Sequence[str], threads: int = 1, seed: int = 0) -> dict[str, float]:
    """
    Scores of the model's labels for target samples; source labels are class ids of the model.
    """

FOLD_BLOCK: int = 1024

class Moments:
    """Number, mean and scatter of all rows."""

    def __init__(self, features: int) -> None: ...

    def merge(self, other: Moments) -> None:
        """Adds what another pass has seen, of other rows."""

    def to_bytes(self) -> bytes:
        """The same bytes on every machine, for from_bytes and pickle."""

    @staticmethod
    def from_bytes(bytes: bytes) -> Moments:
        """ValueError where the bytes are damaged or of another kind."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def add(self, X: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], first: int = 0, *, threads: int = 1) -> None:
        """
        Adds rows, the first of which has that number among all; a multiple of FOLD_BLOCK.
        """

    @property
    def count(self) -> int: ...

    @property
    def mean(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def scatter(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """
        Sum of the products of the deviations from the mean, features × features.
        """

class FeatureMoments:
    """Number, mean and deviation of every feature by itself."""

    def __init__(self, features: int) -> None: ...

    def merge(self, other: FeatureMoments) -> None:
        """Adds what another pass has seen, of other rows."""

    def to_bytes(self) -> bytes:
        """The same bytes on every machine, for from_bytes and pickle."""

    @staticmethod
    def from_bytes(bytes: bytes) -> FeatureMoments:
        """ValueError where the bytes are damaged or of another kind."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def add(self, X: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], first: int = 0, *, threads: int = 1) -> None:
        """
        Adds rows, the first of which has that number among all; a multiple of FOLD_BLOCK.
        """

    @property
    def count(self) -> int: ...

    @property
    def mean(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def deviation(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Population standard deviations."""

class ClassSums:
    """Sums and numbers of the rows of each class."""

    def __init__(self, features: int, classes: int) -> None: ...

    def merge(self, other: ClassSums) -> None:
        """Adds what another pass has seen, of other rows."""

    def to_bytes(self) -> bytes:
        """The same bytes on every machine, for from_bytes and pickle."""

    @staticmethod
    def from_bytes(bytes: bytes) -> ClassSums:
        """ValueError where the bytes are damaged or of another kind."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def add(self, X: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], first: int, labels: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, threads: int = 1) -> None:
        """
        Adds rows and their class numbers, from 0; the first row has that number among all, a multiple of FOLD_BLOCK.
        """

    @property
    def counts(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def sums(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """classes × features"""

    @property
    def means(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """classes × features; zeros for a class without rows"""

class Extent:
    """Between which values the features lie, and whether all are finite."""

    def __init__(self, features: int) -> None: ...

    def merge(self, other: Extent) -> None:
        """Adds what another pass has seen, of other rows."""

    def to_bytes(self) -> bytes:
        """The same bytes on every machine, for from_bytes and pickle."""

    @staticmethod
    def from_bytes(bytes: bytes) -> Extent:
        """ValueError where the bytes are damaged or of another kind."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def add(self, X: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], first: int = 0, *, threads: int = 1) -> None:
        """
        Adds rows, the first of which has that number among all; a multiple of FOLD_BLOCK.
        """

    @property
    def count(self) -> int: ...

    @property
    def minimum(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def maximum(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def not_finite(self) -> tuple[int, int] | None:
        """Row and feature of the first NaN or infinity."""

class Draw:
    """
    Some rows at random: the same for any division of all rows, drawn by their numbers.
    """

    def __init__(self, features: int, count: int, seed: int = 0) -> None: ...

    def merge(self, other: Draw) -> None:
        """Adds what another pass has seen, of other rows."""

    def to_bytes(self) -> bytes:
        """The same bytes on every machine, for from_bytes and pickle."""

    @staticmethod
    def from_bytes(bytes: bytes) -> Draw:
        """ValueError where the bytes are damaged or of another kind."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def add(self, X: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)], first: int = 0, *, threads: int = 1) -> None:
        """
        Adds rows, the first of which has that number among all; a multiple of FOLD_BLOCK.
        """

    @property
    def rows(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
        """Numbers of the rows drawn, ascending."""

    @property
    def samples(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...
