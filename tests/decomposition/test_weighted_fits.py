import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from polychotomy.decomposition.bootstrap_fits import fits_weights_exactly


class Subclass(DecisionTreeClassifier):
    """Not scikit-learn's: who knows what it counts."""


@pytest.mark.parametrize(
    ("learner", "exact"),
    [
        (DecisionTreeClassifier(max_depth=3), True),
        (LogisticRegression(C=10), True),
        (DecisionTreeClassifier(min_samples_leaf=2), False),
        (DecisionTreeClassifier(min_samples_leaf=0.1), False),
        (DecisionTreeClassifier(class_weight="balanced"), False),
        (LogisticRegression(class_weight="balanced"), False),
        (LogisticRegression(solver="saga"), False),
        (KNeighborsClassifier(), False),
        (RandomForestClassifier(), False),
        (make_pipeline(StandardScaler(), LogisticRegression()), False),
        (Subclass(), False),
    ],
)
def test_only_learners_known_to_be_exact(learner, exact):
    assert fits_weights_exactly(learner) is exact
