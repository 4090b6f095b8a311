"""The fork server: a program that has loaded the libraries, and copies itself for every worker.

A fresh Python takes a second or two to import the libraries, a copy of one that has them some
milliseconds. So every candidate can have processes of its own. Three kinds of process, none of
which ever runs a candidate's code, stand between the driver and a fit (Linux only):

    driver ── fork server ── study server ── guardian ── worker
              libraries      data            one for each worker

Why not the standard library's fork server: it imports the user's ``__main__`` again in every
worker, and may not be used inside a Dask worker.

A guardian adopts every process that its worker has started, however these try to leave (the
kernel's *child subreaper*). When the worker has ended, was told to end, or the driver is gone, it
ends them all, and only then says how the worker has ended. What a worker prints goes to the
guardian, which keeps the end of it.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import json
import os
import pickle
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from polychotomy.study.fitting.causes import say
from polychotomy.study.fitting.work import Work
from polychotomy.study.workers.protocol import Setup, cannot_load
from polychotomy.study.workers.worker import load_work, preload, serve

_DIE_WITH_PARENT, _ADOPT_ORPHANS = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER

# Names as the kernel cuts them. The first comes with pyarrow, and prepares itself for being copied.
# The other sleeps until polars, which skrub imports where it is installed, spills to the disk.
_HARMLESS = {"jemalloc_bg_thd", "polars-ooc-clea"}

_TAIL = 4096  # bytes that are kept of what a worker prints

_REQUEST = 1 << 16  # bytes

_GRACE, _PATIENCE = 0.3, 1.0  # seconds that a worker's children get to end, and guardians

_GRACE_TICK = 0.01  # between looks at them


class NoFork(Exception):
    """Threads of a library forbid to copy this process: there will be no workers from here."""


def main() -> None:
    """Serve the driver at the other end of a socket, whose number is the first argument."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    _fork_on_request(requests, allowed=_may_serve_study, child=_serve_study, ended=_remove_folder)


def _fork_on_request(
    requests: socket.socket,
    *,
    allowed: Callable[[bytes, list[int]], bool],
    child: Callable[[list[int]], None],
    ended: Callable[[bytes], None],
) -> NoReturn:
    """Copy this process for every request, until the other end of the socket is gone.

    Parameters
    ----------
    allowed : callable
        Gets a request and its open files; says whether to make a copy.
    child : callable
        What the copy does with the open files.
    ended : callable
        Gets the request of a copy that has ended.
    """
    _adopt_orphans()
    children: dict[int, tuple[int, bytes]] = {}  # pidfd: process and request
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    while True:
        for ready, _ in poll.poll():
            if ready in children:
                poll.unregister(ready)
                os.close(ready)
                pid, message = children.pop(ready)
                os.waitpid(pid, 0)
                end_family(spare={one for one, _ in children.values()})  # its orphans
                ended(message)
                continue
            message, files, _, _ = socket.recv_fds(requests, _REQUEST, 8)
            if not message:
                end_family(patience=_PATIENCE)
                for _, message in children.values():
                    ended(message)
                os._exit(0)
            copied = _fork() if allowed(message, files) else 0
            if copied is None:
                requests.close()
                try:
                    child(files)
                finally:
                    os._exit(1)
            for file in files:
                os.close(file)
            if copied:
                handle = os.pidfd_open(copied)
                children[handle] = copied, message
                poll.register(handle, select.POLLIN)


def _fork() -> int | None:
    """Copy this process; return None in the copy, and 0 where the system allows no more."""
    parent = os.getpid()
    try:
        pid = os.fork()
    except OSError:
        return 0
    if pid:
        return pid
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # it has died before that
        os._exit(1)
    return None


def _adopt_orphans() -> None:
    ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1)


def end_family(spare: set[int] | frozenset[int] = frozenset(), *, patience: float = 0.0) -> None:
    """End all processes that come from this one, except some children and what comes from them.

    What a process leaves behind when it ends becomes a child of this one, so that the next look
    finds it.

    Parameters
    ----------
    patience : float
        Seconds for which they are only asked to end: the helpers of multiprocessing and loky then
        remove their semaphores, and end when the others have.
    """
    end = time.monotonic() + patience
    while found := _children() - spare:
        late = time.monotonic() >= end
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
        if not late:
            time.sleep(_GRACE_TICK)
        for pid in found:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0 if late else os.WNOHANG)


