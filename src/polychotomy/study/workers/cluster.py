"""Run trials on the workers of a Dask cluster; this process stays the only one that writes.

Every thread of a Dask worker keeps a worker process of ours, as on one machine: limits, crashes and
retries are the same there, and no candidate can end a Dask worker. A Dask worker is asked what it
has before it gets anything: one that cannot give the same predictions gets no fits, and is named.
The data go to each Dask worker once for all the works of a study: it keeps them by their content.
Batches are submitted a few at a time; those of a Dask worker that is lost are run elsewhere.
"""

from __future__ import annotations

import ipaddress
import json
import pickle
import secrets
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from polychotomy.core.exceptions import InvalidInput, StudyError
from polychotomy.study.design.trials import Outcome, TrialKey, fail
from polychotomy.study.workers.batching import Backlog, Clocks
from polychotomy.study.workers.pool import Pool
from polychotomy.study.workers.processes import ForkServer
from polychotomy.study.workers.protocol import Packed, Setup, require_versions, versions

_AHEAD = 2  # batches a thread has

_BATCH_SECONDS = 0.5  # Dask takes some milliseconds of everybody's time for a batch

_LEAST_SECONDS = 0.05  # of the last ones

_TICK = 0.2  # seconds between looks at the scheduler and at Ctrl-C

_CONNECT_SECONDS = 15.0

_LATE = 30.0  # seconds after which it is said that a worker does not answer

_PATIENCE = 60.0  # seconds without any worker

_SILENCE = 60.0  # seconds without a heartbeat; Dask itself waits for five minutes

_KEPT_SECONDS = 600.0  # for which a Dask worker keeps data that nobody asks for

_ATTEMPTS = 2  # at a batch of one during which Dask workers were lost


# Why this is sent as text: a Dask worker that cannot import a task's function does not say so, but
# ends itself. That must not happen to somebody's worker, which may serve others well.
_QUESTION = f"__import__({versions.__module__!r}, fromlist=['']).require_versions({{}})"


class WorkerNotUsed(UserWarning):
    """A worker of a cluster gets no fits; the study goes on with the others."""


class FitHost:
    """A work, on a Dask worker: starts our worker processes there as threads ask for them.

    Parameters
    ----------
    setup : Setup
        What they get.
    names : set of str
        SHA-256 of the contents that it is made of.
    """

    def __init__(self, setup: Setup, names: set[str]) -> None:
        self.setup, self.names = setup, names
        self._idle: list[Pool] = []
        self._lock = threading.Lock()
        self._busy, self._last = 0, time.monotonic()

    def run(self, keys: Sequence[TrialKey]) -> list[Outcome]:
        """Run a batch in a worker process that no other thread uses."""
        with self._lock:
            pool = self._idle.pop() if self._idle else Pool(self.setup, 1)
            self._busy += 1
        try:
            return list(pool.run(keys))
        finally:
            with self._lock:
                self._idle.append(pool)
                self._busy, self._last = self._busy - 1, time.monotonic()

    def close(self) -> None:
        """End the worker processes that have nothing to do."""
        with self._lock:
            pools, self._idle = self._idle, []
        for pool in pools:
            pool.close()

    @property
    def silent(self) -> bool:
        """Whether the driver has asked for nothing for a minute."""
        return not self._busy and time.monotonic() - self._last > _PATIENCE


# What follows up to ``run_batch`` is of a Dask worker's process. Why not leave the data to Dask: it
# drops copies that no task is waiting for, and would send them again for the next work.

_hosts: dict[str, FitHost] = {}  # by the token of a work

_kept: dict[str, tuple[bytes, float]] = {}  # by SHA-256: content, and when it was last asked for

_changing = threading.RLock()


def prepare(token: str, head: str, data: dict[str, str], *contents: bytes) -> list[str]:
    """Get ready for a work, on a Dask worker; return what is missing for that, by SHA-256.

    Parameters
    ----------
    token : str
        By which batches name the work.
    head : str
        SHA-256 of the pickled ``Setup`` without its data.
    data : {name: str}
        SHA-256 of each pickled data set.
    contents : bytes
        What was missing when this was asked before.
    """
    with _changing:
        if not (_hosts or _kept):
            threading.Thread(target=_watch, daemon=True).start()
        for content in contents:
            _kept[sha256(content).hexdigest()] = content, 0.0
        names = {head, *data.values()}
        _touch(names)
        if names <= set(_kept) and token not in _hosts:
            setup: Setup = pickle.loads(_kept[head][0])
            whole = {name: Packed(_kept[one][0], []) for name, one in data.items()}
            _hosts[token] = FitHost(setup._replace(data=whole), names)
        return sorted(names - set(_kept))


