"""HT98's rules on mixtures drawn at random, one by one, in docs/results/ht98_mixtures.csv.

``python benchmarks/papers/mixtures.py`` takes some two minutes of one core: the 200 mixtures over
which HT98's page says how often the claims under its figures hold.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import numpy as np
from kept import RESULTS, Kept, Key

from polychotomy.reproduction.blocks import Block, Heading, Paragraph
from polychotomy.reproduction.data.mixtures import PlaneMixtures
from polychotomy.reproduction.ht98 import run_figure
from polychotomy.reproduction.ht98_page import share_of_claim
from polychotomy.reproduction.means import mean_and_error
from polychotomy.reproduction.result import Reproduction

MIXTURES = 200
COLUMNS = ("max-wins of pairwise LDA", "coupled pairwise LDA", "LDA", "QDA")


def score(number: int) -> list[float]:
    """Test errors of the figures' rules on one mixture."""
    found = run_figure(PlaneMixtures(drawn=number), number)
    return [float(found[rule]) for rule in COLUMNS]


def plan() -> Iterator[tuple[list[Key], object]]:
    """List all mixtures."""
    for number in range(MIXTURES):
        yield [(str(number),)], lambda number=number: [score(number)]


def settle_page(found: Reproduction, results: Path = RESULTS) -> Reproduction:
    """Count HT98's claims over the kept mixtures, and say what coupling gains on them."""
    kept = Kept(results / "ht98_mixtures.csv", ("mixture",), COLUMNS)
    errors = dict(zip(COLUMNS, np.array(list(kept.rows.values())).T, strict=True))
    cells = []
    for cell in found.cells:
        share = share_of_claim(cell.column, errors)
        ours, error = (cell.ours, cell.ours_error) if share is None else share
        cells.append(replace(cell, ours=ours, ours_error=error))
    blocks: list[Block] = []
    for block in found.blocks:
        if isinstance(block, Paragraph) and block.text.startswith(MEANS):
            continue  # of an earlier time
        if block == Heading("Ten normal classes"):
            blocks.append(Paragraph(say_means(errors)))
        blocks.append(block)
    return replace(found, cells=tuple(cells), blocks=tuple(blocks))


MEANS = "Over the mixtures drawn at random"


def say_means(errors: dict[str, np.ndarray]) -> str:
    """Mean errors of the rules, and the gain of coupling over max-wins."""
    means = ", ".join(f"{rule} {100 * own.mean():.1f} %" for rule, own in errors.items())
    gains = 100 * (errors[COLUMNS[0]] - errors[COLUMNS[1]])
    mean, error = mean_and_error(gains)
    return (
        f"{MEANS} ([every one's errors](ht98_mixtures.csv)) the rules err, on average: {means}. "
        f"Coupling errs {mean:.2f} ± {error:.2f} points less than max-wins: less on "
        f"{(gains > 0).sum()} of {len(gains)}, more on {(gains < 0).sum()}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    options = parser.parse_args()
    Kept(RESULTS / "ht98_mixtures.csv", ("mixture",), COLUMNS).run(plan(), options.minutes)


if __name__ == "__main__":
    main()
