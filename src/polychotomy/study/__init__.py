"""Specification, trials, ledger: every fit is done once and kept."""

from polychotomy.study.bootstrap import Bootstrap
from polychotomy.study.dataset import Dataset
from polychotomy.study.fixed_split import FixedSplit
from polychotomy.study.importing import import_predictions
from polychotomy.study.ledger import Ledger
from polychotomy.study.limits import Limits
from polychotomy.study.nested_sizes import NestedSizes
from polychotomy.study.plan import RepeatedFolds
from polychotomy.study.progress import Progress
from polychotomy.study.race import Race
from polychotomy.study.spec import StudySpec
from polychotomy.study.study import Study
from polychotomy.study.target import Target
from polychotomy.study.time_folds import TimeFolds

__all__ = [
    "Bootstrap",
    "Dataset",
    "FixedSplit",
    "Ledger",
    "Limits",
    "NestedSizes",
    "Progress",
    "Race",
    "RepeatedFolds",
    "Study",
    "StudySpec",
    "Target",
    "TimeFolds",
    "import_predictions",
]
