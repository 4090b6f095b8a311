"""The papers' simulated problems, and tables read from files."""

from polychotomy.datasets.mixtures import FriedmanNormals, PlaneMixtures
from polychotomy.datasets.problems import ConcentricNormals, Problem, TwoNormals
from polychotomy.datasets.tables import Table, read_table

__all__ = [
    "ConcentricNormals",
    "FriedmanNormals",
    "PlaneMixtures",
    "Problem",
    "Table",
    "TwoNormals",
    "read_table",
]
