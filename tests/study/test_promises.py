"""The page of promises names tests that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "promises.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


def test_the_page_names_tests():
    assert len(NAMED) > 20
    assert PAGE.count("::") == len(re.findall(r"`tests/[\w/]+\.py::\w+`", PAGE))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_named_test_exists(file, name):
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text(), flags=re.MULTILINE)
