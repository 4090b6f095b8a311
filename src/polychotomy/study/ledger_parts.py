"""Parts of a study: which data set, plan, candidates and runs a question is about."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Ints
from polychotomy.exceptions import InvalidInput
from polychotomy.study.columns import Part
from polychotomy.study.plan_kinds import plan_from_dict
from polychotomy.study.specification import Specification

FOLDS = ("repeated folds", "time folds", "fixed split", "imported folds")
"""Kinds of plan that predict a sample at most once a repetition."""

_MOST_ROWS = 50_000  # read at a time


def choose_one(known: Collection[str], asked: str | None, kind: str) -> str:
    """Return the name asked for, or the only one there is.

    Examples
    --------
    >>> choose_one(["iris"], None, "data set")
    'iris'
    """
    if asked is None and len(known) == 1:
        return next(iter(known))
    if asked is None:
        listed = ", ".join(map(repr, known))
        raise InvalidInput(f"the study has {len(known)} of {kind}: {listed or 'none'}. Name one.")
    if asked not in known:
        near = get_close_matches(asked, known, n=1, cutoff=0.4)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        listed = ", ".join(map(repr, known))
        raise InvalidInput(f"the study has no {kind} {asked!r}.{hint} It has: {listed or 'none'}.")
    return asked


def folds_first(plans: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the names of plans, those made of folds before the others.

    Examples
    --------
    >>> folds_first({"bag": {"kind": "bootstrap"}, "cv": {"kind": "repeated folds"}})
    ['cv', 'bag']
    """
    return sorted(plans, key=lambda name: plans[name]["kind"] not in FOLDS)


def choose(
    specification: Specification,
    *,
    candidates: Sequence[str] | None,
    dataset: str | None,
    plan: str | None,
    runs: int | None,
    kinds: Sequence[str],
) -> tuple[str, str, tuple[str, ...], int]:
    """Return data set, plan, candidates and runs, where some were left open."""
    name = choose_one(specification["datasets"], dataset, "data set")
    fitting = {
        key: value
        for key, value in specification["plans"].items()
        if value["kind"] in kinds or key == plan
    }
    plan = choose_one(fitting, plan, f"plan ({' or '.join(kinds)})")
    most = plan_from_dict(fitting[plan]).runs
    if runs is not None and not 1 <= runs <= most:
        raise InvalidInput(f"runs={runs!r}; the study has {most} of the plan {plan!r}.")
    known = specification["candidates"]
    candidates = (candidates,) if isinstance(candidates, str) else candidates  # not its letters
    asked = tuple(known if candidates is None else candidates)
    for candidate in asked:
        choose_one(known, candidate, "candidate")
    return name, plan, asked, most if runs is None else runs


def load_part(
    connection: sqlite3.Connection,
    specification: Specification,
    dataset: str,
    plan: str,
    candidates: Iterable[str],
    runs: int,
) -> Part:
    """Read the splits and the truth of a part of a study."""
    truth = load_truth(connection, dataset)
    rows = connection.execute(
        "SELECT split FROM splits WHERE dataset = ? AND plan = ? AND run < ? "
        "ORDER BY run, repetition",
        (dataset, plan, runs),
    ).fetchall()
    how = plan_from_dict(specification["plans"][plan])
    splits = np.frombuffer(b"".join(row[0] for row in rows), "<i2")
    return Part(
        dataset=dataset,
        plan_name=plan,
        plan=how,
        candidates=tuple(candidates),
        classes=tuple(specification["datasets"][dataset]["classes"]),
        runs=runs,
        splits=splits.reshape(runs * how.repetitions, len(truth)).astype(np.int16),
        truth=truth,
        keeps_probabilities=specification["keep"] == "probabilities",
    )


def load_truth(connection: sqlite3.Connection, dataset: str) -> Ints:
    """Read the class codes of a data set's samples."""
    row = connection.execute("SELECT truth FROM samples WHERE dataset = ?", (dataset,)).fetchone()
    return np.frombuffer(row[0], "<i4").astype(np.intp)


def read_done(
    connection: sqlite3.Connection, specification: Mapping[str, Any]
) -> dict[tuple[str, str, str], NDArray[np.bool_]]:
    """Return which trials are recorded, as (repetitions of all runs, folds) for each combination.

    No Python object is made for a trial but for some thousand at a time.
    """
    plans = {name: plan_from_dict(values) for name, values in specification["plans"].items()}
    shapes = {name: (p.runs * p.repetitions, p.n_folds) for name, p in plans.items()}
    done = {}
    for names in connection.execute(
        "SELECT DISTINCT dataset, candidate, plan FROM trials"
    ).fetchall():
        found = np.zeros(shapes[names[2]], dtype=bool)
        cursor = connection.execute(
            "SELECT run, repetition, fold FROM trials "
            "WHERE dataset = ? AND candidate = ? AND plan = ?",
            names,
        )
        while rows := cursor.fetchmany(_MOST_ROWS):
            run, repetition, fold = np.array(rows).T
            found[run * plans[names[2]].repetitions + repetition, fold] = True
        done[names] = found
    return done
