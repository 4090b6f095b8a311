"""Five tables of different kinds, what ``polychotomy judge`` says of each, and what to do then.

``python benchmarks/five_tables.py DATA`` reads wine, yeast, leaf_margin, credit and haberman of the
UCI repository (``<name>.csv.gz``, the last column ``class``) from the folder DATA, and writes
``docs/results/five_tables.md`` with a figure for each. Of the five, one is made worse than it is:
``credit`` gets a column that is filled in only after the decision, as in many a real table.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

from polychotomy.app import Request, judge_request
from polychotomy.verdict.many import ManyVerdicts
from polychotomy.verdict.verdict import Verdict

OUTPUT = Path(__file__).parents[1] / "docs" / "results"

TABLES = {
    "wine": (
        "Small and clean",
        "Take it. Whether the others are as good cannot be told from so few rows, and need not "
        "be: it is the simplest of those that may be the best.",
    ),
    "yeast": (
        "Ten classes, some of them rare",
        "Decide first whether the rare classes matter. If they do, judge again by `--loss "
        "balanced-error`: the error alone hardly knows that they are there.",
    ),
    "leaf_margin": (
        "A hundred classes",
        "Take it, with `--model`; look at the worst confusions on the page before you trust a "
        "single species.",
    ),
    "credit": (
        "A column that gives the class away",
        "Ask when `card_issued` is written down. It is after the decision, so judge again with "
        "`--drop card_issued`: that error says nothing of applicants to come.",
    ),
    "haberman": (
        "Guessing is hard to beat",
        "Do not use a classifier yet: these three columns tell little of who survives. Ask for "
        "other columns, not for other classifiers.",
    ),
}


def read(folder: Path, name: str) -> pd.DataFrame:
    """Return a table; credit with a column that is known only afterwards."""
    table = pd.read_csv(folder / f"{name}.csv.gz")
    if name == "credit":
        approved = table["class"] == table["class"].iloc[0]
        table.insert(table.shape[1] - 1, "card_issued", approved.map({True: "yes", False: "no"}))
    return table


def first_screen(verdict: Verdict | ManyVerdicts) -> list[str]:
    """Return the first paragraph of a verdict, as a block."""
    warned = any(one.section == "warning" for one in verdict.sentences())
    return ["```text", *str(verdict).split("\n\n")[: 1 + warned], "```"]


def draw(verdict: Verdict, path: Path) -> None:
    """Draw the mean error of every candidate, the chosen one filled."""
    tried = [one for one in verdict.candidates if not one.n_failed]
    figure = Figure(figsize=(6.4, 0.6 + 0.24 * len(tried)), layout="constrained")
    ax = figure.subplots()
    for i, one in enumerate(tried):
        best = one.name == verdict.best
        ax.plot(100 * one.loss, i, "o", color="C0", fillstyle="full" if best else "none")
    names = ["guessing" if one.name in verdict.baselines else one.name for one in tried]
    ax.set_yticks(range(len(tried)), names)
    ax.invert_yaxis()
    ax.set_xlim(left=0)
    ax.set_xlabel("mean error over folds, % (filled: chosen)")
    ax.spines[["top", "right"]].set_visible(False)
    with mpl.rc_context({"svg.hashsalt": "polychotomy", "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Judge the five tables and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder of <name>.csv.gz")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    asked = parser.parse_args()
    lines = [
        "# Five tables, and what to do",
        "",
        "What `polychotomy judge TABLE --target class` says first of five tables of different "
        "kinds, and what a reader should do then. The tables are of the UCI repository; to "
        "`credit` a column was added that is filled in after the decision.",
        "",
        "```console",
        "$ python benchmarks/five_tables.py DATA",
        "```",
        "",
    ]
    with tempfile.TemporaryDirectory() as made:
        for name, (kind, advice) in TABLES.items():
            table = read(asked.data, name)
            path = Path(made, f"{name}.csv")
            table.to_csv(path, index=False)
            page = path.with_suffix(".html")
            request = Request(table=path, target="class", output=page, jobs=1)
            verdict = judge_request(request).verdict
            assert isinstance(verdict, Verdict)
            again = []
            if verdict.leaks:
                without = replace(request, drop=verdict.leaks, force=True)
                told = first_screen(judge_request(without).verdict)
                again = [f"With `--drop {' '.join(verdict.leaks)}`:", "", *told, ""]
            draw(verdict, asked.output / f"five_tables_{name}.svg")
            rows, columns, classes = len(table), table.shape[1] - 1, table["class"].nunique()
            lines += [
                f"## {kind}: `{name}`",
                "",
                f"{rows} rows, {columns} columns, {classes} classes.",
                "",
                *first_screen(verdict),
                "",
                f"**What to do.** {advice}",
                "",
                f"![The candidates on {name}](five_tables_{name}.svg)",
                "",
                *again,
            ]
            print(f"{name}: {verdict.best}", flush=True)
    (asked.output / "five_tables.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
