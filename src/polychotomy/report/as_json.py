"""A verdict as plain values, for JSON; the schema is documented in docs/json_schema.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from polychotomy.comparison import ControlComparison, RankSets, Strengths
from polychotomy.core.arrays import Bools, Floats
from polychotomy.telling.choice import say_drift
from polychotomy.telling.rest import name_candidates
from polychotomy.telling.trust import say_contradictions
from polychotomy.verdict import ManyVerdicts, Verdict

SCHEMA = 1
"""Goes up where a key is renamed, taken away or means something else; not where one is added."""

_NUMBERS = ("name", "error", "sd", "loss", "n_failed", "model_bytes")  # of a candidate

_FRIEDMAN = ("statistic", "df", "pvalue", "iman_davenport", "iman_davenport_pvalue", "mean_ranks")


def plain(value: Any) -> Any:
    """Return numbers, texts, lists and dicts only; None for what JSON has no number for.

    Examples
    --------
    >>> import numpy as np
    >>> plain({"a": np.array([1.0, np.nan]), "b": (np.int64(3), np.bool_(True)), "c": np.inf})
    {'a': [1.0, None], 'b': [3, True], 'c': None}
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


_SETS = ("coverage", "sizes", "covered", "left", "errors")


def _parts(value: Any, names: tuple[str, ...] | None = None) -> dict[str, Any]:
    """Return named attributes, or all fields of a dataclass, as plain values."""
    names = tuple(field.name for field in fields(value)) if names is None else names
    return {name: plain(getattr(value, name)) for name in names}


def _named(value: NamedTuple | None) -> dict[str, Any] | None:
    """Return a named tuple as plain values; None of None."""
    return None if value is None else plain(value._asdict())


def verdict_to_dict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain values for JSON; clocks under timings, provenance, spent only."""
    ordering, scored = verdict.ordering, verdict.criterion.name == "score"
    return {
        "warnings": _warnings(verdict),
        "schema": SCHEMA,
        "best": verdict.best,
        "summary": [one.text for one in verdict.top()],
        "rule": verdict.rule,
        "margin": verdict.margin,
        "loss": verdict.criterion.to_dict(),
        "guessing": _named(verdict.guessing),
        "ordering": {
            "order": list(ordering.ordered_names),
            "names": list(ordering.names),
            "edges": ordering.edges.tolist(),
            "pvalues": plain(ordering.pvalues),
            "level": plain(ordering.level),
            "alpha": ordering.alpha,
            "test": ordering.test,
            "frequencies": [{"order": list(f.order), "runs": f.runs} for f in verdict.frequencies],
        },
        "other_rule": _other_rule(verdict),
        "candidates": [
            {name: plain(getattr(c, name)) for name in _NUMBERS}
            | ({} if c.stopped is None else {"stopped": plain(c.stopped._asdict())})
            | ({"score": plain(verdict.criterion.sign * c.loss)} if scored else {})
            for c in verdict.candidates
        ],
        "differences": plain(verdict.differences.to_frame().to_dict("records")),
        "selected": _selected(verdict),
        "recalibrated": _named(verdict.recalibrated),
        "decisions": _named(verdict.decisions),
        "undecided": _undecided(verdict),
        "gate": _named(verdict.gate),
        "trust": None if scored else plain(verdict.trust.to_frame().to_dict("records")[0]),
        "anatomy": _anatomy(verdict),
        "combination": _combination(verdict),
        "columns": _columns(verdict),
        "sets": None
        if verdict.sets is None
        else {"size": verdict.sets.mean_size} | _parts(verdict.sets, _SETS),
        "ranks": _ranks(verdict.ranks),
        "groups": _groups(verdict),
        "weak": None if verdict.weak is None else plain(verdict.weak._asdict()),
        "confusion": {
            "classes": list(verdict.confusion.classes),
            "counts": plain(verdict.confusion.counts),
            "worst": [pair._asdict() for pair in verdict.confusion.worst],
        },
        "failures": [failure._asdict() for failure in verdict.failures],
        "left_out": [
            plain(one._asdict() | {"remedy": name_candidates(one.ask_for)})
            for one in verdict.left_out
        ],
        "sentences": [s.to_dict() for s in verdict.sentences() if s.section != "price"],
        "notes": list(verdict.notes),
        "not_asked": dict(verdict.not_asked),
        "dataset": plain(verdict.dataset),
        "plan": plain(verdict.plan),
        "steady": plain(verdict.steady),
        "baselines": list(verdict.baselines),
        "model": verdict.model,
        "spent": _spent([verdict]),
        "timings": _timings(verdict),
        "provenance": plain(verdict.provenance),
    }


def _warnings(verdict: Verdict) -> list[dict[str, str]]:
    """Return what to know before anything else, with what it is of."""
    found: list[tuple[str, str]] = [(note.kind, str(note)) for note in verdict.warnings]
    found += [("drift", say_drift(verdict))] if verdict.drift else []
    found += [("contradiction", one.text) for one in say_contradictions(verdict)]
    return [{"kind": kind, "text": text} for kind, text in found]


def _groups(verdict: Verdict) -> list[dict[str, Any]]:
    """Return one row for each group of the column that was asked for, of the best candidate."""
    found = verdict.by
    if found is None:
        return []
    rows = found.to_frame().to_dict("records")
    own = {"names": "value", "errors": "error", "pvalues": "pvalue"}
    named = [{own.get(key, key): value for key, value in row.items()} for row in rows]
    return [plain({"by": found.column, "name": verdict.best, **row}) for row in named]


def _ranks(found: RankSets | None, strengths: Strengths | None = None) -> list[dict[str, Any]]:
    """Return the ranks that each one may have, at a level for all together, and its strength."""
    if found is None:
        return []
    known = [None] * len(found.names) if strengths is None else strengths.strengths
    columns = found.names, found.first, found.last, known, found.means
    return [
        plain(
            {"name": name, "low": low, "high": high, "strength": strength, "mean": mean}
            | {"level": found.level}
        )
        for name, low, high, strength, mean in zip(*columns, strict=True)
    ]


def _spent(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return what was fitted, how long that took, and who was left out of it.

    Whole seconds, so that short studies of one kind have the same document; timings has them all.
    """
    return {
        "fits": sum(one.timings.n_fits for one in verdicts),
        "seconds": ceil(sum(one.timings.seconds for one in verdicts)),
        "left_out": [*dict.fromkeys(out.name for one in verdicts for out in one.left_out)],
    }


