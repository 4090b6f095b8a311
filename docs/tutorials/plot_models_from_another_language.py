"""
Judging models from another language
====================================

The model to beat runs in R, in Java, or on a cluster of graphics cards. You need not port it: its
*predictions* are enough. polychotomy judges a table of predictions as it judges its own fits: the same tests,
the same page.

In short: write out-of-fold predictions of all models to one table, and

.. code-block:: console

   $ polychotomy judge --predictions predictions.csv
"""

# %%
# What the table must hold
# ------------------------
#
# A row for each case that a model predicted *without having seen it*: the model's name, the case, the fold in which
# the case was left out, the true class, and a probability for each class (``p:<class>``). All models must have
# used the same folds. In R, with a data frame ``d`` and a column ``d$fold`` drawn once, this would be
#
# .. code-block:: r
#
#    library(ranger)
#    out <- do.call(rbind, lapply(unique(d$fold), function(f) {
#      fit <- ranger(y ~ . - fold, d[d$fold != f, ], probability = TRUE)
#      p <- predict(fit, d[d$fold == f, ])$predictions
#      data.frame(learner = "R forest", sample = which(d$fold == f), fold = f, truth = d$y[d$fold == f],
#                 `p:no` = p[, "no"], `p:yes` = p[, "yes"], check.names = FALSE)
#    }))
#    write.csv(out, "predictions.csv", row.names = FALSE)
#
# Here two models of scikit-learn stand in for the foreign ones, so that the page runs anywhere.

import tempfile
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = load_breast_cancer(return_X_y=True)
names = load_breast_cancer().target_names
models = {
    "simple rules": GaussianNB(),
    "the model from R": make_pipeline(StandardScaler(), LogisticRegression()),
}
parts = []
splits = RepeatedStratifiedKFold(n_splits=5, n_repeats=5, random_state=0).split(X, y)
for number, (train, test) in enumerate(splits):
    for name, model in models.items():
        p = model.fit(X[train], y[train]).predict_proba(X[test])
        part = pd.DataFrame(p, columns=[f"p:{label}" for label in names])
        part.insert(0, "learner", name)
        part.insert(1, "repetition", number // 5)
        part.insert(2, "fold", number % 5)
        part.insert(3, "sample", test)
        part.insert(4, "truth", names[y[test]])
        parts.append(part)

folder = Path(tempfile.mkdtemp())
pd.concat(parts).to_csv(folder / "predictions.csv", index=False)
pd.read_csv(folder / "predictions.csv").head(3)

# %%
# Judge them
# ----------
#
# Order of preference is order of appearance in the table. On the command line:

import subprocess
import sys

done = subprocess.run(
    [sys.executable, "-m", "polychotomy", "judge", "--predictions", "predictions.csv"],
    cwd=folder,
    capture_output=True,
    text=True,
    check=True,
)
print(done.stdout)

# %%
# What is missing is said to be missing: bagging and more data would need fits, and nothing can be fitted here. All
# other questions are answered from the table alone.
#
# From Python, ``import_predictions`` reads the table into a ledger, and ``judge`` takes that in place of candidates:

from polychotomy import assess_trust, import_predictions, judge

with import_predictions(folder / "predictions.csv") as ledger:
    verdict = judge(ledger)
    predictions = ledger.out_of_fold()
print(verdict.sentences()[0])

# %%
# ``judge(ledger, loss="log-loss")``, ``margin=``, ``against=`` and the like ask otherwise, of the same table. And every
# function that takes out-of-fold predictions takes those:

trust = assess_trust(predictions, "the model from R")
print(trust)

# %%
# Results draw themselves. The line is the trace of the probabilities, less the straight line that true ones would give; in the grey
# band lie 95 % of the traces of true probabilities:

import matplotlib.pyplot as plt

trust.plot()
plt.show()
