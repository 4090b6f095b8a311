"""Which version of a rule a page has measured: a hash of its source, written into the page.

A page of results carries ``<!-- certifies PATH HASH -->`` for every module that makes what it
measured; a test fails where the code has changed since. Comments and docstrings do not count.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "polychotomy"
STAMP = re.compile(r"<!-- certifies (\S+) ([0-9a-f]{12}) -->")


def code_hash(path: Path) -> str:
    """Hash of the lines with code on them: the same for every version of Python."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # a docstring
            for at in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[at] = ""
    code = [line.rstrip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return hashlib.sha256("\n".join(code).encode()).hexdigest()[:12]


def stamps(modules: Iterable[str]) -> str:
    """Lines for the top of a page."""
    return "\n".join(f"<!-- certifies {one} {code_hash(SOURCE / one)} -->" for one in modules)


def outdated(page: Path) -> list[str]:
    """Modules that have changed since the page measured them."""
    found = STAMP.findall(page.read_text(encoding="utf-8"))
    return [one for one, stamp in found if code_hash(SOURCE / one) != stamp]
