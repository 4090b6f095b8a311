"""Do a paper's conclusions hold by our numbers? Computed from its compared cells alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.stats import binomtest

from polychotomy.comparison import wilcoxon_test
from polychotomy.core.numbers import counted
from polychotomy.reproduction.blocks import Block, Listing, listing
from polychotomy.reproduction.cells import Cell

Holds = Literal["holds", "does not hold", "cannot tell"]

HOLDS: tuple[Holds, ...] = ("holds", "does not hold", "cannot tell")

LEVEL = 0.05


@dataclass(frozen=True)
class Claim:
    """What a paper says, where, and what our numbers say of it."""

    where: str
    text: str
    holds: Holds
    ours: str
    test: str


_Place = tuple[str, str, str]


class _NotRunError(Exception):
    """A number that a claim needs is not there."""


@dataclass(frozen=True)
class _Numbers:
    """Our side of the cells, by table, row and column."""

    cells: dict[tuple[str, str, str], Cell]
    blocks: Sequence[Block]

    @property
    def too_few(self) -> bool:
        """Whether most cells had too few runs: nothing differs surely then, so all would hold."""
        return 2 * sum(cell.verdict == "few" for cell in self.cells.values()) > len(self.cells)

    def of(self, table: str, row: str, column: str) -> float:
        return self._number(table, row, column, "ours")

    def error(self, table: str, row: str, column: str) -> float:
        return self._number(table, row, column, "ours_error")

    def printed(self, table: str, row: str, column: str) -> float:
        return self._number(table, row, column, "printed")

    def minus(self, a: _Place, b: _Place) -> tuple[float, float]:
        """Return the difference of our numbers in two places, and its standard error."""
        return self.of(*a) - self.of(*b), math.hypot(self.error(*a), self.error(*b))

    def _number(self, table: str, row: str, column: str, side: str) -> float:
        value = getattr(self.cells.get((table, row, column)), side, math.nan)
        if self.too_few or isinstance(value, str) or math.isnan(value):
            raise _NotRunError
        return float(value)

    def name(self, table: str, row: str, column: str) -> tuple[str, str]:
        """Return the names of both sides, without the shares behind them."""
        cell = self.cells.get((table, row, column))
        if cell is None or not isinstance(cell.ours, str) or cell.verdict == "few":
            raise _NotRunError
        return str(cell.printed).partition(" (")[0], cell.ours.partition(" (")[0]

    def rows(self, table: str) -> list[str]:
        found = list(dict.fromkeys(row for name, row, _ in self.cells if name == table))
        if not found:
            raise _NotRunError
        return found

    def listing(self, *columns: str) -> list[dict[str, str]]:
        """Return the page's table with these columns: a row for each set, by names of columns."""
        for block in () if self.too_few else self.blocks:
            if isinstance(block, Listing) and set(columns) <= set(block.header):
                return [dict(zip(block.header, row, strict=True)) for row in block.rows]
        raise _NotRunError


_Answer = tuple[Holds, str, str]

_Rule = Callable[[_Numbers], _Answer]


def judge_claims(
    paper: str, cells: Iterable[Cell], blocks: Sequence[Block] = ()
) -> tuple[Claim, ...]:
    """Judge every claim of a paper from its compared cells, and from the words of its page.

    Parameters
    ----------
    paper : str
        Its key, such as "ya06".
    cells : iterable of Cell
    blocks : sequence of Block
        The page's; some claims rest on tables that no printed cell has.

    Examples
    --------
    >>> from polychotomy.reproduction.cells import Cell
    >>> cell = Cell(
    ...     table="Table 3, percent",
    ...     row="MultiTest",
    ...     column="not found",
    ...     printed=0.0,
    ...     ours=0.0,
    ...     verdict="agrees",
    ... )
    >>> claim = judge_claims("ya06", [cell])[0]
    >>> claim.text, claim.holds
    ('MultiTest always finds a best algorithm', 'holds')
    """
    numbers = _Numbers({(cell.table, cell.row, cell.column): cell for cell in cells}, blocks)
    claims = []
    for where, text, rule in _CLAIMS[paper.lower()]:
        try:
            found = rule(numbers)
        except _NotRunError:
            found = ("cannot tell", "not run, or too few runs", "–")
        claims.append(Claim(where, text, *found))
    return tuple(claims)


