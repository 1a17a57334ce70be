"""What an estimator does with samples, labels and domains."""

import copy
import pickle
import signal
import subprocess
import sys

import joblib
import numpy as np
import pytest
from conftest import ESTIMATORS
from sklearn.base import clone
from sklearn.metrics import accuracy_score

import isthmus


def test_adapting_labels_the_target(estimator_class, shifted):
    X, y, X_target, y_target = shifted
    estimator = estimator_class().fit(X, y, X_target=X_target)
    assert estimator.labels_target_.shape == (60,)
    assert estimator.score(X_target, y_target) == accuracy_score(y_target, estimator.predict(X_target))
    np.testing.assert_allclose(estimator.predict_proba(X_target).sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(estimator.predict_log_proba(X_target)), estimator.predict_proba(X_target))
    np.testing.assert_allclose(estimator.proba_target_.sum(axis=1), 1)
    assert estimator.n_features_in_ == 4
    assert estimator.status_ in ("converged", "iteration limit", "stalled")
    assert all(isinstance(series, np.ndarray) for series in estimator.report_.values())
    embedded = estimator.transform(X_target)
    assert embedded.shape == (60, len(estimator.get_feature_names_out()))


def test_sample_domain_says_the_same_as_two_arrays(estimator_class, shifted):
    X, y, X_target, _ = shifted
    apart = estimator_class().fit(X, y, X_target=X_target)
    random = np.random.default_rng(1)
    order = random.permutation(150)
    both, labels = np.vstack([X, X_target])[order], np.concatenate([y, np.full(60, -1)])[order]
    domain = np.concatenate([np.full(90, 1), np.full(60, -2)])[order]
    # The order within the domains stays what it was: rounding may depend on it.
    keep = np.concatenate(
        [
            np.flatnonzero(domain > 0)[np.argsort(order[domain > 0])],
            np.flatnonzero(domain < 0)[np.argsort(order[domain < 0])],
        ]
    )
    together = estimator_class().fit(both[keep], labels[keep], sample_domain=domain[keep])
    np.testing.assert_array_equal(together.labels_target_, apart.labels_target_)
    mixed = estimator_class().fit(both, labels, sample_domain=domain)
    assert mixed.classes_.tolist() == [0, 1, 2]
    assert mixed.labels_target_.shape == (60,)
    embedded = together.transform(both[keep], sample_domain=domain[keep])
    np.testing.assert_array_equal(embedded[90:], apart.transform(X_target))
    np.testing.assert_array_equal(estimator_class().fit_transform(X, y, X_target=X_target), embedded[:90])


@pytest.mark.parametrize(
    "names",
    [[0, 1, 2], [-7, 3, 20], [2.0, 10.0, 2.0**60], ["b", "a", "ö"], [True, False, True]],
    ids=["integers", "signed", "floats", "text", "bools"],
)
def test_labels_of_any_type_come_back_as_they_are(names, shifted):
    X, y, X_target, _ = shifted
    y = np.array(names)[y]
    estimator = isthmus.CORAL().fit(X, y, X_target=X_target)
    assert set(estimator.classes_.tolist()) == set(names)
    labels = estimator.predict(X_target)
    assert labels.dtype == y.dtype
    np.testing.assert_array_equal(labels, estimator.labels_target_)
    np.testing.assert_array_equal(estimator.classes_[estimator.predict_proba(X_target).argmax(axis=1)], labels)
    # The same problem with plain numbers has the same answers.
    plain = isthmus.CORAL().fit(X, np.unique(y, return_inverse=True)[1], X_target=X_target)
    np.testing.assert_array_equal(np.unique(y)[plain.labels_target_], labels)


