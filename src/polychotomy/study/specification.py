"""The specification of a study as plain values: what its ledger depends on, and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any

import numpy as np

from polychotomy.study.dataset import Dataset
from polychotomy.study.plan import Plan
from polychotomy.study.target import Target

Specification = dict[str, Any]
"""``datasets`` {name: rows, columns, classes, sha256}, ``candidates`` {name: description},
``plans`` {name: plan}, ``seed``, ``versions``: JSON-able."""

_EXTENT = {"runs", "replicates"}  # of a plan: what may grow later


def specify(
    *,
    datasets: Mapping[str, Dataset],
    candidates: Mapping[str, Any],
    plans: Mapping[str, Plan],
    seed: int,
) -> Specification:
    """Describe a study by content."""
    return {
        "datasets": {name: _describe_data(data) for name, data in datasets.items()},
        "candidates": {name: describe(estimator) for name, estimator in candidates.items()},
        "plans": {name: plan.to_dict() for name, plan in plans.items()},
        "seed": seed,
        "versions": _versions(candidates),
    }


def _describe_data(data: Dataset) -> dict[str, Any]:
    return {
        "rows": data.n,
        "columns": int(data.X.shape[1]),
        "classes": list(data.target.names),
        "sha256": hash_data(data.X, data.target),
    }


def fingerprint(specification: Specification) -> str:
    """Return the SHA-256 of a specification, in hexadecimal."""
    text = json.dumps(specification, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def find_conflicts(stored: Specification, asked: Specification) -> list[str]:
    """Say in words what would make recorded results of ``stored`` wrong for ``asked``.

    More data sets, candidates, plans or runs are no conflict: only what is new has to be computed.
    """
    conflicts = []
    for name in _common(stored, asked, "datasets"):
        was, now = stored["datasets"][name], asked["datasets"][name]
        if was != now:
            conflicts.append(_data_changed(name, was, now))
    if stored["seed"] != asked["seed"]:
        conflicts.append(f"the seed was {stored['seed']}, now {asked['seed']}")
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


def _common(stored: Specification, asked: Specification, part: str) -> list[str]:
    return [name for name in stored[part] if name in asked[part]]


def unite(stored: Specification, asked: Specification) -> Specification:
    """Join two specifications without conflict."""
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


def _data_changed(name: str, was: dict[str, Any], now: dict[str, Any]) -> str:
    for part in ("rows", "columns", "classes"):
        if was[part] != now[part]:
            return f"the data {name!r} had {part} {was[part]}, now {now[part]}"
    return f"some values of the data {name!r} have changed (rows, columns, classes are the same)"


def hash_data(X: Any, target: Target) -> str:
    """Return the SHA-256 of features and labels, by value.

    Examples
    --------
    >>> import numpy as np
    >>> target = Target.from_labels([0, 1])
    >>> a = hash_data(np.array([[1.0], [2.0]]), target)
    >>> a == hash_data(np.array([[1.0], [2.0]]), target), a == hash_data(np.eye(2), target)
    (True, False)
    """
    digest = hashlib.sha256()
    for part in _parts(X):
        digest.update(part)
    digest.update(json.dumps(target.names).encode())
    digest.update(target.codes.astype("<i8").tobytes())
    return digest.hexdigest()


def _parts(X: Any) -> list[bytes]:
    if hasattr(X, "iloc"):
        import pandas as pd

        head = json.dumps([[str(c), str(t)] for c, t in zip(X.columns, X.dtypes, strict=True)])
        rows = pd.util.hash_pandas_object(X, index=False).to_numpy()
        return [head.encode(), rows.astype("<u8").tobytes()]
    if hasattr(X, "tocsr"):
        csr = X.tocsr()
        return [str(X.shape).encode(), *(a.tobytes() for a in (csr.data, csr.indices, csr.indptr))]
    array = np.ascontiguousarray(X)
    if array.dtype == object:
        return [str(array.shape).encode(), repr(array.tolist()).encode()]
    return [f"{array.shape}{array.dtype.str}".encode(), array.tobytes()]


def describe(value: Any) -> str:
    """Describe an estimator or a parameter by content, the same in every process.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> describe(KNeighborsClassifier(n_neighbors=1))[:58]
    'sklearn.neighbors._classification.KNeighborsClassifier(alg'
    """
    if hasattr(value, "get_params") and not isinstance(value, type):
        inner = ", ".join(
            f"{k}={describe(v)}" for k, v in sorted(value.get_params(deep=False).items())
        )
        return f"{type(value).__module__}.{type(value).__qualname__}({inner})"
    if isinstance(value, list | tuple):
        return f"[{', '.join(describe(item) for item in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {describe(v)}" for k, v in value.items()) + "}"
    if isinstance(value, np.ndarray):
        return f"array {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    text = repr(value)
    # An address would make every process a study of its own.
    return f"{type(value).__module__}.{type(value).__qualname__}" if " at 0x" in text else text


def _versions(candidates: Mapping[str, Any]) -> dict[str, str]:
    """Versions of the packages whose code makes the predictions."""
    modules = {"numpy", "scipy", "sklearn"}
    for estimator in candidates.values():
        parts = [estimator, *estimator.get_params(deep=True).values()]
        modules |= {type(part).__module__.split(".")[0] for part in parts}
    distributions = packages_distributions()
    found = {}
    for module in sorted(modules & distributions.keys()):
        name = distributions[module][0]
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a module of the user's own, on the path but not installed
            continue
    return found