def _touch(names: set[str]) -> None:
    """Note that contents are of use now."""
    _kept.update((one, (_kept[one][0], time.monotonic())) for one in names & set(_kept))


def _watch() -> None:
    """Forget what the driver has not asked for in a long time: it may be no more."""
    while True:
        time.sleep(1.0)
        with _changing:
            for host in _hosts.values():
                _touch(host.names)
            old = time.monotonic() - _KEPT_SECONDS
            forget(*[one for one, (_, asked) in _kept.items() if asked < old])
            forget(*[token for token, host in _hosts.items() if host.silent])
            if not (_hosts or _kept):
                return


def forget(*names: str) -> None:
    """End what works have started in this process, and drop contents."""
    with _changing:
        closed = [_hosts.pop(name) for name in names if name in _hosts]
        for host in closed:
            host.close()
        for name in names:
            _kept.pop(name, None)
        if closed and not _hosts:
            ForkServer.stop()


def run_batch(token: str, keys: bytes) -> bytes | tuple[str, str]:
    """Run a batch, pickled on both sides; this is the task that Dask sees.

    Dask looks into every list and tuple that it is given, and passes bytes on as they are. Where
    the batch cannot be run, the address of the worker and the reason are returned.
    """
    from distributed import get_worker

    host = _hosts.get(token)
    if host is None:  # the driver was silent for too long
        return get_worker().address, ""
    try:
        outcomes = [tuple(outcome) for outcome in host.run(pickle.loads(keys))]
    except StudyError as error:
        return get_worker().address, str(error)
    return pickle.dumps(outcomes, pickle.HIGHEST_PROTOCOL)


def count_workers(silence: float, dask_scheduler: Any = None) -> tuple[dict[str, int], set[str]]:
    """Return, on the scheduler, the threads of each worker, and the keys of tasks that are stuck.

    A worker whose process was stopped, or whose machine is cut off, is as good as gone: it is not
    counted. Why it is not removed: others may use it, and it may come back.
    """
    oldest = time.time() - silence
    silent = {name for name, one in dask_scheduler.workers.items() if one.last_seen < oldest}
    tasks = [task.key for name in silent for task in dask_scheduler.workers[name].processing]
    workers = dask_scheduler.workers.items()
    return {name: one.nthreads for name, one in workers if name not in silent}, set(tasks)


