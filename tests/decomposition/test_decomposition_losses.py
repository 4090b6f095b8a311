import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.stats import entropy
from t96_loops import LOSSES

from polychotomy.decomposition import Deviance, Misclassification, ScoredLoss, Squared

NAMED = {"misclassification": Misclassification(), "squared": Squared(), "deviance": Deviance()}


def simplex(k):
    weights = st.floats(0, 1).map(lambda x: round(x, 3))  # thousandths: ties and zeros happen
    rows = arrays(np.float64, k, elements=weights).filter(lambda w: w.sum() > 0.01)
    return rows.map(lambda w: w / w.sum())


pairs = st.integers(2, 6).flatmap(lambda k: st.tuples(simplex(k), simplex(k)))


def test_misclassification_by_hand():
    loss = Misclassification()
    assert loss([0, 1], [0.45, 0.55]) == 0
    assert loss([1, 0], [0.45, 0.55]) == 1
    assert loss([1, 0, 0], [1 / 3, 1 / 3, 1 / 3]) == pytest.approx(2 / 3, abs=1e-15)  # eq. (35)
    assert loss([0, 0, 1], [0.5, 0.5, 0]) == 1
    assert loss([0.7, 0.2, 0.1], [0.4, 0.4, 0.2]) == pytest.approx(0.7 - 0.45, abs=1e-15)  # (41)


def test_misclassification_ties_survive_rounding():
    average = np.zeros(3)
    for vote in np.eye(3).repeat(7, axis=0):  # 21 votes of 1/21 each
        average += vote / 21
    average[0] += 1e-16
    assert Misclassification()([1, 0, 0], average) == pytest.approx(2 / 3, abs=1e-12)
    assert Misclassification(tie_tolerance=0.0)([1, 0, 0], [0.4, 0.4 + 1e-12, 0.2]) == 1


def test_squared_by_hand():
    assert Squared()([1, 0, 0], [0.5, 0.25, 0.25]) == 0.375
    assert Squared()([0.1, 0.9], [0.4, 0.6]) == pytest.approx(
        0.18, abs=1e-15
    )  # §7's example, by (19)


def test_deviance_is_twice_the_divergence():
    p, c = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.1, 0.3])
    assert_allclose(Deviance()(p, c), 2 * entropy(p, c), rtol=1e-14)
    assert Deviance()([1, 0], [0.25, 0.75]) == pytest.approx(-2 * np.log(0.25), abs=1e-15)


def test_deviance_at_zero():
    assert Deviance()([1, 0], [1, 0]) == 0
    assert Deviance()([0.5, 0.5], [1, 0]) == np.inf
    assert Deviance()([1.0, 0.0], [0.5, 0.5]) == pytest.approx(2 * np.log(2), abs=1e-15)


@pytest.mark.parametrize("name", NAMED)
@given(pair=pairs)
def test_losses_agree_with_loops(name, pair):
    p, c = pair
    assert_allclose(NAMED[name](p, c), LOSSES[name](p.tolist(), c.tolist()), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", NAMED)
@given(pair=pairs)
def test_losses_follow_the_general_rule(name, pair):
    """Eqs. (38)–(40): Q from scores and dispersion; no prediction beats the truth."""
    p, c = pair
    loss = NAMED[name]
    generic = ScoredLoss("generic", loss.score)
    assert_allclose(generic(p, c), loss(p, c), atol=1e-8, rtol=1e-9)
    assert_allclose(generic.dispersion(p), loss.dispersion(p), atol=1e-8)
    assert loss(p, c) >= -1e-12
    assert loss(p, p) == pytest.approx(0, abs=1e-8)


@given(pair=pairs, seed=st.integers(0, 99))
def test_losses_do_not_care_about_class_order(pair, seed):
    p, c = pair
    order = np.random.default_rng(seed).permutation(len(p))
    for loss in NAMED.values():
        assert_allclose(loss(p[order], c[order]), loss(p, c), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", NAMED)
def test_losses_broadcast(name):
    rng = np.random.default_rng(0)
    p, c = rng.dirichlet(np.ones(4), 5), rng.dirichlet(np.ones(4), (3, 5))
    got = NAMED[name](p, c)
    assert got.shape == (3, 5)
    assert_allclose(got[2, 4], NAMED[name](p[4], c[2, 4]), rtol=1e-14)


def test_dispersions_by_hand():
    p = np.array([0.5, 0.3, 0.2])
    assert Misclassification().dispersion(p) == pytest.approx(0.5)
    ordered_pairs = sum(p[i] * p[j] for i in range(3) for j in range(3) if i != j)  # Table 1
    assert Squared().dispersion(p) == pytest.approx(ordered_pairs)
    assert Deviance().dispersion(p) == pytest.approx(2 * entropy(p))
    assert Deviance().dispersion(np.array([1.0, 0.0])) == 0


@pytest.mark.parametrize("name", NAMED)
@given(
    labels=st.lists(st.integers(0, 3), min_size=2, max_size=12),
    groups=st.integers(1, 3),
    prediction=simplex(4).map(lambda c: 0.9 * c + 0.025),
)
def test_pythagoras_in_a_one_way_layout(name, labels, groups, prediction):
    """Eq. (45) put right: Q[Y, Π] = Q[Y, P̂] + Q[P̂, P̃] + Q[P̃, Π], P̂ within groups, P̃ overall."""
    loss, y = NAMED[name], np.eye(4)[labels]
    member = np.arange(len(y)) % min(groups, len(y))
    within = np.stack([y[member == g].mean(axis=0) for g in member])
    overall = np.broadcast_to(y.mean(axis=0), y.shape)
    constant = np.broadcast_to(prediction, y.shape)
    whole = loss(y, constant).sum()
    parts = loss(y, within).sum() + loss(within, overall).sum() + loss(overall, constant).sum()
    assert whole == pytest.approx(parts, abs=1e-7)
    assert whole == pytest.approx(loss(y, overall).sum() + loss(overall, constant).sum(), abs=1e-7)
