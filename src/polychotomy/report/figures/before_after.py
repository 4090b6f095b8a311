"""Two lines of one figure: the probabilities as predicted, and recalibrated."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from polychotomy.report.marks import text

LINES = ("as predicted", "recalibrated")


def name_lines(names: Sequence[str]) -> Markup:
    """Name the lines at the upper right where there are two.

    Examples
    --------
    >>> "recalibrated" in name_lines(LINES), name_lines(LINES[:1])
    (True, Markup(''))
    """
    if len(names) < 2:
        return Markup("")
    parts = []
    for i, name in enumerate(names):
        state = "best" if i == 0 else "mended"
        parts.append(text(name, 100, 11 + 15 * i, anchor="end", class_=f"point-name {state}"))
    return Markup("").join(parts)
