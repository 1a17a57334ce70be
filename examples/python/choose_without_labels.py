"""Which method, and which setting? The target has no labels to ask, so label-free scores are asked instead."""

import isthmus
from isthmus import metrics

data = isthmus.datasets.make_demo(n_source=200, n_target=200)
candidates = [
    isthmus.NearestNeighbor(),
    isthmus.PCAAdapter(components=20),
    isthmus.TCA(components=20),
    isthmus.JDA(components=20),
    isthmus.CORAL(),
    isthmus.RSACDDA(),
]
score = "reverse"
about = metrics.describe(score)
print(f"{about.title}: {about.measures}\nMisleads: {about.fails}\n")

rows = []
for candidate in candidates:
    candidate.fit(data.X_source, data.y_source, X_target=data.X_target)
    value = metrics.score(candidate, data.X_source, data.y_source, data.X_target, score)[score]
    rows.append((value if about.higher_is_better else -value, candidate))

# The true labels are looked at after the choice, to see how good it was.
print(f"{score:>8}  accuracy %")
for value, candidate in sorted(rows, key=lambda row: -row[0]):
    print(f"{value:8.2f}{100 * candidate.score(data.X_target, data.y_target):12.2f}  {candidate!r}")
