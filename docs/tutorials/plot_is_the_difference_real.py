"""
Is the difference real?
=======================

You cross-validated two models. B makes 2.4 % errors, A 3.3 %. Do you switch to B?

In short: the usual test says yes, and is wrong to be so sure. ``corrected_t_test`` says that these data do not show B to
be better, and gives the range of differences that they leave possible. Decide by that range and by what you prefer.

This page shows why, without assuming that you know any statistics. You will see

- why the usual test on cross-validation folds finds differences that are not there,
- which test to use instead, and how to read it,
- how to choose among several models when the simplest one deserves a head start,
- what to do when the data cannot decide.
"""

# %%
# Two models, one table
# ---------------------
# The data: 569 breast tumours, 30 measurements each, benign or malignant. Model A looks up the
# five most similar patients; model B is a support vector machine. Both are cross-validated ten
# times in ten folds, on the same folds: folds differ in difficulty, so only differences on the
# same fold mean anything.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy.comparison import corrected_t_test, paired_t_test, plan_comparison
from polychotomy.comparison.multitest import multitest

X, y = load_breast_cancer(return_X_y=True)
A = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
B = make_pipeline(StandardScaler(), SVC())


def errors_of(model, folds, repeats):
    """Share of wrong answers in every test fold: (repeats, folds)."""
    plan = RepeatedStratifiedKFold(n_splits=folds, n_repeats=repeats, random_state=0)
    return 1 - cross_val_score(model, X, y, cv=plan).reshape(repeats, folds)


a, b = errors_of(A, 10, 10), errors_of(B, 10, 10)
print(f"A: {a.mean():.1%} errors    B: {b.mean():.1%} errors")

# %%
# The tempting test
# -----------------
# We have a hundred differences, one a fold. A paired t test asks whether their mean could be zero
# by chance. The answer is a *p-value*: how often chance alone would make a difference as large as
# this one. Small means "hardly chance", and by custom 0.05 is small.

print(paired_t_test(a.ravel(), b.ravel()))

# %%
# That looks settled: it would take a miracle. But watch what happens to the p-value as we repeat
# the cross-validation of the *same 569 patients* more and more often.

repeats = np.arange(1, 11)
tempting = [paired_t_test(a[:r].ravel(), b[:r].ravel()).pvalue for r in repeats]
honest = [
    corrected_t_test(a[:r].ravel(), b[:r].ravel(), test_train_ratio=1 / 9).pvalue for r in repeats
]

figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
ax.semilogy(repeats, tempting, "-o", color="#d6604d")
ax.semilogy(repeats, honest, "-o", color="#2166ac")
ax.axhline(0.05, color="0.5", linewidth=1, linestyle="--")
ax.text(10.2, tempting[-1], "paired t test", color="#d6604d", va="center")
ax.text(10.2, honest[-1], "corrected\nt test", color="#2166ac", va="center")
ax.text(12.3, 0.056, "“significant” below this line", color="0.4", fontsize=9, ha="right")
ax.set_xlim(0.7, 12.4)
ax.set_xticks(repeats)
ax.set_xlabel("times the same data were cross-validated")
ax.set_ylabel("p-value")
ax.set_title("No new patients, more and more “proof”", loc="left")
ax.spines[["right", "top"]].set_visible(False)

# %%
# One cross-validation is far from proof; ten are overwhelming. Yet no patient was added. Proof made
# by pressing the same button again is not proof.
#
# The reason: the test takes the hundred differences for a hundred independent witnesses. They are
# not. Any two training sets share most of their patients, so if this sample of 569 happens to suit
# B, it suits B in every fold.
#
# How bad is it?
# --------------
# Let us build a case where we *know* that nobody is better. Two kinds of points in eight
# dimensions; the first model sees only the first four coordinates, the second only the last four.
# The coordinates are all alike, so neither model has any advantage. We draw 100 points, compare the
# two, and note whether the test calls them different. Then again, with fresh points.

from sklearn.datasets import make_blobs
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

centres = [[0.0] * 8, [0.8] * 8]
plan = RepeatedStratifiedKFold(n_splits=10, n_repeats=5, random_state=0)
model = LinearDiscriminantAnalysis()
found = {"paired t test": 0, "corrected t test": 0}
experiments = 40
for seed in range(experiments):
    points, kind = make_blobs(100, centers=centres, random_state=seed)
    first = 1 - cross_val_score(model, points[:, :4], kind, cv=plan)
    second = 1 - cross_val_score(model, points[:, 4:], kind, cv=plan)
    found["paired t test"] += paired_t_test(first, second).pvalue <= 0.05
    found["corrected t test"] += (
        corrected_t_test(first, second, test_train_ratio=1 / 9).pvalue <= 0.05
    )

figure, ax = plt.subplots(figsize=(6.4, 1.9), layout="constrained")
shares = [100 * count / experiments for count in found.values()]
bars = ax.barh(list(found), shares, color=["#d6604d", "#2166ac"], height=0.6)
ax.axvline(5, color="0.3", linewidth=1, linestyle="--")
ax.bar_label(bars, [f"{share:.0f} %" for share in shares], padding=4, backgroundcolor="white")
ax.text(6, 0.5, "promised: 5 %", va="center", color="0.3", fontsize=9)
ax.invert_yaxis()
ax.set_xlim(0, 100)
ax.set_xlabel("experiments in which two equal models were called different, %")
ax.spines[["right", "top"]].set_visible(False)

