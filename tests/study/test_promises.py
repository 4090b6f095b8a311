"""The page of promises names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "promises.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


def test_the_page_names_tests():
    assert len(NAMED) > 20
    assert PAGE.count("::") == len(re.findall(r"`tests/[\w/]+\.py::\w+`", PAGE))


def test_every_named_test_exists():
    for file, name in NAMED:
        text = (ROOT / file).read_text()
        assert re.search(rf"^def {name}\(", text, flags=re.MULTILINE), (file, name)
