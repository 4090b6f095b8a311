"""One budget, and one Ctrl-C, for all tables of a folder."""

import numpy as np
import pandas as pd
import pytest

from polychotomy.app import Request, judge_request, judging
from polychotomy.core.exceptions import InvalidInput
from polychotomy.verdict.conclusions import NoVerdictYet

CANDIDATES = """
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

candidates = {"MAX": DummyClassifier(), "NB": GaussianNB()}
"""


@pytest.fixture
def request_of(tmp_path, monkeypatch):
    """Three tables; the first by name is the dearest."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tables").mkdir()
    (tmp_path / "mine.py").write_text(CANDIDATES)
    rng = np.random.default_rng(0)
    for name, n in (("a", 400), ("b", 60), ("c", 60)):
        rows = pd.DataFrame(rng.normal(size=(n, 200 if name == "a" else 2)))
        rows["kind"] = np.where(rows[0] > 0, "yes", "no")
        rows.to_csv(tmp_path / "tables" / f"{name}.csv", index=False)
    common = {"target": "kind", "candidates": str(tmp_path / "mine.py"), "plan": "1x2"}
    common |= {"table": tmp_path / "tables", "anatomy": False, "jobs": 1}
    return lambda **given: Request(**common | given)


def watch(monkeypatch, end=None):
    """Note the budget with which each table is judged; end one of them in another way."""
    found, draw = {}, judging.draw_verdict

    def drawn(single, one, ledger, **running):
        found[one.study.dataset] = one.budget
        if len(found) == 2 and end is not None:
            raise end
        return draw(single, one, ledger, **running)

    monkeypatch.setattr(judging, "draw_verdict", drawn)
    return found


def test_each_table_gets_its_part_of_what_is_left(request_of, monkeypatch):
    found = watch(monkeypatch)
    judged = judge_request(request_of(budget="90s"))
    assert [one.dataset["name"] for one in judged.verdict.verdicts] == ["a", "b", "c"]
    first, second, third = found.values()
    assert list(found)[-1] == "a"  # the dearest gets what the others leave
    assert first <= 30
    assert first < second < third < 90


@pytest.mark.parametrize("end", [NoVerdictYet("its 9 s are over"), KeyboardInterrupt()])
def test_one_without_a_verdict_is_named_and_whoever_stops_gets_the_others(
    request_of, monkeypatch, end
):
    found = watch(monkeypatch, end)
    judged = judge_request(request_of(budget="90s"))
    stopped = isinstance(end, KeyboardInterrupt)
    assert judged.stopped == stopped
    assert len(judged.verdict.verdicts) == (1 if stopped else 2)
    lost = {one.table: one.cause for one in judged.verdict.problems}
    assert lost[list(found)[1]] == ("somebody stopped it" if stopped else "its 9 s are over")
    assert len(lost) == (2 if stopped else 1)


def test_budgets_of_their_own_are_refused(request_of, tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[[tables]]\npath = "tables/a.csv"\nbudget = "9s"\n[[tables]]\npath = "tables/b.csv"\n'
    )
    with pytest.raises(InvalidInput, match="expected one, of all together"):
        judge_request(request_of(table=plan))
