"""Python, the C++ library and the program give the same labels on the same data, for every method."""

import csv
import json

import numpy as np
import pytest

import isthmus

# Quick settings; the others keep their defaults.
OPTIONS = {"LTSL": {"rounds": 2}, "TSL": {"iterations": 10, "components": 10}}


@pytest.fixture(scope="module")
def files(tmp_path_factory, program):
    folder = tmp_path_factory.mktemp("demo")
    program("demo", "--write-data", folder, "--source-count", 150, "--target-count", 120)
    return folder


def read_labels(path):
    with open(path) as file:
        rows = list(csv.DictReader(file))
    return np.array([int(row["label"]) for row in rows]), np.array([float(row["confidence"]) for row in rows])


def test_the_demo_data_is_that_of_the_program(digits, files):
    for name in "source", "target":
        data = isthmus.datasets.read(files / f"{name}.csv")
        np.testing.assert_array_equal(data.X, digits[f"X_{name}"])
        np.testing.assert_array_equal(data.y, digits[f"y_{name}"])


def test_labels_and_models_agree_with_the_program(estimator_class, digits, files, program, tmp_path):
    estimator = estimator_class(**OPTIONS.get(estimator_class.__name__, {}))
    estimator.fit(digits.X_source, digits.y_source, X_target=digits.X_target)

    # The program fits the same problem with the same options ...
    flags = [f"-O{name}={text}" for name, text in estimator.model_.requested_options.items()]
    labels, model = tmp_path / "labels.csv", tmp_path / "model.safetensors"
    program(
        "adapt",
        "--source",
        files / "source.csv",
        "--target",
        files / "target.csv",
        "--method",
        estimator._method,
        *flags,
        "-o",
        labels,
        "--model",
        model,
        "--quiet",
    )
    theirs, confidence = read_labels(labels)
    np.testing.assert_array_equal(estimator.labels_target_, theirs)
    chosen = estimator.proba_target_[np.arange(len(theirs)), np.searchsorted(estimator.classes_, theirs)]
    np.testing.assert_allclose(chosen, confidence, atol=1e-4)

    # ... its model predicts here what it predicts there ...
    loaded = isthmus.load(model)
    np.testing.assert_array_equal(loaded.predict_proba(digits.X_target), estimator.predict_proba(digits.X_target))
    assert loaded.get_params() == {**estimator.get_params(), "preprocess": estimator.preprocess_}
    assert loaded.options_ == estimator.options_

    # ... and ours there what it predicts here.
    isthmus.save(estimator, tmp_path / "ours.safetensors")
    program(
        "predict", "--model", tmp_path / "ours.safetensors", "--input", files / "target.csv", "-o", labels, "--quiet"
    )
    np.testing.assert_array_equal(read_labels(labels)[0], estimator.predict(digits.X_target))


def test_the_classes_are_the_methods_of_the_program(program):
    listed = {method["name"] for method in json.loads(program("methods", "--json"))["methods"]}
    assert listed == {method.name for method in isthmus._core.methods()}
