"""Reproduction: every printed cell of a paper beside ours."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.files import writing_whole
from polychotomy.core.result import Result, new_axes
from polychotomy.reproduction.blocks import (
    Block,
    Heading,
    Listing,
    Paragraph,
    Picture,
    from_markdown,
    listing,
    to_html,
    to_markdown,
)
from polychotomy.reproduction.cells import BASES, CAUSES, VERDICTS, WORDS, Cell
from polychotomy.reproduction.claims import Claim, count_claims, judge_claims, tabulate

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


COLUMNS = (*(field.name for field in fields(Cell)), "practical")


class Reproduction(Result):
    """What `reproduce` found: a verdict on every printed cell, and the page that shows them.

    Parameters
    ----------
    paper : str
        Its key, such as "YA06".
    title : str
    cells : tuple of Cell
    blocks : tuple of Block
        What the page shows besides the cells.
    facts : dict of str
        How this was computed: machine, versions, seeds, runs, minutes, command.

    Examples
    --------
    >>> from polychotomy.reproduction.reproduce import reproduce
    >>> found = reproduce("ht98", runs=1)
    >>> print(found)  # doctest: +ELLIPSIS
    HT98: of ... agree within their error, ... differ, ... cannot be reproduced (runs: ...).
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sorted(path.suffix for path in found.write(pathlib.Path(folder, "ht98.html")))
    ['.csv', '.html']
    """

    paper: str
    title: str
    cells: tuple[Cell, ...]
    blocks: tuple[Block, ...]
    facts: dict[str, str]

    @property
    def counts(self) -> dict[str, int]:
        """How many cells have each verdict."""
        found = Counter(cell.verdict for cell in self.cells)
        return {verdict: found[verdict] for verdict in VERDICTS}

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The paper's conclusions, each with whether it holds by our numbers."""
        return judge_claims(self.paper, self.cells, self.blocks)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a page (.md) that `write` wrote, with its CSV and figures, without any new run.

        Writing it again renders it as the present version does.

        Examples
        --------
        >>> from polychotomy.reproduction.reproduce import reproduce
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = pathlib.Path(folder, "ht98.md")
        ...     _ = reproduce("ht98", runs=1).write(page)
        ...     len(Reproduction.read(page).cells)
        16
        """
        path = Path(path)
        title, _, text = path.read_text(encoding="utf-8").partition("\n\n")
        blocks = from_markdown(text, stem=path.stem, folder=path.parent)
        headings = [i for i, block in enumerate(blocks) if isinstance(block, Heading)]
        names = {block.text: i for i, block in enumerate(blocks) if isinstance(block, Heading)}
        start = next(i for i in headings if i > names.get(HOLD, 0) + 1)
        what, closing = blocks[start - 1], blocks[names[COMPUTED] + 1]
        if not isinstance(what, Paragraph) or not isinstance(closing, Listing):
            raise InvalidInput(f"{path.name!r} is no page of this command; expected one it wrote.")
        return cls(
            paper=title.removeprefix("# ").partition(":")[0],
            title=title.removeprefix("# "),
            cells=_read_cells(path.with_suffix(".csv")),
            blocks=tuple(blocks[start : names[CELLS]]),
            facts={"what": what.text} | {row[0]: row[1] for row in closing.rows},
        )

    def to_frame(self) -> pd.DataFrame:
        """One row for each cell."""
        import pandas as pd

        rows = [asdict(cell) | {"practical": cell.practical} for cell in self.cells]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a bar for each table: how many cells have each verdict."""
        ax = new_axes(ax, height=2.5)
        tables = list(dict.fromkeys(cell.table for cell in self.cells))
        start = [0] * len(tables)
        for verdict, colour in zip(VERDICTS, ("C0", "C1", "0.85", "0.6"), strict=True):
            sizes = [
                sum(cell.table == table and cell.verdict == verdict for cell in self.cells)
                for table in tables
            ]
            ax.barh(tables, sizes, left=start, color=colour, label=WORDS[verdict])
            start = [a + b for a, b in zip(start, sizes, strict=True)]
        ax.set(xlabel="printed cells")
        ax.invert_yaxis()
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        return ax

    def __str__(self) -> str:
        counts = self.counts
        few = f"{counts['few']} had too few runs to tell, " if counts["few"] else ""
        return (
            f"{self.paper}: of {len(self.cells)} printed cells {counts['agrees']} agree within "
            f"their error, {counts['differs']} differ, {few}{counts['cannot']} cannot be "
            f"reproduced (runs: {self.facts['runs']})."
        )

    def write(self, path: str | Path) -> list[Path]:
        """Write the page (.md or .html), the cells as CSV beside it, and the figures of a .md.

        Returns
        -------
        list of Path
            What was written.
        """
        path = Path(path)
        if path.suffix not in (".md", ".html"):
            raise InvalidInput(f"{path.name!r}; expected a name that ends in .md or .html.")
        blocks = [*self._opening(), *self.blocks, *self._cell_tables(), *self._closing()]
        if path.suffix == ".html":
            texts = {path: to_html(blocks, title=self.title)}
        else:
            texts = {path: f"# {self.title}\n\n{to_markdown(blocks, stem=path.stem)}"}
            for block in blocks:
                if isinstance(block, Picture):
                    texts[path.with_name(f"{path.stem}_{block.name}.svg")] = block.svg
        frame = self.to_frame()
        texts[path.with_suffix(".csv")] = frame.to_csv(
            index=False, float_format="%.6g", lineterminator="\n"
        )
        for target, text in texts.items():
            with writing_whole(target) as temporary:
                temporary.write_text(text, encoding="utf-8")
        return list(texts)

    def _opening(self) -> list[Block]:
        claims = self.claims
        rows = []
        for table in dict.fromkeys(cell.table for cell in self.cells):
            cells = [cell for cell in self.cells if cell.table == table]
            own = Counter(cell.verdict for cell in cells)
            counts = (str(own[verdict]) for verdict in VERDICTS)
            rows.append((table, str(own.total()), *counts, str(sum(map(is_idle, cells)))))
        header = ["printed in", "cells", *(WORDS[verdict] for verdict in VERDICTS), _IDLE]
        return [
            Paragraph(str(self)),
            Heading(HOLD),
            Paragraph(count_claims(claims)),
            tabulate(claims),
            listing(header, rows),
            *self._causes(),
            Paragraph(self.facts["what"]),
        ]

    def _causes(self) -> list[Block]:
        """Say why cells differ, in groups, and what that rests on."""
        found = Counter((cell.cause, cell.basis) for cell in self.cells if cell.cause is not None)
        rows = []
        for cause, words in CAUSES.items():
            counts = [found[cause, basis] for basis in BASES]
            if sum(counts):
                rows.append((words, str(sum(counts)), *map(str, counts)))
        return [listing(["why cells differ", "cells", *BASES.values()], rows)] if rows else []

    def _cell_tables(self) -> list[Block]:
        blocks: list[Block] = [Heading(CELLS), Paragraph(_READING)]
        for table in dict.fromkeys(cell.table for cell in self.cells):
            rows = [
                (cell.row, cell.column, cell.printed_text, cell.ours_text, _z(cell.z))
                + (cell.verdict_text, cell.practical, cell.basis or "")
                for cell in self.cells
                if cell.table == table
            ]
            blocks.append(Heading(table))
            header = ["", "", "printed", "ours", "z", "verdict", "in practice", "reason is"]
            blocks.append(listing(header, rows))
        return blocks

    def _closing(self) -> list[Block]:
        rows = [(name, text) for name, text in self.facts.items() if name != "what"]
        return [Heading(COMPUTED), listing(["", ""], rows)]


