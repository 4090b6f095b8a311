"""Seeds of every kind, as one."""

from __future__ import annotations

import hashlib
import json
from typing import TypeAlias

import numpy as np

from polychotomy.core.arguments import unexpected

RandomState: TypeAlias = int | np.integer | np.random.RandomState | np.random.Generator | None
"""What ``random_state`` may be: a seed, a generator of either kind, or None for fresh entropy."""

Seed: TypeAlias = RandomState | np.random.SeedSequence
"""The same, or a tree of seeds that others are drawn from."""


_ANY_KIND = "None, an int of at least 0, numpy.random.RandomState or numpy.random.Generator"


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Return a Generator: the one given, one seeded by the one given, or a new one.

    A ``RandomState`` is drawn from once for the seed, so that drawing twice with the same one
    gives two different results, and doing the same again after seeding it gives the same two.

    Examples
    --------
    >>> from polychotomy.core.seeds import as_generator
    >>> bool(as_generator(3).random() == as_generator(3).random())
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31, size=4))
    if random_state is None:
        return np.random.default_rng()
    return np.random.default_rng(check_seed(random_state, expected=_ANY_KIND))


def check_seed(random_state: object, *, expected: str = "an int of at least 0") -> int:
    """Return the seed as an int, or say what was ``expected`` of one.

    Examples
    --------
    >>> from polychotomy.core.seeds import check_seed
    >>> check_seed(3)
    3
    >>> check_seed(-1)
    Traceback (most recent call last):
        ...
    polychotomy.core.exceptions.InvalidInput: random_state is -1; expected an int of at least 0.
    """
    match random_state:
        case int() | np.integer() if random_state >= 0 and type(random_state) is not bool:
            return int(random_state)
    raise unexpected("random_state", random_state, expected)


def root_seed(random_state: Seed) -> np.random.SeedSequence:
    """Turn any way to say a seed into a SeedSequence of its own.

    Examples
    --------
    >>> from polychotomy.core.seeds import root_seed
    >>> root_seed(3).entropy
    3
    """
    match random_state:
        case None:
            return np.random.SeedSequence()
        case np.random.SeedSequence():
            return np.random.SeedSequence(random_state.entropy, spawn_key=random_state.spawn_key)
        case np.random.Generator():
            return np.random.SeedSequence(int(random_state.integers(2**63)))
        case np.random.RandomState():
            return np.random.SeedSequence(int(random_state.randint(2**31)))
    return np.random.SeedSequence(check_seed(random_state, expected=f"{_ANY_KIND} or SeedSequence"))


def seed_of(study_seed: int, *key: str | int) -> int:
    """Return a seed below 2³² for a key within a study.

    Examples
    --------
    >>> seed_of(0, "split", 0, 1) == seed_of(0, "split", 0, 1)
    True
    >>> seed_of(0, "split", 0, 1) == seed_of(1, "split", 0, 1)
    False
    """
    text = json.dumps([study_seed, *key], ensure_ascii=True)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "little")
