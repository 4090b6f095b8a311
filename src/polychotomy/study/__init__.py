"""Specification, trials, ledger: every fit is done once and kept."""

from polychotomy.study.design.candidates import (
    LeftOut,
    affordable_ladder,
    choose,
    for_tables,
    for_trees,
    ladder,
)
from polychotomy.study.design.dataset import Dataset, Target
from polychotomy.study.design.fixed_split import FixedSplit
from polychotomy.study.design.plan import Bootstrap, HoldOut, NestedSizes, RepeatedFolds, TimeFolds
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.ledger.importing import import_predictions
from polychotomy.study.ledger.ledger import Ledger
from polychotomy.study.progress import Progress
from polychotomy.study.racing import Race
from polychotomy.study.study import Study, StudySpec

__all__ = [
    "Bootstrap", "Dataset", "FixedSplit", "HoldOut", "Ledger", "LeftOut", "Limits",
    "NestedSizes", "Progress", "Race", "RepeatedFolds", "Study", "StudySpec", "Target",
    "TimeFolds", "affordable_ladder", "choose", "for_tables", "for_trees", "import_predictions",
    "ladder",
]  # fmt: skip