def tabulate(claims: Sequence[Claim]) -> Listing:
    """Lay claims out as a table."""
    rows = [(c.where, c.text, c.holds, c.ours, c.test) for c in claims]
    return listing(["where", "the paper's claim", "by our numbers", "ours", "test"], rows)


def count_claims(claims: Sequence[Claim]) -> str:
    """Say in words how many claims hold.

    Examples
    --------
    >>> count_claims([Claim("§5", "It always works", "does not hold", "in 3 of 4", "counted")])
    'Of 1 claim: holds 0, does not hold 1, cannot tell 0.'
    """
    found = Counter(claim.holds for claim in claims)
    words = ", ".join(f"{holds} {found[holds]}" for holds in HOLDS)
    return f"Of {counted(len(claims), 'claim')}: {words}."


def _yes(condition: bool) -> Holds:
    return "holds" if condition else "does not hold"


def _beyond(difference: float, error: float) -> Holds:
    """Judge a difference that should be positive by two of its standard errors."""
    if abs(difference) <= 2 * error:
        return "cannot tell"
    return _yes(difference > 0)


def _over_sets(gains: Sequence[float]) -> tuple[Holds, str]:
    """Judge gains that should be positive: Wilcoxon's signed-rank test over data sets."""
    moved = [gain for gain in gains if gain != 0]
    if not moved:
        return "cannot tell", "no data set differs"
    # Exact with ties, whatever SciPy's version: that of a page must be made again everywhere.
    p = wilcoxon_test(moved, np.zeros(len(moved))).pvalue
    words = f"Wilcoxon's signed-rank test over the data sets, two-sided: p = {p:.2g}"
    return ("cannot tell" if p > LEVEL else _yes(sum(moved) > 0)), words


# YA06 ---------------------------------------------------------------------------------------

_T3 = "Table 3, percent"

_LEARNERS = ("MAX", "NMC", "LGC", "C4.5", "NN")

_NAMES = (
    "balance breast car dermatology flare haberman hepatitis mushroom nursery pendigits tictactoe "
    "wave wine zoo"
)

SAME_CHOICE = frozenset(_NAMES.split())
"""Sets on which YA06 says that Newman–Keuls and MultiTest mostly select the same learner."""


def _share_said(method: str, column: str, said: float) -> _Rule:
    def rule(numbers: _Numbers) -> _Answer:
        ours = numbers.of(_T3, method, column)
        near = abs(ours - said) <= 1
        return _yes(near), f"{ours:.2f} %", f"within 1 point of {said:g} %"

    return rule


def _always_found(numbers: _Numbers) -> _Answer:
    ours = numbers.of(_T3, "MultiTest", "not found")
    return _yes(ours == 0), f"not found in {ours:.2f} % of the runs", "all runs counted"


def _keuls_fails(numbers: _Numbers) -> _Answer:
    place = (_T3, "Newman-Keuls", "not found")
    ours, error = numbers.of(*place), numbers.error(*place)
    return _beyond(ours, error), f"not found in {ours:.2f} ± {error:.2f} %", "two standard errors"


def _keuls_fails_where(numbers: _Numbers) -> _Answer:
    """Two sets are named; there "*", nobody, is the second most frequent choice in print."""
    shares = []
    for name in ("hepatitis", "glass"):
        cells = [numbers.cells.get(("Table 2", name, f"Newman-Keuls ({i})")) for i in (1, 2)]
        texts = [str(cell.ours) for cell in cells if cell is not None and cell.verdict != "few"]
        if not texts:
            raise _NotRunError
        shares.append(sum(int(text[3:-1]) for text in texts if text.startswith("* (")))
    words = "nobody in {} % of the runs on hepatitis, in {} % on glass".format(*shares)
    return _yes(min(shares) > 0), words, "the two most frequent choices"


def _favours_simpler(numbers: _Numbers) -> _Answer:
    shares, errors = {}, []
    for method in ("MultiTest", "Newman-Keuls"):
        simple = [(_T3, method, learner) for learner in ("MAX", "NMC")]
        shares[method] = sum(numbers.of(*place) for place in simple)
        errors += [numbers.error(*place) for place in simple]
    more = shares["MultiTest"] - shares["Newman-Keuls"]
    ours = f"MAX or NMC in {shares['MultiTest']:.1f} % against {shares['Newman-Keuls']:.1f} %"
    return _beyond(more, math.hypot(*errors)), ours, "two standard errors of both shares"


