"""A certificate of honesty: how often does each test see a difference that is not there?

Two learners of exactly equal expected error (`benchmarks.truth.nulls`) are compared by every
pairwise test of the library at 5 %, on samples of 50 to 5,000 cases; then once more with one of
them handicapped. An honest test says "different" in 5 % of the first comparisons, and in as many
as it can of the second.

::

    python -m benchmarks.honesty --cache DIR

makes what the cache lacks (the slow part) and writes the table, the figure and the page under
docs/results.
"""

from __future__ import annotations

import argparse
import time
import zlib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np
from benchmarks.truth.certificate import LEVEL, rates
from benchmarks.truth.drawings import draw_certificate, save
from benchmarks.truth.nulls import Family, Resampled, resample
from benchmarks.truth.pages import RESULTS, honesty_page

REPETITIONS: dict[Family, dict[int, int]] = {
    "linear": {
        50: 10_000,
        100: 10_000,
        200: 10_000,
        500: 8_000,
        1000: 4_000,
        2000: 2_000,
        5000: 1_000,
    },
    "1-NN": {50: 4_000, 100: 4_000, 200: 4_000, 500: 3_000, 1000: 1_500, 2000: 800, 5000: 300},
    "tree": {50: 800},  # fitted one by one: one size, and no power
}
CASES_AT_ONCE = 100_000  # so that memory stays below 200 MB


def simulate(family: Family, n: int, *, handicap: bool) -> Resampled:
    """All repetitions of one setting; the setting decides the seed."""
    rng = np.random.default_rng([zlib.crc32(family.encode()), n, handicap])
    parts = [
        resample(rng, family=family, n=n, repetitions=count, handicap=handicap)
        for count in batches(REPETITIONS[family][n], max(CASES_AT_ONCE // n, 1))
    ]
    names = [field.name for field in fields(Resampled) if field.name != "n"]
    return Resampled(
        n, *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
    )


def batches(total: int, largest: int) -> Iterator[int]:
    """Sizes of at most ``largest`` that add up to ``total``."""
    for start in range(0, total, largest):
        yield min(largest, total - start)


def fill(cache: Path, *, minutes: float) -> bool:
    """Simulate the settings that the cache lacks, small ones first; say whether all are there."""
    start = time.process_time()
    cache.mkdir(parents=True, exist_ok=True)
    for n, family, handicap in settings():
        path = place(cache, family, n, handicap)
        if path.exists():
            continue
        if time.process_time() - start > 60 * minutes:
            return False
        one = simulate(family, n, handicap=handicap)
        np.savez_compressed(path, **{field.name: getattr(one, field.name) for field in fields(one)})
    return True


def settings() -> Iterator[tuple[int, Family, bool]]:
    """Every sample size, family of learners and whether B is handicapped, small sizes first."""
    for n in REPETITIONS["linear"]:
        for family in ("linear", "1-NN"):
            yield n, family, False
            yield n, family, True
    for n in REPETITIONS["tree"]:
        yield n, "tree", False


def place(cache: Path, family: Family, n: int, handicap: bool) -> Path:
    return cache / f"{family}-{n}-{'handicap' if handicap else 'null'}.npz"


def read(cache: Path) -> Iterator[tuple[Family, bool, Resampled]]:
    """Every setting from the cache."""
    for n, family, handicap in settings():
        with np.load(place(cache, family, n, handicap)) as arrays:
            yield family, handicap, Resampled(**{**arrays, "n": n})


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.honesty",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--cache", type=Path, required=True, help="folder of the simulated errors")
    parser.add_argument("--minutes", type=float, default=60, help="CPU minutes after which to stop")
    arguments = parser.parse_args()
    if not fill(arguments.cache, minutes=arguments.minutes):
        print("Out of time; run the same command again to go on.")
        return
    table = rates(read(arguments.cache))
    table.round(5).to_csv(RESULTS / "honesty.csv", index=False)
    save(draw_certificate(table, level=LEVEL), RESULTS / "honesty.svg")
    (RESULTS / "honesty.md").write_text(honesty_page(table))


if __name__ == "__main__":
    main()
