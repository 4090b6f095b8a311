"""Eight cheap learners in order of preference, the simplest first."""

from __future__ import annotations

from collections.abc import Callable

from sklearn.base import ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

# The features are standardised on the training part before any of them sees it.
LEARNERS: dict[str, Callable[[int], ClassifierMixin]] = {
    "majority": lambda seed: DummyClassifier(strategy="prior"),
    "nearest mean": lambda seed: NearestCentroid(),
    "naive Bayes": lambda seed: GaussianNB(var_smoothing=1e-3),
    "logistic": lambda seed: LogisticRegression(max_iter=200),
    "tree": lambda seed: DecisionTreeClassifier(min_samples_leaf=3, random_state=seed),
    "5-NN": lambda seed: KNeighborsClassifier(5, algorithm="brute"),
    "RBF SVM": lambda seed: SVC(),
    "random forest": lambda seed: RandomForestClassifier(50, random_state=seed),
}
NAMES = tuple(LEARNERS)
SIMPLE = NAMES.index("logistic")  # "logistic or simpler": rows up to and including this one
