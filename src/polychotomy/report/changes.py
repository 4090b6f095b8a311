"""What changed between two verdicts, told from their JSON, and a verdict as a short comment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from polychotomy.comparison import Criterion
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import amount, few, gap, join, percent, quoted, span
from polychotomy.report.as_json import SCHEMA
from polychotomy.report.text import escape_markdown


def read_document(path: Path) -> dict[str, Any]:
    """Read the JSON of a verdict on one table, as ``judge --json`` prints it."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        how = f"polychotomy judge … --json > {path.name if path.suffix == '.json' else 'FILE.json'}"
        raise InvalidInput(f"there is no file {str(path)!r}; make it by {how}.") from None
    except ValueError:
        document = None
    if not isinstance(document, dict) or not {"best", "summary", "candidates"} <= document.keys():
        raise InvalidInput(
            f"{str(path)!r} is no verdict on one table; expected what polychotomy judge --json "
            f"printed: polychotomy judge … --json > FILE.json."  # not over what is there
        )
    if document.get("schema") != SCHEMA:
        found = f"{str(path)!r} has the schema {document.get('schema')!r}"
        raise InvalidInput(f"{found}; expected {SCHEMA}, which this version writes: judge again.")
    return document


def say_changes(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return one line for each thing that differs, and what that means for the losses.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy import judge
    >>> one = judge({"Bayes": GaussianNB()}, *load_iris(return_X_y=True), anatomy=False).to_dict()
    >>> say_changes(one, one)
    ['Nothing changed.']
    """
    rows = _beside(old, new, "none")
    changed = [f"{name}: {before} → {now}" for name, before, now in rows if before != now]
    return [*changed, *_moved(old, new)] or ["Nothing changed."]


def _beside(old: dict[str, Any], new: dict[str, Any], missing: str) -> list[tuple[str, str, str]]:
    """Return the name of each fact, what it was, and what it is."""
    before, now = facts_of(old), facts_of(new)
    names = dict.fromkeys([*now, *before])
    return [(name, before.get(name, missing), now.get(name, missing)) for name in names]


def facts_of(document: dict[str, Any]) -> dict[str, str]:
    """Return what a reader compares of a verdict, in words, by what it is called."""
    criterion, data = _criterion(document), document["dataset"]
    found, known = document["selected"], not document["plan"].get("only_right", False)
    losses = {one["name"]: one["loss"] for one in document["candidates"]}
    expected = amount(losses[document["best"]], criterion)
    if found is not None:
        ends = found["low"], max(found["high"], found["expected"])
        low, high = sorted(criterion.sign * end for end in ends)
        inside = span(low, high, criterion)
        expected = f"{amount(found['expected'], criterion)} ({inside})"
    worst, classes = "none", f", {len(data['classes'])} classes"
    for pair in document["confusion"]["worst"][: int(known)]:  # of right and wrong nobody asks
        words = f"{quoted(pair['truth'], 30)} taken for {quoted(pair['predicted'], 30)}"
        worst = f"{words} ({percent(pair['share'])})"
    facts = {
        "table": f"{data['name']}, {data['rows']} rows{classes * known}",
        "use": document["best"],
        f"{criterion.words} to expect": expected,
        "candidates": ", ".join(losses),
        "probabilities": document["trust"]["finding"] if known else "none",
        "worst confusion": worst,
    }
    if document["warnings"]:
        facts["warned of"] = ", ".join({one["kind"]: 1 for one in document["warnings"]})
    if document["gate"] is not None:
        passed = "passed" if document["gate"]["passed"] else "not passed"
        facts["gate"] = f"{passed} against {document['gate']['against']}"
    if document["failures"]:
        facts["failed"] = ", ".join({one["candidate"]: 1 for one in document["failures"]})
    return facts


def _criterion(document: dict[str, Any]) -> Criterion:
    loss = document["loss"]
    costs = None if loss["costs"] is None else np.asarray(loss["costs"])
    higher = loss.get("higher_better", False)
    return Criterion(name=loss["name"], costs=costs, higher_better=higher)


def _moved(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Name candidates whose mean moved by more than the margin, where the loss is the same."""
    if old["loss"] != new["loss"]:
        return []
    before = {one["name"]: one["loss"] for one in old["candidates"]}
    moved = {
        one["name"]: one["loss"] - before[one["name"]]
        for one in new["candidates"]
        if one["loss"] is not None and before.get(one["name"]) is not None
    }
    said = [
        f"{name} {gap(abs(by), _criterion(new))} {'worse' if by > 0 else 'better'}"
        for name, by in sorted(moved.items(), key=lambda one: -abs(one[1]))
        if abs(by) > new["margin"]
    ]
    return [f"moved by more than the margin: {join(few(said))}"] if said else []


def comment(new: dict[str, Any], old: dict[str, Any] | None = None) -> str:
    """Return a verdict as Markdown for a comment, beside the one before it: at most 15 lines."""
    first, *rest = (escape_markdown(text) for text in new["summary"])
    said = [one["text"] for one in new["sentences"] if one["section"] == "warning"]
    lines = [*(f"{escape_markdown(text)}\n" for text in said), f"### {first}", "", " ".join(rest)]
    if old is None:
        return "\n".join([*lines, ""])
    lines += ["", "| | before | now |", "| --- | --- | --- |"]
    for row in _beside(old, new, "–"):
        name, before, now = map(escape_markdown, row)
        if before != now or name == "use" or name.endswith("to expect"):
            lines.append(f"| {name} | {before} | {now} |")
    return "\n".join([*lines, ""])
