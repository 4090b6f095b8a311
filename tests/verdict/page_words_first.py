"""The lines of the first screen: which caveat, which step next, and their numbers."""

import numpy as np
from page_numbers import two_digits
from page_words_help import CLAIMED
from page_words_kinds import too_dear

FAR = 10  # times the rows that there are: more of the kind nobody gets


def guessing_loss(w):
    """What those that guess lose, of the kind that is said; the most frequent class where none."""
    if w.guesses:
        return []
    means = [w.r.means[w.r.names.index(name)] for name in w.guessing if name in w.r.names]
    if not means and w.r.loss == "error":
        means = [1 - w.confusion.sum(axis=1).max() / w.confusion.sum()]
    if not means:
        return []
    return [1 - min(means)] if w.r.loss == "auc" else [w.scale * min(means)]


def unbeaten(w):
    """Whether nobody is shown to beat guessing, though the rule takes another."""
    who = [i for i in range(w.r.m) if w.r.names[i] not in w.guessing]
    guessing = [w.r.names.index(name) for name in w.guessing if name in w.r.names]
    if w.guesses or w.r.rule != "margin" or not guessing:
        return False
    lowest = min(guessing, key=w.r.means.__getitem__)
    return not any(w.r.difference(i, lowest)[2] < 0 for i in who)


def open_ones(w):
    """Undecided rivals that have no sentence of their own."""
    best, taken = w.r.best, (w.verdict["undecided"] or {}).get("rival")
    over = w.r.edges_of(w.shown) if w.r.rule == "paper" else np.zeros((w.r.m, w.r.m))
    return [
        j for j in range(w.r.m)
        if j != best and w.r.answer(best, j) == "undecided" and w.r.names[j] != taken
        and not np.array_equal(w.r.table[j], w.r.table[best]) and not over[j, best]
        and not (w.guesses and w.r.names[j] in w.guessing)
    ]  # fmt: skip


def alike_ones(w):
    """Undecided rivals that made the same errors in every fold."""
    best = w.r.best
    return [
        j for j in range(w.r.m)
        if j != best and w.r.answer(best, j) == "undecided"
        and np.array_equal(w.r.table[j], w.r.table[best])
    ]  # fmt: skip


def called(w, j):
    return "guessing" if w.r.names[j] in w.guessing else w.r.names[j]


def caveat(w, text):
    """The first that holds of what may speak against it."""
    failed = w.trials[(w.trials["status"] != "ok") & (w.trials["plan"] == w.plan)]["candidate"]
    by_probabilities = w.r.loss in ("log-loss", "brier") or not isinstance(w.r.loss, str)
    if "grows through time" in text:
        return None  # of a made-up verdict only
    lost = w.guesses or unbeaten(w)
    taken, rest = w.verdict["undecided"], open_ones(w)
    is_open = not lost and (taken or rest)
    if is_open and "worse" in {w.r.answer(w.r.best, j) for j in range(w.r.m) if j != w.r.best}:
        return rival_caveat(w, text)
    if by_probabilities and w.verdict["recalibrated"] is not None:
        assert w.recalibrated.changes(w)
        assert text.startswith(f"Caveat: recalibrated, {w.recalibrated.name} ")
        return []
    if len(failed):
        assert text == f"Caveat: left out, for fits failed: {' and '.join(failed.unique())}."
        return []
    hard = w.name in w.hard
    finding = "labels" if hard else w.trust.finding(w.recalibration.chosen)
    if not lost and finding in CLAIMED and finding != "no sign against them":
        assert text == f"Caveat: its probabilities {CLAIMED[finding]}."
        return []
    if is_open:
        return rival_caveat(w, text)
    if too_dear(w) and not w.imported and "not tried" in text:
        assert all(name in text for name in too_dear(w))
        return []
    members, hit = w.confusion.sum(axis=1), w.confusion.diagonal()
    missed = np.flatnonzero((members > 4.5) & (hit <= 0.1 * members.round()))
    if len(missed) and not lost:
        first, *_ = missed
        all_of = "nearly all of" if hit[missed].any() else "all of"
        assert text.startswith(f"Caveat: it misses {all_of} '{w.r.classes[first]}' (")
        assert (" more" in text) == (len(missed) > 3)
        return [*members[missed[: 2 + (len(missed) == 3)]].round(),
                *([len(missed) - 2] if len(missed) > 3 else [])]  # fmt: skip
    assert text == "Caveat: none; it is shown to be better than every other."
    assert {w.r.answer(w.r.best, j) for j in range(w.r.m) if j != w.r.best} == {"better"}
    return []