HOLD, CELLS, COMPUTED = "Do its conclusions hold?", "Cell by cell", "How this was computed"

_IDLE = "differ, but not in practice"


def is_idle(cell: Cell) -> bool:
    """Whether a cell differs by more than its error, and by less than matters."""
    return cell.verdict == "differs" and cell.practical == "same"


def _read_cells(path: Path) -> tuple[Cell, ...]:
    import pandas as pd

    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    return tuple(
        Cell(**{field.name: _read_value(field.name, row[field.name]) for field in fields(Cell)})
        for row in frame.to_dict("records")
    )


_NUMBERS = ("printed_error", "ours_error", "z", "scale")


def _read_value(name: str, text: str) -> Any:
    if name in ("cause", "basis"):
        return text or None
    if name == "decimals":
        return int(text)
    if name in _NUMBERS or (name in ("printed", "ours") and _is_number(text)):
        return float(text or "nan")
    return text


def _is_number(text: str) -> bool:
    return not text or re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", text) is not None


_READING = (
    "± is a standard error. z: ours minus printed in standard errors of both, after what rounding "
    "explains; up to 2 they agree, with few runs by Student's t up to a little more. That a cell "
    "agrees is said only after five runs or more, and where our own error is small beside what the "
    "paper prints; else there are too few runs to tell. In practice: the same up to half a point "
    "of error or accuracy, 0.005 of an AUC, a probability or an uncertainty coefficient, 0.001 of "
    "r, 0.01 of a slope, one point of YA06's Table 3; names, where the first is the same. A reason "
    "is shown where another reading was run, gives the printed number within its error and surely "
    "differs from ours. It is a guess where a choice that the paper does not print may be the "
    "reason and no run has shown it, and none where the readings that were run differ too and no "
    "other is likely, or where nothing is known."
)


def _z(z: float) -> str:
    return f"{z:+.1f}" if math.isfinite(z) else ""