def _timings(verdict: Verdict) -> dict[str, Any]:
    price = verdict.price
    return {
        "n_fits": verdict.timings.n_fits,
        "seconds": plain(verdict.timings.seconds),
        "candidates": {
            c.name: {"fit_seconds": c.fit_seconds, "predict_seconds": c.predict_seconds}
            for c in verdict.candidates
        },
        "efficient_to_fit": _efficient(price.names, price.efficient_fit, price.fit_seconds),
        "efficient_to_ask": _efficient(price.names, price.efficient_predict, price.predict_seconds),
        "sentences": [s.to_dict() for s in verdict.sentences() if s.section == "price"],
    }


def _efficient(names: tuple[str, ...], chosen: Bools, seconds: Floats) -> list[str]:
    """Name the efficient ones; none where some have no clocks, as predictions may."""
    return [name for name, on in zip(names, chosen, strict=True) if on and (seconds > 0).all()]


def _other_rule(verdict: Verdict) -> dict[str, Any] | None:
    other = verdict.other_rule
    if other is None:
        return None
    order = list(other.ordering.ordered_names)
    return {"name": other.name, "best": other.best, "order": order, "why": other.why}


def _selected(verdict: Verdict) -> dict[str, Any] | None:
    ends = "low", "high", "level", "n_replicates", "luck", "luck_pvalue"
    return _with_members(verdict.selected, ("plain", "corrected", "expected", *ends), "shares")


def _undecided(verdict: Verdict) -> dict[str, Any] | None:
    found = verdict.undecided
    if found is None:
        return None
    return _parts(found, ("rival", "asks", "more_rows", "margin_needed")) | {
        "plan": _parts(found.plan)
    }


def _anatomy(verdict: Verdict) -> dict[str, Any] | None:
    anatomy = verdict.anatomy
    if anatomy is None:
        return None
    budget = ("error", "aggregated_error", "aggregation_effect", "variance", "reversed_variance")
    bounds = ("bayes_bound", "bias_bound", "n_bootstraps")
    forecast = anatomy.forecast
    return {
        "budgets": {name: _parts(one, budget + bounds) for name, one in anatomy.budgets.items()},
        "bagging": plain(anatomy.bagging.to_frame().to_dict("records")[0]),
        "forecast": None if forecast is None else plain(forecast.to_frame().to_dict("records")),
    }


def _combination(verdict: Verdict) -> dict[str, Any] | None:
    names = ("conclusion", "auc", "over", "auc_over", "best", "auc_best", "difference", "interval",
             "pvalue")  # fmt: skip
    return _with_members(verdict.combination, names, "weights")


def _columns(verdict: Verdict) -> dict[str, Any] | None:
    found = verdict.columns
    if found is None:
        return None
    parts = _parts(found)
    return parts | {"curves": [plain(one._asdict()) for one in found.curves]}


def _with_members(found: Any, names: tuple[str, ...], each: str) -> dict[str, Any] | None:
    """Return named attributes, and one that has a number for each of its names."""
    if found is None:
        return None
    numbers = dict(zip(found.names, plain(getattr(found, each)), strict=True))
    return _parts(found, names) | {each: numbers}


def many_to_dict(many: ManyVerdicts) -> dict[str, Any]:
    """Return all verdicts and what holds over them as plain values."""
    control = many.control
    return {
        "warnings": [
            {"table": name, **warning}
            for name, one in zip(many.tables, many.verdicts, strict=True)
            for warning in _warnings(one)
        ],
        "schema": SCHEMA,
        "best": many.best,
        "wins": many.wins,
        "leads": [{**plain(one._asdict()), "shown": one.shown} for one in many.leads],
        "tables": {
            name: one.to_dict() for name, one in zip(many.tables, many.verdicts, strict=True)
        },
        "problems": [problem._asdict() for problem in many.problems],
        "candidates": list(many.candidates),
        "losses": plain(many.losses),
        "friedman": None if control is None else _parts(control.friedman, _FRIEDMAN),
        "critical_difference": plain(getattr(many.nemenyi, "critical_difference", None)),
        "control": None if control is None else _control(control),
        "ranks": _ranks(many.ranks, many.strengths),
        "sentences": [sentence.to_dict() for sentence in many.sentences()],
        "notes": list(many.notes),
        "spent": _spent(many.verdicts),
        "provenance": plain(many.provenance),
    }


def _control(found: ControlComparison) -> dict[str, Any]:
    adjusted = dict(zip(found.names, found.adjusted_pvalue.tolist(), strict=True))
    return {"name": found.names[found.control], "adjusted_pvalues": adjusted}
