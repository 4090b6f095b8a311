"""
Would combining help?
=====================

You have tried a few classifiers. One is a little better than the others. Do you take it, or do you
let them decide together? And if together: with what weights?

In short: ``would_combining_help(predictions)`` says, from predictions that you have. Five classifiers that see the same features show
no gain over the best of them alone; three that see different ones do. ``RankMarginClassifier`` is the combination to keep.

We rank by the *area under the ROC curve* (AUC): the share of pairs, one patient with a malignant
tumour and one with a benign one, that are put in the right order. It needs no threshold.
"""

# %%
# Four candidates and a bad one
# -----------------------------
#
# The breast cancer data of scikit-learn, made harder: ten of the thirty features, with noise. The
# last candidate sees shuffled features, so it knows nothing. Real collections have such members too.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from polychotomy import (
    CodedClassifier,
    RankMarginClassifier,
    rank_margin_weights,
    would_combining_help,
)
from polychotomy.combination import pair_margins
from polychotomy.comparison import roc_convex_hull
from polychotomy.core.predictions import OutOfFold

rng = np.random.default_rng(0)
X, y = load_breast_cancer(return_X_y=True)
X, y = StandardScaler().fit_transform(X)[:, :10], 1 - y  # 1: malignant
X = X + rng.normal(scale=1.5, size=X.shape)


def shuffle_features(features):
    return np.random.default_rng(1).permuted(features, axis=0)


candidates = {
    "logistic": LogisticRegression(),
    "naive Bayes": GaussianNB(),
    "neighbours": KNeighborsClassifier(15),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "knows nothing": make_pipeline(FunctionTransformer(shuffle_features), GaussianNB()),
}

# %%
# Predictions on cases not seen
# -----------------------------
#
# Every question here is answered from out-of-fold predictions: each case is scored by fits that left
# it out. (A ``Ledger`` made by ``judge`` keeps them for you.)

repetitions = 2
folds = np.empty((1, repetitions, len(y)), dtype=int)
p = np.empty((len(candidates), 1, repetitions, len(y), 2))
for repetition in range(repetitions):
    plan = StratifiedKFold(5, shuffle=True, random_state=repetition)
    for fold, (train, test) in enumerate(plan.split(X, y)):
        folds[0, repetition, test] = fold
        for j, candidate in enumerate(candidates.values()):
            p[j, 0, repetition, test] = candidate.fit(X[train], y[train]).predict_proba(X[test])

predictions = OutOfFold(
    names=tuple(candidates),
    classes=("benign", "malignant"),
    y=y,
    folds=folds,
    predicted=p.argmax(axis=-1),
    probabilities=p,
    hard=np.zeros(len(candidates), dtype=bool),
)

# %%
# The question itself
# -------------------
#
# Nothing is fitted again. In every fold, the weights are learned on the other folds; and so is the
# choice of the best single candidate, for the best in hindsight is always a little lucky.

advice = would_combining_help(predictions)
print(advice)

# %%
# The answer is sober: between one logistic regression and all five together no difference is seen, and
# the interval says how large one could be. At least nothing is lost, for what knows nothing gets next
# to no weight:

advice.plot()
plt.show()

# %%
advice.to_frame().round(3)

# %%
# Candidates that know different things
# -------------------------------------
#
# All candidates above look at the same ten features. Now three logistic regressions that see one of the
# three groups of ten features each, as if they came from three laboratories:

X_all = StandardScaler().fit_transform(load_breast_cancer().data)
X_all = X_all + rng.normal(scale=1.5, size=X_all.shape)
p_groups = np.empty((3, 1, repetitions, len(y), 2))
for repetition in range(repetitions):
    for fold in range(5):
        test = folds[0, repetition] == fold
        for j in range(3):
            group = X_all[:, 10 * j : 10 * j + 10]
            model = LogisticRegression().fit(group[~test], y[~test])
            p_groups[j, 0, repetition, test] = model.predict_proba(group[test])

groups = OutOfFold(
    names=("means", "errors", "worst"),
    classes=("benign", "malignant"),
    y=y,
    folds=folds,
    predicted=p_groups.argmax(axis=-1),
    probabilities=p_groups,
    hard=np.zeros(3, dtype=bool),
)
print(would_combining_help(groups))

# %%
# The ROC curves
# --------------
#
# The plain average of all five suffers from the bad one; weights repair it. (Here the weights are the
# means over the folds, for the drawing only: the numbers above are the honest ones.)

scores = 2 * p[:, 0, 0, :, 1].T - 1
rankers = np.column_stack([scores @ advice.weights, scores.mean(axis=1), scores[:, 0]])
roc_convex_hull(rankers, y, names=["combination", "plain average", "logistic"]).plot()
plt.show()

# %%
# Why not the paper's margin?
# ---------------------------
#
# Marrocco, Simeone and Tortorella (2009) choose the weights that make the *smallest* difference
# between a malignant and a benign case as large as possible. One odd case then decides everything:

hard = rank_margin_weights(scores, y)
print(hard)
combined = scores @ hard.weights
lowest = (y == 1) & np.isclose(combined, combined[y == 1].min())
highest = (y == 0) & np.isclose(combined, combined[y == 0].max())
print("cases that decide:", np.flatnonzero(lowest | highest).tolist())
print("weights:", dict(zip(candidates, hard.weights.round(2).tolist(), strict=True)))

# %%
# The drawing shows the share of all pairs up to a margin, on a logarithmic scale. The hard margin wins
# at the far left, in a few pairs of thousands, and loses where the pairs are.

together = np.column_stack([scores @ hard.weights, scores @ advice.weights])
pair_margins(together, y, names=["hard margin", "default weights"]).plot()
plt.show()

# %%
# A combination to keep
# ---------------------
#
# ``RankMarginClassifier`` is used like scikit-learn's voting classifiers. It learns the weights on
# cross-fitted scores, and its probabilities are calibrated.

X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
combined = RankMarginClassifier(list(candidates.items())).fit(X_train, y_train)
print(dict(zip(candidates, combined.weights_.round(2).tolist(), strict=True)))
combined.score(X_test, y_test)

# %%
# More than two classes
# ---------------------
#
# Ranking is about two classes. For more, give the combination to ``CodedClassifier``: one combination
# for each pair of classes, with weights of its own, joined to probabilities by pairwise coupling.

X_wine, y_wine = load_wine(return_X_y=True)
members = [
    ("naive Bayes", GaussianNB()),
    ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
]
wine = CodedClassifier(RankMarginClassifier(members, margin="soft")).fit(X_wine[::2], y_wine[::2])
wine.predict_proba(X_wine[1::2])[[0, 40, 80]].round(3)  # a bottle of each kind
