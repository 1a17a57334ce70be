"""Isthmus beside what is commonly used, on the same data in the same process: accuracy and seconds.

    PYTHONPATH=build/release/python build/python-env/bin/python bench/peers/compare.py [file=RESULTS.json] [SAMPLES ...]

`script` is the usual way of Python scripts for TCA and JDA, written here: dense n×n M and H and a generalised
eigenproblem by scipy.linalg.eig; like ours it stops when the labels repeat. Its answer is ours, its cost is not: `same`
is the share of the labels that our method of that name gives too. skada's TCA has as many components as ours and the
same weight of the ridge, otherwise its defaults (an RBF kernel), and once a linear kernel as ours. POT has an entropy
term of 0.01. All run on the built-in digits (256 features) at unit length; all but RSA-CDDA label by 1-NN. Threads are
those of the environment, two where nothing is said. Seconds are the better of two runs.
"""

import json
import os
import sys
import time

THREADS = os.environ.setdefault("OMP_NUM_THREADS", "2")
os.environ.setdefault("OPENBLAS_NUM_THREADS", THREADS)

import numpy as np  # noqa: E402
import ot  # noqa: E402
import scipy.linalg  # noqa: E402
import skada  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402

import isthmus  # noqa: E402

COMPONENTS, LAMBDA, ROUNDS = 100, 1.0, 10


def nearest(source, labels, target):
    return KNeighborsClassifier(1, algorithm="brute").fit(source, labels).predict(target)


def script(Xs, ys, Xt, rounds):
    """TCA (one round) and JDA as scripts have them."""
    X = np.vstack([Xs, Xt]).T
    ns, nt = len(Xs), len(Xt)
    n, classes, labels = ns + nt, np.unique(ys), None
    H = np.eye(n) - 1 / n
    for _ in range(rounds):
        e = np.r_[np.full(ns, 1 / ns), np.full(nt, -1 / nt)][:, None]
        M = e @ e.T * (len(classes) if rounds > 1 else 1)
        for c in classes if labels is not None else []:
            if (labels == c).any():
                e = np.zeros((n, 1))
                e[:ns][ys == c] = 1 / (ys == c).sum()
                e[ns:][labels == c] = -1 / (labels == c).sum()
                M += e @ e.T
        M /= np.linalg.norm(M)
        values, vectors = scipy.linalg.eig(X @ M @ X.T + LAMBDA * np.eye(len(X)), X @ H @ X.T)
        A = np.real(vectors[:, np.argsort(np.abs(values))[:COMPONENTS]])
        Z = (A / np.linalg.norm(A, axis=0)).T @ X
        Z /= np.linalg.norm(Z, axis=0)
        before, labels = labels, nearest(Z[:, :ns].T, ys, Z[:, ns:].T)
        if before is not None and (before == labels).all():
            break
    return labels


def ours(cls, **options):
    def run(Xs, ys, Xt):
        estimator = cls(preprocess="none", n_jobs=int(THREADS), **options)
        return estimator.fit(Xs, ys, X_target=Xt).labels_target_

    return run


def skada_tca(**options):
    def run(Xs, ys, Xt):
        domain = np.r_[np.ones(len(Xs), dtype=int), np.full(len(Xt), -2)]
        adapter = skada.TransferComponentAnalysisAdapter(n_components=COMPONENTS, mu=LAMBDA, **options)
        embedded = adapter.fit_transform(np.vstack([Xs, Xt]), np.r_[ys, np.full(len(Xt), -1)], sample_domain=domain)
        return nearest(embedded[domain > 0], ys, embedded[domain < 0])

    return run


def pot(Xs, ys, Xt):
    transport = ot.da.SinkhornTransport(reg_e=0.01).fit(Xs=Xs, Xt=Xt)
    return nearest(transport.transform(Xs=Xs), ys, Xt)


FIXED = {"components": COMPONENTS, "lambda_": LAMBDA, "lambda_unit": "absolute"}
RUNS = {
    "TCA, isthmus": ours(isthmus.TCA, normalize_embedding=True, **FIXED),
    "TCA, script": lambda Xs, ys, Xt: script(Xs, ys, Xt, 1),
    "TCA, skada": skada_tca(),
    "TCA, skada, linear": skada_tca(kernel="linear"),
    "JDA, isthmus": ours(isthmus.JDA, rounds=ROUNDS, **FIXED),
    "JDA, script": lambda Xs, ys, Xt: script(Xs, ys, Xt, ROUNDS),
    "Sinkhorn transport, POT": pot,
    "CORAL, isthmus": ours(isthmus.CORAL),
    "RSA-CDDA, isthmus": ours(isthmus.RSACDDA),
}

if __name__ == "__main__":
    words = sys.argv[1:]
    file = words.pop(0).removeprefix("file=") if words and words[0].startswith("file=") else None
    rows = []
    print("| method | samples | accuracy | seconds | same |\n|---|---:|---:|---:|---:|")
    for count in [int(word) for word in words] or [1000, 2000, 4000]:
        data = isthmus.datasets.make_demo(count // 2, count // 2)
        Xs, Xt = (X / np.linalg.norm(X, axis=1, keepdims=True) for X in (data.X_source, data.X_target))
        own = {}  # labels of ours, by method
        for name, run in RUNS.items():
            seconds = float("inf")
            for _ in range(2):
                start = time.perf_counter()
                labels = run(Xs, data.y_source, Xt)
                seconds = min(seconds, time.perf_counter() - start)
            accuracy = 100 * float(np.mean(labels == data.y_target))
            method, program = name.split(", ", 1)
            if program == "isthmus":
                own[method] = labels
            same = 100 * float(np.mean(labels == own[method])) if program == "script" else None
            rows.append({"method": name, "samples": count, "accuracy": accuracy, "seconds": round(seconds, 4)})
            rows[-1]["same"] = same
            print(f"| {name} | {count} | {accuracy:.2f} | {seconds:.2f} | {same or ''} |", flush=True)
    if file:
        with open(file, "w") as results:
            json.dump(rows, results)