def _choices(numbers: _Numbers, listed: bool) -> list[bool]:
    """Whether Newman–Keuls and MultiTest name the same learner most often, by data set."""
    sets = [name for name in numbers.rows("Table 2") if (name in SAME_CHOICE) == listed]
    return [
        numbers.name("Table 2", name, "Newman-Keuls (1)")[1]
        == numbers.name("Table 2", name, "MultiTest (1)")[1]
        for name in sets
    ]


def _same_on_listed(numbers: _Numbers) -> _Answer:
    same = _choices(numbers, listed=True)
    return _yes(all(same)), f"the same on {sum(same)} of {len(same)}", "most frequent choices"


def _other_on_others(numbers: _Numbers) -> _Answer:
    same = _choices(numbers, listed=False)
    other = len(same) - sum(same)
    return _yes(not any(same)), f"different on {other} of {len(same)}", "most frequent choices"


def _order(figure: str, name: str) -> _Rule:
    def rule(numbers: _Numbers) -> _Answer:
        printed, ours = numbers.name(figure, name, "order")
        return _yes(printed == ours), ours, "the most frequent order of all runs"

    return rule


def _more_than_half(same: Sequence[bool]) -> tuple[Holds, str]:
    p = float(binomtest(sum(same), len(same)).pvalue)
    holds: Holds = "cannot tell" if p > LEVEL else _yes(2 * sum(same) > len(same))
    return holds, f"more than half: binomial test, p = {p:.2g}"


def _first_choices(numbers: _Numbers) -> _Answer:
    methods = ("TestFirst", "Newman-Keuls", "MultiTest")
    places = [(name, f"{method} (1)") for name in numbers.rows("Table 2") for method in methods]
    found = [numbers.name("Table 2", *place) for place in places]
    same = [printed == ours for printed, ours in found]
    nobody = sum(printed == ours == "*" for printed, ours in found)
    holds, test = _more_than_half(same)
    return holds, f"the same in {sum(same)} of {len(same)}; nobody in {nobody} of these", test


def _lowest_means(numbers: _Numbers) -> _Answer:
    same = []
    for name in numbers.rows("Table 1, mean"):
        places = [("Table 1, mean", name, learner) for learner in _LEARNERS]
        printed, ours = (
            [side(*place) for place in places] for side in (numbers.printed, numbers.of)
        )
        same.append(printed.index(min(printed)) == ours.index(min(ours)))
    holds, test = _more_than_half(same)
    return holds, f"the same learner on {sum(same)} of {len(same)}", test


def _better_than_max(numbers: _Numbers) -> _Answer:
    table = "Table 1, mean"
    sets = numbers.rows(table)
    sure = Counter[str]()
    for name in sets:
        for learner in _LEARNERS[1:]:
            gap, error = numbers.minus((table, name, learner), (table, name, "MAX"))
            sure[name] += gap > 2 * error
    words = (
        f"{sum(sure.values())} of {4 * len(sets)} means surely above MAX's, on {len(+sure)} sets"
    )
    return _yes(not sum(sure.values())), words, "two standard errors of both means"


# M24 ----------------------------------------------------------------------------------------

_SETS = ("vehicle", "segment", "sat", "pendigits", "usps", "shuttle")

_M24 = {"accuracy": "Table 1", "seconds": "Table 1", "r": "Table 2", "slope": "Table 2"}


def _pair(side: Callable[[str, str, str], float], name: str, score: str) -> tuple[float, float]:
    """Return the scores of one-vs-one and of the orthogonal code, ours or the printed ones."""
    pairs, code = (side(_M24[score], name, f"{way}, {score}") for way in ("1 vs. 1", "ortho."))
    return pairs, code


