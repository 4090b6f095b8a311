import numpy as np
import pytest

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import (
    Deviance,
    Misclassification,
    ScoredLoss,
    Squared,
    check_loss,
    decompose_predictions,
)
from polychotomy.decomposition.losses import resolve_loss


@pytest.mark.parametrize("k", [2, 3, 10, 100])
@pytest.mark.parametrize("loss", [Misclassification(), Squared(), Deviance()])
def test_the_papers_losses_pass(loss, k):
    check_loss(loss, k=k)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (lambda c: 1 - c, r"breaks eq. \(39\)"),
        (lambda c: 2 - c, r"breaks eq. \(37\) at \[1.0, 0.0, 0.0\]: being sure"),
        (lambda c: (1 - c) * np.arange(1, c.shape[-1] + 1), "treats all classes alike"),
        (lambda c: c.sum(axis=-1), r"'mine' returns has shape \(131,\); expected \(131, 3\)"),
        (lambda c: c * np.nan, "as nan; expected a number from 0 to infinity"),
        (lambda c: -np.ones_like(c), "as -1; expected"),
    ],
)
def test_improper_losses_are_refused(scores, message):
    with pytest.raises(InvalidInput, match=message):
        check_loss(ScoredLoss("mine", scores), k=3)


def test_a_users_loss_is_checked_at_the_door():
    votes = np.eye(2)[np.zeros((2, 3), dtype=int)]
    with pytest.raises(InvalidInput, match="'mine' breaks"):
        decompose_predictions(
            votes, np.zeros((2, 3)), [0, 1, 0], loss=ScoredLoss("mine", lambda c: 1 - c)
        )


def test_unknown_losses_are_named():
    with pytest.raises(
        InvalidInput, match="loss is 'zero-one'; expected 'misclassification', 'squared'"
    ):
        resolve_loss("zero-one", 2)
    with pytest.raises(InvalidInput, match=r"loss is 3; .* or a Loss"):
        resolve_loss(3, 2)


def test_single_precision_ties_are_wider():
    assert resolve_loss("misclassification", 2, np.dtype("f4")).tie_tolerance > 5e-7
    assert resolve_loss("misclassification", 2, np.dtype("f8")).tie_tolerance == 1e-9
    assert resolve_loss("misclassification", 2, np.dtype("i8")).tie_tolerance == 1e-9


@pytest.mark.parametrize("loss", [None, "squared", 3, np.abs])
def test_what_is_no_loss_is_refused(loss):
    with pytest.raises(InvalidInput, match=r"loss is .* expected a Loss"):
        check_loss(loss, k=3)


@pytest.mark.parametrize("k", [1, None, 2.5])
def test_a_loss_needs_two_classes(k):
    with pytest.raises(InvalidInput, match=r"k is .* at least 2"):
        check_loss(Squared(), k=k)
