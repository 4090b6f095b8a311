"""Seeds that depend on a trial's key alone: never on order, workers or crashes."""

from __future__ import annotations

import hashlib
import json


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