class Cluster:
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
    stuck : {key}
        Tasks of workers that have not been heard of for a minute.
    """

    def __init__(self, where: str | Path) -> None:
        self._address, self._client = _address_of(where), None
        self.usable: dict[str, int] = {}
        self.stuck: set[str] = set()
        self._asked: dict[str, tuple[Any, float]] = {}  # address: future, since when
        self._refused: dict[str, str] = {}  # address: reason
        self._unsaid: list[str] = []
        self._contents: dict[str, Any] = {}  # by SHA-256: future

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._client is not None:
            self.forget(*self._contents)
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
        try:
            self.client.run_on_scheduler(require_versions, {})
            self.client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
        except TimeoutError as error:
            raise StudyError(
                f"the scheduler at {self._address} has no workers. Nothing was run. Start some: "
                f"dask worker {self._address} --nthreads 1 --death-timeout 60"
            ) from error
        except (ImportError, AttributeError) as error:
            raise StudyError(
                f"the scheduler at {self._address} cannot be used: {_in_words(error)}. Nothing was "
                "run. Install polychotomy there too: a scheduler reads what it passes on."
            ) from error
        start = time.monotonic()
        self.look()
        while self._asked or not self.usable:
            if time.monotonic() - start > (_CONNECT_SECONDS if self.usable else _PATIENCE):
                break
            time.sleep(_TICK / 4)
            self.look()
        if not self.usable:
            raise self._no_worker()

    def _no_worker(self) -> StudyError:
        late = dict.fromkeys(self._asked, "it has not answered yet")
        found = "; ".join(f"{one}: {why}" for one, why in (self._refused | late).items())
        return StudyError(
            f"no worker of the cluster can be used ({found or 'none is left'}). Expected workers "
            "with the same Python packages as here: install them there, and run this again."
        )

    def look(self) -> None:
        """Notice which workers have come and gone, and what those say that were asked."""
        try:
            there, self.stuck = self.client.run_on_scheduler(count_workers, _SILENCE)
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
        self.usable.pop(address, None)
        self._asked.pop(address, None)
        self._refused[address] = reason
        self._say(address, reason)

    def _say(self, address: str, reason: str) -> None:
        self._unsaid.append(f"the worker at {address} gets no fits: {reason}. Others make them.")

    def ask(self, address: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Let one worker call a function; return the future."""
        return self.client.submit(function, *arguments, workers=[address], pure=False)

    def send(self, address: str, name: str, content: bytes) -> Any:
        """Give a content to one worker if no worker has it; others fetch it from there."""
        if name not in self._contents or self._contents[name].status != "finished":
            self._contents[name] = self.client.scatter(content, workers=[address], hash=False)
        return self._contents[name]

    def forget(self, *names: str) -> None:
        """Let every worker forget works and contents, if the scheduler can still be asked."""
        if self.client.status == "running":
            asking = threading.Thread(target=self._forget, args=names, daemon=True)
            asking.start()
            asking.join(_CONNECT_SECONDS)  # a worker that was stopped would never answer

    def _forget(self, *names: str) -> None:
        with suppress(Exception):  # whatever a broken connection raises
            self.client.run(forget, *names, workers=[*self.usable], on_error="ignore")


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


