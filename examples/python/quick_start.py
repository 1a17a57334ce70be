"""Labels for one style of digits from another, by three methods."""

import isthmus

data = isthmus.datasets.make_demo(n_source=300, n_target=300)

print("method    accuracy %")
for method in ("nn", "coral", "rsa-cdda"):
    estimator = isthmus.adapt(data.X_source, data.y_source, data.X_target, method=method)
    # The target's true labels only score; no method sees them.
    print(f"{method:<10}{100 * (estimator.labels_target_ == data.y_target).mean():10.2f}")

isthmus.save(estimator, "model.safetensors")
same = isthmus.load("model.safetensors")
print("the saved model says the same:", (same.predict(data.X_target) == estimator.predict(data.X_target)).all())
