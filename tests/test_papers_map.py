"""docs/papers.md names only code and tests that exist, and something for every paper."""

import ast
import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "papers.md").read_text()
SECTIONS = dict(re.findall(r"^## (\w+) .*?\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
CODE = sorted(set(re.findall(r"`(polychotomy(?:\.\w+)+)`", TEXT)))
TESTS = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TEXT)))


def find(dotted):
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        break
    for name in parts[length:]:
        found = getattr(found, name, None)
    return found


def test_code_exists():
    assert len(CODE) > 50
    assert not [dotted for dotted in CODE if find(dotted) is None]


def test_tests_exist():
    assert len(TESTS) > 50
    for path, name in TESTS:
        assert (ROOT / path).exists(), path
        tree = ast.parse((ROOT / path).read_text())
        functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert not name or name in functions, f"{path}::{name}"


def test_every_paper_has_code_and_tests():
    for paper in ("HT98", "M24", "MST09", "T96", "YA06"):
        assert "`polychotomy." in SECTIONS[paper], paper
        assert "`tests/" in SECTIONS[paper], paper
