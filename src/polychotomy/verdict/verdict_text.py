"""A verdict as plain text for a terminal: under each question its answers, in short lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from textwrap import wrap
from typing import TYPE_CHECKING

from polychotomy.verdict.say_choice import sides
from polychotomy.verdict.sentence import QUESTIONS, Sentence

if TYPE_CHECKING:
    from polychotomy.verdict.many import ManyVerdicts
    from polychotomy.verdict.verdict import Verdict

_WIDTH = 80
_GLUE = "\ue000"  # stands for a space at which no line may end
_TOGETHER = re.compile(r" (?=[%±=<] |%|points?\b)|(?<= [±=<]) ")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # a name must not steer a terminal


def verdict_to_text(verdict: Verdict | ManyVerdicts, *, about: str = "") -> str:
    """Return the conclusion, the answers by question, the table, and the notes."""
    first, *rest = verdict.sentences()
    lines = [first.text, *([about] if about else [])]
    for question, answers in by_question(rest):
        lines += ["", *([question] if question else []), *answers]
    lines += ["", *_table(*verdict.text_table()), *bullets(say_places(verdict), mark="  ")]
    if verdict.notes:
        lines += ["", "Notes", *bullets(verdict.notes)]
    return "\n".join(printable(line) for line in lines)


def by_question(
    sentences: Sequence[Sentence], *, width: int = _WIDTH
) -> list[tuple[str, list[str]]]:
    """Return each question with the lines that answer it, in the page's order.

    What comes before the reasons for the choice, as a gate that was not passed, stands first and
    under no question.

    Examples
    --------
    >>> said = [Sentence(text="Expect an error of 2 %.", basis="…", section="which")]
    >>> by_question(said, width=20)
    [('Which one?', ['• Expect an error of', '  2 %.'])]
    """
    lead = list(takewhile(lambda one: one.section != "which", sentences))
    found = {"": [one.text for one in lead]}
    for section, question in QUESTIONS.items():
        found[question] = [one.text for one in sentences[len(lead) :] if one.section == section]
    return [(question, bullets(texts, width=width)) for question, texts in found.items() if texts]


def bullets(texts: Sequence[str], *, mark: str = "• ", width: int = _WIDTH) -> list[str]:
    """Return texts as items of a list, each wrapped; a number stays with its unit.

    Examples
    --------
    >>> bullets(["an error of 2.4 %", "p = 0.03"], width=18)
    ['• an error of', '  2.4 %', '• p = 0.03']
    """
    lines = []
    for text in texts:
        wrapped = wrap(
            _TOGETHER.sub(_GLUE, text),
            width,
            initial_indent=mark,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += [line.replace(_GLUE, " ") for line in wrapped]
    return lines


def say_places(verdict: Verdict | ManyVerdicts) -> list[str]:
    """Say how places are made, where somebody stands before one with a lower mean."""
    from polychotomy.verdict.many import ManyVerdicts  # which prints itself by this module

    if isinstance(verdict, ManyVerdicts):  # its table has no places
        return []
    losses = {one.name: one.loss for one in verdict.candidates}
    if all(losses[a] <= losses[b] for a, b in pairwise(verdict.ordering.ordered_names)):
        return []
    return [
        "Place: the most preferred candidate that nobody overrides comes first, then the same "
        f"among the rest. So a {sides(verdict)[0]} candidate can stand before one with a lower "
        "mean."
    ]


def printable(text: str) -> str:
    r"""Replace control characters, by which a name could write elsewhere on a terminal.

    Examples
    --------
    >>> printable("a\x1b[2Jb")
    'a�[2Jb'
    """
    return _CONTROL.sub("\ufffd", text)


def _table(headings: list[str], rows: list[tuple[bool, list[str]]]) -> list[str]:
    """Return aligned lines, the best candidate's marked; the first column to the left."""
    cells = [headings, *(row for _, row in rows)]
    cells = [[re.sub(r"\s+", " ", cell) for cell in line] for line in cells]
    marks = ["  ", *("* " if is_best else "  " for is_best, _ in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(headings))]
    return [
        mark + "  ".join(_align(cell, widths[i], i) for i, cell in enumerate(line)).rstrip()
        for mark, line in zip(marks, cells, strict=True)
    ]


def _align(cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if column else cell.ljust(width)
