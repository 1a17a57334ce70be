"""Estimators in scikit-learn's manner, one class a method, made from the descriptions the C++ library gives.

No arithmetic is done here: samples and options go to C++, labels and numbers come back.
"""

import inspect
import keyword
import re
import warnings
from numbers import Integral, Real

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names, _num_samples, check_is_fitted, validate_data

from . import _core
from ._progress import with_bar
from ._samples import SAMPLES, check_domains, rows

_CLASS_NAMES = {
    "logistic": "LogisticClassifier",
    "nn": "NearestNeighbor",
    "pca": "PCAAdapter",
    "rsa-cdda": "RSACDDA",
    "sa": "SubspaceAlignment",
}


def _class_name(method):
    return _CLASS_NAMES.get(method, method.upper().replace("-", ""))


def _parameter_name(option):
    """The option's name, with an underscore where it is a word of Python (``lambda_``)."""
    return option + "_" if keyword.iskeyword(option) else option


def _parse(option, text):
    """An option's value from its text form; None for what is left to the method."""
    if option.automatic and text == "auto":
        return None
    if option.type == "int":
        return int(text)
    if option.type == "float":
        return float(text)
    if option.type == "bool":
        return text == "true"
    if option.type == "ints":
        return tuple(int(number) for number in text.split(","))
    return text


def _text(name, value):
    """A value in the text form C++ reads; C++ says whether it fits the option."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_text(name, each) for each in value)
    raise TypeError(f"option '{name}' is {value!r}; expected a number, a word, True or False, or a list of numbers")


class Adapter(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClassifierMixin, BaseEstimator):
    """What the estimators of all methods share."""

    _method = None

    # Metadata routing passes the domains on without being asked.
    __metadata_request__fit = {"sample_domain": True, "X_target": True}
    __metadata_request__transform = {"sample_domain": True}

    def fit(self, X, y, *, X_target=None, sample_domain=None):
        """Learn from labelled source samples and unlabelled target samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Source samples; with `sample_domain`, samples of both domains. A C-ordered float64 array is not copied
            on the way to C++; `preprocess` works on a copy of its own.
        y : array-like of shape (n_samples,)
            Labels of any type. Those of target samples are not looked at.
        X_target : array-like of shape (n_target_samples, n_features), default=None
            Target samples. Without them and without `sample_domain` the source stands for the target, and the
            estimator is an ordinary classifier.
        sample_domain : array-like of shape (n_samples,), default=None
            Above 0 for source samples, below 0 for target samples, as in skada.

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, **SAMPLES)
        if sample_domain is not None:
            if X_target is not None:
                raise ValueError("X_target and sample_domain both say what the target is; give one of them")
            source = check_domains(sample_domain, len(X)) > 0
            if not source.any():
                raise ValueError(
                    "sample_domain has no source sample (none is above 0); labelled source samples are needed"
                )
            if not source.all():
                X_target = rows(X, ~source)
            X, y = rows(X, source), y[source]
        elif X_target is not None:
            _check_feature_names(self, X_target, reset=False)
            X_target = check_array(X_target, input_name="X_target", **SAMPLES)
        check_classification_targets(y)
        classes, ids = np.unique(y, return_inverse=True)
        names = [str(name) for name in classes]
        with with_bar(self.verbose, self.callback) as callback:
            model = _core.adapt(
                X,
                ids.astype(np.int64, copy=False),
                names,
                X_target,
                method=self._method,
                options={name: self._option_text(name) for name in _OPTIONS[self._method]},
                preprocessing=_text("preprocess", self.preprocess),
                feature_names=list(getattr(self, "feature_names_in_", [])),
                threads=self._threads(),
                seed=self._seed(),
                time_limit=self.time_limit,
                callback=callback,
            )
        for doubt in model.report["warnings"]:
            warnings.warn(doubt, UserWarning, stacklevel=2)
        return self._adopt(model, classes[_core.class_order(names)])

    def _adopt(self, model, classes):
        """Takes over what a fitted model holds."""
        report, target = model.report, model.target
        self.model_ = model
        self.options_ = _options(model.method, model.options)
        self.preprocess_ = model.preprocessing
        self.classes_ = classes
        self.n_features_in_ = model.dimension
        self.labels_target_ = classes[target.labels]
        self.proba_target_ = target.probabilities
        self.outlier_score_ = target.outlier_scores
        self.report_ = report["series"]
        self.status_ = report["status"]
        self.n_iter_ = report["iterations"]
        self.facts_ = report["facts"]
        self.notes_ = report["notes"]
        self.seconds_ = report["seconds"]
        return self

    def predict(self, X):
        """Labels for samples of the target's kind."""
        check_is_fitted(self)
        return self.classes_[self._predict(X).labels]

    def predict_proba(self, X):
        """The probability of each class, in the order of `classes_`."""
        check_is_fitted(self)
        return self._predict(X).probabilities

    def predict_log_proba(self, X):
        """Its logarithm; −inf where it is zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def transform(self, X, *, sample_domain=None):
        """Samples in the joint subspace; of the target's kind, or as `sample_domain` says."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **SAMPLES)
        threads = self._threads()
        if sample_domain is None:
            return self.model_.transform(X, threads=threads)
        source = check_domains(sample_domain, len(X)) > 0
        embedded = np.empty((len(X), self._n_features_out))
        for chosen, is_source in ((source, True), (~source, False)):
            if chosen.any():
                embedded[chosen] = self.model_.transform(rows(X, chosen), source=is_source, threads=threads)
        return embedded

    def fit_transform(self, X, y, *, X_target=None, sample_domain=None):
        """Fit, and give the samples of `X` in the joint subspace."""
        self.fit(X, y, X_target=X_target, sample_domain=sample_domain)
        if sample_domain is None and X_target is not None:
            sample_domain = np.ones(_num_samples(X), dtype=int)
        return self.transform(X, sample_domain=sample_domain)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def _predict(self, X):
        X = validate_data(self, X, reset=False, **SAMPLES)
        return self.model_.predict(X, threads=self._threads())

    def _option_text(self, name):
        value = getattr(self, _parameter_name(name))
        automatic = _OPTIONS[self._method][name].automatic
        return "auto" if value is None and automatic else _text(name, value)

    def _threads(self):
        return effective_n_jobs(self.n_jobs)

    def _seed(self):
        if isinstance(self.random_state, Integral) and self.random_state >= 0:
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    @property
    def _n_features_out(self):
        return self.model_.embedded_dimension


