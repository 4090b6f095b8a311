"""A page on a paper says first what it claims, whether that holds, and when to use it."""

import csv
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "pairwise_coupling": "ht98",
    "orthogonal_codes": "m24",
    "multitest": "ya06",
    "rank_margin": "mst09",
    "error_budget": "t96",
}
DEFINED = {
    "pairwise_coupling": ["*simplex*", "*score equations*", "the logit $d_{ij}", "*out of fold*"],
    "orthogonal_codes": [
        "$l$ rows",
        "*simplex*",
        "**uncertainty coefficient** $U",
        "$\\pi_c$ the share",
    ],
    "multitest": ["**Newman–Keuls**", "$L$ is the number", "**TestFirst**", "**Looney's $F$**"],
    "rank_margin": ["**AUC**", "*RankBoost*", "*Modest AdaBoost*", "$N^+$ positives"],
    "error_budget": [
        "**Lemma 1**",
        "**Q1**",
        "**Q2**",
        "**Q3**",
        "$C_0$ the best",
        "$E$ the mean",
        "*Breiman* (eq. 47)",
    ],
}


def text(page):
    return " ".join((DOCS / "science" / f"{page}.md").read_text(encoding="utf-8").split())


def short(page):
    return text(page).partition("## In short")[2].partition("## The idea")[0]


def cells(paper, table):
    with (DOCS / "results" / f"{paper}.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == table]
    return {(row["row"], row["column"]): row for row in rows}


@pytest.mark.parametrize("page", PAGES)
def test_conclusions_come_first_and_every_page_has_an_example_by_hand(page):
    first = text(page).index("## In short")
    assert first == text(page).index("## ")
    said = [short(page).index(word) for word in ("**It claims**", "hold", "**Use")]
    assert said == sorted(said)
    assert f"/results/{PAGES[page]}`" in short(page)
    assert re.search(r"By hand", text(page))
    for term in DEFINED[page]:
        assert term in text(page), term


def test_how_often_coupling_wins():
    shares = cells("ht98", "What the text claims")
    share = float(shares["figure 2", "coupling does substantially better than max-wins"]["ours"])
    assert "one of eight" in short("pairwise_coupling")
    assert round(1 / share) == 8
    for column in ("max-wins performs better than LDA", "coupling performs better than LDA"):
        assert 0.7 < float(shares["figure 1", column]["ours"]) < 0.85
    assert "three of four random problems" in short("pairwise_coupling")


def test_how_often_tests_name_nobody():
    shares = cells("ya06", "Table 3, percent")
    keuls, first = (float(shares[m, "not found"]["ours"]) for m in ("Newman-Keuls", "TestFirst"))
    assert f"Newman–Keuls fails in {keuls:.1f} %, TestFirst in {first:.0f} %" in short("multitest")


def test_who_is_ahead_of_the_rank_margin():
    aucs = cells("mst09", "Table 2")
    ahead = sum(
        float(aucs[name, "SVM"]["ours"]) > float(aucs[name, "RankMargin"]["ours"])
        for name, rule in aucs
        if rule == "SVM"
    )
    assert ahead == 9
    assert "the machine is ahead on nine of ten" in short("rank_margin")


def test_how_near_the_estimated_variance_is():
    true, estimate = cells("t96", "Table 2, True value"), cells("t96", "Table 2, Estimate")
    away = [
        abs(float(true[place]["ours"]) - float(estimate[place]["ours"]))
        for place in estimate
        if place[1] == "Var(C)"
    ]
    assert f"within {max(away):.3f} of the truth" in short("error_budget")


def test_where_the_two_codes_are_as_accurate():
    accuracy = cells("m24", "Table 1")
    near = sum(
        abs(
            float(accuracy[name, "1 vs. 1, accuracy"]["ours"])
            - float(accuracy[name, "ortho., accuracy"]["ours"])
        )
        <= 0.0035
        for name in {row for row, _ in accuracy}
    )
    assert near == 5
    assert "accuracy too on five of six sets" in short("orthogonal_codes")


def test_what_pages_say_of_settling_runs():
    again = (DOCS / "results" / "ya06_again.md").read_text(encoding="utf-8")
    same = re.search(r"^\| 300 steps \| \d+ \| \d+ \| \d+ \| (\d+) \|", again, flags=re.M)[1]
    assert f"the printed learner in {same} of 90 cells" in text("multitest")
    steps = (DOCS / "results" / "mst09_steps.md").read_text(encoding="utf-8")
    differ = re.search(r"Of the (\d+) AUCs .* more steps settle 0\.", steps)[1]
    assert f"Of the {differ} AUCs that differ" in " ".join((DOCS / "papers.md").read_text().split())
