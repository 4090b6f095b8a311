"""The command of a benchmark of advice: measure or read cases, answer again, write the page."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pandas as pd

RESULTS = Path(__file__).parents[1] / "docs" / "results"


def make_page(
    name: str,
    description: str | None,
    *,
    run: Callable[[Path, int, Path], object],
    answer: Callable[[pd.DataFrame], pd.DataFrame],
    report: Callable[[pd.DataFrame], str],
    draw: Callable[[pd.DataFrame, Path], None],
) -> None:
    """Read the command line; with ``--data``, ``run`` first. The rest needs the stored cases."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    stored = arguments.output / f"{name}.csv"
    if arguments.data:
        run(arguments.data, arguments.draws, stored)
    cases = answer(pd.read_csv(stored))
    stored.with_suffix(".md").write_text(report(cases), encoding="utf-8")
    draw(cases, stored.with_suffix(".svg"))
