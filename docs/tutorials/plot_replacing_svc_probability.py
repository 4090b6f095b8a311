"""
Replacing SVC(probability=True)
===============================

``SVC(probability=True)`` is on its way out: scikit-learn deprecated it in 1.9 and removes it in
1.11. This page shows what was wrong with it, and what to write instead:

.. code-block:: python

    from polychotomy.multiclass import CodedClassifier

    model = CodedClassifier(SVC())

The method is the one it had, pairwise coupling of calibrated machines, without the flaws below and
with better probabilities. Nothing else in your code changes.
"""

# %%
# Two answers from one model
# --------------------------
# ``predict`` of a support vector machine counts votes; its probabilities come from another
# calculation. They need not agree. Three kinds of wine, thirteen measurements, half of the bottles
# to train on:

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits, load_wine
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from polychotomy.multiclass import CodedClassifier

warnings.filterwarnings("ignore", message="The `probability` parameter was deprecated")

X, y = load_wine(return_X_y=True)
X = X[:, :2]  # alcohol and malic acid only: a hard problem
contradictions = {"SVC(probability=True)": 0, "CodedClassifier(SVC())": 0}
for seed in range(20):
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=seed)
    for name, model in {
        "SVC(probability=True)": SVC(probability=True, random_state=0),
        "CodedClassifier(SVC())": CodedClassifier(SVC()),
    }.items():
        model = make_pipeline(StandardScaler(), model).fit(train, y_train)
        likeliest = model.classes_[model.predict_proba(test).argmax(axis=1)]
        contradictions[name] += int((likeliest != model.predict(test)).sum())

for name, count in contradictions.items():
    print(f"{name:24} predicts another class than its likeliest one {count} times")

# %%
# ``CodedClassifier`` decides by its probabilities, always.
#
# The same data, other probabilities
# ----------------------------------
# ``SVC`` shuffles the samples for its hidden cross-validation. Another seed, another answer; without
# ``random_state`` every fit is different. Folds in ``CodedClassifier`` follow from the data alone.

digits, labels = load_digits(return_X_y=True)
train, test, y_train, y_test = train_test_split(
    digits / 16, labels, test_size=0.5, random_state=0, stratify=labels
)
first, second = (
    SVC(gamma=0.05, probability=True, random_state=seed).fit(train, y_train).predict_proba(test)
    for seed in (0, 1)
)
print(f"largest difference between two seeds: {np.abs(first - second).max():.3f}")
model = CodedClassifier(SVC(gamma=0.05))
same = np.array_equal(
    model.fit(train, y_train).predict_proba(test), model.fit(train, y_train).predict_proba(test)
)
print(f"CodedClassifier, fitted twice: {'the same' if same else 'different'}")

# %%
# Better probabilities
# --------------------
# Log loss rewards probabilities that are right: lower is better. By default pairs of an ``SVC`` are
# joined by ``decoder="least-squares"``, the coupling that ``SVC`` uses, solved exactly;
# ``bradley-terry`` is that of Hastie and Tibshirani (1998).

candidates = {
    "SVC(probability=True)": SVC(gamma=0.05, probability=True, random_state=0),
    "CodedClassifier(SVC())": CodedClassifier(SVC(gamma=0.05)),
    "… bradley-terry": CodedClassifier(SVC(gamma=0.05), decoder="bradley-terry"),
    "… isotonic": CodedClassifier(SVC(gamma=0.05), calibration="isotonic"),
}
probabilities = {}
for name, model in candidates.items():
    probabilities[name] = model.fit(train, y_train).predict_proba(test)
    print(f"{name:28} log loss {log_loss(y_test, probabilities[name]):.4f}")

# %%
# Coupled probabilities are too cautious: each pair is as sure as its own two classes warrant, and
# none knows that the others agree. ``CodedClassifier`` sees this on the samples that its folds leave
# out, and learns one exponent that mends it (``temperature_``; above 1 it makes probabilities surer):

print(f"exponent {candidates['CodedClassifier(SVC())'].temperature_:.2f}")

# %%
# And the time? On small tables like this one both take a fraction of a second. With thousands of
# rows and hundreds of features ``CodedClassifier`` is ahead: it computes the dot products of the
# training samples once and trains every machine on them, as it would have been trained alone, and it
# evaluates each support vector once for all pairs.
#
# Can they be trusted?
# --------------------
# Among the digits that a model is 60 to 70 % sure of, six or seven in ten should be right.

figure, ax = plt.subplots(figsize=(5.2, 4.6), layout="constrained")
ax.plot([0.3, 1], [0.3, 1], color="0.6", linewidth=1, linestyle="--")
edges = np.array([0.3, 0.6, 0.8, 0.9, 0.97, 1.0])
for name, colour in {
    "SVC(probability=True)": "#d6604d",
    "CodedClassifier(SVC())": "#2166ac",
}.items():
    p = probabilities[name]
    sure, right = p.max(axis=1), p.argmax(axis=1) == y_test
    bins = np.digitize(sure, edges[1:-1])
    points = [(sure[bins == b].mean(), right[bins == b].mean()) for b in np.unique(bins)]
    ax.plot(*zip(*points, strict=True), "-o", color=colour, label=name)
ax.set(xlabel="how sure the model is", ylabel="share of right answers", xlim=(0.3, 1.01))
ax.legend(frameon=False)

# %%
# Points above the line: the model is right more often than it says.
# :func:`~polychotomy.validation.probability_trace` tests whether what is left matters.
#
# What else changes
# -----------------
# - ``SVC(probability=True, random_state=0)`` becomes ``CodedClassifier(SVC())``: no seed is needed.
# - Parameters of the machine get a prefix in a grid search: ``estimator__C``.
# - ``gamma="scale"`` is worked out for each pair from its own samples; give a number, or
#   ``gamma="auto"`` on standardised data, for one kernel throughout.
# - With two classes, predictions and decision values are those of ``SVC`` itself.
# - It works for any other learner without probabilities too: ``CodedClassifier(LinearSVC())``.
