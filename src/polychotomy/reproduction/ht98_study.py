"""Beyond HT98: do coupling and thresholds help on real data? MultiTest says."""

from __future__ import annotations

from typing import Any

from polychotomy.comparison import ManyOrderings, compare_to_control, multitest_many
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import counted
from polychotomy.multiclass import CodedClassifier
from polychotomy.reproduction.blocks import Block, Heading, Paragraph, listing
from polychotomy.reproduction.inputs import Standardiser, find_sets
from polychotomy.reproduction.labels_only import LabelsOnly
from polychotomy.reproduction.request import Request
from polychotomy.reproduction.studies import run_studies

_NAMES = "balance car cmc dermatology iris sat segment vehicle wave wine"

DATA_SETS = tuple(_NAMES.split())
"""Three classes or more, each of 20 cases or more, rows times pairs below 100,000; one wave."""

RULES = ("many classes at once", "pairs, max-wins", "pairs, coupled", "pairs, coupled, thresholds")

SHOWN = ("many classes at once", "max-wins", "coupled", "coupled with thresholds")
"""The rules on the page: pairs, but for the first."""

RUNS = 3


def rules_of(learner: Any) -> list[Any]:
    """Return a learner for many classes, and its pairwise rules, simplest first."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.pipeline import make_pipeline

    # Some sets are sorted by their inputs; folds that are not shuffled would give thresholds for
    # another population.
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    variants = (
        learner,
        CodedClassifier(learner, decoder="votes"),
        CodedClassifier(learner, decoder="bradley-terry"),
        CodedClassifier(learner, decoder="bradley-terry", thresholds="optimal", cv=folds),
    )
    return [make_pipeline(Standardiser(), LabelsOnly(variant)) for variant in variants]


def compare_on_sets(request: Request, learners: dict[str, Any]) -> tuple[list[Block], float]:
    """Run all rules on the folder's data sets; say who significantly beats whom, and the cost."""
    heading = Heading("Do coupling and thresholds help on real data?")
    if request.data is None:
        return [heading, Paragraph("Not run: it needs a folder of data sets, `--data DIR`.")], 0.0
    try:
        sets = find_sets(DATA_SETS, request.data)
    except InvalidInput as error:
        return [heading, Paragraph(f"Not run: {error}")], 0.0
    if request.budget.is_spent() and not (request.study and request.study.exists()):
        return [heading, Paragraph("Not run: the budget was spent; a later call goes on.")], 0.0
    candidates = {
        f"{name}: {rule}": estimator
        for name, learner in learners.items()
        for rule, estimator in zip(RULES, rules_of(learner), strict=True)
    }
    results = run_studies(request, sets, candidates, stratified=True, runs=min(RUNS, request.runs))
    blocks: list[Block] = [heading, Paragraph(_HOW.format(runs=counted(results.runs, "run")))]
    for i, name in enumerate(learners):
        own = results.errors[:, :, i * len(RULES) : (i + 1) * len(RULES)]
        blocks += _of_learner(name, own, sets)
    return blocks, results.seconds


_HOW = (
    "Not in the paper. The learner for many classes at once, max-wins of pairs, and coupled pairs "
    "without and with optimised thresholds, on the benchmark sets with three classes or more, each "
    "of 20 cases or more, and with rows times pairs below 100,000 (of the two waveform sets one). "
    "Mean error in percent over {runs} of stratified 5×2 cross-validation; a star where MultiTest "
    "(5×2cv t test, 5 % over the six pairs of rules) says, in most runs, that the rule beats the "
    "one left of it. Nearest neighbours are five, as one has no probabilities to couple."
)


def _choices(orderings: ManyOrderings) -> str:
    """Say on how many sets MultiTest mostly names each rule, and which pairs of rules it parts."""
    best = orderings.counts.argmax(axis=1)
    named = [f"{SHOWN[j]} on {int((best == j).sum())}" for j in range(len(SHOWN))]
    beats = orderings.edges.mean(axis=1) > 0.5  # (data sets, rules, rules)
    parted = [
        f"{SHOWN[j]} over {SHOWN[i]} on {orderings.data_sets[d]}"
        for d, i, j in zip(*beats.nonzero(), strict=True)
    ]
    return (
        f"Of all pairs of rules it parts {'; '.join(parted) or 'none'}. The best by MultiTest, in "
        f"most runs: {', '.join(named)}."
    )


def _of_learner(name: str, errors: Floats, sets: list[str]) -> list[Block]:
    """Lay out errors (data sets, runs, rules, 5, 2) of one learner's rules."""
    orderings = multitest_many(errors, names=SHOWN, data_sets=sets)
    means = 100 * errors.mean(axis=(1, 3, 4))
    beats = orderings.edges.mean(axis=1) > 0.5  # (data sets, rules, rules)
    rows = [
        [data, f"{means[d, 0]:.2f}"]
        + [f"{means[d, j]:.2f}{' *' if beats[d, j - 1, j] else ''}" for j in range(1, len(SHOWN))]
        for d, data in enumerate(sets)
    ]
    words = [
        f"{SHOWN[j]} beats {SHOWN[j - 1]} on {int(beats[:, j - 1, j].sum())}"
        for j in range(1, len(SHOWN))
    ]
    said = f"{name}, {len(sets)} data sets: {'; '.join(words)}. {_choices(orderings)}"
    if len(sets) > 1:
        said += f" {compare_to_control(means, names=SHOWN, control=2)}"
    return [listing([name, *SHOWN], rows), Paragraph(said)]
