"""
Which dichotomies, and what do they decide?
===========================================

Many learners tell two classes apart. To tell three or more apart, one asks several two-class
questions and joins the answers. Which questions are asked is the *code*; how the answers are
joined is the *decoder*. This page shows what both do, on a problem in the plane that can be drawn.

In short: ask about pairs of classes, and couple the answers: ``CodedClassifier(learner)`` does. Other codes ask fewer questions,
and as a rule err more.

It follows the two figures of Hastie and Tibshirani (1998), who fitted a linear discriminant rule
to every pair of three classes. Their parameters are not in print; the mixtures here show the same
order of errors.
"""

# %%
# Three classes, three pairs, and a region without an answer
# ----------------------------------------------------------
# Each class is a mixture of two normal clouds. A linear rule for each pair of classes votes for one
# of the two. Where every class wins once, the votes say nothing: Friedman's max-wins rule is
# undecided there. Coupling looks at *how sure* the pairs are, and decides.

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from polychotomy.codes import draw_code, one_vs_one, one_vs_rest
from polychotomy.codes.orthogonal import orthogonal
from polychotomy.multiclass import CodedClassifier
from polychotomy.reproduction.data.mixtures import PlaneMixtures

COLOURS = ["#4477aa", "#ee6677", "#228833"]
TINTS = ListedColormap(["#c9d9ea", "#f9d0d6", "#c5e0ca"])


def draw_regions(ax, model, X, y, title, tied=None):
    """Colour the plane by predicted class; hatch where the votes are tied."""
    low, high = X.min(axis=0) - 0.6, X.max(axis=0) + 0.6
    across, up = np.meshgrid(np.linspace(low[0], high[0], 300), np.linspace(low[1], high[1], 300))
    grid = np.column_stack([across.ravel(), up.ravel()])
    region = model.predict(grid).reshape(across.shape)
    ax.pcolormesh(across, up, region, cmap=TINTS, vmin=0, vmax=2, shading="auto", rasterized=True)
    for label in range(3):
        inside = (region == label).astype(float)
        ax.contour(across, up, inside, levels=[0.5], colors="black", linewidths=0.8)
    if tied is not None:
        undecided = tied(grid).reshape(across.shape).astype(float)
        ax.contourf(across, up, undecided, levels=[0.5, 1.5], colors="white")
        ax.contourf(across, up, undecided, levels=[0.5, 1.5], colors="none", hatches=["////"])
    for label, colour in enumerate(COLOURS):
        ax.scatter(*X[y == label].T, s=6, color=colour, linewidths=0, alpha=0.8)
    ax.set(title=title, xticks=[], yticks=[], aspect="equal")


def draw_figure(figure, models):
    """One panel for each model, with its error on a large sample."""
    problem = PlaneMixtures(figure=figure)
    X, y = problem.sample(600, random_state=0)
    X_new, y_new = problem.sample(20_000, random_state=1)
    columns = 3 if len(models) == 3 else 2
    rows = len(models) // columns
    size = (3.3 * columns, 3.6 * rows)
    _, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    for ax, (name, model) in zip(axes.flat, models.items(), strict=True):
        error = 1 - model.fit(X, y).score(X_new, y_new)
        undecided = model.tied if name.endswith("max-wins") else None
        draw_regions(ax, model, X, y, f"{name}\nerror {error:.3f}", undecided)


lda = LinearDiscriminantAnalysis()
max_wins = CodedClassifier(lda, decoder="votes")
coupling = CodedClassifier(lda, decoder="bradley-terry")
draw_figure(1, {"Pairwise LDA, max-wins": max_wins, "Pairwise LDA, coupling": coupling, "LDA": lda})

# %%
# The hatched region is where each class has one vote. Pairwise rules make fewer errors than one
# linear rule for all three classes: a line between two classes need not care about the third.
# Coupling and max-wins are about as good as each other here.
#
# An example where coupling matters
# ---------------------------------
# Here the undecided regions (hatched) are large, and hold many points of two classes. Max-wins needs a tie rule
# (:class:`~polychotomy.multiclass.CodedClassifier` takes the first class, and
# :meth:`~polychotomy.multiclass.CodedClassifier.tied` says which points that concerns). The coupled
# probabilities settle most of them rightly; the quadratic rule, which fits this problem better than
# any line, is the best of the four.

