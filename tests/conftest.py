"""Settings for all tests, and how two processes share them."""

import contextlib
import gc
import os
import signal

# The tests keep every core busy by themselves; threads beyond that only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import matplotlib as mpl
import pytest
from hypothesis import HealthCheck, settings

from array_libraries import LIBRARIES, Library, open_library
from command_line import CommandLine

mpl.use("Agg")

# What is imported and collected stays until the end: looking through it again and again for what
# could be freed takes a fifth of the time of collecting.
gc.disable()

# Where SIGINT is inherited as ignored (nohup, some CI runners) Python leaves it so, and so do all
# processes that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)

# Deadlines measure the machine, not the code; the same examples are drawn every time. CI draws
# "full"; "long" is for whoever has changed something that is tested so.
settings.register_profile(
    "quick",
    deadline=None,
    derandomize=True,
    max_examples=10,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("full", parent=settings.get_profile("quick"), max_examples=60)
settings.register_profile("long", parent=settings.get_profile("quick"), max_examples=600)
settings.load_profile(PROFILE := os.environ.get("HYPOTHESIS_PROFILE", "quick"))
if PROFILE == "quick":
    # Else Hypothesis parses every module of ours, in each process, for constants to draw now and
    # then; and what it draws would depend on the modules that are imported.
    from hypothesis.internal.conjecture import providers

    providers.is_local_module_file = lambda path: False

# Files that share what is dear to make stay in one process; those that take long begin first.
TOGETHER = ("tests/verdict/test_page_claims", "tests/report/", "tests/test_")
FIRST = ("tests/verdict/test_page", "tests/uses/", "tests/test_", "tests/study/", "tests/verdict/")

# Where most of the tests fit candidates.
FITTING = ("tests/study/", "tests/verdict/", "tests/uses/", "tests/test_")

# Where what is concluded from fits or kept of them is tested, and no process; but for some files.
KEEPING = (
    "columns", "damaged_file", "export", "imported_trials", "importing", "lazy_folds", "ledger",
    "ledger_parts", "ledger_reading", "ledger_rows", "lock", "racing", "spec", "specification",
    "study_gathering",
)  # fmt: skip
CONCLUDING = (
    "tests/verdict/",
    "tests/report/",
    *(f"tests/study/test_{name}.py" for name in KEEPING),
)
IN_PROCESSES = ("test_estimate.py", "test_candidates.py")


def pytest_collection_modifyitems(items):
    """Order by file, the files that take long first."""
    ranks = {start: rank for rank, start in enumerate(FIRST)}

    def rank(item):
        return min((ranks[s] for s in FIRST if item.nodeid.startswith(s)), default=len(FIRST))

    items.sort(key=rank)  # stable: the order is else as it was


def pytest_collection_finish(session):
    """Begin to look for garbage, and to import in the fork server what test modules import.

    Their classes are candidates: each of its worker processes would else import all that, for
    longer than most of them fit.
    """
    gc.enable()
    gc.freeze()
    if any(item.nodeid.startswith(FITTING) for item in session.items):
        from polychotomy.study.workers.processes import warm_up

        warm_up(("pytest", "skrub", "sklearn.datasets", "polychotomy.verdict.judge"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Fit within this process where no process is tested, fixtures of all scopes included."""
    if not item.nodeid.startswith(CONCLUDING) or item.path.name in IN_PROCESSES:
        return (yield)
    from fits_here import fits_here

    with fits_here():
        return (yield)


@pytest.hookimpl(optionalhook=True)  # pytest may run without xdist
def pytest_xdist_make_scheduler(config, log):
    """Give each process whole files, so that no fixture is made twice."""
    if config.getvalue("dist") != "load":  # somebody asked for another way
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return next((s for s in TOGETHER if nodeid.startswith(s)), nodeid.split("::")[0])

    config.option.loadscopereorder = False  # by the order above and not by the number of tests
    return Scheduling(config, log)


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """The installed command: ``run(*arguments, cwd=folder)``."""
    return CommandLine(tmp_path_factory.mktemp("outputs"))


@pytest.fixture(params=LIBRARIES)
def library(request) -> Library:
    """Each array library in turn."""
    return open_library(request.param)
