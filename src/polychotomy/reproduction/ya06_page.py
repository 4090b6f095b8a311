"""YA06: the page; figures 2, 3 and 4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from polychotomy.comparison import (
    ManyOrderings,
    draw_ordering,
    multitest_many,
    order_by_removal,
)
from polychotomy.core.numbers import counted
from polychotomy.reproduction.blocks import (
    Block,
    Heading,
    Paragraph,
    Picture,
    listing,
    picture,
)
from polychotomy.reproduction.cells import FEWEST_RUNS, WORDS, Cell, Place, Verdict, without_ours
from polychotomy.reproduction.claims import SAME_CHOICE
from polychotomy.reproduction.printed import read_printed
from polychotomy.reproduction.request import Findings
from polychotomy.reproduction.studies import StudyResults
from polychotomy.reproduction.ya06_selections import count_selections
from polychotomy.reproduction.ya06_tables import (
    DATA_SETS,
    LEARNERS,
    Reading,
    compare_table_1,
    compare_table_2,
    compare_table_3,
)

_FIGURE_2 = ((0, 1), (0, 2), (0, 3), (1, 2))

_FIGURES = {"hepatitis": (3, "1 < 2 < 3 < 4 < 5"), "pendigits": (4, "5 < 3 < 4 < 2 < 1")}


def show(results: StudyResults, rows: Mapping[str, int], reading: Reading) -> Findings:
    """Lay out what was found; ``rows`` says where a data set is among the errors."""
    names = tuple(rows)
    selections = count_selections(results.errors, names=LEARNERS, data_sets=names)
    orderings = multitest_many(results.errors, names=LEARNERS, data_sets=names)
    cells = [
        *compare_table_1(results.errors, rows, reading),
        *compare_table_2(selections),
        *compare_table_3(selections),
        *_figure_cells(orderings),
    ]
    return Findings(
        cells=tuple(cells),
        blocks=(
            *_summary(cells),
            *show_readings(cells, reading),
            *_agreement(orderings, selections),
            *_figures(results, orderings),
        ),
        what=_WHAT,
        runs=f"{counted(results.runs, 'run')} of 5×2 cross-validation on "
        f"{len(rows)} data sets "
        f"({results.errors.size:,} fits); {_speed(results)}",
        repeat=results.runs,
        seconds=results.seconds,
    )


def _speed(results: StudyResults) -> str:
    fits = results.errors[:, 0].size
    hours = 1000 * results.seconds_a_run / 3600
    return (
        f"at the median time of each kind of fit {fits / results.seconds_a_run:.0f} fits per "
        f"second on one core, so {hours:.1f} hours for 1,000 runs"
    )


_WHAT = (
    "Ours: unstratified 5×2 cross-validation. Nominal and binary columns in 1-of-n coding (a "
    "missing one is all zeros), all inputs then scaled to mean 0 and variance 1 on the training "
    "half, gaps filled with its means. In order of preference: MAX, always the most frequent "
    "class; NMC, the class of the nearest mean; LGC, logistic regression (penalty C = 1, where the "
    "paper has gradient descent of unknown length); C4.5, for which we have a binary entropy tree "
    "with reduced-error pruning on 20 % of the training data; NN, the nearest neighbour. * is "
    "nobody. The paper prints neither "
    "scaling nor treatment of gaps. On the sets without categories this scaling gives its NMC and "
    "NN to a few tenths of a point (but for NMC on ecoli), so it is most likely the paper's too. "
    "The standard error of a mean is the deviation of a fold over the root of the number of "
    "folds. Shares of runs agree unless Fisher's exact test at 5 % says otherwise; the dashes of "
    "Table 2 are not counted. Two rules are not printed in full and were read so as to fit: "
    "TestFirst's level (alpha over all pairs; three were tried) and Newman–Keuls' answer where "
    "underlines overlap (of two readings)."
)


def _figure_cells(orderings: ManyOrderings) -> list[Cell]:
    edges = np.zeros((4, 4), dtype=bool)
    for i, j in _FIGURE_2:
        edges[i, j] = True
    cells = [_order_cell("Figure 2", "the example", "3 < 2 < 4 < 1", order_by_removal(edges))]
    runs = orderings.order.shape[1]
    for name, (number, printed) in _FIGURES.items():
        if name in orderings.data_sets:
            order, share = orderings.most_frequent_order(orderings.data_sets.index(name))
            cells.append(_order_cell(f"Figure {number}", name, printed, order, share, runs))
        else:
            place = Place(f"Figure {number}", name, "order")
            cells.append(without_ours(place, printed=printed, lacks=DATA_SETS[name]))
    return cells


def _order_cell(
    table: str, row: str, printed: str, order: Any, share: float = 1.0, runs: int = FEWEST_RUNS
) -> Cell:
    """Compare an order; of few runs the most frequent one tells nothing."""
    words = " < ".join(str(i + 1) for i in order)
    same, few = words == printed, runs < FEWEST_RUNS
    verdict: Verdict = "few" if few else "agrees" if same else "differs"
    reasons = {
        "few": f"{counted(runs, 'run')} of ours",
        "differs": "the learners differ, see Table 1",
    }
    return Cell(
        table=table,
        row=row,
        column="order",
        printed=printed,
        ours=words if share == 1 else f"{words} (in {100 * share:.0f} % of the runs)",
        verdict=verdict,
        cause="follows" if verdict == "differs" else None,
        basis="guess" if verdict == "differs" else None,
        why=reasons.get(verdict, ""),
    )


def _summary(cells: list[Cell]) -> list[Block]:
    """How many means of Table 1 agree, learner by learner."""
    sds = {(row["data"], row["learner"]): float(row["sd"]) for row in read_printed("ya06_table1")}
    rows = []
    for learner in LEARNERS:
        own = [
            cell
            for cell in cells
            if cell.table == "Table 1, mean" and cell.column == learner
            if isinstance(cell.ours, float) and np.isfinite(cell.ours)
        ]
        gaps = [abs(float(cell.ours) - float(cell.printed)) for cell in own]
        close = sum(gap <= sds[cell.row, learner] for gap, cell in zip(gaps, own, strict=True))
        agree = sum(cell.verdict == "agrees" for cell in own)
        median = f"{np.median(gaps):.2f}" if gaps else "–"
        rows.append((learner, str(len(own)), str(agree), str(close), median))
    header = ["learner", "data sets", "mean agrees", "within one fold's deviation"]
    header += ["median difference, points"]
    return [Heading("Table 1 by learner"), listing(header, rows)]


def show_readings(cells: list[Cell], reading: Reading) -> list[Block]:
    """Show every other reading that was run of a mean of Table 1, beside ours."""
    ours = {(c.row, c.column): c for c in cells if c.table == "Table 1, mean"}
    rows = []
    agree: dict[str, list[tuple[bool, bool]]] = {}
    for row in read_printed("ya06_table1"):
        cell = ours[row["data"], row["learner"]]
        for which, other in reading.compare(row, "mean").items():
            agree.setdefault(which, []).append((is_same(cell), is_same(other)))
            texts = [cell.printed_text, cell.ours_text, other.ours_text, WORDS[other.verdict]]
            rows.append((row["data"], row["learner"], which, *texts))
    if not rows:
        return []
    header = ["", "", "reading", "printed", "ours", "so read", "verdict on the latter"]
    words = [
        f"{which}: of these {len(found)} means {sum(was for was, _ in found)} agree with our "
        f"first reading, {sum(now for _, now in found)} so read."
        for which, found in agree.items()
    ]
    return [
        Heading("Other readings"),
        Paragraph(_EQUAL_OR_NOT),
        Paragraph(_DESCENT),
        Paragraph(_RATIO),
        listing(header, rows),
        *(Paragraph(text) for text in words),
    ]


def is_same(cell: Cell) -> bool:
    """Whether the two sides agree statistically."""
    return cell.verdict == "agrees"


_EQUAL_OR_NOT = (
    "Equal or not: the largest differences in Table 1 are NMC's and NN's on sets of categories. "
    "The paper says of LGC alone that it codes discrete features 1-of-n. Read so, NMC keeps the "
    "most frequent value of a category where it keeps the mean of a number, distances count 0 "
    "where a category is the same and 1 where it is not, and of several cases or means as near the "
    "first in the file wins. Found after the fact, when these cells were looked at; the cells "
    "below are those of 1-of-n inputs. The inputs of balance are categories in this reading, since "
    "LGC's printed 4.10 needs them to be. Monks writes its categories as numbers; as numbers: "
    "taken so."
)

_RATIO = (
    "Gain ratio: a tree that splits as C4.5 (release 8) does, numbers in two and categories into "
    "all their values, by gain ratio among columns of at least average gain, where ours is a "
    "binary tree by gain on 1-of-n inputs; pruned on 20 % of the cases as ours is. Unpruned it "
    "answers as Weka's J48 does. Missing numbers are filled with means and missing categories are "
    "values, where C4.5 shares such cases among branches."
)

_DESCENT = (
    "No penalty, 300 steps: LGC by maximum likelihood with C = 10,000 in place of C = 1, and after "
    "300 steps of gradient descent on the mean log loss from zero, rate 0.5, all cases at each "
    "step. The paper does not say when its descent stopped. Steps and rate were found on segment, "
    "where they give the printed number; the inputs of balance are 1-of-n in both."
)


def _agreement(orderings: ManyOrderings, selections: Any) -> list[Block]:
    """On how many sets Newman–Keuls and MultiTest mostly name the same learner."""
    keuls = selections.counts[selections.methods.index("Newman-Keuls")]
    same = keuls[:, 1:].argmax(axis=1) == orderings.counts.argmax(axis=1)
    names = [name for name, hit in zip(selections.data_sets, same, strict=True) if hit]
    told = {name for name in selections.data_sets if name in SAME_CHOICE}
    both = len(told & set(names))
    words = (
        f"Newman–Keuls and MultiTest mostly name the same learner on {len(names)} of "
        f"{len(same)} data sets. The paper lists {len(told)} of these sets; {both} of them are "
        f"among ours."
    )
    return [Heading("Newman–Keuls against MultiTest"), Paragraph(words)]


def _figures(results: StudyResults, orderings: ManyOrderings) -> list[Block]:
    blocks: list[Block] = [Heading("Figures 2, 3 and 4"), _figure_2()]
    for name, (number, _) in _FIGURES.items():
        if name in orderings.data_sets:
            blocks.append(_figure_of(results, orderings, name, number))
    return [*blocks, Paragraph(_CAPTION)]


_CAPTION = (
    "Rows are learners, simplest on top; an arrow where the data overrode the preference. For "
    "figures 3 and 4: the most frequent order, and all fold errors of the first ten runs."
)


def _figure_2() -> Picture:
    def draw() -> Any:
        import matplotlib.pyplot as plt

        edges = np.zeros((4, 4), dtype=bool)
        for i, j in _FIGURE_2:
            edges[i, j] = True
        errors = np.array([[0.4], [0.25], [0.1], [0.2]])  # any that give these arrows
        _, ax = plt.subplots(figsize=(4.5, 2.2), layout="constrained")
        return draw_ordering(ax, list("1234"), errors, edges, order_by_removal(edges)).figure

    return picture("figure2", "Four learners, ordered 3, 2, 4, 1", draw)


def _figure_of(results: StudyResults, orderings: ManyOrderings, name: str, number: int) -> Picture:
    d = orderings.data_sets.index(name)
    order, _ = orderings.most_frequent_order(d)
    run = int(np.argmax((orderings.order[d] == order).all(axis=1)))
    errors = np.moveaxis(results.errors[d, :10], 1, 0).reshape(len(LEARNERS), -1)

    def draw() -> Any:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(5.5, 2.6), layout="constrained")
        ordered = np.array(order)
        return draw_ordering(ax, list(LEARNERS), errors, orderings.edges[d, run], ordered).figure

    alt = f"Errors of five learners on {name}, and MultiTest's graph"
    return picture(f"figure{number}", alt, draw)
