"""The page over several tables: counts, ranks and every table's sentences, computed again."""

import re

import numpy as np
import pytest
from all_sentences import unwrapped
from page_numbers import agree, numbers_of
from page_reading import Page, value
from page_words import check
from scipy import stats

pytestmark = pytest.mark.long  # tests/verdict/test_verdict_many.py asks the same of two tables
NAMES = ["MAX", "1-NN", "LDA", "tree"]


@pytest.fixture(scope="module")
def many(many_worlds):
    return many_worlds[0]


@pytest.fixture(scope="module")
def page(many):
    return Page(many.to_html())


@pytest.fixture(scope="module")
def losses(many_worlds):
    """Mean error of every candidate on every table, (tables, candidates)."""
    return np.array([world.r.means for world in many_worlds[1]])


@pytest.fixture(scope="module")
def ranks(losses):
    return np.array([stats.rankdata(row) for row in losses]).mean(axis=0)


@pytest.fixture(scope="module")
def holm(losses, ranks):
    """Every candidate against that of the best mean rank, two-sided, by Holm's steps."""
    n, m = losses.shape
    first = int(ranks.argmin())
    z = np.abs(ranks - ranks[first]) / np.sqrt(m * (m + 1) / (6 * n))
    raw = {i: 2 * stats.norm.sf(z[i]) for i in range(m) if i != first}
    adjusted, worst = {}, 0.0
    for step, i in enumerate(sorted(raw, key=raw.get)):
        worst = max(worst, min(1.0, (m - 1 - step) * raw[i]))
        adjusted[i] = worst
    return first, adjusted


def friedman(losses):
    n, m = losses.shape
    chi, p = stats.friedmanchisquare(*losses.T)
    f = (n - 1) * chi / (n * (m - 1) - chi)
    dfs = m - 1, (m - 1) * (n - 1)
    return [n, chi, m - 1, p, f, *dfs, stats.f.sf(f, *dfs)]


def wins(many_worlds):
    chosen = [world.name for world in many_worlds[1]]
    return {name: chosen.count(name) for name in NAMES}


def leader(world):
    """Who has the lowest mean, if every other is shown to be worse, all pairs counted by Holm."""
    first, m = int(np.argmin(world.r.means)), world.r.m
    p = {}
    for i in range(m):
        for j in range(i):
            d, scale = world.r.unit_differences(i, j)
            p[i, j] = 2 * stats.t.sf(abs(d.mean()) / scale, d.size - 1)
    told = set()
    for step, pair in enumerate(sorted(p, key=p.get)):
        if p[pair] * (len(p) - step) > 0.05:
            break
        told.add(pair)
    return first if sum(first in pair for pair in told) == m - 1 else None


def test_every_sentence(many, many_worlds, losses, ranks, holm, page):
    won = wins(many_worlds)
    most = max(won.values())
    first, adjusted = holm
    for one in many.sentences():
        assert one.text in page.sentences()
        assert one.basis in page.words["tip"]
        if "chosen most often" in one.text:
            leaders = [name for name in NAMES if won[name] == most]
            assert one.text.startswith(leaders[0])
            assert all(name in one.text for name in leaders)
            agree(one.text, [most, 3], NAMES)
            agree(one.basis, list(won.values()), NAMES)
            assert page.words["h1"] == [f"Most often: {', '.join(leaders)}."]
        elif "is shown to be better than all others" in one.text:
            shown = [f"{NAMES[i]} on {w.verdict['dataset']['name']}"
                     for w in many_worlds[1] if (i := leader(w)) is not None]  # fmt: skip
            assert all(name in one.text for name in shown)
            agree(one.text, [3, *([len(shown)] if shown else [])], NAMES)
            agree(one.basis, [0.05], NAMES)
        else:
            assert f"{NAMES[first]} has the best mean rank" in one.text
            worse, apart = (
                {NAMES[i] for i, p in adjusted.items() if (p <= 0.05) == said}
                for said in (True, False)
            )
            parts = re.split("; ", one.text)[1:]
            for part in parts:
                told = {name for name in NAMES if name in part}
                assert told == (worse if "shown to be worse" in part else apart)
            farthest = (4 - 1) / np.sqrt(4 * 5 / (6 * 3))
            least = [3, 6 * stats.norm.sf(farthest)] if "smallest such p" in one.text else []
            agree(one.text, least, NAMES)
            ordered = [adjusted[i] for i in range(4) if i != first]
            agree(one.basis, [*friedman(losses), *ranks, *ordered], NAMES)


