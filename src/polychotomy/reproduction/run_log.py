"""Runs that are no fits of a study, kept as lines of a file, so that a later call goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from polychotomy.core.exceptions import StudyError
from polychotomy.study.ledger.file_system import Lock

Values = dict[str, Any]


class RunLog:
    r"""Results of runs by key: JSON lines in a file, the specification first; or in memory.

    A line that a crash left unfinished is dropped. Keys are tuples of text and whole numbers. Only
    one process may have a file at a time.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "runs")
    >>> with RunLog(path, {"paper": "t96"}) as log:
    ...     log.put((0, "LDF"), {"error": 0.2}, seconds=1.5)
    >>> with RunLog(path, {"paper": "t96"}) as again:
    ...     again.get((0, "LDF")), again.seconds
    ({'error': 0.2}, 1.5)
    >>> folder.cleanup()
    """

    def __init__(self, path: Path | None, specification: Mapping[str, Any]) -> None:
        self._path = path
        self._found: dict[str, Values] = {}
        self._lock: Lock | None = None
        self.seconds = 0.0
        if path is None:
            return
        _create(path)
        self._lock = Lock(path)
        try:
            self._begin(path, dict(specification))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes have the file."""
        if self._lock is not None:
            self._lock.release()

    def _begin(self, path: Path, specification: dict[str, Any]) -> None:
        if self._lock is not None and not self._lock.is_held:
            raise StudyError(
                f"{str(path)!r} is being written by another process. Wait until it has finished, "
                "or stop it."
            )
        if path.stat().st_size:
            self._read(path, specification)
        else:
            path.write_text(json.dumps(specification) + "\n", encoding="utf-8")

    def __contains__(self, key: tuple[str | int, ...]) -> bool:
        return _name(key) in self._found

    def get(self, key: tuple[str | int, ...]) -> Values:
        """Return what a run gave."""
        return self._found[_name(key)]

    def put(self, key: tuple[str | int, ...], values: Values, *, seconds: float) -> None:
        """Keep what a run gave, and what it cost."""
        self._found[_name(key)] = values
        self.seconds += seconds
        if self._path is not None:
            line = json.dumps({"key": list(key), "values": values, "seconds": round(seconds, 4)})
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")

    def hold_to(self, data: Mapping[str, str]) -> None:
        """Note the digest of each data set at its first use; refuse another one afterwards.

        Examples
        --------
        >>> log = RunLog(None, {"paper": "mst09"})
        >>> log.hold_to({"sonar": "2f0c"})
        >>> log.hold_to({"sonar": "91ab"})
        Traceback (most recent call last):
        ...
        polychotomy.core.exceptions.StudyError: the runs kept so far are of another data set \
'sonar'; expected the same data. Give a new file.
        """
        for name, digest in data.items():
            key = ("data", name)
            if key not in self:
                self.put(key, {"digest": digest}, seconds=0.0)
            elif self.get(key)["digest"] != digest:
                raise StudyError(
                    f"the runs kept so far are of another data set {name!r}; expected the same "
                    "data. Give a new file."
                )

    def _read(self, path: Path, asked: dict[str, Any]) -> None:
        head, *lines = _whole_lines(path)
        stored = _parse(head)
        if stored is None or "paper" not in stored:
            raise StudyError(
                f"{str(path)!r} exists and holds no runs of a reproduction; expected such a file "
                "or a new name. It was left untouched."
            )
        for part in sorted(stored.keys() | asked.keys()):
            if stored.get(part) != json.loads(json.dumps(asked.get(part))):
                raise StudyError(
                    f"{str(path)!r} was made with {part} {stored.get(part)!r}, now "
                    f"{asked.get(part)!r}; expected the same. Give a new file."
                )
        for line in lines:
            record = _parse(line)
            if record is not None:
                self._found[_name(tuple(record["key"]))] = record["values"]
                self.seconds += record["seconds"]


def _create(path: Path) -> None:
    try:
        path.touch()
    except OSError as error:
        raise StudyError(
            f"cannot write {str(path)!r}: {error.strerror}. Choose a folder that exists and can be "
            "written."
        ) from error


def _whole_lines(path: Path) -> list[str]:
    """Lines of the file; an unfinished last one is cut off the file itself."""
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole and len(whole) < len(data):
        path.write_bytes(whole)
    return whole.decode("utf-8", errors="replace").splitlines() or [""]


def _parse(line: str) -> Values | None:
    try:
        found = json.loads(line)
    except json.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _name(key: tuple[str | int, ...]) -> str:
    return json.dumps(list(key))
