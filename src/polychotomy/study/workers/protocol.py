"""What a driver and its worker processes say to each other.

Messages are pickles. Those that come from a candidate's process are read without letting
them name any class: whatever a candidate writes into the pipe, the driver runs none of it.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from polychotomy._version import __version__
from polychotomy.core.exceptions import InvalidInput, StudyError
from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.trials import Sizes
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.fitting.prepare import plan_preparations
from polychotomy.study.fitting.user_module import UserSource, loaded_sources
from polychotomy.study.fitting.work import Work

_PREPARES = "\0preparation "  # begins the names of preparations; no candidate can have such a name

# Packages that may be imported before it is known for which candidate. Anything else (the user's
# own files above all) might change others when it is imported, so it is imported by the processes
# of the candidates that need it.
_SAFE = ("numpy", "pandas", "polychotomy", "scipy", "sklearn", "skrub")

_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR")

# Of every worker: one thread for linear algebra, and no memory taken but what is used.
ENVIRONMENT = {f"{one}_NUM_THREADS": "1" for one in _LIBRARIES} | {
    "VECLIB_MAXIMUM_THREADS": "1",
    # Arrow's own allocator reserves a GiB at its first use: all that a limit of 1 GiB allows.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}


class Unit(NamedTuple):
    """What has worker processes of its own: a candidate, or the first steps that some share."""

    name: str
    content: bytes  # pickled: the classifier, or a Preparation
    sources: tuple[UserSource, ...]  # the user's files that it refers to
    parent: str | None  # the unit that prepares its data
    n_shared: int  # steps that its parents fit

    @property
    def prepares(self) -> bool:
        """Whether it prepares data for others."""
        return self.name.startswith(_PREPARES)


class Surroundings(NamedTuple):
    """What a worker has in common with its driver besides the work."""

    folder: str
    path: tuple[str, ...]  # of imports
    environment: dict[str, str]


class Setup(NamedTuple):
    """All that the workers of a study get: first what all of them need, then a unit each."""

    work: bytes  # pickled, without candidates and data
    data: dict[str, Dataset | bytes]  # pickled where they only pass through
    units: dict[str, Unit]
    limits: Limits
    versions: dict[str, str]  # that a worker, on whatever machine, must have too
    modules: tuple[str, ...]  # to import before any copy is made of a process
    sizes: Sizes  # of what trials predict
    surroundings: Surroundings | None  # None on another machine


def require_picklable(candidates: Mapping[str, Any]) -> None:
    """Refuse, before the first fit, a candidate that no worker could receive."""
    dumps = import_module("cloudpickle").dumps
    for name, candidate in candidates.items():
        try:
            dumps(candidate)
        except Exception as error:  # pickle raises whatever the object's own methods do
            raise InvalidInput(
                f"the candidate {name!r} cannot be sent to a worker process: {error}. Every fit "
                "is made in one; leave out of its parameters what belongs to this process alone, "
                "such as open files and locks."
            ) from error


def pack(work: Work, limits: Limits) -> Setup:
    """Make a work ready to be sent.

    Classes of the user's script or notebook are sent whole, since no worker runs it again.
    """
    dumps = import_module("cloudpickle").dumps  # joblib's and skrub's, without types of its own
    sources = loaded_sources()

    def unit(name: str, what: Any, parent: int | None, n_shared: int) -> Unit:
        content = dumps(what)
        needed = tuple(source for source in sources if source.name.encode() in content)
        above = None if parent is None else f"{_PREPARES}{parent}"
        return Unit(name, content, needed, above, n_shared)

    path = tuple(os.path.abspath(one) for one in sys.path)
    preparations, chosen, n_shared = plan_preparations(work.candidates)
    units = [
        unit(f"{_PREPARES}{number}", one, one.parent, one.start)
        for number, one in enumerate(preparations)
    ] + [
        unit(name, one, chosen.get(name), n_shared.get(name, 0))
        for name, one in work.candidates.items()
    ]
    return Setup(
        work=dumps(replace(work, candidates={}, datasets={})), data=dict(work.datasets),
        units={one.name: one for one in units}, limits=limits, versions=versions(),
        modules=_modules(work), sizes=work.sizes(),
        surroundings=Surroundings(os.getcwd(), path, dict(os.environ) | ENVIRONMENT),
    )  # fmt: skip


def _modules(work: Work) -> tuple[str, ...]:
    """Return the modules of well-known packages that candidates and data are made of."""
    parts: list[Any] = [data.X for data in work.datasets.values()]
    kinds = [kind for X in parts for kind in getattr(X, "dtypes", [getattr(X, "dtype", None)])]
    for candidate in work.candidates.values():
        parts += [candidate, *candidate.get_params(deep=True).values()]
    found = {type(part).__module__ for part in parts}
    if not all(isinstance(kind, np.dtype) and kind.kind in "iuf" for kind in kinds):
        found |= {getattr(type(part), "made_with", "numpy") for part in parts}
    return tuple(sorted(name for name in found if name.split(".")[0] in _SAFE))


def versions() -> dict[str, str]:
    """Return the versions on which predictions depend whatever the candidates.

    Examples
    --------
    >>> list(versions())
    ['Python', 'polychotomy', 'numpy', 'scipy', 'scikit-learn']
    """
    found = {name: version(name) for name in ("numpy", "scipy", "scikit-learn")}
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {"Python": python, "polychotomy": __version__} | found


def require_versions(expected: dict[str, str]) -> None:
    """Refuse to work with other versions than the driver's."""
    here = versions()
    wrong = [name for name in expected if here.get(name) != expected[name]]
    if wrong:
        found, wanted = (
            ", ".join(f"{name} {one.get(name)}" for name in wrong) for one in (here, expected)
        )
        raise StudyError(f"it has {found}, and the driver has {wanted}")


