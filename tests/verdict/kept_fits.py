"""``judge`` by fits that are kept: what several tests ask of a table is fitted once."""

from pathlib import Path
from tempfile import TemporaryDirectory

import joblib

from polychotomy import judge

_FOLDER = TemporaryDirectory(prefix="polychotomy-tests-")


def judge_kept(candidates, X, y, **options):
    """Return the verdict of ``judge`` with a study file for each table, groups and times.

    A name stands for the same candidate wherever it is tried on the same table.
    """
    table = joblib.hash((X, y, options.get("groups"), options.get("time")))
    return judge(candidates, X, y, study=Path(_FOLDER.name, table), **options)
