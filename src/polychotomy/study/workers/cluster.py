"""Run trials on the workers of a Dask cluster; this process stays the only one that writes.

Every thread of a Dask worker keeps a worker process of ours, as on one machine: limits, crashes and
retries are the same there, and no candidate can end a Dask worker. A Dask worker is asked what it
has before it gets anything: one that cannot give the same predictions gets no fits, and is named.
The data go to each Dask worker once for all the works of a study. Batches are given to each a few
at a time; those of a Dask worker that is lost are run elsewhere.
"""

from __future__ import annotations

import ipaddress
import json
import pickle
import threading
import time
import warnings
import weakref
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, ClassVar
from urllib.parse import urlsplit

from polychotomy.core.exceptions import InvalidInput, PolychotomyWarning, StudyError
from polychotomy.study.design.trials import Outcome, TrialKey, fail
from polychotomy.study.workers.batching import Backlog, Clocks
from polychotomy.study.workers.pool import Pool
from polychotomy.study.workers.processes import ForkServer
from polychotomy.study.workers.protocol import Setup, versions

_AHEAD = 2  # batches a thread has

_BATCH_SECONDS = 0.5  # Dask takes some milliseconds of everybody's time for a batch

_TICK = 0.2  # seconds between looks at the scheduler and at Ctrl-C

_CONNECT_SECONDS = 15.0

_LATE = 30.0  # seconds after which it is said that a worker does not answer

_PATIENCE = 60.0  # seconds without any worker

_SILENCE = 60.0  # seconds without a heartbeat; Dask itself waits for five minutes

_MOST_LOSSES = 4  # of the Dask worker that a trial was given to


# Why this is sent as text: a Dask worker that cannot import a task's function does not say so, but
# ends itself. That must not happen to somebody's worker, which may serve others well.
_QUESTION = f"__import__({versions.__module__!r}, fromlist=['']).require_versions({{}})"


class WorkerNotUsed(PolychotomyWarning):
    """A worker of a cluster gets no fits; the study goes on with the others."""


class FitHost:
    """A work, on a Dask worker: starts our worker processes there as its threads ask for them.

    It is the result of a task, which Dask keeps on that worker for as long as the driver holds the
    future. When the driver lets go of it, or is no more, its worker processes end.

    Parameters
    ----------
    names : tuple of str
        Of the data sets.
    head : bytes
        The pickled ``Setup`` without its data.
    contents : bytes
        The pickled data sets.
    """

    _pools: ClassVar[dict[int, list[Pool]]] = {}  # of each host: those that have nothing to do

    def __init__(self, names: tuple[str, ...], head: bytes, *contents: bytes) -> None:
        self._made_of = names, head, *contents
        setup: Setup = pickle.loads(head)
        self._setup = setup._replace(data=dict(zip(names, contents, strict=True)))
        self._idle = self._pools[id(self)] = []
        weakref.finalize(self, self._end, id(self)).atexit = False

    def __reduce__(self) -> tuple[Any, ...]:
        return FitHost, self._made_of  # where Dask moves it

    @classmethod
    def _end(cls, number: int) -> None:
        """End the worker processes of a host that is no more; Dask does not wait for that."""

        def close() -> None:
            for pool in cls._pools.pop(number):
                pool.close()
            if not cls._pools:
                ForkServer.stop()

        threading.Thread(target=close).start()

    def run(self, keys: bytes) -> bytes:
        """Run a batch in a worker process that no other thread uses; this is Dask's task.

        It is pickled on both sides: Dask looks into every list and tuple that it is given, and
        passes bytes on as they are.
        """
        try:
            pool = self._idle.pop()
        except IndexError:
            pool = Pool(self._setup, 1)
        try:
            outcomes = [tuple(one) for one in pool.run(pickle.loads(keys)) if one]
        finally:
            self._idle.append(pool)
        return pickle.dumps(outcomes, pickle.HIGHEST_PROTOCOL)


def count_workers(silence: float, dask_scheduler: Any = None) -> dict[str, int]:
    """Return, on the scheduler, the threads of each worker.

    A worker whose process was stopped, or whose machine is cut off, is as good as gone: it is not
    counted. Why it is not removed: others may use it, and it may come back.
    """
    oldest = time.time() - silence
    workers = dask_scheduler.workers.items()
    return {name: one.nthreads for name, one in workers if one.last_seen >= oldest}


