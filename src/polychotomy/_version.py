"""The version, read by the build and shown by ``polychotomy --version``."""

from __future__ import annotations

__version__ = "0.1.0"
