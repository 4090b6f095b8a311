"""What a reader should know beside the answers: remarks, and where the numbers come from."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from polychotomy.comparison import Criterion, SelectedError
from polychotomy.core.arguments import innermost, shown
from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import PolychotomyWarning
from polychotomy.core.numbers import gap, percent
from polychotomy.core.predictions import OutOfFold
from polychotomy.learners.numbered_labels import NumberedLabelsClassifier
from polychotomy.learners.searches import SearchWarning, count_inner_fits
from polychotomy.study import Ledger, Study
from polychotomy.study.design.dataset import name_some
from polychotomy.study.design.plan import Plan
from polychotomy.study.design.specification import fingerprint
from polychotomy.tables.column_notes import Note, gravity
from polychotomy.tables.reading import note_alike
from polychotomy.tables.row_notes import note_features
from polychotomy.validation import Trust
from polychotomy.validation.trust import CONFIDENCE_DRAWS
from polychotomy.verdict.case import Case
from polychotomy.verdict.question import Question


def note_table(study: Study, *, known: Sequence[str] = ()) -> tuple[str, ...]:
    """Name columns of a DataFrame that a reader should know of, but for what is ``known`` already.

    These are constant, empty, equal, infinite or like an identifier, or give the target away; and,
    where no groups or times are given, such as rows seem to belong together by. Rows that are
    copies of others are counted. Of an array only warnings are told; of other tables, and where
    values cannot be counted, nothing is.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.dummy import DummyClassifier
    >>> X = pd.DataFrame({"ticket": [f"A-{i:03}" for i in range(40)]})
    >>> study = Study({"MAX": DummyClassifier()}, X, [i % 2 for i in range(40)])
    >>> (note,) = note_table(study)
    >>> note.partition(", ")[0], note.rpartition(" (")[2]
    ('1 column has another value in nearly every row', "leave it out): 'ticket'")
    """
    import pandas as pd

    X, classes = study.X, study.data.target
    is_frame = hasattr(X, "iloc") and hasattr(X, "columns")
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.shape[1] <= _MOST_COLUMNS:
        X = pd.DataFrame(X, columns=[f"column {i}" for i in range(X.shape[1])])
    elif not is_frame or not X.columns.is_unique:
        return ()
    labels = [classes.names[code] for code in classes.codes]
    name = getattr(study.y, "name", None)
    target = "y" if name is None else str(name)
    belong = {"groups": study.groups, "time": study.time}
    notes = [Note(one, kind="reading") for one in note_alike(classes.names, target)]
    try:
        notes = [*note_features(X.reset_index(drop=True), labels, target, **belong), *notes]
    except (TypeError, ValueError):  # such as lists in cells: no value can be told from another
        return ()
    told = [note.for_python() for note in notes if is_frame or note.kind not in ("", "groups")]
    return tuple(note for note in told if note not in known)


def warn_of(notes: Iterable[str], dataset: str) -> None:
    """Warn in Python of what in a table may make a verdict misleading, the gravest first."""
    graves = [note for note in sorted(notes, key=gravity) if getattr(note, "kind", "")]
    if graves:
        lines = "".join(f"\n- {note.line}" for note in graves if isinstance(note, Note))
        text = f"found in {dataset!r} before the first fit:{lines}"
        warnings.warn(text, PolychotomyWarning, stacklevel=3)


def note_tuned(study: Study) -> list[str]:
    """Say whose settings were searched, and how many fits each of theirs is."""
    rows = int(study.data.n * study.plan.training_share)
    plain = {  # without what numbers the labels of learners such as XGBoost's
        name: one.estimator if isinstance(one, NumberedLabelsClassifier) else one
        for name, one in study.candidates.items()
    }
    last = {name: innermost(one) for name, one in plain.items()}
    searches = {n: one for n, one in last.items() if hasattr(one, "cv")}
    fits = dict.fromkeys(last, 0) | {n: count_inner_fits(one, rows) for n, one in searches.items()}
    told = ", ".join(f"{name} ({count} fits in one)" for name, count in fits.items() if count)
    others = ", ".join(name for name, count in fits.items() if not count)
    rest = f"; not tuned: {others}" if others else ""
    return [f"tuned in every fit, on its training part alone: {told}{rest}"] if told else []


_MOST_COLUMNS = 5000  # of an array, looked at in some seconds

_RARE = 0.01  # share of the rows below which an error hardly tells of a class

_EVEN = 0.2  # times an even share of the rows: of two hundred classes none is rare for 0.5 %


def note_rare(question: Question, classes: Sequence[object], y: Ints) -> list[str]:
    """Name classes so rare that to miss them costs next to nothing, and say what to judge by."""
    shares = np.bincount(y, minlength=len(classes)) / len(y)
    margin = replace(question, guessing=1 - shares.max()).smallest_difference
    rare = np.flatnonzero((shares > 0) & (shares < min(max(margin, _RARE), _EVEN / len(classes))))
    if question.criterion.name != "error" or not len(rare):
        return []
    names = name_some([shown(classes[code]) for code in rare.tolist()])
    most, are = percent(float(shares[rare].max())), "are" if len(rare) > 1 else "is"
    missed = f"to miss {'them' if len(rare) > 1 else 'it'} altogether costs no more error than that"
    if shares[rare].max() < margin:
        missed += f", which is less than the margin of {gap(margin, question.criterion)}"
    instead = "judge by balanced error, AUC, log loss or costs of errors instead"
    text = f"{names} {are} in {most} of the rows"
    line = f"{text}; judge by the loss auc or balanced-error"
    return [Note(f"{text}, so that {missed}; {instead}", kind="rare", line=line)]


def note_labels(criterion: Criterion, given: OutOfFold, as_given: bool) -> list[str]:
    """Say whose labels were taken for probabilities, where these are asked for and none given."""
    asked = criterion.name in ("log-loss", "brier", "auc", "recall-at-precision")
    if not asked or not given.hard.any():
        return []
    who = name_some([shown(name) for name, one in zip(given.names, given.hard, strict=True) if one])
    text = f"{criterion.words} takes probabilities; {who} gave labels"
    remedy = "judge by error" if as_given else "calibrate them, such as by CodedClassifier"
    long = f"{text}, which count as probabilities of 0 and 1; {remedy}"
    return [Note(long, kind="reading", line=f"{text}; {remedy}")]


def note_untrained_classes(plan: Plan, splits: Ints, predictions: OutOfFold) -> list[str]:
    """Name the classes that some training sets lack: no fit on those can predict them."""
    rows = splits.reshape(-1, len(predictions.y)).astype(np.int16)
    fits = [(split, fold) for split in rows for fold in range(plan.n_folds)]
    lacking: Counter[int] = Counter()
    for split, fold in fits:
        trained = set(predictions.y[plan.rows(split, fold)[0]].tolist())
        if not trained:  # of one test set the training rows are not there
            return []
        lacking.update(set(range(len(predictions.classes))) - trained)
    return [
        f"the class {shown(predictions.classes[code])} is in none of the rows that {count} of "
        f"{len(fits)} fits of a candidate were trained on; those cannot predict it"
        for code, count in sorted(lacking.items())
    ]


_UNKNOWN = "Found unknown categories"  # scikit-learn's words, which count columns by number

_UNSEEN = (
    "some rows have in a column of categories a value so rare that a fit had not seen it in "
    "training, and took it for none of those known"
)


def note_warnings(trials: list[dict[str, Any]]) -> list[str]:
    """Return one note for each kind of warning: who gave it, and in how many fits.

    What a search of settings found is one if it is so in most fits.
    """
    counts: dict[str, Counter[str]] = {}
    fits = Counter(trial["candidate"] for trial in trials)
    for trial in trials:
        lines = [text.splitlines()[0] for text in trial["warnings"]]
        for text in {_UNSEEN if _UNKNOWN in line else line: None for line in lines}:
            counts.setdefault(text, Counter())[trial["candidate"]] += 1
    return [
        f"{text} ({', '.join(f'{name} in {count} fits' for name, count in who.items())})"
        for text, who in counts.items()
        if not text.startswith(SearchWarning.__name__)
        or any(2 * who[name] > fits[name] for name in who)
    ]


def provenance_of(
    case: Case,
    ledger: Ledger,
    question: Question,
    *,
    trust: Trust,
    selected: SelectedError | None,
    known: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what is recorded of a verdict: versions, seed, candidates, question, draws, hash.

    Every draw starts from the seed: the traces of true probabilities, the number of right ones
    among few (``confidence``), the rows drawn anew (``choice``).
    """
    own = {
        "seed": case.seed,
        "question": question.to_dict(),
        "fingerprint": fingerprint(case.specification),
        **(known or {}),
    }
    try:
        return _record(case, ledger, trust, selected) | own
    except Exception as error:  # what is known of the machine only adds to the answers
        return own | {"problem": f"{type(error).__name__}: {error}"}


def _record(
    case: Case, ledger: Ledger, trust: Trust, selected: SelectedError | None
) -> dict[str, Any]:
    specification = case.specification
    draws = {"trace": int(trust.null.slope.size), "confidence": CONFIDENCE_DRAWS}
    return {
        **ledger.fact("provenance"),
        "draws": draws | ({} if selected is None else {"choice": selected.n_replicates}),
        **{one: specification[one] for one in _SPECIFIED if one in specification},
    }


_SPECIFIED = "keep", "versions", "candidates", "code"


def note_lost(provenance: Mapping[str, Any]) -> list[str]:
    """Tell of a record that could not be made."""
    lost = provenance.get("problem")
    return [] if lost is None else [f"where the numbers come from could not be recorded: {lost}"]
