"""Functions of labels take texts: the i-th in sorted order stands for column i, or for code i."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from polychotomy import calibration, combination, comparison, decomposition, validation
from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction import other_decompositions

RNG = np.random.default_rng(0)
P = RNG.dirichlet(np.ones(3), 60)
Y = np.arange(60) * 7 % 3
SCORES = RNG.normal(size=(60, 2))
FITS, IN_BAG = RNG.dirichlet(np.ones(3), (5, 60)), RNG.integers(0, 2, (5, 60))
TWO = np.arange(60) % 2

MANY_CLASSES = {
    "probability_trace": lambda y: validation.probability_trace(P, y).trace,
    "score_probabilities": lambda y: validation.score_probabilities(P, y).log_loss,
    "reliability_diagram": lambda y: validation.reliability_diagram(P, y).to_frame(),
    "recalibrate": lambda y: validation.recalibrate(P, y).probabilities,
    "fit_temperature": lambda y: calibration.fit_temperature(P, y).apply(P),
    "fit_sigmoid": lambda y: calibration.fit_sigmoid(P, y).apply(P),
    "fit_isotonic": lambda y: calibration.fit_isotonic(P, y).apply(P),
    "uncertainty_coefficient": lambda y: validation.uncertainty_coefficient(y, y[::-1]),
    "decompose_predictions": lambda y: decomposition.decompose_predictions(FITS, IN_BAG, y).y,
    "kohavi_wolpert": lambda y: other_decompositions.kohavi_wolpert(P, y),
    "breiman": lambda y: other_decompositions.breiman(P, y),
    "domingos": lambda y: other_decompositions.domingos(P, y),
    "would_bagging_help": lambda y: decomposition.would_bagging_help(P, FITS[0], y).differences,
}
TWO_CLASSES = {
    "rank_margin": lambda y: combination.rank_margin(SCORES, y),
    "rank_margin_weights": lambda y: combination.rank_margin_weights(SCORES, y).weights,
    "tuned_margin_weights": lambda y: combination.tuned_margin_weights(SCORES, y).weights,
    "pair_margins": lambda y: combination.pair_margins(SCORES, y).shares,
    "auc": lambda y: combination.auc(SCORES[:, 0], y),
    "aucs": lambda y: combination.aucs(SCORES, y),
    "roc_convex_hull": lambda y: comparison.roc_convex_hull(SCORES, y).tpr,
    "delong_test": lambda y: comparison.delong_test(y, *SCORES.T).pvalue,
}


@pytest.mark.parametrize("kind", [str, object])
@pytest.mark.parametrize("name", MANY_CLASSES)
def test_texts_stand_for_columns_in_sorted_order(name, kind):
    texts = np.array(["ant", "bee", "cow"], dtype=kind)[Y]
    assert_array_equal(MANY_CLASSES[name](texts), MANY_CLASSES[name](Y))


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_the_second_of_two_texts_is_the_positive_class(name):
    assert_array_equal(TWO_CLASSES[name](np.array(["no", "yes"])[TWO]), TWO_CLASSES[name](TWO))


@pytest.mark.parametrize("name", sorted(MANY_CLASSES.keys() - {"uncertainty_coefficient"}))
def test_labels_that_cannot_be_matched_with_columns_are_refused(name):
    with pytest.raises(InvalidInput, match=r"2 different labels, .*there are 3 classes"):
        MANY_CLASSES[name](np.array(["ant", "bee", "ant"])[Y])
