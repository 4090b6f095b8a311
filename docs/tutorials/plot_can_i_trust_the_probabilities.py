"""
Can I trust the probabilities?
==============================

A classifier says "class 3, with probability 0.9". Is it right in 9 of 10 such cases? If you act on
probabilities (whom to call back, what to check by hand), this matters more than the error rate.

In short: ``probability_trace(probabilities, y).null_band()`` tests it on cases that the classifier has not
seen. Of the three learners on this page, logistic regression means what it says; the forest is too cautious, naive
Bayes too sure, and ``recalibrate`` mends both.

Three learners, the handwritten digits of scikit-learn, and four questions: do the probabilities mean
what they say, how sure can we be of that, where do they fail, and can that be corrected?
"""

# %%
# Forecasts on cases that the learner has not seen
# ------------------------------------------------
#
# Probabilities of training cases flatter. So we take out-of-fold probabilities: each case is judged
# by the fit that left it out. Half of the digits are enough here, and noise is added to their pixels,
# so that there is something to be unsure about.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy import (
    assess_trust,
    probability_trace,
    recalibrate,
    reliability_diagram,
    score_probabilities,
)
from polychotomy.core.predictions import OutOfFold

rng = np.random.default_rng(0)
X, y = load_digits(return_X_y=True)
X, y = X[:900] + rng.normal(scale=6, size=(900, 64)), y[:900]

learners = {
    "naive Bayes": GaussianNB(),
    "random forest": RandomForestClassifier(100, random_state=0),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=0.1)),
}
folds = np.empty(len(y), dtype=int)
probabilities = {name: np.empty((len(y), 10)) for name in learners}
for fold, (train, test) in enumerate(StratifiedKFold(5).split(X, y)):
    folds[test] = fold
    for name, learner in learners.items():
        probabilities[name][test] = learner.fit(X[train], y[train]).predict_proba(X[test])

# %%
# The trace
# ---------
#
# Sort all probabilities, of all classes, from the smallest to the largest. Going up from 1/k, add
# 1/p each time the class turned out to be the true one: if "0.25" comes true once in four, four steps
# gain 4. Going down from 1/k, do the same with the classes that did *not* come true. Probabilities
# that mean what they say therefore give a straight line of slope 1. (This is section 4 of Mills'
# paper on orthogonal codes.)

probability_trace(probabilities["random forest"], y).plot()

# %%
# The forest's trace is bent. How much of that could be chance? Draw the classes from the probabilities
# themselves and trace them again, three hundred times: the grey band holds 95 % of these. To see it
# better, the line of slope 1 is subtracted.

# sphinx_gallery_thumbnail_number = 2
figure, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
for ax, (name, p) in zip(axes, probabilities.items(), strict=True):
    probability_trace(p, y).null_band(300, random_state=0).plot(ax)
    ax.set_title(name)

# %%
# The logistic regression stays in the band; the other two do not, and that is no bad luck. The forest
# falls just above 1/k, for the many classes it gives 0.1 to 0.3 come true more seldom, and rises at the
# end, for its 0.5 is nearly always right: it is *too cautious*, as averages of many trees are. Naive
# Bayes does the opposite, rising first and falling at the end: it is *too sure*, because it counts
# dependent pixels as independent witnesses.

for name, p in probabilities.items():
    print(f"{name}: {probability_trace(p, y).null_band(300, random_state=0)}")

# %%
# How much does it cost?
# ----------------------
#
# The Brier score splits exactly into calibration (what recalibrating can remove) and refinement (what
# it cannot, since the classes overlap for this learner).

pd.concat(
    {name: score_probabilities(p, y).to_frame().iloc[0] for name, p in probabilities.items()},
    axis=1,
).T

# %%
# The reliability diagram says where: the dots are the share of right answers among cases with about
# the same confidence, with a 95 % interval; the line is the best monotone fit, which needs no bins.
# Below the diagonal a learner is too sure, above it too cautious.

figure, axes = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained", sharey=True)
for ax, (name, p) in zip(axes, probabilities.items(), strict=True):
    reliability_diagram(p, y).plot(ax)
    ax.set_title(name)

# %%
# The fix
# -------
#
# Recalibration is a map from what the learner says to what happens. Three are tried, from one number
# (temperature) to whole curves (isotonic), each fitted to some folds and judged on another. A map is
# chosen only if its gain is real.

recalibrated = {name: recalibrate(p, y, folds=folds) for name, p in probabilities.items()}
for name, one in recalibrated.items():
    print(f"{name}: {one}\n")

# %%
# Before and after, for the two that needed it, less the straight line of true probabilities: these would stay near the grey line.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for ax, name in zip(axes, ("naive Bayes", "random forest"), strict=True):
    recalibrated[name].plot(ax)
    ax.set_title(name)

# %%
# The map is a small object. Apply it to the probabilities of new cases:

calibrator = recalibrated["random forest"].calibrator
calibrator.apply([[0.4, 0.2, 0.1, 0.1, 0.1, 0.1, 0.0, 0.0, 0.0, 0.0]]).round(3)

# %%
# All of it in one call
# ---------------------
#
# From the out-of-fold predictions of a study, one call asks every question:

predictions = OutOfFold(
    names=tuple(learners),
    classes=tuple(map(str, range(10))),
    y=y,
    folds=folds[None, None],
    predicted=np.stack([p.argmax(axis=1) for p in probabilities.values()])[:, None, None],
    probabilities=np.stack(list(probabilities.values()))[:, None, None],
    hard=np.zeros(3, dtype=bool),
)
pd.concat([assess_trust(predictions, name).to_frame() for name in learners], ignore_index=True)
