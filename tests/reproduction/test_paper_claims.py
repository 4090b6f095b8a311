"""What docs/reproduction.md says of the papers' claims, counted again from the CSV files alone."""

import csv
import math
from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import wilcoxon

from polychotomy.reproduction.cells import Cell
from polychotomy.reproduction.claims import judge_claims
from polychotomy.reproduction.printed import read_printed

DOCS = Path(__file__).parents[2] / "docs"
LISTED = (
    "balance breast car dermatology flare haberman hepatitis mushroom nursery pendigits tictactoe "
    "wave wine zoo"
)
OF_NUMBERS = (
    "breast bupa ecoli glass haberman iris ionosphere optdigits pendigits pima segment spambase "
    "wave wine yeast"
)
PAPERS = ("ya06", "m24", "mst09", "t96", "ht98")


def rows(paper):
    with (DOCS / "results" / f"{paper}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ours(paper, table):
    """{(row, column): (printed, ours, error)} of a table of numbers."""
    return {
        (row["row"], row["column"]): (
            float(row["printed"]),
            float(row["ours"]),
            float(row["ours_error"] or "nan"),
        )
        for row in rows(paper)
        if row["table"] == table
    }


def names(table):
    """{(row, column): (printed, ours)} of YA06's names, without their shares."""
    return {
        (row["row"], row["column"]): (row["printed"].split(" (")[0], row["ours"].split(" (")[0])
        for row in rows("ya06")
        if row["table"] == table
    }


def said(text):
    """The verdict and the words of a claim on the page over all papers."""
    page = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if f" | {text} | " in line]
    return tuple(part.strip() for part in line.strip("|").split("|")[2:])


def test_every_paper_has_its_claims_and_they_are_counted():
    page = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    table = page.partition("<!-- claims -->")[2].partition("<!-- end of claims -->")[0]
    lines = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")][2:]
    found = Counter(line[2] for line in lines)
    assert sum(found.values()) > 25
    assert f"Of {len(lines)} claims: holds {found['holds']}, " in table
    assert f"does not hold {found['does not hold']}, cannot tell {found['cannot tell']}." in table


def test_first_choices_of_ya06():
    chosen = {place: pair for place, pair in names("Table 2").items() if place[1].endswith("(1)")}
    same = sum(a == b for a, b in chosen.values())
    assert len(chosen) == 90
    assert said("Who is named best most often, by data set and method") == (
        "holds",
        f"the same in {same} of 90",
    )
    listed = set(LISTED.split())
    alike = {
        name
        for name, _ in chosen
        if chosen[name, "Newman-Keuls (1)"][1] == chosen[name, "MultiTest (1)"][1]
    }
    assert listed <= alike
    assert said("On the other 16 data sets they select different ones") == (
        "does not hold",
        f"different on {16 - len(alike - listed)} of 16",
    )


def test_lowest_means_of_ya06():
    means = ours("ya06", "Table 1, mean")
    sets = {row for row, _ in means}
    same = 0
    for name in sets:
        own = {column: numbers for (row, column), numbers in means.items() if row == name}
        same += min(own, key=lambda c: own[c][0]) == min(own, key=lambda c: own[c][1])
    text = "Which learner has the lowest mean error on a data set"
    assert said(text) == ("holds", f"the same learner on {same} of 30")


def test_shares_of_ya06():
    shares = ours("ya06", "Table 3, percent")
    anova, first = shares["Anova", "MAX"][1], shares["TestFirst", "not found"][1]
    assert said("Anova accepts only 2 percent of the time") == ("holds", f"{anova:.2f} %")
    text = "TestFirst cannot find the best in 70 percent of the cases"
    assert said(text) == ("holds", f"{first:.2f} %")
    simple = {m: shares[m, "MAX"][1] + shares[m, "NMC"][1] for m in ("MultiTest", "Newman-Keuls")}
    words = f"MAX or NMC in {simple['MultiTest']:.1f} % against {simple['Newman-Keuls']:.1f} %"
    text = "MultiTest favours simpler algorithms more than Newman–Keuls"
    assert said(text) == ("holds", words)


def test_edges_of_m24():
    accuracy = ours("m24", "Table 1")
    sets = {row for row, _ in accuracy}
    gains = {
        name: accuracy[name, "1 vs. 1, accuracy"][1] - accuracy[name, "ortho., accuracy"][1]
        for name in sets
    }
    ahead = sum(gain > 0 for gain in gains.values())
    p = wilcoxon(list(gains.values())).pvalue
    assert said("One-vs-one has a slight edge in accuracy") == (
        "holds" if p <= 0.05 else "cannot tell",
        f"better on {ahead}, worse on {6 - ahead} of 6 sets",
    )
    largest = max(gains, key=lambda name: abs(gains[name]))
    small = sum(abs(gain) <= 0.0035 + 1e-9 for gain in gains.values())
    assert said("Very little difference between the two methods in accuracy") == (
        "does not hold",
        f"on {small} of 6 sets; {100 * abs(gains[largest]):.2f} points on {largest}",
    )


