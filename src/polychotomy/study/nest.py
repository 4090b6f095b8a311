"""A nest: a process that has loaded everything, and of which workers are copies (Linux).

Loading scikit-learn and the data takes a second or two, a copy (``fork``) some milliseconds. So a
pool loads them once, whatever the number of workers, replaces at once a worker that a candidate has
ended, and has the data in memory once as long as nobody writes on them. A nest fits nothing and has
one thread only, since a copy might inherit locks that nobody will open; where a library has
started threads of its own, it declines, and every worker loads for itself.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import selectors
import signal
import socket
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

from polychotomy.study.limits import Limits
from polychotomy.study.workbench import Workbench
from polychotomy.study.worker import Board, send, serve

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
