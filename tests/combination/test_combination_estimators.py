"""scikit-learn's own checks of the combination estimators."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.combination import ModestAdaBoostClassifier, RankBoostClassifier


@parametrize_with_checks([ModestAdaBoostClassifier(), RankBoostClassifier()])
def test_estimator_checks(estimator, check):
    check(estimator)
