"""What a process keeps between trials, so as not to do it again; the results stay the same."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from sklearn.base import clone
from threadpoolctl import threadpool_limits

from polychotomy.study.batching import training_set
from polychotomy.study.preparation import Beginning, Preparations, Prepared, shared_beginnings
from polychotomy.study.seeding import unseeded
from polychotomy.study.seeds import seed_of
from polychotomy.study.trials import Outcome, TrialKey, preparation_seed, take
