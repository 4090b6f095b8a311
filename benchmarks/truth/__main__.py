"""Make the draws, or judge the rules on those made.

::

    python -m benchmarks.truth fit --data DIR --cache DIR
    python -m benchmarks.truth report --cache DIR

``fit`` can be stopped and started again: a draw's seed depends on its key alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd
from benchmarks.truth.drawings import draw_truth, save
from benchmarks.truth.draws import Draw, make_draws, read_draws
from benchmarks.truth.learners import NAMES
from benchmarks.truth.pages import RESULTS, truth_page
from benchmarks.truth.populations import POPULATIONS, load
from benchmarks.truth.regret import BASELINE, apply_rules, choose_left_out, restrict, summarise
from benchmarks.truth.rules import GRID, ORACLES, RULES, margin_name

SIZES = (200, 600, 100)
ALLOWED = 0.2  # points of regret beyond the lowest mean's: what simplicity may cost
MENUS = (
    ("majority", "nearest mean", "logistic", "tree", "5-NN"),
    ("nearest mean", "logistic", "random forest"),
    ("majority", "logistic", "RBF SVM", "random forest"),
)
DEFAULT = margin_name(1, 0.5)  # drawn in colour; what the choice on other data sets settles on


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
    else:
        report(arguments.cache)


def report(cache: Path) -> None:
    """Apply every rule to every draw and write the tables, the page and the figure."""
    draws = list(read_draws(cache))
    picks = apply_rules(draws, RULES)
    table = summarise(picks)
    sizes = pd.concat([summarise(part).assign(n=n) for n, part in picks.groupby("n")])
    within = choose_left_out(picks, [rule for rule in RULES if rule not in ORACLES], ALLOWED)
    table.round(4).to_csv(RESULTS / "truth.csv", index=False)
    by_set = picks.pivot_table(index="rule", columns="population", values="regret", sort=False)
    by_set.round(3).to_csv(RESULTS / "truth-sets.csv")
    (RESULTS / "truth.md").write_text(truth_page(table, sizes, within, other_menus(draws), picks))
    save(draw_truth(table, GRID, chosen=DEFAULT, allowed=ALLOWED), RESULTS / "truth.svg")


def other_menus(draws: list[Draw]) -> pd.DataFrame:
    """Would another menu of learners have told another story? One row a menu and rule."""
    rules = {rule: RULES[rule] for rule in (BASELINE, DEFAULT, "oracle, within 1")}
    parts = []
    for menu in MENUS:
        rows = [NAMES.index(name) for name in menu]
        menu_draws = [restrict(draw, rows) for draw in draws]
        picks = apply_rules(menu_draws, rules, simple=menu.index("logistic"))
        parts.append(summarise(picks).assign(menu=", ".join(menu)))
    return pd.concat(parts)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.truth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    fit = commands.add_parser("fit", help="draw small sets and fit the learners (the slow part)")
    fit.add_argument("--data", type=Path, required=True, help="folder of <name>.csv.gz tables")
    fit.add_argument("--draws", type=int, default=10, help="draws a population and size")
    fit.add_argument("--minutes", type=float, default=60, help="CPU minutes after which to stop")
    report = commands.add_parser("report", help="apply the rules; write the tables and the figure")
    for command in (fit, report):
        command.add_argument("--cache", type=Path, required=True, help="folder of the draws")
    return parser


if __name__ == "__main__":
    main()
