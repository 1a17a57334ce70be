"""A gas sensor array drifts: gains and offsets change, and what was learned last year no longer fits.

Six gases, sixteen sensors, synthetic readings. Labels exist for last year only; this year's readings are adapted to
as they are, without labels.
"""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import isthmus

random = np.random.default_rng(7)
GASES, SENSORS = 6, 16
response = random.uniform(1, 5, size=(GASES, SENSORS))


def readings(count, drift):
    """Readings of random gases at random strength, by sensors that have drifted."""
    gas = random.integers(GASES, size=count)
    strength = random.uniform(0.8, 1.2, size=(count, 1))
    clean = response[gas] * strength + random.normal(scale=0.3, size=(count, SENSORS))
    return clean * (1 + drift * gain) + drift * offset, np.array([f"gas {number}" for number in gas])


gain, offset = random.normal(scale=0.5, size=SENSORS), random.normal(scale=1.5, size=SENSORS)
X_last_year, y_last_year = readings(600, drift=0)
fixed = make_pipeline(StandardScaler(), KNeighborsClassifier(1)).fit(X_last_year, y_last_year)

print("drift   without   adapted   (accuracy %)")
for drift in (0.0, 0.5, 1.0, 1.5):
    X_now, y_now = readings(300, drift)
    adapted = isthmus.CORAL(preprocess="zscore").fit(X_last_year, y_last_year, X_target=X_now)
    print(f"{drift:5.1f}{100 * fixed.score(X_now, y_now):10.1f}{100 * adapted.score(X_now, y_now):10.1f}")
