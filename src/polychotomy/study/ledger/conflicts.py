"""Two specifications of one study: what contradicts, in words, and what they are together."""

from __future__ import annotations

from collections.abc import Mapping

from polychotomy.study.design.specification import DataPrint, Specification, explain_change

_EXTENT = {"runs", "replicates"}  # of a plan: what may grow later


def find_conflicts(
    stored: Specification,
    asked: Specification,
    prints: Mapping[str, tuple[DataPrint, DataPrint]],
) -> list[str]:
    """Say in words what would make recorded results of ``stored`` wrong for ``asked``.

    More data sets, candidates, plans or runs are no conflict: only what is new has to be computed.

    Parameters
    ----------
    prints : {data set: (stored, asked)}
        Fingerprints of the data sets that both have.
    """
    conflicts = _data_conflicts(stored, asked, prints)
    if stored["seed"] != asked["seed"]:
        conflicts.append(f"the seed was {stored['seed']}, now {asked['seed']}")
    if stored["keep"] != asked["keep"]:
        conflicts.append(f"what is kept was {stored['keep']!r}, now {asked['keep']!r}")
    for name in _common(stored, asked, "plans"):
        was, now = stored["plans"][name], asked["plans"][name]
        conflicts += [
            f"the plan {name!r} had {part} {was.get(part)}, now {now.get(part)}"
            for part in sorted((was.keys() | now.keys()) - _EXTENT)
            if was.get(part) != now.get(part)
        ]
    for name in _common(stored, asked, "candidates"):
        was, now = stored["candidates"][name], asked["candidates"][name]
        if was != now:
            conflicts.append(f"the candidate {name!r} was {was}, now {now}")
    for package in _common(stored, asked, "versions"):
        was, now = stored["versions"][package], asked["versions"][package]
        if was != now:
            conflicts.append(f"{package} was {was}, now {now}")
    return conflicts


def _data_conflicts(
    stored: Specification,
    asked: Specification,
    prints: Mapping[str, tuple[DataPrint, DataPrint]],
) -> list[str]:
    changed = [
        explain_change(name, *prints[name])
        for name in _common(stored, asked, "datasets")
        if stored["datasets"][name]["sha256"] != asked["datasets"][name]["sha256"]
    ]
    by_hash = {data["sha256"]: name for name, data in stored["datasets"].items()}
    renamed = [
        f"the data {name!r} are in the study as {by_hash[data['sha256']]!r}; use that name"
        for name, data in asked["datasets"].items()
        if name not in stored["datasets"] and data["sha256"] in by_hash
    ]
    return changed + renamed


def _common(stored: Specification, asked: Specification, part: str) -> list[str]:
    return [name for name in stored[part] if name in asked[part]]


def unite(stored: Specification, asked: Specification) -> Specification:
    """Join two specifications without conflict.

    Examples
    --------
    >>> one = {"datasets": {}, "candidates": {"a": "A()"}, "plans": {"p": {"runs": 2}},
    ...        "seed": 0, "keep": "labels", "versions": {}}
    >>> two = one | {"candidates": {"b": "B()"}, "plans": {"p": {"runs": 1}}}
    >>> both = unite(one, two)
    >>> list(both["candidates"]), both["plans"]
    (['a', 'b'], {'p': {'runs': 2}})
    """
    plans = stored["plans"] | asked["plans"]
    for name in _common(stored, asked, "plans"):
        was, now = stored["plans"][name], asked["plans"][name]
        plans[name] = was | {part: max(was[part], now[part]) for part in _EXTENT & was.keys()}
    return stored | {
        "datasets": stored["datasets"] | asked["datasets"],
        "candidates": stored["candidates"] | asked["candidates"],
        "plans": plans,
        "versions": stored["versions"] | asked["versions"],
    }
