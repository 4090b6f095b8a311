"""Warnings and errors as text, whatever their authors have made of them."""

from __future__ import annotations

import re
import traceback
import warnings
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent

_MOST = 20  # warnings of a fit that are kept: some number each of their steps

_name_of = type.__dict__["__name__"].__get__  # also where a metaclass has another one


def recorded_warnings() -> Any:
    """Record every warning in the meantime, whatever filters there are."""
    return warnings.catch_warnings(record=True, action="always")


def say_warnings(caught: list[warnings.WarningMessage]) -> list[str]:
    """Return warnings as text, each once, and of very many the first."""
    texts = sorted({say(one.category, one.message)[:500] for one in caught})
    more = [f"UserWarning: {len(texts) - _MOST} other warnings"] if len(texts) > _MOST else []
    return texts[:_MOST] + more


def say(kind: type, message: object) -> str:
    """Return a type and a message, even if the message will not be text or cannot be written."""
    name = _name_of(kind)
    try:
        text = f"{name}: {str(message).strip()}".strip()  # searches begin by a line break
    except BaseException as error:
        text = f"{name}, whose message cannot be had: {_name_of(type(error))}"
    return writable(text)


def writable(text: str) -> str:
    r"""Return text that can be encoded: half of a surrogate pair is written as its number.

    Examples
    --------
    >>> writable("caf\udce9")
    'caf\\udce9'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def describe(error: BaseException) -> str:
    """Return the traceback without the study's own frames, and without the folders of an install.

    Examples
    --------
    >>> from polychotomy.study.fitting.causes import describe
    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as error:
    ...     print(describe(error).splitlines()[-1])
    ZeroDivisionError: division by zero
    """
    try:
        whole = traceback.TracebackException.from_exception(error)
        link: traceback.TracebackException | None = whole
        while link is not None:
            _tidy(link.stack)
            link = link.__cause__ or link.__context__
        return writable("".join(whole.format()))
    except BaseException:  # whatever the error's own methods do
        return "the traceback cannot be had"


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
    return re.sub(r".*[\\/](site|dist)-packages[\\/]", "", filename)
