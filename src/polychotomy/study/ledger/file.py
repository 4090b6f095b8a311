"""The study file: opened with care, read without harm, written in whole batches.

What is not ours, newer or damaged is found through a connection that cannot write, before any
other is opened; such files stay as they are, byte for byte.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from polychotomy.core.exceptions import StudyError
from polychotomy.study.ledger.file_system import Lock, refuse_network

APPLICATION_ID = 0x504F4C59  # "POLY", in the file's header

FORMAT = 4

_PATIENCE = 60.0  # seconds that a writer waits for readers before it gives up

_FULL = ("SQLITE_FULL", "SQLITE_IOERR")  # no room, or a limit of the system on what we may write


Answer = TypeVar("Answer")


class StudyFile:
    """A connection to a study file, or to memory.

    Parameters
    ----------
    path : path or None
        None keeps everything in memory.
    schema : str
        The tables of a new file.
    read_only : bool
        Look only: no lock that would stop a driver, no file created, nothing written.
    """

    def __init__(self, path: Path | None, *, schema: str, read_only: bool) -> None:
        self.path, self.read_only = path, read_only
        self._connection: sqlite3.Connection | None = None
        self._stamp: tuple[int, int, int] | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        if path is not None and (read_only or (_size(path) and not _is_unborn(path))):
            self._connect_reader()
            self._refuse_strangers(thorough=not read_only)
        if not read_only:
            self._connect_writer(schema)

    def _connect_reader(self) -> None:
        """Connect without creating a file, whatever a driver is doing or has left behind."""
        assert self.path is not None
        log, shared = (Path(f"{self.path}{suffix}") for suffix in ("-wal", "-shm"))
        self._stamp = None
        if not _size(log):
            # Nobody is writing. If somebody begins, the stamp changes and `read` asks again.
            self._stamp = _stamp(self.path)
            self._connection = _connect(self.path, "immutable=1")
        elif shared.exists():
            self._connection = _connect(self.path, "mode=ro&readonly_shm=1")
            if not _answers(self._connection):  # a killed driver has left its index half made
                self._connection.close()
                self._connect_copy(log)
        else:  # a log without its index: SQLite would have to create one beside the study
            self._connect_copy(log)

    def _connect_copy(self, log: Path) -> None:
        """Connect to a copy of the study and its log, of which SQLite may make a new index."""
        assert self.path is not None
        self._copy = tempfile.TemporaryDirectory(prefix="polychotomy-")
        there = Path(self._copy.name, "study")
        shutil.copyfile(self.path, there)
        shutil.copyfile(log, f"{there}-wal")
        self._connection = _connect(there, "mode=ro")

    def _refuse_strangers(self, *, thorough: bool) -> None:
        """Refuse what is no study of this format, or damaged; ``thorough`` reads all of it."""
        try:
            ours = self._pragma("application_id") == APPLICATION_ID
            found = self._pragma("user_version")
            complaint: int | str = "ok"
            if ours and found == FORMAT:
                complaint = self._pragma("quick_check(1)") if thorough else "ok"
                complaint = self._missing_bytes() or complaint
        except sqlite3.DatabaseError as error:
            self.close()
            if getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB":
                raise self._not_ours() from error
            raise self._damaged(str(error)) from error
        if not ours or found != FORMAT or complaint != "ok":
            self.close()
        if not ours:
            raise self._not_ours()
        if found != FORMAT:
            raise StudyError(
                f"{str(self.path)!r} has study format {found}; this version reads format {FORMAT}. "
                "It was left untouched: open it with the version of polychotomy that made it."
            )
        if complaint != "ok":
            raise self._damaged(str(complaint))

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, which must not have been closed."""
        if self._connection is None:
            raise StudyError(f"the study {str(self.path)!r} is closed; open it again to read it.")
        return self._connection

    def _pragma(self, name: str) -> int | str:
        value: int | str = self.connection.execute(f"PRAGMA {name}").fetchone()[0]
        return value

    def _missing_bytes(self) -> str:
        """Say what SQLite overlooks: that part of the last page is cut off."""
        assert self.path is not None
        size, page = self.path.stat().st_size, int(self._pragma("page_size"))
        return f"its size of {size} bytes is no multiple of {page}" if size % page else ""

    def _not_ours(self) -> StudyError:
        if self.read_only:
            return StudyError(
                f"{str(self.path)!r} is not a polychotomy study; expected a study file, as judge "
                "--study keeps one."
            )
        return StudyError(
            f"{str(self.path)!r} exists and is not a polychotomy study; expected a study file or a "
            "new name. It was left untouched."
        )

    def _damaged(self, complaint: str) -> StudyError:
        return StudyError(
            f"the study {str(self.path)!r} is damaged: {' '.join(complaint.split())}. It was left "
            "untouched. Take a copy from before, or save what can be read with SQLite's own "
            "“.recover”."
        )

    def _unreadable(self, error: sqlite3.DatabaseError) -> StudyError:
        if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            return self._damaged(str(error))
        return StudyError(f"the study {str(self.path)!r} cannot be read: {error}. Try again.")

    def _connect_writer(self, schema: str) -> None:
        """Connect for reading and writing; a new file gets its tables."""
        self.close()
        self._stamp = None
        if self.path is not None:
            refuse_network(self.path)
        try:
            self._connection = sqlite3.connect(
                ":memory:" if self.path is None else self.path,
                isolation_level=None,
                timeout=_PATIENCE,
            )
            self._connection.execute("PRAGMA synchronous = FULL")
            if not self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                self._create(schema)
            if self.path is not None:
                self._connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error as error:
            self.close()
            remedy = (
                "Make room, or keep it in another folder."
                if getattr(error, "sqlite_errorname", "").startswith(_FULL)
                else "Expected a file that can be written, in a folder that exists."
            )
            raise StudyError(
                f"cannot open the study {str(self.path)!r}: {error}. {remedy}"
            ) from error

    def _create(self, schema: str) -> None:
        """Write the header and the tables in one transaction, in the file itself.

        Only after that is the write-ahead log switched on: a log that outlives its writer must not
        hold the header by which the file is known.
        """
        self.connection.executescript(
            f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; "
            f"{schema} COMMIT;"
        )

    def read(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Return what a question to the connection gives, asked again if the file changed.

        Only a reader of a study at rest, which has no lock, can see it change.
        """
        while True:
            try:
                answer = ask(self.connection)
            except sqlite3.DatabaseError as error:
                if not self._is_outdated():
                    raise self._unreadable(error) from error
            else:
                if not self._is_outdated():
                    return answer
            self.close()
            self._connect_reader()

    def _is_outdated(self) -> bool:
        return self._stamp is not None and self._stamp != _stamp(self.path)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all of it or nothing; on a full disk, say how much is safe."""
        if self.read_only:
            raise StudyError(f"the study {str(self.path)!r} was opened to be read only.")
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                self._roll_back()
                raise
            self.connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            self._roll_back()
            raise self._stopped(error) from error

    def _roll_back(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def _stopped(self, error: sqlite3.OperationalError) -> StudyError:
        try:
            kept = self.connection.execute("SELECT count(*) FROM trials").fetchone()[0]
        except sqlite3.Error:
            kept = "all committed"
        name = getattr(error, "sqlite_errorname", "")
        reason = (
            "there is no room left on the disk, or a limit on the size of files is reached; make "
            "room and run the same study again, it goes on from there"
            if name.startswith(_FULL)
            else "nothing that was recorded is lost"
        )
        return StudyError(
            f"stopped safely, {kept} results kept in {str(self.path)!r}: {error} ({reason})."
        )

    def close(self, *, empty_log: bool = False) -> None:
        """Close the connection. The last writer folds the log into the file and deletes it.

        Parameters
        ----------
        empty_log : bool
            Fold it in also where a reader keeps it from being deleted; for the driver only.
        """
        connection, self._connection = self._connection, None
        if connection is not None:
            with closing(connection), suppress(sqlite3.Error):  # no room: the log waits
                if empty_log:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None


def _answers(connection: sqlite3.Connection) -> bool:
    """Say whether a connection can read at all; what it reads may still be damaged."""
    try:
        connection.execute("PRAGMA application_id")
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        return True
    return True


def _connect(path: Path, options: str) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?{options}"
    try:
        return sqlite3.connect(uri, uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise StudyError(
            f"cannot read the study {str(path)!r}: {error}. Expected a file that can be read."
        ) from error


def _stamp(path: Path | None) -> tuple[int, int, int]:
    """Return what changes when somebody writes: size and time of the file, size of its log."""
    assert path is not None
    try:
        found = path.stat()
    except FileNotFoundError:
        raise StudyError(f"the study {str(path)!r} is gone; expected the file to stay.") from None
    return found.st_size, found.st_mtime_ns, _size(Path(f"{path}-wal"))


def _is_unborn(path: Path) -> bool:
    """Whether a file's maker was killed in its first transaction: it is empty once rolled back.

    SQLite's rollback journal begins with eight magic bytes; after two numbers comes the size that
    the data base had before, in pages.
    """
    try:
        head = Path(f"{path}-journal").read_bytes()[:20]
    except OSError:
        return False
    return head.startswith(bytes.fromhex("d9d505f920a163d7")) and head[16:20] == bytes(4)


def _size(path: Path) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def close_study(file: StudyFile, locks: list[Lock]) -> None:
    """Close a study's file and give up every lock on it; ``locks`` is empty afterwards."""
    file.close(empty_log=any(lock.is_held for lock in locks))
    while locks:
        locks.pop().release()


def let_go(file: StudyFile, locks: list[Lock], owner: int) -> None:
    """Close what a forgotten ledger held, unless this is a copy of the process that opened it.

    Parameters
    ----------
    owner : int
        The process that opened it.
    """
    if os.getpid() == owner:
        with suppress(sqlite3.Error):  # forgotten in another thread: SQLite closes it by itself
            file.close(empty_log=any(lock.is_held for lock in locks))
        close_study(file, locks)
