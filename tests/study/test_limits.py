"""Limits: refused where they make no sense or cannot be kept; memory held by the kernel."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Study, for_tables
from polychotomy.study.fitting.limits import Limits


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"seconds": 0}, "limits.seconds is 0; expected a positive number"),
        ({"seconds": -1.0}, "limits.seconds is -1.0"),
        ({"seconds": np.inf}, "limits.seconds is inf"),
        ({"seconds": np.nan}, "limits.seconds is nan"),
        ({"seconds": "10"}, "limits.seconds is '10'"),
        ({"memory": 0}, "limits.memory is 0; expected a whole number of bytes"),
        ({"memory": 1e9}, "limits.memory is 1000000000.0"),
    ],
)
def test_bad_limits(limits, message):
    with pytest.raises(InvalidInput, match=message):
        Limits(**limits)


def test_memory_is_refused_where_it_cannot_be_limited(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(InvalidInput, match="expected None on dar"):
        Limits(memory=10**9)
    assert Limits(seconds=3)


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_DATA")
@pytest.mark.parametrize(
    ("taken", "fits"), [pytest.param(30, True, marks=pytest.mark.long), (80, False)]
)
def test_a_process_may_take_so_much_more_than_it_has(taken, fits):
    code = (
        "from polychotomy.study.fitting.limits import limit_memory\n"
        "held = bytearray(200 * 2**20)\n"
        "limit_memory(60 * 2**20)\n"
        f"bytearray({taken} * 2**20)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode == 0) == fits, done.stderr
    assert ("MemoryError" in done.stderr) != fits


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_limit_of_what_arrow_would_reserve_leaves_room_for_a_fit():
    """Its allocator reserves a GiB at once where it may, and texts of pandas are Arrow's."""
    X = pd.DataFrame({"colour": ["red", "blue", "green"] * 20, "size": range(60)})
    study = Study({"Bayes": for_tables(GaussianNB())}, X, [0, 1, 2] * 20)
    with study.run(limits=Limits(memory=2**30)) as ledger:
        assert {trial["cause"] for trial in ledger.trials()} == {""}
