"""The study file: opened with care, read without harm, written in whole batches, and watched.

What is not ours, newer or damaged is found through a connection that cannot write, before any
other is opened; such files stay as they are, byte for byte. Nothing that an edited file defines is
ever run: a table that is not one of ours, a view or a trigger is refused before it is asked.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from polychotomy.core.exceptions import StudyError, StudyStopped
from polychotomy.study.ledger import rows
from polychotomy.study.ledger.file_system import Lock, identify, is_writable, refuse_network

APPLICATION_ID = 0x504F4C59  # "POLY", in the file's header

FORMAT = 4

_BESIDE = ("-wal", "-shm")  # the log and its index

_PATIENCE = 60.0  # seconds that a writer waits for readers before it gives up

_TABLES = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"

_FULL = ("SQLITE_FULL", "SQLITE_IOERR")  # no room, or a limit of the system on what we may write


# What reading a damaged file may raise: sqlite3 cannot even decode some of SQLite's own messages.
_ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError, OverflowError)

Answer = TypeVar("Answer")


class StudyFile:
    """A connection to a study file, or to memory.

    Parameters
    ----------
    path : path or None
        None keeps everything in memory.
    read_only : bool
        Look only: no lock that would stop a driver, no file created, nothing written.
    """

    def __init__(self, path: Path | None, *, read_only: bool) -> None:
        there = path is not None and (_size(path) > 0 or read_only) and not _is_unborn(path)
        self.path = path
        self.cannot_write = there and path is not None and not is_writable(path)
        self.read_only = read_only or self.cannot_write
        self.index_is_damaged = False
        self.log_is_lost = False
        self._connection: sqlite3.Connection | None = None
        self._stamp: tuple[int, int, int] | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._identity: tuple[int, int] | None = None
        self._beside: dict[Path, tuple[int, int] | None] = {}
        self._stopped_by: StudyError | None = None
        if there or read_only:
            self._connect_reader()
            self._refuse_strangers()
            if not _log_of(self.path).exists():
                self.log_is_lost = bool(self.read(rows.read_facts).get("open"))
        if not self.read_only:
            self.reopen()

    def _connect_reader(self) -> None:
        """Connect without creating a file, whatever a driver is doing or has left behind."""
        assert self.path is not None
        log, shared = _log_of(self.path), Path(f"{self.path}-shm")
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

    def _refuse_strangers(self) -> None:
        """Refuse what is no study of this format, was edited, or is damaged past reading."""
        try:
            complaint = self._find_complaint()
        except _ERRORS as error:
            foreign = getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB"
            complaint = self._not_ours() if foreign else self._damaged(str(error))
        if complaint is not None:
            self.close()
            raise complaint

    def _find_complaint(self) -> StudyError | None:
        if self._pragma("application_id") != APPLICATION_ID:
            return self._not_ours()
        found = self._pragma("user_version")
        if found != FORMAT:
            return StudyError(
                f"{str(self.path)!r} has study format {found}; this version reads format {FORMAT}. "
                "It was left untouched: open it with the version of polychotomy that made it."
            )
        assert self.path is not None
        size, page = _size(self.path), int(self._pragma("page_size"))
        complaint = self._find_edit()
        # SQLite overlooks that a part of the last page is cut off. Beside a log that is no damage:
        # a page that a full disk cut off is in the log as well.
        if size % page and not _size(_log_of(self.path)):
            complaint = f"its size of {size} bytes is no multiple of {page}"
        if not complaint and self._pragma("integrity_check(1)") != "ok":
            # The quick check leaves out the indexes, of which we have one and can do without.
            self.index_is_damaged = True
            checked = self._pragma("quick_check(1)")
            complaint = "" if checked == "ok" else str(checked)
        return self._damaged(complaint) if complaint else None

    def _find_edit(self) -> str:
        """Say what of the file's tables is not as we make it: a view, a trigger, another column."""
        with closing(sqlite3.connect(":memory:")) as model:
            model.executescript(rows.SCHEMA)
            expected = set(model.execute(_TABLES))
        found = set(self.connection.execute(_TABLES))
        strange = sorted(str(row[1])[:60] for row in found - expected) or sorted(
            row[1] for row in expected - found
        )
        return f"its table {strange[0]!r} is not as we made it" if strange else ""

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, which must not have been closed."""
        if self._connection is None:
            raise StudyError(f"the study {str(self.path)!r} is closed; open it again to read it.")
        return self._connection

    def _pragma(self, name: str) -> int | str:
        value: int | str = self.connection.execute(f"PRAGMA {name}").fetchone()[0]
        return value

    def _not_ours(self) -> StudyError:
        return StudyError(
            f"{str(self.path)!r} is not a polychotomy study; expected a study file, as judge "
            "--study keeps one. It was left untouched."
        )

    def _damaged(self, complaint: str) -> StudyError:
        return StudyError(
            f"the study {str(self.path)!r} is damaged: {' '.join(complaint.split())}. It was left "
            "untouched. Take a copy from before, or save what can be read with SQLite's own "
            "“.recover”."
        )

    def _unreadable(self, error: Exception) -> StudyError:
        if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            return self._damaged(str(error))
        return StudyError(f"the study {str(self.path)!r} cannot be read: {error}. Try again.")

    def reopen(self) -> None:
        """Connect anew for reading and writing; a new file gets its tables."""
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
                self._connection.executescript(
                    f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; "
                    f"PRAGMA user_version = {FORMAT}; {rows.SCHEMA} COMMIT;"
                )
            if self.path is not None:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._identity = identify(self.path)
        except sqlite3.Error as error:
            self.close()
            what = f"cannot open the study {str(self.path)!r}: {error}."
            if getattr(error, "sqlite_errorname", "").startswith(_FULL):
                raise StudyStopped(f"{what} Make room, or keep it in another folder.") from error
            raise StudyError(
                f"{what} Expected a file that can be written, in a folder that exists."
            ) from error

    def read(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Return what a question to the connection gives, of one moment of the file.

        It is asked again if the file changed: only a reader of a study at rest, which has no lock,
        can see that.
        """
        while True:
            try:
                answer = self._ask(ask)
            except _ERRORS as error:
                if "decode" in str(error) and self.connection.text_factory is str:
                    # Text that is none: let it through, its digest will tell.
                    self.connection.text_factory = _decode
                    continue
                if not self._is_outdated():
                    raise self._unreadable(error) from error
            else:
                if not self._is_outdated():
                    return answer
            self.close()
            self._connect_reader()

    def _ask(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Ask within a transaction: no answer is half from before, half from after a commit."""
        connection = self.connection
        if connection.in_transaction:
            return ask(connection)
        connection.execute("BEGIN")
        try:
            return ask(connection)
        finally:
            connection.execute("COMMIT")

    def _is_outdated(self) -> bool:
        return self._stamp is not None and self._stamp != _stamp(self.path)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all of it or nothing; on a full disk, say how much is safe."""
        if self._stopped_by is not None:
            raise self._stopped_by
        if self.read_only:
            why = "cannot be written" if self.cannot_write else "was opened to be read only"
            raise StudyError(
                f"the study {str(self.path)!r} {why}, and something is to be recorded. Copy it to "
                "a folder that can be written, and use the copy."
            )
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                self._roll_back()
                raise
            self.connection.execute("COMMIT")
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as error:
            self._roll_back()
            raise self._stopped(error) from error
        self._refuse_replaced()

    def _roll_back(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def _stopped(self, error: sqlite3.Error) -> StudyStopped:
        full = getattr(error, "sqlite_errorname", "").startswith(_FULL)
        reason = "nothing that was recorded is lost"
        if full:
            reason = (
                "there is no room left on the disk, or a limit on the size of files is reached; "
                "make room and run the same study again, it goes on from there"
            )
        return StudyStopped(
            f"stopped safely, {self._count()} results kept in {str(self.path)!r}: {error} "
            f"({reason})."
        )

    def _count(self) -> int | str:
        try:
            n: int = self.connection.execute("SELECT count(*) FROM trials").fetchone()[0]
        except sqlite3.Error:
            return "all committed"
        return n

    def _refuse_replaced(self) -> None:
        """Stop if the file at our path is no longer the one that we write.

        The system keeps a file that was removed as long as somebody has it open, so that all of it
        can still be copied; the log with it.
        """
        if self.path is None:
            return
        beside = {name: identify(name) for name in (Path(f"{self.path}{s}") for s in _BESIDE)}
        if identify(self.path) == self._identity:
            self._beside = beside
            return
        for folder in (self.path.parent, Path(tempfile.gettempdir())):
            there = _unused(folder / f"{self.path.name}-rescued")
            with suppress(sqlite3.Error), closing(sqlite3.connect(there)) as copy, copy:
                self.connection.backup(copy)
                rows.write_facts(copy, {"open": False})
                break
        for name, found in beside.items():  # SQLite would play our log into whatever comes next
            if found is not None and found == self._beside.get(name):
                name.unlink()
        self._stopped_by = StudyStopped(
            f"the study {str(self.path)!r} was removed, renamed or replaced while it was written. "
            f"All {self._count()} results are in {str(there)!r}: give it the name that you want "
            "and run the same study again, it goes on from there."
        )
        raise self._stopped_by

    def checkpoint(self) -> None:
        """Fold the log into the file."""
        if not self.read_only and self._connection is not None:
            with suppress(sqlite3.Error):  # no room: the log waits
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def is_written(self) -> bool:
        """Whether it is open, and not only to be read."""
        return self._connection is not None and not self.read_only

    def close(self) -> None:
        """Close the connection. The last writer folds the log into the file and deletes it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None


def _log_of(path: Path | None) -> Path:
    return Path(f"{path}-wal")


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _unused(path: Path) -> Path:
    """Return a path that is not there, with a number if need be."""
    numbered = (path.with_name(f"{path.name}-{number}") for number in itertools.count(2))
    return next(one for one in itertools.chain([path], numbered) if not one.exists())


def _answers(connection: sqlite3.Connection) -> bool:
    """Say whether a connection can read at all; what it reads may still be damaged."""
    try:
        connection.execute("PRAGMA application_id")
    except sqlite3.DatabaseError as error:
        return not isinstance(error, sqlite3.OperationalError)
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
    return found.st_size, found.st_mtime_ns, _size(_log_of(path))


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
    """Close a study's file and give up every lock on it; ``locks`` is empty afterwards.

    Whoever closes it last, driver or not, writes down that nothing is left in the log.
    """
    if file.is_written and file.path is not None:
        if not any(lock.is_held for lock in locks) and file.path.exists():
            locks.append(Lock(file.path))
        if any(lock.is_held for lock in locks):
            file.checkpoint()  # which makes room for the next line where there was none
            with suppress(StudyError, sqlite3.Error):  # none at all: the log waits
                if file.read(rows.read_facts).get("open"):
                    with file.transaction() as connection:
                        rows.write_facts(connection, {"open": False})
            file.checkpoint()  # also where a reader keeps the log from being deleted
    file.close()
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
        try:
            close_study(file, locks)
        except sqlite3.ProgrammingError:  # forgotten in another thread: SQLite closes it by itself
            with suppress(StudyError):
                file.reopen()
            close_study(file, locks)
