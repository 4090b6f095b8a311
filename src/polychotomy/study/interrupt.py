"""Ctrl-C once: finish what is running. Twice: stop now."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_log = logging.getLogger("polychotomy.study")


class Stopping:
    """Whether the user has asked to stop.

    Examples
    --------
    >>> stopping = Stopping()
    >>> bool(stopping)
    False
    """

    def __init__(self) -> None:
        self.asked = False

    def __bool__(self) -> bool:
        return self.asked

    def ask(self, number: int, frame: FrameType | None) -> None:
        """Answer a signal: note the first, raise at the second."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        _log.warning("finishing the fits that are running; Ctrl-C again stops now")


@contextmanager
def stopping_on_interrupt() -> Iterator[Stopping]:
    """Take over Ctrl-C in the meantime, where it is ours to take.

    Left alone are the handler of a program that has one of its own, and threads, to which
    Python delivers no signals.
    """
    stopping = Stopping()
    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if ours:
        signal.signal(signal.SIGINT, stopping.ask)
    try:
        yield stopping
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
