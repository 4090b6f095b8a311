"""A verdict as plain values, for JSON; the schema is documented in docs/json_schema.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from math import ceil
from typing import Any

import numpy as np

from polychotomy.comparison import RankSets, Strengths
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.result import DataFrame
from polychotomy.telling.choice import say_drift
from polychotomy.telling.tried import name_candidates
from polychotomy.telling.trust import say_contradictions
from polychotomy.verdict import ManyVerdicts, Verdict

# Goes up where a key is renamed, taken away or means something else; not where one is added.
SCHEMA = 1

_AS_THEY_ARE = (
    "best", "rule", "margin", "guessing", "recalibrated", "decisions", "gate", "weak", "failures",
    "notes", "not_asked", "dataset", "plan", "plan_words", "steady", "baselines", "model",
    "provenance",
)  # fmt: skip

_OF_A_CANDIDATE = ("name", "error", "sd", "loss", "n_failed", "model_bytes")

_OF_THE_ORDER = ("names", "edges", "pvalues", "level", "alpha", "test")

_SELECTED = ("plain", "corrected", "expected", "low", "high", "level", "n_replicates", "luck",
             "luck_pvalue")  # fmt: skip

_COMBINATION = ("conclusion", "auc", "over", "auc_over", "best", "auc_best", "difference",
                "interval", "pvalue")  # fmt: skip

_BUDGET = ("error", "aggregated_error", "aggregation_effect", "variance", "reversed_variance",
           "bayes_bound", "bias_bound", "n_bootstraps")  # fmt: skip

_SETS = ("coverage", "sizes", "covered", "left", "errors")

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
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def _parts(value: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return attributes as plain values; none of None."""
    return {} if value is None else {name: plain(getattr(value, name)) for name in names}


def _records(frame: DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table."""
    return [plain(row) for row in frame.to_dict("records")]


def verdict_to_dict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain values for JSON; clocks under timings, provenance, spent only."""
    ordering, scored = verdict.ordering, verdict.criterion.name == "score"
    selected, advice, sets = verdict.selected, verdict.combination, verdict.sets
    columns, undecided, other = verdict.columns, verdict.undecided, verdict.other_rule
    return {
        "warnings": _warnings(verdict),
        "schema": SCHEMA,
        "summary": [one.text for one in verdict.top()],
        **_parts(verdict, _AS_THEY_ARE),
        "loss": verdict.criterion.to_dict(),
        "ordering": {
            "order": list(ordering.ordered_names),
            **_parts(ordering, _OF_THE_ORDER),
            "frequencies": [_parts(one, ("order", "runs")) for one in verdict.frequencies],
        },
        "other_rule": other
        and _parts(other, ("name", "best", "why")) | {"order": list(other.ordering.ordered_names)},
        "candidates": [
            _parts(c, _OF_A_CANDIDATE)
            | ({} if c.stopped is None else {"stopped": plain(c.stopped)})
            | ({"score": plain(verdict.criterion.sign * c.loss)} if scored else {})
            for c in verdict.candidates
        ],
        "differences": _records(verdict.differences.to_frame()),
        "selected": selected and _parts(selected, _SELECTED) | _each(selected, "shares"),
        "undecided": undecided
        and _parts(undecided, ("rival", "asks", "more_rows", "margin_needed"))
        | {"plan": _fields(undecided.plan)},
        "trust": None if scored else _records(verdict.trust.to_frame())[0],
        "anatomy": _anatomy(verdict),
        "combination": advice and _parts(advice, _COMBINATION) | _each(advice, "weights"),
        "columns": columns and _fields(columns),
        "sets": sets and {"size": sets.mean_size} | _parts(sets, _SETS),
        "ranks": _ranks(verdict.ranks),
        "groups": _groups(verdict),
        "confusion": _parts(verdict.confusion, ("classes", "counts", "worst")),
        "left_out": [
            plain(one) | {"remedy": name_candidates(one.ask_for)} for one in verdict.left_out
        ],
        "sentences": [s.to_dict() for s in verdict.sentences() if s.section != "price"],
        "spent": _spent([verdict]),
        "timings": _timings(verdict),
    }


def _fields(value: Any) -> dict[str, Any]:
    """Return all fields of a dataclass as plain values."""
    return _parts(value, [field.name for field in fields(value)])


def _each(value: Any, part: str) -> dict[str, Any]:
    """Return an attribute that has a number for each of its names."""
    return {part: dict(zip(value.names, plain(getattr(value, part)), strict=True))}


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
    own = {"names": "value", "errors": "error", "pvalues": "pvalue"}
    rows = _records(found.to_frame().rename(columns=own))
    return [{"by": found.column, "name": verdict.best, **row} for row in rows]


def _ranks(found: RankSets | None, strengths: Strengths | None = None) -> list[dict[str, Any]]:
    """Return the ranks that each one may have, at a level for all together, and its strength."""
    if found is None:
        return []
    known = [None] * len(found.names) if strengths is None else strengths.strengths
    columns = found.names, found.first, found.last, known, found.means
    keys = ("name", "low", "high", "strength", "mean")
    return [
        plain(dict(zip(keys, row, strict=True)) | {"level": found.level})
        for row in zip(*columns, strict=True)
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
    clocks = ("fit_seconds", "predict_seconds")
    return {
        **_parts(verdict.timings, ("n_fits", "seconds")),
        "candidates": {c.name: _parts(c, clocks) for c in verdict.candidates},
        "efficient_to_fit": _efficient(price.names, price.efficient_fit, price.fit_seconds),
        "efficient_to_ask": _efficient(price.names, price.efficient_predict, price.predict_seconds),
        "sentences": [s.to_dict() for s in verdict.sentences() if s.section == "price"],
    }


def _efficient(names: tuple[str, ...], chosen: Bools, seconds: Floats) -> list[str]:
    """Name the efficient ones; none where some have no clocks, as predictions may."""
    return [name for name, on in zip(names, chosen, strict=True) if on and (seconds > 0).all()]


def _anatomy(verdict: Verdict) -> dict[str, Any] | None:
    anatomy = verdict.anatomy
    if anatomy is None:
        return None
    return {
        "budgets": {name: _parts(one, _BUDGET) for name, one in anatomy.budgets.items()},
        "bagging": _records(anatomy.bagging.to_frame())[0],
        "forecast": anatomy.forecast and _records(anatomy.forecast.to_frame()),
    }


def many_to_dict(many: ManyVerdicts) -> dict[str, Any]:
    """Return all verdicts and what holds over them as plain values."""
    control, tables = many.control, dict(zip(many.tables, many.verdicts, strict=True))
    return {
        "warnings": [
            {"table": name, **warning} for name, one in tables.items() for warning in _warnings(one)
        ],
        "schema": SCHEMA,
        **_parts(many, ("best", "wins", "problems", "candidates", "losses", "notes", "provenance")),
        "leads": [plain(one) | {"shown": one.shown} for one in many.leads],
        "tables": {name: one.to_dict() for name, one in tables.items()},
        "friedman": control and _parts(control.friedman, _FRIEDMAN),
        "critical_difference": plain(getattr(many.nemenyi, "critical_difference", None)),
        "control": control
        and {
            "name": control.names[control.control],
            "adjusted_pvalues": _each(control, "adjusted_pvalue")["adjusted_pvalue"],
        },
        "ranks": _ranks(many.ranks, many.strengths),
        "sentences": [sentence.to_dict() for sentence in many.sentences()],
        "spent": _spent(many.verdicts),
    }