class Ready(NamedTuple):
    """A process has all it needs."""


class Refused(NamedTuple):
    """A process cannot use what it was given."""

    reason: str
    everywhere: bool  # whether the reason is the process's surroundings and not the candidate


def cannot_load(reason: str) -> StudyError:
    """Return the error of a process that cannot use what all processes are given."""
    return StudyError(
        f"a worker process cannot load the candidates and the data: {reason}. "
        "Expected the same Python packages in every worker."
    )


class Answer(NamedTuple):
    """Outcomes of a batch, in its order; fewer than asked for where the worker stopped early.

    They are without their keys and numbers of classes, which the driver knows.
    """

    rows: list[tuple[Any, ...]]


_MESSAGES = {kind.__name__: kind for kind in (Ready, Refused, Answer)}

Message = Ready | Refused | Answer


def send(pipe: IO[bytes], message: Any) -> None:
    """Send anything that can be pickled."""
    if type(message).__name__ in _MESSAGES:
        message = (type(message).__name__, tuple(message))  # by name, for ``receive_plain``
    pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def send_setup(pipe: IO[bytes], setup: Setup) -> None:
    """Send what workers get; pickle writes arrays from where they are, without a copy.

    The data come last, since it takes the rest to read them: see ``load_work``.
    """
    for part in (setup._replace(data={}), setup.data):
        import_module("cloudpickle").dump(part, pipe, protocol=5)
    pipe.flush()


def receive_plain(pipe: IO[bytes]) -> Message:
    """Return the next message of one that is not trusted; EOFError where there is none."""
    try:
        name, values = _PlainUnpickler(pipe).load()
        message: Message = _MESSAGES[name](*values)
    except EOFError:
        raise
    except Exception as error:  # whatever stands in the pipe
        raise Garbled(str(error)) from error
    return message


class Garbled(EOFError):
    """What came is no message, and so nothing that comes after it is."""


class _PlainUnpickler(pickle.Unpickler):
    """Reads numbers, text, bytes and containers of these."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is not plain")


class Board:
    """Numbers that a driver and its worker both see: trials started, whether to stop, the parent.

    They tell the driver which trial was running even when the process is no more.

    Parameters
    ----------
    path : path
        Of a file that both map into their memory.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("r+b", buffering=0)
        self._cells = memoryview(mmap.mmap(self._file.fileno(), 0)).cast("q")

    def __del__(self) -> None:
        self._file.close()

    @classmethod
    def make(cls, path: Path) -> Board:
        """Return a new board at a path; its folder may have been removed by a candidate."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(24))
        return cls(path)

    @property
    def started(self) -> int:
        """Trials that the worker has begun.

        The driver reads the file: a candidate may have cut it short, and whoever then looks at it
        in memory is ended by SIGBUS. (On Windows a file that is mapped cannot be cut.)
        """
        if sys.platform == "win32":
            return self._cells[0]
        return int.from_bytes(os.pread(self._file.fileno(), 8, 0), sys.byteorder)

    def begin(self) -> bool:
        """Note that the worker begins another trial, unless it should stop; say which."""
        if self._cells[1]:
            return False
        self._cells[0] += 1
        self._cells[2] = os.getppid()
        return True

    def wake_parent(self) -> None:
        """Let the worker's parent go on, which a candidate may have stopped: it has to end it."""
        if sys.platform == "linux":
            parent = int.from_bytes(os.pread(self._file.fileno(), 8, 16), sys.byteorder)
            with suppress(OSError, OverflowError):
                os.kill(parent or os.getpid(), signal.SIGCONT)

    def stop(self) -> None:
        """Let the worker end its batch after the trial at hand."""
        self._file.seek(8)
        self._file.write(b"\1")