def _little_difference(score: str, unit: str, times: float) -> _Rule:
    """No difference larger than the largest that the paper prints and calls little."""

    def rule(numbers: _Numbers) -> _Answer:
        ours = {name: _gap(_pair(numbers.of, name, score)) for name in _SETS}
        printed = [_gap(_pair(numbers.printed, name, score)) for name in _SETS]
        small = [name for name in _SETS if ours[name] <= max(printed)]
        worst = max(ours, key=lambda name: ours[name])
        words = f"on {len(small)} of {len(_SETS)} sets; {times * ours[worst]:.2f}{unit} on {worst}"
        largest = f"the largest printed difference, {times * max(printed):.2f}{unit}"
        return _yes(len(small) == len(_SETS)), words, f"no more than {largest}"

    return rule


def _edge(score: str) -> _Rule:
    """One-vs-one is better: more accurate, r larger, slope nearer to 1."""

    def rule(numbers: _Numbers) -> _Answer:
        gains = []
        for name in _SETS:
            pairs, code = (round(value, 6) for value in _pair(numbers.of, name, score))
            gains.append(abs(code - 1) - abs(pairs - 1) if score == "slope" else pairs - code)
        holds, test = _over_sets([round(gain, 9) for gain in gains])
        ahead, behind = sum(gain > 1e-9 for gain in gains), sum(gain < -1e-9 for gain in gains)
        return holds, f"better on {ahead}, worse on {behind} of {len(_SETS)} sets", test

    return rule


def _are_significant(numbers: _Numbers) -> _Answer:
    rows = numbers.listing("printed, points", "ours", "its error", "p")
    rows = [row for row in rows if row["p"] != "–"]
    sure = sum(float(row["p"]) <= LEVEL for row in rows)
    naive = sum(abs(float(row["ours"])) > 2 * float(row["its error"]) for row in rows)
    words = f"on {sure} of {len(rows)} sets; uncorrected on {naive}"
    test = "t test over the same splits, corrected for their overlap, 5 %"
    return _yes(2 * sure > len(rows)), words, test


def _are_accurate(numbers: _Numbers) -> _Answer:
    worst_r = min(min(_pair(numbers.of, name, "r")) for name in _SETS)
    slopes = [abs(value - 1) for name in _SETS for value in _pair(numbers.of, name, "slope")]
    said = [abs(value - 1) for name in _SETS for value in _pair(numbers.printed, name, "slope")]
    said_r = min(min(_pair(numbers.printed, name, "r")) for name in _SETS)
    words = (
        f"r at least {worst_r:.5f}, slope within {max(slopes):.3f} of 1; but the trace pools the "
        "classes and hardly sees one of five thrice too likely (validation_power)"
    )
    test = f"no worse than the worst printed, {said_r:.5f} and {max(said):.3f}"
    return _yes(worst_r >= said_r and max(slopes) <= max(said)), words, test


def _times_alike(numbers: _Numbers) -> _Answer:
    ratios, said = (
        [pairs / code for pairs, code in (_pair(side, name, "seconds") for name in _SETS)]
        for side in (numbers.of, numbers.printed)
    )
    inside = sum(min(said) <= ratio <= max(said) for ratio in ratios)
    words = f"time of 1 vs. 1 over ortho. {min(ratios):.2f} to {max(ratios):.2f}"
    test = f"inside the printed range, {min(said):.2f} to {max(said):.2f}, on {inside} of 6"
    # Times are those of another machine and program: being outside refutes nothing.
    return "holds" if inside == len(_SETS) else "cannot tell", words, test


def _gap(pair: tuple[float, float]) -> float:
    return abs(pair[0] - pair[1])


_GAIN = "ortho. − 1 vs. 1, points"

_TIMES = ("classify 1 vs. 1", "classify ortho.")


def _less_accurate(numbers: _Numbers) -> _Answer:
    gains = [float(row[_GAIN]) for row in numbers.listing(_GAIN, *_TIMES)]
    p = wilcoxon_test(gains, np.zeros(len(gains)), alternative="less").pvalue
    holds: Holds = "holds" if p <= LEVEL else "cannot tell"
    test = f"Wilcoxon's signed-rank test over the data sets, one-sided: p = {p:.2g}"
    return holds, f"less accurate on {sum(gain < 0 for gain in gains)} of {len(gains)} sets", test