class Cluster(AbstractContextManager["Cluster"]):
    """A Dask scheduler and those of its workers that can be used, for all the works of a study.

    Parameters
    ----------
    where : address or path
        Of a scheduler, such as ``"tcp://127.0.0.1:8786"``, or of its scheduler file. It is
        connected to when first needed.

    Attributes
    ----------
    usable : {address: int}
        Threads of each worker that has the versions of this process.
    """

    def __init__(self, where: str | Path) -> None:
        self._address, self._client = _address_of(where), None
        self.usable: dict[str, int] = {}
        self._asked: dict[str, tuple[Any, float]] = {}  # address: future, since when
        self._refused: dict[str, str] = {}  # address: reason
        self._unsaid: list[str] = []
        self._sent: dict[str, Any] = {}  # by SHA-256: future
        self._kept: dict[str, dict[str, Any]] = {}  # address: by SHA-256: future

    def __exit__(self, *raised: object) -> None:
        if self._client is not None:
            self._client.close(timeout=5)

    @property
    def client(self) -> Any:
        """The connection, made if there is none."""
        self.connect()
        return self._client

    def connect(self) -> None:
        """Connect to a scheduler with workers that can be used, unless that was done before."""
        if self._client is None:
            self._client = _connect(self._address)
            self._meet()

    def _meet(self) -> None:
        """Wait for the first worker that can be used, and a while for what the others say."""
        warn_beyond_loopback(self.client.scheduler_info()["address"])
        start = time.monotonic()
        self.look()
        while self._asked or not self.usable:
            late = bool(self.usable) or not self._asked
            if time.monotonic() - start > (_CONNECT_SECONDS if late else _PATIENCE):
                break
            time.sleep(_TICK / 4)
            self.look()
        if not self.usable:
            raise self._no_worker()

    def _no_worker(self) -> StudyError:
        late = dict.fromkeys(self._asked, "it has not answered yet")
        found = "; ".join(f"{one}: {why}" for one, why in (self._refused | late).items())
        return StudyError(
            f"no worker of the cluster can be used ({found or 'there is none'}). Expected workers "
            "with the same Python packages as here: install them there, start workers (dask worker "
            f"{self._address} --nthreads 1), and run this again."
        )

    def look(self) -> None:
        """Notice which workers have come and gone, and what those say that were asked."""
        try:
            there = self.client.run_on_scheduler(count_workers, _SILENCE)
        except (ImportError, AttributeError) as error:
            raise StudyError(
                f"the scheduler at {self._address} cannot be used: {_in_words(error)}. Nothing was "
                "run. Install polychotomy there too: a scheduler reads what it passes on."
            ) from error
        except Exception as error:  # whatever a broken connection raises
            raise _scheduler_lost() from error
        now = time.monotonic()
        for address in {*self.usable, *self._asked} - set(there):
            self.refuse(address, "it is gone, or was not heard of for a minute")
        self._refused = {one: why for one, why in self._refused.items() if one in there}
        for address in set(there) - {*self.usable, *self._asked, *self._refused}:
            self._asked[address] = self.ask(address, eval, _QUESTION.format(versions())), now
        for address, (future, since) in list(self._asked.items()):
            if future.status == "error":
                self.refuse(address, _in_words(future.exception()))
            elif future.done():
                del self._asked[address]
                if future.status == "finished":
                    self.usable[address] = there[address]
            elif now - since > _LATE:
                self._asked[address] = future, float("inf")
                self._say(address, "it has not answered yet")
        if self._refused and not (self.usable or self._asked):
            raise self._no_worker()
        while self.usable and self._unsaid:  # else an error tells it
            warnings.warn(self._unsaid.pop(0), WorkerNotUsed, stacklevel=2)

    def refuse(self, address: str, reason: str) -> None:
        """Do without a worker, and say so."""
        for known in (self.usable, self._asked, self._kept):
            known.pop(address, None)
        self._refused[address] = reason
        self._say(address, reason)

    def _say(self, address: str, reason: str) -> None:
        self._unsaid.append(f"the worker at {address} gets no fits: {reason}. Others make them.")

    def ask(self, address: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Let one worker call a function; return the future."""
        return self.client.submit(function, *arguments, workers=[address], pure=False)

    def keep(self, address: str, name: str, content: bytes) -> Any:
        """Let a worker keep a content while this is connected; return the future of it there.

        Why it is the result of a task on that very worker: copies that no task is waiting for are
        dropped by Dask, and would be sent again for the next work.

        Parameters
        ----------
        name : str
            SHA-256 of the content.
        """
        kept = self._kept.setdefault(address, {})
        if name not in kept:
            if name not in self._sent or self._sent[name].status != "finished":
                self._sent[name] = self.client.scatter(content, workers=[address], hash=False)
            kept[name] = self.ask(address, bytes, self._sent[name])
        return kept[name]


@contextmanager
def share_cluster(cluster: str | Path | Cluster | None, into: object) -> Iterator[Cluster | None]:
    """Give the cluster for all that is run in the meantime; None if there is none.

    It is connected to at once, so that what is wrong with it is said before a study file is made;
    later where ``into`` is a file or a ledger that is there, which may lack nothing.
    """
    if cluster is None or isinstance(cluster, Cluster):
        yield cluster
        return
    with Cluster(cluster) as opened:
        if into is None or (isinstance(into, str | Path) and not Path(into).exists()):
            opened.connect()
        yield opened


class ClusterPool(AbstractContextManager["ClusterPool"]):
    """The workers of a Dask cluster for one work, as :class:`Pool` has those of one machine.

    Parameters
    ----------
    cluster : Cluster
        Whose workers to use.
    setup : Setup
        What every worker gets once. Its folder and environment are its own.
    """

    def __init__(self, cluster: Cluster, setup: Setup) -> None:
        self._cluster, self._setup = cluster, setup
        self._names = tuple(setup.data)
        head = pickle.dumps(setup._replace(data={}, surroundings=None), pickle.HIGHEST_PROTOCOL)
        dumps = import_module("cloudpickle").dumps
        contents = [head, *(dumps(one) for one in setup.data.values())]
        self._contents = [(sha256(content).hexdigest(), content) for content in contents]
        self._clocks: Clocks = {}
        self._backlog = Backlog((), n_workers=1)
        self._alone: deque[TrialKey] = deque()
        self._finished: SimpleQueue[Any] = SimpleQueue()
        self._submitted: dict[Any, tuple[list[TrialKey], str]] = {}  # batch, and to whom
        self._losses: Counter[TrialKey] = Counter()
        self._hosts: dict[str, Any] = {}  # address: future
        self._ready: dict[str, int] = {}  # address: threads
        self._looked, self._seen_alive = 0.0, time.monotonic()

    def __exit__(self, *raised: object) -> None:
        self._hosts.clear()
        self._submitted.clear()

    def run(
        self, keys: Sequence[TrialKey], *, stopping: Callable[[], bool] = bool, patience: Any = None
    ) -> Iterator[Outcome | None]:
        """Yield the outcome of every trial as it comes; after ``stopping``, of those submitted.

        None comes whenever there may be a while before the next one. On a cluster nobody knows how
        many fits are made at a time: all are waited for, whatever the patience.
        """
        self._backlog = Backlog(
            keys,
            n_workers=max(1, sum(self._ready.values())),
            clocks=self._clocks,
            seconds=_BATCH_SECONDS,
            queue=lambda key: "",  # all candidates of a training set, who share its preparation
        )
        self._seen_alive = time.monotonic()
        self._check()
        self._submit(stopping())
        while self._submitted or (not stopping() and (self._alone or len(self._backlog))):
            with suppress(Empty):
                future = self._finished.get(timeout=_TICK if self._ready else _TICK / 4)
                yield from self._collect(future)
            yield None
            self._check()
            self._submit(stopping())

    def _check(self) -> None:
        """Look from time to time whether scheduler and workers are there."""
        now = time.monotonic()
        if self._cluster.client.status != "running":
            raise _scheduler_lost()
        if now - self._looked < (1.0 if self._hosts.keys() <= self._ready.keys() else _TICK / 4):
            return
        self._cluster.look()
        self._meet_workers()
        self._looked = time.monotonic()
        self._backlog.n_workers = max(1, sum(self._ready.values()))
        for future, (_, address) in self._submitted.items():
            if address not in self._ready:
                future.cancel()  # Dask would wait for it to come back
        if self._ready:
            self._seen_alive = now
        elif now - self._seen_alive > _PATIENCE:
            raise StudyError(
                f"the cluster has had no worker for {_PATIENCE:.0f} seconds. What was finished is "
                "kept; start workers (dask worker ADDRESS --nthreads 1) and run the study again."
            )

    def _meet_workers(self) -> None:
        """Let every worker that can be used have a host of this work."""
        usable = self._cluster.usable
        for address, host in list(self._hosts.items()):
            if host.status == "error":
                self._cluster.refuse(address, _in_words(host.exception()))
            if address not in usable or host.status in ("lost", "cancelled"):
                del self._hosts[address]
        for address in usable.keys() - self._hosts.keys():
            with suppress(OSError, KeyError):  # it is lost now, and missed at the next look
                kept = [self._cluster.keep(address, *content) for content in self._contents]
                self._hosts[address] = self._cluster.ask(address, FitHost, self._names, *kept)
        there = [address for address, host in self._hosts.items() if host.status == "finished"]
        self._ready = {address: usable[address] for address in there}

    def _submit(self, stopping: bool) -> None:
        given = Counter(address for _, address in self._submitted.values())
        for address, threads in self._ready.items():
            for _ in range(0 if stopping else _AHEAD * threads - given[address]):
                batch = [self._alone.popleft()] if self._alone else self._backlog.take()
                if not batch:
                    return
                keys = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
                future = self._cluster.ask(address, FitHost.run, self._hosts[address], keys)
                self._submitted[future] = batch, address
                future.add_done_callback(self._finished.put)

    def _collect(self, future: Any) -> Iterator[Outcome]:
        batch, address = self._submitted.pop(future)
        answer = self._fetch(future, address) if future.status == "finished" else None
        if answer is not None:
            outcomes = list(map(Outcome._make, pickle.loads(answer)))
            for outcome in outcomes:
                self._backlog.learn(outcome, outcome.seconds)
                yield outcome
            return
        self._ready.pop(address, None)
        if future.status == "error":
            self._cluster.refuse(address, _in_words(future.exception()))
        yield from self._take_back(batch)

    def _fetch(self, future: Any, address: str) -> Any:
        """Return the answer to a batch; None where who has it was lost before it was fetched.

        Dask would then have it computed again, and wait without end where nobody is left for that.
        """
        while address in self._cluster.usable:
            try:
                return future.result(timeout=1.0)
            except TimeoutError:
                self._cluster.look()
            except (OSError, CancelledError):
                break
        return None

    def _take_back(self, batch: list[TrialKey]) -> Iterator[Outcome]:
        """Let others run a batch: trial by trial if that happens again, and not for ever."""
        self._losses.update(batch)
        self._backlog.put_back(key for key in batch if self._losses[key] == 1)
        for key in batch:
            if self._losses[key] > _MOST_LOSSES:
                cause = "Dask workers were lost again and again during this fit"
                yield fail(key, status="crashed", cause=cause, details="")
            elif self._losses[key] > 1:
                self._alone.append(key)


def _connect(address: str) -> Any:
    """Connect to a scheduler."""
    try:
        from distributed import Client, Security
        from distributed.versions import VersionMismatchWarning
    except ImportError as error:
        raise InvalidInput(
            "cluster= needs Dask; install it with: pip install 'polychotomy[cluster]'."
        ) from error
    try:
        security = Security()  # by Dask's own configuration
        certified = security.get_connection_args("client").get("ssl_context") is not None
        if certified or not address.startswith("tls:"):
            with warnings.catch_warnings():  # a table; ``Cluster`` says what matters in a sentence
                warnings.simplefilter("ignore", VersionMismatchWarning)
                how = {"timeout": _CONNECT_SECONDS, "set_as_default": False}
                return Client(address, security=security, **how)
    except (OSError, ValueError) as error:
        raise StudyError(
            f"no Dask scheduler answers at {address!r}: {error}. Nothing was run. Expected the "
            "address or the scheduler file of one that runs: dask scheduler --host 127.0.0.1"
        ) from error
    raise StudyError(
        f"{address} needs certificates, and Dask's configuration names none. Nothing was run. "
        "Name the files in DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__TLS__CLIENT__CERT and "
        "…__TLS__CLIENT__KEY."
    )


def _in_words(error: BaseException) -> str:
    return str(error) if isinstance(error, StudyError) else f"{type(error).__name__}: {error}"


def _address_of(cluster: str | Path) -> str:
    """Return the address that was given, or that a scheduler file names."""
    if "://" in str(cluster):
        return str(cluster)
    for _ in range(10):  # it may be in the middle of being written
        with suppress(OSError, ValueError, KeyError, TypeError):
            return str(json.loads(Path(cluster).read_text())["address"])
        time.sleep(_TICK / 10)
    raise InvalidInput(
        f"cluster={str(cluster)!r} is neither an address nor a scheduler file; expected the "
        "address of a Dask scheduler, such as 'tcp://127.0.0.1:8786', or its scheduler file."
    )


def warn_beyond_loopback(address: str) -> None:
    """Warn if a scheduler can be reached from other machines without a password.

    Examples
    --------
    >>> warn_beyond_loopback("tcp://127.0.0.1:8786")
    """
    parts = urlsplit(address)
    try:
        local = ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        local = parts.hostname in ("localhost", None)
    if parts.scheme in ("tls", "wss", "inproc") or local:
        return
    warnings.warn(
        f"the Dask scheduler at {address} can be reached from other machines, and runs whatever "
        "anyone who reaches it sends. Use it in a network that you trust, or with TLS; "
        "'dask scheduler --host 127.0.0.1' keeps it on this machine.",
        stacklevel=2,
    )


def _scheduler_lost() -> StudyError:
    return StudyError(
        "the connection to the Dask scheduler was lost. What was finished is kept; start the "
        "scheduler and its workers again, and run the study again to go on from there."
    )
