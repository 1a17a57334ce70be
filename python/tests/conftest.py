import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import ClassifierMixin

import isthmus

ESTIMATORS = {
    name: cls
    for name in isthmus.__all__
    if isinstance(cls := getattr(isthmus, name), type) and issubclass(cls, ClassifierMixin)
}


@pytest.fixture(params=ESTIMATORS)
def estimator_class(request):
    return ESTIMATORS[request.param]


@pytest.fixture(scope="session")
def digits():
    return isthmus.datasets.make_demo(150, 120)


@pytest.fixture
def shifted():
    """Three clouds of four features, and the same clouds moved and turned."""
    random = np.random.default_rng(0)
    centres = random.normal(size=(3, 4)) * 4
    y = np.arange(90) % 3
    X_source = centres[y] + random.normal(size=(90, 4))
    y_target = np.arange(60) % 3
    X_target = centres[y_target] @ np.linalg.qr(np.eye(4) + 0.1)[0] + 0.3 + random.normal(size=(60, 4))
    return X_source, y, X_target, y_target


@pytest.fixture(scope="session")
def program():
    """Runs the command line program of the same build; fails the test when the program fails."""
    path = os.environ.get("ISTHMUS_PROGRAM")
    if not path:
        pytest.skip("ISTHMUS_PROGRAM does not name the program isthmus")

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def root():
    return Path(__file__).parents[2]
