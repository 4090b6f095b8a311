"""A verdict as Markdown, to paste into a pull request or a report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from polychotomy.verdict.wording import amount, mean_words, percent, seconds

if TYPE_CHECKING:
    from polychotomy.verdict.sentence import Sentence
    from polychotomy.verdict.verdict import Verdict


def verdict_to_markdown(verdict: Verdict) -> str:
    """Return sentences with footnotes, a table of the candidates, and the notes."""
    about = escape_markdown(about_verdict(verdict))
    lines = markdown_sentences(verdict.sentences(), _table(verdict), about=about)
    if verdict.notes:
        lines += ["", "Notes:", "", *[f"- {escape_markdown(note)}" for note in verdict.notes]]
    return "\n".join([*lines, ""])


def about_verdict(verdict: Verdict) -> str:
    """Say in a line what was judged."""
    data = verdict.dataset
    return (
        f"{data['name']} · {data['rows']} rows · {data['columns']} columns · "
        f"{len(data['classes'])} classes · {len(verdict.candidates)} candidates"
    )


def markdown_sentences(
    sentences: Sequence[Sentence], table: Sequence[str], *, about: str = ""
) -> list[str]:
    """Return lines: the first sentence as title, the others as a list, a table, the footnotes."""
    first, rest = sentences[0], sentences[1:]
    return [
        f"# {escape_markdown(first.text.rstrip('.'))}",
        "",
        *([about, ""] if about else []),
        f"{escape_markdown(first.text)}[^1]",
        "",
        *[f"- {_with_emphasis(one)}[^{i}]" for i, one in enumerate(rest, start=2)],
        "",
        *table,
        "",
        *[f"[^{i}]: {escape_markdown(one.basis)}" for i, one in enumerate(sentences, start=1)],
    ]


def _with_emphasis(sentence: Sentence) -> str:
    if not sentence.emphasis:
        return escape_markdown(sentence.text)
    before, found, after = sentence.text.partition(sentence.emphasis)
    return f"{escape_markdown(before)}**{escape_markdown(found)}**{escape_markdown(after)}"


def candidate_table(verdict: Verdict) -> tuple[list[str], list[tuple[bool, list[str]]]]:
    """Return the candidates as headings and rows of text, each marked if it is the best."""
    places = {name: i + 1 for i, name in enumerate(verdict.ordering.ordered_names)}
    criterion = verdict.criterion
    of_labels = {"error": [], "cost": ["error of most probable"]}.get(criterion.name, ["error"])
    rows = []
    for c in verdict.candidates:
        if c.name not in places:
            why = str(c.stopped) if c.stopped and not c.n_failed else _failed(c.n_failed)
            cells = [c.name, "–", why, "", *["" for _ in of_labels], ""]
        else:
            numbers = [amount(c.loss, criterion), amount(c.sd, criterion)]
            numbers += [percent(c.error) for _ in of_labels]
            spent = c.fit_seconds + c.predict_seconds
            cost = seconds(spent) if spent else "–"  # predictions may have no clocks
            cells = [c.name, str(places[c.name]), *numbers, cost]
        rows.append((c.name == verdict.best, cells))
    return ["candidate", "place", mean_words(criterion), "sd", *of_labels, "time a fold"], rows


def _failed(count: int) -> str:
    return f"failed in {count} {'fit' if count == 1 else 'fits'}"


def _table(verdict: Verdict) -> list[str]:
    headings, rows = candidate_table(verdict)
    lines = [headings, ["---"] * len(headings)]
    for is_best, cells in rows:
        name = escape_markdown(cells[0])
        lines.append([f"**{name}**" if is_best else name, *cells[1:]])
    return [f"| {' | '.join(line)} |" for line in lines]


def escape_markdown(text: str) -> str:
    r"""Make text of any kind harmless in Markdown, on one line.

    Examples
    --------
    >>> print(escape_markdown("a|b <i>*c*\nd"))
    a\|b \<i\>\*c\* d
    """
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", re.sub(r"\s+", " ", text))
