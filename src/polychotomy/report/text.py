"""A verdict as plain text for a terminal: under each question its answers, in short lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress, pairwise
from textwrap import wrap

from polychotomy.core.numbers import amount, counted, mean_words, percent, seconds
from polychotomy.telling.choice import degrees_of
from polychotomy.verdict import Candidate, ManyVerdicts, Sentence, Verdict
from polychotomy.verdict.findings import QUESTIONS

_WIDTH = 80
_MOST_ROWS = 25  # of a leaderboard on a terminal, where more would push the verdict off it

_GLUE = "\ue000"  # stands for a space at which no line may end

_TOGETHER = re.compile(r" (?=[%±=<] |%|points?\b)|(?<= [±=<]) ")

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # a name must not steer a terminal


def verdict_to_text(verdict: Verdict | ManyVerdicts, *, width: int = _WIDTH) -> str:
    """Return warnings, the conclusion, the answers by question, the table, and the notes."""
    said = verdict.sentences()
    top, about, warned = said[:1], [], warnings_of(verdict)
    if isinstance(verdict, Verdict):
        top, about = verdict.top(), ["", about_verdict(verdict)]
    lines = [*bullets([one.text for one in warned], mark="", width=width), *[""] * bool(warned)]
    lines += [*bullets([one.text for one in top], mark="", hang="", width=width), *about]
    for section, question in QUESTIONS.items():
        answers = [one.text for one in said[len(top) :] if one.section == section]
        lines += ["", question, *bullets(answers, width=width)] * bool(answers)
    places = bullets(say_places(verdict), mark="  ", width=width)
    headings, rows = verdict.text_table()
    if isinstance(verdict, Verdict) and len(rows) > _MOST_ROWS:
        named = {row[1][0]: row for row in rows}
        places = [f"  … and {len(rows) - _MOST_ROWS} more, on the page and in the JSON", *places]
        order = dict.fromkeys((*verdict.ordering.ordered_names, *named))  # who failed comes last
        rows = [named[name] for name in order if name in named][:_MOST_ROWS]
    lines += ["", *_table(headings, rows), *places]
    if verdict.remarks:
        lines += ["", "Notes", *bullets(verdict.remarks, width=width)]
    return "\n".join(printable(line) for line in lines)


def warnings_of(verdict: Verdict | ManyVerdicts) -> list[Sentence]:
    """Return what stands above the answer, in page, terminal and Markdown."""
    return [one for one in verdict.sentences() if one.section == "warning"]


def bullets(
    texts: Sequence[str], *, mark: str = "• ", hang: str = "  ", width: int = _WIDTH
) -> list[str]:
    """Return texts as items of a list, each wrapped; a number stays with its unit.

    Examples
    --------
    >>> bullets(["an error of 2.4 %", "p = 0.03"], width=18)
    ['• an error of', '  2.4 %', '• p = 0.03']
    """
    lines = []
    for text in texts:
        wrapped = wrap(
            _TOGETHER.sub(_GLUE, text), width, initial_indent=mark, subsequent_indent=hang,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        lines += [line.replace(_GLUE, " ") for line in wrapped]
    return lines


def say_places(verdict: Verdict | ManyVerdicts) -> list[str]:
    """Say how places are made, where somebody stands before one with a better mean."""
    if isinstance(verdict, ManyVerdicts):  # its table has no places
        return []
    losses = {one.name: one.loss for one in verdict.candidates}
    in_order = all(losses[a] <= losses[b] for a, b in pairwise(verdict.ordering.ordered_names))
    return [] if in_order else [explain_places(verdict)]


def explain_places(verdict: Verdict) -> str:
    """Say how places are made."""
    return (
        "Place: the most preferred candidate that nobody overrides comes first, then the same "
        f"among the rest. So a {degrees_of(verdict).of('more', 'candidate')} can stand before one "
        f"with a {verdict.criterion.best_word.removesuffix('est')}er mean."
    )


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
        mark + "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for mark, line in zip(marks, cells, strict=True)
    ]


def about_verdict(verdict: Verdict) -> str:
    """Say in a line what was judged."""
    data, m = verdict.dataset, len(verdict.candidates)
    known = len(data["classes"]) * verdict.knows_labels
    # Predictions made elsewhere have no columns.
    sizes = {"row": data["rows"], "column": data["columns"], "class": known, "candidate": m}
    return " · ".join([data["name"], *(counted(n, of) for of, n in sizes.items() if n)])


def verdict_to_markdown(verdict: Verdict | ManyVerdicts) -> str:
    """Return warnings, the first sentence as title, the others, a table, footnotes and notes."""
    first, *rest = verdict.sentences()
    warned = warnings_of(verdict)
    rest = [one for one in rest if one not in warned]
    sentences = [*warned, first, *rest]
    headings, rows = verdict.text_table()
    table = [headings, ["---"] * len(headings)]
    for is_best, cells in rows:
        name, *numbers = (escape_markdown(cell) for cell in cells)
        table.append([f"**{name}**" if is_best else name, *numbers])
    said = [f"{_with_emphasis(one)}[^{i}]" for i, one in enumerate(sentences, start=1)]
    above = [f"{line}\n" for line in said[: len(warned)]]
    lines = [*above, f"# {escape_markdown(first.text.rstrip('.'))}[^{len(warned) + 1}]", ""]
    if isinstance(verdict, Verdict):
        lines += [escape_markdown(about_verdict(verdict)), ""]
    lines += [f"- {line}" for line in said[len(warned) + 1 :]]
    lines += ["", *(f"| {' | '.join(line)} |" for line in table), ""]
    lines += [f"[^{i}]: {escape_markdown(one.basis)}" for i, one in enumerate(sentences, start=1)]
    if verdict.remarks:
        lines += ["", "Notes:", "", *[f"- {escape_markdown(note)}" for note in verdict.remarks]]
    return "\n".join([*lines, ""])


def _with_emphasis(sentence: Sentence) -> str:
    before, found, after = map(escape_markdown, sentence.text.partition(sentence.emphasis or "\0"))
    return f"{before}**{found}**{after}" if found else before


def candidate_table(verdict: Verdict) -> tuple[list[str], list[tuple[bool, list[str]]]]:
    """Return the candidates as headings and rows of text, each marked if it is the best."""
    places = {name: i + 1 for i, name in enumerate(verdict.ordering.ordered_names)}
    criterion = verdict.criterion
    more = {"error": [], "score": [], "cost": ["error of most probable"]}
    of_labels = more.get(criterion.name, ["error"])
    headings = ["candidate", "place", mean_words(criterion), "sd", *of_labels, "time per fold"]
    timed = any(c.fit_seconds + c.predict_seconds for c in verdict.candidates)
    folded = "one test set" not in verdict.folds_words  # whose parts differ as they were cut
    kept = [timed if name == headings[-1] else folded or name != "sd" for name in headings]
    rows = []
    for c in verdict.candidates:
        if c.name in places:
            numbers = [amount(c.loss, criterion), amount(criterion.sign * c.sd, criterion)]
            numbers += [percent(c.error) for _ in of_labels]
            spent = c.fit_seconds + c.predict_seconds
            cost = seconds(spent) if spent else "–"
            cells = [c.name, str(places[c.name]), *numbers, cost]
        else:
            cells = [c.name, "–", why_left_out(c), "", *["" for _ in of_labels], ""]
        rows.append((c.name == verdict.best, [*compress(cells, kept)]))
    return [*compress(headings, kept)], rows


def why_left_out(one: Candidate) -> str:
    """Say why a candidate has no place."""
    if one.stopped and not one.n_failed:
        return str(one.stopped)
    return f"left out: {counted(one.n_failed, 'fit')} failed"


def escape_markdown(text: str) -> str:
    r"""Make text of any kind harmless in Markdown, on one line.

    Examples
    --------
    >>> print(escape_markdown("a|b <i>*c*\nd"))
    a\|b \<i\>\*c\* d
    """
    return re.sub(r"([\\`*_{}\[\]<>|#~&])", r"\\\1", re.sub(r"\s+", " ", text))


def table_of_tables(many: ManyVerdicts) -> tuple[list[str], list[tuple[bool, list[str]]]]:
    """Return the tables as headings and rows of text."""
    rows = []
    for verdict in many.verdicts:
        data = verdict.dataset
        loss = amount(verdict.candidate(verdict.best).loss, verdict.criterion)
        counts = data["rows"], data["columns"], len(data["classes"]) * verdict.knows_labels
        size = [str(one or "–") for one in counts]
        rows.append((False, [data["name"], *size, verdict.best, loss]))
    return ["table", "rows", "columns", "classes", "use", mean_words(many.criterion)], rows