_COMMON = {
    "preprocess": (
        _core.default_preprocessing(),
        "str",
        "Preparation of the samples, such as 'l2', 'sum,zscore' or 'none'; 'auto': chosen from the features of both "
        "domains. Fitted on both.",
    ),
    "n_jobs": (None, "int or None", "Threads; None: 1, -1: all cores. Results do not depend on it."),
    "random_state": (0, "int, RandomState or None", "Seed of whatever is drawn at random."),
    "time_limit": (
        None,
        "float or None",
        "Seconds after which the fit stops at its next iteration, with the best result so far.",
    ),
    "verbose": (0, "int", "Above 0: a progress bar, or a line an iteration where tqdm is not installed."),
    "callback": (
        None,
        "callable or None",
        "Called after each iteration with its `phase`, `iteration`, `limit`, `objective` and `label_changes`; "
        "what it raises ends the fit, False stops it with the best result so far.",
    ),
}

_OPTIONS = {method.name: {option.name: option for option in method.options} for method in _core.methods()}


def _options(method, texts):
    """Values of the options of a method's class by keyword, from their text form."""
    known = _OPTIONS[_core.find_method(method).name]
    return {_parameter_name(name): _parse(known[name], text) for name, text in texts.items() if name in known}


def _parameters(method):
    """Name, default, type and meaning of every keyword of a method's class."""
    for name, option in _OPTIONS[method].items():
        kinds = {"choice": "{" + ", ".join(map(repr, option.choices)) + "}", "ints": "tuple of int"}
        bounds = "" if option.type in ("bool", "choice") else f" ({option.range})"
        yield (
            _parameter_name(name),
            _parse(option, option.default),
            kinds.get(option.type, option.type) + (" or None" if option.automatic else ""),
            (re.sub(r"\bauto\b", "None", option.help) if option.automatic else option.help) + bounds,
        )
    for name, (default, kind, meaning) in _COMMON.items():
        yield name, default, kind, meaning


