"""What rules and tests answer on errors dealt at random: has a page measured them as they are?

``truth.md`` and ``honesty.md`` take hours. They carry a hash of these answers, which were the same
from the code that the pages measured; a test fails where the rules or tests of now give others.
Why not a hash of their code, as on the lab's page? That changes with every line that moves.
"""

from __future__ import annotations

import hashlib

import numpy as np
from benchmarks.truth.certificate import WAYS
from benchmarks.truth.draws import Draw
from benchmarks.truth.nulls import Resampled
from benchmarks.truth.rules import RULES


def rule_answers(draws: int = 40) -> np.ndarray:
    """Who is chosen by each rule in each draw, (draws, rules); −1 for nobody."""
    rng, found = np.random.default_rng(7), []
    for at in range(draws):
        n, apart = (100, 200, 600)[at % 3], (0.005, 0.02, 0.08)[at % 5 % 3]
        truth = rng.uniform(0.02, 0.45) + np.abs(rng.normal(0, apart, 8))
        errors = np.clip(truth[:, None, None] + rng.normal(0, 0.02, (5, 5)), 0, 1)
        fifths = rng.binomial(n // 5, errors) / (n // 5)
        halves = rng.binomial(n // 2, errors[..., :2]) / (n // 2)
        draw = Draw("dealt", n, at, halves, fifths, truth)
        picks = [rule(draw) for rule in RULES.values()]
        found.append([-1 if pick is None else int(pick) for pick in picks])
    return np.array(found)


def pair_answers(samples: int = 200) -> np.ndarray:
    """Whether each way of comparing calls two learners different, (ways, samples)."""
    rng, n = np.random.default_rng(8), 100
    apart = np.repeat((0.0, 0.03, 0.1), -(-samples // 3))[:samples]
    share = np.stack([np.full(samples, 0.2), 0.2 + apart], axis=1)[..., None, None]
    halves, fifths, tenths = (
        rng.binomial(n // folds, np.clip(share + rng.normal(0, 0.03, (samples, 1, r, folds)), 0, 1))
        for r, folds in ((5, 2), (5, 5), (10, 10))
    )
    discordant = rng.binomial(30, share[..., 0, 0] / 2)
    one = Resampled(n, halves, fifths, tenths, discordant)
    return np.array([way.differs(one) for way in WAYS])


ANSWERS = {"truth": rule_answers, "honesty": pair_answers}
"""By the page that rests on them."""


def answers_hash(page: str) -> str:
    """Hash of the answers that a page rests on."""
    return hashlib.sha256(ANSWERS[page]().astype(np.int8).tobytes()).hexdigest()[:12]


def answers_stamp(page: str) -> str:
    """Line for the top of a page."""
    return f"<!-- measured what answers {answers_hash(page)} -->"