def test_object_labels_may_be_strings(shifted):
    X, y, X_target, _ = shifted
    estimator = isthmus.CORAL().fit(X, np.array(["red", "green", "blue"], dtype=object)[y], X_target=X_target)
    assert estimator.classes_.tolist() == ["blue", "green", "red"]
    assert estimator.labels_target_.dtype == object


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_types_and_orders_of_arrays_do_not_matter(dtype, order, shifted):
    X, y, X_target, _ = (np.asarray(part, dtype=np.float32) for part in shifted)
    expected = isthmus.CORAL().fit(X.astype(float), y, X_target=X_target.astype(float))
    given = isthmus.CORAL().fit(np.array(X, dtype, order=order), y, X_target=np.array(X_target, dtype, order=order))
    np.testing.assert_array_equal(given.proba_target_, expected.proba_target_)


def test_a_c_ordered_float64_array_is_not_copied_on_the_way():
    # A wrong option ends the fit after the samples were handed over and looked through.
    script = """
import resource, numpy as np, isthmus
isthmus.NearestNeighbor(preprocess="none").fit(np.eye(4), [0, 1, 0, 1])
X = np.ones((40_000, 500))
y = np.arange(40_000) % 2
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    isthmus.PCAAdapter(components=600, preprocess="none").fit(X, y, X_target=X[:9])
except ValueError as error:
    assert "components" in str(error), error
else:
    raise SystemExit("600 components of 500 features were accepted")
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert grown < 40_000, f"{grown} KiB more, for an array of 156250 KiB"
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_fit_leaves_its_arrays_as_they_are(shifted):
    X, y, X_target, _ = shifted
    before = X.copy(), X_target.copy()
    isthmus.CORAL(preprocess="zscore,l2").fit(X, y, X_target=X_target)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(X_target, before[1])


def test_without_a_target_it_is_an_ordinary_classifier(estimator_class, shifted):
    X, y, _, _ = shifted
    estimator = estimator_class().fit(X, y)
    assert estimator.score(X, y) > 0.8
    alone = estimator_class().fit(X, y, sample_domain=np.ones(90, dtype=int))
    np.testing.assert_array_equal(alone.labels_target_, estimator.labels_target_)


@pytest.mark.parametrize("copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.deepcopy, copy.copy])
def test_copies_predict_the_same(estimator_class, copied, shifted):
    X, y, X_target, _ = shifted
    estimator = estimator_class().fit(X, y, X_target=X_target)
    twin = copied(estimator)
    np.testing.assert_array_equal(twin.predict_proba(X_target), estimator.predict_proba(X_target))
    np.testing.assert_array_equal(twin.labels_target_, estimator.labels_target_)
    assert twin.get_params() == estimator.get_params()
    assert twin.notes_ == estimator.notes_ and twin.report_.keys() == estimator.report_.keys()


def test_joblib_dumps_and_runs_in_other_processes(shifted, tmp_path):
    X, y, X_target, _ = shifted
    estimator = isthmus.CORAL().fit(X, y, X_target=X_target)
    joblib.dump(estimator, tmp_path / "model.joblib")
    np.testing.assert_array_equal(joblib.load(tmp_path / "model.joblib").predict(X_target), estimator.labels_target_)
    labels = joblib.Parallel(n_jobs=2)(
        joblib.delayed(estimator.predict)(part) for part in (X_target[:30], X_target[30:])
    )
    np.testing.assert_array_equal(np.concatenate(labels), estimator.labels_target_)


def test_a_saved_model_loads_as_its_class_with_its_options(estimator_class, shifted, tmp_path):
    X, y, X_target, _ = shifted
    y = np.array(["x", "y", "z"])[y]
    estimator = estimator_class(preprocess="zscore").fit(X, y, X_target=X_target)
    isthmus.save(estimator, tmp_path / "model.safetensors")
    loaded = isthmus.load(tmp_path / "model.safetensors")
    assert type(loaded) is estimator_class
    assert loaded.set_params(preprocess="zscore").get_params() == estimator.get_params()
    assert loaded.classes_.tolist() == ["x", "y", "z"]
    np.testing.assert_array_equal(loaded.predict_proba(X_target), estimator.predict_proba(X_target))
    np.testing.assert_array_equal(loaded.labels_target_, estimator.labels_target_)


def test_the_preparation_is_chosen_from_the_features_and_told(estimator_class, shifted, tmp_path):
    X, y, _, _ = shifted
    X_target = X[::2]
    estimator = estimator_class()
    assert estimator.preprocess == "auto"
    estimator.fit(X, y, X_target=X_target)
    assert estimator.preprocess_ == estimator.model_.preprocessing == "zscore:joint"
    assert any(note.startswith("prepared by zscore:joint, chosen") for note in estimator.notes_)
    # What was asked for stays, so that a clone chooses anew for its own data.
    again = clone(estimator)
    assert again.get_params()["preprocess"] == "auto"
    again.fit(X, y, X_target=100 * X_target)
    assert again.preprocess_ == "zscore:domain"
    # A file tells what new samples get.
    isthmus.save(estimator, tmp_path / "model.safetensors")
    assert isthmus.load(tmp_path / "model.safetensors").preprocess_ == "zscore:joint"


def test_units_do_not_matter_by_default():
    random = np.random.default_rng(1)
    units = np.array([1e-3, 0.1, 1, 20, 500, 1e5])
    centres = 2.5 * np.array([[0, 0, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1]])
    y = np.arange(600) % 3
    X = (centres[y] + random.normal(size=(600, 6))) * units
    score = {
        steps: isthmus.NearestNeighbor(preprocess=steps).fit(X[:300], y[:300], X_target=X[300:]).score(X[300:], y[300:])
        for steps in ("auto", "l2", "zscore")
    }
    assert score["l2"] < 0.7
    assert score["auto"] > 0.9
    assert abs(score["auto"] - score["zscore"]) < 0.03


def test_what_is_left_to_the_method_is_none_and_told_after_the_fit(estimator_class, shifted):
    X, y, X_target, _ = shifted
    estimator = estimator_class().fit(X, y, X_target=X_target)
    assert estimator.options_.keys() <= estimator.get_params().keys()
    again = estimator_class(**estimator.options_).fit(X, y, X_target=X_target)
    assert again.options_ == estimator.options_
    np.testing.assert_array_equal(again.labels_target_, estimator.labels_target_)
    options = estimator_class.__doc__.split("\npreprocess : ")[0]
    assert "auto" not in options


def test_none_is_the_methods_choice_and_zero_is_zero(shifted):
    X, y, X_target, _ = shifted
    assert isthmus.RSACDDA().get_params()["lambda_"] is None
    default = isthmus.RSACDDA().fit(X, y, X_target=X_target).options_
    assert (default["lambda_"], default["committee"], default["geo"]) == (0.3, 5, 0.0)
    assert (default["components"], default["explain"], default["classifier"]) == ((20, 50, 100), False, "geometry")
    plain = isthmus.RSACDDA(mode="corrected", lambda2=0, geo=0).fit(X, y, X_target=X_target).options_
    assert (plain["lambda2"], plain["geo"], plain["z_weight"]) == (0.0, 0.0, 0.3)
    with pytest.raises(ValueError, match="option 'components' .* or auto"):
        isthmus.PCAAdapter(components=0).fit(X, y)
    with pytest.raises(TypeError, match="option 'closeness' is None; expected a number"):
        isthmus.RSACDDA(closeness=None).fit(X, y)


def test_one_line_adapts(shifted):
    X, y, X_target, _ = shifted
    estimator = isthmus.adapt(X, y, X_target, method="jda", components=2, lambda_=0.5)
    assert repr(estimator) == "JDA(components=2, lambda_=0.5)"
    assert type(isthmus.adapt(X, y, X_target)) is isthmus.RSACDDA
    with pytest.raises(ValueError, match="did you mean 'jda'"):
        isthmus.adapt(X, y, X_target, method="jdaa")
    with pytest.raises(TypeError, match="component"):
        isthmus.adapt(X, y, X_target, method="jda", component=2)


def test_threads_do_not_change_results(digits):
    one = isthmus.RSACDDA(n_jobs=1).fit(digits.X_source, digits.y_source, X_target=digits.X_target)
    two = isthmus.RSACDDA(n_jobs=2).fit(digits.X_source, digits.y_source, X_target=digits.X_target)
    np.testing.assert_array_equal(one.proba_target_, two.proba_target_)


def test_a_callback_hears_every_iteration_and_may_stop_the_fit(digits):
    heard = []
    arguments = {"X": digits.X_source, "y": digits.y_source, "X_target": digits.X_target}
    estimator = isthmus.CDDA(components=20, callback=heard.append).fit(**arguments)
    assert [info.iteration for info in heard] == list(range(1, estimator.n_iter_ + 1))
    assert heard[0].phase and heard[0].limit >= len(heard)
    stopped = isthmus.CDDA(components=20, callback=lambda info: info.iteration < 2).fit(**arguments)
    assert (stopped.status_, stopped.n_iter_) == ("stopped", 2)

    def fail(info):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        isthmus.CDDA(components=20, callback=fail).fit(**arguments)


def test_a_fit_out_of_time_keeps_its_best_result(digits):
    arguments = {"X": digits.X_source, "y": digits.y_source, "X_target": digits.X_target}
    stopped = isthmus.CDDA(components=20, time_limit=1e-9).fit(**arguments)
    assert (stopped.status_, stopped.n_iter_) == ("stopped", 1)
    assert any("time limit" in note for note in stopped.notes_)
    free, bounded = (isthmus.CDDA(components=20, time_limit=limit).fit(**arguments) for limit in (None, 1e300))
    np.testing.assert_array_equal(bounded.proba_target_, free.proba_target_)


def test_the_bar_shows_the_rounds(digits, capsys):
    isthmus.CDDA(components=20, verbose=1).fit(digits.X_source, digits.y_source, X_target=digits.X_target)
    assert "round" in capsys.readouterr().err


def test_without_tqdm_lines_show_the_rounds(digits, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # as if it were not installed
    heard = []
    model = isthmus.CDDA(components=20, verbose=1, callback=heard.append)
    model.fit(digits.X_source, digits.y_source, X_target=digits.X_target)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(heard) == model.n_iter_
    assert lines[-1].startswith(f"round {model.n_iter_}/")


def test_other_threads_run_during_a_fit():
    # Python takes no turns by itself here: the main thread goes on before the fit has ended only if C++ lets it.
    script = """