def _faster(numbers: _Numbers) -> _Answer:
    times = [[float(row[name]) for name in _TIMES] for row in numbers.listing(_GAIN, *_TIMES)]
    sets, fast = len(times), sum(code < pairs for pairs, code in times)
    p = float(binomtest(fast, sets).pvalue)
    holds: Holds = "cannot tell" if p > LEVEL else _yes(2 * fast > sets)
    return holds, f"faster to classify on {fast} of {sets} sets", f"sign test: p = {p:.2g}"


# MST09 --------------------------------------------------------------------------------------


def _aucs(numbers: _Numbers, table: str, rule: str) -> list[float]:
    return [numbers.of(table, name, rule) for name in numbers.rows(table)]


def _gains(numbers: _Numbers, table: str, rule: str, rival: str) -> list[float]:
    ours, theirs = _aucs(numbers, table, rule), _aucs(numbers, table, rival)
    return [a - b for a, b in zip(ours, theirs, strict=True)]


def _best_of_three(table: str) -> _Rule:
    def rule(numbers: _Numbers) -> _Answer:
        rivals = [_gains(numbers, table, "RankMargin", rival) for rival in ("RankBoost", "SVM")]
        best = sum(boost > 0 and svm > 0 for boost, svm in zip(*rivals, strict=True))
        holds, test = _over_sets(rivals[1])
        if 2 * best <= len(rivals[1]):
            holds = "does not hold"
        ours = f"the largest mean AUC on {best} of {len(rivals[1])} sets"
        return holds, ours, f"more than half of the sets; against SVM, {test}"

    return rule


def _svm_better(numbers: _Numbers) -> _Answer:
    gains = _gains(numbers, "Table 2", "SVM", "RankMargin")
    ahead = sum(gain > 0 for gain in gains)
    return _yes(ahead <= 3), f"SVM ahead on {ahead} of {len(gains)} sets", "mean AUCs, counted"


def _never_beaten(numbers: _Numbers) -> _Answer:
    ahead, sure, total = 0, 0, 0
    for table in ("Table 2", "Table 3"):
        for name in numbers.rows(table):
            gain, error = numbers.minus((table, name, "RankBoost"), (table, name, "RankMargin"))
            total, ahead, sure = total + 1, ahead + (gain > 0), sure + (gain > 2 * error)
    holds: Holds = "does not hold" if sure else "cannot tell" if ahead else "holds"
    words = (
        f"RankBoost's mean is larger in {ahead} of {total} comparisons, in {sure} of them surely"
    )
    return holds, words, "two standard errors of both means"


def _improves(table: str) -> _Rule:
    def rule(numbers: _Numbers) -> _Answer:
        gains = _gains(numbers, table, "RankMargin", "RankBoost")
        holds, test = _over_sets(gains)
        return holds, f"mean gain {sum(gains) / len(gains):+.4f}", test

    return rule


def _even_better(numbers: _Numbers) -> _Answer:
    few, many = (_gains(numbers, table, "RankMargin", "SVM") for table in ("Table 2", "Table 3"))
    gains = [b - a for a, b in zip(few, many, strict=True)]
    holds, test = _over_sets(gains)
    return holds, f"the lead over SVM changes by {sum(gains) / len(gains):+.4f}", test


def _contraceptive(numbers: _Numbers) -> _Answer:
    svm, margin = (("Table 2", "contraceptive", rule) for rule in ("SVM", "RankMargin"))
    gain, error = numbers.minus(svm, margin)
    return _beyond(gain, error), f"{gain:+.4f} ± {error:.4f}", "two standard errors of both means"


def _largest_margin(numbers: _Numbers) -> _Answer:
    lead, ahead = "RankBoost less the larger other", "splits where it is ahead"
    rows = [row for row in numbers.listing(lead, "its error", ahead) if row["data"] == "liver"]
    least = min(rows, key=lambda row: float(row[lead]))
    words = f"{least[lead]} ± {least['its error']} over the larger other, in {least[ahead]} splits"
    holds = all(float(row[lead]) > 2 * float(row["its error"]) for row in rows)
    return _yes(holds), words, "two standard errors of the mean over splits; 5 and 7 classifiers"