draw_figure(
    2,
    {
        "Pairwise LDA, max-wins": max_wins,
        "Pairwise LDA, coupling": coupling,
        "LDA": lda,
        "QDA": QuadraticDiscriminantAnalysis(),
    },
)

# %%
# How much is owed to the tie rule alone? Give every tied point to one of its tied classes by lot:

problem = PlaneMixtures(figure=2)
X, y = problem.sample(600, random_state=0)
X_new, y_new = problem.sample(20_000, random_state=1)
tied = max_wins.fit(X, y).tied(X_new)
wrong = max_wins.predict(X_new) != y_new
by_lot = np.where(tied, 2 / 3, wrong).mean()  # three classes tie: a lot is wrong twice in three
print(f"undecided {tied.mean():.1%}; error {wrong.mean():.3f}, ties broken by lot {by_lot:.3f}")

# %%
# Codes: other questions to ask
# -----------------------------
# Pairs are one choice of questions. A code is any matrix with a row for each question and a column
# for each class: +1 and −1 are the two sides, 0 leaves a class out. One-vs-rest asks k questions,
# an orthogonal code (Mills, 2024) about k as well, one-vs-one k(k − 1)/2 smaller ones.

k = 6
_, axes = plt.subplots(1, 3, figsize=(9.5, 4.2), layout="constrained")
for ax, (name, code) in zip(
    axes,
    {
        "one-vs-one": one_vs_one(k),
        "one-vs-rest": one_vs_rest(k),
        "orthogonal": orthogonal(k),
    }.items(),
    strict=True,
):
    draw_code(code, ax=ax)
    ax.set_title(f"{name}: {len(code)} dichotomies")

# %%
# Every decoder works with every code. On the digits, ten classes, the same learner with four codes:

from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

X, y = load_digits(return_X_y=True)
train, test, y_train, y_test = train_test_split(X / 16, y, random_state=0, stratify=y)
for code in ("one-vs-one", "one-vs-rest", "orthogonal", "nested"):
    for decoder in ("bradley-terry", "least-squares"):
        model = CodedClassifier(LogisticRegression(), code=code, decoder=decoder, random_state=0)
        probabilities = model.fit(train, y_train).predict_proba(test)
        print(
            f"{code:12}{decoder:15}{len(model.estimators_):4} learners"
            f"   error {1 - model.score(test, y_test):.3f}"
            f"   log loss {log_loss(y_test, probabilities):.3f}"
        )

# %%
# Pairs make the fewest errors, and their 45 learners are small: each sees two of the ten classes.
# One-vs-rest asks ten questions of all the data. By log loss, ``least-squares`` suits pairs here, and
# ``bradley-terry`` one-vs-rest. Nested dichotomies need only nine learners, and every decoder gives the same exact
# answer, but one wrong turn near the top of the tree is final.
#
# Thresholds
# ----------
# A pairwise rule can also be improved by itself before it is joined with the others.
# ``thresholds="optimal"`` moves each one to where it errs least on data it has not seen
# (Hastie and Tibshirani, section 3). On Friedman's ten normal classes in 20 dimensions, each with
# a covariance of its own, lines are the wrong tool. Asking pairs instead of all ten classes at once
# halves the error; the thresholds add nothing to that here.

from polychotomy.reproduction.data.mixtures import FriedmanNormals

problem = FriedmanNormals()
X, y = problem.sample(1000, random_state=0)
X_new, y_new = problem.sample(2000, random_state=1)
for name, model in {
    "LDA": lda,
    "pairwise LDA": CodedClassifier(lda),
    "pairwise LDA, thresholds": CodedClassifier(lda, thresholds="optimal"),
}.items():
    print(f"{name:26} error {1 - model.fit(X, y).score(X_new, y_new):.3f}")
