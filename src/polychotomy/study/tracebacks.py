"""Tracebacks of failed fits as their authors need them, the same on every machine."""

from __future__ import annotations

import traceback
from pathlib import Path

_HERE = Path(__file__).parent
_INSTALLED = ("site-packages", "dist-packages")


def describe(error: BaseException) -> str:
    """Return the traceback without the study's own frames, and without the folders of an install.

    Examples
    --------
    >>> from polychotomy.study.tracebacks import describe
    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as error:
    ...     print(describe(error).splitlines()[-1])
    ZeroDivisionError: division by zero
    """
    whole = traceback.TracebackException.from_exception(error)
    link: traceback.TracebackException | None = whole
    while link is not None:
        _tidy(link.stack)
        link = link.__cause__ or link.__context__
    return "".join(whole.format())


def _tidy(stack: traceback.StackSummary) -> None:
    frames = [frame for frame in stack if Path(frame.filename).parent != _HERE]
    for frame in frames:
        _ = frame.line  # read while the file can still be found
        frame.filename = _shorten(frame.filename)
    stack[:] = frames


def _shorten(filename: str) -> str:
    """Name a file from its package on: ``sklearn/svm/_base.py``."""
    path = Path(filename)
    if path.is_relative_to(_HERE.parent):
        return path.relative_to(_HERE.parent.parent).as_posix()
    for at in range(len(path.parts) - 1, -1, -1):
        if path.parts[at] in _INSTALLED:
            return Path(*path.parts[at + 1 :]).as_posix()
    return filename