def _ranks_worse(numbers: _Numbers) -> _Answer:
    rivals = ("less RankMargin", "less SVM")
    rows = [row for row in numbers.listing("data", *rivals) if row["data"] == "liver"]
    gaps = [row[rival].split(" ± ") for row in rows for rival in rivals]
    sure = sum(float(gap) < -2 * float(error) for gap, error in gaps)
    least = min((gap for gap, _ in gaps), key=lambda gap: abs(float(gap)))
    words = f"surely in {sure} of {len(gaps)} comparisons, by {least[1:]} of AUC or more"
    holds: Holds = "holds" if sure == len(gaps) else "cannot tell"
    return holds, words, "two standard errors of the mean over splits"


# T96 ----------------------------------------------------------------------------------------

_PROBLEMS = tuple(
    f"{problem}, {learner}"
    for problem in ("two normals", "concentric normals")
    for learner in ("LDF", "5-NN")
)

_TRUE, _ESTIMATE = "Table 2, True value", "Table 2, Estimate"


def _estimate_minus_truth(numbers: _Numbers, row: str, name: str) -> tuple[float, float]:
    return numbers.minus((_ESTIMATE, row, name), (_TRUE, row, name))


def _near_variance(numbers: _Numbers) -> _Answer:
    found = [_estimate_minus_truth(numbers, row, "Var(C)") for row in _PROBLEMS]
    near = sum(abs(away) <= 2 * error for away, error in found)
    worst = max(abs(away) for away, _ in found)
    ours = f"on {near} of {len(found)} problems and learners; at most {worst:.3f} away"
    return _yes(near == len(found)), ours, "two standard errors of both means"


def _bounds_bias(numbers: _Numbers) -> _Answer:
    above = [
        numbers.of(_ESTIMATE, row, "PE(Y, C_A)") >= numbers.of(_TRUE, row, "Bias(C)")
        for row in _PROBLEMS
    ]
    return _yes(all(above)), f"on {sum(above)} of {len(above)}", "means, counted"


def _bound_too_low(numbers: _Numbers) -> _Answer:
    found = [_estimate_minus_truth(numbers, row, "Bias(C)") for row in _PROBLEMS]
    low = sum(away < -2 * error for away, error in found)
    worst = min(away for away, _ in found)
    words = f"below the true bias on {low} of {len(found)}, by up to {-worst:.3f}"
    return _yes(low > 0), words, "two standard errors of both means"


def _bagging_hurts(numbers: _Numbers) -> _Answer:
    place = (_TRUE, "concentric normals, 5-NN", "AE(C)")
    effect, error = numbers.of(*place), numbers.error(*place)
    words = f"AE = {effect:+.3f} ± {error:.3f}"
    for block in numbers.blocks:
        if isinstance(block, Listing) and block.header[-1] == "fresh: AE(C)":
            words += f"; but {block.rows[-1][-1]} where training sets are drawn anew"
    return _beyond(-effect, error), words, "two standard errors"


def _fewer_are_better(numbers: _Numbers) -> _Answer:
    rows = numbers.listing("problem", "learner", "one fit", "one 1-NN")
    (row,) = [r for r in rows if (r["problem"], r["learner"]) == ("concentric normals", "5-NN")]
    five, one = (row[name].split(" ± ") for name in ("one fit", "one 1-NN"))
    if len(five) < 2:
        raise _NotRunError
    gain = float(five[0]) - float(one[0])
    words = f"1-NN errs {one[0]}, 5-NN {five[0]}"
    holds = _beyond(gain, math.hypot(float(five[1]), float(one[1])))
    return holds, words, "two standard errors of both means"


def _tells_bagging(numbers: _Numbers) -> _Answer:
    right, wrong = 0, 0
    for row in _PROBLEMS:
        effects = [(table, row, "AE(C)") for table in (_ESTIMATE, _TRUE)]
        values = [numbers.of(*place) for place in effects]
        sure = all(
            abs(value) > 2 * numbers.error(*place)
            for value, place in zip(values, effects, strict=True)
        )
        right += sure and values[0] * values[1] > 0
        wrong += sure and values[0] * values[1] < 0
    holds: Holds = "does not hold" if wrong else "holds" if right > 2 else "cannot tell"
    words = f"the right sign on {right}, the wrong one on {wrong} of 4, mean over samples"
    return holds, words, "both sides beyond two standard errors of 0"


