"""A Python file of the user's own, whose classes worker processes must find again."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from polychotomy.exceptions import InvalidInput

_PREFIX = "polychotomy_user_"


def load_module(path: Path) -> ModuleType:
    """Run a Python file as a module whose name depends on its content.

    The same file has the same name in every process, so that what one pickles, another can read.
    """
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error.strerror}.") from error
    name = f"{_PREFIX}{hashlib.sha256(source).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InvalidInput(f"{path.name!r} is not a Python file; expected a name that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise InvalidInput(
            f"{path.name!r} cannot be run: {type(error).__name__}: {error}."
        ) from error
    return module


def loaded_files() -> tuple[Path, ...]:
    """Return the files loaded so far, for workers to load before they unpickle anything."""
    return tuple(
        Path(str(module.__file__))
        for name, module in list(sys.modules.items())
        if name.startswith(_PREFIX) and module.__file__
    )


def load_all(paths: Iterable[Path]) -> None:
    """Load files that another process has loaded."""
    for path in paths:
        load_module(path)