def _docstring(method):
    lines = [f"{method.title}.", "", method.summary, "", "Parameters", "----------"]
    for name, default, kind, meaning in _parameters(method.name):
        lines += [f"{name} : {kind}, default={default!r}", f"    {meaning}"]
    lines += ["", "Attributes", "----------"]
    lines += [
        "classes_ : ndarray of shape (n_classes,)\n    The classes of the source.",
        "n_features_in_ : int\n    Features of a sample.",
        "feature_names_in_ : ndarray of shape (n_features_in_,)\n    Their names, where `X` has any (all of them str).",
        "labels_target_ : ndarray of shape (n_target_samples,)\n    Labels of the target samples given to `fit`.",
        "proba_target_ : ndarray of shape (n_target_samples, n_classes)\n    Their probabilities.",
        "outlier_score_ : ndarray of shape (n_target_samples,) or None\n    How little each fits in, where the method tells.",
        "report_ : dict of str to ndarray\n    Numbers per iteration.",
        "status_ : str\n    How the fit ended.",
        "n_iter_ : int\n    Iterations.",
        "notes_ : list of str\n    What a user should know of the fit.",
        "facts_, seconds_ : dict of str to float\n    Single numbers, and the time each phase took (not kept in files).",
        "options_ : dict of str to value\n    Every option with the value used, where None was given too.",
        "preprocess_ : str\n    The preparation used, where 'auto' was given too.",
        "model_ : Model\n    The fitted C++ model.",
    ]
    return "\n".join([*lines, "", "References", "----------", method.reference, ""])


def _make_class(method):
    """The estimator class of a method, with real keyword parameters."""
    signature = inspect.Signature(
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
                for name, default, _, _ in _parameters(method.name)
            ),
        ]
    )

    def __init__(self, **parameters):
        bound = signature.bind(self, **parameters)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    __init__.__signature__ = signature
    name = _class_name(method.name)
    body = {"__init__": __init__, "__doc__": _docstring(method), "__module__": __name__, "_method": method.name}
    return type(name, (Adapter,), body)


_CLASSES = {method.name: _make_class(method) for method in _core.methods()}
globals().update({cls.__name__: cls for cls in _CLASSES.values()})


def adapt(X_source, y_source, X_target, method=_core.default_method(), **options):
    """Label target samples in one line: ``adapt(Xs, ys, Xt).labels_target_``.

    `options` are the keywords of the method's class. Returns the fitted estimator.
    """
    cls = _CLASSES[_core.find_method(method).name]
    return cls(**options).fit(X_source, y_source, X_target=X_target)


def save(estimator, path):
    """Write a fitted estimator's model to a file the program `isthmus` reads too.

    Classes are kept as text, or as whole numbers where all of them are; to keep labels of other types, use pickle.
    """
    check_is_fitted(estimator)
    estimator.model_.save(path)


def load(path):
    """A fitted estimator from a model file, of this package or of the program `isthmus`."""
    model = _core.Model.load(path)
    options = _options(model.method, model.requested_options)
    classes = np.array(model.classes, dtype=np.int64 if model.integer_classes else None)
    estimator = _CLASSES[model.method](preprocess=model.preprocessing, **options)._adopt(model, classes)
    if model.feature_names:
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
    return estimator


__all__ = [*(cls.__name__ for cls in _CLASSES.values()), "adapt", "load", "save"]
