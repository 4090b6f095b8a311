"""
What limits the error, would bagging help?
==========================================

A classifier makes mistakes for different reasons, and each has another cure. It may be too simple for
the problem (bias), it may depend too much on which cases it happened to see (variance), or the classes
may overlap so that nobody could do better. This page takes three classifiers apart on real data, and
asks of each: would bagging help? Would more data?

In short: ``decompose_error`` says how much of the error goes away when many fits are averaged. Here that is nearly half of a
tree's and little of the others'. ``would_bagging_help`` and ``learning_curve_forecast`` say what you would gain.
"""

# %%
# Three classifiers, one table
# ----------------------------
#
# The data are 569 breast tumours, benign or malignant, described by 30 measurements of a cell image.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

X, y = load_breast_cancer(return_X_y=True)
learners = {
    "tree": DecisionTreeClassifier(random_state=0),
    "25 neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(25)),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
}

# %%
# The error budget
# ----------------
#
# ``decompose_error`` fits each classifier to bootstrap samples and looks at what each fit says about
# the cases it has not seen. No test set is needed.

from polychotomy.decomposition import decompose_error, draw_error_budget

budgets = {
    name: decompose_error(learner, X, y, n_bootstraps=100, random_state=0)
    for name, learner in learners.items()
}
_ = draw_error_budget(budgets)

# %%
# Nearly half of the tree's bar is orange: the *aggregation effect*, what averaging many trees would
# remove. The other two have little of it. Their fits agree with each other, so whatever they get
# wrong, they get wrong together.
#
# The paper also gives a lower limit of the error that anybody can reach, from nearest neighbours. It
# is a statement about endless data, and often false for a few hundred cases. Here all three do better
# than the "limit" (dotted) once many fits are averaged. Where it is lower it is drawn as a grey part of the bar. Do not read it as
# noise that nobody can remove.
#
# The numbers behind the bars come with two kinds of uncertainty: ``monte_carlo_error`` is from having
# drawn 100 bootstrap samples and not endlessly many; the interval is from having 569 cases.

budgets["tree"].to_frame().query("`class` == 'all'").round(4)

# %%
# Which cases?
# ------------
#
# The variance is not spread evenly. A few cases carry most of it: those near the border, on which the
# trees cannot agree.
# They can be looked up, to see whether they are mislabelled or just hard:

budgets["tree"].per_sample.sort_values("variance", ascending=False).head().round(3)

# %%
# Would bagging help?
# -------------------
#
# The orange bar compares with a tree that saw a bootstrap sample, which holds only 63 % of the cases.
# That flatters bagging. The fair question compares with the tree you have, fitted to all cases. Its
# error is known from cross-validation, case by case, so the two can be compared on the same cases.

from sklearn.model_selection import cross_val_predict

from polychotomy.decomposition import would_bagging_help

for name, learner in learners.items():
    single = cross_val_predict(learner, X, y, cv=10, method="predict_proba")
    print(f"{name}: {would_bagging_help(single, budgets[name].aggregated, y)}\n")

# %%
# "Cannot tell" is an honest answer: with a few hundred cases, half a point is two or three cases.
#
# Would more data help?
# ---------------------
#
# Fit the classifier to a fifth, a third, more than half and all of the training cases, always try it on
# cases left out, and see where the curve is heading.

from polychotomy.decomposition import learning_curve_forecast
from polychotomy.study import NestedSizes, Study

study = Study({"tree": learners["tree"]}, X, y, plan=NestedSizes(repetitions=3))
with study.run() as ledger:
    sizes, losses = ledger.size_errors("tree")
forecast = learning_curve_forecast(sizes, losses, n=len(y))
print(forecast)
_ = forecast.plot()

# %%
# The band widens quickly: what a hundred cases say about ten thousand is little, and the forecast says
# how little.
#
# The short version
# -----------------
#
# * large aggregation effect, and bagging "yes": average many fits of the classifier;
# * little aggregation effect, still a large error: the classifier is too simple, try another one;
# * more data "yes": collect more before changing anything else.
