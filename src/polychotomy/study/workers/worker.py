"""A worker process: batches of trials in, their outcomes out, until its driver is gone.

It is a program of its own and not a ``multiprocessing`` one: that would run the user's script
again in every worker, and may not be used inside a Dask worker. Trials come by standard input and
outcomes go by standard output; what a candidate prints goes to standard error. Some shared memory,
the board, tells the driver which trial is running even when the process is no more.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import pickle
import selectors
import signal
import socket
import sys
import threading
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, NamedTuple, NoReturn

from polychotomy._version import __version__
from polychotomy.core.exceptions import StudyError
from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.limits import Limits, limit_memory, volunteer
from polychotomy.study.fitting.user_module import UserSource, load_all, loaded_sources
from polychotomy.study.fitting.work import Work
from polychotomy.study.fitting.workbench import Workbench


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


_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG

_HARMLESS = {"jemalloc_bg_thd"}  # comes with pyarrow, and prepares itself for being copied


class Hatched(NamedTuple):
    """A worker has been started."""

    number: int
    pid: int


class Ended(NamedTuple):
    """A worker has ended."""

    number: int
    returncode: int


class Declined(NamedTuple):
    """Threads of a library forbid to copy this process."""


def keep_nest(bench: Workbench, limits: Limits, outbox: BinaryIO, handle: int) -> NoReturn:
    """Start a worker for every request, and tell how each has ended, until the driver is gone.

    Parameters
    ----------
    handle : int
        Of a socket. A request is a number, with the files of two pipes and a board.
    """
    if has_threads():
        send(outbox, Declined())
        os._exit(0)
    gc.freeze()  # a collection in a copy would write on, and so copy, all that is shared
    requests = socket.socket(fileno=handle)
    selector = selectors.DefaultSelector()
    selector.register(requests, selectors.EVENT_READ)
    while True:
        for ready, _ in selector.select():
            if ready.data is not None:
                number, pid = ready.data
                _, status = os.waitpid(pid, 0)
                selector.unregister(ready.fd)
                os.close(ready.fd)
                send(outbox, Ended(number, os.waitstatus_to_exitcode(status)))
                continue
            number, files = _receive(requests)
            pid = os.fork()
            if pid == 0:
                selector.close()
                requests.close()
                outbox.close()
                _hatch(bench, limits, files)
            for file in files:
                os.close(file)
            selector.register(os.pidfd_open(pid), selectors.EVENT_READ, data=(number, pid))
            send(outbox, Hatched(number, pid))


def has_threads() -> bool:
    """Say whether this process has threads that make copying it unsafe."""
    names = [path.read_text().strip() for path in Path("/proc/self/task").glob("[0-9]*/comm")]
    return len([name for name in names if name not in _HARMLESS]) > 1


def _receive(requests: socket.socket) -> tuple[int, list[int]]:
    message, files, _, _ = socket.recv_fds(requests, 64, 3)
    if not message:
        os._exit(0)  # the driver is gone; workers notice it by themselves
    return int(message), files


def _hatch(bench: Workbench, limits: Limits, files: list[int]) -> NoReturn:
    """Be a worker."""
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    inbox, outbox, board = files
    memory = mmap.mmap(board, Board.SIZE)
    serve(bench, limits, os.fdopen(inbox, "rb"), os.fdopen(outbox, "wb"), Board(memory))
