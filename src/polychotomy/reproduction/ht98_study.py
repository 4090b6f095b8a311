"""Beyond HT98: do coupling and thresholds help on real data? MultiTest says."""

from __future__ import annotations

from polychotomy.reproduction.blocks import Block
from polychotomy.reproduction.request import Request


def compare_on_sets(request: Request) -> tuple[list[Block], float]:
    """Placeholder until the study engine takes several data sets."""
    return [], 0.0
