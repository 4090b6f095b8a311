"""scikit-learn's own estimator checks on CodedClassifier over several learners, codes, decoders."""

import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.multiclass import CodedClassifier

CORE = [CodedClassifier(LogisticRegression())]
MORE = [
    CodedClassifier(LinearSVC(dual=False, tol=1e-12), decoder="votes"),
    CodedClassifier(GaussianNB(), calibration="sigmoid", code="nested"),
    CodedClassifier(SVC(gamma="auto", tol=1e-10), thresholds="optimal"),
    CodedClassifier(LogisticRegression(), code="one-vs-rest", decoder="least-squares"),
    CodedClassifier(LogisticRegression(), calibration="isotonic"),
    CodedClassifier(LinearDiscriminantAnalysis(), code="orthogonal", decoder="least-squares"),
    CodedClassifier(GaussianNB(), thresholds="optimal"),
    CodedClassifier(KNeighborsClassifier(), decoder="loss", code="exhaustive"),
    CodedClassifier(SVC()),
    CodedClassifier(SVC(), code="orthogonal", decoder="loss", calibration=None),
    CodedClassifier(SVC(kernel="precomputed"), calibration=None),
    CodedClassifier(SGDClassifier(random_state=0), calibration=None, code="random-sparse"),
]

# scikit-learn's own SVC() and SGDClassifier() fail these two checks, alone: gamma="scale" and the
# order of stochastic steps see rows, not weights. With gamma="auto" and a small tol all pass.
UNEQUAL_ALONE = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)


def expected_failures(model):
    learner = model.estimator
    if isinstance(learner, SGDClassifier) or (
        isinstance(learner, SVC) and learner.kernel == "rbf" and learner.gamma == "scale"
    ):
        return dict.fromkeys(UNEQUAL_ALONE, "the learner itself fails this check")
    if isinstance(learner, SVC) and learner.kernel == "precomputed":
        # This check forgets to make a kernel matrix of its samples for learners that want one.
        return {"check_decision_proba_consistency": "the check passes features, not a kernel"}
    return {}


@parametrize_with_checks(CORE, expected_failed_checks=expected_failures)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.long
@parametrize_with_checks(MORE, expected_failed_checks=expected_failures)
def test_estimator_checks_on_more(estimator, check):
    check(estimator)
