"""A candidate by content: its class and parameters, and the code of the user's own that it runs.

Installed packages are known by their versions. What else a candidate is made of (classes and
functions of a script, of a module beside it, of a notebook) is known by its byte code: text would
change with every comment, and is not there, or no longer what runs, where somebody has edited a
file or a cell since. Byte code differs between versions of Python, so that one is kept with it.
"""

from __future__ import annotations

import dis
import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import joblib
import numpy as np

_WITH_STATE = np.ndarray | np.random.RandomState | np.random.Generator  # that no text shows


def describe(value: Any) -> str:
    """Describe an estimator or a parameter by content, the same in every process.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> describe(KNeighborsClassifier(n_neighbors=1))[:58]
    'sklearn.neighbors._classification.KNeighborsClassifier(alg'
    """
    if hasattr(value, "get_params") and not isinstance(value, type):
        parameters = sorted(value.get_params(deep=False).items())
        inner = ", ".join(f"{k}={describe(v)}" for k, v in parameters)
        return f"{type(value).__module__}.{type(value).__qualname__}({inner})"
    if isinstance(value, list | tuple):
        return f"[{', '.join(describe(item) for item in value)}]"
    if isinstance(value, set | frozenset):  # their order changes from process to process
        return f"{{{', '.join(sorted(describe(item) for item in value))}}}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {describe(v)}" for k, v in value.items()) + "}"
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, _WITH_STATE) or hasattr(value, "iloc") or hasattr(value, "tocoo"):
        return f"{type(value).__qualname__} {getattr(value, 'shape', '')} {joblib.hash(value)}"
    text = repr(value)
    # An address would make every process a study of its own.
    return f"{type(value).__module__}.{type(value).__qualname__}" if " at 0x" in text else text


_PACKAGES = {"numpy", "pandas", "polychotomy", "scipy", "sklearn", "skrub"}

_INSTALLED = {"site-packages", "dist-packages"}  # one of these is in the path

_LIBRARY = Path(os.__file__).parent


def code_of(candidate: Any) -> dict[str, str]:
    """Return a hash of the code of each class and function of the user's own in a candidate.

    It covers what they call, inherit and name at the level of modules, as far as that is the user's
    own, too. Empty where all comes from installed packages.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import FunctionTransformer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> code_of(make_pipeline(FunctionTransformer(abs), DecisionTreeClassifier()))
    {}
    """
    hashes: dict[str, Any] = {}
    for part in filter(_is_own, _parts(candidate)):
        name = f"{'class' if isinstance(part, type) else 'function'} {part.__qualname__}"
        text = "\n".join(_tell(part, {}))
        hashes.setdefault(name, hashlib.sha256()).update(text.encode(errors="replace"))
    found = {name: one.hexdigest()[:16] for name, one in hashes.items()}
    return {"Python": ".".join(map(str, sys.version_info[:2])), **found} if found else {}


def _parts(value: Any) -> Iterator[Any]:
    """Give the classes and functions that an estimator, or a parameter, is made of."""
    yield value if isinstance(value, type | FunctionType) else type(value)
    for one in () if isinstance(value, type) else _inside(value):
        yield from _parts(one)


_HELD = "__func__ __self__ __wrapped__ fget fset fdel func args keywords"  # by wrappers


def _inside(value: Any) -> list[Any]:
    """Return the values that a container, an estimator or a wrapper holds."""
    if isinstance(value, list | tuple):
        return [*value]
    if isinstance(value, set | frozenset):
        return sorted(value, key=describe)
    if isinstance(value, dict) or hasattr(value, "get_params"):
        items = value if isinstance(value, dict) else value.get_params(deep=False)
        return [part for key in sorted(items, key=repr) for part in (key, items[key])]
    return [getattr(value, name) for name in _HELD.split() if hasattr(value, name)]


def _is_own(thing: Any) -> bool:
    """Say whether a class, function or module is the user's own, of no version that is known."""
    name = getattr(thing, "__module__", None) or thing.__name__
    # A function that wraps another says that it is of the other's module.
    name = str(getattr(thing, "__globals__", {}).get("__name__", name))
    file = getattr(sys.modules.get(name), "__file__", None)
    package = name.partition(".")[0]
    if file is None or package in _PACKAGES:
        return package not in sys.stdlib_module_names | _PACKAGES
    return not (_INSTALLED & {*Path(file).parts} or Path(file).is_relative_to(_LIBRARY))


_PLAIN = int | float | complex | str | bytes | None

_METHODS: Any = FunctionType | classmethod | staticmethod | property


def _tell(value: Any, seen: dict[int, Any]) -> Iterator[str]:
    """Tell what a value is by content, the same in every process; of what is installed the name.

    ``seen`` holds what was told, so that no other value gets its id. Tuples may be told again:
    which of them are one object depends on whether the code was compiled or read.
    """
    if isinstance(value, _PLAIN):
        yield repr(value)
        return
    if not isinstance(value, tuple | frozenset):
        if id(value) in seen:
            return
        seen[id(value)] = value
    name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
    yield f"{type(value).__qualname__} {name}"
    own = isinstance(value, type | FunctionType) and _is_own(value)
    within: Iterable[Any] = ()
    if isinstance(value, FunctionType) and own:
        cells = [one.cell_contents for one in value.__closure__ or () if one != CellType()]
        steps = _steps(value.__code__, value.__globals__)
        within = (value.__defaults__, value.__kwdefaults__, *cells, *steps)
    elif isinstance(value, type):
        members = [("", value.__bases__), *sorted(vars(value).items())] if own else []
        within = [(n, one) for n, one in members if isinstance(one, _METHODS) or n[:2] != "__"]
    elif hasattr(value, "dtype") or hasattr(value, "iloc") or isinstance(value, re.Pattern):
        yield describe(value)
    else:
        holds = _is_own(type(value)) or isinstance(value, SimpleNamespace)
        state = sorted(getattr(value, "__dict__", {}).items()) if holds else ()
        within = (type(value), *_inside(value), *state)
    for one in within:
        yield from _tell(one, seen)


def _steps(code: CodeType, at: dict[str, Any]) -> Iterator[Any]:
    """Give what code does, without line numbers, and the values that it names of its module."""
    yield code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], code.co_exceptiontable
    for step in dis.get_instructions(code):
        yield step.opname
        inner = isinstance(step.argval, CodeType)
        yield from _steps(step.argval, at) if inner else [step.argval]
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and not step.argval.startswith("__"):
            named = at.get(step.argval)
            module = vars(named) if isinstance(named, ModuleType) and _is_own(named) else None
            used = [named] if module is None else [module.get(name) for name in code.co_names]
            # Where a file is does not matter.
            yield from (one for one in used if not (isinstance(one, str) and os.path.isabs(one)))
