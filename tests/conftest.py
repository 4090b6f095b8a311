"""Settings for all tests."""

import os

import matplotlib as mpl
from hypothesis import HealthCheck, settings

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