# %%
# A test at 5 % promises to raise a false alarm once in twenty times. On repeated cross-validation
# the paired t test does it about every second time. (On a *single* ten-fold cross-validation it is
# milder: between about right and more than twice too often, depending on the model. The
# :doc:`certificate of honesty </comparison>` has the figures for every test and many sample sizes.)
#
# The honest answer
# -----------------
# The corrected test knows about the overlap. You tell it how large the test part is compared with
# the training part: 1/9 for ten folds, 1/4 for five. Its result has the p-value, the difference and
# the range of differences that the data leave possible.

test = corrected_t_test(a.ravel(), b.ravel(), test_train_ratio=1 / 9)
print(test)
low, high = test.confidence_interval()
print(f"A makes between {100 * low:+.1f} and {100 * high:+.1f} points more errors than B.")
test.plot()

# %%
# The dot is the difference seen, the bar the range that the data leave possible, the grey line no difference.
# The range includes zero. So: B looked better on this sample, by almost one point, but these 569
# patients do not show that it *is* better. It also does not show that they are equal! The range
# says what is still possible: B may be ahead by more than two points, or A by half a point.
# **"Not shown to be different" is not "shown to be equal".** Keep this in mind; the rest of the page
# is about it.
#
# Several models, the simplest first
# ----------------------------------
# Usually there are more than two, and they are not equal in your eyes: one is simpler, faster or
# easier to explain. Put them in *your order of preference*. ``multitest`` keeps to it, except where
# the data override it.

models = {
    "nearest mean": make_pipeline(StandardScaler(), NearestCentroid()),
    "tree": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    "5-NN": A,
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "SVM": B,
}
names = list(models)
halves = np.array([errors_of(model, 2, 5) for model in models.values()])  # (5 models, 5, 2)

ordering = multitest(halves, names=names)
print(ordering)
ordering.plot()

# %%
# Each row is a model, in your order; the dots are its folds, the bar its mean. An arrow leads from a
# model to one that is shown to be better; the number is the place in the final order.

lowest = int(ordering.mean_errors.argmin())
for title, i in (("named best", ordering.best), ("fewest errors", lowest)):
    print(f"{title + ':':<15}{names[i]:<13}{ordering.mean_errors[i]:.1%} errors")

# %%
# This is the rule of the paper it comes from: *keep the simpler model unless it is shown to be
# worse*. It is careful, and with ten fits of each model and many pairs to test it is so careful that it
# shows next to nothing. A model with several times the errors keeps the first place, just because
# nobody proved the obvious.
#
# Turn the question round: how much would you pay?
# ------------------------------------------------
# You know something that no test knows: how many extra errors in a hundred cases you would accept
# for having the simpler model. That is the *margin*. With a margin of one point the rule becomes:
# *keep the simpler model if it is within one point of every more complicated one*. Now the simple
# model has to earn its place.

fifths = np.array([errors_of(model, 5, 5) for model in models.values()])  # (5 models, 5, 5)


def choose(margin, level):
    return multitest(
        fifths, names=names, margin=margin, alpha=level, correction=None, test="corrected-t"
    )


ordering = choose(margin=0.01, level=0.5)
print("Picked:", names[ordering.best])
ordering.plot()

# %%
# Two knobs, both in plain words:
#
# ``margin``
#     the price, in errors per case, that you would pay for simplicity. 0.01 is one more error in a
#     hundred cases.
# ``alpha``
#     how sure you want to be that the price is not higher. 0.5 means "by our best guess it is
#     within the margin"; 0.05 means "I want proof that it is", and then the complicated model wins
#     whenever there is doubt.

print("margin   " + "".join(f"level {level:<12}" for level in (0.5, 0.2, 0.05)))
for margin in (0.005, 0.01, 0.02, 0.05):
    picks = [names[choose(margin, level).best] for level in (0.5, 0.2, 0.05)]
    print(f"{margin:<9}" + "".join(f"{pick:<18}" for pick in picks))

# %%
# Which pair of values should you take if you have no opinion? We measured it, on small samples of
# fourteen large data sets, where the truth is known from the thousands of cases left out: see
# :doc:`the truth lab </comparison>`. A margin of one point at level 0.5 costs less than a tenth of a
# point of error compared with always taking the lowest mean, and picks a clearly simpler model.
#
# When the data cannot decide
# ---------------------------
# Back to A and B. What would it take to know? ``plan_comparison`` takes the difference we saw for the
# true one and asks what would show it in four experiments of five.

plan = plan_comparison(a, b)
print(plan)
plan.plot()

# %%
# The curve is the smallest difference that so many times the data would show; where it meets the red line, they would show the one
# we saw. Repeating the cross-validation cannot help: below a floor, only new cases make the difference known
# better. Being told so *before* spending another night of computing is worth something.
#
# So, when you read "not significant":
#
# 1. **Look at the range, not only at the p-value.** If even its worst end is a price you would pay,
#    you are done: take the model you prefer. That is what a margin does for you.
# 2. **If the range is too wide to act on, get more cases.** Uncertainty shrinks with the square root
#    of their number: four times the cases, half the range. More folds of the same cases cannot do
#    that.
# 3. **If you must choose today, choose by preference**: cost, speed, ease of explanation. The data
#    have said that they do not mind.
# 4. **Do not go on pressing buttons** (seeds, folds, tests) until something is below 0.05. Something
#    always will be, once in twenty honest tries.
