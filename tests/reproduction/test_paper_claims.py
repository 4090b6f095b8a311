"""What docs/reproduction.md says of the papers' claims, counted again from the CSV files alone."""

import csv
import math
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import wilcoxon

from polychotomy.decoding import couple
from polychotomy.decomposition import decompose_predictions
from polychotomy.reproduction.cells import Cell
from polychotomy.reproduction.claims import judge_claims
from polychotomy.reproduction.printed import read_printed
from polychotomy.reproduction.result import Reproduction

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
    nobody = sum(a == b == "*" for a, b in chosen.values())
    assert said("Who is named best most often, by data set and method") == (
        "holds",
        f"the same in {same} of 90; nobody in {nobody} of these",
    )
    science = " ".join((DOCS / "science" / "multitest.md").read_text(encoding="utf-8").split())
    tests = ("MultiTest", "Newman-Keuls")
    counts = [sum(a == b for (_, c), (a, b) in chosen.items() if t in c) for t in tests]
    assert f"the same learner on {counts[0]} of 30 sets, Newman–Keuls on {counts[1]}" in science
    assert f"nobody on {nobody} of them" in science
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


def test_who_is_worse_than_max():
    with (DOCS / "results" / "ya06.csv").open(newline="", encoding="utf-8") as file:
        table = [row for row in csv.DictReader(file) if row["table"] == "Table 1, mean"]
    most = {row["row"]: row for row in table if row["column"] == "MAX"}
    worse = []
    for row in table:
        own, other = (
            (float(one["ours"]), float(one["ours_error"])) for one in (row, most[row["row"]])
        )
        if own[0] - other[0] > 2 * np.hypot(own[1], other[1]):
            worse.append(row["row"])
    words = f"{len(worse)} of 120 means surely above MAX's, on {len(set(worse))} sets"
    assert said("Any plausible learner has a smaller error rate than MAX") == (
        "does not hold",
        words,
    )


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
    row = r"^\| concentric normals \| 5-NN \| .* \| (-[.\d]+) \|$"
    anew = re.search(row, page_of("t96").partition("fresh: AE(C)")[2], re.M)[1]
    assert said("Bagging makes 5-NN much worse on concentric normals") == (
        "does not hold",
        f"AE = {effect:+.3f} ± {error:.3f}; but {anew} where training sets are drawn anew",
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


def page_of(paper):
    return (DOCS / "results" / f"{paper}.md").read_text(encoding="utf-8")


def judged(difference, error):
    """A difference that should be positive, by two of its standard errors."""
    if abs(difference) <= 2 * error:
        return "cannot tell"
    return "holds" if difference > 0 else "does not hold"


def test_what_ya06_finds_always_and_not_always():
    shares = ours("ya06", "Table 3, percent")
    lost = shares["MultiTest", "not found"][1]
    words = f"not found in {lost:.2f} % of the runs"
    assert said("MultiTest always finds a best algorithm") == ("holds", words)
    assert lost == 0
    _, share, error = shares["Newman-Keuls", "not found"]
    words = (judged(share, error), f"not found in {share:.2f} ± {error:.2f} %")
    assert said("Newman–Keuls cannot always name a best algorithm") == words
    text = "On 14 data sets that it lists Newman–Keuls and MultiTest mostly select the same"
    assert said(text) == ("holds", "the same on 14 of 14")  # test_first_choices_of_ya06 counts them
    for figure, start in (("Figure 3", "Hepatitis: no test rejects"), ("Figure 4", "Pendigits: ")):
        ((printed, own),) = names(figure).values()
        (line,) = [line for line in page_of("ya06").splitlines() if f" | {start}" in line]
        assert f" | holds | {own} | " in line
        assert printed == own


def test_probabilities_of_m24():
    scores = ours("m24", "Table 2")
    sets = sorted({row for row, _ in scores})
    pairs, codes = (
        {
            score: np.array([scores[name, f"{method}, {score}"][:2] for name in sets])
            for score in ("r", "slope")
        }
        for method in ("1 vs. 1", "ortho.")
    )
    gaps = np.abs(pairs["slope"] - codes["slope"])  # (sets, printed and ours)
    small = gaps[:, 1] <= gaps[:, 0].max()
    verdict = "holds" if small.all() else "does not hold"
    worst = gaps[:, 1].argmax()
    words = f"on {small.sum()} of 6 sets; {gaps[worst, 1]:.2f} on {sets[worst]}"
    text = "Very little difference in the probability estimates' slope"
    assert said(text) == (verdict, words)
    gains = {
        "One-vs-one has a slight edge in precision (r)": pairs["r"][:, 1] - codes["r"][:, 1],
        "One-vs-one has a slight edge in bias (slope)": np.abs(codes["slope"][:, 1] - 1)
        - np.abs(pairs["slope"][:, 1] - 1),
    }
    for text, gain in gains.items():
        gain = np.where(np.abs(gain) < 5e-7, 0.0, gain)
        p = wilcoxon(gain[gain != 0]).pvalue
        verdict = "cannot tell" if p > 0.05 else "holds" if gain.sum() > 0 else "does not hold"
        words = f"better on {(gain > 0).sum()}, worse on {(gain < 0).sum()} of 6 sets"
        assert said(text) == (verdict, words)
    both_r, both_slopes = (np.stack([pairs[s], codes[s]]) for s in ("r", "slope"))
    least = both_r.min(axis=(0, 1))
    off = np.abs(both_slopes - 1).max(axis=(0, 1))
    verdict, words = said("Probability estimates of both methods are highly accurate")
    assert words.startswith(f"r at least {least[1]:.5f}, slope within {off[1]:.3f} of 1; ")
    assert (verdict == "holds") == (least[1] >= least[0] and off[1] <= off[0])


def test_times_and_other_learners_of_m24():
    seconds = ours("m24", "Table 1")
    ratios = np.array(
        [
            np.divide(seconds[name, "1 vs. 1, seconds"][:2], seconds[name, "ortho., seconds"][:2])
            for name in {row for row, _ in seconds}
        ]
    )
    inside = (ratios[:, 1] >= ratios[:, 0].min()) & (ratios[:, 1] <= ratios[:, 0].max())
    words = f"time of 1 vs. 1 over ortho. {ratios[:, 1].min():.2f} to {ratios[:, 1].max():.2f}"
    verdict = "holds" if inside.all() else "cannot tell"
    assert said("Very little difference in classification time") == (verdict, words)
    _, _, duel = page_of("m24").partition("## One-vs-one against the orthogonal code")
    rows = re.findall(
        r"^\| \w+ \| 20 \| [-+.\d]+ \| ([-+.\d]+) \| ([.\d]+) \| (\S+) \|$", duel, re.M
    )
    assert len(rows) == 6
    sure = sum(float(p) <= 0.05 for _, _, p in rows)
    naive = sum(abs(float(gain)) > 2 * float(error) for gain, error, _ in rows)
    words = f"on {sure} of 6 sets; uncorrected on {naive}"
    verdict = "holds" if sure > 3 else "does not hold"
    assert said("The differences are statistically significant") == (verdict, words)
    _, _, logistic = page_of("m24").partition("## Logistic regression")
    rows = re.findall(
        r"^\| \w+ \| 20 \| ([-+.\d]+) \| \S+ \| \S+ \| \d+ \| ([.\d]+) \| \d+ \| ([.\d]+) \|$",
        logistic,
        re.M,
    )
    assert len(rows) == 6
    less = sum(float(gain) < 0 for gain, _, _ in rows)
    fast = sum(float(code) < float(pairs) for _, pairs, code in rows)
    text = "Logistic regression: the orthogonal code is"
    assert wilcoxon([float(gain) for gain, _, _ in rows], alternative="less").pvalue < 0.05
    assert said(f"{text} less accurate") == ("holds", f"less accurate on {less} of 6 sets")
    assert said(f"{text} faster") == ("holds", f"faster to classify on {fast} of 6 sets")


def test_comparisons_of_mst09():
    tables = {size: ours("mst09", table) for size, table in ((5, "Table 2"), (7, "Table 3"))}
    ahead = sure = 0
    lead = {}
    for size, aucs in tables.items():
        sets = sorted({row for row, _ in aucs})
        margin, boost, machine = (np.array([aucs[name, rule] for name in sets]) for rule in RULES)
        gains = margin[:, 1] - boost[:, 1]
        error = np.hypot(margin[:, 2], boost[:, 2])
        ahead, sure = ahead + (gains < 0).sum(), sure + (gains < -2 * error).sum()
        p = wilcoxon(gains).pvalue
        verdict = "cannot tell" if p > 0.05 else "holds" if gains.sum() > 0 else "does not hold"
        text = f"RankMargin improves on RankBoost, {size} classifiers"
        assert said(text) == (verdict, f"mean gain {gains.mean():+.4f}")
        lead[size] = margin[:, 1] - machine[:, 1]
    words = f"RankBoost's mean is larger in {ahead} of 20 comparisons, in {sure} of them surely"
    assert sure > 0
    assert said("RankBoost never outperforms RankMargin") == ("does not hold", words)
    more = lead[7] - lead[5]
    verdict = "cannot tell" if wilcoxon(more).pvalue > 0.05 else "does not hold"
    words = f"the lead over SVM changes by {more.mean():+.4f}"
    assert said("Its results are even better with 7 classifiers") == (verdict, words)
    (_, a, e), (_, b, f) = (tables[5]["contraceptive", rule] for rule in ("SVM", "RankMargin"))
    words = (judged(a - b, math.hypot(e, f)), f"{a - b:+.4f} ± {math.hypot(e, f):.4f}")
    assert said("SVM is better than RankMargin on contraceptive") == words


def test_where_newman_keuls_names_nobody():
    cells = [row for row in rows("ya06") if row["column"].startswith("Newman-Keuls (")]
    nobody = {row["row"]: row["ours"][3:-1] for row in cells if row["ours"].startswith("* (")}
    text = "Newman–Keuls finds no best on hepatitis and on glass"
    words = "nobody in {hepatitis} % of the runs on hepatitis, in {glass} % on glass"
    assert said(text) == ("holds", words.format(**nobody))


def test_how_rankboost_ranks_new_cases_of_liver():
    with (DOCS / "results" / "mst09_steps.csv").open(newline="", encoding="utf-8") as file:
        table = csv.DictReader(file)
        liver = [row for row in table if (row["data"], row["steps"]) == ("liver", "10")]
    leads = []
    for m in (5, 7):
        own = {rule: np.array([float(row[f"{rule} {m}"]) for row in liver]) for rule in RULES}
        leads += [own["RankBoost"] - own[rule] for rule in ("RankMargin", "SVM")]
    sure = sum(lead.mean() < -2 * lead.std(ddof=1) / math.sqrt(20) for lead in leads)
    least = min(-lead.mean() for lead in leads)
    words = f"surely in {sure} of 4 comparisons, by {least:.3f} of AUC or more"
    text = "On liver RankBoost ranks new cases worse than both others"
    assert said(text) == ("holds" if sure == 4 else "cannot tell", words)
    ranks = " ".join((DOCS / "science" / "rank_margin.md").read_text(encoding="utf-8").split())
    lead = leads[0]
    assert f"by {-lead.mean():.3f} ± {lead.std(ddof=1) / math.sqrt(20):.3f} of AUC" in ranks


def test_fewer_neighbours_of_t96():
    with (DOCS / "results" / "t96_readings.csv").open(newline="", encoding="utf-8") as file:
        table = csv.DictReader(file)
        own = [r for r in table if (r["problem"], r["learner"]) == ("concentric normals", "5-NN")]
    five, one = (np.array([float(row[which]) for row in own]) for which in ("one fit", "one 1-NN"))
    assert (five - one).mean() > 2 * math.hypot(five.std() / 7, one.std() / 7)
    words = f"1-NN errs {one.mean():.3f}, 5-NN {five.mean():.3f}"
    assert said("On concentric normals the fewer neighbours the better") == ("holds", words)


def test_coupling_against_votes_on_real_sets():
    words, verdicts = [], set()
    for learner in ("LDA", "5-NN"):
        _, _, text = page_of("ht98").partition(f"| {learner} | many classes at once | max-wins |")
        number = r"([\d.]+)(?: \*)?"
        found = re.findall(rf"^\| \w+ \| {number} \| {number} \| {number} \| ", text, re.M)[:10]
        gains = np.round([float(votes) - float(coupled) for _, votes, coupled in found], 2)
        words.append(
            f"less error on {(gains > 0).sum()}, more on {(gains < 0).sum()} with {learner}"
        )
        p = wilcoxon(gains[gains != 0]).pvalue
        verdicts.add("cannot tell" if p > 0.05 else "holds" if gains.sum() > 0 else "does not hold")
    words = f"on 10 real sets {'; '.join(words)}; by MultiTest surely on 0"
    assert said("Coupling the pairs' probabilities improves on max-wins") == (verdicts.pop(), words)
    assert not verdicts


def test_smallest_margins_of_mst09():
    with (DOCS / "results" / "mst09_margins.csv").open(newline="", encoding="utf-8") as file:
        liver = [row for row in csv.DictReader(file) if row["data"] == "liver"]
    leads = []
    for m in (5, 7):
        own = np.array([[float(row[f"{rule} {m}"]) for rule in RULES] for row in liver])
        leads.append(own[:, 1] - np.maximum(own[:, 0], own[:, 2]))
    least = min(leads, key=np.mean)
    error = least.std(ddof=1) / math.sqrt(20)
    assert least.mean() > 2 * error
    words = f"+{least.mean():.3f} ± {error:.3f} over the larger other, in {sum(least > 0)} of 20"
    text = "On liver RankBoost has clearly the largest minimum rank margin"
    assert said(text) == ("holds", f"{words} splits")


def test_variances_and_effects_of_t96():
    true, estimate = ours("t96", "Table 2, True value"), ours("t96", "Table 2, Estimate")
    rows = sorted({row for row, _ in estimate})
    near, away, above, right, wrong = 0, [], 0, 0, 0
    for row in rows:
        (_, found, e), (_, truth, f) = (side[row, "Var(C)"] for side in (estimate, true))
        near += abs(found - truth) <= 2 * math.hypot(e, f)
        away.append(abs(found - truth))
        above += estimate[row, "PE(Y, C_A)"][1] >= true[row, "Bias(C)"][1]
        effects = [side[row, "AE(C)"][1:] for side in (estimate, true)]
        if all(abs(effect) > 2 * error for effect, error in effects):
            same = effects[0][0] * effects[1][0] > 0
            right, wrong = right + same, wrong + (not same)
    words = f"on {near} of 4 problems and learners; at most {max(away):.3f} away"
    assert said("The estimated variance is reasonably near the true one") == ("holds", words)
    assert near == above == 4
    text = "The bagged rule's estimated error bounds the bias"
    assert said(text) == ("holds", f"on {above} of 4")
    words = f"the right sign on {right}, the wrong one on {wrong} of 4, mean over samples"
    assert (wrong, right > 2) == (0, False)
    text = "The estimated effect tells whether bagging is useful"
    assert said(text) == ("cannot tell", words)


def test_what_t96_contradicts_itself():
    """A rule right in .4 of the training sets, its aggregate never; votes of two classes."""
    text = "C_A has smaller expected loss than C for any loss of Table 1"
    rule = np.eye(2)[[0, 0, 1, 1, 1]][:, None]
    found = decompose_predictions(rule, np.zeros((5, 1)), [0])
    words = f"{found.aggregated_error:g} against {found.error:g}"
    assert said(text) == ("does not hold", words)
    variance = {}
    for share in (0.5, 0.25):
        votes = np.eye(2)[(np.arange(100) < 100 * share).astype(int)][:, None]
        variance[share] = decompose_predictions(votes, np.zeros((100, 1)), [0]).variance
    verdict, words = said("The variance of votes is largest at 1/4 and 3/4")
    assert verdict == "does not hold"
    assert words.startswith(f"by eq. (11) {variance[0.5]:g} at 1/2, {variance[0.25]:g} at 1/4; ")


def test_claims_of_ht98_over_mixtures_and_its_example():
    cells = {row["column"]: row for row in rows("ht98") if row["table"] == "What the text claims"}
    for text, column in (
        ("Max-wins performs no worse than coupling", "max-wins performs no worse than coupling"),
        ("Max-wins of pairwise LDA performs better than LDA", "max-wins performs better than LDA"),
        ("Coupled pairwise LDA performs better than LDA", "coupling performs better than LDA"),
        ("QDA errs less than coupled pairwise LDA", "QDA errs less than coupling"),
    ):
        share, error = (float(cells[column][side]) for side in ("ours", "ours_error"))
        words = f"in {100 * share:.0f} ± {100 * error:.0f} % of random mixtures"
        assert said(text) == (judged(share - 0.5, error), words)
        assert error == pytest.approx(math.sqrt(share * (1 - share) / 200), rel=0.01)
    share = float(cells["coupling does substantially better than max-wins"]["ours"])
    text = "There are problems where coupling is substantially better than max-wins"
    assert said(text) == ("holds", f"in {100 * share:.0f} % of random mixtures")
    table = np.array([[0, 0.9, 0.4], [0.1, 0, 0.7], [0.6, 0.3, 0]])
    wins = (table > 0.5).sum(axis=1)
    text = "Every class wins one vote: max-wins is undecided"
    assert said(text) == ("holds", ", ".join(map(str, wins)))
    same = (np.abs(couple(table) - [0.47, 0.25, 0.28]) <= 0.005).sum()
    verdict, words = said("The coupled probabilities are .47, .25, .28")
    assert (verdict, words[:20]) == ("does not hold", f"{same} of 3 probabilities")


def test_no_claim_is_left_uncounted():
    """Every claim of the page over all papers is asked for by one of the tests above."""
    source = Path(__file__).read_text(encoding="utf-8")
    source = source.replace("{size} classifiers", "5 classifiers, 7 classifiers")
    for paper in PAPERS:
        for claim in judge_claims(paper, []):
            start = claim.text.partition(",")[0].partition(":")[0]
            assert start in source, claim.text


@pytest.mark.parametrize("paper", PAPERS)
def test_every_reason_has_its_kind_and_every_number_its_scale(paper):
    for row in rows(paper):
        assert bool(row["basis"]) == (row["verdict"] == "differs"), row
        if row["verdict"] == "differs" and row["scale"]:
            away = abs(float(row["ours"]) - float(row["printed"]))
            rounding = 0.5 * 10.0 ** -int(row["decimals"])
            near = away - rounding <= float(row["scale"]) + 1e-9
            assert row["practical"] == ("same" if near else "differs"), row
        exact = row["cause"] == "paper" and not row["why"].startswith("one ")
        if row["basis"] == "shown" and not exact:
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


@pytest.mark.parametrize("paper", PAPERS)
def test_too_few_runs_claim_nothing(paper):
    """Two runs differ from nothing surely, so an estimate would always be near the truth."""
    found = Reproduction.read(DOCS / "results" / f"{paper}.md")
    few = [replace(cell, verdict="few", cause=None, basis=None) for cell in found.cells]
    before = judge_claims(paper, found.cells, found.blocks)
    for claim, was in zip(judge_claims(paper, few, found.blocks), before, strict=True):
        assert claim.holds == "cannot tell" or "exact" in was.test or ".4/.6" in was.test, claim


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
