"""Settings for all tests."""

import os

import matplotlib as mpl
import pytest
from hypothesis import HealthCheck, settings

from array_libraries import LIBRARIES, Library, open_library

mpl.use("Agg")
# Deadlines measure the machine, not the code; examples are drawn anew only where CI asks for it.
settings.register_profile(
    "polychotomy",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", parent=settings.get_profile("polychotomy"), max_examples=600)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "polychotomy"))


@pytest.fixture(params=LIBRARIES)
def library(request) -> Library:
    """Each array library in turn."""
    return open_library(request.param)
