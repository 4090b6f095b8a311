"""SIGTERM, as a scheduler or a shutdown sends it, closes the study like any other error."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Terminated(SystemExit):
    """SIGTERM has come; told apart from a candidate that calls ``sys.exit``."""


@contextmanager
def closing_on_terminate() -> Iterator[None]:
    """Turn SIGTERM into ``SystemExit`` in the meantime, so that what is finished is written.

    Left alone are the handler of a program that has one of its own, and threads, to which
    Python delivers no signals.
    """
    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    )
    if ours:
        signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    raise Terminated(128 + number)
