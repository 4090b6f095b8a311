"""A worker process: batches of trials in, their outcomes out, until its driver is gone.

It is a program of its own and not a ``multiprocessing`` one: that would run the user's script
again in every worker, and may not be used inside a Dask worker. Trials come by standard input and
outcomes go by standard output; what a candidate prints goes to standard error. Some shared memory,
the board, tells the driver which trial is running even when the process is no more.
"""

from __future__ import annotations

import mmap
import os
import pickle
import sys
import threading
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version
from queue import SimpleQueue
from typing import Any, BinaryIO, NamedTuple, NoReturn

from polychotomy._version import __version__
from polychotomy.exceptions import StudyError
from polychotomy.study.limits import Limits, limit_memory, volunteer
from polychotomy.study.trials import Outcome, TrialKey
from polychotomy.study.user_module import UserSource, load_all, loaded_sources
from polychotomy.study.work import Work
from polychotomy.study.workbench import Workbench


class Setup(NamedTuple):
    """All that a worker gets once."""

    sources: tuple[UserSource, ...]  # loaded first: what was pickled may refer to them
    work: bytes
    limits: Limits
    n_classes: dict[str, int]  # of every data set
    versions: dict[str, str]  # that a worker, on whatever machine, must have too


class Answer(NamedTuple):
    """Outcomes of a batch, in its order; fewer than asked for where the worker stopped early.

    They travel as plain tuples, which costs a tenth.
    """

    rows: list[tuple[Any, ...]]

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Answer:
        """Make an answer of outcomes."""
        return cls(list(map(tuple, outcomes)))

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes."""
        return list(map(Outcome._make, self.rows))


class Ready(NamedTuple):
    """The worker has all it needs."""


class Refused(NamedTuple):
    """The worker cannot use what it was given."""

    reason: str


def pack(work: Work, limits: Limits) -> Setup:
    """Make a work ready to be sent.

    Classes of the user's script or notebook are sent whole, since no worker runs it again.
    """
    cloudpickle = import_module("cloudpickle")  # joblib's and skrub's, without types of its own
    n_classes = {name: len(data.target.classes) for name, data in work.datasets.items()}
    return Setup(loaded_sources(), cloudpickle.dumps(work), limits, n_classes, versions())


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


class Board:
    """Two numbers that a driver and its worker both see: trials started, and whether to stop.

    Parameters
    ----------
    memory : mmap
        Shared by both processes, and gone with them.
    """

    SIZE = 16

    def __init__(self, memory: mmap.mmap) -> None:
        self._cells = memoryview(memory).cast("q")

    @property
    def started(self) -> int:
        """Trials that the worker has begun."""
        return self._cells[0]

    def begin(self) -> bool:
        """Note that the worker begins another trial, unless it should stop; say which."""
        if self._cells[1]:
            return False
        self._cells[0] += 1
        return True

    @property
    def stop(self) -> bool:
        """Whether the worker should end its batch after the trial at hand."""
        return bool(self._cells[1])

    @stop.setter
    def stop(self, value: bool) -> None:
        self._cells[1] = value


def main() -> None:
    """Serve the driver at the other end of standard input and output.

    As ``worker BOARD`` this process runs trials; as ``nest SOCKET`` it starts processes that do.
    """
    inbox, outbox = _take_over_pipes()
    kind, name = sys.argv[1:]
    setup: Setup = pickle.load(inbox)
    try:
        bench = _prepare(setup)
    except Exception as error:  # whatever the import of a user's class raises
        send(outbox, Refused(f"{type(error).__name__}: {error}"))
        return
    if kind == "worker":
        serve(bench, setup.limits, inbox, outbox, Board(_shared_memory(name)))
    else:
        from polychotomy.study.nest import keep_nest

        keep_nest(bench, setup.limits, outbox, int(name))


def serve(
    bench: Workbench, limits: Limits, inbox: BinaryIO, outbox: BinaryIO, board: Board
) -> NoReturn:
    """Run batch after batch, until the driver is gone."""
    batches: SimpleQueue[list[TrialKey]] = SimpleQueue()
    threading.Thread(target=_listen, args=(inbox, batches), daemon=True).start()
    volunteer()
    if limits.memory is not None:
        limit_memory(limits.memory)
    send(outbox, Ready())
    while True:
        send(outbox, Answer.of(bench.run_all(batches.get(), board.begin)))


def _prepare(setup: Setup) -> Workbench:
    here = versions()
    for name, expected in setup.versions.items():
        if here[name] != expected:
            raise StudyError(f"it has {name} {here[name]}, and the driver has {expected}")
    load_all(setup.sources)
    return Workbench(pickle.loads(setup.work))


def _listen(inbox: BinaryIO, batches: SimpleQueue[list[TrialKey]]) -> None:
    """Take batches; when the driver closes the pipe or dies, end at once, in the middle of a fit.

    What was finished has been sent; nobody waits for the rest.
    """
    while True:
        try:
            batches.put(pickle.load(inbox))
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)


def send(outbox: BinaryIO, message: Any) -> None:
    """Send a message to the driver."""
    try:
        pickle.dump(message, outbox, protocol=pickle.HIGHEST_PROTOCOL)
        outbox.flush()
    except OSError:  # the driver is gone
        os._exit(0)


def _shared_memory(name: str) -> mmap.mmap:
    """Open the memory that the driver has made, by the number of its file or by its name."""
    if sys.platform == "win32":
        return mmap.mmap(-1, Board.SIZE, tagname=name)
    return mmap.mmap(int(name), Board.SIZE)


def _take_over_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes for ourselves; give candidates an empty input and standard error."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    sys.stdout.flush()
    os.dup2(2, 1)
    return inbox, outbox
