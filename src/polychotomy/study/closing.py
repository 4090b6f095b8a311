"""A study closed: its file first, then the hold on it; also where nobody closed it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

from polychotomy.study.hold import Hold
from polychotomy.study.study_file import StudyFile


def close_study(file: StudyFile, holds: list[Hold]) -> None:
    """Close a study's file and give up every hold of it; ``holds`` is empty afterwards."""
    file.close(empty_log=any(hold.is_held for hold in holds))
    while holds:
        holds.pop().release()


def let_go(file: StudyFile, holds: list[Hold], owner: int) -> None:
    """Close what a forgotten ledger held, unless this is a copy of the process that opened it.

    Parameters
    ----------
    owner : int
        The process that opened it.
    """
    if os.getpid() == owner:
        with suppress(sqlite3.Error):  # forgotten in another thread: SQLite closes it by itself
            file.close(empty_log=any(hold.is_held for hold in holds))
        close_study(file, holds)