def rival_caveat(w, text):
    """Who is better or not told apart: the one with a sentence, else the lowest mean."""
    taken, rest = w.verdict["undecided"], open_ones(w)
    first = min(rest, key=w.r.means.__getitem__) if taken is None else w.r.names.index(
        taken["rival"])  # fmt: skip
    more = len({*rest, *alike_ones(w)} - {first})
    ahead = w.r.means[first] - w.r.means[w.r.best]
    if w.r.answer(w.r.best, first) == "worse":
        assert text.startswith(f"Caveat: {called(w, first)} is shown to be better, by ")
        return [w.scale * abs(ahead)]
    assert text.startswith(f"Caveat: the data cannot tell it from {called(w, first)} (")
    equal = abs(ahead) < 1e-9
    assert ("(equal here)" in text) == equal
    assert equal or ("worse)" in text) == (ahead > 0)
    return [w.scale * abs(ahead)] * (not equal) + ([more] if more else [])


def next_step(w, text):
    """The first that holds of what would change the answer, or improve it."""
    said = text.removeprefix("Next: ").rstrip(".")
    gate, taken = w.verdict["gate"], w.verdict["undecided"]
    rows = (taken or {}).get("more_rows")
    near = rows is not None and rows <= FAR * w.r.n
    if gate is not None and not gate["passed"]:
        assert said == f"keep {gate['against']}"
        return []
    if w.guesses or unbeaten(w):
        if len(w.trials[w.trials["status"] != "ok"]):
            assert said == "see below why fits failed, and judge again"
            return []
        if w.guesses and w.asked_combining and w.combining.conclusion == "helps":
            assert said.startswith("judge by --loss auc or log-loss")
            return []
        assert near == said.endswith("more rows may tell")
        by_auc = w.r.loss == "error" and not w.guesses and w.name not in w.hard
        assert near or by_auc == said.endswith("judge by --loss auc")
        return [two_digits(rows)] if near else []
    hard = w.name in w.hard
    if not hard and not w.imported and w.recalibration.chosen != "none" and (
        w.trust.finding(w.recalibration.chosen) != "no sign against them"):  # fmt: skip
        words = f"{w.recalibration.chosen} recalibration improves its probabilities"
        assert said.endswith(f"verdict.fit(): {words}")
        return []
    wrong = w.r.wrong[w.r.best].any()
    if w.bags and wrong:
        (low, gain, _), _ = w.forecast.at(2)
        if low > 0.005:
            assert said.startswith("get more rows; twice as many may take about ")
            return [100 * gain]
        if w.bagging.answer == "yes":
            assert said.startswith("try bagging it, ")
            return [100 * w.bagging.expected]
    helps = w.asked_combining and w.combining.conclusion == "helps" and not hard
    if helps and w.combining.low >= 0.005:
        assert said.startswith("combine the candidates, which may rank better by ")
        return [100 * w.combining.difference]
    if taken is not None and near:
        assert said.startswith("use it; about ")
        assert said.endswith(f" more rows may tell it from {taken['rival']}")
        return [two_digits(rows)]
    if w.imported:
        rest = open_ones(w)
        if taken is None and not rest:
            assert said == "use it"
            return []
        first = min(rest, key=w.r.means.__getitem__) if taken is None else w.r.names.index(
            taken["rival"])  # fmt: skip
        both = f"{w.r.names[w.r.best]} and {called(w, first)}"
        assert said == f"choose between {both} by cost, or judge more rows"
        return []
    assert said == "fit it by --model or verdict.fit()"
    return []


PLAIN = (
    "Nothing that was asked speaks for doing more first.",
    "The gate was not passed.",
    "No row of such a class, of 10 or more, was taken for it in any fold.",
    "Nobody is shown to know more of the class than its frequency, by this loss.",
)


def shared_basis(w, basis):
    """What it rests on is that of the sentence whose numbers it has, which is checked there."""
    pairs = [*w.verdict["sentences"], *w.verdict["timings"]["sentences"]]
    assert basis in PLAIN or sum(one["basis"] == basis for one in pairs) > 1
    return  # checked with the other sentence
