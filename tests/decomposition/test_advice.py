"""Would it help? Combining, bagging and more data answer by the same names."""

import numpy as np
import pytest

from polychotomy import learning_curve_forecast, would_bagging_help, would_combining_help
from polychotomy.core.advice import answer_question
from polychotomy.core.predictions import OutOfFold


def combining():
    y = np.arange(400) % 2
    logits = np.random.default_rng(0).normal(size=(2, 400)) + 1.5 * (y - 0.5)
    p = np.stack([np.zeros_like(logits), logits], axis=-1)
    p = (np.exp(p) / np.exp(p).sum(axis=-1, keepdims=True))[:, None, None]
    return would_combining_help(
        OutOfFold(
            names=("left", "right"), classes=("no", "yes"), y=y,
            folds=(np.arange(400) // 80)[None, None], predicted=p.argmax(axis=-1),
            probabilities=p, hard=np.zeros(2, dtype=bool),
        )
    )  # fmt: skip


def bagging():
    wrong = (np.arange(400) % 4 == 0).astype(int), (np.arange(400) % 8 == 0).astype(int)
    return would_bagging_help(*(np.eye(2)[one] for one in wrong), np.zeros(400, dtype=int))


def more_data():
    sizes, noise = np.array([50, 100, 200, 400]), np.array([[0.001, -0.001]])
    return learning_curve_forecast(sizes, 0.05 + 20 / sizes[:, None] + noise)


@pytest.mark.parametrize("ask", [combining, bagging, more_data])
def test_the_questions_are_answered_by_the_same_names(ask):
    advice = ask()
    assert advice.low <= advice.expected <= advice.high
    assert advice.gain == 0.005
    assert advice.answer == answer_question(advice.low, advice.high, advice.gain) == "yes"
