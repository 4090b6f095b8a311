"""What a paper's reproduction is asked to do, and what it hands back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from polychotomy.reproduction.blocks import Block
from polychotomy.reproduction.budgets import Budget
from polychotomy.reproduction.cells import Cell
from polychotomy.reproduction.run_log import RunLog
from polychotomy.reproduction.tasks import Key, Task, run_tasks
from polychotomy.study.progress import ShowProgress


@dataclass(frozen=True, kw_only=True)
class Request:
    """Settings that all five papers take."""

    data: Path | None
    runs: int
    budget: Budget
    n_jobs: int
    study: Path | None
    seed: int
    progress: ShowProgress

    def run(self, tasks: Mapping[Key, Task], log: RunLog) -> None:
        """Run what the log does not have while the budget lasts, and show how far it is."""
        run_tasks(tasks, log, budget=self.budget, n_jobs=self.n_jobs, progress=self.progress)


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What a paper's reproduction found.

    ``repeat`` is what ``--runs`` must be to find the same again.
    """

    cells: tuple[Cell, ...]
    blocks: tuple[Block, ...]
    what: str
    runs: str
    repeat: int
    seconds: float
