"""A Python file of the user's own, whose classes worker processes must find again."""

from __future__ import annotations

import hashlib
import importlib.util
import linecache
import sys
from collections.abc import Iterable
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from pathlib import Path
from traceback import walk_tb
from types import CodeType, ModuleType
from typing import NamedTuple

from polychotomy.core.exceptions import InvalidInput

PREFIX = "polychotomy_user_"


class UserSource(NamedTuple):
    """A user's file as it was when it was loaded: the same on a machine that does not have it."""

    path: str
    source: bytes

    @property
    def name(self) -> str:
        """The module's name, which depends on the content alone."""
        return f"{PREFIX}{hashlib.sha256(self.source).hexdigest()[:16]}"


class _SourceLoader(InspectLoader):
    """Runs a source that is already in hand."""

    def __init__(self, source: UserSource) -> None:
        self.user_source = source

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self.user_source.source)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.user_source.source, self.user_source.path, "exec", dont_inherit=True)


def load_module(path: Path) -> ModuleType:
    """Run a Python file as a module whose name depends on its content.

    The same file has the same name in every process, so that what one pickles, another can read.
    """
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error.strerror}.") from error
    if path.suffix != ".py":
        raise InvalidInput(f"{path.name!r} is not a Python file; expected a name that ends in .py.")
    return load_source(UserSource(str(path), source))


def load_source(user: UserSource) -> ModuleType:
    """Run a user's source as a module, once in a process.

    It may import modules that lie beside it, as by ``python FILE.py``; last, so that none of them
    stands for an installed one.
    """
    if user.name in sys.modules:
        return sys.modules[user.name]
    folder = str(Path(user.path).absolute().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    loader = _SourceLoader(user)
    spec = ModuleSpec(user.name, loader, origin=user.path)
    spec.has_location = True  # gives the module its __file__
    module = importlib.util.module_from_spec(spec)
    sys.modules[user.name] = module
    try:
        loader.exec_module(module)
    except Exception as error:
        del sys.modules[user.name]
        # The line of the user's file that failed; a syntax error names its own.
        frames = walk_tb(error.__traceback__)
        lines = [line for frame, line in frames if frame.f_code.co_filename == user.path]
        where = f" (line {lines[-1]})" if lines else ""
        raise InvalidInput(
            f"{Path(user.path).name!r} cannot be run: {type(error).__name__}: "
            f"{str(error).rstrip('.')}{where}."
        ) from error
    # Tracebacks show the lines that ran, not those of a file that has changed or is elsewhere.
    text = loader.get_source(user.name).splitlines(keepends=True)
    linecache.cache[user.path] = (len(user.source), None, text, user.path)
    return module


def loaded_sources() -> tuple[UserSource, ...]:
    """Return the sources loaded so far, for workers to load before they unpickle anything."""
    loaders = [
        getattr(module.__spec__, "loader", None)
        for name, module in list(sys.modules.items())
        if name.startswith(PREFIX)
    ]
    return tuple(loader.user_source for loader in loaders if isinstance(loader, _SourceLoader))


def load_all(sources: Iterable[UserSource]) -> None:
    """Load what another process has loaded."""
    for source in sources:
        load_source(source)
