"""Where and with what numbers were computed."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

from polychotomy._version import __version__

_PACKAGES = ("numpy", "scipy", "scikit-learn")


def describe_machine() -> str:
    """Processor, cores and system of this machine.

    Examples
    --------
    >>> " cores, " in describe_machine()
    True
    """
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}"


def describe_versions() -> str:
    """Versions of what computes: Python, this package, and those below it.

    Examples
    --------
    >>> describe_versions().startswith("Python ")
    True
    """
    found = [f"{name} {version(name)}" for name in _PACKAGES]
    return ", ".join([f"Python {platform.python_version()}", f"polychotomy {__version__}", *found])


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