def test_rules_of_mst09():
    for table, size in (("Table 2", 5), ("Table 3", 7)):
        aucs = ours("mst09", table)
        sets = {row for row, _ in aucs}
        best = Counter(max(RULES, key=lambda rule: aucs[name, rule][1]) for name in sets)
        text = f"RankMargin is better on most sets, {size} classifiers"
        words = f"the largest mean AUC on {best['RankMargin']} of 10 sets"
        assert said(text) == ("does not hold", words)
    aucs = ours("mst09", "Table 2")
    svm = sum(aucs[name, "SVM"][1] > aucs[name, "RankMargin"][1] for name, _ in set(aucs)) // 3
    text = "SVM is better in only 3 cases, 5 classifiers"
    assert said(text) == ("does not hold", f"SVM ahead on {svm} of 10 sets")


RULES = ("RankMargin", "RankBoost", "SVM")


def test_estimates_of_t96():
    true, estimate = ours("t96", "Table 2, True value"), ours("t96", "Table 2, Estimate")
    low = [
        place
        for place in estimate
        if place[1] == "Bias(C)"
        and estimate[place][1] < true[place][1] - 2 * math.hypot(estimate[place][2], true[place][2])
    ]
    verdict, words = said("The bound of the bias is sometimes far too low")
    assert (verdict, words[:31]) == ("holds", f"below the true bias on {len(low)} of 4, ")
    _, effect, error = true["concentric normals, 5-NN", "AE(C)"]
    assert said("Bagging makes 5-NN much worse on concentric normals") == (
        "does not hold",
        f"AE = {effect:+.3f} ± {error:.3f}",
    )


def test_shares_of_ht98():
    shares = {
        row["column"]: float(row["ours"])
        for row in rows("ht98")
        if row["table"] == "What the text claims" and row["row"].startswith("figure")
    }
    share = shares["max-wins performs no worse than coupling"]
    verdict, words = said("Max-wins performs no worse than coupling")
    assert words.startswith(f"in {100 * share:.0f} ± ")
    assert verdict == "holds"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_reason_has_its_kind_and_every_number_its_scale(paper):
    for row in rows(paper):
        assert bool(row["basis"]) == (row["verdict"] == "differs"), row
        if row["verdict"] == "differs" and row["scale"]:
            away = abs(float(row["ours"]) - float(row["printed"]))
            rounding = 0.5 * 10.0 ** -int(row["decimals"])
            near = away - rounding <= float(row["scale"]) + 1e-9
            assert row["practical"] == ("same" if near else "differs"), row
        if row["basis"] == "shown" and paper not in ("t96", "ht98"):
            assert row["why"].endswith("which agrees"), row
        if "which differs too" in row["why"] or "unexplained" in row["why"]:
            assert row["basis"] != "shown", row


def test_false_reasons_are_gone():
    """Sets without categories have none to split; 260 and 16 are misprints of MST09's Table 1."""
    numbers = {row["data"] for row in read_printed("ya06_table1")} & set(OF_NUMBERS.split())
    assert len(numbers) == 15
    for row in rows("ya06"):
        assert not (row["row"] in numbers and "categories" in row["why"]), row
    for row in rows("mst09"):
        assert not (row["row"] in ("sonar", "breast") and row["cause"] == "data"), row


@pytest.mark.parametrize("paper", PAPERS)
def test_without_numbers_nothing_is_claimed(paper):
    exact = ("its own .4/.6 example", "exact, for votes of two classes")
    for claim in judge_claims(paper, []):
        assert claim.holds == "cannot tell" or claim.test.startswith(exact), claim


def test_two_standard_errors_decide():
    place = {"table": "Table 2, True value", "row": "concentric normals, 5-NN"}
    for effect, expected in ((-0.08, "holds"), (0.001, "cannot tell"), (0.08, "does not hold")):
        cell = Cell(
            **place,
            column="AE(C)",
            printed=-0.081,
            ours=effect,
            ours_error=0.002,
            verdict="agrees",
        )
        claims = {claim.text: claim.holds for claim in judge_claims("t96", [cell])}
        assert claims["Bagging makes 5-NN much worse on concentric normals"] == expected
