"""Make the draws, or judge the rules on those made.

::

    python -m benchmarks.truth fit --data DIR --cache DIR
    python -m benchmarks.truth report --cache DIR

``fit`` can be stopped and started again: a draw's seed depends on its key alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.truth.draws import make_draws
from benchmarks.truth.populations import POPULATIONS, load

SIZES = (200, 600, 100)


def main() -> None:
    arguments = _parser().parse_args()
    if arguments.command == "fit":
        populations = [load(arguments.data, name) for name in POPULATIONS]
        made = make_draws(
            populations,
            SIZES,
            arguments.cache,
            n_draws=arguments.draws,
            minutes=arguments.minutes,
        )
        print(f"{made} draws made.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.truth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    fit = commands.add_parser("fit", help="draw small sets and fit the learners (the slow part)")
    fit.add_argument("--data", type=Path, required=True, help="folder of <name>.csv.gz tables")
    fit.add_argument("--draws", type=int, default=12, help="draws a population and size")
    fit.add_argument("--minutes", type=float, default=60, help="CPU minutes after which to stop")
    report = commands.add_parser("report", help="apply the rules; write the tables and the figure")
    for command in (fit, report):
        command.add_argument("--cache", type=Path, required=True, help="folder of the draws")
    return parser


if __name__ == "__main__":
    main()
