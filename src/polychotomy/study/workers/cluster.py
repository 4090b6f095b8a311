"""Run trials on the workers of a Dask cluster; this process stays the only one that writes.

Every thread of a Dask worker keeps a worker process of ours, as on one machine: limits, crashes and
retries are the same there, and no candidate can end a Dask worker. The data go to each Dask worker
once. Batches are submitted a few at a time; those of a Dask worker that is lost are run elsewhere.
"""

from __future__ import annotations

import ipaddress
import pickle
import secrets
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from polychotomy.core.exceptions import InvalidInput, StudyError
from polychotomy.study.design.trials import Outcome, TrialKey, fail
from polychotomy.study.workers.batching import Backlog, Clocks
from polychotomy.study.workers.pool import Pool
from polychotomy.study.workers.processes import ForkServer
from polychotomy.study.workers.protocol import Setup

_AHEAD = 2  # batches a thread has

_BATCH_SECONDS = 0.5  # Dask takes some milliseconds of everybody's time for a batch

_LEAST_SECONDS = 0.05  # of the last ones

_TICK = 0.2  # seconds between looks at the scheduler and at Ctrl-C

_CONNECT_SECONDS = 15.0

_PATIENCE = 60.0  # seconds without any worker

_ATTEMPTS = 2  # at a batch of one during which Dask workers were lost


class FitHost:
    """The work, on a Dask worker: starts our worker processes there as threads ask for them.

    Dask drops and fetches copies of data as it sees fit; a process keeps one host for a token, with
    its worker processes, until the study is done or has asked for nothing for a minute.
    """

    def __init__(self, token: str, setup: Setup) -> None:
        self.token, self.setup = token, setup
        self._idle: list[Pool] = []
        self._lock = threading.Lock()
        self._busy, self._last = 0, time.monotonic()

    def __reduce__(self) -> tuple[Any, ...]:
        return _host_of, (self.token, self.setup)

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

    def watch(self) -> None:
        """Close when the driver has been silent for a minute."""
        while _hosts.get(self.token) is self:
            time.sleep(1.0)
            if not self._busy and time.monotonic() - self._last > _PATIENCE:
                forget(self.token)


_hosts: dict[str, FitHost] = {}  # of this process, a Dask worker


def _host_of(token: str, setup: Setup) -> FitHost:
    host = _hosts.get(token)
    if host is None:
        host = _hosts[token] = FitHost(token, setup)
        threading.Thread(target=host.watch, daemon=True).start()
    return host


def forget(token: str) -> None:
    """End what a study has started in this process."""
    host = _hosts.pop(token, None)
    if host is not None:
        host.close()
    if not _hosts:
        ForkServer.stop()


def run_batch(host: FitHost, keys: bytes) -> bytes:
    """Run a batch, pickled on both sides; this is the task that Dask sees.

    Dask looks into every list and tuple that it is given, and passes bytes on as they are.
    """
    outcomes = [tuple(outcome) for outcome in host.run(pickle.loads(keys))]
    return pickle.dumps(outcomes, pickle.HIGHEST_PROTOCOL)


@contextmanager
def open_cluster(setup: Setup, cluster: str | Path) -> Iterator[ClusterPool]:
    """Connect to a cluster and send it a work.

    Parameters
    ----------
    setup : Setup
        What workers need. Their folder and environment are their own.
    cluster : address or path
        Of a scheduler, such as ``"tcp://127.0.0.1:8786"``, or of its scheduler file.
    """
    far = setup._replace(surroundings=None)
    with connect(cluster) as client, ClusterPool(client, far) as pool:
        yield pool


