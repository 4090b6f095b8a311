"""A Python file of the user's own, whose classes worker processes must find again."""

from __future__ import annotations

import hashlib
import importlib.util
import linecache
import sys
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
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


_loaded: dict[str, UserSource] = {}  # in this process, by the names of their modules


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
    module = sys.modules[user.name] = ModuleType(user.name)
    module.__file__ = user.path
    try:
        lines_run = importlib.util.decode_source(user.source).splitlines(keepends=True)
        code = compile(user.source, user.path, "exec", dont_inherit=True)
        exec(code, vars(module))
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
    linecache.cache[user.path] = (len(user.source), None, lines_run, user.path)
    _loaded[user.name] = user
    return module


def load_beside(path: Path) -> list[str]:
    """Run a user's file; return the names of its module and of all loaded that lie beside it."""
    own, folder = load_module(path).__name__, path.absolute().parent
    files = {name: getattr(one, "__file__", None) or "" for name, one in [*sys.modules.items()]}
    return [own, *({one for one, at in files.items() if Path(at).parent == folder} - {*_loaded})]


def loaded_sources() -> tuple[UserSource, ...]:
    """Return the sources loaded so far, for workers to load before they unpickle anything."""
    return tuple(_loaded.values())