def _children() -> set[int]:
    """Return the processes whose parent is this one."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return set()
    found, own = set(), os.getpid()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                stat = Path(entry.path, "stat").read_bytes()
                if int(stat.rpartition(b")")[2].split()[1]) == own:
                    found.add(int(entry.name))
    return found


def has_threads() -> bool:
    """Say whether this process has threads that make copying it unsafe."""
    names = [path.read_text().strip() for path in Path("/proc/self/task").glob("[0-9]*/comm")]
    return len([name for name in names if name not in _HARMLESS]) > 1


def _may_serve_study(message: bytes, files: list[int]) -> bool:
    preload(tuple(json.loads(message)["modules"]))
    if not files or not has_threads():
        return bool(files)
    with socket.socket(fileno=os.dup(files[0])) as replies:
        replies.send(pickle.dumps(NoFork()))
    return False


def _remove_folder(message: bytes) -> None:
    shutil.rmtree(json.loads(message)["folder"], ignore_errors=True)


def _serve_study(files: list[int]) -> None:
    """Load the data of a study, and copy this process for every worker that it needs."""
    requests = socket.socket(fileno=files[0])
    try:
        with os.fdopen(files[1], "rb") as pipe:
            setup: Setup = pickle.load(pipe)
            work = load_work(setup, pipe)
    except Exception as error:
        requests.send(pickle.dumps(cannot_load(say(type(error), error))))
        return
    if has_threads():
        requests.send(pickle.dumps(NoFork()))
        return
    gc.freeze()  # a collection in a copy would write on, and so copy, all that is shared
    requests.send(pickle.dumps(os.getpid()))
    _fork_on_request(
        requests, allowed=lambda message, files: True, ended=lambda message: None,
        child=lambda files: _guard(work, setup, files),
    )  # fmt: skip


def _guard(work: Work, setup: Setup, files: list[int]) -> None:
    """Start a worker, end its family when it has ended or should end, and say how it went."""
    control, (inbox, outbox) = socket.socket(fileno=files[0]), files[1:]
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it ends when its work is done
    _adopt_orphans()
    reading, writing = os.pipe()
    pid = _fork()
    if pid is None:
        control.close()
        os.close(reading)
        _be_worker(work, setup, inbox, outbox, writing)
    for file in (inbox, outbox, writing):
        os.close(file)
    if pid == 0:
        return
    printed = _watch(control, reading, pid)
    _, status = os.waitpid(pid, 0)
    end_family(patience=_GRACE)
    os.set_blocking(reading, False)
    with suppress(OSError):
        while more := os.read(reading, 1 << 16):
            printed = (printed + more)[-_TAIL:]
    with suppress(OSError):  # the driver is gone
        control.send(pickle.dumps((os.waitstatus_to_exitcode(status), printed)))


def _be_worker(work: Work, setup: Setup, inbox: int, outbox: int, printing: int) -> NoReturn:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in ((0, nothing), (1, printing), (2, printing)):
        os.dup2(file, number)
    os.close(printing)
    faulthandler.enable()  # a crash says where it was, in what is printed last
    pipe = os.fdopen(inbox, "rb")
    serve(work, setup.limits, pickle.load(pipe), lambda: pickle.load(pipe), os.fdopen(outbox, "wb"))


def _watch(control: socket.socket, reading: int, pid: int) -> bytes:
    """Wait until a worker ends; end it when the driver says so, or is gone. Return its last words.

    The driver says so by closing its side of the connection.
    """
    printed = b""
    ending, poll = os.pidfd_open(pid), select.poll()
    for file in (control.fileno(), reading, ending):
        poll.register(file, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        if ending in ready:
            return printed
        if reading in ready:
            more = os.read(reading, 1 << 16)
            printed = (printed + more)[-_TAIL:]
            if not more:  # it has closed its output
                poll.unregister(reading)
        if control.fileno() in ready:
            poll.unregister(control)
            os.kill(pid, signal.SIGKILL)
