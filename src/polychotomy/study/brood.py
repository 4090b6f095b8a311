"""The driver's side of a nest: asks for workers, and knows which process each is."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import threading
from queue import SimpleQueue
from typing import Any

from polychotomy.study.nest import Declined, Ended, Hatched
from polychotomy.study.start import start_program
from polychotomy.study.worker import Refused, Setup

_PATIENCE = 2.0  # seconds that a nest gets to end by itself


class Hatchling:
    """A worker that was asked for; it may not exist yet."""

    def __init__(self) -> None:
        self.pid = 0
        self._ended = threading.Event()
        self._returncode = 0

    def end(self, returncode: int) -> None:
        """Note how it has ended, the first time."""
        if not self._ended.is_set():
            self._returncode = returncode
            self._ended.set()

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; return its exit code."""
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("worker", timeout or 0.0)
        return self._returncode

    def kill(self) -> None:
        """End it now."""
        if self.pid and not self._ended.is_set():
            os.kill(self.pid, signal.SIGKILL)


class Brood:
    """Workers that come from one nest.

    Parameters
    ----------
    setup : Setup
        Sent to the nest at once.
    events : queue
        Gets ``(None, message)`` where the nest cannot load the setup or cannot be copied.
    """

    def __init__(self, setup: Setup, events: SimpleQueue[Any]) -> None:
        self._hatchlings: list[Hatchling] = []
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = start_program("nest", theirs.fileno())
        self.alive = True
        threading.Thread(target=self._speak, args=(setup,), daemon=True).start()
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    def hatch(self, files: list[int]) -> Hatchling:
        """Ask for a worker that reads, writes and shares memory with these files."""
        hatchling = Hatchling()
        self._hatchlings.append(hatchling)
        try:
            message = str(len(self._hatchlings) - 1).encode()
            socket.send_fds(self._requests, [message], files)
        except OSError:  # the nest is gone, or about to be
            hatchling.end(self._end())
        return hatchling

    def _end(self) -> int:
        """Wait for the nest to end, and see to it; return with what code it did."""
        try:
            return self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _speak(self, setup: Setup) -> None:
        pipe = self._process.stdin
        assert pipe is not None, "opened as a pipe"
        with pipe:
            try:
                pickle.dump(setup, pipe, protocol=pickle.HIGHEST_PROTOCOL)
                pipe.flush()
            except OSError:
                return  # it has ended, as the listener will notice

    def _listen(self, events: SimpleQueue[Any]) -> None:
        pipe = self._process.stdout
        assert pipe is not None, "opened as a pipe"
        with pipe:
            try:
                while True:
                    self._note(pickle.load(pipe), events)
            except (EOFError, OSError, pickle.UnpicklingError):
                pass
        self.alive = False
        returncode = self._process.wait()
        for hatchling in self._hatchlings:  # with their nest, workers are killed too
            hatchling.end(-int(signal.SIGKILL) if hatchling.pid else returncode)

    def _note(self, message: Any, events: SimpleQueue[Any]) -> None:
        if isinstance(message, Hatched):
            self._hatchlings[message.number].pid = message.pid
        elif isinstance(message, Ended):
            self._hatchlings[message.number].end(message.returncode)
        elif isinstance(message, Refused | Declined):
            events.put((None, message))

    def close(self) -> None:
        """Let the nest end, and whatever has hatched in it."""
        self._requests.close()
        self._end()
