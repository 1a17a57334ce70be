"""Wrong input gets one clear message, that of C++ where C++ looks, and never ends the interpreter."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import isthmus


def fit(X, y=None, **options):
    X_target = options.pop("X_target", None)
    return isthmus.CORAL(**options).fit(X, np.arange(len(X)) % 2 if y is None else y, X_target=X_target)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("domain", ["source", "target"])
def test_values_that_are_not_finite_are_named(estimator_class, value, domain, shifted):
    X, y, X_target, _ = shifted
    {"source": X, "target": X_target}[domain][6, 2] = value
    with pytest.raises(ValueError, match=f"the {domain} holds {value} at sample 7, feature 3"):
        estimator_class().fit(X, y, X_target=X_target)


def test_new_samples_are_looked_at_too(estimator_class, shifted):
    X, y, X_target, _ = shifted
    estimator = estimator_class().fit(X, y, X_target=X_target)
    for method in estimator.predict, estimator.predict_proba, estimator.transform:
        with pytest.raises(ValueError, match="nan at sample 1, feature 1"):
            method(np.full((2, 4), np.nan))
        with pytest.raises(ValueError, match="3 features"):
            method(np.ones((2, 3)))
        with pytest.raises(ValueError, match="0 sample"):
            method(np.empty((0, 4)))
    with pytest.raises(ValueError, match="was fitted on 4"):
        estimator.model_.predict(np.ones((2, 3)))


def test_an_unfitted_estimator_says_so(estimator_class):
    for method in "predict", "predict_proba", "transform":
        with pytest.raises(NotFittedError):
            getattr(estimator_class(), method)(np.eye(3))
    with pytest.raises(NotFittedError):
        isthmus.save(estimator_class(), "nowhere.safetensors")


@pytest.mark.parametrize(
    "X, message",
    [
        (np.empty((0, 3)), "0 sample"),
        (np.empty((3, 0)), "0 feature"),
        (np.ones(4), "Expected 2D array"),
        (np.ones((4, 2, 2)), "dim 3"),
        (np.array([["a", "b"], ["c", "d"]]), "could not convert string"),
        (np.array([[{}, 1], [2, 3]], dtype=object), "must be a string or a real number|float"),
        (np.ones((4, 2)) * 1j, "Complex data"),
    ],
)
def test_samples_must_be_a_table_of_numbers(X, message):
    with pytest.raises((ValueError, TypeError), match=message):
        fit(X)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"y": [0, 1, 0]}, "inconsistent numbers of samples"),
        ({"y": [0, 0, 0, 0]}, "only one class"),
        ({"y": [0.5, 1.5, 0.5, 1.5]}, "continuous"),
        ({"y": [[0, 1], [1, 0], [0, 1], [1, 0]]}, "1d array"),
        ({"X_target": np.ones((2, 4))}, "source has 3 features a sample and the target 4"),
        ({"X_target": np.empty((0, 3))}, "0 sample"),
        ({"X_target": np.ones(3)}, "Expected 2D array"),
        ({"preprocess": "l3"}, "did you mean 'l2'"),
        ({"regularization": -1.0}, "option 'regularization' of method 'coral' is '-1.0'; expected a number ≥ 0"),
        ({"regularization": np.nan}, "expected a number"),
        ({"regularization": "much"}, "expected a number"),
        ({"n_jobs": 0}, "n_jobs == 0"),
        ({"random_state": -1}, "Seed must be"),
        ({"time_limit": 0}, "time_limit is 0; expected seconds above 0"),
    ],
)
def test_arguments_that_do_not_fit_raise_value_error(arguments, message):
    X = np.random.default_rng(0).normal(size=(4, 3))
    with pytest.raises(ValueError, match=message):
        fit(X, **arguments)


@pytest.mark.parametrize("arguments", [{"regularization": None}, {"regularization": {}}, {"preprocess": None}])
def test_arguments_of_another_kind_raise_type_error(arguments):
    with pytest.raises(TypeError, match="is (None|{}); expected"):
        fit(np.eye(4), **arguments)


def test_sizes_beyond_reason_are_errors_not_crashes():
    X = np.random.default_rng(0).normal(size=(8, 3))
    for components in 4, 2**31 - 1, 2**31, 10**30, -1, 2.5:
        with pytest.raises(ValueError, match="option 'components'"):
            isthmus.PCAAdapter(components=components).fit(X, np.arange(8) % 2)
    huge = np.broadcast_to(np.zeros(1), (2**40, 2**10))
    estimator = fit(X)
    with pytest.raises((MemoryError, ValueError)):
        estimator.predict(np.broadcast_to(np.zeros(1, dtype=np.float32), (2**45, 3)))
    with pytest.raises((MemoryError, ValueError)):
        isthmus.CORAL().fit(huge, np.broadcast_to(np.zeros(1, dtype=int), 2**40))
    with pytest.raises((MemoryError, ValueError, TypeError, OverflowError)):
        isthmus.datasets.make_demo(2**70, 1)


def test_domains_are_checked():
    X, y = np.random.default_rng(0).normal(size=(6, 3)), [0, 1, 0, 1, 0, 1]
    for domain, message in [
        ([1, 1, 1], "3 entries for 6 samples"),
        ([1, 1, 1, 0, -2, -2], "above 0 for source samples"),
        ([-1] * 6, "no source sample"),
        ([0.5] * 6, "whole numbers"),
        (["s"] * 6, "whole numbers|numeric|string"),
    ]:
        with pytest.raises(ValueError, match=message):
            isthmus.CORAL().fit(X, y, sample_domain=domain)
    with pytest.raises(ValueError, match="give one of them"):
        isthmus.CORAL().fit(X, y, sample_domain=[1] * 6, X_target=X)


def test_a_read_only_memory_map_is_as_good_as_an_array(tmp_path, shifted):
    X, y, X_target, _ = shifted
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert not mapped.flags.writeable
    expected = isthmus.CORAL().fit(X, y, X_target=X_target)
    np.testing.assert_array_equal(
        isthmus.CORAL().fit(mapped, y, X_target=X_target).proba_target_, expected.proba_target_
    )
    np.testing.assert_array_equal(expected.predict(mapped), expected.predict(X))
    # Straight at C++ too.
    assert expected.model_.predict(mapped).labels.shape == (90,)


def test_the_extension_checks_its_own_arguments():
    from isthmus import _core

    X = np.eye(4)
    common = {"method": "nn", "options": {}, "preprocessing": "none"}
    for ids, classes, message in [
        ([0, 1, 2, 0], ["a", "b"], "class number 2 at sample 3"),
        ([0, -1, 0, 1], ["a", "b"], "class number -1 at sample 2"),
        ([0, 1, 0], ["a", "b"], "4 samples but 3 labels"),
        ([0, 1, 0, 1], ["1", "1.0"], "two classes have the same name"),
    ]:
        with pytest.raises(ValueError, match=message):
            _core.adapt(X, np.array(ids), classes, None, **common)
    with pytest.raises(ValueError, match="has no option 'x'"):
        _core.adapt(X, np.array([0, 1, 0, 1]), ["a", "b"], None, method="nn", options={"x": "1"}, preprocessing="none")
    for wrong in "text", None, [1, 2], np.ones(3), object():
        with pytest.raises(TypeError):
            _core.adapt(wrong, np.array([0, 1, 0, 1]), ["a", "b"], None, **common)


def test_files_that_are_no_models_are_os_errors(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        isthmus.load(tmp_path / "nothing.safetensors")
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(b"\x10\0\0\0\0\0\0\0{}")
    with pytest.raises(OSError, match="damaged.safetensors"):
        isthmus.load(damaged)
    with pytest.raises(TypeError):
        isthmus.load(3.5)