def _smaller_loss(_: _Numbers) -> _Answer:
    """Work out its example: Y is always 1, and the rule says 1 in .4 of the training sets."""
    said = 0.4
    single, aggregated = 1 - said, float(said < 0.5)
    return _yes(aggregated < single), f"{aggregated:g} against {single:g}", "its own .4/.6 example"


def _largest_at_quarters(_: _Numbers) -> _Answer:
    half, quarter = min(0.5, 0.5), min(0.25, 0.75)
    words = f"by eq. (11) {half:g} at 1/2, {quarter:g} at 1/4; eq. (21) is the reversed variance"
    return _yes(quarter > half), words, "exact, for votes of two classes"


# HT98 ---------------------------------------------------------------------------------------

SAID = "What the text claims"


def _example(numbers: _Numbers) -> _Answer:
    rows = numbers.rows("Example (1)")
    same = [numbers.cells[place].verdict == "agrees" for place in numbers.cells if place[1] in rows]
    words = f"{sum(same)} of {len(same)} probabilities; the printed ones are an iterate"
    return _yes(all(same)), words, "exact minimiser, to the digits printed"


def _ties(numbers: _Numbers) -> _Answer:
    printed, ours = numbers.name(SAID, "example (1)", "every class wins one vote")
    return _yes(printed == ours), ours, "exact"


def _random_mixtures(figure: int, claim: str) -> _Rule:
    def rule(numbers: _Numbers) -> _Answer:
        place = (SAID, f"figure {figure}", claim)
        share, error = numbers.of(*place), numbers.error(*place)
        words = f"in {100 * share:.0f} ± {100 * error:.0f} % of random mixtures"
        return _beyond(share - 0.5, error), words, "more than half, two standard errors"

    return rule


def _improves_on_votes(numbers: _Numbers) -> _Answer:
    """Judge by real data: the page's table of each learner, a star where MultiTest is sure."""
    words, sure, answers = [], 0, []
    for learner in ("LDA", "5-NN"):
        rows = numbers.listing(learner, "max-wins", "coupled")
        errors = [
            [float(row[rule].rstrip(" *")) for rule in ("max-wins", "coupled")] for row in rows
        ]
        gains = [round(votes - coupled, 2) for votes, coupled in errors]
        sure += sum(row["coupled"].endswith("*") for row in rows)
        better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
        words.append(f"less error on {better}, more on {worse} with {learner}")
        answers.append(_over_sets(gains))
    ours = f"on {len(rows)} real sets {'; '.join(words)}; by MultiTest surely on {sure}"
    ps = " and ".join(test.rpartition("= ")[2] for _, test in answers)
    test = f"Wilcoxon's signed-rank test over the data sets, two-sided: p = {ps}"
    same = {holds for holds, _ in answers}
    return same.pop() if len(same) == 1 else "cannot tell", ours, test


def _exists(figure: int, claim: str) -> _Rule:
    def rule(numbers: _Numbers) -> _Answer:
        share = numbers.of(SAID, f"figure {figure}", claim)
        words = f"in {100 * share:.0f} % of random mixtures"
        return _yes(share > 0), words, "one example is enough"

    return rule


