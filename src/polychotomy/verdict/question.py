"""What is asked of a ledger: by which loss, rule and preference, and against whom."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison import Criterion
from polychotomy.comparison.criteria import LOSS_WORDS
from polychotomy.core.arguments import as_floats, check_choice, shown, unexpected
from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import HoldOut, RepeatedFolds, Study, TimeFolds
from polychotomy.study.design.plan import Bootstrap, ImportedFolds, Plan, Rung
from polychotomy.study.design.specification import Specification, fingerprint
from polychotomy.study.racing import require_raceable
from polychotomy.verdict.case import is_baseline
from polychotomy.verdict.findings import Guessing

Rule: TypeAlias = Literal["margin", "paper"]

Preference: TypeAlias = Literal["listed", "time", "memory"]


LOSSES = tuple(name for name in LOSS_WORDS if name not in ("cost", "score"))

# scikit-learn's names for scores, and the losses that they are of.
_SCORES = {
    "accuracy": "error", "balanced_accuracy": "balanced-error", "f1_macro": "macro-f1",
    "matthews_corrcoef": "mcc", "neg_log_loss": "log-loss", "neg_brier_score": "brier",
    "roc_auc": "auc", "roc_auc_ovo": "auc",
}  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """How to choose among the candidates of a ledger.

    Parameters
    ----------
    rule : {"margin", "paper"}
        See :func:`judge`.
    margin : float, optional
        Difference that is of no practical meaning; by default one point of error, 0.01 of
        another loss, or 1 % of the largest entry of a cost matrix by size, and with the rule
        "margin" no more than a twentieth of what guessing loses.
    criterion : Criterion
        By what candidates are compared.
    prefer : {"listed", "time", "memory"}
        Which candidates are preferred: as listed, or the cheaper by measured time, or those whose
        fitted models are smaller.
    against : str, optional
        A candidate that the winner must not be worse than.
    race : bool
        Whether candidates that are already shown to be worse than a more preferred one are not
        run further.
    guessing : float, optional
        Loss of guessing on the table that is asked about, once that is known.

    Examples
    --------
    >>> Question(margin=0.02).smallest_difference, Question().smallest_difference
    (0.02, 0.01)
    >>> Question(guessing=0.02).smallest_difference  # one row in fifty is of the other class
    0.001
    >>> Question().to_dict()["rule"]
    'margin'
    """

    rule: Rule = "margin"
    margin: float | None = None
    criterion: Criterion = field(default_factory=lambda: Criterion(name="error"))
    prefer: Preference = "listed"
    against: str | None = None
    race: bool = False
    guessing: float | None = None

    def __post_init__(self) -> None:
        for name, allowed in (("rule", Rule), ("prefer", Preference)):
            value = getattr(self, name)
            if value not in get_args(allowed):
                *first, last = map(repr, get_args(allowed))
                raise InvalidInput(f"{name} is {value!r}; expected {', '.join(first)} or {last}.")
        if self.race and (self.criterion.name, self.prefer) != ("error", "listed"):
            raise InvalidInput(
                f"a race by the loss {self.criterion.name!r}, to prefer {self.prefer!r}; expected "
                "the loss 'error' and candidates as 'listed': a race compares errors with those of "
                "more preferred candidates while fits are made."
            )
        if self.margin is not None:
            _check_margin(self.margin, self.criterion)

    @property
    def smallest_difference(self) -> float:
        """The margin asked for, or the criterion's own, scaled to what there is to gain.

        One point of error is half of all that there is to gain where one row in fifty is of the
        other class: guessing would be good enough there.
        """
        if self.margin is not None:
            return float(self.margin)
        most = self.criterion.margin
        if self.rule == "paper" or self.guessing is None or self.guessing <= 0:
            return most
        return min(most, GAIN_SHARE * self.guessing)

    @property
    def may_keep_worse(self) -> bool:
        """Whether one that is shown to be worse may be chosen: by a margin that was asked for."""
        return self.rule == "paper" or self.margin is not None

    def about(self, guessing: Guessing | None) -> Question:
        """Return the question as asked of a table on which guessing costs this.

        Examples
        --------
        >>> round(Question().about(Guessing("no", error=0.1, loss=0.1)).smallest_difference, 6)
        0.005
        """
        return self if guessing is None else replace(self, guessing=guessing.loss)

    def to_dict(self) -> dict[str, Any]:
        """Return the question as plain values."""
        return {
            "rule": self.rule,
            "margin": self.smallest_difference,
            "loss": self.criterion.to_dict(),
            "prefer": self.prefer,
            "against": self.against,
            **({"race": True} if self.race else {}),
        }


# Share of guessing's loss that the margin is at most, where none is asked for. Chosen on the tables
# of ``benchmarks/headline.py`` that rules were tuned on; the true errors of what is chosen with
# other shares are on the page that it makes.
GAIN_SHARE = 0.05


def cost_of_guessing(criterion: Criterion, counts: Ints, classes: Sequence[str]) -> Guessing:
    """Return what it costs to give every row the same answer.

    Parameters
    ----------
    counts : (k,) ints
        Rows of each class.

    Examples
    --------
    >>> cost_of_guessing(Criterion(name="error"), np.array([98, 2]), ["healthy", "ill"])
    Guessing(label='healthy', error=0.02, loss=0.02)
    >>> costs = Criterion(name="cost", costs=np.array([[0.0, 1.0], [100.0, 0.0]]))
    >>> round(cost_of_guessing(costs, np.array([98, 2]), ["healthy", "ill"]).loss, 2)  # all ill
    0.98
    """
    shares = counts / counts.sum()
    error = float((counts.sum() - counts.max()) / counts.sum())
    if criterion.costs is not None:
        loss = float((shares @ criterion.costs).min())
    else:
        seen = shares[shares > 0]
        losses = {"error": error, "brier": 1 - seen @ seen, "log-loss": -seen @ np.log(seen)}
        losses |= {"auc": 0.5, "balanced-error": 1 - 1 / len(seen)}
        loss = float(losses.get(criterion.name, 1.0))  # of F1 a little less: too much to matter
    return Guessing(str(classes[int(counts.argmax())]), error, loss)


def guessing_on(study: Study, question: Question) -> Guessing:
    """Return what guessing costs on the table of a study."""
    target = study.data.target
    return cost_of_guessing(question.criterion, target.counts, target.names)


def criterion_of(loss: str | ArrayLike) -> Criterion:
    """Return the criterion of a loss: one by its name, or a matrix of costs.

    Examples
    --------
    >>> criterion_of("auc").words, criterion_of([[0, 5], [1, 0]]).name
    ('1 − AUC', 'cost')
    >>> criterion_of("logloss")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: the loss is 'logloss'. Did you mean 'log-loss'? \
