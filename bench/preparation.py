"""What each preparation does to tables: prints the accuracies of docs/choosing.md.

Small tables that come with scikit-learn and one of six readings in units of their own, each split into halves three
ways: at random, with other shares of the classes (a quarter of every other class kept, of the other ones in the target),
and with a target whose features drifted (gains of about 1.35 either way, offsets of half a deviation).
"""

import warnings

import numpy as np
from sklearn import datasets

import isthmus

STEPS = ("auto", "l2", "zscore:joint", "zscore:domain")
UNITS = np.array([1e-3, 0.1, 1, 20, 500, 1e5])
CENTRES = 2.5 * np.array([[0, 0, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1]])


def six_units(random):
    y = random.integers(3, size=800)
    return (CENTRES[y] + random.normal(size=(800, 6))) * UNITS + 10 * UNITS[::-1], y


def splits(X, y, random):
    """Name, source and target of each way to split."""
    order = random.permutation(len(y))
    source, target = order[: len(y) // 2], order[len(y) // 2 :]
    gain = np.exp(random.normal(scale=0.3, size=X.shape[1]))
    offset = random.normal(scale=0.5, size=X.shape[1]) * X.std(axis=0)

    def fewer(part, parity):
        return part[(y[part] % 2 == parity) | (random.random(len(part)) < 0.25)]

    yield "alike", (X[source], y[source]), (X[target], y[target])
    few, others = fewer(source, 0), fewer(target, 1)
    yield "other shares", (X[few], y[few]), (X[others], y[others])
    yield "drift", (X[source], y[source]), (X[target] * gain + offset, y[target])


def main():
    warnings.simplefilter("ignore")
    random = np.random.default_rng(0)
    tables = {
        "six units": six_units(random),
        **{
            name: load(return_X_y=True)
            for name, load in {
                "iris": datasets.load_iris,
                "wine": datasets.load_wine,
                "breast cancer": datasets.load_breast_cancer,
                "8×8 digits": datasets.load_digits,
            }.items()
        },
    }
    print("| table | target | chosen | " + " | ".join(f"`{steps}`" for steps in STEPS) + " |")
    print("|---|---|---|" + "---:|" * len(STEPS))
    for table, (X, y) in tables.items():
        for name, source, target in splits(X, y, random):
            cells = []
            for steps in STEPS:
                models = [
                    method(preprocess=steps).fit(*source, X_target=target[0])
                    for method in (isthmus.NearestNeighbor, isthmus.LogisticClassifier)
                ]
                cells.append(", ".join(f"{100 * np.mean(model.labels_target_ == target[1]):.1f}" for model in models))
                if steps == "auto":
                    chosen = models[0].preprocess_
            print(f"| {table} | {name} | `{chosen}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
