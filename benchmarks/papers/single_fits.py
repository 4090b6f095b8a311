"""T96's other readings, sample by sample, in docs/results/t96_readings.csv.

``python benchmarks/papers/single_fits.py`` takes some three minutes of one core: the fifty samples
of Table 2, each with the error of fits to samples from it (F̂, what the paper says) and of their
aggregate, of one fit to the sample, and of one 1-NN. Fits and test cases are those of the page.
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

from polychotomy.reproduction.blocks import Block, Listing, listing
from polychotomy.reproduction.result import Reproduction
from polychotomy.reproduction.t96 import (
    N_BOOTSTRAPS,
    PROBLEMS,
    RUNS,
    explain,
    find_true_values,
    say_mean,
)

KEYS = ("problem", "learner", "sample")
COLUMNS = ("error", "aggregated error", "one fit", "one 1-NN")


def fit_once(problem: str, learner: str, seed: int) -> list[float]:
    """Errors of one sample by all readings of the true values."""
    found = find_true_values(problem, learner, seed, N_BOOTSTRAPS)
    return [found["true"][0], found["true"][4], found["one fit"], found["one 1-NN"]]


def plan() -> Iterator[tuple[list[Key], object]]:
    """List all samples."""
    for seed in range(RUNS):
        for problem in PROBLEMS:
            for learner in ("LDF", "5-NN"):
                yield (
                    [(problem, learner, str(seed))],
                    lambda p=problem, c=learner, seed=seed: [fit_once(p, c, seed)],
                )


def settle_page(found: Reproduction, results: Path = RESULTS) -> Reproduction:
    """Say on T96's page what single fits give, with errors, and which cells they explain."""
    kept = Kept(results / "t96_readings.csv", KEYS, COLUMNS)
    own = {
        f"{problem}, {learner}": dict(zip(COLUMNS, np.array(rows).T, strict=True))
        for (problem, learner), rows in kept.groups.items()
    }
    cells = [
        explain(cell, own[cell.row], own[cell.row]["aggregated error"]) if cell.row in own else cell
        for cell in found.cells
    ]
    return replace(
        found, cells=tuple(cells), blocks=tuple(_with_errors(b, own) for b in found.blocks)
    )


def _with_errors(block: Block, own: dict[str, dict[str, np.ndarray]]) -> Block:
    """Put errors beside the means of the table of readings; other blocks stay."""
    if not isinstance(block, Listing) or "one 1-NN" not in block.header:
        return block
    rows = []
    for problem, learner, _, _, _, *fresh in block.rows:
        values = own[f"{problem}, {learner}"]
        means = [say_mean(values[name]) for name in ("error", "one fit", "one 1-NN")]
        rows.append((problem, learner, *means, *fresh))
    return listing(block.header, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    options = parser.parse_args()
    Kept(RESULTS / "t96_readings.csv", KEYS, COLUMNS).run(plan(), options.minutes)


if __name__ == "__main__":
    main()