class ClusterPool:
    """The workers of a Dask cluster for one work, as :class:`Pool` has those of one machine.

    Parameters
    ----------
    client : distributed.Client
        Connected to a scheduler that has workers.
    setup : Setup
        What every worker gets once.
    """

    def __init__(self, client: Any, setup: Setup) -> None:
        self._client, self._setup = client, setup
        self._token = secrets.token_hex(8)
        self._clocks: Clocks = {}
        self._backlog = Backlog((), n_workers=1)
        self._finished: SimpleQueue[Any] = SimpleQueue()
        self._submitted: dict[Any, list[TrialKey]] = {}  # future: its batch
        self._lost: dict[TrialKey, int] = {}
        self._threads, self._looked, self._seen_alive = 0, 0.0, time.monotonic()
        self._scatter()

    def __enter__(self) -> ClusterPool:
        return self

    def __exit__(self, *raised: object) -> None:
        """Let every worker forget the study, if the scheduler can still be asked."""
        if self._client.status == "running":
            with suppress(Exception):  # whatever a broken connection raises
                self._client.run(forget, self._token, on_error="ignore")

    def _scatter(self) -> None:
        """Send the work to every worker."""
        host = FitHost(self._token, self._setup)
        self._host = self._client.scatter(host, broadcast=True, hash=False)

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
        self._submit(stopping())
        while self._submitted:
            try:
                future = self._finished.get(timeout=_TICK)
            except Empty:
                pass
            else:
                yield from self._collect(future)
            self._check()
            self._submit(stopping())

    def _check(self) -> None:
        """Look from time to time whether scheduler and workers are there."""
        now = time.monotonic()
        if self._client.status != "running":
            raise _scheduler_lost()
        if now - self._looked < 1.0:
            return
        try:
            self._threads = sum(self._client.nthreads().values())
        except Exception as error:  # whatever a broken connection raises
            raise _scheduler_lost() from error
        self._looked = time.monotonic()
        self._backlog.n_workers = max(1, self._threads)
        if self._threads:
            self._seen_alive = now
        elif now - self._seen_alive > _PATIENCE:
            raise StudyError(
                f"the cluster has had no worker for {_PATIENCE:.0f} seconds. What was finished is "
                "kept; start workers (dask worker ADDRESS --nthreads 1) and run the study again."
            )

    def _submit(self, stopping: bool) -> None:
        if not self._looked:
            self._check()
        while not stopping and len(self._submitted) < _AHEAD * max(1, self._threads):
            batch = self._backlog.take()
            if not batch:
                return
            self._send(batch)

    def _send(self, batch: list[TrialKey]) -> None:
        keys = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
        future = self._client.submit(run_batch, self._host, keys, pure=False)
        self._submitted[future] = batch
        future.add_done_callback(self._finished.put)

    def _collect(self, future: Any) -> Iterator[Outcome]:
        batch = self._submitted.pop(future)
        if future.status == "finished":
            try:
                rows: list[tuple[Any, ...]] = pickle.loads(future.result())
            except OSError:  # its worker, or the scheduler, was lost before it could be fetched
                self._resubmit(batch)
                return
            outcomes = list(map(Outcome._make, rows))
            self._backlog.learn_from(outcomes)
            yield from outcomes
        elif future.status in ("cancelled", "lost"):
            self._resubmit(batch)
        else:
            yield from self._judge(batch, future.exception())

    def _resubmit(self, batch: list[TrialKey]) -> None:
        """Go on after the work was lost with all the workers that had it, or with the scheduler."""
        if self._client.status != "running":
            raise _scheduler_lost()
        if self._host.status != "finished":
            self._scatter()
        self._backlog.put_back(batch)

    def _judge(self, batch: list[TrialKey], error: BaseException) -> Iterator[Outcome]:
        """Split a batch that lost its workers again and again; give up on a single trial."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, StudyError) or not isinstance(error, KilledWorker):
            raise StudyError(
                f"a worker of the cluster cannot run the study: {type(error).__name__}: {error}. "
                "Expected workers with the same Python packages as here."
            ) from error
        for key in batch:
            self._lost[key] = self._lost.get(key, 0) + (len(batch) == 1)
            if self._lost[key] < _ATTEMPTS:
                self._send([key])
                continue
            cause = f"{type(error).__name__}: {error}"[:2000]
            details = "Dask workers were lost again and again during this fit"
            n_classes = self._setup.n_classes[key.dataset]
            yield fail(key, n_classes, status="crashed", cause=cause, details=details)


def require_cluster(cluster: str | Path, *, connect_too: bool) -> None:
    """Refuse what is no address or file; ``connect_too``: and a scheduler that does not answer.

    The second before a study file is made. A study that has one may have nothing left to fit.
    """
    _address_or_file(cluster)
    if connect_too:
        with connect(cluster):
            pass


@contextmanager
def connect(cluster: str | Path) -> Iterator[Any]:
    """Connect to a scheduler that has workers; warn if others can reach it."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InvalidInput(
            "cluster= needs Dask; install it with: pip install 'polychotomy[cluster]'."
        ) from error
    where = _address_or_file(cluster)
    try:
        client = Client(**where, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StudyError(
            f"no Dask scheduler answers at {str(cluster)!r}: {error}. Nothing was run. Expected "
            "the address or the scheduler file of one that runs: dask scheduler --host 127.0.0.1"
        ) from error
    try:
        warn_beyond_loopback(client.scheduler_info()["address"])
        try:
            client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
        except TimeoutError as error:
            address = client.scheduler.address
            raise StudyError(
                f"the scheduler at {address} has no workers. Nothing was run. Start some: "
                f"dask worker {address} --nthreads 1 --death-timeout 60"
            ) from error
        yield client
    finally:
        client.close(timeout=5)


def _address_or_file(cluster: str | Path) -> dict[str, str]:
    if "://" in str(cluster):
        return {"address": str(cluster)}
    if Path(cluster).is_file():
        return {"scheduler_file": str(cluster)}
    raise InvalidInput(
        f"cluster={str(cluster)!r} is neither an address nor a file; expected the address of a "
        "Dask scheduler, such as 'tcp://127.0.0.1:8786', or its scheduler file."
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
