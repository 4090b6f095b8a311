"""docs/json_schema.md names the keys that a verdict's JSON has, neither more nor fewer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from polychotomy import judge
from polychotomy.verdict.many import unite_verdicts

PAGE = (Path(__file__).parents[1] / "docs/json_schema.md").read_text(encoding="utf-8")


def documented(section):
    """What the table of a section says of each key."""
    text = PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", text, flags=re.MULTILINE)
    return {key: said for names, said in rows for key in re.findall(r"`(\w+)`", names)}


def check_keys_within(key, said, value):
    """Where a value is a dict or a list of such, its keys are named in braces."""
    braces = re.search(r"`\{(.*?)\}`", said)
    found = value[0] if isinstance(value, list) and value else value
    if braces and found:  # else null here, or an empty list
        names = {name.strip() for name in braces[1].split(",")}
        assert names - {"…"} <= set(found), key
        assert "…" in names or names == set(found), key


def test_the_page_names_the_keys_that_there_are():
    candidates = {"naive Bayes": GaussianNB(), "neighbours": KNeighborsClassifier()}
    iris, wine = (
        judge(candidates, *load(return_X_y=True), dataset=name, anatomy=False, against="neighbours")
        for name, load in (("iris", load_iris), ("wine", load_wine))
    )
    document, page = iris.to_dict(), documented("One table")
    assert set(page) == set(document)
    for key, said in page.items():
        check_keys_within(key, said, document[key])
    ordering = " ".join(PAGE.split()).partition("`ordering` has ")[2].partition(" ## ")[0]
    assert set(document["ordering"]) <= set(re.findall(r"`(\w+)`", ordering))
    many = unite_verdicts([iris, wine], problems=[], provenance={"fingerprint": "", "command": ""})
    assert set(many.to_dict()) == set(documented("Many tables"))


def test_a_wrong_page_would_be_seen():
    with pytest.raises(AssertionError):
        check_keys_within("gate", "`{challenger, passed}`", {"challenger": "a"})
    with pytest.raises(AssertionError):
        check_keys_within("failures", "list of `{candidate}`", [{"candidate": "a", "run": 0}])
