"""
Which classifier?
=================

You have a table, and four classifiers that might do. A leaderboard would name the one with the lowest
error. But is its lead real, or the luck of the folds? And would you not rather take the simple one, if
it is as good for all that matters?

In short: ``judge(candidates, X, y).best``, with the candidates in your order of preference. Here it names the
logistic regression: naive Bayes errs more, and the forest is not better.
"""

# %%
# Candidates, simplest first
# --------------------------
#
# The order is your *preference*: what you would take if they were all equally good. Here: what is easy to
# explain comes first.

from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy import judge

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
candidates = {
    "always benign": DummyClassifier(),
    "naive Bayes": GaussianNB(),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "random forest": RandomForestClassifier(100),
}
verdict = judge(candidates, X, y, dataset="breast cancer", anatomy=False)
print(verdict)

# %%
# Every sentence has its numbers behind it; each number comes from predictions of cases that the fit had
# not seen. All candidates were fitted to the same folds, so they are compared case by case.

verdict.to_frame()

# %%
# The order, as a drawing
# -----------------------
#
# An arrow leads from a preferred candidate to one that overrode it. The winner is the most preferred one
# without an arrow.

verdict.ordering.plot()

# %%
# What else was found out
# -----------------------
#
# One verdict holds the other answers too: can the winner's probabilities be trusted, and would combining the
# candidates rank better than the best of them alone? (What limits the winner takes more fits, so it was left out
# here by ``anatomy=False``.)

print(verdict.trust)
print(verdict.combination)

# %%
# From the verdict to a model
# ---------------------------
#
# ``fit`` gives the winner, fitted on all rows and recalibrated where that was shown to help. It is a scikit-learn
# classifier like any other, for data frames of pandas, Polars or PyArrow whose columns stand in any order;
# ``model.save("cancer.skops")`` keeps it in a file, and ``load_model`` gives it back.

model = verdict.fit()
model.predict(X[:3]), model.predict_proba(X[:3]).round(3)

# %%
model

# %%
# ``verdict.to_html("verdict.html")`` writes all of it as one page that needs no network, and
#
# .. code-block:: console
#
#    $ polychotomy judge cancer.csv --target diagnosis
#
# does the same for a file, with candidates that take a table as it comes: dates, texts, gaps.
