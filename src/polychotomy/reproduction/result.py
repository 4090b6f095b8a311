"""Reproduction: every printed cell of a paper beside ours."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.files import writing_whole
from polychotomy.core.result import Result, new_axes
from polychotomy.reproduction.blocks import (
    Block,
    Heading,
    Paragraph,
    Picture,
    listing,
    to_html,
    to_markdown,
)
from polychotomy.reproduction.cells import CAUSES, VERDICTS, WORDS, Cell

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


COLUMNS = tuple(field.name for field in fields(Cell) if field.name != "decimals")


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

    def to_frame(self) -> pd.DataFrame:
        """One row for each cell."""
        import pandas as pd

        rows = [{name: asdict(cell)[name] for name in COLUMNS} for cell in self.cells]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a bar a table: how many cells have each verdict."""
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
        rows = []
        for table in dict.fromkeys(cell.table for cell in self.cells):
            own = Counter(cell.verdict for cell in self.cells if cell.table == table)
            rows.append((table, str(own.total()), *(str(own[verdict]) for verdict in VERDICTS)))
        header = ["printed in", "cells", *(WORDS[verdict] for verdict in VERDICTS)]
        counted = listing(header, rows)
        what = Paragraph(self.facts["what"])
        return [Paragraph(str(self)), counted, *self._causes(), what]

    def _causes(self) -> list[Block]:
        """Say why cells differ, in groups; what is not known is said to be so."""
        found = Counter(cell.cause for cell in self.cells if cell.cause is not None)
        rows = [(words, str(found[cause])) for cause, words in CAUSES.items() if found[cause]]
        return [listing(["why cells differ", "cells"], rows)] if rows else []

    def _cell_tables(self) -> list[Block]:
        blocks: list[Block] = [Heading("Cell by cell"), Paragraph(_READING)]
        for table in dict.fromkeys(cell.table for cell in self.cells):
            rows = [
                (cell.row, cell.column, cell.printed_text, cell.ours_text, _z(cell.z))
                + (cell.verdict_text,)
                for cell in self.cells
                if cell.table == table
            ]
            blocks.append(Heading(table))
            blocks.append(listing(["", "", "printed", "ours", "z", "verdict"], rows))
        return blocks

    def _closing(self) -> list[Block]:
        rows = [(name, text) for name, text in self.facts.items() if name != "what"]
        return [Heading("How this was computed"), listing(["", ""], rows)]


_READING = (
    "± is a standard error. z: ours minus printed in standard errors of both, after what rounding "
    "explains; up to 2 they agree, with few runs by Student's t up to a little more. That a cell "
    "agrees is said only after five runs or more, and where our own error is small beside what the "
    "paper prints; else there are too few runs to tell."
)


def _z(z: float) -> str:
    return f"{z:+.1f}" if math.isfinite(z) else ""
