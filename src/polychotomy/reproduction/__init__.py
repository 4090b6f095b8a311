"""The papers' printed tables beside ours, cell by cell."""

from polychotomy.reproduction.cells import Cell
from polychotomy.reproduction.printed import read_printed
from polychotomy.reproduction.reproduce import reproduce
from polychotomy.reproduction.result import Reproduction

__all__ = ["Cell", "Reproduction", "read_printed", "reproduce"]
