"""MST09's figures 1 and 2 in numbers: the smallest rank margins, in docs/results/mst09_margins.csv.

``python benchmarks/papers/margins.py --data DIR`` takes half a minute of one core: the twenty
splits of Tables 2 and 3 on the two sets of the figures. What was run is kept, and stands on the
page of MST09 once ``reproduce_all.py --render`` has written it again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from kept import RESULTS, Kept, Key

from polychotomy.reproduction.blocks import Block, Listing, Paragraph, listing
from polychotomy.reproduction.means import mean_and_error
from polychotomy.reproduction.mst09 import COMBINERS, FIRST_SEED, SIZES, score_parts
from polychotomy.reproduction.mst09_page import RULES
from polychotomy.reproduction.result import Reproduction

SETS, SPLITS = ("contraceptive", "liver"), 20
COLUMNS = [f"{rule} {m}" for m in SIZES for rule in RULES]
LEAD = "RankBoost less the larger other"
WORDS = (
    "The smallest margin of each rule there, over the twenty splits of the tables; the figures are "
    "of the first. `python benchmarks/papers/margins.py --data DIR` made [it](mst09_margins.csv)."
)
NEW = (
    "On new cases, the test thirds of the same splits, RankBoost's AUC less that of the others, "
    "paired (from [every split's AUC](mst09_steps.csv), ten steps)."
)


def smallest_margins(name: str, data: Path, seed: int) -> list[float]:
    """Smallest rank margins on the tuning samples, scores scaled to [−1, 1] as in the figures."""
    tuning, _ = score_parts(f"b_{name}", data, seed)
    found = []
    for m in SIZES:
        S = tuning.scores[:, :m]
        for rule in RULES:
            scores = COMBINERS[rule](S, tuning.y, S)
            margin = scores[tuning.y == 1].min() - scores[tuning.y == 0].max()
            found.append(float(2 * margin / (np.ptp(scores) or 1.0)))
    return found


def plan(data: Path) -> Iterator[tuple[list[Key], object]]:
    """List all splits."""
    for split in range(SPLITS):
        for name in SETS:
            seed = FIRST_SEED + split
            yield (
                [(name, str(split))],
                lambda name=name, seed=seed: [smallest_margins(name, data, seed)],
            )


def tabulate(kept: Kept) -> Listing:
    """Means over the splits, and by how much RankBoost is ahead of the larger of the others."""
    rows = []
    for name in SETS:
        margins = np.array(kept.groups[name,]).reshape(-1, len(SIZES), len(RULES))
        for m, own in zip(SIZES, margins.transpose(1, 0, 2), strict=True):
            boost = RULES.index("RankBoost")
            lead = own[:, boost] - np.delete(own, boost, axis=1).max(axis=1)
            mean, error = mean_and_error(lead)
            means = [f"{value:+.3f}" for value in own.mean(axis=0)]
            ahead = f"{(lead > 0).sum()} of {len(lead)}"
            rows.append((name, str(m), *means, f"{mean:+.3f}", f"{error:.3f}", ahead))
    header = ["data", "classifiers", *RULES, LEAD, "its error", "splits where it is ahead"]
    return listing(header, rows)


def compare_on_new(steps: Kept) -> Listing:
    """RankBoost's AUC less the others' in the same splits, after the printed ten steps."""
    rows = []
    for name in SETS:
        found = [row for key, row in steps.rows.items() if (key[0], key[2]) == (name, "10")]
        aucs = np.array(found).reshape(-1, len(SIZES), len(RULES)).transpose(1, 2, 0)
        for m, (margin, boost, machine) in zip(SIZES, aucs, strict=True):
            texts = []
            for rival in (margin, machine):
                mean, error = mean_and_error(boost - rival)
                texts.append(f"{mean:+.3f} ± {error:.3f}")
            rows.append((name, str(m), *texts))
    return listing(["data", "classifiers", "less RankMargin", "less SVM"], rows)


def settle_page(found: Reproduction, results: Path = RESULTS) -> Reproduction:
    """Put the table under the words on the figures."""
    own = tabulate(Kept(results / "mst09_margins.csv", ("data", "split"), COLUMNS))
    steps = Kept(results / "mst09_steps.csv", ("data", "split", "steps"), COLUMNS)
    blocks: list[Block] = []
    for block in found.blocks:
        if block in (Paragraph(WORDS), Paragraph(NEW)):
            continue  # of an earlier time
        if isinstance(block, Listing) and {LEAD, "less SVM"} & set(block.header):
            continue  # of an earlier time
        blocks.append(block)
        if isinstance(block, Paragraph) and block.text.startswith("Shares of the crucial pairs"):
            blocks += [Paragraph(WORDS), own, Paragraph(NEW), compare_on_new(steps)]
    return replace(found, blocks=tuple(blocks))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--minutes", type=float, default=60)
    options = parser.parse_args()
    kept = Kept(RESULTS / "mst09_margins.csv", ("data", "split"), COLUMNS)
    kept.run(plan(options.data), options.minutes)


if __name__ == "__main__":
    main()
