"""
My classifier only does two classes
===================================

Some of the best ideas are born for two classes: a threshold, a margin, a ranking. This page takes
such a learner, makes it read ten handwritten digits, and gives it probabilities that can be used.
Nothing of the learner is changed.

In short: ``CodedClassifier(learner).fit(X, y)``, then ``predict`` and ``predict_proba`` as ever.
"""

# %%
# A learner that refuses a third class
# ------------------------------------
#
# RankBoost puts positives above negatives by thresholds on single features. With ten classes it says
# what to do instead:

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from polychotomy import CodedClassifier, RankBoostClassifier, code_quality, orthogonal

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=900, random_state=0)

learner = RankBoostClassifier(n_estimators=30)
try:
    learner.fit(X_train, y_train)
except ValueError as error:
    print(error)

# %%
# Ask several two-class questions
# -------------------------------
#
# ``CodedClassifier`` asks one question for each pair of classes (45 of them for ten digits), trains the learner
# on each, and *couples* the answers into class probabilities.

pairs = CodedClassifier(learner).fit(X_train, y_train)
print(f"one-vs-one: {len(pairs.estimators_)} learners, {pairs.score(X_test, y_test):.1%} right")
pairs.predict_proba(X_test[:3]).round(2)

# %%
# The probabilities are complete: they add up to one, and ``predict`` is always their largest.

p = pairs.predict_proba(X_test)
print(
    np.abs(p.sum(axis=1) - 1).max() < 1e-12,
    (pairs.classes_[p.argmax(1)] == pairs.predict(X_test)).all(),
)

# %%
# Which questions?
# ----------------
#
# Pairs are not the only choice. A *code* is a table with a row for each question and a column for each
# class: blue on one side, orange on the other, white left out. An orthogonal code asks twelve questions
# in place of 45, each about all ten digits.

code_quality(orthogonal(10)).plot()

# %%
# More questions or fewer, easier or harder: try some, and compare errors, log loss and the number of
# learners.

rows = {}
for code in ("one-vs-one", "one-vs-rest", "orthogonal", "nested"):
    model = CodedClassifier(learner, code=code, random_state=0).fit(X_train, y_train)
    rows[code] = {
        "learners": len(model.estimators_),
        "error": 1 - model.score(X_test, y_test),
        "log loss": log_loss(y_test, model.predict_proba(X_test)),
    }
table = pd.DataFrame(rows).T
table.round(3)

# %%
# For this learner the easy questions win: telling 3 from 8 takes one threshold or a few, telling half of
# the digits from the other half takes many.

# sphinx_gallery_thumbnail_number = 2
figure, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained", sharey=True)
table["error"].plot.barh(ax=axes[0], title="error")
table["log loss"].plot.barh(ax=axes[1], title="log loss")
for ax in axes:
    ax.invert_yaxis()

# %%
# One split of one data set decides nothing. To choose between codes by test, let them stand side by side as
# candidates of ``judge``: see *Which classifier?*
#
# A limit of more than two
# ------------------------
# Some learners take more than two classes, but not many: tabular foundation models often ten. With
# ``classes_at_most`` each row of the code deals the classes to so many letters, and every learner
# tells letters apart.

three = CodedClassifier(ExtraTreesClassifier(random_state=0), classes_at_most=3)
three.fit(X_train, y_train)
print(f"three letters: {len(three.estimators_)} learners, {three.score(X_test, y_test):.1%} right")