def test_every_table_of_its_own(page, many_worlds):
    _, found = many_worlds
    for world in found:
        name = world.verdict["dataset"]["name"]
        rows = page.table(f"The verdict on {name}")
        top = [(one.text, one.basis) for one in world.said.top()]
        assert [(r["sentence"][0], r["what it rests on"][0]) for r in rows] == top
        for text, basis in top:
            check(world, text, basis, NAMES)


def test_the_means_and_who_is_chosen(page, many_worlds, losses):
    rows = page.table("Mean error of every candidate on every table")
    drawn = page.csv["tables"]
    for row, world, means in zip(rows, many_worlds[1], losses, strict=True):
        assert row["use"][0] == world.name
        assert int(value(row["rows"])) == world.r.n
        assert int(value(row["classes"])) == world.r.k
        assert int(value(row["columns"])) == world.verdict["dataset"]["columns"]
        other = world.verdict["other_rule"]["best"]
        said = next(
            s["text"] for s in world.verdict["sentences"] if "would have chosen" in s["text"]
        )
        assert row["by MultiTest"][0] == other
        assert other in said or "the same" in said  # recomputed with every sentence of its kind
        own = drawn[drawn["table"] == row["table"][0]].set_index("candidate")
        for name, mean in zip(NAMES, means, strict=True):
            assert value(row[name]) == pytest.approx(mean, rel=1e-6)
            assert row[name][0] == f"{100 * mean:.1f} %"
            assert float(own.loc[name, "error"]) == pytest.approx(mean, rel=1e-4)
            assert (own.loc[name, "chosen"] == "True") == (name == world.name)


def test_ranks_and_their_critical_difference(page, losses, ranks, holm):
    n, m = losses.shape
    critical = stats.studentized_range.ppf(0.95, m, 1e6) / np.sqrt(2) * np.sqrt(m * (m + 1) / 6 / n)
    drawn = page.csv["ranks"].set_index("candidate").astype(float)
    first, adjusted = holm
    for i, row in enumerate(page.table("Mean ranks, and Holm")):
        assert row["candidate"][0] == NAMES[i]
        assert value(row["mean rank"]) == pytest.approx(ranks[i])
        assert drawn.loc[NAMES[i], "mean_rank"] == pytest.approx(ranks[i], rel=1e-5)
        assert drawn.loc[NAMES[i], "critical_difference"] == pytest.approx(critical, rel=1e-4)
        (cell,) = [cell for head, cell in row.items() if head.startswith("p against")]
        if i != first:
            assert float(cell[1]) == pytest.approx(adjusted[i], rel=1e-6)
    (note,) = [one for one in page.words["note"] if one.startswith("Friedman")]
    agree(note, friedman(losses), [])
    order = np.argsort(ranks, kind="stable")
    (told,) = [one for one in page.words["message"] if one.startswith("Mean ranks")]
    agree(told, [n, *ranks[order], critical], NAMES)


def test_counts_and_facts(page, many_worlds, losses):
    won = wins(many_worlds)
    assert (
        page.csv["wins"].astype({"tables": int}).set_index("candidate")["tables"].to_dict() == won
    )
    (told,) = [one for one in page.words["message"] if one.startswith("Chosen: ")]
    agree(told, [*won.values(), 3], NAMES)
    (big,) = page.words["big"]
    assert [one.value for one in numbers_of(big, [])] == [max(won.values()), 3]
    (eyebrow,) = page.words["eyebrow"]
    fits = sum(len(world.trials) for world in many_worlds[1])
    rows = sum(world.r.n for world in many_worlds[1])
    assert [one.value for one in numbers_of(eyebrow, [])][:4] == [3, 4, rows, fits]
    p = friedman(losses)[-1]
    assert page.words["answer"][0] == ("they differ" if p <= 0.05 else "not shown to differ")
    for text in page.words["title"][1:]:
        name, _, shown = text.rpartition(": ")
        near = losses[:, NAMES.index(name)]
        assert min(abs(near - float(shown.removesuffix(" %")) / 100)) <= 0.00051


def test_json_has_the_same(many, losses, ranks):
    found = many.to_dict()
    np.testing.assert_allclose(found["losses"], losses, rtol=1e-9)
    assert found["wins"] == {name: many.wins[name] for name in NAMES}
    np.testing.assert_allclose(found["friedman"]["mean_ranks"], ranks)
    assert found["friedman"]["iman_davenport_pvalue"] == pytest.approx(friedman(losses)[-1])
    said = [one["text"] for one in found["sentences"]]
    assert all(text in unwrapped(str(many)) for text in said)
    markdown = re.sub(r"\\(.)", r"\1", many.to_markdown()).replace("**", "")
    assert [text for text in said if text.rstrip(".") not in markdown] == []
