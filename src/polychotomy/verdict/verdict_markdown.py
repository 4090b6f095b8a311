"""A verdict as Markdown, to paste into a pull request or a report."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from polychotomy.verdict.wording import amount, percent

if TYPE_CHECKING:
    from polychotomy.verdict.sentence import Sentence
    from polychotomy.verdict.verdict import Verdict


def verdict_to_markdown(verdict: Verdict) -> str:
    """Return sentences with footnotes, a table of the candidates, and the notes."""
    data = verdict.dataset
    sentences = verdict.sentences()
    first, rest = sentences[0], sentences[1:]
    lines = [
        f"# {escape_markdown(first.text.rstrip('.'))}",
        "",
        f"{escape_markdown(data['name'])} · {data['rows']} rows · {data['columns']} columns · "
        f"{len(data['classes'])} classes · {len(verdict.candidates)} candidates",
        "",
        *[f"- {_with_emphasis(one)}[^{i}]" for i, one in enumerate(rest, start=2)],
        "",
        *_table(verdict),
        "",
    ]
    if verdict.notes:
        lines += ["Notes:", "", *[f"- {escape_markdown(note)}" for note in verdict.notes], ""]
    lines += [
        f"[^{i}]: {escape_markdown(one.basis)}" for i, one in enumerate(sentences, start=1) if i > 1
    ]
    return "\n".join([*lines, "", escape_markdown(first.basis), ""])


def _with_emphasis(sentence: Sentence) -> str:
    if not sentence.emphasis:
        return escape_markdown(sentence.text)
    before, found, after = sentence.text.partition(sentence.emphasis)
    return f"{escape_markdown(before)}**{escape_markdown(found)}**{escape_markdown(after)}"


def _table(verdict: Verdict) -> list[str]:
    places = {name: i + 1 for i, name in enumerate(verdict.ordering.ordered_names)}
    criterion = verdict.criterion
    extra = [] if criterion.name == "error" else [criterion.words]
    heading = ["candidate", "place", *extra, "error", "sd"]
    rows = [heading, ["---"] * len(heading)]
    for c in verdict.candidates:
        name = escape_markdown(c.name)
        if c.n_failed:
            rows.append([name, "–", *["–" for _ in extra], f"failed in {c.n_failed}", ""])
            continue
        loss = [amount(c.loss, criterion) for _ in extra]
        place = str(places[c.name])
        rows.append([f"**{name}**" if c.name == verdict.best else name, place, *loss,
                     percent(c.error), percent(c.sd)])  # fmt: skip
    return [f"| {' | '.join(row)} |" for row in rows]


def escape_markdown(text: str) -> str:
    r"""Make text of any kind harmless in Markdown, on one line.

    Examples
    --------
    >>> print(escape_markdown("a|b <i>*c*\nd"))
    a\|b \<i\>\*c\* d
    """
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", re.sub(r"\s+", " ", text))