class ClusterPool:
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
        self._token = secrets.token_hex(8)
        head = pickle.dumps(setup._replace(data={}, surroundings=None), pickle.HIGHEST_PROTOCOL)
        dumps = import_module("cloudpickle").dumps
        data = {name: dumps(one.unpack()) for name, one in setup.data.items()}
        parts = {"": head} | data  # no data set can have such a name
        names = {name: sha256(content).hexdigest() for name, content in parts.items()}
        self._contents = {names[name]: content for name, content in parts.items()}
        self._request = self._token, names.pop(""), names
        self._clocks: Clocks = {}
        self._backlog = Backlog((), n_workers=1)
        self._alone: deque[TrialKey] = deque()
        self._finished: SimpleQueue[Any] = SimpleQueue()
        self._submitted: dict[Any, tuple[list[TrialKey], frozenset[str]]] = {}  # batch, for whom
        self._lost: dict[TrialKey, int] = {}
        self._preparing: dict[str, Any] = {}  # address: future
        self._ready: frozenset[str] = frozenset()
        self._threads, self._looked, self._seen_alive = 0, 0.0, time.monotonic()

    def __enter__(self) -> ClusterPool:
        return self

    def __exit__(self, *raised: object) -> None:
        self._cluster.forget(self._token)

    def run(
        self, keys: Sequence[TrialKey], *, stopping: Callable[[], bool] = bool
    ) -> Iterator[Outcome]:
        """Yield the outcome of every trial as it comes; after ``stopping``, of those submitted."""
        self._backlog = Backlog(
            keys,
            n_workers=max(1, self._threads),
            clocks=self._clocks,
            seconds=_BATCH_SECONDS,
            least=_LEAST_SECONDS,
            queue=lambda key: "",  # all candidates of a training set, who share its preparation
        )
        self._seen_alive = time.monotonic()
        self._check()
        self._submit(stopping())
        while self._submitted or (not stopping() and (self._alone or len(self._backlog))):
            try:
                future = self._finished.get(timeout=_TICK if self._ready else _TICK / 4)
            except Empty:
                pass
            else:
                yield from self._collect(future)
            self._check()
            self._submit(stopping())

    def _check(self) -> None:
        """Look from time to time whether scheduler and workers are there."""
        now = time.monotonic()
        if self._cluster.client.status != "running":
            raise _scheduler_lost()
        if now - self._looked < (_TICK / 4 if self._preparing else 1.0):
            return
        self._cluster.look()
        self._prepare_workers()
        self._looked = time.monotonic()
        self._threads = sum(self._cluster.usable[address] for address in self._ready)
        self._backlog.n_workers = max(1, self._threads)
        for future, (_, allowed) in self._submitted.items():
            # Dask would wait for them to come back.
            if allowed.isdisjoint(self._ready) or future.key in self._cluster.stuck:
                future.cancel()
        if self._ready:
            self._seen_alive = now
        elif now - self._seen_alive > _PATIENCE:
            raise StudyError(
                f"the cluster has had no worker for {_PATIENCE:.0f} seconds. What was finished is "
                "kept; start workers (dask worker ADDRESS --nthreads 1) and run the study again."
            )

    def _prepare_workers(self) -> None:
        """Let every worker that can be used get ready for this work."""
        usable = set(self._cluster.usable)
        self._ready &= usable
        for address in usable - self._ready - set(self._preparing):
            self._preparing[address] = self._cluster.ask(address, prepare, *self._request)
        for address, future in list(self._preparing.items()):
            if address in usable and not future.done():
                continue
            del self._preparing[address]
            if future.status == "error":
                self._cluster.refuse(address, _in_words(future.exception()))
            elif future.status == "finished" and address in usable:
                # Whatever a worker raises that is lost now: it is missed at the next look.
                with suppress(OSError, KeyError):
                    self._give(address, future.result())

    def _give(self, address: str, missing: list[str]) -> None:
        """Send a worker what it says that it has not; note that it is ready where that is all."""
        if not missing:
            self._ready |= {address}
            return
        contents = [self._cluster.send(address, one, self._contents[one]) for one in missing]
        asked = self._cluster.ask(address, prepare, *self._request, *contents)
        self._preparing[address] = asked

    def _submit(self, stopping: bool) -> None:
        while self._ready and not stopping and len(self._submitted) < _AHEAD * self._threads:
            batch = [self._alone.popleft()] if self._alone else self._backlog.take()
            if not batch:
                return
            keys = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
            future = self._cluster.client.submit(
                run_batch, self._token, keys, workers=[*self._ready], pure=False
            )
            self._submitted[future] = batch, self._ready
            future.add_done_callback(self._finished.put)

    def _collect(self, future: Any) -> Iterator[Outcome]:
        batch, allowed = self._submitted.pop(future)
        if future.status == "error":
            yield from self._judge(batch, future.exception())
            return
        answer = self._fetch(future, allowed) if future.status == "finished" else None
        if isinstance(answer, bytes):
            outcomes = list(map(Outcome._make, pickle.loads(answer)))
            self._backlog.learn_from(outcomes)
            yield from outcomes
            return
        self._backlog.put_back(batch)
        if answer is not None:
            address, reason = answer
            self._ready -= {address}
            if reason:
                self._cluster.refuse(address, reason)

    def _fetch(self, future: Any, allowed: frozenset[str]) -> Any:
        """Return the answer to a batch; None where who has it was lost before it was fetched.

        Dask would then have it computed again, and wait without end where nobody is left for that.
        """
        end = time.monotonic() + _SILENCE
        while time.monotonic() < end and not allowed.isdisjoint(self._cluster.usable):
            try:
                return future.result(timeout=1.0)
            except TimeoutError:
                self._cluster.look()
            except OSError:
                break
        return None

    def _judge(self, batch: list[TrialKey], error: BaseException) -> Iterator[Outcome]:
        """Split a batch that lost its workers again and again; give up on a single trial."""
        from distributed.scheduler import KilledWorker

        if not isinstance(error, KilledWorker):
            raise StudyError(
                f"a worker of the cluster cannot run the study: {_in_words(error)}. "
                "Expected workers with the same Python packages as here."
            ) from error
        for key in batch:
            self._lost[key] = self._lost.get(key, 0) + (len(batch) == 1)
            if self._lost[key] < _ATTEMPTS:
                self._alone.append(key)
                continue
            details = "Dask workers were lost again and again during this fit"
            n_classes = self._setup.n_classes[key.dataset]
            cause = _in_words(error)[:2000]
            yield fail(key, n_classes, status="crashed", cause=cause, details=details)


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