import os, sys, threading, isthmus
data = isthmus.datasets.make_demo(150, 120)
classes = [str(digit) for digit in range(10)]
ended = []
def fit(iterations):
    isthmus._core.adapt(data.X_source, data.y_source, classes, data.X_target, method="tsl", preprocessing="l2",
                        options={"components": "5", "iterations": iterations, "tolerance": "0"})
    ended.append(iterations)
fit("1")  # whatever is imported on the way is, from here on
sys.setswitchinterval(10_000)
threading.Thread(target=fit, args=["100"], daemon=True).start()
os._exit(len(ended) - 1)
"""
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def test_ctrl_c_interrupts_a_fit(digits):
    """A signal that comes while C++ runs; without a look at signals the fit would not end."""
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            isthmus.TSL(components=5, iterations=10**8, tolerance=0).fit(
                digits.X_source, digits.y_source, X_target=digits.X_target
            )
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_random_state_is_the_seed(digits):
    arguments = {"X": digits.X_source, "y": digits.y_source, "X_target": digits.X_target}
    options = {"max_samples": 50, "components": 5, "iterations": 3}
    fits = [
        isthmus.TSL(random_state=state, **options).fit(**arguments).report_["objective"]
        for state in (0, 0, 1, np.random.RandomState(3), None)
    ]
    np.testing.assert_array_equal(fits[0], fits[1])
    assert fits[0][-1] != fits[2][-1]


def test_the_class_list_is_the_registry():
    from isthmus import _core

    assert len(ESTIMATORS) == len(_core.methods()) >= 12
