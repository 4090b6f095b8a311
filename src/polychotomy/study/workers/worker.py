"""A worker process: it serves one unit, a candidate or a preparation, and nobody else.

Batches of trials come in by a pipe, outcomes go out by another, until the driver closes the first.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, NamedTuple, NoReturn

from polychotomy.study.design.trials import (
    Outcome,
    TrialKey,
    fail,
    ran_out_of_memory,
    training_set,
)
from polychotomy.study.fitting.causes import say
from polychotomy.study.fitting.fit import fail_with
from polychotomy.study.fitting.limits import Limits, limit_memory, volunteer
from polychotomy.study.fitting.prepare import (
    Preparation,
    Prepared,
    read_prepared,
    without_steps,
    write_prepared,
)
from polychotomy.study.fitting.seeding import with_one_job
from polychotomy.study.fitting.user_module import load_source
from polychotomy.study.fitting.work import Work
from polychotomy.study.workers import protocol


class Assignment(NamedTuple):
    """What one worker process is for."""

    unit: protocol.Unit
    board: Path
    tables: Path  # folder of prepared data


def table_path(folder: Path, unit: str, key: TrialKey) -> Path:
    """Return where a preparation writes the data of a trial's training set."""
    name = sha256(repr((unit, training_set(key))).encode()).hexdigest()[:24]
    return folder / name


def serve(
    work: Work,
    limits: Limits,
    assigned: Assignment,
    next_batch: Callable[[], list[TrialKey]],
    outbox: IO[bytes],
) -> NoReturn:
    """Do what was assigned; ``next_batch`` raises EOFError when there will be no more."""
    process = os.getpid()
    # An own Ctrl-C of the candidate's is an error of its; where SIGINT is inherited as ignored
    # (nohup), Python would not make one of it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    volunteer()
    try:
        run = _load(work, assigned)
    except BaseException as error:  # whatever loading the candidate raises
        everywhere = isinstance(error, ImportError)
        _send_or_end(process, outbox, protocol.Refused(say(type(error), error), everywhere))
        os._exit(0)
    board = protocol.Board(assigned.board)
    if limits.memory is not None:
        limit_memory(limits.memory)
    _send_or_end(process, outbox, protocol.Ready())
    while True:
        try:
            batch = next_batch()
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)
        rows: list[tuple[Any, ...]] = []
        for key in batch:
            if not board.begin():
                break
            outcome = run(key)
            rows.append(outcome[len(key) : -1])
            if ran_out_of_memory(outcome):
                break  # what the trial has left behind may be the next one's undoing
        _send_or_end(process, outbox, protocol.Answer(rows))


def _send_or_end(process: int, outbox: IO[bytes], message: Any) -> None:
    """Send a message, unless this is a copy that a candidate has made of its process."""
    try:
        if os.getpid() == process:
            protocol.send(outbox, message)
            return
    except OSError:  # the driver is gone, or the candidate has closed our files
        pass
    os._exit(1)


def _load(work: Work, assigned: Assignment) -> Callable[[TrialKey], Outcome]:
    """Return what runs a trial of the unit."""
    unit = assigned.unit
    for source in unit.sources:
        load_source(source)
    content = pickle.loads(unit.content)
    if unit.prepares:
        return lambda key: _prepare(work, content, assigned, key)
    with suppress(Exception):  # of a candidate that has none, or takes none: a trial says more
        content = with_one_job(content)
    rest = without_steps(content, unit.n_shared)

    def run(key: TrialKey) -> Outcome:
        start = time.perf_counter()
        try:
            prepared = _find_table(assigned, key)
            candidate = content if prepared is None else rest
            return work.run(key, candidate=candidate, prepared=prepared)
        except BaseException as error:  # what a candidate has done to this process may end here
            return fail_with(key, error, time.perf_counter() - start)

    return run


def _prepare(work: Work, preparation: Preparation, assigned: Assignment, key: TrialKey) -> Outcome:
    """Prepare the data of a training set; the answer has the seconds, and the bytes as a size.

    Candidates for whom it failed find no file and fit all of their steps themselves, and so the
    cause that is recorded is the one that each of them would have met alone.
    """
    process, start = os.getpid(), time.perf_counter()
    size = 0
    try:
        before = _find_table(assigned, key)
        if before is not None or preparation.start == 0:
            prepared = work.prepare(key, preparation, before)
            if os.getpid() == process:
                path = table_path(assigned.tables, assigned.unit.name, key)
                size = write_prepared(path, prepared)
    except BaseException:
        pass
    finally:
        if os.getpid() != process:
            os._exit(1)
    seconds = time.perf_counter() - start
    return fail(key, status="failed", cause="", details="", seconds=seconds)._replace(
        model_bytes=size
    )


def _find_table(assigned: Assignment, key: TrialKey) -> Prepared | None:
    """Return what was prepared for a unit; None where nothing was."""
    if assigned.unit.parent is None:
        return None
    try:
        return read_prepared(table_path(assigned.tables, assigned.unit.parent, key))
    except Exception:  # it failed, or somebody has harmed the file
        return None


def load_work(setup: protocol.Setup, pipe: IO[bytes]) -> Work:
    """Import and read all that does not depend on a candidate, the data from a pipe."""
    protocol.require_versions(setup.versions)
    if setup.surroundings is not None:
        _settle(setup.surroundings)
    preload(setup.modules)
    work: Work = pickle.loads(setup.work)
    found = pickle.load(pipe).items()
    datasets = {name: pickle.loads(one) if type(one) is bytes else one for name, one in found}
    return replace(work, datasets=datasets)


def _settle(surroundings: protocol.Surroundings) -> None:
    """Be where the driver is."""
    with suppress(OSError):  # a folder that is no more is said by whoever needs it
        os.chdir(surroundings.folder)
    sys.path[:] = surroundings.path
    os.environ.clear()
    os.environ.update(surroundings.environment)


def preload(modules: tuple[str, ...]) -> None:
    """Import modules, as far as they can be."""
    for name in modules:
        with suppress(ImportError):  # the candidate's own process says it
            importlib.import_module(name)


def main() -> None:
    """Serve as a program of its own, where no fork server can be: by standard input and output."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    setup: protocol.Setup = pickle.load(inbox)
    try:
        work = load_work(setup, inbox)
    except Exception as error:
        protocol.send(outbox, protocol.Refused(say(type(error), error), everywhere=True))
        return
    assigned: Assignment = pickle.load(inbox)
    batches: SimpleQueue[list[TrialKey]] = SimpleQueue()
    threading.Thread(target=_listen, args=(inbox, batches), daemon=True).start()
    serve(work, setup.limits, assigned, batches.get, outbox)


def _listen(inbox: IO[bytes], batches: SimpleQueue[list[TrialKey]]) -> None:
    """Take batches; when the driver closes the pipe or dies, end at once, in the middle of a fit.

    What was finished has been sent; nobody waits for the rest.
    """
    while True:
        try:
            batches.put(pickle.load(inbox))
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)