Expected error, log-loss, auc, brier, balanced-error, macro-f1, mcc, kappa or recall-at-precision, \
or a cost matrix of numbers, whose rows are true classes (on the command line a CSV file).
    """
    if not isinstance(loss, str):
        return Criterion(name="cost", costs=as_floats("the cost matrix", loss))
    if loss in LOSSES:
        return Criterion(name=loss)
    near = get_close_matches(loss.lower(), [*LOSSES, *_SCORES], n=1, cutoff=0.4)
    hint = f" Did you mean {_SCORES.get(near[0], near[0])!r}?" if near else ""
    *first, last = LOSSES
    raise InvalidInput(
        f"the loss is {loss!r}.{hint} Expected {', '.join(first)} or {last}, or a cost matrix of "
        "numbers, whose rows are true classes (on the command line a CSV file)."
    )


def loss_of_score(scoring: str, loss: Any = "error") -> str:
    """Return the loss that one of scikit-learn's scores is of.

    Examples
    --------
    >>> loss_of_score("balanced_accuracy")
    'balanced-error'
    """
    if not (isinstance(loss, str) and loss == "error"):
        raise InvalidInput(f"{scoring=} together with loss={shown(loss)}; expected one of the two.")
    if not isinstance(scoring, str) or scoring not in _SCORES:
        raise InvalidInput(
            f"scoring={shown(scoring)}; expected one of {', '.join(_SCORES)}: by "
            "these can candidates be compared. Costs of errors are loss=[[…], …]."
        )
    return _SCORES[scoring]


def criterion_on(plan: Plan, asked: Criterion) -> Criterion:
    """Return by what predictions are compared: of scores by them, whatever a loss of labels says.

    Examples
    --------
    >>> from polychotomy.study.design.plan import ImportedFolds
    >>> ratings = ImportedFolds(only_right=True, better="higher", scale=10.0)
    >>> criterion_on(ratings, Criterion(name="error")).words
    'score'
    """
    if not isinstance(plan, ImportedFolds) or not plan.only_right:
        return asked
    if asked.name != "error":
        there, these = ("scores", "they") if plan.better else ("right and wrong", "errors")
        raise InvalidInput(
            f"the loss is {asked.name!r}, and the table has {there}, not answers; expected no loss "
            f"to be named: {these} are compared. Others take truth and predicted, or p:<class>."
        )
    if not plan.better:
        return asked
    return Criterion(name="score", higher_better=plan.better == "higher", scale=plan.scale)


def _check_margin(margin: Any, criterion: Criterion) -> None:
    costs = criterion.costs
    most = 1.0 if costs is None else float(costs.max() - costs.min())
    most = np.inf if criterion.name == "score" else most
    number = isinstance(margin, int | float) and not isinstance(margin, bool)
    if not (number and 0.0 < margin < most):
        raise InvalidInput(
            f"margin is {margin!r}; expected a positive difference below {most:g} (of "
            f"{criterion.words}), small enough not to matter, such as 0.01 for one point of error."
        )


def check_question(question: Question, study: Study) -> None:
    """Refuse a question that the fits of a study could not answer.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> candidates = {"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}
    >>> study = Study(candidates, *load_iris(return_X_y=True))
    >>> check_question(Question(against="baseline"), study)
    >>> check_question(Question(against="nave Bayes"), study)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: against 'nave Bayes' is none of the candidates: MAX, \
naive Bayes. Expected one of them that does not fail, or 'baseline' for the one that ignores the \
features: on the command line MAX, among the names in --candidates ("MAX,…"), in Python \
DummyClassifier().
    """
    if question.race:
        require_raceable(study.plan)
    question.criterion.check_classes(study.data.target.names)
    if question.against is not None:
        baselines = [name for name, one in study.candidates.items() if is_baseline(one)]
        name_against(question.against, list(study.candidates), baselines)


def name_against(against: str, names: Sequence[str], baselines: Sequence[str]) -> str:
    """Return who must not be beaten; "baseline" is who ignores the features, if none is so named.

    Examples
    --------
    >>> name_against("baseline", ["MAX", "tree"], ["MAX"])
    'MAX'
    """
    found = [name for name in names if name == against]
    if against == "baseline" and not found:
        found = [name for name in names if name in baselines]
    if not found:
        raise InvalidInput(
            f"against {against!r} is none of the candidates: {', '.join(names)}. Expected one of "
            "them that does not fail, or 'baseline' for the one that ignores the features: on the "
            'command line MAX, among the names in --candidates ("MAX,…"), in Python '
            "DummyClassifier()."
        )
    if len(names) == 1:
        raise InvalidInput(
            f"against {against!r}, which is the only candidate; expected another to compare."
        )
    return found[0]


def note_costs(criterion: Criterion, classes: Sequence[str]) -> list[str]:
    """Tell of costs by which an error is cheaper than the right answer.

    Examples
    --------
    >>> costs = Criterion(name="cost", costs=np.array([[0.0, 5.0], [-1.0, 0.0]]))
    >>> print(*note_costs(costs, ["healthy", "ill"]))
    the cost matrix rewards an error: 'ill' taken for 'healthy' costs -1, rightly told 0; rows are \
true classes, columns predicted classes
    """
    if criterion.costs is None:
        return []
    right = np.diag(criterion.costs)[:, np.newaxis]
    rewarded = np.argwhere(criterion.costs < right)
    if not len(rewarded):
        return []
    truth, predicted = rewarded[0].tolist()
    more = f" (and {len(rewarded) - 1} more like it)" if len(rewarded) > 1 else ""
    return [
        f"the cost matrix rewards an error: {shown(classes[truth])} taken for "
        f"{shown(classes[predicted])} costs {criterion.costs[truth, predicted]:g}, rightly told "
        f"{criterion.costs[truth, truth]:g}{more}; rows are true classes, columns predicted classes"
    ]


MOST_RUNS = 5  # repetitions of five folds that a choice may take where no plan is asked for

# Rows from which on a fifth of them decides, and folds follow one by one where it does not.
ONE_SPLIT = 50_000


def plan_of(
    rule: Rule,
    runs: int = 1,
    *,
    plan: str | Plan | None = None,
    race: bool = False,
    in_time: bool = False,
    rows: int = 0,
) -> tuple[Plan, int]:
    """Return how to resample, and how many runs of it there may be.

    Five folds, repeated up to five times as needed, where nothing else is asked for; of 50,000
    rows and more one fold is held out, and the other four as needed, one by one. The paper's
    rule takes 5×2 folds; a race, and several runs, 5×5. Rows in order of time are cut into six
    blocks, five of which are predicted from those before; :func:`one_split_in_time` is for many.

    Examples
    --------
    >>> plan_of("margin")[0].name, plan_of("margin")[1]
    ('1x5 folds', 5)
    >>> [plan_of(rule, runs)[0].n_trials for rule, runs in (("paper", 1), ("margin", 2))]
    [10, 50]
    >>> plan_of("margin", plan="10x10")[0].name, plan_of("margin", rows=10**5)[0].name
    ('10x10 folds', 'hold-out 1/5')
    """
    check_choice("rule", rule, ("margin", "paper"))
    if in_time:
        if rule == "paper" or runs > 1 or plan is not None:
            raise InvalidInput(
                f"the rule {rule!r}, runs={runs} and plan={plan} together with time; expected the "
                "rule 'margin', one run and no plan. Time has one order, so that there are no "
                "other folds to draw."
            )
        return TimeFolds(folds=5), 1
    if isinstance(plan, Bootstrap):
        raise unexpected("plan", plan, "folds; anatomy=True asks a bootstrap of the best one")
    if plan is not None:
        return (replace(read_plan(plan), runs=runs) if isinstance(plan, str) else plan), 1
    if rule == "margin" and runs == 1 and not race:
        small = RepeatedFolds(repetitions=1, folds=5), MOST_RUNS
        return small if rows < ONE_SPLIT else (HoldOut(of=5), 5)
    return RepeatedFolds(repetitions=5, folds=2 if rule == "paper" else 5, runs=runs), 1


_TIMES = 100  # distinct ones: of a fifth of them, parts can be told apart in order of time


def one_split_in_time(study: Study) -> Study:
    """Return a study in order of time that one split decides: of many rows at many times."""
    if not isinstance(study.plan, TimeFolds) or study.data.n < ONE_SPLIT:
        return study
    time = study.data.time
    fine = time is not None and int(time.max()) + 1 >= _TIMES
    return study.changed(plan=TimeFolds(folds=1, of=5)) if fine else study


LADDER_ROWS = 200_000  # rows from which on candidates are fitted on fewer of them first

_FEWEST_ROWS = 10_000  # rows to train on: a lower rung says little of learners for such tables

_STEP = 4

_TESTED = 20_000  # rows: differences are known within half a point, and predicting is cheap


def rungs_of(study: Study, question: Question) -> tuple[Rung, ...]:
    """Return the sizes to fit before all rows, each a quarter of the next; none of small tables.

    Nor are there any where the loss is no mean over rows.
    """
    plan, n = study.plan, study.data.n
    if not isinstance(plan, HoldOut) or n < LADDER_ROWS or not question.criterion.is_mean:
        return ()
    size, sizes = int(n * plan.training_share) // _STEP, []
    while size >= _FEWEST_ROWS:
        sizes.append(size)
        size //= _STEP
    return tuple(Rung(of=plan.of, train=one, test=_TESTED) for one in reversed(sizes))


def read_plan(text: str) -> RepeatedFolds:
    """Return repeated folds by their name, repetitions × folds.

    Examples
    --------
    >>> read_plan("5x2").n_trials, read_plan("1×10").folds
    (10, 10)
    """
    found = re.fullmatch(r"\s*([1-9]\d{0,3})\s*[x×]\s*([1-9]\d{0,3})\s*", text)
    if found is None or int(found[2]) < 2:
        raise InvalidInput(
            f"the plan is {text!r}; expected repetitions x folds, of two folds or more, such as "
            "'5x5'."
        )
    return RepeatedFolds(repetitions=int(found[1]), folds=int(found[2]))


def mark_of(specification: Specification, question: Question) -> str:
    """Return what tells a page of this study and question from others.

    Examples
    --------
    >>> mark_of({"seed": 0}, Question()) == mark_of({"seed": 1}, Question())
    False
    """
    text = json.dumps([fingerprint(specification), question.to_dict()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
