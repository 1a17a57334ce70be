"""scikit-learn's own checks of an estimator."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

EXPECTED = {
    "RSACDDA": {
        "check_classifiers_train": "it compares directions in an embedding of many dimensions; of the two features "
        "of this check a single angle is left, which does not separate the classes"
    },
}


def test_an_estimator_passes_all_checks_but_those_with_a_reason(estimator_class):
    expected = EXPECTED.get(estimator_class.__name__, {})
    results = check_estimator(estimator_class(), on_skip=None, on_fail=None)
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    assert failed.keys() == expected.keys(), failed
    assert sum(result["status"] == "passed" for result in results) > 50


@pytest.mark.parametrize("routing", [False, True])
def test_parameters_are_those_of_cpp_and_survive_clone_and_repr(estimator_class, routing):
    from sklearn import config_context
    from sklearn.base import clone

    from isthmus import _core

    with config_context(enable_metadata_routing=routing):
        estimator = estimator_class()
        options = next(m for m in _core.methods() if m.name == estimator._method).options
        names = [option.name + "_" if option.name == "lambda" else option.name for option in options]
        assert list(estimator.get_params()) == sorted(
            [*names, "callback", "n_jobs", "preprocess", "random_state", "time_limit", "verbose"]
        )
        assert clone(estimator).get_params() == estimator.get_params()
        assert repr(estimator) == f"{estimator_class.__name__}()"
        assert repr(estimator.set_params(preprocess="none")) == f"{estimator_class.__name__}(preprocess='none')"
        assert estimator_class.__name__ in estimator._repr_html_()