_CLAIMS: dict[str, tuple[tuple[str, str, _Rule], ...]] = {
    "ya06": (
        ("§4.4, §5", "MultiTest always finds a best algorithm", _always_found),
        ("§4.4", "Anova accepts only 2 percent of the time", _share_said("Anova", "MAX", 2)),
        (
            "§4.4",
            "TestFirst cannot find the best in 70 percent of the cases",
            _share_said("TestFirst", "not found", 70),
        ),
        ("§4.4", "Newman–Keuls cannot always name a best algorithm", _keuls_fails),
        ("§4.4", "Newman–Keuls finds no best on hepatitis and on glass", _keuls_fails_where),
        ("§4.4", "MultiTest favours simpler algorithms more than Newman–Keuls", _favours_simpler),
        (
            "§4.4",
            "On 14 data sets that it lists Newman–Keuls and MultiTest mostly select the same",
            _same_on_listed,
        ),
        ("§4.4", "On the other 16 data sets they select different ones", _other_on_others),
        (
            "§4.3, figure 3",
            "Hepatitis: no test rejects, the order is that of preference",
            _order("Figure 3", "hepatitis"),
        ),
        (
            "§4.3, figure 4",
            "Pendigits: the order is 5 < 3 < 4 < 2 < 1",
            _order("Figure 4", "pendigits"),
        ),
        ("Table 2", "Who is named best most often, by data set and method", _first_choices),
        ("Table 1", "Which learner has the lowest mean error on a data set", _lowest_means),
        ("§4.1", "Any plausible learner has a smaller error rate than MAX", _better_than_max),
    ),
    "m24": (
        (
            "§5",
            "Very little difference between the two methods in accuracy",
            _little_difference("accuracy", " points", 100),
        ),
        (
            "§5",
            "Very little difference in the probability estimates' slope",
            _little_difference("slope", "", 1),
        ),
        ("§5", "Very little difference in classification time", _times_alike),
        ("§5", "One-vs-one has a slight edge in accuracy", _edge("accuracy")),
        ("§5", "One-vs-one has a slight edge in precision (r)", _edge("r")),
        ("§5", "One-vs-one has a slight edge in bias (slope)", _edge("slope")),
        ("§5", "The differences are statistically significant", _are_significant),
        ("§5", "Probability estimates of both methods are highly accurate", _are_accurate),
        ("§5", "Logistic regression: the orthogonal code is less accurate", _less_accurate),
        ("§5", "Logistic regression: the orthogonal code is faster", _faster),
    ),
    "mst09": (
        ("§4", "RankMargin is better on most sets, 5 classifiers", _best_of_three("Table 2")),
        ("§4", "RankMargin is better on most sets, 7 classifiers", _best_of_three("Table 3")),
        ("§4", "SVM is better in only 3 cases, 5 classifiers", _svm_better),
        ("§4", "RankBoost never outperforms RankMargin", _never_beaten),
        ("§4", "RankMargin improves on RankBoost, 5 classifiers", _improves("Table 2")),
        ("§4", "RankMargin improves on RankBoost, 7 classifiers", _improves("Table 3")),
        ("§4", "Its results are even better with 7 classifiers", _even_better),
        ("§4, figure 1", "SVM is better than RankMargin on contraceptive", _contraceptive),
        (
            "§4, figure 2",
            "On liver RankBoost has clearly the largest minimum rank margin",
            _largest_margin,
        ),
        ("§4", "On liver RankBoost ranks new cases worse than both others", _ranks_worse),
    ),
    "t96": (
        ("§2", "C_A has smaller expected loss than C for any loss of Table 1", _smaller_loss),
        ("§3, figure 1", "The variance of votes is largest at 1/4 and 3/4", _largest_at_quarters),
        ("§5", "The estimated variance is reasonably near the true one", _near_variance),
        ("§5", "The bound of the bias is sometimes far too low", _bound_too_low),
        ("§5", "Bagging makes 5-NN much worse on concentric normals", _bagging_hurts),
        ("§5", "On concentric normals the fewer neighbours the better", _fewer_are_better),
        ("§7", "The estimated effect tells whether bagging is useful", _tells_bagging),
        ("§4, eq. (31)", "The bagged rule's estimated error bounds the bias", _bounds_bias),
    ),
    "ht98": (
        ("§1", "Coupling the pairs' probabilities improves on max-wins", _improves_on_votes),
        ("§1, example (1)", "Every class wins one vote: max-wins is undecided", _ties),
        ("§1, example (1)", "The coupled probabilities are .47, .25, .28", _example),
        (
            "§1, figure 1",
            "Max-wins performs no worse than coupling",
            _random_mixtures(1, "max-wins performs no worse than coupling"),
        ),
        (
            "§1, figure 1",
            "Max-wins of pairwise LDA performs better than LDA",
            _random_mixtures(1, "max-wins performs better than LDA"),
        ),
        (
            "§1, figure 1",
            "Coupled pairwise LDA performs better than LDA",
            _random_mixtures(1, "coupling performs better than LDA"),
        ),
        (
            "§2, figure 2",
            "There are problems where coupling is substantially better than max-wins",
            _exists(2, "coupling does substantially better than max-wins"),
        ),
        (
            "figure 2",
            "QDA errs less than coupled pairwise LDA",
            _random_mixtures(2, "QDA errs less than coupling"),
        ),
    ),
}
