"""The specification of a study as plain values: what its ledger depends on, and nothing else."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any

import numpy as np

from polychotomy.study.plan import RepeatedFolds
from polychotomy.study.target import Target

Specification = dict[str, Any]
"""``dataset`` (name, rows, columns, classes, sha256), ``candidates`` {name: description}, ``plan``,
``seed``, ``versions``: JSON-able."""


def specify(
    *,
    dataset: str,
    X: Any,
    target: Target,
    candidates: dict[str, Any],
    plan: RepeatedFolds,
    seed: int,
) -> Specification:
    """Describe a study by content."""
    return {
        "dataset": {
            "name": dataset,
            "rows": len(target.codes),
            "columns": int(X.shape[1]),
            "classes": list(target.names),
            "sha256": hash_data(X, target),
        },
        "candidates": {name: describe(estimator) for name, estimator in candidates.items()},
        "plan": plan.to_dict(),
        "seed": seed,
        "versions": _versions(candidates),
    }


def fingerprint(specification: Specification) -> str:
    """Return the SHA-256 of a specification, in hexadecimal."""
    text = json.dumps(specification, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def find_conflicts(stored: Specification, asked: Specification) -> list[str]:
    """Say in words what would make recorded results of ``stored`` wrong for ``asked``.

    More candidates or more runs are no conflict: only what is new has to be computed.
    """
    conflicts = []
    if stored["dataset"]["sha256"] != asked["dataset"]["sha256"]:
        conflicts.append(_data_changed(stored["dataset"], asked["dataset"]))
    elif stored["dataset"]["name"] != asked["dataset"]["name"]:
        conflicts.append(
            f"the data set was called {stored['dataset']['name']!r}, "
            f"now {asked['dataset']['name']!r}"
        )
    if stored["seed"] != asked["seed"]:
        conflicts.append(f"the seed was {stored['seed']}, now {asked['seed']}")
    for part in sorted((stored["plan"].keys() | asked["plan"].keys()) - {"runs"}):
        was, now = stored["plan"].get(part), asked["plan"].get(part)
        if was != now:
            conflicts.append(f"the plan had {part} {was}, now {now}")
    for name in stored["candidates"].keys() & asked["candidates"].keys():
        was, now = stored["candidates"][name], asked["candidates"][name]
        if was != now:
            conflicts.append(f"the candidate {name!r} was {was}, now {now}")
    for package in sorted(stored["versions"].keys() & asked["versions"].keys()):
        was, now = stored["versions"][package], asked["versions"][package]
        if was != now:
            conflicts.append(f"{package} was {was}, now {now}")
    return conflicts


def _data_changed(stored: dict[str, Any], asked: dict[str, Any]) -> str:
    for part in ("rows", "columns", "classes"):
        if stored[part] != asked[part]:
            return f"the data had {part} {stored[part]}, now {asked[part]}"
    return "some values of the data have changed (rows, columns and classes are the same)"


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


def _versions(candidates: dict[str, Any]) -> dict[str, str]:
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
