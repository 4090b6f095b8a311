"""The command of a benchmark where the truth is known: simulate, and write the table and page."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd


def make_page(
    name: str,
    description: str,
    *,
    repetitions: int,
    table: Callable[[int, int], pd.DataFrame],
    markdown: Callable[[pd.DataFrame, int, int], str],
) -> None:
    """Read the command line; both functions get the repetitions and the seed."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--repetitions", type=int, default=repetitions)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    frame = table(arguments.repetitions, arguments.seed)
    arguments.output.mkdir(parents=True, exist_ok=True)
    stored = arguments.output / f"{name}.csv"
    frame.to_csv(stored, index=False, float_format="%.6g")
    page = markdown(frame, arguments.repetitions, arguments.seed)
    stored.with_suffix(".md").write_text(page, encoding="utf-8")


def table_lines(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    head = list(columns)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def repeat_command(name: str, repetitions: int, seed: int) -> str:
    """What a page says about how to make it again."""
    return f"""Repeat with:

```
python benchmarks/{name}.py --output docs/results --repetitions {repetitions} --seed {seed}
```
"""
