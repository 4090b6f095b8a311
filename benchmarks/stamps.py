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

import numpy as np

from polychotomy.comparison import compare_cases
from polychotomy.verdict.choosing import STEADY, chooser, steadiness
from polychotomy.verdict.question import Question

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


def choice_answers(tables: int = 60) -> np.ndarray:
    """Who is chosen by default on tables dealt at random, and whether that is steady, (2, tables).

    What stands around the rule in its modules changes with every line that moves: its answers do
    not.
    """
    rng, found = np.random.default_rng(21), []
    for at in range(tables):
        n, rate = (100, 300)[at % 2], (0.03, 0.15, 0.4)[at % 3]
        wrong = (rng.random((6, 1 + at % 2, n)) < rate * rng.uniform(0.7, 1, (6, 1, 1))).astype(
            float
        )
        wrong[0] = np.arange(n) < rate * n  # a guess
        margin = (question := Question(guessing=rate)).smallest_difference
        worse = np.array(compare_cases(wrong, margin=margin).answers, dtype=object) == "worse"
        choose = chooser(question, beaten=np.triu(worse))
        folds = wrong.reshape(*wrong.shape[:2], n // 5, 5).mean(axis=2)
        found.append([choose(folds[None])[0], steadiness(folds, wrong, choose) >= STEADY])
    return np.array(found).T


def choice_stamp() -> str:
    """Line for a page that rests on the rule of choice."""
    answers = choice_answers().astype(np.int8).tobytes()
    return f"<!-- measured who is chosen {hashlib.sha256(answers).hexdigest()[:12]} -->"


def outdated(page: Path) -> list[str]:
    """Modules that have changed since the page measured them."""
    found = STAMP.findall(page.read_text(encoding="utf-8"))
    return [one for one, stamp in found if code_hash(SOURCE / one) != stamp]
