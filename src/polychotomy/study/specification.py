"""The specification of a study as plain values: what its ledger depends on, and nothing else."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any, Literal

import numpy as np

from polychotomy.study.data_print import DataPrint
from polychotomy.study.plan import Plan

Specification = dict[str, Any]
"""``datasets`` {name: rows, columns, classes, groups, time, sha256}, ``candidates`` {name:
description}, ``plans`` {name: plan}, ``seed``, ``keep``, ``versions``: JSON-able."""

Keep = Literal["probabilities", "labels"]


def specify(
    *,
    datasets: Mapping[str, DataPrint],
    candidates: Mapping[str, Any],
    plans: Mapping[str, Plan],
    seed: int,
    keep: Keep = "probabilities",
) -> Specification:
    """Describe a study by content."""
    return {
        "datasets": {name: data.summary for name, data in datasets.items()},
        "candidates": {name: describe(estimator) for name, estimator in candidates.items()},
        "plans": {name: plan.to_dict() for name, plan in plans.items()},
        "seed": seed,
        "keep": keep,
        "versions": _versions(candidates),
    }


def fingerprint(specification: Specification) -> str:
    """Return the SHA-256 of a specification, in hexadecimal."""
    text = json.dumps(specification, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


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
    if isinstance(value, set | frozenset):  # their order changes from process to process
        return f"{{{', '.join(sorted(describe(item) for item in value))}}}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {describe(v)}" for k, v in value.items()) + "}"
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}{_hash_code(value)}"
    content = _content_of(value)
    if content is not None:
        digest = hashlib.sha256(content).hexdigest()[:16]
        return f"{type(value).__qualname__} {getattr(value, 'shape', '')} {digest}"
    text = repr(value)
    # An address would make every process a study of its own.
    return f"{type(value).__module__}.{type(value).__qualname__}" if " at 0x" in text else text


def _content_of(value: Any) -> bytes | None:
    """Bytes of what has a state that its text does not show: arrays, tables, generators."""
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return describe(value.tolist()).encode()
        return f"{value.dtype.str}".encode() + np.ascontiguousarray(value).tobytes()
    if hasattr(value, "iloc"):
        return describe([str(value.axes), value.to_numpy()]).encode()
    if hasattr(value, "tocoo"):
        table = value.tocoo()
        return describe([table.row, table.col, table.data]).encode()
    if isinstance(value, np.random.RandomState):
        return describe(value.get_state(legacy=False)).encode()
    if isinstance(value, np.random.Generator):
        return describe(value.bit_generator.state).encode()
    return None


def _hash_code(function: Any) -> str:
    """Tell functions without a name of their own apart by what they do."""
    code = getattr(function, "__code__", None)
    if code is None or "<" not in function.__qualname__:
        return ""
    names = f"{code.co_names}{[c for c in code.co_consts if not hasattr(c, 'co_code')]}"
    return f" {hashlib.sha256(code.co_code + names.encode()).hexdigest()[:16]}"


@cache
def _distributions() -> Mapping[str, list[str]]:
    """Return which distributions have each module; finding out takes a tenth of a second."""
    return packages_distributions()


def _versions(candidates: Mapping[str, Any]) -> dict[str, str]:
    """Versions of the packages whose code makes the predictions."""
    modules = {"numpy", "scipy", "sklearn"}
    for estimator in candidates.values():
        parts = [estimator, *estimator.get_params(deep=True).values()]
        modules |= {type(part).__module__.split(".")[0] for part in parts}
    distributions = _distributions()
    if modules - distributions.keys() - sys.stdlib_module_names:  # installed since, or the user's
        _distributions.cache_clear()
        distributions = _distributions()
    found = {}
    for module in sorted(modules & distributions.keys()):
        name = distributions[module][0]
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a module of the user's own, on the path but not installed
            continue
    return found
